/*
 * parking.h - sockets of connections that libmicrohttpd has handed out, because their requests wait
 * for long.
 *
 * libmicrohttpd walks over all suspended connections whenever one of them goes on, so thousands of
 * them would be paid for by every request beside them. A socket that is parked costs nothing until
 * the other end closes it. That is told at once: the kernel watches all of them together. A parking
 * belongs to one loop and its thread.
 */
#ifndef PLYD_API_NET_PARKING_H
#define PLYD_API_NET_PARKING_H

#include <stdbool.h>

struct request;

struct parking {
    int epoll;
};

/* False if the system gives no descriptor. */
bool parking_open(struct parking *parking);
void parking_close(struct parking *parking);

/* Parks the socket of a request under another descriptor, so that `fd` may be closed and the
 * connection stays open. Returns that descriptor; -1: there is none left. */
int parking_add(struct parking *parking, int fd, struct request *request);

/* Takes a socket out. It is the caller's again. */
void parking_remove(struct parking *parking, int fd);

/* A request whose socket was closed, or half-closed, by the other end; NULL: there is none. It is
 * returned again and again until it is taken out. */
struct request *parking_closed(const struct parking *parking);

#endif
