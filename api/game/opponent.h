/*
 * opponent.h - the computer opponents: their names and levels, as requests name them, as games
 * store them and as people read them.
 *
 *     a seat's request and view                stored       shown to people
 *     {"engine": "random"}                     "random"     the computer
 *     {"engine": "plyd", "level": 3}           "plyd:3"     plyd, level 3
 *
 * "random" plays at once, in the write that makes it its turn. "plyd" thinks: its move is work that
 * is due (DUE_OPPONENT), and an event of its own. Pure.
 */
#ifndef PLYD_API_GAME_OPPONENT_H
#define PLYD_API_GAME_OPPONENT_H

#include <stdbool.h>

#include "api/game/offers.h"
#include "api/text/arena.h"
#include "api/text/json.h"
#include "api/text/lang.h"
#include "db/db.h"
#include "rules/rules.h"

enum { OPPONENT_LEVEL = 3, OPPONENT_LEVELS = 8 }; /* the usual level, and how many there are */

/* What is stored for an opponent: a static text. `level` 0: none was asked for. NULL: there is no
 * opponent of that name, or it does not have that level. */
const char *opponent_stored(const char *name, unsigned level);

/* ---- of what is stored ---- */

/* Whether this program has that opponent; a newer one may have others. */
bool opponent_is_known(const char *stored);

/* Its level; 0: it has none, and plays at once. */
unsigned opponent_level(const char *stored);

/* Its name, as requests name it. */
const char *opponent_name(const char *stored);

/* How people read it. */
const char *opponent_title(struct arena *arena, const struct lang *lang, const char *stored);

/* Writes the members "engine" and "level" of a seat. */
void opponent_view(struct json *json, const char *stored);

/* ---- of games ---- */

/* Whether a seat is played by an opponent that thinks. */
bool opponent_thinks(const struct db_seat *seat);

/* Whether the game goes on, and such an opponent is to move. */
bool opponent_is_due(const struct db_game *row);

/* The open offer of a draw that such an opponent has to answer; NULL: there is none. */
const struct offer *opponent_asked(const struct db_game *row, const struct offers *offers);

/* What its choice at the present ply is drawn from, so that the same game gets the same answer
 * after an undo and from another daemon. */
uint64_t opponent_seed(const struct db_game *row);

/* How many positions before one at a ply its choice looks at: those that the rules look at, and the
 * last ones in any case, since it does not go round in circles where no rule forbids that. */
size_t opponent_past(const struct rules_game *game, const struct rules_state *state, size_t ply);

/* The move of "random" in a position that is not over, drawn from a seed: the same from a later
 * version of this program, too. Where there are more moves than are ever listed, it is among the
 * first of them. */
rules_move opponent_random_move(struct arena *arena, const struct rules_game *game,
                                const struct rules_state *state, uint64_t seed);

#endif
