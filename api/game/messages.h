/*
 * messages.h - who reads what players write to each other.
 *
 * In a public game everybody does; in any other, whoever plays in it. To everybody else a message
 * is an event like others, so that the log has no gaps, and tells its ply alone. Pure.
 *
 * A message by somebody whom the other player has blocked names that player in its data, as
 * "unheard_by". Unless the game is public only its writer reads it, and that player is told of it
 * by nothing that tells of news. The word with which a challenge is declined is withheld in the
 * same way. Nobody is shown the member itself.
 */
#ifndef PLYD_API_GAME_MESSAGES_H
#define PLYD_API_GAME_MESSAGES_H

#include "api/text/arena.h"
#include "db/db.h"

/* Whether somebody who plays these seats (words.h) reads them. */
bool messages_are_read(const struct db_game *row, unsigned seats);

/* Events of a game as whoever plays these seats reads them: `events` itself if they are so. */
const struct db_event *messages_shown(struct arena *arena, bool public, unsigned seats,
                                      const struct db_event *events, size_t count);

/* Whether a player who sits in the game is not to hear of a message; NULL: whether any is not. */
bool messages_are_unheard_by(struct arena *arena, const struct db_event *event,
                             const db_id *player);

/* An event of a game in which the player sits, as they read it. */
struct db_event messages_shown_to(struct arena *arena, const struct db_event *event,
                                  const db_id *player);

#endif
