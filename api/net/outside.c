/* outside.c - connections that are outside libmicrohttpd: idle ones, and long polls (parts.h).
 *
 * libmicrohttpd holds some seventeen kilobytes for each connection, and walks over all suspended
 * ones whenever one of them goes on. So a connection is there while a request is read and answered.
 * Before, behind and in a long wait, the kernel watches its socket, together with all others. */
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "api/loop/config.h"
#include "api/loop/log.h"
#include "api/loop/loop.h"
#include "api/loop/metrics.h"
#include "api/net/parts.h"
#include "api/net/stream.h"
#include "api/text/must.h"

enum {
    ACCEPTS_MAX = 64,     /* clients that are accepted in one run */
    WAITING_MAX = 5000,   /* clients that are accepted when it ends */
    DEAF_US = 100000,     /* if the system has no descriptor for a client */
    DROPPED_MAX = 2 << 20 /* bytes that are read behind a request that was refused */
};

/* ---- watching ---- */

/* What is to be told of a socket; 0: nothing. False: it cannot be watched. It is told again and
 * again until it is dealt with, so a caller asks only for what it will deal with. */
static bool watch_outside(struct net *net, struct client *client, uint32_t events)
{
    struct epoll_event event = {.events = events, .data.ptr = client};
    int op = events == 0 ? EPOLL_CTL_DEL : client->watched ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;

    if (events == 0 && !client->watched)
        return true;
    client->watched = events != 0;
    return epoll_ctl(net->epoll, op, client->fd, &event) == 0;
}

static void listen_again(struct net *net)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &net->listener};

    net->deaf_until = 0;
    epoll_ctl(net->epoll, EPOLL_CTL_ADD, net->listener, &event);
}

/* No descriptor is left, so the clients that have connected stay in the kernel's queue. The
 * listening socket is not watched for a while, or it would be reported in every pass, and the loop
 * would spin. */
static void be_deaf(struct net *net)
{
    if (net->deaf_until == 0)
        epoll_ctl(net->epoll, EPOLL_CTL_DEL, net->listener, NULL);
    net->deaf_until = net->loop->now + DEAF_US;
}

void outside_open(struct net *net, int listener)
{
    net->last = &net->ready;
    net->listener = listener;
    if (listener >= 0)
        listen_again(net);
}

/* ---- coming and going ---- */

/* The socket is taken off before it is closed. Its first descriptor may still be open in
 * libmicrohttpd (mhd_leave()) or in a linger_list, and the kernel would go on to tell of a client
 * that is freed. The number is kept, for the client is freed by its `end`. */
void outside_end(struct net *net, struct client *client)
{
    int fd = client->fd;

    watch_outside(net, client, 0);
    net->events->end(net, client);
    close(fd);
}

/* It rests, or has not sent anything yet. Without a watch nobody would ever hear of it. */
static void await_request(struct net *net, struct client *client)
{
    if (!watch_outside(net, client, EPOLLIN | EPOLLRDHUP))
        outside_end(net, client);
}

/* Whose connections are counted (addresses.h). */
static bool address_is_counted(const struct net *net, const struct sockaddr_storage *address,
                               struct quota_address *counted)
{
    return net->loop->config->trusted_proxies == 0 &&
           quota_address_peer((const struct sockaddr *)address, counted) && !counted->loopback;
}

size_t outside_count(const struct net *net)
{
    return clients_count(&net->clients) + streams_count(streams_of(net->loop));
}

/* Its end comes as if the client had closed the connection. It is not ended here: what is told of
 * it in the same batch of events may still follow. */
static bool give_way(struct net *net, struct client *client)
{
    if (client == NULL)
        return false;
    shutdown(client->fd, SHUT_RDWR);
    client->cut = true;
    clients_touch(&net->clients, client, net->loop->now);
    return true;
}

const char *net_cut_name(enum net_cut why)
{
    static const char *const names[NET_CUTS] = {
        [NET_CUT_IDLE] = "idle", [NET_CUT_ADDRESS] = "address", [NET_CUT_FULL] = "full"};

    return names[why];
}

static size_t most_of_address(const struct net *net)
{
    long most = net->loop->config->connections_address;

    return most > 0 ? (size_t)most : net->places / 4;
}

static bool address_is_full(const struct net *net, const struct sockaddr_storage *address,
                            struct quota_address *counted)
{
    return address_is_counted(net, address, counted) &&
           addresses_count(&net->addresses, counted) >= most_of_address(net);
}

