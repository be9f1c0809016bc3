/*
 * token_use.h - on which day each of those that act as a player was used last.
 *
 * It is noted where more than one thing acts, and once a day: when a loop has looked the player up
 * for it, which it does now and then for each (players.h). Nobody waits for it, and nothing is lost
 * if it fails: the next look tries again.
 */
#ifndef PLYD_API_LIVE_TOKEN_USE_H
#define PLYD_API_LIVE_TOKEN_USE_H

#include <stdint.h>

#include "db/db.h"

struct loop;

#define TOKEN_USE_DAY_US (INT64_C(24) * 3600 * 1000 * 1000)

/* One of them (tokens.h) was used by somebody who was looked up just now. */
void token_use_note(struct loop *loop, const struct db_player *player, int which);

#endif
