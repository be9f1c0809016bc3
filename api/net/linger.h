/*
 * linger.h - connections that are closed but for the last bytes of their answers.
 *
 * After close(), the system goes on sending, but nobody knows until when, it stops if the client
 * sends another byte, and it stops with a container whose only process has ended. A daemon that
 * drains must not end before. All zero is an empty list; it belongs to its loop's thread.
 */
#ifndef PLYD_API_NET_LINGER_H
#define PLYD_API_NET_LINGER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct linger_list {
    int *fd;
    size_t count, size;
};

/* Whether the other end has not acknowledged everything that was given to a socket. */
bool linger_is_sending(int fd);

/* Drops what has come on a socket that nobody reads any more, up to a point: if it were left there,
 * close() would reset the connection, and the client might never see the answer. Returns how many
 * bytes that were; -1: the other end has closed the connection, or its side of it. */
ssize_t linger_discard(int fd);

/* Keeps a connection open until the other end has everything. The descriptor stays the caller's,
 * who may close it. */
void linger_add(struct linger_list *list, int fd);

/* Closes the connections whose other end has everything, or is gone. False if others are left. */
bool linger_done(struct linger_list *list);

/* Closes them all. */
void linger_close(struct linger_list *list);

#endif