/* Whether one more may come from an address. Another one may have to give way: one of the same
 * address if that has as many as it may. The one that is cut is counted, be it this one. */
static bool has_place(struct net *net, const struct sockaddr_storage *address)
{
    struct quota_address counted;
    enum net_cut why;
    bool gives_way;

    if (address_is_full(net, address, &counted)) {
        gives_way = give_way(net, addresses_least(&net->addresses, &counted));
        why = NET_CUT_ADDRESS;
    } else if (outside_count(net) >= net->places) {
        gives_way = give_way(net, clients_least(&net->clients, net->loop->now));
        why = gives_way ? NET_CUT_IDLE : NET_CUT_FULL;
    } else {
        return true;
    }
    metrics_add(&net->loop->metrics.connections_cut[why], 1);
    log_event(LOG_DEBUG, "connection-cut", "because", net_cut_name(why), NULL);
    return gives_way;
}

void outside_add(struct net *net, int fd, const struct sockaddr_storage *address)
{
    struct quota_address counted;
    struct client *client;

    /* One too many is closed and not left in the queue, where it would be reported again. */
    if (!has_place(net, address)) {
        close(fd);
        return;
    }
    client = must_zero(sizeof(*client));
    client->fd = fd;
    memcpy(&client->address, address, sizeof(client->address));
    if (address_is_counted(net, address, &counted))
        addresses_add(&net->addresses, &counted, client);
    clients_add(&net->clients, client, net->loop->now);
    await_request(net, client);
}

/* False: nobody else can be accepted now. */
static bool accept_one(struct net *net)
{
    struct sockaddr_storage address;
    socklen_t len = sizeof(address);
    int fd =
        accept4(net->listener, (struct sockaddr *)&address, &len, SOCK_NONBLOCK | SOCK_CLOEXEC);

    if (fd < 0) {
        if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
            be_deaf(net);
        return errno == EINTR || errno == ECONNABORTED;
    }
    outside_add(net, fd, &address);
    return true;
}

static void accept_some(struct net *net, int most)
{
    while (most-- > 0 && accept_one(net))
        ;
}

/* Clients in the queue have a connection as far as they know, and may have sent a request. To close
 * the listening socket would reset them. So they are taken in first. */
void outside_quiesce(struct net *net)
{
    if (net->listener < 0)
        return;
    accept_some(net, WAITING_MAX);
    epoll_ctl(net->epoll, EPOLL_CTL_DEL, net->listener, NULL);
    net->listener = -1;
    net->deaf_until = 0;
}

void outside_take(struct net *net, struct client *client)
{
    /* Of a request that waits, only the end is of interest: bytes of a next one stay in the kernel
     * until the answer is sent, and would be told of again and again. */
    if (client->request == NULL) {
        clients_idle(&net->clients, client, net->loop->now);
        await_request(net, client);
    } else {
        clients_touch(&net->clients, client, net->loop->now);
        watch_outside(net, client, EPOLLRDHUP);
    }
}

/* It has sent something, or has closed the connection, or its side of it without a request. */
static void come_in(struct net *net, struct client *client)
{
    char byte;

    if (recv(client->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) <= 0) {
        outside_end(net, client);
        return;
    }
    /* libmicrohttpd watches it from now on. If it does not take the connection, it has closed the
     * socket. */
    watch_outside(net, client, 0);
    if (mhd_enter(net, client))
        net->has_work = true;
    else
        net->events->end(net, client);
}

/* ---- answers ---- */

/* The head and the body, as far as they were not sent. HEAD has no body. */
static int rest_of_answer(const struct client *client, struct iovec part[2])
{
    const struct request *request = client->request;
    const struct out *head = &client->outside->head;
    size_t body = request->method == METHOD_HEAD ? 0 : request->reply.len;
    size_t skip = client->sent < head->len ? 0 : client->sent - head->len;
    size_t from = client->sent < head->len ? client->sent : head->len;

    part[0] = (struct iovec){head->text + from, head->len - from};
    part[1] = (struct iovec){(char *)(uintptr_t)request->reply.body + skip, body - skip};
    return part[0].iov_len + part[1].iov_len > 0 ? 2 : 0;
}

/* Its client may still send the rest of a request that was refused. If the connection were closed
 * with that unread, it would be reset, and the answer lost. */
