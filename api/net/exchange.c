/* exchange.c - one request and its answer on a connection (parts.h).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>

#include "api/http/intake.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/route.h"
#include "api/loop/admission.h"
#include "api/loop/config.h"
#include "api/loop/loop.h"
#include "api/loop/metering.h"
#include "api/loop/metrics.h"
#include "api/loop/quota.h"
#include "api/net/parts.h"
#include "api/net/stream.h"
#include "api/text/out.h"

/* ---- headers ---- */

static bool is_outside(const struct request *request)
{
    return client_of(request)->connection == NULL;
}

static void each_header(const struct request *request,
                        void (*see)(void *args, const char *name, const char *value), void *args)
{
    const struct outside_request *outside = client_of(request)->outside;

    if (!is_outside(request)) {
        mhd_each_header(request, see, args);
        return;
    }
    for (size_t i = 0; i < outside->count; i++)
        see(args, outside->header[i].name, outside->header[i].value);
}

static const char *get_header(const struct request *request, const char *name)
{
    const struct outside_request *outside = client_of(request)->outside;

    if (!is_outside(request))
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

static const char *get_header_list(struct request *request, const char *name)
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
static struct outside_request *copy_headers(struct request *request)
{
    struct outside_request *outside = arena_zero(&request->arena, sizeof(*outside));
    struct copying copying = {&request->arena, outside};
    size_t count = 0;

    mhd_each_header(request, count_header, &count);
    outside->header = arena_zero(&request->arena, count * sizeof(*outside->header));
    mhd_each_header(request, copy_header, &copying);
    return outside;
}

/* ---- what a request asks of its connection ---- */

static bool get_peer(const struct request *request, struct quota_address *address)
{
    return quota_address_peer((const struct sockaddr *)&client_of(request)->address, address);
}

static int get_socket(const struct request *request)
{
    return client_of(request)->fd;
}

/* A request whose body still comes is answered at once, and outside: libmicrohttpd would close the
 * connection with bytes unread, which resets it, and the client might never see the answer. If
 * there is no descriptor for that, the connection is cut. */
static void answer_early(struct request *request)
{
    struct client *client = client_of(request);
    struct outside_request *outside = copy_headers(request);

    request->body_to_come = false;
    request->broken_off = true;
    large_queue_drop_body(request);
    if (!mhd_leave(client)) {
        shutdown(client->fd, SHUT_RDWR);
        if (request->suspended)
            mhd_resume(request);
        return;
    }
    client->framing.wrong = "The request was answered before its end.";
    client->outside = outside;
    request->suspended = true;
    outside_ready(net_of(request), client);
}

/* A request that is answered while it is worked on is not suspended: its caller sends the answer.
 * One that is at a worker is answered when it comes back (offload.c), for until then `loop` is not
 * set. */
static void on_answered(struct request *request)
{
    struct net *net;

    if (request->offloaded || !request->suspended)
        return;
    net = net_of(request);
    large_queue_answered(request, net->loop->now);
    if (request->body_to_come)
        answer_early(request);
    else if (is_outside(request))
        outside_ready(net, client_of(request));
    else
        mhd_resume(request);
}

/* A request cannot leave libmicrohttpd if that has read a part of another one behind it: these
 * bytes would be lost; or that is malformed, which is noticed inside. A request that has waited
 * outside once does not go there again. The headers are copied before it leaves, and nothing has
 * changed if there is no descriptor for it. */
static bool park(struct request *request)
{
    struct client *client = client_of(request);
    struct outside_request *outside;

    if (is_outside(request) || client->framing.requests > client->begun ||
        client->framing.wrong != NULL || framing_in_request(&client->framing))
        return false;
    outside = copy_headers(request);
    if (!mhd_leave(client))
        return false;
    client->outside = outside;
    request->suspended = true;
    request->parked = PARKED;
    outside_take(net_of(request), client);
    return true;
}

/* The request goes on in outside_attend() and not here, so this may be called from any callback.
 * From now on nobody tells its wait that the client has gone (PARKED_NO_MORE). */
static void unpark(struct request *request)
{
    request->parked = PARKED_NO_MORE;
    outside_ready(net_of(request), client_of(request));
}

static const struct request_source source = {
    .header = get_header,
    .header_list = get_header_list,
    .peer = get_peer,
    .socket = get_socket,
    .answered = on_answered,
    .park = park,
    .unpark = unpark,
};

/* ---- the beginning and the end ---- */

/* A request whose client has gone is charged, too. A stream that has no connection by now will
 * never have one: begin_stream() takes it off the reply if it begins. The arena ends with the
 * request, so all others let go of it first. */
static void end_request(struct net *net, struct request *request)
{
    if (request->reply.stream != NULL)
        stream_abandon(request->reply.stream);
    admission_settle(request);
    large_queue_end(request);
    request_end(&net->pool, request);
}

static void end_request_of(struct net *net, struct client *client)
{
    if (client->request != NULL)
        end_request(net, client->request);
    client->request = NULL;
    client->outside = NULL;
}

/* A request may be left that libmicrohttpd has refused by itself, for it does not tell of the end
 * of these. `begun` counts before anything can fail, since the framing is compared with it. The
 * address is copied, because take_query() cuts it, and with one byte more than is allowed, so that
 * one that is too long is noticed. */
static struct request *on_line(struct net *net, struct client *client, const char *url)
{
    struct request *request;

    client->begun++;
    end_request_of(net, client);
    clients_idle(&net->clients, client, net->loop->now);
    request = request_new(&net->pool);
    request->source = &source;
    request->loop = net->loop;
    request->route_number = METRICS_NO_ROUTE;
    request->connection = client;
    request->behind_proxy = net->loop->config->trusted_proxies > 0;
    request->url = arena_copy(&request->arena, url, strnlen(url, REQUEST_URL_MAX + 1));
    client->request = request;
    return request;
}

static void on_request_over(struct net *net, struct client *client)
{
    client->answered++;
    end_request_of(net, client);
    clients_rest(&net->clients, client, net->loop->now);
}

/* The caller closes the descriptor. A daemon that drains must not end before its last bytes have
 * arrived. */
static void on_end(struct net *net, struct client *client)
{
    end_request_of(net, client);
    if (net->loop->draining && linger_is_sending(client->fd))
        linger_add(&net->lingering, client->fd);
    clients_remove(&net->clients, client);
    addresses_remove(&net->addresses, client);
    free(client);
}

/* ---- reading a request ---- */

/* Nothing that stands behind such a request is taken for another one. */
static void refuse_malformed(struct request *request, const char *why)
{
    request->broken_off = true;
    reply_problem(request, PROBLEM_MALFORMED_REQUEST, why);
}

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
static bool heads_ok(struct request *request)
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

/* ---- working on it ---- */

/* Whether a request may be served, by what its head says. That it is malformed was looked at
 * before, since nothing else can be believed of such a request. A quota is only asked for a request
 * that may be handled. */
static bool admit(struct request *request)
{
    int bad = request_parse_url(request, request->url);

    if (!heads_ok(request))
        return false;
    if (bad == REQUEST_PATH_LONG)
        reply_problem(request, PROBLEM_URL_TOO_LONG, NULL);
    else if (bad == REQUEST_HOST_OTHER)
        refuse_malformed(request, "The address and Host name different hosts.");
    else if (bad == REQUEST_PATH_BAD)
        reply_problem(request, PROBLEM_BAD_PARAMETER,
                      "The path has a broken percent-escape, or is not UTF-8.");
    return request->reply.status == 0 && admission_ok(request);
}

/* The request is complete: it is refused, handed over, or waits for its turn. */
static void dispatch(struct request *request)
{
    const struct client *client = client_of(request);
    struct net *net = net_of(request);

    if (client->framing.requests < client->begun)
        refuse_malformed(request, client->framing.wrong);
    else if (request->body_too_large)
        reply_problem(request, PROBLEM_BODY_TOO_LARGE, NULL);
    else if ((request->admitted || admit(request)) &&
             large_queue_may_begin(&net->large_queue, request, net->loop->now))
        net->service->handle(request);
}

static void arrive_request(struct request *request, void *args)
{
    (void)args;
    request->arrived = request->loop->now;
    dispatch(request);
}

/* The request of which the first malformed byte is a part. libmicrohttpd may have seen nothing of
 * it, its first line, or its head. NULL: it was answered. */
static struct request *malformed_request(struct net *net, struct client *client)
{
    struct request *request = client->request;

    if (client->begun <= client->framing.requests)
        request = on_line(net, client, "");
    return request == NULL || request->reply.status != 0 ? NULL : request;
}

/* libmicrohttpd may not have shown its head (on_head()), so the request has no headers. */
static void leave_malformed(struct request *request)
{
    struct net *net = net_of(request);
    struct client *client = client_of(request);

    client->outside = arena_zero(&request->arena, sizeof(*client->outside));
    if (request->method == 0) {
        request->arrived = net->loop->now;
        request_choose_id(request, &net->last_id);
    }
    request->body_to_come = false;
    large_queue_drop_body(request);
    linger_discard(client->fd);
    request->suspended = true;
    request->broken_off = true;
    if (client->framing.too_long == FRAMING_ADDRESS_LONG)
        reply_problem(request, PROBLEM_URL_TOO_LONG, NULL);
    else if (client->framing.too_long == FRAMING_HEADERS_LONG)
        reply_problem(request, PROBLEM_HEADERS_TOO_LARGE, client->framing.wrong);
    else
        refuse_malformed(request, client->framing.wrong);
}

/* It has left already if it rested. */
static void on_malformed(struct net *net, struct client *client)
{
    struct request *request = malformed_request(net, client);

    if (request == NULL) {
        if (client->connection == NULL)
            outside_end(net, client);
        return;
    }
    if (client->connection == NULL || mhd_leave(client))
        leave_malformed(request);
}

/* What it costs goes to its account. While the loop ends, its database is closed already (loop->db
 * is NULL), so no handler may be called any more. */
static void work_on(struct request *request, void (*work)(struct request *request, void *args),
                    void *args)
{
    struct loop *loop = request->loop;

    metering_begin(loop);
    if (loop->ending)
        reply_problem(request, PROBLEM_OVERLOADED, "The daemon is stopping.");
    else
        work(request, args);
    metering_end(loop, request);
}

/* ---- a body ---- */

static void read_on(struct request *request, void *args)
{
    (void)args;
    request->admitted = true;
    if (request->suspended)
        mhd_resume(request);
}

static void welcome(struct request *request, void *args)
{
    (void)args;
    if (admit(request))
        net_of(request)->service->welcome(request, read_on);
}

/* Before a large body is read, it is known who sends it. That may have to be asked for. */
static enum net_head receive(struct request *request)
{
    request->body_to_come = true;
    work_on(request, welcome, NULL);
    if (request->reply.status == 0)
        return request->admitted ? NET_HEAD_TAKEN : NET_HEAD_LATER;
    answer_early(request);
    return NET_HEAD_REFUSED;
}

static enum net_head on_head(struct request *request, const char *method)
{
    struct net *net = net_of(request);
    const struct client *client = client_of(request);

    request->method = request_method(method);
    request->arrived = net->loop->now;
    clients_touch(&net->clients, client_of(request), net->loop->now);
    request_choose_id(request, &net->last_id);
    /* Both readers count. If libmicrohttpd has seen a head of which the framing has not found the
     * end, it has read the bytes in another way. */
    if (client->framing.heads < client->begun)
        refuse_malformed(request, client->framing.wrong);
    else if (!intake_begin(request, net->service->body_max(net->loop, request->url)))
        reply_problem(request, PROBLEM_BODY_TOO_LARGE, NULL);
    else if (request->body_most > REQUEST_BODY_MAX && !request->body_too_large)
        return receive(request);
    return request->reply.status == 0 ? NET_HEAD_TAKEN : NET_HEAD_REFUSED;
}

/* While the loop ends, nobody would resume the connection. */
static enum net_body on_request_body(struct request *request, const char *data, size_t len)
{
    struct net *net = net_of(request);

    if (!large_queue_may_take(&net->large_queue, request, len, net->loop->now))
        return net->loop->ending ? NET_BODY_CUT : NET_BODY_LATER;
    return intake_take(request, data, len) ? NET_BODY_TAKEN : NET_BODY_CUT;
}

void exchange_break_off(struct request *request, enum problem problem)
{
    if (!request->suspended)
        mhd_suspend(request);
    reply_problem(request, problem, NULL);
}

static void on_complete(struct request *request)
{
    request->body_to_come = false;
    work_on(request, arrive_request, NULL);
}

static void on_go_on(struct request *request)
{
    request->parked = NOT_PARKED;
    work_on(request, request->parking.back, request->parking.args);
}

/* ---- the answer ---- */

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

    return request->broken_off || (is_outside(request) && wants_no_more(request)) ||
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
static void finish_request(struct request *request)
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
                     "RateLimit-Policy, Idempotent-Replayed, Preference-Applied, Record-Left-Out, "
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
static struct out answer_head(struct request *request)
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

/* The head goes to the stream as its first bytes, so that they cannot be overtaken. If the stream
 * does not begin, it stays with the reply, and end_request() abandons it: the client sees a
 * connection that ends without an answer. */
static void begin_stream(struct request *request)
{
    struct out head = answer_head(request);

    out_bytes(&head, request->reply.body, request->reply.len);
    if (stream_begin(request->reply.stream, client_of(request)->fd, head.text, head.len))
        request->reply.stream = NULL;
}

/* The answer to HEAD where GET would be a stream. Of an answer without a length, libmicrohttpd says
 * a chunked body, and sends the end of it even to HEAD. So the head is sent here. It is sent once:
 * the kernel has room for it, unless the client lets that fill with answers, and then loses this
 * one. */
static void send_head(struct request *request)
{
    struct out head = answer_head(request);

    send(client_of(request)->fd, head.text, head.len, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static bool on_answer(struct request *request)
{
    bool is_stream = request->reply.stream != NULL;

    finish_request(request);
    if (is_stream)
        begin_stream(request);
    else if (request->reply.endless)
        send_head(request);
    return !is_stream && !request->reply.endless;
}

const struct net_events exchange_events = {
    .line = on_line,
    .head = on_head,
    .body = on_request_body,
    .complete = on_complete,
    .malformed = on_malformed,
    .go_on = on_go_on,
    .answer = on_answer,
    .answer_head = answer_head,
    .over = on_request_over,
    .end = on_end,
};
