#include "api/live/op.h"
#include "api/live/ask.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "api/game/ids.h"
#include "api/game/plans.h"
#include "api/game/words.h"
#include "api/http/reply_problem.h"
#include "api/live/auth.h"
#include "api/live/idempotency.h"
#include "api/live/other_writers.h"
#include "api/loop/log.h"
#include "api/loop/loop.h"
#include "api/loop/metering.h"
#include "api/net/offload.h"

static void run_lane(struct live_game *live);

void op_refuse(struct op *op, const struct db_reply *reply)
{
    struct request *request = op->request;

    metering_begin(request->loop);
    ask_failed(request, reply);
    metering_end(request->loop, request);
}

/* ---- a game that is not there ---- */

/* A look-up that makes both ways take the same time; its result is not used. */
static void absent(void *context, const struct db_reply *reply, const struct db_answer *answer)
{
    (void)reply;
    (void)answer;
    reply_problem(context, PROBLEM_NO_SUCH_GAME, NULL);
}

/* A private game must look to strangers like one that is not there. With a key, a request to a game
 * that is there takes one look-up more, for the stored answer (check_answer). So it takes one here
 * too: otherwise the time would tell the two apart. */
static void refuse_absent(struct op *op, const struct db_reply *reply)
{
    struct request *request = op->request;

    if (reply->outcome == DB_NOT_FOUND && op->idempotency != NULL)
        db_get_answer(db_of(request), op->live->row.id, op->idempotency->key,
                      ASK_ALSO(answer, request, ASK_MISSING, absent, request));
    else
        op_refuse(op, reply);
}

/* Answers all ops of a live game that could not be read. */
static void fail_all(struct live_game *live, const struct db_reply *reply)
{
    while (live->head != NULL) {
        struct op *op = live->head;

        live->head = op->next;
        refuse_absent(op, reply);
    }
}

/* A stranger is told of a private game that it is not there, as always. */
static bool may_know(const struct op *op)
{
    return auth_sees(op->request, &op->live->row);
}

static void refuse_unreadable(const struct op *op)
{
    const char *variant = op->live->row.variant;

    if (rules_find(variant) != NULL)
        reply_problem(op->request, PROBLEM_NEWER_PROGRAM, NULL);
    else
        reply_problem(op->request, PROBLEM_GAME_NOT_LOADED,
                      arena_format(&op->request->arena,
                                   "This daemon has no game by the name %s. Ask again later, or "
                                   "another daemon.",
                                   variant));
}

/* Answers all ops of a live game whose row this program cannot read. It is left as it is. */
static void refuse_all(struct live_game *live)
{
    const struct db_reply absent_to_them = {.outcome = DB_NOT_FOUND};

    while (live->head != NULL) {
        struct op *op = live->head;

        live->head = op->next;
        if (may_know(op))
            refuse_unreadable(op);
        else
            refuse_absent(op, &absent_to_them);
    }
}

/* Once for each live game: whoever asks again makes no line of the log. */
static void note_unreadable(struct live_game *live)
{
    char id[IDS_TEXT];

    if (live->unreadable)
        return;
    live->unreadable = true;
    ids_text(live->row.id, id);
    log_event(LOG_WARN, "game-unreadable", "game", id, "variant", live->row.variant, "position",
              live->row.position, NULL);
}

/* ---- reading the row and its version ---- */

/* Tells of a version of the live game that is new. Requests that wait for that submit their ops
 * anew. The live game is busy meanwhile, so that these only line up: the run_lane()
 * with which the caller ends runs them. */
static void tell_news(struct live_game *live, int32_t version, const struct live_write *write)
{
    live->busy = true;
    live->cache->on_news(live, version, write);
    live->busy = false;
}

/* The row was read anew, so the stored answer must be looked up anew. The op may have looked
 * before, and the game has moved on since. It may have been this very request that moved it, which
 * the client has repeated at another daemon. The guard of a write would not notice that: it only
 * compares with the row that was read last. */
static void look_again_for_answer(struct live_game *live)
{
    if (live->head != NULL && live->head->idempotency != NULL)
        live->head->idempotency->checked = false;
}

