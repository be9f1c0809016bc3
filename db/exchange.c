/* exchange.c - a batch on its way: sent, answered, judged, handed out. */
#include "exchange.h"

#include <libpq-fe.h>
#include <string.h>

#include "internal.h"
#include "outcome.h"

/* libpq copies a whole statement into its buffer, which never shrinks. Up to twice this it may keep
 * for ever. */
enum { GROWN_BYTES = 512 << 10 };

/* After a large statement: how many times as long as it took, and how long at most. */
enum { REST_TIMES = 3, REST_MAX_US = 5000 };

/* A question of all workers of Citus that takes longer than this part of the deadline waits for one
 * that stands still: the others are asked in the time that is left. */
enum { LATE_PART = 2 };

/* After that no question is asked of all workers for a while, but of those that answer. */
enum { APART_US = 5 * 1000 * 1000 };

static const struct db_error no_answer = {"", "no answer before the deadline"};

static const struct kind_info *kind_of(const struct connection *connection)
{
    return &connection->db->kinds[connection->batch.kind];
}

/* ---- sending ---- */

static bool in_pieces(const struct connection *connection)
{
    return connection->step != STEP_WHOLE;
}

/* Whether what is under way may be committed without another word from here. Only then can silence
 * leave a doubt: the server ends an open transaction whose connection is gone. */
static bool may_commit(const struct connection *connection)
{
    return connection->step == STEP_WHOLE || connection->step == STEP_COMMIT;
}

static const struct kind_info *statement_of(const struct connection *connection)
{
    return connection->step == STEP_PIECE ? &connection->db->kinds[KIND_TELL] : kind_of(connection);
}

/* False if memory is out: then nothing may be sent, since the parameters are not whole. They are
 * filled from the members, and all connections share them: libpq copies them when the statement is
 * sent. */
static bool bind(struct connection *connection)
{
    struct wire_params *params = &connection->db->params;
    const struct kind_info *kind = statement_of(connection);

    wire_begin(params, kind->types);
    kind->bind(params, &connection->batch);
    wire_end(params);
    return !params->exhausted;
}

/* The command of this step, if it has no parameters, or NULL. */
static const char *command_of(enum exchange_step step)
{
    switch (step) {
    case STEP_BEGIN:
        return "begin";
    case STEP_COMMIT:
        return "commit";
    case STEP_ROLLBACK:
        return "rollback";
    default:
        return NULL;
    }
}

/* Which of the counters of batches a batch goes to: see struct db_stats. */
static size_t size_of(size_t members)
{
    size_t size = 0;

    while (size < DB_BATCH_SIZES - 1 && members > (size_t)1 << size)
        size++;
    return size;
}

static void count_statement(struct db_stats *stats, enum db_kind kind, size_t members)
{
    stats->statements[kind]++;
    stats->members[kind] += members;
    stats->batches[kind][size_of(members)]++;
}

/* The name of this step, for tests that die there. */
static const char *name_of_exchange(const struct connection *connection)
{
    const char *command = command_of(connection->step);
    return command != NULL ? command : statement_of(connection)->name;
}

static bool hand_to_libpq(struct connection *connection)
{
    const struct wire_params *params = &connection->db->params;
    const char *command = command_of(connection->step);

    if (command != NULL)
        return PQsendQuery(connection->pg, command);
    return PQsendQueryPrepared(connection->pg, statement_of(connection)->name, params->count,
                               params->values, params->lengths, params->formats, 1);
}

/* Sends this step. If that fails, no member is left in the batch, and it returns false. There are
 * two ways to fail. Without memory for the parameters nothing was given to libpq, so the connection
 * is still good, unless a transaction is open on it: that is undone by closing it. If libpq refuses
 * the statement, the server has not got all of it, so even a write is tried again.
 *
 * A failure of the flush shows when the answer is read, like one of the network after it. */
