#include "api/net/tap.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "api/net/clients.h"
#include "api/text/must.h"

struct tap {
    struct client *client;
    bool is_shut;
};

static _Thread_local struct {
    struct tap *of; /* by descriptor */
    size_t size;
} taps;

static void grow(size_t size)
{
    taps.of = must_realloc(taps.of, size * sizeof(*taps.of));
    memset(taps.of + taps.size, 0, (size - taps.size) * sizeof(*taps.of));
    taps.size = size;
}

void tap_open(int fd, struct client *client)
{
    if ((size_t)fd >= taps.size)
        grow(2 * ((size_t)fd + 1));
    taps.of[fd] = (struct tap){client, false};
}

struct client *tap_client(int fd)
{
    return (size_t)fd < taps.size ? taps.of[fd].client : NULL;
}

void tap_shut(int fd)
{
    taps.of[fd] = (struct tap){NULL, true};
}

void tap_forget(int fd)
{
    taps.of[fd] = (struct tap){NULL, false};
}

void tap_close(void)
{
    free(taps.of);
    taps.of = NULL;
    taps.size = 0;
}

/* Whether its request is complete, so that nothing more has to come before the answer. */
static bool waits(const struct client *client)
{
    return client->request != NULL && client->framing.requests >= client->begun;
}

/* Bytes that are only looked at (MSG_PEEK) come again. */
ssize_t tap_recv(int fd, void *bytes, size_t size, int flags)
{
    const struct tap *tap = &taps.of[fd];
    struct client *client = tap->client;
    ssize_t len;

    if (tap->is_shut)
        return 0;
    len = recv(fd, bytes, size, flags);
    if (client == NULL || (flags & MSG_PEEK) != 0)
        return len;
    if (len > 0)
        framing_read(&client->framing, bytes, (size_t)len);
    if (len != 0 || !waits(client))
        return len;
    client->half_closed = true;
    errno = EAGAIN;
    return -1;
}
