/*
 * batch.h - the requests that one statement carries: its members.
 *
 * A batch belongs to its connection, which fills it with batch_take() and sends it. Each member is
 * answered once, by batch_reply() or batch_end(), or goes back to its queue. Then members[i]
 * is NULL, so an answer that names it twice does no harm. ids[i] stays.
 *
 * Members are sorted by id: those of one game are neighbours, the server goes through its index in
 * one direction, and the rows of a result find their members by a binary search.
 */
#ifndef PLYD_DB_BATCH_H
#define PLYD_DB_BATCH_H

#include "queue.h"

struct batch {
    unsigned lane; /* from which it was taken */
    unsigned part; /* that it asks: queue_worker() */
    enum db_kind kind;
    struct db_request **members;
    db_id *ids; /* of the members */
    size_t count;
    size_t bytes; /* that it sends, roughly */
    size_t told;  /* events of a write in pieces that were sent before (exchange.h) */
};

/* Room for `most` members. False if memory is out; batch_close() frees what there is. */
bool batch_open(struct batch *batch, size_t most);
void batch_close(struct batch *batch);

/* Fills `batch` with requests of a lane, of which queue_next() must be one. All are of one kind and
 * one shard (shards.h), and writes are each for another game. */
void batch_take(struct db *db, unsigned lane, struct batch *batch);

/* The first deadline of the members that still wait; INT64_MAX if none does. */
int64_t batch_deadline(const struct batch *batch);

/* ---- members -------------------------------------------------------------------------------- */

/* Member `i`, or NULL if there is none or it does not wait any more. */
const struct db_request *batch_member(const struct batch *batch, size_t i);

/* The first member with this id, 16 bytes; batch->count if there is none. Others of the same id
 * follow it. */
size_t batch_find(const struct batch *batch, const void *id);

/* Replies to member `i`, if it still waits. */
void batch_reply(struct db *db, struct batch *batch, size_t i, const struct tells *what);
void batch_end(struct db *db, struct batch *batch, size_t i, enum db_outcome outcome,
               const struct db_error *error);

/* Replies to every member with this id. */
void batch_reply_all(struct db *db, struct batch *batch, const void *id, const struct tells *what);

/* Replies with lists, to each member that the rows are about. Their first column is the member's
 * number (rows.h), `read` reads the others. */
#define DB_REPLY(name, type)
#define DB_REPLY_LIST(name, item)                                                  \
    void batch_reply_list_of_##name(struct db *db, const struct pg_result *result, \
                                    struct batch *batch,                           \
                                    void (*read)(const struct pg_result *, int row, item *into));
#include "replies.def"

/* Ends every member that still waits. */
void batch_end_all(struct db *db, struct batch *batch, enum db_outcome outcome,
                   const struct db_error *error);

/* Puts every member that still waits back to the front of its queue, the first one foremost. */
void batch_again_all(struct db *db, struct batch *batch);

/* The same; but they are not sent for a moment, while others of their lane may be. */
void batch_rest_all(struct db *db, struct batch *batch);

/* Puts member `i` to the front of the queue of another kind, if it still waits. */
void batch_again_as(struct db *db, struct batch *batch, size_t i, enum db_kind kind);

/* The same with every member that still waits, the first one foremost. */
void batch_again_all_as(struct db *db, struct batch *batch, enum db_kind kind);

/* Memory for the reply to member `i`, valid until the next call. If memory is out, ends that member
 * and returns NULL. batch_scratch_rest() gives back what a large reply needed. */
void *batch_scratch(struct db *db, struct batch *batch, size_t i, size_t bytes);
void batch_scratch_rest(struct db *db);

/* ---- for kinds whose parameters or rows are ids --------------------------------------------- */

/* One parameter: the ids of the members, each once. */
void batch_bind_ids(struct wire_params *params, const struct batch *batch);

/* Rows of one id: what was wanted of it was done. */
void batch_decode_ids(struct db *db, const struct pg_result *result, struct batch *batch);

#endif
