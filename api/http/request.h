/*
 * request.h - one HTTP request and its answer.
 *
 * A request is made by the server when its first line has come, handed to a handler when its body
 * is complete, and freed when its answer was sent. The handler may answer at once or later; it
 * must answer exactly once, by a function of "reply.h".
 */
#ifndef PLYD_API_HTTP_REQUEST_H
#define PLYD_API_HTTP_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/text/arena.h"
#include "api/text/json_read.h"

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

/* The forms that an answer may have. Where a client does not care, the first that there is; a page
 * is HTML that comes before all others. */
enum request_form {
    FORM_PAGE = 64,
    FORM_JSON = 1,
    FORM_MARKDOWN = 2,
    FORM_TEXT = 4,
    FORM_HTML = 8,
    FORM_YAML = 16,
    FORM_SVG = 32,
    FORM_NDJSON = 128
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

struct route;
struct server;
struct player;
struct view_choice;

struct request {
    struct arena arena;
    struct server *server; /* the loop it belongs to */
    void *connection;      /* the server's own */
    const struct route *route;
    enum method method;
    unsigned form;                         /* the one that the client would rather have; 0: ours */
    const char *url;                       /* as it came */
    const char *path;                      /* decoded, without the query */
    const char *query;                     /* not decoded; "" if there is none */
    const char *param[REQUEST_PARAMS_MAX]; /* what the route's places matched */
    char id[65];                           /* Request-Id */
    char *body;
    size_t body_len, body_size;
    bool body_too_large;
    bool suspended;                   /* the server waits for the answer */
    int64_t arrived;                  /* monotonic, microseconds: when the body was complete */
    const struct player *player;      /* who asks, by a player's token, or NULL (players.h) */
    const struct view_choice *choice; /* what of a game is shown (view.h) */
    const char *refused_at;           /* the place of what is wrong, or NULL */
    const char *refusal;              /* a problem's sentence, for who reads no JSON */
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
struct quota_address;
bool request_peer(const struct request *request, struct quota_address *address);

/* A query parameter, decoded; NULL if it is absent. Broken escapes are as if absent and make
 * request_query_ok() false. `_` is not touched. */
const char *request_query(struct request *request, const char *name);

/* Whether the query holds only parameters of this list (ending with NULL), each at most once and
 * well-formed; else the problem was answered already. */
bool request_query_ok(struct request *request, const char *const *known);

/* A query parameter as true or false (false if absent), or as a whole number: `fallback` if absent.
 * Returns false when it is malformed or out of range: the problem was answered already. */
bool request_query_bool(struct request *request, const char *name, bool *value);
bool request_query_int(struct request *request, const char *name, int64_t min, int64_t max,
                       int64_t fallback, int64_t *value);

/* How long a page of a list may be: 50 if the query does not say it, never more than 200. Returns
 * false when it is malformed: the problem was answered already. */
bool request_query_limit(struct request *request, int64_t *limit);

/* A query parameter that is a list of words, such as "open,active": as bits of where they stand in
 * `words` (ending with NULL); 0 if it is absent or empty. Returns false when one of them is not
 * there: the problem was answered already. */
bool request_query_words(struct request *request, const char *parameter, const char *const *words,
                         uint32_t *bits);

/* Which of these forms the client would rather have, by Accept; 0: none of them. */
unsigned request_accepts(const struct request *request, unsigned forms);

/* Their media types: "application/json, text/plain". */
const char *request_form_types(struct request *request, unsigned forms);

/* The body as an object, from JSON, a form or a bare text (which becomes {bare_key: text}; NULL:
 * bare texts are refused). An empty body is {}. NULL: the problem was answered already. The
 * object is freed with json_free(). */
struct json_value *request_body(struct request *request, const char *bare_key);

/* Whether If-None-Match says that the client has what this ETag names. */
bool request_has(const struct request *request, const char *etag);

/* Token of Authorization: Bearer, or the user of Basic; NULL if there is none. */
const char *request_token(struct request *request);

#endif
