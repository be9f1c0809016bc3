#include "api/net/connection.h"

#include <netinet/in.h>
#include <string.h>
#include <strings.h>

#include "api/loop/admission.h"
#include "api/loop/config.h"
#include "api/loop/loop.h"
#include "api/loop/quota.h"
#include "api/net/stream.h"

struct net *connection_net(const struct request *request)
{
    return request->loop->net;
}

/* ---- what a request asks of its connection ---- */

const char *connection_header(const struct request *request, const char *name)
{
    return MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, name);
}

/* The values of the headers of a name. libmicrohttpd calls us for each header of the request. */
struct values {
    struct arena *arena;
    const char *name, *list;
};

static enum MHD_Result join_value(void *cls, enum MHD_ValueKind kind, const char *name,
                                  const char *value)
{
    struct values *values = cls;

    (void)kind;
    if (strcasecmp(name, values->name) != 0 || value == NULL)
        return MHD_YES;
    values->list =
        values->list == NULL ? value : arena_format(values->arena, "%s, %s", values->list, value);
    return MHD_YES;
}

const char *connection_header_list(struct request *request, const char *name)
{
    struct values values = {&request->arena, name, NULL};

    MHD_get_connection_values(request->connection, MHD_HEADER_KIND, join_value, &values);
    return values.list;
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

struct walk {
    struct connection_heads *heads;
    const char *value[SINGLES];
};

static void note_single(struct walk *walk, const char *name, const char *value)
{
    for (size_t i = 0; i < SINGLES; i++) {
        if (strcasecmp(name, single[i].name) != 0)
            continue;
        if (walk->value[i] != NULL && (single[i].once || strcmp(walk->value[i], value) != 0))
            walk->heads->twice = single[i].name;
        walk->value[i] = value;
        return;
    }
}

static enum MHD_Result note_header(void *cls, enum MHD_ValueKind kind, const char *name,
                                   const char *value)
{
    struct walk *walk = cls;

    (void)kind;
    if (value == NULL)
        value = "";
    walk->heads->bytes += strlen(name) + strlen(value);
    note_single(walk, name, value);
    return MHD_YES;
}

struct connection_heads connection_heads(const struct request *request)
{
    struct connection_heads heads = {0, NULL};
    struct walk walk = {.heads = &heads};

    MHD_get_connection_values(request->connection, MHD_HEADER_KIND, note_header, &walk);
    return heads;
}

bool connection_peer(const struct request *request, struct quota_address *address)
{
    return quota_address_peer(
        MHD_get_connection_info(request->connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)
            ->client_addr,
        address);
}

int connection_socket(const struct request *request)
{
    return MHD_get_connection_info(request->connection, MHD_CONNECTION_INFO_CONNECTION_FD)
        ->connect_fd;
}

/* Gives a connection a timeout of its own (`on`), or takes it back.
 *
 * A client may shut down its side of the connection once its request is sent, and still wait for
 * the answer. libmicrohttpd reads from a resumed connection before it asks us for the answer, finds
 * that end, and closes the connection. But before it reads from any connection, it attends to all
 * that have a timeout of their own, and asks those for their answers. So a connection has one from
 * the time when it is resumed until its answer is fetched. How long the timeout is does not matter,
 * only that it differs from the usual one. The list of such connections stays short. */
void connection_answer_first(struct net *net, struct MHD_Connection *connection, bool on)
{
    MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT,
                              (unsigned)net->loop->config->idle_s + on);
}

void connection_suspend(struct request *request)
{
    request->suspended = true;
    MHD_suspend_connection(request->connection);
}

void connection_resume(struct request *request)
{
    request->suspended = false;
    connection_net(request)->resumed = true;
    MHD_resume_connection(request->connection);
}

/* A request that is answered while it is handed over is not suspended: on_request() is still
 * waiting for its return and sends the answer itself. */
void connection_answered(struct request *request)
{
    if (request->offloaded || !request->suspended)
        return;
    connection_answer_first(connection_net(request), request->connection, true);
    turns_answered(request, connection_net(request)->loop->now);
    connection_resume(request);
}

struct client *connection_client(struct MHD_Connection *connection)
{
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

/* A request whose client has gone is charged, too. A stream that has no connection by now will
 * never have one. */
void connection_end_request(struct net *net, struct request *request)
{
    if (request->reply.stream != NULL)
        stream_abandon(request->reply.stream);
    admission_settle(request);
    turns_end(request);
    request_end(&net->pool, request);
}
