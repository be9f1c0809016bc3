/*
 * messages.h - who reads what players write to each other.
 *
 * In a public game everybody does; in any other, whoever plays in it. To everybody else a message
 * is an event like others, so that the log has no gaps, and tells its ply alone. Pure.
 */
#ifndef PLYD_API_GAME_MESSAGES_H
#define PLYD_API_GAME_MESSAGES_H

#include "api/text/arena.h"
#include "db/db.h"

/* Whether somebody who plays these seats (words.h) reads them. */
bool messages_are_read(const struct db_game *row, unsigned seats);

/* The events without the texts of messages: `events` itself if none of them is a message. */
const struct db_event *messages_withhold(struct arena *arena, const struct db_event *events,
                                         size_t count);

#endif
