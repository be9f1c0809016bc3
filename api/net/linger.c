#include "api/net/linger.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "api/text/must.h"

enum { DISCARD_TIMES = 64 };

bool linger_is_sending(int fd)
{
    int bytes = 0;

    return ioctl(fd, SIOCOUTQ, &bytes) == 0 && bytes > 0;
}

void linger_add(struct linger_list *list, int fd)
{
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);

    if (copy < 0)
        return;
    shutdown(copy, SHUT_WR);
    if (list->count == list->size) {
        list->size = 2 * list->size + 8;
        list->fd = must_realloc(list->fd, list->size * sizeof(*list->fd));
    }
    list->fd[list->count++] = copy;
}

/* Takes what the client still sends: a connection that is closed with bytes unread is reset, and
 * loses what it has not sent. False if the connection broke. */
static bool take_lingering(int fd)
{
    char bytes[4096];
    ssize_t len = recv(fd, bytes, sizeof(bytes), MSG_DONTWAIT);

    return len >= 0 || errno == EAGAIN || errno == EINTR;
}

ssize_t linger_discard(int fd)
{
    ssize_t dropped = 0, len = 1;
    char bytes[4096];

    for (int i = 0; i < DISCARD_TIMES && len > 0; i++) {
        len = recv(fd, bytes, sizeof(bytes), MSG_DONTWAIT);
        if (len > 0)
            dropped += len;
    }
    return len == 0 || (len < 0 && errno != EAGAIN && errno != EINTR) ? -1 : dropped;
}

bool linger_done(struct linger_list *list)
{
    size_t left = 0;

    for (size_t i = 0; i < list->count; i++) {
        if (take_lingering(list->fd[i]) && linger_is_sending(list->fd[i]))
            list->fd[left++] = list->fd[i];
        else
            close(list->fd[i]);
    }
    list->count = left;
    return left == 0;
}

void linger_close(struct linger_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        close(list->fd[i]);
    free(list->fd);
    *list = (struct linger_list){NULL, 0, 0};
}
