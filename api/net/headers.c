/* headers.c - the headers of a request, wherever its connection is, and whether it may have them
 * (parts.h). */
#include <string.h>
#include <strings.h>

#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/net/parts.h"

/* ---- reading them ---- */

static void each_header(const struct request *request,
                        void (*see)(void *args, const char *name, const char *value), void *args)
{
    const struct outside_request *outside = client_of(request)->outside;

    if (!client_is_outside(request)) {
        mhd_each_header(request, see, args);
        return;
    }
    for (size_t i = 0; i < outside->count; i++)
        see(args, outside->header[i].name, outside->header[i].value);
}

const char *headers_get(const struct request *request, const char *name)
{
    const struct outside_request *outside = client_of(request)->outside;

    if (!client_is_outside(request))
        return mhd_header(request, name);
    for (size_t i = 0; i < outside->count; i++)
        if (strcasecmp(outside->header[i].name, name) == 0)
            return outside->header[i].value;
    return NULL;
}

/* The values of the headers of a name. */
struct values {
    struct arena *arena;
    const char *name, *list;
};

static void join_value(void *args, const char *name, const char *value)
{
    struct values *values = args;

    if (strcasecmp(name, values->name) == 0)
        values->list = values->list == NULL
                           ? value
                           : arena_format(values->arena, "%s, %s", values->list, value);
}

const char *headers_list(struct request *request, const char *name)
{
    struct values values = {&request->arena, name, NULL};

    each_header(request, join_value, &values);
    return values.list;
}

static void count_header(void *args, const char *name, const char *value)
{
    (void)name;
    (void)value;
    ++*(size_t *)args;
}

struct copying {
    struct arena *arena;
    struct outside_request *outside;
};

static void copy_header(void *args, const char *name, const char *value)
{
    struct copying *copying = args;

    copying->outside->header[copying->outside->count++] =
        (struct reply_header){arena_copy(copying->arena, name, strlen(name)),
                              arena_copy(copying->arena, value, strlen(value))};
}

/* libmicrohttpd's memory of the headers ends with its connection, and the handler reads them again
 * when the request goes on. */
struct outside_request *headers_copy(struct request *request)
{
    struct outside_request *outside = arena_zero(&request->arena, sizeof(*outside));
    struct copying copying = {&request->arena, outside};
    size_t count = 0;

    mhd_each_header(request, count_header, &count);
    outside->header = arena_zero(&request->arena, count * sizeof(*outside->header));
    mhd_each_header(request, copy_header, &copying);
    return outside;
}

/* ---- judging them ---- */

/* Whether all members of a list are one word. */
static bool lists_only(const char *list, const char *word)
{
    while (*(list += strspn(list, " \t,")) != '\0') {
        if (strncasecmp(list, word, strlen(word)) != 0)
            return false;
        list += strlen(word);
        if (*list != '\0' && strchr(" \t,", *list) == NULL)
            return false;
    }
    return true;
}

/* A body that is compressed would be taken for something else. */
static bool body_is_encoded(struct request *request)
{
    bool has_body = request->body_len > 0 || request->body_to_come;
    const char *codings = has_body ? request_header_list(request, "Content-Encoding") : NULL;

    return codings != NULL && !lists_only(codings, "identity");
}

static void refuse_encoding(struct request *request)
{
    reply_header(request, "Accept-Encoding", "identity");
    reply_problem_at(request, PROBLEM_UNSUPPORTED_MEDIA_TYPE, "Content-Encoding",
                     "Send the body as it is, without a Content-Encoding.");
}

/* libmicrohttpd knows 100-continue, and ignores what else a client may expect. */
static bool expects_else(struct request *request)
{
    const char *expected = request_header_list(request, "Expect");

    return expected != NULL && !lists_only(expected, "100-continue");
}

/* Headers that take one value. A key that comes twice may be two keys that a proxy has made one
 * request of, so it is not taken even if both are the same. */
static const struct {
    const char *name;
    bool once;
} single[] = {{"Authorization", false},
              {"Content-Type", false},
              {"Idempotency-Key", true},
              {"Last-Event-ID", false}};

enum { SINGLES = sizeof(single) / sizeof(single[0]) };

/* What all headers of a request together say of it. */
struct heads {
    size_t bytes;      /* of their names and values */
    const char *twice; /* one that takes one value, and has several; NULL: none */
    const char *value[SINGLES];
};

static void note_header(void *args, const char *name, const char *value)
{
    struct heads *heads = args;

    heads->bytes += strlen(name) + strlen(value);
    for (size_t i = 0; i < SINGLES; i++) {
        if (strcasecmp(name, single[i].name) != 0)
            continue;
        if (heads->value[i] != NULL && (single[i].once || strcmp(heads->value[i], value) != 0))
            heads->twice = single[i].name;
        heads->value[i] = value;
        return;
    }
}

/* Whether the headers are such that the request may be answered. Our limit of their size lies below
 * libmicrohttpd's: headers that fill its memory for the connection it refuses by itself, with a
 * page of HTML. */
bool headers_ok(struct request *request)
{
    struct heads heads = {0, NULL, {NULL}};

    each_header(request, note_header, &heads);
    if (heads.bytes > REQUEST_HEADERS_MAX)
        reply_problem(request, PROBLEM_HEADERS_TOO_LARGE, NULL);
    else if (heads.twice != NULL)
        reply_problem_at(request, PROBLEM_BAD_PARAMETER, heads.twice,
                         arena_format(&request->arena, "Send one %s.", heads.twice));
    else if (expects_else(request))
        reply_problem_at(request, PROBLEM_EXPECTATION_FAILED, "Expect", NULL);
    else if (body_is_encoded(request))
        refuse_encoding(request);
    return request->reply.status == 0;
}