static void on_loaded(void *context, const struct db_reply *reply, const struct db_game *game)
{
    struct live_game *live = context;

    live->busy = false;
    if (reply->outcome != DB_OK) {
        fail_all(live, reply);
        if (reply->outcome == DB_NOT_FOUND)
            cache_forget(live); /* or made-up ids would push real games out of memory */
        return;
    }
    /* Before live_take(), as in on_version(): for listeners the live game is still the old one
     * (cache_on_news). */
    if (game->version != live->row.version)
        tell_news(live, game->version, NULL);
    /* What was there before is gone: the next run must read the row again. */
    live->loaded = live_take(live, game);
    if (!live->loaded) {
        note_unreadable(live);
        refuse_all(live);
        return;
    }
    live->unreadable = false;
    live->confirmed = live->read = live->asked;
    look_again_for_answer(live);
    run_lane(live);
}

/* A live game is busy from a question to the database until its answer comes, and no op runs
 * in between. Otherwise two ops could prepare writes from the same version, and one of them would
 * lose the race to its neighbour. Ops at other live games go on meanwhile, and share the statement.
 *
 * The time of the question is kept, because an answer tells no more than what was so when it was
 * asked for. */
static void ask_lane(struct live_game *live)
{
    assert(live->head != NULL && !live->busy);
    live->busy = true;
    live->asked = live->cache->loop->now;
}

static void load(struct live_game *live)
{
    ask_lane(live);
    /* Before the question, as with `asked`: if a newer timeline is seen while it is under way, the
     * answer may come from the old server, and the row counts as old. */
    live->timeline = db_timeline(live->cache->loop->db);
    db_get_game(live->cache->loop->db, live->row.id, on_loaded, live);
}

static void on_version(void *context, const struct db_reply *reply,
                       const struct db_version *version)
{
    struct live_game *live = context;

    live->busy = false;
    if (reply->outcome != DB_OK) {
        fail_all(live, reply);
        return;
    }
    if (version->version == live->row.version) {
        live->confirmed = live->asked;
    } else {
        live->loaded = false; /* another daemon or loop wrote; the next run reads the row */
        tell_news(live, version->version, NULL);
    }
    run_lane(live);
}

static void ask_version(struct live_game *live)
{
    ask_lane(live);
    db_get_version(live->cache->loop->db, live->row.id, on_version, live);
}

/* A client that has read something and asks again must not see an older state, whichever daemon
 * answers. So the copy counts only if the database was asked for its version after the request had
 * come. One question serves all ops that came before it was asked. */
enum step op_need_confirmed(struct op *op)
{
    struct live_game *live = op->live;

    if (live->confirmed >= op->request->arrived)
        return STEP_GO;
    ask_version(live);
    return STEP_LATER;
}

enum step op_need_row(struct op *op)
{
    struct live_game *live = op->live;

    if (live->read >= op->request->arrived)
        return STEP_GO;
    load(live);
    return STEP_LATER;
}

/* ---- answers that are stored ---- */

/* Whether the caller plays a seat, or may take or decline the one that is kept for them. */
static bool plays(const struct op *op)
{
    const struct db_game *row = &op->live->row;

    return auth_seats(op->request, row) != 0 || auth_is_challenged(op->request, row);
}

/* The key belongs to another request of this caller. One who plays no seat learns that last
 * (op_append): before, the step refuses them as if the key were new, and a private game does not
 * exist. */
static void refuse_reused(struct op *op)
{
    if (!plays(op))
        op->idempotency->reused = true;
    else
        reply_problem(op->request, PROBLEM_IDEMPOTENCY_KEY_REUSED, NULL);
}

/* The same request has left its mark, which a seat has made. Whoever is none by now is refused by
 * the step, as with a new key. The live game may be older than the mark: then it is read anew. */
static void tell_again(struct op *op, const struct db_answer *mark)
{
    if (!plays(op))
        return;
    op->told = *mark;
    if (op->live->row.version < mark->version)
        op->live->loaded = false;
}

static void keep_first(struct op *op, const struct db_answer *answer)
{
    struct arena *arena = &op->request->arena;
    struct db_answer *first = arena_alloc(arena, sizeof(*first));

    *first = *answer;
    first->sealed = arena_copy(arena, answer->sealed, answer->sealed_len);
    op->idempotency->told = first;
}

