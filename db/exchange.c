/* exchange.c - a batch on its way: sent, answered, judged, handed out. */
#include <libpq-fe.h>
#include <string.h>

#include "internal.h"

static const struct db_error no_memory = {"", "memory is out"};
static const struct db_error closing = {"", "the database is being closed"};
static const struct db_error no_answer = {"", "no answer before the deadline"};

/* Every member that still waits gets this outcome. */
static void end_all(struct db *db, struct batch *batch, enum db_outcome outcome,
                    const struct db_error *error)
{
    for (size_t i = 0; i < batch->count; i++)
        batch_end(db, batch, i, outcome, error);
}

/* Every member that still waits goes back to the queue, in its order. */
static void again_all(struct db *db, struct batch *batch)
{
    for (size_t i = batch->count; i-- > 0;) {
        if (batch->members[i])
            queue_again(db, batch->members[i]);
        batch->members[i] = NULL;
    }
}

/* ---- sending ---- */

static bool send_batch(struct connection *connection)
{
    struct db *db = connection->db;
    struct wire_params *params = &db->params;
    struct batch *batch = &connection->batch;
    const struct kind_info *kind = &kinds_table[batch->kind];

    wire_begin(params, kind->types);
    kind->bind(params, batch);
    wire_end(params);
    if (params->exhausted) {
        end_all(db, batch, DB_UNAVAILABLE, &no_memory);
        return false;
    }
    if (PQsendQueryPrepared(connection->pg, kind->name, params->count, params->values,
                            params->lengths, params->formats, 1))
        return true;
    again_all(db, batch);
    connection_lose(connection, PQerrorMessage(connection->pg));
    return false;
}

/* The size that a batch is counted as. */
static size_t size_of(size_t members)
{
    size_t size = 0;

    while (size < DB_BATCH_SIZES - 1 && members > (size_t)1 << size)
        size++;
    return size;
}

void exchange_send(struct connection *connection, enum db_kind kind)
{
    struct db *db = connection->db;

    queue_take(db, kind, &connection->batch);
    db_fault(kind, "taken");
    if (!send_batch(connection))
        return;
    connection->state = CONNECTION_BUSY;
    connection->answered = false;
    connection->warned = false;
    queue_sent(db, kind);
    db->stats.statements[kind]++;
    db->stats.members[kind] += connection->batch.count;
    db->stats.batches[kind][size_of(connection->batch.count)]++;
    connection_flush(connection);
    db_fault(kind, "sent");
}

/* ---- answers ---- */

/* Tries the members again in smaller batches, so that the one that is to blame is found in a few
 * steps and is refused alone. A unique key that is taken means that somebody was there first. */
static void set_apart(struct db *db, struct batch *batch, const struct db_error *error)
{
    if (batch->count == 1) {
        bool taken = !strcmp(error->sqlstate, "23505");
        batch_end(db, batch, 0, taken ? DB_CONFLICT : DB_REFUSED, error);
        return;
    }
    db_log(db, DB_LOG_WARN, "batch refused", "%s: %zu requests are tried apart, SQLSTATE %s",
           kinds_table[batch->kind].name, batch->count, error->sqlstate);
    for (size_t i = 0; i < batch->count; i++)
        if (batch->members[i])
            batch->members[i]->share = (uint32_t)((batch->count + 1) / 2);
    again_all(db, batch);
}

static void hand_out(struct db *db, struct batch *batch, const struct judgement *judgement,
                     const struct pg_result *result)
{
    const struct kind_info *kind = &kinds_table[batch->kind];

    switch (judgement->verdict) {
    case VERDICT_DONE:
        kind->decode(db, result, batch);
        end_all(db, batch, kind->absent, NULL);
        break;
    case VERDICT_AGAIN:
        again_all(db, batch);
        queue_pause(db, batch->kind);
        break;
    case VERDICT_APART:
        set_apart(db, batch, &judgement->error);
        break;
    case VERDICT_LOST:
        if (kind->write)
            end_all(db, batch, DB_UNKNOWN, &judgement->error);
        else
            again_all(db, batch);
        break;
    }
}

static void finish(struct connection *connection)
{
    struct db *db = connection->db;
    struct pg_result *result = connection->result;
    struct judgement judgement =
        outcome_judge(connection->pg, result, connection->answered, connection->warned);

    if (connection->unsent && judgement.verdict == VERDICT_LOST)
        judgement.verdict = VERDICT_AGAIN; /* the server never saw the end of it */
    connection->result = NULL;
    queue_answered(db, connection->batch.kind);
    db_fault(connection->batch.kind, "answered");
    hand_out(db, &connection->batch, &judgement, result);
    PQclear(result);
    if (judgement.reconnect)
        connection_lose(connection, judgement.error.text);
    else
        connection_rest(connection);
}

/* The first error counts, or else the first result. What follows an error is only that the
 * connection was closed; but a result may be followed by an error: the commit failed. */
static void keep(struct connection *connection, struct pg_result *result)
{
    struct pg_result *first = connection->result;

    if (first && PQresultStatus(first) != PGRES_TUPLES_OK) {
        PQclear(result);
        return;
    }
    if (PQresultStatus(result) == PGRES_TUPLES_OK)
        connection->answered = true;
    connection->result = result;
    PQclear(first);
}

/* The answer is complete when the server is ready for the next statement, which libpq shows by a
 * NULL: only then is what a write did committed. */
void exchange_receive(struct connection *connection)
{
    while (!PQisBusy(connection->pg)) {
        struct pg_result *result = PQgetResult(connection->pg);
        if (!result) {
            finish(connection);
            return;
        }
        keep(connection, result);
    }
}

/* ---- giving up ---- */

static enum db_outcome outcome_of_silence(const struct connection *connection)
{
    bool sent = kinds_table[connection->batch.kind].write && !connection->unsent;
    return sent ? DB_UNKNOWN : DB_UNAVAILABLE;
}

static void drop(struct connection *connection)
{
    queue_answered(connection->db, connection->batch.kind);
    PQclear(connection->result);
    connection->result = NULL;
}

/* A write is never cancelled: cancelling one that waits for its standby would commit it. The
 * connection is closed, and the server ends the statement or does not. */
void exchange_expire(struct connection *connection, int64_t now)
{
    struct batch *batch = &connection->batch;
    enum db_outcome outcome = outcome_of_silence(connection);

    for (size_t i = 0; i < batch->count; i++)
        if (batch->members[i] && batch->members[i]->deadline <= now)
            batch_end(connection->db, batch, i, outcome, &no_answer);
    batch_deadline(batch);
    if (batch->deadline < INT64_MAX)
        return;
    drop(connection);
    connection->rotation++;
    connection_lose(connection, no_answer.text);
}

void exchange_abandon(struct connection *connection)
{
    end_all(connection->db, &connection->batch, outcome_of_silence(connection), &closing);
    drop(connection);
}
