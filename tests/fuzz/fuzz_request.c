/*
 * fuzz_request.c - any request as far as it is read before a handler acts: its address, query,
 * headers and body.
 *
 * Input: the address on the first line, headers on the next ones, a blank line, the body.
 */
#include "api/endpoints/guard.h"
#include "api/http/accept.h"
#include "api/http/body.h"
#include "api/http/prefer.h"
#include "api/http/query.h"
#include "api/http/request.h"
#include "api/live/idempotency.h"
#include "api/text/json_text.h"
#include "fuzz.h"

enum { HEADERS_MAX = 16 };

static struct {
    const char *name, *value;
} headers[HEADERS_MAX];
static size_t nheaders;
static unsigned answers;

static const char *header(const struct request *request, const char *name)
{
    (void)request;
    for (size_t i = 0; i < nheaders; i++)
        if (strcasecmp(headers[i].name, name) == 0)
            return headers[i].value;
    return NULL;
}

static const char *header_list(struct request *request, const char *name)
{
    const char *list = NULL;

    for (size_t i = 0; i < nheaders; i++)
        if (strcasecmp(headers[i].name, name) == 0)
            list = list == NULL ? headers[i].value
                                : arena_format(&request->arena, "%s, %s", list, headers[i].value);
    return list;
}

static void answered(struct request *request)
{
    must(request->reply.status >= 200 && request->reply.status < 600);
    must(json_is_utf8(request->reply.body, request->reply.len));
    answers++;
}

static const struct request_source source = {
    .header = header, .header_list = header_list, .answered = answered};

static void split_headers(char *text)
{
    for (char *line = strsep(&text, "\n"); line != NULL; line = strsep(&text, "\n")) {
        char *name = strsep(&line, ":");

        if (line == NULL || nheaders == HEADERS_MAX)
            continue;
        headers[nheaders].name = name;
        headers[nheaders++].value = line + strspn(line, " ");
    }
}

/* Each part of the request is read by itself, as one handler or another reads it. A reader that
 * refuses has answered, and any other has not. */
static void refused(struct request *request, bool ok)
{
    must(answers == !ok);
    must((request->reply.status == 0) == ok);
    request->reply = (struct reply){.status = 0};
    answers = 0;
}

static void read_query(struct request *request)
{
    static const char *const known[] = {"after", "limit", "format", "view", "position", NULL};
    bool ok = query_ok(request, known);
    int64_t number = 0;

    refused(request, ok);
    if (ok) {
        const char *text = query_text(request, "position");

        must(text == NULL || json_is_utf8(text, strlen(text)));
        ok = query_int(request, "limit", 1, 200, 50, &number);
        must(!ok || (number >= 1 && number <= 200));
        refused(request, ok);
    }
}

static void read_headers(struct request *request)
{
    struct idempotency *idempotency;
    struct guard guard;
    unsigned form =
        accept_form(request_header(request, "Accept"), FORM_JSON | FORM_TEXT | FORM_HTML);
    int wait_s = prefer_wait_s(request_header(request, "Prefer"));
    bool ok;

    must(form == 0 || form == FORM_JSON || form == FORM_TEXT || form == FORM_HTML);
    ok = guard_read(request, &guard);
    refused(request, ok);
    ok = idempotency_read(request, request->method == METHOD_POST, &idempotency);
    refused(request, ok);
    request_has(request, "\"17\"");
    request_token(request);
    must(wait_s >= 0 && wait_s <= 60);
}

static void read_body(struct request *request, const char *bare_key)
{
    struct json_value *body = body_read(request, bare_key);

    refused(request, body != NULL);
    json_free(body);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct request request = {.source = &source, .id = "fuzz"};
    char *text = malloc(size + 1), *head, *body, *url;

    must(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    nheaders = answers = 0;
    head = text;
    body = memmem(text, size, "\n\n", 2);
    if (body != NULL) {
        *body = '\0';
        body += 2;
        request.body_len = (size_t)(text + size - body);
        request.body = malloc(request.body_len + 1);
        must(request.body != NULL);
        memcpy(request.body, body, request.body_len + 1);
    }
    url = strsep(&head, "\n");
    if (head != NULL)
        split_headers(head);
    if (request_parse_url(&request, url) == 0) {
        must(json_is_utf8(request.path, strlen(request.path)));
        read_query(&request);
    }
    if (request.path != NULL)
        read_headers(&request);
    read_body(&request, "move");
    read_body(&request, NULL);
    arena_free(&request.arena);
    free(request.body);
    free(text);
    return 0;
}
