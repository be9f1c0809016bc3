/*
 * request.h - one HTTP request and its answer.
 *
 * net/ makes a request when its first line has come, hands it to its handler when its body is
 * complete, and ends it when its answer was sent or its connection broke. The handler answers it
 * exactly once, at once or later, by reply.h or reply_problem.h. A request stays in one loop, and
 * only that loop's thread touches it, but while it is lent to a worker as a whole (offload.h).
 *
 * A connection that breaks does not end a request that waits for its answer: it lives until it is
 * answered, so what was asked of the database may always point to it.
 */
#ifndef PLYD_API_HTTP_REQUEST_H
#define PLYD_API_HTTP_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/http/caller.h"
#include "api/http/memory_budget.h"
#include "api/text/arena.h"

enum {
    REQUEST_BODY_MAX = 64 << 10,   /* bytes; some addresses are allowed more (route.h) */
    REQUEST_URL_MAX = 8 << 10,     /* bytes */
    REQUEST_HEADERS_MAX = 8 << 10, /* bytes of the names and values of all headers together */
    REQUEST_PARAMS_MAX = 4,        /* places in one route */
    REQUEST_ID_TEXT = 65,          /* bytes of a Request-Id, with its NUL */
    REPLY_HEADERS_MAX = 20         /* headers of one answer */
};

enum method {
    METHOD_GET = 1,
    METHOD_PUT = 2,
    METHOD_POST = 4,
    METHOD_DELETE = 8,
    METHOD_HEAD = 16,
    METHOD_OPTIONS = 32,
    METHOD_PATCH = 64,
    METHOD_OTHER = 128
};

struct reply_header {
    const char *name, *value;
};

struct stream;

struct reply {
    unsigned status;  /* 0: not answered yet */
    const char *type; /* the media type; NULL: no body */
    const char *body;
    size_t len;
    struct reply_header header[REPLY_HEADERS_MAX];
    size_t headers;
    struct stream *stream; /* what comes after the headers; NULL: the body (reply_stream()) */
    bool endless;          /* the body that HEAD leaves out would be a stream, and has no length */
};

struct account;
struct admission;
struct auth_asker;
struct lang;
struct loop;
struct player;
struct quota_address;
struct request;
struct route;
struct view_choice;

/* What becomes of a request that waits for long (request_park()). Both are called with `args`. */
struct request_parking {
    /* The client has closed its side of the connection. The callee calls request_unpark(). */
    void (*closed)(struct request *request, void *args);

    /* The request goes on. */
    void (*back)(struct request *request, void *args);

    void *args;
};

/* Where requests come from: net/, or a test. The first three are what request_header(),
 * request_header_list() and request_peer() ask; a worker may, too (offload.h). */
struct request_source {
    const char *(*header)(const struct request *request, const char *name);
    const char *(*header_list)(struct request *request, const char *name);
    bool (*peer)(const struct request *request, struct quota_address *address);
    int (*socket)(const struct request *request); /* its connection's; -1: there is none */
    void (*answered)(struct request *request);    /* request->reply is complete: send it, unless the
                                                   * request is at a worker: that follows later */
    bool (*park)(struct request *request);
    void (*unpark)(struct request *request);
};

struct request {
    struct arena arena; /* what the request needs lies here, and ends with it */

    /* Set by the source. */
    const struct request_source *source;
    void *connection; /* the source's own */
    struct loop *loop;
    bool behind_proxy;  /* what proxies say of the client is believed */
    enum method method; /* 0: its header is not complete yet */
    char id[REQUEST_ID_TEXT];
    char *body; /* NUL-terminated; NULL if there is none */
    size_t body_len, body_size;
    size_t body_most; /* bytes that it will have, or may have at most */
    bool body_too_large;
    bool body_to_come; /* it is large and not complete, and was admitted by its head */
    bool admitted;     /* what its head says is in order, and its quota has one more */
    struct budget_place body_place, work_place;
    bool broken_off; /* what follows it on its connection is not read */
    bool last;       /* the connection ends with its answer */
    bool suspended;  /* the connection waits for the answer */
    bool offloaded;  /* it is at a worker */
    enum { NOT_PARKED, PARKED, PARKED_NO_MORE } parked;
    struct request_parking parking;
    bool waited;     /* for news (long_poll.h), which it does once */
    int64_t arrived; /* on loop_clock_us(): when it was complete, or its wait for news or for memory
                      * (large_queue.h) was over */