static bool send_step(struct connection *connection)
{
    struct db *db = connection->db;
    bool bound = command_of(connection->step) != NULL || bind(connection);
    bool sent = bound && hand_to_libpq(connection);

    if (command_of(connection->step) == NULL)
        wire_rest(&db->params);
    if (!bound)
        batch_end_all(db, &connection->batch, DB_UNAVAILABLE, &db_no_memory);
    else if (!sent)
        batch_again_all(db, &connection->batch);
    if (!sent && (bound || in_pieces(connection)))
        connection_lose(connection, PQerrorMessage(connection->pg));
    if (!sent)
        return false;
    /* What was seen of the answer to the step before says nothing about this one. */
    connection->answered = connection->warned = false;
    if (connection->step != STEP_COMMIT) /* its rest is one with the last statement's */
        connection->sent_at = db_monotonic_us();
    if (command_of(connection->step) == NULL)
        count_statement(&db->stats,
                        connection->step == STEP_PIECE ? KIND_TELL : connection->batch.kind,
                        connection->batch.count);
    connection_flush(connection);
    db_fault(name_of_exchange(connection), "sent");
    return true;
}

/* When those workers that answer are to be asked alone; INT64_MAX: never. */
static int64_t late_at(const struct connection *connection)
{
    const struct db *db = connection->db;

    if (kind_of(connection)->there == 0 || db->shards.count == 0)
        return INT64_MAX;
    return connection->sent_at + db->settings.deadline_ms * INT64_C(1000) / LATE_PART;
}

static int64_t next_look(const struct connection *connection)
{
    int64_t deadline = batch_deadline(&connection->batch), late = late_at(connection);

    return deadline < late ? deadline : late;
}

static enum exchange_step first_step(const struct connection *connection)
{
    const struct kind_info *kind = kind_of(connection);
    const struct batch *batch = &connection->batch;

    return batch->lane == LANE_LARGE && kind->piece != NULL && kind->piece(batch) > 0 ? STEP_BEGIN
                                                                                      : STEP_WHOLE;
}

/* queue_sent() comes last, for what was really sent: end_exchange() or drop() counts it back, each
 * once. The rest of the state is set before send_step(), which looks at the step. */
void exchange_send(struct connection *connection, unsigned lane)
{
    struct db *db = connection->db;

    batch_take(db, lane, &connection->batch);
    db_fault(kind_of(connection)->name, "taken");
    connection->step = first_step(connection);
    connection->resumes_at = INT64_MAX;
    if (!in_pieces(connection))
        connection->grown |= connection->batch.bytes > GROWN_BYTES;
    if (!send_step(connection))
        return;
    connection->state = CONNECTION_BUSY;
    connection->timer = next_look(connection);
    queue_sent(db, lane, connection->batch.part);
}

/* ---- answers ---- */

/* One request can fail a whole statement, for example by a text that is no UTF-8. Tried again in
 * batches of half the size, the one that is to blame is found in a few steps and is refused alone,
 * and all others are done. `share` stays with a request, so that it never again meets as many
 * others. A unique key that is taken means that somebody was there first. */
static void set_apart(struct db *db, struct batch *batch, const struct db_error *error)
{
    if (batch->count == 1) {
        bool taken = strcmp(error->sqlstate, "23505") == 0;
        batch_end(db, batch, 0, taken ? DB_CONFLICT : DB_REFUSED, error);
        return;
    }
    db_log(db, DB_LOG_WARN, "batch refused", "%s: %zu requests are tried apart, SQLSTATE %s",
           db->kinds[batch->kind].name, batch->count, error->sqlstate);
    for (size_t i = 0; i < batch->count; i++)
        if (batch->members[i] != NULL)
            batch->members[i]->share = (uint32_t)((batch->count + 1) / 2);
    batch_again_all(db, batch);
}

/* Reads whose answer was lost are simply sent again: they change nothing. A write is not, for it
 * may have happened, and the caller must know that. After VERDICT_AGAIN the whole lane pauses,
 * because the same statement would mostly fail in the same way at once. After VERDICT_LATER only
 * these members rest, for it was their part of the database that failed; or they ask the other
 * parts. */
