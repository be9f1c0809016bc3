#include "api/net/tap.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "api/net/framing.h"
#include "api/text/must.h"

struct watched {
    struct framing *framing; /* NULL: the socket is not watched */
    const char *again;       /* bytes that come before those of the socket */
    size_t again_len;
};

static _Thread_local struct {
    struct watched *of; /* by descriptor */
    size_t size;
} watched;

static void grow(size_t size)
{
    watched.of = must_realloc(watched.of, size * sizeof(*watched.of));
    memset(watched.of + watched.size, 0, (size - watched.size) * sizeof(*watched.of));
    watched.size = size;
}

void tap_watch(int fd, struct framing *framing)
{
    if ((size_t)fd >= watched.size)
        grow(2 * ((size_t)fd + 1));
    watched.of[fd] = (struct watched){framing, NULL, 0};
}

void tap_forget(int fd)
{
    watched.of[fd] = (struct watched){NULL, NULL, 0};
}

void tap_replay(int fd, const char *bytes, size_t len)
{
    watched.of[fd].again = bytes;
    watched.of[fd].again_len = len;
}

void tap_close(void)
{
    free(watched.of);
    watched.of = NULL;
    watched.size = 0;
}

static ssize_t replay(struct watched *of, void *bytes, size_t size)
{
    size_t len = of->again_len < size ? of->again_len : size;

    memcpy(bytes, of->again, len);
    of->again += len;
    of->again_len -= len;
    return (ssize_t)len;
}

/* recvfrom() without an address is the system call that libc's recv() makes. Bytes that are only
 * looked at (MSG_PEEK) come again. */
ssize_t recv(int fd, void *bytes, size_t size, int flags)
{
    struct watched *of = (size_t)fd < watched.size ? &watched.of[fd] : NULL;
    ssize_t len = of != NULL && of->again_len > 0 ? replay(of, bytes, size)
                                                  : recvfrom(fd, bytes, size, flags, NULL, NULL);

    if (len > 0 && !(flags & MSG_PEEK) && of != NULL && of->framing != NULL)
        framing_read(of->framing, bytes, (size_t)len);
    return len;
}
