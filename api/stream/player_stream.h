/*
 * player_stream.h - streams of all games of a player, and requests that wait for news of them.
 *
 * A feed tells the events of the games in which a player holds a seat, in order for each game, and
 * those of games that they begin or join meanwhile. It reads them from the log in passes
 * (feed_cursor.h), and has no memory of games but for those that the next pass will find again. So
 * a player may have hundreds of games, and an idle feed costs the same as with one.
 *
 * A feed may also belong to a request that waits (long_poll.h): it tells nothing, and what would
 * set off a pass ends the wait.
 *
 * A write of this loop to one of these games sets off a pass at once. What other loops and daemons
 * write is found by looking up the sum of the versions of each player's games (watch.h). Such a
 * look costs the database as much as the player has games: so the next one waits for as long as it
 * takes to keep below a bound of games a second.
 *
 * A struct player_streams belongs to one loop and its thread.
 */
#ifndef PLYD_API_STREAM_PLAYER_STREAM_H
#define PLYD_API_STREAM_PLAYER_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "api/game/feed_cursor.h"
#include "api/http/request.h"
#include "api/stream/event_page.h"
#include "db/db.h"

struct player_streams;
struct loop;

/* Answers the request of a player, or of the maker of a ticket, with a stream of what comes behind
 * a cursor; NULL: from now on. Or refuses: there are too many streams, or the token has changed. */
void player_stream_follow(struct request *request, enum game_stream_form form,
                          const struct feed_cursor *after);

/* The request of a player waits until the sum of the versions of their games is another one than
 * this, or the token was replaced, but not for longer than so many seconds. Then `back` is called.
 * False: it did not ask to wait, has waited already or cannot wait; so it is to be answered. */
bool player_stream_wait(struct request *request, int wait_s, int64_t versions,
                        void (*back)(struct request *request));

/* Something was written to a game, or it was made: its players have news. */
void player_stream_heard(struct player_streams *feeds, const struct db_game *row);

#endif