static void hand_out(struct db *db, struct batch *batch, const struct judgement *judgement,
                     const struct pg_result *result)
{
    const struct kind_info *kind = &db->kinds[batch->kind];

    switch (judgement->verdict) {
    case VERDICT_DONE:
        kind->decode(db, result, batch);
        batch_end_all(db, batch, kind->absent, NULL);
        break;
    case VERDICT_AGAIN:
        batch_again_all(db, batch);
        queue_pause(db, batch->lane);
        break;
    case VERDICT_LATER:
        if (kind->there != 0 && db->shards.count > 0)
            batch_again_all_as(db, batch, kind->there);
        else
            batch_rest_all(db, batch);
        break;
    case VERDICT_APART:
        set_apart(db, batch, &judgement->error);
        break;
    case VERDICT_LOST:
        if (kind->write)
            batch_end_all(db, batch, DB_UNKNOWN, &judgement->error);
        else
            batch_again_all(db, batch);
        break;
    }
}

/* How long to rest after what was sent last: not at all if half of the time is over for this write
 * or for the next one in the lane. Otherwise large writes could be late by nothing but resting. */
static int64_t rest_of_exchange(const struct connection *connection)
{
    const struct db *db = connection->db;
    const struct db_request *next = db->queues[LANE_LARGE].first;
    int64_t now = db_monotonic_us(), rest = (now - connection->sent_at) * REST_TIMES;
    int64_t late = now + db->settings.deadline_ms * INT64_C(500); /* half of it is over */

    if (batch_deadline(&connection->batch) < late || (next != NULL && next->deadline < late))
        return 0;
    return rest < REST_MAX_US ? rest : REST_MAX_US;
}

/* The batch is over, and `result` has its rows. The order matters. queue_answered() may clear the
 * time of the lane's next statement, which queue_rest() and hand_out() then set. rest_of_exchange()
 * looks at the deadlines of the members, so it comes before these are answered. The callbacks in
 * hand_out() read from `result`. The connection changes its state last, when nothing of the batch
 * is needed any more. After VERDICT_LOST its server is in doubt, too, and its host is tried last.
 */
static void end_exchange(struct connection *connection, const struct judgement *judgement,
                         struct pg_result *result)
{
    struct db *db = connection->db;
    unsigned lane = connection->batch.lane;

    queue_answered(db, lane, connection->batch.part);
    if (lane == LANE_LARGE)
        queue_rest(db, lane, rest_of_exchange(connection));
    hand_out(db, &connection->batch, judgement, result);
    batch_scratch_rest(db);
    PQclear(result);
    if (judgement->verdict == VERDICT_LOST)
        connection_give_up(connection, judgement->error.text);
    else if (judgement->reconnect)
        connection_lose(connection, judgement->error.text);
    else
        connection_rest(connection);
}

static struct pg_result *take_result(struct pg_result **result)
{
    struct pg_result *taken = *result;

    *result = NULL;
    return taken;
}

/* ---- a write in pieces ---- */

/* Of this transaction nothing was committed, so a lost connection leaves no doubt: it is tried
 * again. */
static void end_uncommitted(struct connection *connection)
{
    if (connection->judgement.verdict == VERDICT_LOST)
        connection->judgement.verdict = VERDICT_AGAIN;
    end_exchange(connection, &connection->judgement, take_result(&connection->rows));
}

/* For a batch whose members were all dealt with while it was under way. */
static void drop(struct connection *connection)
{
    queue_answered(connection->db, connection->batch.lane, connection->batch.part);
    PQclear(take_result(&connection->result));
    PQclear(take_result(&connection->rows));
}

static void send_next(struct connection *connection, enum exchange_step step)
{
    connection->step = step;
    if (!send_step(connection))
        drop(connection);
}

