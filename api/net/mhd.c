/* mhd.c - libmicrohttpd: the one file that names it. */
#include <fcntl.h>
#include <microhttpd.h>
#include <string.h>

#include "api/loop/config.h"
#include "api/loop/loop.h"
#include "api/net/parts.h"
#include "api/net/tap.h"

enum {
    CONNECTION_POOL = 16 << 10, /* bytes for headers; cleared for each request, so they are few */
    RUNS_MAX = 2                /* at a time */
};

/* All is done by the loop's thread. Since 0.9.77, libmicrohttpd wants that to be said: otherwise a
 * connection that is added waits until another thread might have looked at it. */
#if MHD_VERSION >= 0x00097707
enum { ONE_THREAD = MHD_USE_NO_THREAD_SAFETY };
#else
enum { ONE_THREAD = 0 };
#endif

/* What is malformed is found by framing.h, and refused by us in words that our clients know. So
 * libmicrohttpd is to be as tolerant as it can. Older versions always are. */
static struct MHD_OptionItem tolerance[] = {
#if MHD_VERSION >= 0x00097701
    {MHD_OPTION_CLIENT_DISCIPLINE_LVL, -3, NULL},
#endif
    {MHD_OPTION_END, 0, NULL},
};

static int socket_of(struct MHD_Connection *connection)
{
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
}

/* ---- a connection ---- */

/* At the end of a connection a request may be left over: one that libmicrohttpd refused by itself
 * after its first line. on_request() never saw that, so on_completed() is not called.
 *
 * A socket without a client is one that its client has left (mhd_leave()). It is forgotten all the
 * same, since its number will be that of another connection soon. */
static void on_connection(void *cls, struct MHD_Connection *connection, void **context,
                          enum MHD_ConnectionNotificationCode code)
{
    struct net *net = cls;
    int fd = socket_of(connection);
    struct client *client = tap_client(fd);

    (void)context;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        client->connection = connection;
        return;
    }
    tap_forget(fd);
    if (client != NULL)
        net->events->end(net, client);
}

/* libmicrohttpd reads at this moment, and is told an end. */
static void on_malformed(void *args, struct client *client)
{
    struct net *net = args;

    net->events->malformed(net, client);
}

bool mhd_enter(struct net *net, struct client *client)
{
    const struct sockaddr *address = (const struct sockaddr *)&client->address;
    socklen_t len =
        address->sa_family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6);

    /* Before libmicrohttpd has it: on_connection() asks for the client of the socket. */
    tap_open(client->fd, client, (struct tap_owner){on_malformed, net, net->epoll});
    if (MHD_add_connection(net->daemon, client->fd, address, len) == MHD_YES)
        return true;
    tap_forget(client->fd);
    return false;
}

void mhd_suspend(struct request *request)
{
    request->suspended = true;
    MHD_suspend_connection(client_of(request)->connection);
}

/* The connection goes on only in the next mhd_run(). `has_work` has that come in the same pass of
 * the loop. */
void mhd_resume(struct request *request)
{
    request->suspended = false;
    net_of(request)->has_work = true;
    MHD_resume_connection(client_of(request)->connection);
}

/* libmicrohttpd reads from a connection that was resumed, and what it reads is the end
 * (tap_shut()). It closes its descriptor then, which sends nothing, since MHD_USE_TURBO spares it
 * the shutdown(). A request that is neither suspended nor over is with on_request(), which has the
 * connection closed, or is malformed, and the end is what is read at this moment.
 *
 * The second descriptor is made first: if there is none, nothing has changed. */
bool mhd_leave(struct client *client)
{
    const struct request *request = client->request;
    int fd = fcntl(client->fd, F_DUPFD_CLOEXEC, 0);

    if (fd < 0)
        return false;
    tap_shut(client->fd);
    if (request == NULL)
        MHD_suspend_connection(client->connection);
    if (request == NULL || request->suspended)
        MHD_resume_connection(client->connection);
    client->connection = NULL;
    client->fd = fd;
    return true;
}