static void know_answer(void *context, const struct db_reply *reply, const struct db_answer *answer)
{
    struct op *op = context;

    op->idempotency->checked = true;
    if (reply->outcome == DB_NOT_FOUND)
        return;
    if (!idempotency_is_same(op->idempotency, answer))
        refuse_reused(op);
    else if (answer->sealed == NULL)
        tell_again(op, answer);
    else
        keep_first(op, answer);
}

bool op_tells_first(struct op *op)
{
    const struct idempotency *idempotency = op->idempotency;

    if (idempotency == NULL || idempotency->told == NULL)
        return false;
    idempotency_replay(op->request, idempotency, idempotency->told);
    return true;
}

/* Part of a run: it is known whether something is stored for the op's key. */
static enum step check_answer(struct op *op)
{
    if (op->idempotency == NULL || op->idempotency->checked)
        return STEP_GO;
    db_get_answer(db_of(op->request), op->live->row.id, op->idempotency->key,
                  ASK_STEP_ALSO(answer, op, ASK_MISSING, know_answer, op));
    return STEP_LATER;
}

/* ---- running ops ---- */

/* Each question to the database has a deadline of its own. This is the bound of all of them
 * together and of the wait for the ops before. An op that begins a run has written nothing yet,
 * so it can be refused without leaving the client in doubt. */
static bool is_late(const struct op *op)
{
    const struct cache *cache = op->live->cache;

    return cache->loop->now - op->request->arrived > cache->patience;
}

static void know_time(struct op *op)
{
    const struct loop *loop = op->request->loop;

    op->now = db_now(loop->db);
    op->gaps = (struct clock_gaps){loop->outages, loop->outages_count};
}

/* The first op of a live game runs, as far as it can. Each run begins here and
 * from the start of the step, since anything may have changed since the last one: the row may be
 * another after a lost race or a look at the version, and so the seats, the ply and what is legal.
 * To judge all of it anew is cheap; to find out what still holds would be a second way to do
 * everything. */
static enum step run_op(struct op *op)
{
    if (is_late(op)) {
        reply_problem(op->request, PROBLEM_OVERLOADED,
                      "The game was busy for too long; nothing was done. Try again.");
        return STEP_OVER;
    }
    /* After a failover the copy may have commits that were never confirmed, and that the new
     * primary lacks. */
    if (!op->live->loaded || op->live->timeline < db_timeline(db_of(op->request))) {
        load(op->live);
        return STEP_LATER;
    }
    if (check_answer(op) != STEP_GO)
        return STEP_LATER;
    know_time(op);
    if (op->live->row.deadline_at <= op->now) {
        enum step step = op->live->cache->settle(op);

        if (step != STEP_GO)
            return step;
    }
    return op->told.version != 0 && op->again != NULL ? op->again(op) : op->step(op);
}

/* Takes the op out of the line of which it is the first. The live game is the caller's and not
 * op->live, because an op that was handed to a worker has a copy there by now. */
static void leave_lane(struct live_game *live, const struct op *op)
{
    live->head = op->next;
}

/* What an op is at: with `log-level` debug one sees where a request stands. */
static void log_op(const struct live_game *live, const struct request *request, const char *event,
                   const char *what)
{
    char game[IDS_TEXT], version[16];

    if (!log_enabled(LOG_DEBUG))
        return;
    ids_text(live->row.id, game);
    snprintf(version, sizeof(version), "%d", (int)live->row.version);
    log_event(LOG_DEBUG, event, "request_id", request->id, "game", game, "version", version, "what",
              what, NULL);
}

enum { LONG_US = 100000 };

/* Nothing holds a loop so long but a machine that is too busy, or a module's rules (docs/games.md).
 */
static void note_long_run(const struct live_game *live, int64_t us)
{
    char game[IDS_TEXT], took[24];

    if (us < LONG_US)
        return;
    ids_text(live->row.id, game);
    snprintf(took, sizeof(took), "%lld", (long long)us);
    log_event(LOG_WARN, "game-took-long", "game", game, "variant", live->row.variant, "us", took,
              NULL);
}