static void await_end(struct net *net, struct client *client)
{
    client->leaving = true;
    client->sent = 0;
    shutdown(client->fd, SHUT_WR);
    await_request(net, client);
}

static void drop_what_comes(struct net *net, struct client *client)
{
    ssize_t dropped = linger_discard(client->fd);

    if (dropped >= 0)
        client->sent += (size_t)dropped;
    if (dropped < 0 || client->sent > DROPPED_MAX)
        outside_end(net, client);
}

static void answer_is_sent(struct net *net, struct client *client)
{
    /* Read before the request is over. */
    bool last = client->request->last, broken_off = client->request->broken_off;

    net->events->over(net, client);
    clients_idle(&net->clients, client, net->loop->now);
    if (broken_off)
        await_end(net, client);
    else if (last)
        outside_end(net, client);
    else
        await_request(net, client);
}

/* What the socket does not take goes out when it has room: attend_event() comes here again. A
 * client that does not take it is cut by net_cut_idle(), since its request is not suspended any
 * more. */
static void send_rest(struct net *net, struct client *client)
{
    struct iovec part[2];
    struct msghdr message = {.msg_iov = part, .msg_iovlen = 2};
    ssize_t len = 0;

    while (rest_of_answer(client, part) > 0) {
        len = sendmsg(client->fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (len < 0)
            break;
        client->sent += (size_t)len;
    }
    if (len >= 0)
        answer_is_sent(net, client);
    else if ((errno != EAGAIN && errno != EINTR) || !watch_outside(net, client, EPOLLOUT))
        outside_end(net, client);
}

static void send_answer(struct net *net, struct client *client)
{
    struct request *request = client->request;

    /* A stream has a descriptor of its own by now, so this one is closed and the connection goes
     * on. */
    if (!net->events->answer(request)) {
        outside_end(net, client);
        return;
    }
    client->outside->head = answer_head(request);
    client->sent = 0;
    clients_touch(&net->clients, client, net->loop->now);
    send_rest(net, client);
}

/* ---- requests that go on ---- */

/* Its end is not told of any more: the request is on its way to its answer. It stays suspended
 * until go_on_outside(), so net_cut_idle() does not free a client that is in the list. */
void outside_ready(struct net *net, struct client *client)
{
    watch_outside(net, client, 0);
    net->has_work = true;
    if (client->ready)
        return;
    client->ready = true;
    client->next_ready = NULL;
    *net->last = client;
    net->last = &client->next_ready;
}

/* It is not suspended while it is worked on, so that on_answered() leaves the answer to this
 * function. */
static void go_on_outside(struct net *net, struct client *client)
{
    struct request *request = client->request;

    request->suspended = false;
    if (request->parked == PARKED_NO_MORE)
        net->events->go_on(request);
    if (request_is_answered(request))
        send_answer(net, client);
    else
        request->suspended = true;
}

/* The list is taken off first. Those that become ready meanwhile come in the next pass, or a
 * request that wakes another could go round here for ever. */
void outside_attend(struct net *net)
{
    struct client *client = net->ready, *next;

    if (net->deaf_until != 0 && net->deaf_until <= net->loop->now)
        listen_again(net);
    net->ready = NULL;
    net->last = &net->ready;
    for (; client != NULL; client = next) {
        next = client->next_ready;
        client->ready = false;
        go_on_outside(net, client);
    }
}

/* ---- all of them ---- */

/* A request that is suspended and not parked any more is being worked on. What was told of it is
 * from before outside_ready(), in the same batch of events, and is late. */
static void attend_event(struct net *net, struct client *client)
{
    struct request *request = client->request;

    if (client->leaving)
        drop_what_comes(net, client);
    else if (request == NULL)
        come_in(net, client);
    else if (request->parked == PARKED)
        request->parking.closed(request, request->parking.args);
    else if (!request->suspended)
        send_rest(net, client);
}

void outside_event(struct net *net, void *what)
{
    if (what == &net->listener)
        accept_some(net, ACCEPTS_MAX);
    else
        attend_event(net, what);
}

static void end_all(struct net *net, const struct client_list *list)
{
    while (list->first != NULL)
        outside_end(net, list->first);
}

void outside_close(struct net *net)
{
    end_all(net, &net->clients.idle);
    end_all(net, &net->clients.busy);
    end_all(net, &net->clients.resting);
}