/* Why the write failed is kept until the rollback was answered. Only then is the connection free. A
 * connection that is of no more use is closed instead, and the transaction ends with it. */
static void roll_back(struct connection *connection, const struct judgement *judgement)
{
    connection->judgement = *judgement;
    if (judgement->reconnect)
        end_uncommitted(connection);
    else
        send_next(connection, STEP_ROLLBACK);
}

/* The deadline counts again, which the rest had replaced in `timer`. */
static void resume(struct connection *connection)
{
    const struct batch *batch = &connection->batch;

    connection->resumes_at = INT64_MAX;
    connection->timer = batch_deadline(batch);
    send_next(connection, kind_of(connection)->piece(batch) > 0 ? STEP_PIECE : STEP_LAST);
}

static void rest(struct connection *connection)
{
    int64_t us = rest_of_exchange(connection);

    connection->resumes_at = db_monotonic_us() + us;
    connection->timer = connection->resumes_at;
    if (us == 0)
        resume(connection);
}

static bool is_resting(const struct connection *connection)
{
    return connection->resumes_at < INT64_MAX;
}

/* Something came while nothing was asked: a notice, which libpq hands out, or the end. With the end
 * the open transaction is gone, too. */
static void look_up_from_rest(struct connection *connection)
{
    if (!PQisBusy(connection->pg) && PQstatus(connection->pg) == CONNECTION_OK)
        return;
    connection->resumes_at = INT64_MAX;
    connection->judgement = (struct judgement){.verdict = VERDICT_AGAIN, .reconnect = true};
    outcome_error(&connection->judgement.error, NULL, PQerrorMessage(connection->pg));
    end_uncommitted(connection);
}

/* The rows of a write to one game: its id, if it was written or exists; and whether it was written,
 * if that is not the same. */
static bool is_written(const struct pg_result *rows)
{
    return PQntuples(rows) == 1 && (PQnfields(rows) == 1 || *PQgetvalue(rows, 0, 1) != 0);
}

/* A step before the commit was answered. Only a write that was done is committed. If the game was
 * at another version, its pieces are in the transaction all the same, and must not stay: it is
 * rolled back, and its members are told by the rows that were kept. */
static void go_on_with_exchange(struct connection *connection, const struct judgement *judgement,
                                struct pg_result *result)
{
    bool last = connection->step == STEP_LAST && judgement->verdict == VERDICT_DONE;

    if (last)
        connection->rows = result;
    else
        PQclear(result);
    if (judgement->verdict != VERDICT_DONE || (last && !is_written(result))) {
        roll_back(connection, judgement);
    } else if (last) {
        send_next(connection, STEP_COMMIT);
    } else if (connection->step == STEP_BEGIN) {
        send_next(connection, STEP_PIECE);
    } else {
        connection->batch.told += kind_of(connection)->piece(&connection->batch);
        rest(connection);
    }
}

/* ---- receiving ---- */

/* Two things that the answer alone does not tell. If libpq still holds a part of the statement, the
 * server cannot have executed it. And what a server tells from which another one has taken over is
 * past: a read is asked again elsewhere. A write is not, since it may have been done: its own
 * outcome counts, and connection_rest() leaves the server. */
static struct judgement judge_exchange(const struct connection *connection)
{
    struct judgement judgement =
        outcome_judge(connection->pg, connection->result, connection->answered, connection->warned);

    if (connection->unsent && judgement.verdict == VERDICT_LOST)
        judgement.verdict = VERDICT_AGAIN; /* as in outcome_of_silence() */
    if (connection_outdated(connection) && !kind_of(connection)->write)
        judgement.verdict = VERDICT_AGAIN; /* what it has read is past */
    return judgement;
}

