/* exchange.c - a batch on its way: sent, answered, judged, handed out. */
#include "exchange.h"

#include <libpq-fe.h>
#include <string.h>

#include "internal.h"
#include "outcome.h"

/* libpq copies a whole statement into its buffer, which never shrinks. Up to twice this it may keep
 * for ever. */
enum { GROWN_BYTES = 512 << 10 };

static const struct db_error no_answer = {"", "no answer before the deadline"};

static const struct kind_info *kind_of(const struct connection *connection)
{
    return &connection->db->kinds[connection->batch.kind];
}

/* ---- sending ---- */

/* False if nothing was sent; then no member is left in the batch. */
static bool send_batch(struct connection *connection)
{
    struct db *db = connection->db;
    struct wire_params *params = &db->params;
    struct batch *batch = &connection->batch;
    const struct kind_info *kind = kind_of(connection);

    wire_begin(params, kind->types);
    kind->bind(params, batch);
    wire_end(params);
    if (params->exhausted) {
        batch_end_all(db, batch, DB_UNAVAILABLE, &db_no_memory);
        return false;
    }
    connection->grown |= batch->bytes > GROWN_BYTES;
    if (PQsendQueryPrepared(connection->pg, kind->name, params->count, params->values,
                            params->lengths, params->formats, 1))
        return true;
    batch_again_all(db, batch);
    connection_lose(connection, PQerrorMessage(connection->pg));
    return false;
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

/* A failure of the flush shows when the answer is read, like one of the network after it. */
void exchange_send(struct connection *connection, unsigned lane)
{
    struct db *db = connection->db;

    batch_take(db, lane, &connection->batch);
    db_fault(kind_of(connection)->name, "taken");
    bool sent = send_batch(connection);
    wire_rest(&db->params);
    if (!sent)
        return;
    connection->state = CONNECTION_BUSY;
    connection->timer = batch_deadline(&connection->batch);
    connection->answered = false;
    connection->warned = false;
    queue_sent(db, lane);
    count_statement(&db->stats, connection->batch.kind, connection->batch.count);
    connection_flush(connection);
    db_fault(kind_of(connection)->name, "sent");
}

/* ---- answers ---- */

/* One request can fail a whole statement, for example by a text that is no UTF-8. Tried again in
 * batches of half the size, the one that is to blame is found in a few steps and is refused alone,
 * and all others are done. A unique key that is taken means that somebody was there first. */
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
 * may have happened, and the caller must know that. */
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

static void finish(struct connection *connection)
{
    struct db *db = connection->db;
    struct pg_result *result = connection->result;
    struct judgement judgement =
        outcome_judge(connection->pg, result, connection->answered, connection->warned);

    if (connection->unsent && judgement.verdict == VERDICT_LOST)
        judgement.verdict = VERDICT_AGAIN; /* as in outcome_of_silence() */
    if (connection_outdated(connection) && !kind_of(connection)->write)
        judgement.verdict = VERDICT_AGAIN; /* what it has read is past */
    connection->result = NULL;
    queue_answered(db, connection->batch.lane);
    db_fault(kind_of(connection)->name, "answered");
    hand_out(db, &connection->batch, &judgement, result);
    batch_scratch_rest(db);
    PQclear(result);
    if (judgement.verdict == VERDICT_LOST)
        connection_give_up(connection, judgement.error.text);
    else if (judgement.reconnect)
        connection_lose(connection, judgement.error.text);
    else
        connection_rest(connection);
}

/* The first error counts; without an error, the rows. What follows an error only says that the
 * connection was closed. But rows may be followed by an error: the commit failed. */
static void keep(struct connection *connection, struct pg_result *result)
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
    while (!PQisBusy(connection->pg)) {
        struct pg_result *result = PQgetResult(connection->pg);
        if (result == NULL) {
            finish(connection);
            return;
        }
        keep(connection, result);
    }
}

/* ---- giving up ---- */

/* A write whose end the server never got is not committed. */
static enum db_outcome outcome_of_silence(const struct connection *connection)
{
    bool sent = kind_of(connection)->write && !connection->unsent;
    return sent ? DB_UNKNOWN : DB_UNAVAILABLE;
}

static void drop(struct connection *connection)
{
    queue_answered(connection->db, connection->batch.lane);
    PQclear(connection->result);
    connection->result = NULL;
}

/* A write is never cancelled: cancelling one that waits for its standby would commit it. The
 * connection is closed instead, and the server ends the statement or does not. While members with
 * more time are left, the connection stays: their answer may still come. */
void exchange_tick(struct connection *connection, int64_t now)
{
    struct batch *batch = &connection->batch;
    enum db_outcome outcome = outcome_of_silence(connection);

    if (connection->timer > now)
        return;
    for (size_t i = 0; i < batch->count; i++)
        if (batch->members[i] != NULL && batch->members[i]->deadline <= now)
            batch_end(connection->db, batch, i, outcome, &no_answer);
    connection->timer = batch_deadline(batch);
    if (connection->timer < INT64_MAX)
        return;
    drop(connection);
    connection_give_up(connection, no_answer.text);
}

void exchange_abandon(struct connection *connection)
{
    batch_end_all(connection->db, &connection->batch, outcome_of_silence(connection), &db_closing);
    drop(connection);
}