/* ---- headers ---- */

const char *mhd_header(const struct request *request, const char *name)
{
    return MHD_lookup_connection_value(client_of(request)->connection, MHD_HEADER_KIND, name);
}

struct seeing {
    void (*see)(void *args, const char *name, const char *value);
    void *args;
};

static enum MHD_Result on_header(void *cls, enum MHD_ValueKind kind, const char *name,
                                 const char *value)
{
    const struct seeing *seeing = cls;

    (void)kind;
    seeing->see(seeing->args, name, value == NULL ? "" : value);
    return MHD_YES;
}

void mhd_each_header(const struct request *request,
                     void (*see)(void *args, const char *name, const char *value), void *args)
{
    struct seeing seeing = {see, args};

    MHD_get_connection_values(client_of(request)->connection, MHD_HEADER_KIND, on_header, &seeing);
}

const char *mhd_reason(unsigned status)
{
    return MHD_get_reason_phrase_for(status);
}

const char *mhd_version(void)
{
    return MHD_get_version();
}

/* ---- a request ---- */

/* Takes the query away from libmicrohttpd, in whose buffer the address lies, and which parses it
 * after this. It would list each parameter in the memory for the connection, which some three
 * hundred of them fill, and then close the connection without an answer. We read the query from a
 * copy of our own. */
static void take_query(const char *url)
{
    char *query = strchr(url, '?');

    if (query != NULL)
        query[1] = '\0';
}

/* The first line of a request has come. What is returned is `*memory` in the calls that follow.
 *
 * The request is made here, and not when its headers are complete, for two reasons. The address is
 * still as the client sent it, while on_request() gets it decoded by rules that are not ours. And
 * the client's next stage begins here, so that slow headers are counted against the request. */
static void *on_url(void *cls, const char *url, struct MHD_Connection *connection)
{
    struct net *net = cls;
    struct client *client = tap_client(socket_of(connection));
    struct request *request = net->events->line(net, client, url);

    take_query(url);
    return request;
}

/* The body is not copied: it lies in the request's arena or is static, and the request is ended
 * only after the answer was sent. */
static enum MHD_Result queue_reply(struct MHD_Connection *connection, const struct reply *reply)
{
    struct MHD_Response *response = MHD_create_response_from_buffer(
        reply->len, (void *)(uintptr_t)reply->body, MHD_RESPMEM_PERSISTENT);
    enum MHD_Result result;

