/*
 * kinds.h - the kinds of requests, and what db/ knows of each.
 *
 * Everything that depends on the kind of a request stands in constant tables, kinds_table and
 * kinds_alone. db.c gives them to struct db when that is opened, so the queues and connections,
 * which read them there, know no operation by name.
 */
#ifndef PLYD_DB_KINDS_H
#define PLYD_DB_KINDS_H

#include "db.h"

struct batch;
struct pg_result;
struct wire_params;

enum db_kind {
    KIND_MOVE,
    KIND_MOVE_ALONE,
    KIND_SHOWN_MOVE,
    KIND_SHOWN_MOVE_ALONE,
    KIND_APPEND,
    KIND_TELL,
    KIND_JOIN,
    KIND_CREATE,
    KIND_GAME,
    KIND_VERSION,
    KIND_EVENTS,
    KIND_LOG,
    KIND_MOVES,
    KIND_PLAYED,
    KIND_MOVES_DURABLE,
    KIND_KEYS,
    KIND_LINE_END,
    KIND_ANSWER,
    KIND_ANSWER_DURABLE,
    KIND_CREATE_PLAYER,
    KIND_PLAYER,
    KIND_PUBLIC_GAMES,
    KIND_PLAYER_GAMES,
    KIND_FORGET,
    KIND_CLAIM_DUE,
    KIND_SETTLE_DUE,
    KIND_PROMISE,
    KIND_TAKE_DUE,
    KIND_PULSE,
    KIND_OUTAGES,
    KIND_SET_PLAYER,
    KIND_SET_VACATION,
    KIND_VACATIONS,
    KIND_SET_PLAN,
    KIND_PLAN,
    KIND_SET_NOTE,
    KIND_NOTES,
    KIND_PLAYER_EVENTS,
    KIND_PLAYER_STATE,
    KIND_HORIZON,
    KIND_MARK_GAME,
    KIND_VERSION_BEFORE,
    KIND_CREATE_HOOK,
    KIND_SET_HOOK,
    KIND_DELETE_HOOK,
    KIND_HOOKS,
    KIND_ANNOUNCE,
    KIND_HOOK_NEWS,
    KIND_DELIVERED,
    KIND_DELIVERIES,
    KIND_DAEMONS,
    KIND_CREATE_TASK,
    KIND_PUT_TASK_PART,
    KIND_SET_TASK,
    KIND_DELETE_TASK,
    KIND_TASKS,
    KIND_TASK_ITEMS,
    KIND_TASK_PARTS,
    KIND_SET_COLLECTION,
    KIND_DELETE_COLLECTION,
    KIND_COLLECTIONS,
    KIND_COLLECT,
    KIND_UNCOLLECT,
    KIND_SEARCH,
    KIND_COLLECTORS,
    KIND_NOTE_REACHED,
    KIND_COUNT_REACHED,
    KIND_REACHED
};
_Static_assert((int)KIND_REACHED + 1 == (int)DB_KINDS, "db_stats() counts every kind");

struct kind_info {
    const char *name;       /* of the prepared statement, of the counters, and in the log */
    const char *sql;        /* one of sql.def */
    const char *sharded;    /* the same for Citus */
    const char *types;      /* of the parameters: see wire_begin() */
    bool write;             /* or a read that waits for the standby, as writes do */
    enum db_outcome absent; /* the outcome of a member that the result does not mention */

    /* Writes the parameters of a batch, none of whose members was answered yet. */
    void (*bind)(struct wire_params *params, const struct batch *batch);

    /* Answers the members that the rows of the result are about. The others get `absent`. */
    void (*decode)(struct db *db, const struct pg_result *result, struct batch *batch);

    /* How many events the next piece has of a batch of one write; 0: what is left goes with the
     * write's own statement. NULL: these writes do not go in pieces. */
    size_t (*piece)(const struct batch *batch);
};

/* By enum db_kind. */
extern const struct kind_info kinds_table[DB_KINDS];

/* By enum db_kind: the kind that a batch of one is sent as, whose statement does the same for one
 * game and costs less; 0: there is none. */
extern const enum db_kind kinds_alone[DB_KINDS];

/* By enum db_kind: whether a batch has one member on Citus. */
extern const bool kinds_single[DB_KINDS];

#endif
