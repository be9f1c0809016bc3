#include "api/http/wire.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "api/http/framing.h"
#include "api/text/must.h"

static _Thread_local struct {
    struct framing **of; /* by descriptor */
    size_t size;
} watched;

static void grow(size_t size)
{
    watched.of = must_realloc(watched.of, size * sizeof(*watched.of));
    memset(watched.of + watched.size, 0, (size - watched.size) * sizeof(*watched.of));
    watched.size = size;
}

void wire_watch(int fd, struct framing *framing)
{
    if ((size_t)fd >= watched.size)
        grow(2 * ((size_t)fd + 1));
    watched.of[fd] = framing;
}

void wire_forget(int fd)
{
    watched.of[fd] = NULL;
}

void wire_close(void)
{
    free(watched.of);
    watched.of = NULL;
    watched.size = 0;
}

/* recvfrom() without an address is the system call that libc's recv() makes. Bytes that are only
 * looked at (MSG_PEEK) come again. */
ssize_t recv(int fd, void *bytes, size_t size, int flags)
{
    ssize_t len = recvfrom(fd, bytes, size, flags, NULL, NULL);

    if (len > 0 && !(flags & MSG_PEEK) && (size_t)fd < watched.size && watched.of[fd] != NULL)
        framing_read(watched.of[fd], bytes, (size_t)len);
    return len;
}