    /* What it costs (admission.h, metering.h). */
    struct admission *admission; /* NULL: it is not counted, or was charged already */
    uint64_t client;             /* the address it is from, as a number; 0: nobody is counted */
    uint64_t bearer;             /* the token that it shows, as a number; 0: none */
    int64_t cost_us;             /* time that was worked on it so far */
    int64_t caused_us;           /* time that thinkers will work on what it has caused */
    size_t stored;               /* bytes that were stored for it, roughly */
    size_t kept;                 /* bytes of its answer that are kept for its key */
    bool made;                   /* it made a game or a player */

    /* Set by request_parse_url(). */
    const char *url;   /* as it came, without a host */
    const char *path;  /* decoded, but for %2F: a slash separates, and that one is part of a name */
    const char *query; /* not decoded; "" if there is none */

    /* Set by routes_dispatch(). */
    const struct route *route;             /* NULL: none */
    size_t route_number;                   /* for metrics */
    const char *param[REQUEST_PARAMS_MAX]; /* what stands at the places of the route */
    unsigned form;                         /* of the answer (accept.h); 0: the address decides */
    struct caller caller;                  /* who asks; a stranger where nobody looks */
    const struct player *player;           /* who asks (players.h); NULL: no player */
    const struct account *account;         /* by which they ask (accounts.h); NULL: not by one */

    /* Set by handlers. */
    const struct auth_asker *asker;   /* who asks, in place of its token (auth.h); or NULL */
    const struct view_choice *choice; /* what of a game is shown (view.h) */
    const struct lang *lang;          /* of texts and refusals; NULL: English */

    /* The answer. */
    const char *refused_at; /* of a problem: the place of the mistake, or NULL */
    const char *refusal;    /* of a problem: its sentence, for clients that read no JSON */
    struct reply reply;
};

/* ---- for the source ---- */

/* Requests that are over, kept with a chunk of memory each for the next ones. All zero is an empty
 * pool. A pool belongs to one loop. */
enum { REQUEST_SPARES = 256 };

struct request_pool {
    struct request *spare[REQUEST_SPARES];
    size_t spares;
};

/* A request that is all zero but for its arena. */
struct request *request_new(struct request_pool *pool);

/* Ends a request: gives back everything that belongs to it. */
void request_end(struct request_pool *pool, struct request *request);

/* Frees the spare requests. */
void request_pool_free(struct request_pool *pool);

/* Sets request->id: the client's Request-Id if it is short and harmless, else a number that no
 * other request of the loop has. *last is the last one that was given out. */
void request_choose_id(struct request *request, uint64_t *last);

enum { REQUEST_PATH_BAD = -1, REQUEST_PATH_LONG = -2, REQUEST_HOST_OTHER = -3 };

/* Splits an address into url, path and query. Returns 0, REQUEST_PATH_LONG, REQUEST_HOST_OTHER if
 * it names another host than the Host header, or REQUEST_PATH_BAD if the path has a broken escape
 * or is not UTF-8. */
int request_parse_url(struct request *request, const char *url);

/* A method by its name (METHOD_OTHER if it is not known), and its name. */
enum method request_method(const char *name);
const char *request_method_name(enum method method);

/* Whether its answer can be sent. At a worker the answer is not looked at: the worker may be at it
 * this moment. */
bool request_is_answered(const struct request *request);

/* ---- for handlers ---- */

/* The value of a header, or NULL. */
const char *request_header(const struct request *request, const char *name);

/* The values of all headers of a name, joined by commas; NULL if there is none. */
const char *request_header_list(struct request *request, const char *name);

/* Sets the address at the other end of the connection. False if it is neither IPv4 nor IPv6. */
bool request_peer(const struct request *request, struct quota_address *address);

/* The request waits for long: until request_unpark() it costs the loop nothing but its memory.
 * False: it cannot wait in this way, since it has a body (an empty one in chunks is one, too), its
 * client has sent another request behind it, or there is no descriptor left. */
bool request_park(struct request *request, struct request_parking parking);

/* The request goes on: `back` is called in the loop's next pass. */
void request_unpark(struct request *request);

/* Whose request it is, for what clients get in turn: its address's where addresses are counted,
 * else its token's, else its connection's. */
uint64_t request_sharer(const struct request *request);

/* Whether If-None-Match says that the client already has what this ETag names. */
bool request_has(struct request *request, const char *etag);

/* The token of Authorization: Bearer, or the user name of Basic, as `curl -u TOKEN:` sends it;
 * where that is empty, the password. NULL if there is none. */
const char *request_token(struct request *request);

#endif
