/*
 * queue.h - requests, and the queues in which they wait.
 *
 * There is one queue for each kind, and one more for large writes of every kind: each is a lane.
 * queue_new() makes a request; the operation fills in its part and gives it to queue_submit(). From
 * there on queue.c owns it: batch.c takes it out, and either queue_again() puts it back or
 * queue_reply() and queue_end() call its callback and free it.
 *
 * The large lane. A write of more than QUEUE_LARGE_BYTES goes alone, after those of its size that
 * came before it, and only one is under way at a time. All others are sent as if the connection
 * that carries it were not there. So small writes never wait for a large one as long as there are
 * two connections. After each of its statements the lane rests for a while (exchange.h).
 *
 * The parts of a database on Citus. A worker that stands still, and does not even refuse, keeps
 * each connection that asks it for as long as requests wait, and so it does with those that ask all
 * workers. Therefore the statements of each worker, and those of all, have less than half of the
 * connections. Of five and more, some are left to the other workers.
 *
 * The requests themselves lie in chunks of memory that are made when struct db is opened and freed
 * when it is closed. In between they are used again and again.
 */
#ifndef PLYD_DB_QUEUE_H
#define PLYD_DB_QUEUE_H

#include "db.h"
#include "db/due.h"
#include "db/hooks.h"
#include "db/library.h"
#include "db/tasks.h"
#include "kinds.h"

/* The part of an append, a join or a create. It points to what the caller keeps. */
struct write {
    const struct db_game *game;
    int32_t expected, expected_plans; /* not of a create */
    const struct db_event *events;
    size_t count;
    const struct db_answer *answer; /* or NULL */
    const struct db_due *dues;
    size_t ndues;
};

/* The part of db_create_handover(). */
struct handover_write {
    const struct db_handover *handover;
    int16_t kind;
};

/* The part of db_create_account() and db_set_account(). */
struct account_write {
    db_id player;
    db_id expected; /* whose it was */
    int64_t at;     /* when it is made */
};
struct finding {
    const char *beginning;
    int32_t limit;
};
struct blocking {
    db_id blocked; /* of a page: the one before it */
    int64_t at;
    int32_t limit; /* of a page */
};
struct read_mark {
    db_id player;
    int32_t version;
};
struct seats_here {
    int16_t seats; /* bits */
    int64_t at;
};
struct unread {
    const struct db_unread_from *from;
    size_t count;
};
struct vacation {
    const struct db_span *span;
    const struct db_due *due;
};
struct claim {
    int64_t now;
    struct db_claim wanted;
};
struct settlement {
    const struct db_due *due;
    int64_t claimed_at;
};

struct mark {
    int16_t sets, clears;
    const struct db_due *due;
};

/* The notes of a seat, or one that it writes. */
struct seat_notes {
    int16_t seat;
    const struct db_note *note; /* of a write */
    int32_t after, limit;       /* of a page */
};

/* A task that is made or deleted; a part of its file; a page of what it has. */
struct task_part {
    db_id task;
    const struct db_task_part *part; /* of a write */
    bool any;                        /* of db_get_tasks(): all tasks */
    bool failed_only;
    int32_t after, limit;
};
/* A place in a player's library, or a position of a scope. */
struct shelf {
    db_id collection, game;
    const struct db_collection *what; /* of db_set_collection() */
    const struct db_reached *reached; /* of db_note_reached(), */
    size_t count;                     /* so many */
    int64_t key;
    bool of_player;
    int32_t limit;
};
struct new_task {
    const struct db_task *task;
    const struct db_due *due;
};

/* A page of the events of a player's games. */
struct feed {
    struct db_feed_point after;
    int32_t limit;
};

/* Plies of a line; or versions, and then `line` is unused. Both ends belong to it. */
struct range {
    int32_t line, first, last;
};

/* What a request's callback takes, and what it is told: of the same type. */
enum reply_type {
    REPLY_done,
#define DB_REPLY(name, type) REPLY_##name,
#include "replies.def"
};
struct takes {
    enum reply_type type;
    union {
        db_done_callback *done;
#define DB_REPLY(name, type) db_##name##_callback *name;
#include "replies.def"
    };
};
struct tells {
    enum reply_type type;
    union {
#define DB_REPLY(name, type) const type *name;
#include "replies.def"
    };
};
#define TAKES(name, callback) ((struct takes){REPLY_##name, {.name = (callback)}})
#define TELLS(name, ...)      (&(struct tells){REPLY_##name, {.name = (__VA_ARGS__)}})

enum { QUEUE_LARGE_BYTES = 64 << 10 };

/* The lanes of the kinds, by their numbers, and that of large writes. */
enum { LANE_LARGE = DB_KINDS, LANES };

