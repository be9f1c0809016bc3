/*
 * internal.h - the inside of db/, shared by its files and by its tests.
 *
 * A request waits in the queue of its kind. When a connection is idle, queue_take() makes a batch
 * of what waits, the kind's bind() writes the batch's parameters, and the statement of that kind
 * goes out. When it was answered, outcome.c judges the answer and exchange.c gives the members
 * their replies, or puts them back into the queue.
 *
 *   db.c          the public functions that are about the whole; the one loop pass
 *   queue.c       requests, their queues and deadlines, and how a batch is taken
 *   connection.c  one connection: connecting, preparing, asking the time, losing, trying again
 *   exchange.c    a batch on its way: sent, answered, judged, handed out
 *   outcome.c     what an answer means for those who asked
 *   kinds.c       the table of the kinds: the statement (sql.def), and who binds and decodes
 *   writes.c, games.c, events.c, players.c, lists.c   the operations, each: request, bind, decode
 *   wire.c        PostgreSQL's binary formats
 *   migrate.c, migrations.c   the schema, and the files that make it
 *   fault.c       in builds for tests: dying at a chosen point
 */
#ifndef PLYD_DB_INTERNAL_H
#define PLYD_DB_INTERNAL_H

#include "db.h"
#include "migrate.h"
#include "wire.h"

struct pg_conn;   /* libpq's PGconn */
struct pg_result; /* and PGresult */
struct chunk;     /* what requests are made of: queue.c */

/* ---- requests and their queues: queue.c ----------------------------------------------------- */

enum db_kind {
    KIND_APPEND,
    KIND_JOIN,
    KIND_CREATE,
    KIND_GAME,
    KIND_VERSION,
    KIND_EVENTS,
    KIND_MOVES,
    KIND_KEYS,
    KIND_ANSWER,
    KIND_CREATE_PLAYER,
    KIND_PLAYER,
    KIND_PUBLIC_GAMES,
    KIND_PLAYER_GAMES,
    KIND_NONE
};
_Static_assert((int)KIND_NONE == (int)DB_KINDS, "the counters of db_stats() count every kind");

struct write {
    const struct db_game *game;
    int32_t expected;
    const struct db_event *events;
    size_t count;
    const struct db_answer *answer;
};

struct range {
    int32_t line, first, last; /* plies; of KIND_EVENTS versions, without line */
};

struct db_request {
    struct db_request *next;
    enum db_kind kind;
    uint32_t share;   /* the most members of a batch that it may be one of */
    int64_t deadline; /* on the clock of db_monotonic_us() */
    db_id id;
    db_callback done;
    void *context;
    union {
        struct write write;
        struct range range;
        struct db_create_player player;
        const struct db_list *list;
        const struct db_player_list *player_list;
        uint8_t key[DB_HASH_BYTES];
    };
};

struct queue {
    struct db_request *first, **end; /* the last one's link */
    unsigned under_way;              /* statements of this kind that were sent and not answered */
    int64_t opens; /* when the next may be sent beside those; see queue_may_send() */
};

/* The members of one statement, in the order of their games' ids. A member that has had its reply
 * is NULL. */
struct batch {
    enum db_kind kind;
    struct db_request **members;
    db_id *ids;
    size_t count;
    int64_t deadline; /* of the first member to expire */
};

/* A request of this kind, to be filled and given to queue_submit(). */
struct db_request *queue_new_request(struct db *db, enum db_kind kind, const db_id *id,
                                     db_callback done, void *context);
void queue_submit(struct db *db, struct db_request *request);

/* Calls the request's callback and frees it. */
void queue_reply(struct db *db, struct db_request *request, struct db_reply *reply);
void queue_end(struct db *db, struct db_request *request, enum db_outcome outcome,
               const struct db_error *error);

/* Back to the front of its queue. */
void queue_again(struct db *db, struct db_request *request);

/* Fills `batch` with what waits of a kind, which must be something: of one group of games and, if
 * they are writes, each of another game. */
void queue_take(struct db *db, enum db_kind kind, struct batch *batch);

/* The first member of this game, or batch->count; the others of the same game follow. */
size_t batch_find(const struct batch *batch, const void *id);

/* Finds anew who expires first. */
void batch_deadline(struct batch *batch);

/* Replies to member `i`, unless it has had its reply. */
void batch_reply(struct db *db, struct batch *batch, size_t i, struct db_reply *reply);
void batch_end(struct db *db, struct batch *batch, size_t i, enum db_outcome outcome,
               const struct db_error *error);

