/*
 * player.h - players as JSON and as texts.
 */
#ifndef PLYD_API_VIEW_PLAYER_H
#define PLYD_API_VIEW_PLAYER_H

#include <stdbool.h>

#include "api/text/arena.h"
#include "db/db.h"

/* The address of a player. */
const char *view_player_url(struct arena *arena, db_id id);

/* A player, as they see themselves (`own`) or as others do, as JSON. The token is shown only in the
 * answer that gives it; else NULL. */
const char *view_player_json(struct arena *arena, const struct db_player *player, bool own,
                             const char *token);

/* The same for a terminal. */
const char *view_player_text(struct arena *arena, const struct db_player *player,
                             const char *token);

#endif
