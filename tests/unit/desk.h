/*
 * desk.h - a loop for tests: games in memory, requests that take turns and wait at them, streams,
 * and a database that never answers. What an op asks of it, a test gives to the op or leaves it
 * without.
 */
#ifndef PLYD_TESTS_UNIT_DESK_H
#define PLYD_TESTS_UNIT_DESK_H

#include "api/live/op.h"
#include "api/loop/config.h"
#include "api/loop/loop.h"
#include "api/net/stream.h"
#include "api/stream/game_stream.h"
#include "api/stream/long_poll.h"

enum {
    DESK_WAITS = 8, /* in all; */
    DESK_WAITS_GAME = 4,
    DESK_WAITS_ADDRESS = 2,
    DESK_STREAMS = 8,
    DESK_PATIENCE_US = 10 * 1000000
};

extern struct loop desk_loop;
extern struct config desk_config; /* of the loop; it has the bounds above */

/* The .init and .fini of a suite. desk_close() frees the requests, too. */
void desk_open(void);
void desk_close(void);

/* Opens the streams and the news anew, with another bound. */
void desk_open_streams(long limit);

/* The live game of this game, as if its row had just been read, and with nothing to confirm. */
struct live_game *desk_table(const struct db_game *row);

/* How many questions the database was asked so far. */
uint64_t desk_questions(void);

#endif
