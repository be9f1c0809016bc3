/*
 * request.h - one HTTP request and its answer.
 *
 * http.c makes a request when its first line has come, hands it to a handler when its body is
 * complete, and frees it when its answer was sent. The handler may answer at once or later; it must
 * answer exactly once, by a function of reply.h or reply_problem.h.
 */
#ifndef PLYD_API_HTTP_REQUEST_H
#define PLYD_API_HTTP_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/text/arena.h"

enum {
    REQUEST_BODY_MAX = 64 << 10,
    REQUEST_URL_MAX = 8 << 10,
    REQUEST_HEADERS_MAX = 8 << 10, /* names and values of all */
    REQUEST_PARAMS_MAX = 4,
    REPLY_HEADERS_MAX = 12
};

enum method {
    METHOD_GET = 1,
    METHOD_PUT = 2,
    METHOD_POST = 4,
    METHOD_DELETE = 8,
    METHOD_HEAD = 16,
    METHOD_OPTIONS = 32,
    METHOD_OTHER = 64
};

struct reply_header {
    const char *name, *value;
};

struct reply {
    unsigned status; /* 0: not answered yet */
    const char *type;
    const char *body;
    size_t len;
    struct reply_header header[REPLY_HEADERS_MAX];
    size_t headers;
};

struct loop;
struct player;
struct quota_address;
struct request;
struct route;
struct view_choice;

/* Where a request comes from: http.c, or a test. */
struct request_source {
    const char *(*header)(const struct request *request, const char *name);
    const char *(*header_list)(struct request *request, const char *name);
    bool (*peer)(const struct request *request, struct quota_address *address);
    void (*answered)(struct request *request); /* request->reply is complete */
};

struct request {
    struct arena arena;
    const struct request_source *source;
    struct loop *loop; /* the loop it belongs to */
    void *connection;  /* the source's own */
    const struct route *route;
    size_t route_number; /* for metrics */
    enum method method;
    unsigned form;                         /* how the client wants the answer (accept.h); 0: ours */
    const char *url;                       /* as it came */
    const char *path;                      /* decoded, without the query */
    const char *query;                     /* not decoded; "" if there is none */
    const char *param[REQUEST_PARAMS_MAX]; /* what the route's places matched */
    char id[65];                           /* Request-Id */
    char *body;
    size_t body_len, body_size;
    bool body_too_large;
    bool suspended;                   /* the source waits for the answer */
    int64_t arrived;                  /* monotonic, microseconds: when the body was complete */
    const struct player *player;      /* who asks, by a player's token, or NULL (players.h) */
    const struct view_choice *choice; /* what of a game is shown (view.h) */
    const char *refused_at;           /* the place of what is wrong, or NULL */
    const char *refusal;              /* a problem's sentence, for clients that read no JSON */
    struct reply reply;
};

enum { REQUEST_PATH_BAD = -1, REQUEST_PATH_LONG = -2 };

/* Splits url into path and query and decodes the path. 0, or why it cannot be done. */
int request_parse_url(struct request *request, const char *url);

enum method request_method(const char *name);
const char *request_method_name(enum method method);

/* A header's value, or NULL. */
const char *request_header(const struct request *request, const char *name);

/* All values of a header that may come several times, joined by commas; NULL: there is none. */
const char *request_header_list(struct request *request, const char *name);

/* The address at the other end of the connection. */
bool request_peer(const struct request *request, struct quota_address *address);

/* Whether If-None-Match says that the client has what this ETag names. */
bool request_has(const struct request *request, const char *etag);

/* The token of Authorization: Bearer, or the user of Basic. NULL: there is none. */
const char *request_token(struct request *request);

#endif
