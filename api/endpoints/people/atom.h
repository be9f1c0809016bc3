/*
 * atom.h - the news of a player's games as a feed (Atom, RFC 4287).
 *
 * An entry is a game in which they are to move, or one that is over. It is known by the game, its
 * line and its ply, so that each turn of theirs is one entry, which readers show once. Pure.
 */
#ifndef PLYD_API_ENDPOINTS_PEOPLE_ATOM_H
#define PLYD_API_ENDPOINTS_PEOPLE_ATOM_H

#include "api/text/out.h"
#include "api/view/view.h"
#include "db/db.h"

#define ATOM_TYPE "application/atom+xml; charset=utf-8"

/* Begins the feed of a player, whose last news came then. It stands at `self`. */
void atom_open(struct out *out, const struct lang *lang, db_id player, int64_t updated_at,
               const char *self);

/* Writes the entry of a game whose page has that address. Nothing, if others are to move. */
void atom_add(struct out *out, const struct game_view *view, const char *url);

void atom_close(struct out *out);

#endif