/* Runs the ops in line until one asks the database for something, or none is left. */
static void run_lane(struct live_game *live)
{
    while (!live->busy && live->head != NULL) {
        struct loop *loop = live->cache->loop;
        struct op *op = live->head;
        int64_t begun = loop_clock_us();
        enum step step;

        metering_begin(loop);
        step = run_op(op);
        metering_end(loop, op->request);
        note_long_run(live, loop_clock_us() - begun);
        log_op(live, op->request, "op-run", step == STEP_OVER ? "over" : "waits");
        assert(live->head == op && (live->busy || step == STEP_OVER));
        if (step == STEP_OVER)
            leave_lane(live, op);
    }
}

struct op *op_new(struct request *request, enum step (*step)(struct op *op), void *args)
{
    struct op *op = arena_zero(&request->arena, sizeof(*op));

    op->request = request;
    op->step = step;
    op->args = args;
    return op;
}

/* Only the op that found the line empty runs it. If somebody is in line already, either
 * the database is asked, or run_lane() is at work further up the stack. So a step may submit ops at
 * its own game. */
void op_submit(struct op *op, db_id id)
{
    struct cache *cache = cache_of(op->request->loop);
    struct live_game *live = cache_find(cache, id);

    op->live = live;
    op->next = NULL;
    if (live->head == NULL)
        live->head = op;
    else
        live->tail->next = op;
    live->tail = op;
    if (live->head == op)
        run_lane(live);
}

/* ---- asking ---- */

void op_end(struct op *op)
{
    leave_lane(op->live, op);
    op_resume(op->live);
}

void op_wait(struct live_game *live)
{
    assert(live->head != NULL && !live->busy);
    live->busy = true;
}

void op_resume(struct live_game *live)
{
    live->busy = false;
    run_lane(live);
}

static void go_on_with_lane(void *context)
{
    struct op *op = context;

    /* What was called with the reply may have answered the request. */
    if (op->request->reply.status != 0)
        op_end(op);
    else
        op_resume(op->live);
}

struct ask *op_ask(struct op *op, unsigned takes, union ask_then then, void *context)
{
    op_wait(op->live);
    return ask_before(ask_new(op->request, takes, then, context), go_on_with_lane, op);
}

/* ---- writing ---- */

/* DB_CONFLICT: the game is not as the write was made for, so nothing was written. The op stays
 * first in its line and is tried again from the start. After any other failure the live game may or
 * may not be what the database has, so it is read anew, too. But then the client is told, for only
 * the client can decide whether to repeat what may have been done.
 *
 * What was fetched is forgotten, since it may be about a game that has moved on since. */
static void not_written(struct op *op, const struct db_reply *reply)
{
    op->live->loaded = false;
    op->needs = NULL;
    op->goes_on = false;
    /* If the write was done, nobody in this loop tells of it. The looks at versions find it. */
    if (reply->outcome == DB_UNKNOWN)
        other_writers_doubt(other_writers_of(op->request->loop));
    if (reply->outcome != DB_CONFLICT) {
        op_refuse(op, reply);
        leave_lane(op->live, op);
    }
}

/* The order matters. The copy is carried on first, because `written` composes the answer from it.
 * The op leaves its line only after `written`, which may submit another op at this game: that one
 * lines up behind it and does not run in between. News is told last, when the copy is complete.
 * `op` is still valid then, though its request may have been answered: requests end when answers
 * are sent, and not inside of callbacks.
 *
 * If the op goes on, the write was what the clock had brought about, and the op stays first. */
static void on_appended(void *context, const struct db_reply *reply)
{
    struct op *op = context;
    struct live_game *live = op->live;

    live->busy = false;
    log_op(live, op->request, "op-written", reply->outcome == DB_OK ? "done" : "not done");
    if (reply->outcome == DB_OK) {
        assert(live->head == op);
        metering_begin(op->request->loop);
        live_apply(live, &op->write);
        /* The guard of the write was a look at the version, and at the plans. */
        live->confirmed = live->read = live->asked;
        op->request->stored += reply->stored;
        if (!op->goes_on)
            op->written(op);
        metering_end(op->request->loop, op->request);
        if (!op->goes_on)
            leave_lane(live, op);
        op->goes_on = false;
        tell_news(live, live->row.version, &op->write);
    } else {
        not_written(op, reply);
    }
    run_lane(live);
}

