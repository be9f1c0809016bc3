/*
 * game_stream.h - streams of the events of a game, as SSE and NDJSON (stream.h).
 *
 * A stream follows one game and is told its events by their numbers, each once and in order. It
 * stands at the last one that it was told, and what comes next is always the events behind that:
 * from the write of this loop, if that is just what follows, else from the log in the database, a
 * page at a time. So nothing is told that was not committed, and it does not matter at which daemon
 * a client goes on. Streams of a game that stand at the same event are told together: the events
 * are read and written down once for all of them.
 *
 * A stream whose client reads slowly falls behind, and reads on from the log when it has room. In a
 * pass of the loop streams are told for a millisecond at most, and few pages are read at a time.
 *
 * Who follows what is kept in channels.h, which also finds what other loops and daemons write.
 * Texts are written in event_page.h.
 *
 * A struct game_streams belongs to one loop and its thread.
 */
#ifndef PLYD_API_STREAM_GAME_STREAM_H
#define PLYD_API_STREAM_GAME_STREAM_H

#include <stdint.h>

#include "api/live/op.h"
#include "api/stream/event_page.h"

struct loop;
struct game_streams;

/* The last part of a step at a game that the asker may see, and of which the copy in memory is
 * confirmed (op_need_confirmed()). Answers with a stream that tells the events behind version
 * `after`, or refuses: there are too many. `game` is the game as a JSON object, which is told
 * first, as of the live game's version; NULL: it is not. Always STEP_OVER. */
enum step game_stream_follow(struct op *op, enum game_stream_form form, int32_t after,
                             const char *game);

/* A game is at a version that it was not at before: those who follow it or wait are told. `write`:
 * what this loop wrote to it, which the live game has taken; NULL: somebody else did. */
void game_stream_heard(struct game_streams *news, const struct live_game *live, int32_t version,
                       const struct live_write *write);

#endif
