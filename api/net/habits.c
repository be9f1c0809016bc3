#include "api/net/habits.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "api/http/reply.h"
#include "api/http/request.h"
#include "api/loop/config.h"
#include "api/loop/loop.h"
#include "api/net/parts.h"
#include "api/text/must.h"

/* ---- a loop with one client ---- */

enum {
    RUNS = 3,            /* in which libmicrohttpd has done what it is going to do */
    PIECES = 100,        /* runs in which it has read a body */
    ANSWER_MAX = 4 << 10 /* bytes of an answer */
};

/* What the service of a probe does with a request. */
enum deed { DEED_ANSWER, DEED_SUSPEND, DEED_PARK, DEED_HOLD };

static _Thread_local struct {
    struct loop *loop;
    enum deed deed;
    int client; /* the client's end of its socket */
    char url[REQUEST_URL_MAX];
    struct request *request; /* that came last, and is not answered */
    void (*go_on)(struct request *request, void *args);
    size_t requests, body;
    char answer[ANSWER_MAX]; /* what the client has received */
} probe;

static size_t body_max(const struct loop *loop, const char *url)
{
    (void)loop;
    (void)url;
    return 1 << 20;
}

static void welcome(struct request *request, void (*go_on)(struct request *request, void *args))
{
    probe.request = request;
    probe.go_on = go_on;
    if (probe.deed != DEED_HOLD)
        go_on(request, NULL);
}

static void closed(struct request *request, void *args)
{
    (void)args;
    request_unpark(request);
}

static void back(struct request *request, void *args)
{
    (void)args;
    reply_text(request, 200, "back\n");
}

static void handle_habit_request(struct request *request)
{
    probe.requests++;
    probe.body = request->body_len;
    probe.request = request;
    strncpy(probe.url, request->url, sizeof(probe.url) - 1);
    if (probe.deed == DEED_ANSWER)
        reply_text(request, 200, "here\n");
    else if (probe.deed == DEED_PARK)
        request_park(request, (struct request_parking){closed, back, NULL});
}

/* The client sends this. */
static bool say(const char *text)
{
    return send(probe.client, text, strlen(text), MSG_NOSIGNAL) == (ssize_t)strlen(text);
}

/* What has come for the client by now. */
static const char *hear_habit(void)
{
    size_t len = strlen(probe.answer);
    ssize_t n =
        recv(probe.client, probe.answer + len, sizeof(probe.answer) - len - 1, MSG_DONTWAIT);

    if (n > 0)
        probe.answer[len + (size_t)n] = '\0';
    return probe.answer;
}

static bool hears(const char *text)
{
    return strstr(hear_habit(), text) != NULL;
}

/* Whether the other side has ended the connection. */
static bool is_closed(void)
{
    char byte;

    hear_habit();
    return recv(probe.client, &byte, 1, MSG_DONTWAIT) == 0;
}

static void run_habit(void)
{
    for (int i = 0; i < RUNS; i++) {
        net_wait(probe.loop->net, 0);
        net_run(probe.loop->net);
    }
}

static struct client *only_client(void)
{
    const struct clients *clients = &probe.loop->net->clients;

    return clients->idle.first != NULL   ? clients->idle.first
           : clients->busy.first != NULL ? clients->busy.first
                                         : clients->resting.first;
}

static void rest(void)
{
    probe.loop->now += 10 * INT64_C(1000000);
    run_habit();
}

/* ---- probes ---- */

#define GET "GET /a%2Fb?c=d HTTP/1.1\r\nHost: x\r\n\r\n"

/* If it read in another way, the end of no request would be known, and all would be refused. */
static bool reads_by_recv(void)
{
    say(GET);
    run_habit();
    return probe.requests == 1 && hears("here");
}

static bool tells_address_as_it_came(void)
{
    char request[4096] = "GET /a%2Fb?c=d", *at = request + strlen(request);

    for (int i = 0; i < 400; i++)
        at = stpcpy(at, "&p=%41");
    strcpy(at, " HTTP/1.1\r\nHost: x\r\n\r\n");
    say(request);
    run_habit();
    return probe.requests == 1 && strncmp(probe.url, "/a%2Fb?c=d&p=%41&", 17) == 0 && hears("here");
}

static bool long_poll_for_answers(void)
{
    probe.deed = DEED_SUSPEND;
    say(GET);
    run_habit();
    if (probe.requests != 1 || *hear_habit() != '\0')
        return false;
    reply_text(probe.request, 200, "later\n");
    run_habit();
    return hears("later");
}

static bool answers_half_closed(void)
{
    probe.deed = DEED_SUSPEND;
    say(GET);
    shutdown(probe.client, SHUT_WR);
    run_habit();
    if (probe.requests != 1)
        return false;
    reply_text(probe.request, 200, "still\n");
    run_habit();
    return hears("still") && is_closed();
}

/* Whether a descriptor is closed. */
static bool is_free(int fd)
{
    return fcntl(fd, F_GETFD) < 0;
}

