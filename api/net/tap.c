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
    struct tap_owner owner;
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

void tap_open(int fd, struct client *client, struct tap_owner owner)
{
    if ((size_t)fd >= taps.size)
        grow(2 * ((size_t)fd + 1));
    taps.of[fd] = (struct tap){client, owner, false};
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
    taps.of[fd] = (struct tap){.is_shut = true};
}

void tap_forget(int fd)
{
    taps.of[fd] = (struct tap){.is_shut = false};
}

void tap_close(void)
{
    free(taps.of);
    taps.of = NULL;
    taps.size = 0;
}

/* Whether its request is complete, so that nothing more has to come before the answer. */
static bool is_complete(const struct client *client)
{
    return client->request != NULL && client->framing.requests >= client->begun;
}

/* libmicrohttpd reads an end. */
static ssize_t refuse(struct client *client, int fd)
{
    const struct tap_owner *owner = &taps.of[fd].owner;

    owner->malformed(owner->args, client);
    return 0;
}

/* libmicrohttpd takes a reading that does not fill its buffer for the last one, and waits until
 * more comes. So where bytes were taken out (framing.h), their place is filled with those behind
 * them. Bytes that are only looked at (MSG_PEEK) come again. */
static ssize_t read_framed(struct client *client, int fd, char *bytes, size_t size, int flags)
{
    size_t kept = 0, asked;
    ssize_t len;

    do {
        if (client->framing.wrong != NULL)
            return kept > 0 ? (ssize_t)kept : refuse(client, fd);
        asked = size - kept;
        len = recv(fd, bytes + kept, asked, flags);
        if (len <= 0 || (flags & MSG_PEEK) != 0)
            return kept > 0 ? (ssize_t)kept : len;
        kept += framing_read(&client->framing, bytes + kept, (size_t)len);
    } while (kept == 0 || (kept < size && (size_t)len == asked && !is_complete(client)));
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
