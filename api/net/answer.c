/* answer.c - the head of an answer: what every answer has, and as the first bytes that are sent
 * (parts.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/http/reply.h"
#include "api/http/route.h"
#include "api/loop/admission.h"
#include "api/loop/metering.h"
#include "api/net/parts.h"

/* Inside, libmicrohttpd knows whether the client wants another answer behind this one. */
static bool wants_no_more(struct request *request)
{
    const char *wish = request_header_list(request, "Connection");

    return client_of(request)->framing.http_1_0 ||
           (wish != NULL && strcasestr(wish, "close") != NULL);
}

/* A daemon that is about to stop still answers what has come behind this request. */
static bool is_last(struct request *request)
{
    const struct loop *loop = request->loop;
    const struct client *client = client_of(request);

    return request->broken_off || (client_is_outside(request) && wants_no_more(request)) ||
           ((loop->leaving || loop->draining) && !clients_has_more(client));
}

static void set_no_store(struct request *request)
{
    struct reply *reply = &request->reply;

    for (size_t i = 0; i < reply->headers; i++)
        if (strcmp(reply->header[i].name, "Cache-Control") == 0) {
            reply->header[i].value = "no-store";
            return;
        }
    reply_header(request, "Cache-Control", "no-store");
}

/* A handler that is told who asks says of its answer whether a cache may keep it, and for whom. One
 * that has forgotten it ends the daemon in builds for tests. Elsewhere nobody keeps the answer. */
static void keep_private(struct request *request)
{
    if (request->route == NULL || !route_is(request->route, FOR_CALLER) ||
        reply_is_private(request))
        return;
#ifdef PLYD_FAULTS
    fprintf(stderr, "plyd: %s: an answer for a caller needs reply_private() or no-store\n",
            request->route->pattern);
    abort();
#endif
    set_no_store(request);
}

/* A refusal, the answer to a write and what tells a secret are for one client and one time. What a
 * handler has said before it came to a refusal does not count. */
static void forbid_storing(struct request *request)
{
    if (request->reply.status >= 400 ||
        (request->method & (METHOD_GET | METHOD_HEAD | METHOD_OPTIONS)) == 0)
        set_no_store(request);
    else
        keep_private(request);
}

/* The headers that every answer has. The request is settled first, which adds the headers that tell
 * what is left of the quota. No browser is to guess that a text or JSON, in which may stand what
 * players have written, is something that it runs. A page of another site may ask, and its script
 * may see what is listed then. Only such answers carry the list, since each header costs time. */
void answer_finish(struct request *request)
{
    admission_settle(request);
    forbid_storing(request);
    reply_header(request, "Request-Id", request->id);
    reply_header(request, "Access-Control-Allow-Origin", "*");
    if (request->reply.type != NULL)
        reply_header(request, "X-Content-Type-Options", "nosniff");
    if (request_header(request, "Origin") != NULL)
        reply_header(request, "Access-Control-Expose-Headers",
                     "ETag, Link, Location, Retry-After, RateLimit, RateLimit-Cost, "
                     "RateLimit-Policy, Idempotent-Replayed, Preference-Applied, Deprecation, "
                     "Sunset, Record-Left-Out, "
                     "Request-Id");
    request->last = request->reply.stream != NULL || request->reply.endless || is_last(request);
    if (request->last)
        reply_header(request, "Connection", "close");
    metering_request(request);
}

static void write_head_line(struct out *head, const char *name, const char *value)
{
    out_add(head, name);
    out_add(head, ": ");
    out_add(head, value);
    out_add(head, "\r\n");
}

static bool has_length(const struct request *request)
{
    const struct reply *reply = &request->reply;

    return reply->stream == NULL && !reply->endless && reply->status != 204 && reply->status != 304;
}

/* The end of a stream is that of the connection, so it needs neither a length nor chunks. */
struct out answer_head(struct request *request)
{
    const struct reply *reply = &request->reply;
    time_t now = time(NULL);
    char date[32];
    struct tm utc;
    struct out head;

    strftime(date, sizeof(date), "%a, %d %b %Y %H:%M:%S GMT", gmtime_r(&now, &utc));
    out_init(&head, &request->arena);
    out_format(&head, "HTTP/1.1 %u %s\r\n", reply->status, mhd_reason(reply->status));
    write_head_line(&head, "Date", date);
    if (reply->type != NULL)
        write_head_line(&head, "Content-Type", reply->type);
    if (has_length(request))
        out_format(&head, "Content-Length: %zu\r\n", reply->len);
    for (size_t i = 0; i < reply->headers; i++)
        write_head_line(&head, reply->header[i].name, reply->header[i].value);
    out_add(&head, "\r\n");
    return head;
}
