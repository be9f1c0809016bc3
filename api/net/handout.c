#include "api/net/handout.h"

#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "api/loop/loop.h"
#include "api/net/stream.h"
#include "api/net/tap.h"
#include "api/text/out.h"

/* What a parked request has instead of a connection of libmicrohttpd (parking.h). */
struct parked {
    struct request *request;
    struct parked *next;
    int fd;
    struct sockaddr_storage address;
    socklen_t address_len;
    struct out head; /* the request, written down again */
};

/* on_request() does the rest. It is called for a resumed connection, or this is called by it. */
bool handout_park(struct request *request)
{
    const struct client *client = connection_client(request->connection);

    if (client->framing.requests > client->begun || framing_in_request(&client->framing))
        return false; /* libmicrohttpd has read a part of another request, which would be lost */
    request->parked = PARKED_SOON;
    if (request->suspended) {
        connection_answer_first(connection_net(request), request->connection, true);
        connection_resume(request);
    }
    return true;
}

static void copy_address(struct parked *parked, const struct sockaddr *address)
{
    parked->address_len =
        address->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
    memcpy(&parked->address, address, parked->address_len);
}

static enum MHD_Result write_header(void *cls, enum MHD_ValueKind kind, const char *name,
                                    const char *value)
{
    struct out *head = cls;

    (void)kind;
    out_add(head, name);
    out_add(head, ":");
    out_add(head, value == NULL ? "" : value);
    out_add(head, "\r\n");
    return MHD_YES;
}

static void write_head(struct out *head, const struct request *request, const char *method,
                       const char *version)
{
    out_add(head, method);
    out_add(head, " ");
    out_add(head, request->url);
    out_add(head, " ");
    out_add(head, version);
    out_add(head, "\r\n");
    MHD_get_connection_values(request->connection, MHD_HEADER_KIND, write_header, head);
    out_add(head, "\r\n");
}

/* Takes the connection out of libmicrohttpd: the socket stays open under another descriptor, and
 * libmicrohttpd closes its own. That sends nothing, since MHD_USE_TURBO spares it the shutdown().
 * False: there is no descriptor left. */
bool handout_take(struct request *request, const char *method, const char *version)
{
    struct client *client = connection_client(request->connection);
    struct parked *parked = arena_zero(&request->arena, sizeof(*parked));

    parked->fd = parking_add(&connection_net(request)->parking, client->fd, request);
    if (parked->fd < 0)
        return false;
    parked->request = request;
    copy_address(parked,
                 MHD_get_connection_info(request->connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)
                     ->client_addr);
    out_init(&parked->head, &request->arena);
    write_head(&parked->head, request, method, version);
    client->request = NULL;
    client->parked = true;
    request->connection = parked;
    request->parked = PARKED;
    connection_net(request)->parked++;
    return true;
}

/* Gives a connection back to libmicrohttpd, as a new one, and has it read the request again: so it
 * knows the headers, and what kind of answer the client wants. */
static void hand_back(struct net *net, struct parked *parked)
{
    net->parked--;
    net->taken_back = parked;
    MHD_add_connection(net->daemon, parked->fd, (const struct sockaddr *)&parked->address,
                       parked->address_len);
    if (net->taken_back != NULL) /* it has closed the socket */
        connection_end_request(net, parked->request);
    net->taken_back = NULL;
}

/* Not from inside libmicrohttpd, which may tidy up its connections before it takes one. */
void handout_return_all(struct net *net)
{
    struct parked *parked = net->returning, *next;

    net->returning = NULL;
    net->last = &net->returning;
    for (; parked != NULL; parked = next) {
        next = parked->next;
        hand_back(net, parked);
    }
}

static void begin_to_return(struct net *net, struct parked *parked)
{
    parking_remove(&net->parking, parked->fd);
    *net->last = parked;
    net->last = &parked->next;
    net->resumed = true;
}

/* A request that was not parked yet is with on_request(), or will be. */
void handout_unpark(struct request *request)
{
    if (request->parked == PARKED)
        begin_to_return(connection_net(request), request->connection);
    request->parked = PARKED_NO_MORE;
}

/* The connection is that of a request that was parked, which libmicrohttpd reads again. */
void handout_replay(struct net *net, struct client *client, struct MHD_Connection *connection)
{
    struct parked *parked = net->taken_back;

    tap_replay(client->fd, parked->head.text, parked->head.len);
    client->request = parked->request;
    client->request->connection = connection;
    client->request->method = 0;
    net->taken_back = NULL;
}

/* ---- streams ---- */

static void write_line(struct out *head, const char *name, const char *value)
{
    out_add(head, name);
    out_add(head, ": ");
    out_add(head, value);
    out_add(head, "\r\n");
}

/* What a stream begins with. Its end is that of the connection, so it needs neither a length nor
 * chunks. */
static struct out stream_head(struct request *request)
{
    const struct reply *reply = &request->reply;
    time_t now = time(NULL);
    char date[32];
    struct tm utc;
    struct out head;

    strftime(date, sizeof(date), "%a, %d %b %Y %H:%M:%S GMT", gmtime_r(&now, &utc));
    out_init(&head, &request->arena);
    out_add(&head, "HTTP/1.1 200 OK\r\n");
    write_line(&head, "Date", date);
    write_line(&head, "Content-Type", reply->type);
    for (size_t i = 0; i < reply->headers; i++)
        write_line(&head, reply->header[i].name, reply->header[i].value);
    out_add(&head, "\r\n");
    out_bytes(&head, reply->body, reply->len);
    return head;
}

void handout_stream(struct request *request)
{
    struct client *client = connection_client(request->connection);
    struct out head = stream_head(request);

    client->parked = stream_begin(request->reply.stream, client->fd, head.text, head.len);
    if (client->parked)
        request->reply.stream = NULL;
}

/* Of an answer without a length, libmicrohttpd says a chunked body, and sends the end of it even
 * to HEAD. The kernel has room for a head: whoever lets it fill with answers loses this one. */
void handout_head(struct request *request)
{
    struct out head = stream_head(request);

    send(connection_client(request->connection)->fd, head.text, head.len,
         MSG_DONTWAIT | MSG_NOSIGNAL);
}
