/*
 * op.h - how requests take turns at a game: ops and their steps.
 *
 * An op is one request's business at one live game. The ops of a live game run one at a time, in
 * the order in which they came. An op's step is a function that ends in one of two ways:
 *   - STEP_OVER: the request was answered, or waits for news (channels.h). The next op runs.
 *   - STEP_LATER: the step asked the database for something it lacks (op_need_*), or for a write
 *     (op_append). The live game is busy until that has come, and no other op runs.
 * When what it asked for is there, the step is called again from its start. It finds the live game
 * as it is by then: another daemon may have moved, and the row may have been read anew. So a step
 * keeps nothing from one call to the next but what is in its args, and what it asked for is simply
 * there the next time. After a write that is done, `written` is called instead of the step.
 *
 * An op may need several runs, in each of which it goes as far as it can. Each run at a game whose
 * deadline has passed begins with what the clock has brought about: it is written first, by the
 * function that cache_open() was given. So a step never sees a game that is over by time as one
 * that goes on.
 *
 * A live game is a copy and may be stale. What is read from it is answered only once the database
 * was seen to be at the same version, after the request had come: op_need_confirmed(). Writes need
 * no such look, because their guard is in the statement.
 *
 * An op lies in its request's arena. Only the loop's thread calls these functions.
 */
#ifndef PLYD_API_LIVE_OP_H
#define PLYD_API_LIVE_OP_H

#include "api/game/clock.h"
#include "api/http/request.h"
#include "api/live/ask.h"
#include "api/live/cache.h"

struct idempotency;
struct need;

/* Moves of a line, in order of ply; and the keys of positions. */
struct line_moves {
    const struct db_event *moves;
    size_t count;
};
struct line_keys {
    uint64_t *keys;
    size_t count;
};

struct op {
    struct request *request;
    enum step (*step)(struct op *op);
    void *args;              /* the use case's own */
    struct live_game *live;  /* set before the first step */
    struct line_moves moves; /* that fetch_moves() and its like have fetched last */
    struct line_keys ahead;  /* that fetch_keys_ahead() has fetched last */
    int wait_s; /* how long it may wait for news (channels.h); 0: not at all, or not any more */

    /* Set at the beginning of each run: the database's time, and the outages that are known. */
    int64_t now;
    struct clock_gaps gaps;

    /* Set before the op is submitted; NULL: the request has no key. If the same request was done
     * before and has left its mark, `told` is what was found, and in place of the step `again` is
     * called, which writes nothing. NULL: the request leaves no mark, but an answer. */
    struct idempotency *idempotency;
    enum step (*again)(struct op *op);
    struct db_answer told;

    /* Set before op_append(). `written` answers the request once the write is durable. If the op
     * goes on, the write was none of its own: the step is called again instead. */
    struct live_write write;
    bool goes_on;
    void (*written)(struct op *op);
    void *prepared; /* the use case's own, for `written` or the answer of op_offload() */

    /* Private to op.c. */
    void (*work)(struct op *op); /* of op_offload() or op_offload_part() */
    struct op *next;

    struct need *needs; /* what was fetched (fetch.h) */
};

/* Makes an op in the request's arena. */
struct op *op_new(struct request *request, enum step (*step)(struct op *op), void *args);

/* Puts an op in line at a game's live game, and runs it if it is the first. If it could not
 * run in time (cache_open), or there is no such game, the request is answered without its step. */
void op_submit(struct op *op, db_id id);

/* ---- what a step may ask for ---- */

/* Each is part of a step. STEP_GO: it is there. STEP_LATER: it was asked for. If the database
 * fails, the request is answered and the step is not called again. fetch.h has more of them. */

/* The live game is known to be the game's present state, as of after the request had come. */
enum step op_need_confirmed(struct op *op);

/* Whether the request was done before and its answer was stored; then it is answered with that. A
 * step asks once it knows that the request may do what it asks for. */
bool op_tells_first(struct op *op);

/* The row was read after the request had come. So it also has what changes without a new version:
 * row.plans. */
enum step op_need_row(struct op *op);

/* Stores a plan, which has to lie in the request's arena, or deletes it (tree NULL). As
 * op_append(): `written` answers then, and if anything has changed meanwhile, nothing is stored
 * and the step is called again. */
enum step op_set_plan(struct op *op, const struct db_plan *plan);

/* Writes op->write, with the answer that belongs to its key. STEP_LATER; or STEP_OVER, if the key
 * belongs to another request, which was answered. If the game has moved on in another daemon,
 * nothing is written, and the step is called again with the game as it is. */
enum step op_append(struct op *op);

/* ---- asking for other things ---- */

/* As ASK() and ASK_ALSO() (ask.h), for a step that returns STEP_LATER after it has asked. Once
 * `then` was called, the step is called again, unless the request was answered. */
#define ASK_STEP(type, op, then, context) \
    ask_on_##type, op_ask(op, 0, (union ask_then){.type = (then)}, context)
#define ASK_STEP_ALSO(type, op, takes, then, context) \
    ask_on_##type,                                    \
        op_ask(op, (takes) | 1U << DB_OK, (union ask_then){.also_##type = (then)}, context)

struct ask *op_ask(struct op *op, unsigned takes, union ask_then then, void *context);

/* The same for a step that waits for what several ops have asked for together: op_wait(), and
 * then one of the others, by which the step is called again, or the op is over. */
void op_wait(struct live_game *live);
void op_resume(struct live_game *live);
void op_end(struct op *op);

/* Answers the request of an op with what has failed. */
void op_refuse(struct op *op, const struct db_reply *reply);

/* ---- long work ---- */

/* Has a worker compose the answer (offload.h), for what would hold the loop up. Its op is a copy
 * of the live game, as of now, and has what the step has fetched; `answer` answers the request from
 * these. Always STEP_OVER: the next op runs at once. */
enum step op_offload(struct op *op, void (*answer)(struct op *op));

/* The same for a part of what the step does, which answers nothing. Then the op lines up anew, and
 * its step is called from its start: the game may be another one by then. */
enum step op_offload_part(struct op *op, void (*work)(struct op *op));

#endif