static bool lets_waiting_go(void)
{
    int fd;

    probe.deed = DEED_PARK;
    say("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n");
    net_wait(probe.loop->net, 0);
    fd = only_client()->fd;
    run_habit();
    if (probe.requests != 1 || !is_free(fd) || *hear_habit() != '\0')
        return false;
    request_unpark(probe.request);
    run_habit();
    if (!hears("Content-Length: 5"))
        return false;
    probe.deed = DEED_ANSWER;
    say(GET);
    run_habit();
    return probe.requests == 2 && hears("here");
}

static bool lets_resting_go(void)
{
    int fd;

    say(GET);
    run_habit();
    fd = only_client()->fd;
    rest();
    if (!is_free(fd) || is_closed())
        return false;
    say(GET);
    run_habit();
    return probe.requests == 2 && !is_closed();
}

/* A body of this length waits for its turn before it is read (large_queue.h). */
static bool keeps_body_back(void)
{
    static char body[100000];
    size_t sent = 0;

    say("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n");
    run_habit();
    for (int i = 0; i < PIECES && probe.requests == 0; i++) {
        ssize_t n = send(probe.client, body + sent, sizeof(body) - sent, MSG_DONTWAIT);

        sent += n > 0 ? (size_t)n : 0;
        run_habit();
    }
    return probe.requests == 1 && probe.body == sizeof(body) && hears("here");
}

static bool holds_at_head(void)
{
    probe.deed = DEED_HOLD;
    say("PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n123\r\n0\r\n\r\n");
    run_habit();
    if (probe.requests != 0 || probe.go_on == NULL)
        return false;
    probe.deed = DEED_ANSWER;
    probe.go_on(probe.request, NULL);
    run_habit();
    return probe.requests == 1 && probe.body == 3 && hears("here");
}

static bool says_continue(void)
{
    say("PUT / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n");
    run_habit();
    if (probe.requests != 0 || !hears("HTTP/1.1 100 Continue\r\n\r\n"))
        return false;
    say("12345");
    run_habit();
    return probe.requests == 1 && probe.body == 5 && hears("here");
}

static bool joins_chunks(void)
{
    say("PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
    say("3;a=b\r\n123\r\n2\r\n45\r\n0\r\n\r\n");
    run_habit();
    return probe.requests == 1 && probe.body == 5 && hears("here") && !is_closed();
}

static bool answers_in_order(void)
{
    say(GET GET "GET /last HTTP/1.1\r\nHost: x\r\n\r\n");
    run_habit();
    return probe.requests == 3 && strcmp(probe.url, "/last") == 0 && hears("here\nHTTP/1.1 200");
}

/* ---- the habits ---- */

static const struct {
    struct habit habit;
    bool (*probe)(void);
} habits[] = {
    {{"recv", "does not read each byte of a connection with recv()"}, reads_by_recv},
    {{"first-line", "does not tell the address of a request as it came"}, tells_address_as_it_came},
    {{"order", "does not read on behind an answer"}, answers_in_order},
    {{"suspend", "does not leave a suspended connection alone until it is resumed"},
     long_poll_for_answers},
    {{"half-closed", "does not answer a client that has closed its side"}, answers_half_closed},
    {{"leave-waiting", "does not give up a connection whose request waits"}, lets_waiting_go},
    {{"leave-resting", "does not give up a connection that rests"}, lets_resting_go},
    {{"body", "does not offer a piece of a body again"}, keeps_body_back},
    {{"head", "does not tell of a head again at which the connection was suspended"},
     holds_at_head},
    {{"continue", "does not say 100 Continue"}, says_continue},
    {{"chunks", "does not join the chunks of a body"}, joins_chunks},
};

enum { HABITS = sizeof(habits) / sizeof(habits[0]) };

const struct habit *habits_at(size_t i)
{
    return i < HABITS ? &habits[i].habit : NULL;
}

const char *habits_version(void)
{
    return mhd_version();
}

/* A client is connected, and has sent nothing. */
static bool open_probe(void)
{
    static const struct config config = {.idle_s = 60, .connections = 16, .request_memory = 64};
    static const struct net_service service = {body_max, welcome, handle_habit_request};
    int ends[2];

    memset(&probe, 0, sizeof(probe));
    probe.loop = must_zero(sizeof(*probe.loop));
    probe.loop->config = &config;
    probe.loop->now = loop_clock_us();
    probe.loop->net = net_open(probe.loop, -1, &service);
    if (probe.loop->net == NULL ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) != 0)
        return false;
    probe.client = ends[0];
    outside_add(probe.loop->net, ends[1], &(struct sockaddr_storage){.ss_family = AF_UNIX});
    return true;
}

static void close_probe(void)
{
    probe.loop->ending = true;
    net_close(probe.loop->net);
    free(probe.loop);
    close(probe.client);
}

/* What has failed is left as it is: libmicrohttpd ends the process if it is closed with a
 * connection that it still has to do with. */
bool habits_has(size_t i)
{
    if (!open_probe() || !habits[i].probe())
        return false;
    close_probe();
    return true;
}

const struct habit *habits_missing(void)
{
    for (size_t i = 0; i < HABITS; i++)
        if (!habits_has(i))
            return &habits[i].habit;
    return NULL;
}
