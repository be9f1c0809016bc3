/*
 * fuzz_request.c - any request as far as it is read before a handler acts: its address, query,
 * headers and body.
 *
 * Input: the address on the first line, headers on the next ones, a blank line, the body. The
 * server is not there: what is asked of it is answered below.
 */
#include "api/http/reply.h"
#include "api/http/request.h"
#include "api/play/play.h"
#include "api/server.h"
#include "api/table/idempotency.h"
#include "api/table/waits.h"
#include "api/text/json_read.h"
#include "api/text/json_text.h"
#include "fuzz.h"

enum { HEADERS_MAX = 16 };

static struct {
    const char *name, *value;
} headers[HEADERS_MAX];
static size_t nheaders;
static unsigned answers;

/* ---- in the server's place ---- */

const char *request_header(const struct request *request, const char *name)
{
    (void)request;
    for (size_t i = 0; i < nheaders; i++)
        if (strcasecmp(headers[i].name, name) == 0)
            return headers[i].value;
    return NULL;
}

void http_answered(struct request *request)
{
    must(request->reply.status >= 200 && request->reply.status < 600);
    must(json_is_utf8(request->reply.body, request->reply.len));
    answers++;
}

struct db *server_db(const struct server *server)
{
    (void)server;
    return NULL;
}

struct tables *server_tables(const struct server *server)
{
    (void)server;
    return NULL;
}

struct waits *server_waits(const struct server *server)
{
    (void)server;
    return NULL;
}

struct metrics *server_metrics(struct server *server)
{
    (void)server;
    return NULL;
}

bool server_draining(const struct server *server)
{
    (void)server;
    return false;
}

size_t server_all(struct server *const **servers)
{
    *servers = NULL;
    return 0;
}

int64_t server_now(const struct server *server)
{
    (void)server;
    return 0;
}

/* ---- the request ---- */

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

/* Each part is read by itself, as one handler or another reads it; what refuses has answered, and
 * what does not has not. */
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
    bool ok = request_query_ok(request, known);
    int64_t number = 0;

    refused(request, ok);
    if (ok) {
        const char *text = request_query(request, "position");

        must(text == NULL || json_is_utf8(text, strlen(text)));
        ok = request_query_int(request, "limit", 1, 200, 50, &number);
        must(!ok || (number >= 1 && number <= 200));
        refused(request, ok);
    }
}

static void read_headers(struct request *request)
{
    struct idempotency *idempotency;
    struct guard guard;
    unsigned form = request_accepts(request, FORM_JSON | FORM_TEXT | FORM_HTML);
    struct job job = {.request = request};
    bool ok;

    must(form == 0 || form == FORM_JSON || form == FORM_TEXT || form == FORM_HTML);
    ok = guard_read(request, &guard);
    refused(request, ok);
    ok = answers_key(request, &idempotency);
    refused(request, ok);
    request_has(request, "\"17\"");
    request_token(request);
    wait_read(&job);
    must(job.wait_s >= 0 && job.wait_s <= 60);
}

static void read_body(struct request *request, const char *bare_key)
{
    struct json_value *body = request_body(request, bare_key);

    refused(request, body != NULL);
    json_free(body);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct request request = {.server = NULL, .id = "fuzz"};
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
