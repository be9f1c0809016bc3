/*
 * profile.h - what players do with themselves: take another name, replace their token, leave.
 *
 * The player is read from the database first, since the copy in memory may be old (players.h), and
 * the write is done only if their token is still the one of the request. Their games learn of it
 * by a promise that is stored with it (player_games.h).
 *
 * A new token follows from the Idempotency-Key and the old token, as that of a seat does (token.h).
 */
#ifndef PLYD_API_PLAY_PROFILE_H
#define PLYD_API_PLAY_PROFILE_H

#include "api/http/request.h"
#include "db/db.h"

/* Answers with a player, as they see themselves; `token` NULL: without one. */
void profile_show(struct request *request, const struct db_player *player, const char *token);

/* Each is for the player who asks, and answers. */
void profile_rename(struct request *request, const char *name);
void profile_replace_token(struct request *request);
void profile_leave(struct request *request);

#endif