/* Whether something waits that may be sent now, and that it was sent or answered. */
bool queue_may_send(const struct db *db, enum db_kind kind);
void queue_sent(struct db *db, enum db_kind kind);
void queue_answered(struct db *db, enum db_kind kind);

/* Sends nothing for a moment: what failed may work then. */
void queue_pause(struct db *db, enum db_kind kind);

/* Ends what waited past its deadline, and what found the queue full. */
void queue_expire(struct db *db);

/* When the loop must look at the queues again, if nothing happens before. */
int64_t queue_deadline(const struct db *db);

bool queue_open(struct db *db);
void queue_close(struct db *db);

/* ---- kinds: kinds.c ------------------------------------------------------------------------- */

struct kind_info {
    const char *name;
    const char *sql;
    const char *types; /* of the parameters, each an array: see wire_begin() */
    bool write;
    enum db_outcome absent; /* of a member that the answer does not name */
    void (*bind)(struct wire_params *params, const struct batch *batch);
    void (*decode)(struct db *db, const struct pg_result *result, struct batch *batch);
};
extern const struct kind_info kinds_table[DB_KINDS];

void writes_bind_append(struct wire_params *params, const struct batch *batch);
void writes_bind_join(struct wire_params *params, const struct batch *batch);
void writes_bind_create(struct wire_params *params, const struct batch *batch);
void batch_bind_ids(struct wire_params *params, const struct batch *batch);
void events_bind(struct wire_params *params, const struct batch *batch);
void answers_bind(struct wire_params *params, const struct batch *batch);
void players_bind(struct wire_params *params, const struct batch *batch);
void lists_bind_public(struct wire_params *params, const struct batch *batch);
void lists_bind_player(struct wire_params *params, const struct batch *batch);

/* The values of DB_SQL_ANSWERED(), from column `first` on. */
void answers_put(struct wire_params *params, int first, const db_id *id,
                 const struct db_answer *answer);

/* DB_SQL_GAME_COLUMNS from `column` on; a row with a number, then DB_SQL_EVENT_COLUMNS. */
void rows_game(const struct pg_result *result, int row, int column, struct db_game *game);
void rows_event(const struct pg_result *result, int row, struct db_event *event);

/* The member that a row is for, where its first column counts them from 1; the row after the last
 * of the same member. */
size_t rows_member(const struct pg_result *result, int row);
int rows_end(const struct pg_result *result, int row);

/* The buffer of the reply that is being made, kept from reply to reply. NULL if memory is out. */
void *batch_scratch(struct db *db, size_t bytes);

/* Replies to every member that asked for what this row of an id and more shows. */
void batch_reply_all(struct db *db, struct batch *batch, const void *id,
                     const struct db_reply *reply);

void writes_decode(struct db *db, const struct pg_result *result, struct batch *batch);
void batch_decode_ids(struct db *db, const struct pg_result *result, struct batch *batch);
void games_decode(struct db *db, const struct pg_result *result, struct batch *batch);
void games_decode_versions(struct db *db, const struct pg_result *result, struct batch *batch);
void events_decode(struct db *db, const struct pg_result *result, struct batch *batch);
void events_decode_keys(struct db *db, const struct pg_result *result, struct batch *batch);
void answers_decode(struct db *db, const struct pg_result *result, struct batch *batch);
void players_decode(struct db *db, const struct pg_result *result, struct batch *batch);
void lists_decode(struct db *db, const struct pg_result *result, struct batch *batch);

/* ---- connections: connection.c -------------------------------------------------------------- */

enum connection_state {
    CONNECTION_DOWN,       /* waits for `timer`, then connects */
    CONNECTION_CONNECTING, /* libpq shakes hands, until `timer` */
    CONNECTION_PREPARING,  /* settings, schema and statements, in one pipeline, until `timer` */
    CONNECTION_IDLE,       /* free; asks the time at `timer` */
    CONNECTION_ASKING,     /* the time was asked; lost if it is not answered until `timer` */
    CONNECTION_BUSY        /* `batch` is on its way */
};

