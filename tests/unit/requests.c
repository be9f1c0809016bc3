/* requests.c - requests for tests (requests.h). */
#include "requests.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "api/loop/quota.h"
#include "seen.h"

enum { HEADERS_MAX = 16 };

/* A request and where it comes from. */
struct asked {
    struct request request;
    struct reply_header header[HEADERS_MAX];
    size_t headers;
    struct quota_address peer;
    bool has_peer;
    unsigned answers;
    struct asked *next;
};

static struct asked *first;

static struct asked *asked_of(const struct request *request)
{
    return request->connection;
}

static const char *header(const struct request *request, const char *name)
{
    const struct asked *asked = asked_of(request);

    for (size_t i = 0; i < asked->headers; i++)
        if (strcasecmp(asked->header[i].name, name) == 0)
            return asked->header[i].value;
    return NULL;
}

static const char *header_list(struct request *request, const char *name)
{
    const struct asked *asked = asked_of(request);
    const char *list = NULL;

    for (size_t i = 0; i < asked->headers; i++)
        if (strcasecmp(asked->header[i].name, name) == 0)
            list = list == NULL
                       ? asked->header[i].value
                       : arena_format(&request->arena, "%s, %s", list, asked->header[i].value);
    return list;
}

static bool peer(const struct request *request, struct quota_address *address)
{
    *address = asked_of(request)->peer;
    return asked_of(request)->has_peer;
}

static int no_socket(const struct request *request)
{
    (void)request;
    return -1;
}

static void answered(struct request *request)
{
    asked_of(request)->answers++;
}

static bool park(struct request *request)
{
    request->parked = PARKED;
    return true;
}

static void unpark(struct request *request)
{
    cr_assert_eq(request->parked, PARKED);
    request->parked = NOT_PARKED;
    request->parking.back(request, request->parking.args);
}

static const struct request_source source = {header,   header_list, peer,  no_socket,
                                             answered, park,        unpark};

/* Fills the memory that a request will get, so that nothing relies on finding it empty. */
static void soil(struct arena *arena)
{
    enum { SOILED = 16 << 10 };

    memset(arena_alloc(arena, SOILED), 'x', SOILED);
    arena_reset(arena);
}

struct request *requests_new(struct loop *loop)
{
    struct asked *asked = calloc(1, sizeof(*asked));

    cr_assert_not_null(asked);
    asked->request = (struct request){.source = &source, .loop = loop, .connection = asked};
    strcpy(asked->request.id, "the-id");
    asked->next = first;
    first = asked;
    soil(&asked->request.arena);
    requests_url(&asked->request, "/");
    return &asked->request;
}

void requests_free(void)
{
    while (first != NULL) {
        struct asked *asked = first;

        first = asked->next;
        free(asked->request.body);
        arena_free(&asked->request.arena);
        free(asked);
    }
}

void requests_url(struct request *request, const char *url)
{
    cr_assert_eq(request_parse_url(request, url), 0, "%s", url);
}

void requests_header(struct request *request, const char *name, const char *value)
{
    struct asked *asked = asked_of(request);

    cr_assert_lt(asked->headers, (size_t)HEADERS_MAX);
    asked->header[asked->headers++] = (struct reply_header){name, value};
}

void requests_body(struct request *request, const char *type, const char *body)
{
    if (type != NULL)
        requests_header(request, "Content-Type", type);
    request->body_len = strlen(body);
    request->body = strdup(body);
}

void requests_peer(struct request *request, const char *address)
{
    struct asked *asked = asked_of(request);

    asked->has_peer = true;
    cr_assert(quota_address_read(address, strlen(address), &asked->peer), "%s", address);
}

unsigned requests_answers(const struct request *request)
{
    return asked_of(request)->answers;
}

const char *requests_answer_header(const struct request *request, const char *name)
{
    for (size_t i = 0; i < request->reply.headers; i++)
        if (strcmp(request->reply.header[i].name, name) == 0)
            return request->reply.header[i].value;
    return NULL;
}

void requests_again(struct request *request)
{
    asked_of(request)->answers = 0;
    request->reply = (struct reply){.status = 0};
    request->refused_at = request->refusal = NULL;
}

void requests_assert_problem(const struct request *request, enum problem problem,
                             const char *pointer)
{
    const struct problem_kind *kind = problem_kind(problem);
    struct seen *seen;

    cr_assert_eq(requests_answers(request), 1);
    cr_assert_eq(request->reply.status, kind->status, "%s", request->reply.body);
    cr_assert_str_eq(request->reply.type, "application/problem+json");
    seen = seen_read(request->reply.body);
    cr_assert_str_eq(seen_text(seen, "code"), kind->code, "%s", request->reply.body);
    cr_assert_eq(seen_has(seen, "pointer"), pointer != NULL, "%s", request->reply.body);
    if (pointer != NULL)
        cr_assert_str_eq(seen_text(seen, "pointer"), pointer);
    seen_free(seen);
}