struct db_request {
    struct db_request *next;
    enum db_kind kind;
    unsigned lane;       /* in which it waits: set by queue_submit() */
    uint32_t share;      /* the most members that a batch with this request may have */
    size_t rows;         /* that it reads or writes, at most: bounds what goes into one batch */
    size_t bytes;        /* that it sends, roughly: bounds that too, and what may wait */
    int64_t deadline;    /* on db_monotonic_us() */
    int64_t rests_until; /* the same: it is not sent before */
    db_id id;            /* the game or player that it is about */
    struct takes done;
    void *context;
    union {
        struct write write;
        struct range range;
        struct db_create_player player;
        const struct db_list *list;
        const struct db_player_list *player_list;
        uint8_t key[DB_HASH_BYTES];
        const struct db_answer *kept; /* of db_keep_answer() */
        int64_t before;               /* of db_forget_answers(); the time of db_renew_positions() */
        int64_t since; /* of db_get_vacations(), db_get_version_before(), db_get_daemons() */
        int32_t after; /* of db_get_outages() */
        struct db_span
            span; /* of a heartbeat: from the oldest last beat that is no outage to now */
        struct claim claim;
        struct settlement settlement;
        struct db_due due; /* of db_promise(), db_take_due() and db_look_due() */
        struct db_player_change player_change;
        struct handover_write handover;
        struct vacation vacation;
        struct finding finding;
        struct blocking blocking;
        struct read_mark read_mark;
        struct seats_here seats_here;
        struct unread unread;
        struct db_results_of results_of;
        struct account_write account;
        struct db_set_plan set_plan;
        int16_t seat; /* of db_get_plan() */
        struct seat_notes notes;
        struct feed feed;
        struct mark mark;
        struct db_hook_write hook_write;
        struct db_hook_end hook_end;
        db_id hook; /* of db_get_deliveries() */
        struct db_push_key push_key;
        struct db_confirmation confirmation;
        struct db_announcement announcement;
        struct db_delivered delivered;
        struct shelf shelf;
        struct db_collected collected;
        const struct db_search *search;
        struct new_task new_task;
        struct db_task_write task_write;
        struct task_part task_part;
    };
};

struct queue {
    struct db_request *first, **end; /* `end` is the link behind the last one */
    size_t bytes;                    /* of all that wait */
    unsigned under_way;              /* statements of this lane that were sent and not answered */
    int64_t next_at; /* when the next statement may be sent beside those: queue_may_send() */
};

/* ---- one request ---------------------------------------------------------------------------- */

/* A request of this kind about `id`. Its deadline is set, it may share a batch with any number of
 * others, and it counts as one row of a few bytes; its part of the union is for the caller to
 * fill. */
struct db_request *queue_new(struct db *db, enum db_kind kind, const db_id *id, struct takes done,
                             void *context);

/* Puts it at the end of its queue. If too many or too many bytes wait already, the next loop pass
 * ends it. */
void queue_submit(struct db *db, struct db_request *request);

/* Takes out the request that *at, a link of this lane's queue, points to. */
struct db_request *queue_take(struct db *db, unsigned lane, struct db_request **at);

/* Puts a request that was taken out back to the front of its queue. */
void queue_again(struct db *db, struct db_request *request);

/* The same, as a request of another kind. */
void queue_again_as(struct db *db, struct db_request *request, enum db_kind kind);

/* Frees a request that was taken out, then calls its callback. queue_reply() is of DB_OK;
 * queue_end() is of any outcome, and has nothing to tell. `error` may be NULL. */
void queue_reply(struct db *db, struct db_request *request, const struct tells *what);
void queue_end(struct db *db, struct db_request *request, enum db_outcome outcome,
               const struct db_error *error);

/* ---- when to send --------------------------------------------------------------------------- */

/* Whether something waits in this lane that may be sent now. */
bool queue_may_send(const struct db *db, unsigned lane);

/* The part of the database that a request asks: a worker of Citus (shards.h), or 0. */
unsigned queue_worker(const struct db *db, const struct db_request *request);

/* A statement of this lane was sent to this part; it was answered or given up. They come in pairs.
 */
void queue_sent(struct db *db, unsigned lane, unsigned part);
void queue_answered(struct db *db, unsigned lane, unsigned part);

/* The first request of this lane that may be sent now, but for how many are under way; or NULL. */
const struct db_request *queue_next(const struct db *db, unsigned lane);

/* Sends nothing of this lane for a moment: what failed just now may work then. */
void queue_pause(struct db *db, unsigned lane);

/* Sends nothing of this lane for so long, so that it leaves time to the others. */
void queue_rest(struct db *db, unsigned lane, int64_t us);

/* Sends this request, which was taken out, not for a moment: only a part of the database failed. */
void queue_rest_request(struct db_request *request);

/* ---- all queues ----------------------------------------------------------------------------- */

/* Makes the queues and the memory of as many requests as may wait and be under way at once. False
 * if memory is out. */
bool queue_open(struct db *db);

/* Ends every request that waits and frees the memory of all. */
void queue_close(struct db *db);

/* Ends the requests that found the queues full, and those that waited past their deadline. */
void queue_expire(struct db *db);

/* The time at which the loop must look at the queues again, if nothing happens before. */
int64_t queue_deadline(const struct db *db);

#endif