    if (response == NULL)
        return MHD_NO;
    if (reply->type != NULL)
        MHD_add_response_header(response, "Content-Type", reply->type);
    for (size_t i = 0; i < reply->headers; i++)
        MHD_add_response_header(response, reply->header[i].name, reply->header[i].value);
    result = MHD_queue_response(connection, reply->status, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result send_reply(struct MHD_Connection *connection, struct request *request)
{
    return net_of(request)->events->answer(request) ? queue_reply(connection, &request->reply)
                                                    : MHD_NO;
}

static enum MHD_Result take_head(struct request *request, const char *method)
{
    struct client *client = client_of(request);

    switch (net_of(request)->events->head(request, method)) {
    case NET_HEAD_LATER:
        client->head_again = true;
        mhd_suspend(request);
        return MHD_YES;
    case NET_HEAD_TAKEN:
        return MHD_YES;
    case NET_HEAD_REFUSED:
    default:
        return client->connection == NULL ? MHD_NO : send_reply(client->connection, request);
    }
}

static enum MHD_Result take_body(struct request *request, const char *data, size_t *size)
{
    switch (net_of(request)->events->body(request, data, *size)) {
    /* *size stays: nothing was taken, and all of it is offered again. */
    case NET_BODY_LATER:
        mhd_suspend(request);
        return MHD_YES;
    case NET_BODY_TAKEN:
        *size = 0;
        return MHD_YES;
    case NET_BODY_CUT:
    default:
        return MHD_NO;
    }
}

/* libmicrohttpd calls this several times for one request:
 *   1. when the headers are complete. An answer now would mean that the body is not wanted, so the
 *      call only returns MHD_YES, even if the request could be answered already. If the body is
 *      large, the connection may be suspended until it is known who sends it, and the call is
 *      repeated when it was resumed;
 *   2. for each piece of the body. One that is not taken yet is offered again once the connection,
 *      which is suspended, was resumed;
 *   3. when the body is complete. The request is handed over. If that does not answer it, the
 *      connection is suspended, and libmicrohttpd leaves it alone until it is resumed;
 *   4. after that, for the answer.
 * A request that waits for long has left with its connection by the end of the third call, and one
 * that was refused for its head by the end of the first. What is left here is closed. */
static enum MHD_Result on_request(void *cls, struct MHD_Connection *connection, const char *url,
                                  const char *method, const char *version, const char *data,
                                  size_t *size, void **memory)
{
    const struct net *net = cls;
    struct request *request = *memory;

    (void)url;
    (void)version;
    if (request == NULL || tap_client(socket_of(connection)) == NULL)
        return MHD_NO;
    if (request->method == 0)
        return take_head(request, method);
    if (client_of(request)->head_again) {
        client_of(request)->head_again = false;
        return MHD_YES;
    }
    if (*size > 0)
        return take_body(request, data, size);
    if (request->reply.status == 0) {
        net->events->complete(request);
        /* The request waits outside by now. MHD_NO closes what it has left here. */
        if (client_of(request)->connection == NULL)
            return MHD_NO;
        if (!request_is_answered(request)) {
            mhd_suspend(request);
            return MHD_YES;
        }
    }
    return send_reply(connection, request);
}

/* The answer was sent, or the connection broke, or the request has left with it. */
static void on_completed(void *cls, struct MHD_Connection *connection, void **memory,
                         enum MHD_RequestTerminationCode code)
{
    struct net *net = cls;
    struct client *client = tap_client(socket_of(connection));

    (void)code;
    *memory = NULL;
    if (client != NULL)
        net->events->over(net, client);
}

/* ---- the whole ---- */

/* Without threads of its own, libmicrohttpd works only inside mhd_run(). MHD_USE_TURBO: it reads
 * and writes at once, without asking first whether the socket is ready. The limit is never reached:
 * outside.c keeps to that of the settings, and connections that leave may be there for one more
 * run. Times are ours, too (clients.h). */
bool mhd_open(struct net *net)
{
    net->daemon = MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_TURBO | MHD_USE_NO_LISTEN_SOCKET |
            ONE_THREAD,
        0, NULL, NULL, on_request, net, MHD_OPTION_URI_LOG_CALLBACK, on_url, net,
        MHD_OPTION_NOTIFY_COMPLETED, on_completed, net, MHD_OPTION_NOTIFY_CONNECTION, on_connection,
        net, MHD_OPTION_CONNECTION_LIMIT, 2 * (unsigned)net->loop->config->connections,
        MHD_OPTION_ARRAY, tolerance, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_POOL,
        MHD_OPTION_END);
    return net->daemon != NULL;
}

/* libmicrohttpd tells of the end of each connection that it still has, and that needs the taps. */
void mhd_close(struct net *net)
{
    MHD_stop_daemon(net->daemon);
    tap_close();
}

int mhd_timeout_ms(const struct net *net)
{
    MHD_UNSIGNED_LONG_LONG ms;

    if (tap_has_events())
        return 0;
    return MHD_get_timeout(net->daemon, &ms) == MHD_NO ? -1 : (int)ms;
}

/* It is done when it would wait: behind an answer it looks for the next request, and a body is read
 * piece by piece. Other connections have their turn between, so that is bounded. */
void mhd_run(struct net *net)
{
    for (int i = 0; i < RUNS_MAX && (i == 0 || mhd_timeout_ms(net) == 0); i++)
        MHD_run(net->daemon);
}
