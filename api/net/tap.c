#include "api/net/tap.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "api/net/clients.h"
#include "api/text/must.h"

struct tap {
    struct client *client;
    struct tap_owner owner;
    bool is_shut;
    bool is_drained; /* the kernel will tell when there is something to read again */
    bool has_ended;  /* the client sends no more: what is read last is an end */
    bool is_watched; /* by the kernel */
    bool is_awaited; /* by libmicrohttpd, which gave `data` for it */
    bool is_listed;  /* among those of which something is to be told */
    uint32_t events; /* that libmicrohttpd was not told yet */
    epoll_data_t data;
};

static _Thread_local struct {
    struct tap *of; /* by descriptor */
    size_t size;
    int *told; /* of which something is to be told to libmicrohttpd */
    size_t count;
} taps;

static void grow_taps(size_t size)
{
    taps.of = must_realloc(taps.of, size * sizeof(*taps.of));
    taps.told = must_realloc(taps.told, size * sizeof(*taps.told));
    memset(taps.of + taps.size, 0, (size - taps.size) * sizeof(*taps.of));
    taps.size = size;
}

void tap_open(int fd, struct client *client, struct tap_owner owner)
{
    if ((size_t)fd >= taps.size)
        grow_taps(2 * ((size_t)fd + 1));
    taps.of[fd] = (struct tap){.client = client, .owner = owner};
}

struct client *tap_client(int fd)
{
    return (size_t)fd < taps.size ? taps.of[fd].client : NULL;
}

static bool is_shut(int fd)
{
    return (size_t)fd < taps.size && taps.of[fd].is_shut;
}

void tap_shut(int fd)
{
    taps.of[fd].client = NULL;
    taps.of[fd].is_shut = true;
}

static void take_off_list(int fd)
{
    size_t i = 0;

    while (taps.told[i] != fd)
        i++;
    taps.told[i] = taps.told[--taps.count];
}

/* The kernel would go on to watch what the socket stands for, which may have another descriptor.
 * libmicrohttpd takes it off its own set after this, and must succeed. */
void tap_forget(int fd)
{
    struct tap *tap = &taps.of[fd];

    if (tap->is_watched)
        epoll_ctl(tap->owner.epoll, EPOLL_CTL_DEL, fd, NULL);
    if (tap->is_listed)
        take_off_list(fd);
    *tap = (struct tap){.owner = tap->owner};
}

void tap_close(void)
{
    free(taps.of);
    free(taps.told);
    memset(&taps, 0, sizeof(taps));
}

/* ---- events ---- */

static void tell_tap(int fd)
{
    struct tap *tap = &taps.of[fd];

    if (tap->is_listed || !tap->is_awaited || tap->events == 0)
        return;
    tap->is_listed = true;
    taps.told[taps.count++] = fd;
}

void tap_event(int fd, uint32_t events)
{
    struct tap *tap = &taps.of[fd];

    tap->events |= events;
    tap->has_ended |= (events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0;
    tap->is_drained &= (events & EPOLLIN) == 0 && !tap->has_ended;
    tell_tap(fd);
}

/* libmicrohttpd asks for edges, so a socket may stay watched while it is not awaited: what is told
 * then is told on. */
int tap_epoll_ctl(int epoll, int op, int fd, struct epoll_event *event)
{
    struct epoll_event watched = {.data.u64 = TAP_EVENT(fd)};
    struct tap *tap = (size_t)fd < taps.size ? &taps.of[fd] : NULL;

    if (tap == NULL || tap->owner.malformed == NULL)
        return epoll_ctl(epoll, op, fd, event);
    tap->is_awaited = op != EPOLL_CTL_DEL;
    if (op == EPOLL_CTL_DEL)
        return 0;
    tap->data = event->data;
    tell_tap(fd);
    if (tap->is_watched && op == EPOLL_CTL_ADD)
        return 0;
    watched.events = event->events | EPOLLRDHUP;
    tap->is_watched = true;
    return epoll_ctl(tap->owner.epoll, op, fd, &watched);
}

int tap_epoll_wait(int epoll, struct epoll_event *events, int most, int timeout)
{
    int n = 0;

    if (taps.size == 0)
        return epoll_wait(epoll, events, most, timeout);
    while (n < most && taps.count > 0) {
        struct tap *tap = &taps.of[taps.told[--taps.count]];

        tap->is_listed = false;
        if (!tap->is_awaited)
            continue;
        events[n++] = (struct epoll_event){.events = tap->events, .data = tap->data};
        tap->events = 0;
    }
    return n;
}

bool tap_has_events(void)
{
    return taps.count > 0;
}

/* ---- reading ---- */

/* Whether its request is complete, so that nothing more has to come before the answer. */
static bool is_complete(const struct client *client)
{
    return client->request != NULL && client->framing.requests >= client->begun;
}

/* libmicrohttpd reads an end. */
static ssize_t refuse_tap(struct client *client, int fd)
{
    const struct tap_owner *owner = &taps.of[fd].owner;

    owner->malformed(owner->args, client);
    return 0;
}

/* Behind an answer libmicrohttpd reads at once. A reading that did not fill its buffer has taken
 * all there was, so what comes is told by the kernel before it need be read. An end that was told
 * with the bytes before it is not told again, so that is done here. */
static ssize_t read_from_tap(int fd, char *bytes, size_t size, int flags)
{
    struct tap *tap = &taps.of[fd];
    ssize_t len;

    if (tap->is_drained) {
        errno = EAGAIN;
        return -1;
    }
    len = recv(fd, bytes, size, flags);
    if (len > 0 && tap->has_ended)
        tap_event(fd, EPOLLIN);
    else if (len > 0 && (size_t)len < size && (flags & MSG_PEEK) == 0)
        tap->is_drained = true;
    return len;
}

/* libmicrohttpd takes a reading that does not fill its buffer for the last one, and waits until
 * more comes. So where bytes were taken out (framing.h), their place is filled with those behind
 * them; behind a complete request that has to wait, so it is told that there may be more. Bytes
 * that are only looked at (MSG_PEEK) come again. */
static ssize_t read_framed(struct client *client, int fd, char *bytes, size_t size, int flags)
{
    size_t kept = 0, asked;
    ssize_t len;

    do {
        if (client->framing.wrong != NULL)
            return kept > 0 ? (ssize_t)kept : refuse_tap(client, fd);
        asked = framing_may_read(&client->framing, size - kept);
        len = read_from_tap(fd, bytes + kept, asked, flags);
        if (len <= 0 || (flags & MSG_PEEK) != 0)
            return kept > 0 ? (ssize_t)kept : len;
        kept += framing_read(&client->framing, bytes + kept, (size_t)len);
    } while (kept == 0 || (kept < size && (size_t)len == asked && !is_complete(client)));
    if (kept < size && (size_t)len == asked)
        tap_event(fd, EPOLLIN);
    return (ssize_t)kept;
}

ssize_t tap_recv(int fd, void *bytes, size_t size, int flags)
{
    struct client *client = tap_client(fd);

    if (client == NULL)
        return is_shut(fd) ? 0 : recv(fd, bytes, size, flags);
    if (is_complete(client)) {
        errno = EINTR;
        return -1;
    }
    return read_framed(client, fd, bytes, size, flags);
}