struct connection {
    struct db *db;
    enum connection_state state;
    struct pg_conn *pg;
    int fd;            /* registered with the loop, or -1 */
    uint32_t watching; /* for these events */
    int64_t timer;
    int64_t backoff;
    unsigned rotation; /* the host of the list that is tried first */
    bool answered;     /* a result came; what follows decides whether it holds */
    bool unsent;       /* libpq holds bytes that the socket did not take yet */
    bool warned;       /* the server warned during this statement */
    int64_t asked_at;  /* when the time was asked last */
    int answers;       /* of the preparing pipeline, so far */
    struct pg_result *result;
    struct batch batch;
};

/* Something can be read or written. */
void connection_event(struct connection *connection);

/* The time is `now`: does what is due. */
void connection_tick(struct connection *connection, int64_t now);

/* When connection_tick() has something to do. */
int64_t connection_deadline(const struct connection *connection);

void connection_close(struct connection *connection);

/* Closes it and tries again later; its batch must have been dealt with. */
void connection_lose(struct connection *connection, const char *why);

/* Free for the next statement. */
void connection_rest(struct connection *connection);

/* Sends what libpq still holds and listens for what is needed. False if the connection broke. */
bool connection_flush(struct connection *connection);

/* ---- a batch on its way: exchange.c --------------------------------------------------------- */

/* Takes a batch of a kind, of which something waits, and sends it on an idle connection. */
void exchange_send(struct connection *connection, enum db_kind kind);

/* Reads what came; hands out the replies when the answer is complete. */
void exchange_receive(struct connection *connection);

/* Ends the members whose deadline has passed; loses the connection when none is left. */
void exchange_expire(struct connection *connection, int64_t now);

/* Ends every member: the loop is closing. */
void exchange_abandon(struct connection *connection);

/* ---- outcome.c ------------------------------------------------------------------------------ */

enum verdict {
    VERDICT_DONE,
    VERDICT_AGAIN, /* nothing happened, and nobody's request is to blame */
    VERDICT_APART, /* nothing happened, and one of the requests may be to blame */
    VERDICT_LOST   /* it may have happened or not */
};

struct judgement {
    enum verdict verdict;
    bool reconnect; /* the connection is of no more use */
    struct db_error error;
};

/* Judges a complete answer: `result` is its first error, or else its result; `answered` tells that
 * there was a result, `warned` that the server gave a warning meanwhile. */
struct judgement outcome_judge(const struct pg_conn *pg, const struct pg_result *result,
                               bool answered, bool warned);
void outcome_error(struct db_error *error, const struct pg_result *result, const char *otherwise);

/* ---- the whole: db.c ------------------------------------------------------------------------ */

struct db {
    struct db_settings settings;
    int epoll;
    unsigned writing, reading; /* statements under way */
    unsigned turn;             /* the kind that is served first */
    int64_t now;               /* of the present loop pass */
    int64_t clock;             /* the database's time minus db_monotonic_us() */
    int64_t logged_at;
    struct queue queues[DB_KINDS];
    struct queue refused; /* found the queue full; told so in the next pass */
    uint32_t queued;
    struct db_request *free;
    struct chunk *chunks;
    struct connection *connections;
    struct wire_params params;
    void *scratch; /* what the reply that is being made points to */
    size_t scratch_size;
    struct db_stats stats;
};

/* Microseconds of a clock that only goes forward. */
int64_t db_monotonic_us(void);

void db_log(const struct db *db, enum db_log_level level, const char *event, const char *format,
            ...) __attribute__((format(printf, 4, 5)));

/* Builds with PLYD_FAULTS die here, as by kill -9, if the environment's PLYD_FAULT is "kind:point"
 * or "kind:point:n" and this is the first, or n-th, time. */
#ifdef PLYD_FAULTS
void db_fault(enum db_kind kind, const char *point);
#else
#define db_fault(kind, point) ((void)0)
#endif

/* The shard that a game lives on. Plain PostgreSQL is one. */
uint32_t db_group_of(const db_id *id);

/* ---- migrations: migrate.c ------------------------------------------------------------------ */

struct migration {
    int number;
    const char *name;
    const char *sql;
};
extern const struct migration migrations_list[];
extern const size_t migrations_count;

/* The number of the last migration that this program knows. */
int migrations_wanted(void);

/* The next statement of `sql` from *at on: its length, without the semicolon; 0 past the last.
 * *at moves to its first character. */
size_t split_statement(const char **at);

bool migrate_apply(const char *url, const struct migration *list, size_t count,
                   struct db_migration_report *report);
enum db_schema migrate_check(const char *url, const struct migration *list, size_t count,
                             struct db_migration_report *report);

#endif