enum step op_append(struct op *op)
{
    struct db *db = db_of(op->request);
    struct live_write *write = &op->write;
    struct db_append *append = arena_zero(&op->request->arena, sizeof(*append));

    /* The last moment to say so (refuse_reused()). What the clock brings about is written all the
     * same: it is not this request's, and carries no mark. */
    if (op->idempotency != NULL && op->idempotency->reused && !op->goes_on) {
        reply_problem(op->request, PROBLEM_IDEMPOTENCY_KEY_REUSED, NULL);
        return STEP_OVER;
    }
    *append = (struct db_append){.after = &write->after,
                                 .expected = op->live->row.version,
                                 .expected_plans = op->live->row.plans,
                                 .dues = write->dues,
                                 .ndues = write->ndues,
                                 .events = write->events,
                                 .count = write->count,
                                 .answer = write->answer};
    ask_lane(op->live);
    if (write->joins)
        db_join(db, append, on_appended, op);
    else
        db_append(db, append, on_appended, op);
    return STEP_LATER;
}

/* ---- setting plans ---- */

/* A plan is no event and has no version: nobody is told of it. */
static void on_plan_set(void *context, const struct db_reply *reply)
{
    struct op *op = context;
    struct live_game *live = op->live;

    live->busy = false;
    if (reply->outcome == DB_OK) {
        assert(live->head == op);
        metering_begin(op->request->loop);
        live->row.plans = op->write.after.plans;
        live->confirmed = live->read = live->asked;
        op->request->stored += reply->stored;
        op->written(op);
        metering_end(op->request->loop, op->request);
        leave_lane(live, op);
    } else {
        not_written(op, reply);
    }
    run_lane(live);
}

enum step op_set_plan(struct op *op, const struct db_plan *plan)
{
    const struct db_game *row = &op->live->row;
    struct db_set_plan *set = arena_zero(&op->request->arena, sizeof(*set));

    op->write.after.plans = plans_changed(row->plans, plan->seat, plan->tree != NULL);
    *set = (struct db_set_plan){.game = row->id,
                                .version = row->version,
                                .expected_plans = row->plans,
                                .plans = op->write.after.plans,
                                .plan = plan};
    ask_lane(op->live);
    db_set_plan(db_of(op->request), set, on_plan_set, op);
    return STEP_LATER;
}

/* ---- long work ---- */

static void run_work(struct request *request, void *args)
{
    struct op *op = args;

    (void)request;
    op->work(op);
}

/* The worker needs a copy, because the loop replaces its outages as it learns of more. A game
 * without a clock does not need them. */
static void copy_gaps(struct op *op)
{
    size_t size = op->gaps.count * sizeof(*op->gaps.gap);
    struct db_span *gaps;

    if (op->live->row.clock == NULL)
        op->gaps.count = 0;
    if (op->gaps.count == 0)
        return;
    gaps = arena_alloc(&op->request->arena, size);
    memcpy(gaps, op->gaps.gap, size);
    op->gaps.gap = gaps;
}

/* The op stays in its line until the step returns, but its live game is the copy from now on. */
static enum step hand_over(struct op *op, void (*work)(struct op *op),
                           void (*then)(struct request *request, void *args))
{
    op->work = work;
    copy_gaps(op);
    op->live = live_snapshot(op->live, &op->request->arena);
    offload(op->request, run_work, then, op);
    return STEP_OVER;
}

enum step op_offload(struct op *op, void (*answer)(struct op *op))
{
    return hand_over(op, answer, NULL);
}

/* While the op was away from its line, the same request may have been done for a client that has
 * sent it again. */
static void submit_again(struct request *request, void *args)
{
    struct op *op = args;

    /* offload() may call this at once, while the op is still first in its line. But then it has
     * refused the request. */
    if (request->reply.status != 0)
        return; /* it was refused */
    if (op->idempotency != NULL)
        op->idempotency->checked = false;
    op_submit(op, op->live->row.id);
}

enum step op_offload_part(struct op *op, void (*work)(struct op *op))
{
    return hand_over(op, work, submit_again);
}
