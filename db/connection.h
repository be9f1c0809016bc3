/*
 * connection.h - one connection to the server: made, prepared, kept alive, lost, made again.
 *
 * A connection is always in one of the states below. The loop moves it: connection_event() when its
 * socket is ready, connection_tick() in every pass. Those two serve every state but
 * CONNECTION_BUSY, in which a batch is on its way and the loop calls exchange.h instead. exchange.c
 * ends that state with connection_rest() or connection_lose().
 *
 * Each state has one time, `timer`, at which it must be left or something must be done: a server
 * that is frozen or gone says nothing, so only the time tells.
 *
 * libpq has names like these for states of its own: CONNECTION_OK and CONNECTION_BAD are libpq's.
 */
#ifndef PLYD_DB_CONNECTION_H
#define PLYD_DB_CONNECTION_H

#include "batch.h"
#include "outcome.h"

/* What is under way of a batch. A large write may go in pieces: see exchange.h. */
enum exchange_step {
    STEP_WHOLE, /* its statement, which is a transaction */
    STEP_BEGIN, /* of a write in pieces: */
    STEP_PIECE, /* events, which nobody can see before the commit */
    STEP_LAST,  /* its own statement, with the events that are left */
    STEP_COMMIT,
    STEP_ROLLBACK
};

enum connection_state {
    CONNECTION_DOWN,       /* connects at `timer` */
    CONNECTION_CONNECTING, /* libpq shakes hands; lost at `timer` */
    CONNECTION_PREPARING,  /* settings, schema and statements, in two pipelines; lost at `timer` */
    /* From here on it is connected. */
    CONNECTION_IDLE,   /* free for a statement; asks the time at `timer` */
    CONNECTION_ASKING, /* the time was asked; lost at `timer` */
    CONNECTION_BUSY    /* `batch` is on its way; its first member expires at `timer` */
};

struct connection {
    struct db *db;
    enum connection_state state;
    int64_t timer;      /* on db_monotonic_us() */
    struct pg_conn *pg; /* NULL while it is down */
    int fd;             /* registered with the loop, or -1 */
    uint32_t watching;  /* for these events */
    bool unsent;        /* libpq holds bytes that the socket did not take yet */

    int64_t patience; /* while it connects and is prepared: for how long its server may be silent */
    int64_t backoff;  /* how long it stays down after the next failure */
    unsigned rotation; /* which host of the list is tried first */
    uint32_t timeline; /* of its server, once the connection is prepared */
    int answers;       /* of the preparing pipelines, so far */
    int64_t asked_at;  /* when the time was last asked */
    bool grown;        /* libpq's buffer, by a statement so large that it is to be given back */

    /* The statement on its way: exchange.c. */
    struct batch batch;
    enum exchange_step step;
    struct pg_result *result; /* what came and counts so far, or NULL */
    bool answered;            /* rows came; what follows decides whether they hold */
    bool warned;              /* the server warned of a commit that is not confirmed */
    int64_t sent_at;          /* when it was sent */

    /* Of a write in pieces: exchange.c. */
    int64_t resumes_at;         /* it rests until then; INT64_MAX: it does not */
    struct pg_result *rows;     /* of its own statement, once that was answered */
    struct judgement judgement; /* why it is rolled back */
};

/* Makes a connection that is down and connects in the first loop pass. False if memory is out;
 * connection_close() frees what there is. */
bool connection_open(struct connection *connection, struct db *db);

/* Frees everything. The members of its batch must have been answered. */
void connection_close(struct connection *connection);

/* ---- for the loop --------------------------------------------------------------------------- */

/* Something can be read or written. Not for CONNECTION_BUSY. */
void connection_event(struct connection *connection);

/* The time is `now`: does what is due. Not for CONNECTION_BUSY. */
void connection_tick(struct connection *connection, int64_t now);

/* ---- for exchange.c ------------------------------------------------------------------------- */

/* Reads what came, for libpq to take apart, and sends what libpq still holds. */
void connection_read(struct connection *connection);

/* Sends what libpq holds, and watches the socket for what is needed next. False if that failed. */
bool connection_flush(struct connection *connection);

/* The statement was answered: free for the next one. */
void connection_rest(struct connection *connection);

/* Closes the connection and connects again later, each time in vain after a longer pause. The
 * reason is logged. The members of its batch must have been dealt with. */
void connection_lose(struct connection *connection, const char *why);

/* The same for a server that may be a primary which was cut off from the others: it is silent, or
 * it left open what became of a write. The next attempt tries its host last. */
void connection_give_up(struct connection *connection, const char *why);

/* Whether another server has taken over from this one, as far as is known: what it tells is past,
 * though it may still say that it takes writes. */
bool connection_outdated(const struct connection *connection);

#endif