static void finish_exchange(struct connection *connection)
{
    struct judgement judgement = judge_exchange(connection);
    struct pg_result *result = take_result(&connection->result);

    db_fault(name_of_exchange(connection), "answered");
    switch (connection->step) {
    case STEP_WHOLE:
        end_exchange(connection, &judgement, result);
        break;
    case STEP_BEGIN:
    case STEP_PIECE:
    case STEP_LAST:
        go_on_with_exchange(connection, &judgement, result);
        break;
    /* The members are told what the write's own statement said, but only if the commit did not fail
     * or get lost: that is this step's judgement. */
    case STEP_COMMIT:
        PQclear(result);
        end_exchange(connection, &judgement, take_result(&connection->rows));
        break;
    case STEP_ROLLBACK:
        PQclear(result);
        /* What the members are told is decided by the step that failed. */
        connection->judgement.reconnect |= judgement.reconnect;
        end_uncommitted(connection);
        break;
    }
}

/* The first error counts; without an error, the rows. What follows an error only says that the
 * connection was closed. But rows may be followed by an error: the commit failed. */
static void keep_result(struct connection *connection, struct pg_result *result)
{
    struct pg_result *first = connection->result;

    if (first != NULL && PQresultStatus(first) != PGRES_TUPLES_OK) {
        PQclear(result);
        return;
    }
    if (PQresultStatus(result) == PGRES_TUPLES_OK)
        connection->answered = true;
    connection->result = result;
    PQclear(first);
}

/* The answer is complete when the server is ready for the next statement, which libpq shows by a
 * NULL. Only then is a write committed. */
void exchange_event(struct connection *connection)
{
    connection_read(connection);
    if (is_resting(connection)) {
        look_up_from_rest(connection);
        return;
    }
    while (!PQisBusy(connection->pg)) {
        struct pg_result *result = PQgetResult(connection->pg);
        if (result == NULL) {
            /* Nothing of the connection is known after this: it may be idle, lost, or busy with the
             * next step. */
            finish_exchange(connection);
            return;
        }
        keep_result(connection, result);
    }
}

/* ---- giving up ---- */

/* What to tell members whose answer did not come in time. A write whose end the server never got is
 * not committed, nor is one in pieces without a commit. */
static enum db_outcome outcome_of_silence(const struct connection *connection)
{
    bool sent = kind_of(connection)->write && may_commit(connection) && !connection->unsent;
    return sent ? DB_UNKNOWN : DB_UNAVAILABLE;
}

/* A claim that was carried out after all leaves leases behind, which end. */
static void ask_those_there(struct connection *connection)
{
    drop(connection);
    connection->db->apart_until = connection->db->now + APART_US;
    batch_again_all_as(connection->db, &connection->batch, kind_of(connection)->there);
    connection_lose(connection, "a part of the database does not answer");
}

/* A write is never cancelled: cancelling one that waits for its standby would commit it. The
 * connection is closed instead, and the server ends the statement or does not. While members with
 * more time are left, the connection stays: their answer may still come. */
void exchange_tick(struct connection *connection, int64_t now)
{
    struct batch *batch = &connection->batch;
    enum db_outcome outcome = outcome_of_silence(connection);

    /* While it rests, `timer` is the end of the rest and no deadline. */
    if (connection->resumes_at <= now) {
        resume(connection);
        return;
    }
    if (connection->timer > now)
        return;
    for (size_t i = 0; i < batch->count; i++)
        if (batch->members[i] != NULL && batch->members[i]->deadline <= now)
            batch_end(connection->db, batch, i, outcome, &no_answer);
    if (batch_deadline(batch) < INT64_MAX) {
        if (late_at(connection) <= now)
            ask_those_there(connection);
        else
            connection->timer = next_look(connection);
        return;
    }
    /* Nobody waits any more, but the answer may still come, and would be taken for that of the next
     * statement. So the connection is of no more use. */
    drop(connection);
    connection_give_up(connection, no_answer.text);
}

void exchange_abandon(struct connection *connection)
{
    batch_end_all(connection->db, &connection->batch, outcome_of_silence(connection), &db_closing);
    drop(connection);
}
