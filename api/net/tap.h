/*
 * tap.h - what libmicrohttpd asks of the kernel: recv() and epoll.
 *
 * The copy of libmicrohttpd that is linked into plyd calls tap_recv() where it would call recv(),
 * and the like for epoll (the Makefile renames those symbols).
 *
 * libmicrohttpd shows no byte before it has made something of it. So tap_recv() hands the bytes to
 * the connection's strict reader (framing.h) first, without a system call or a copy more. Three
 * things that no option of libmicrohttpd does are done here, too:
 *
 * - Nothing is read for a client whose request is complete and not answered. A client may shut down
 *   its side of the connection once its request is sent, and still wait for the answer;
 *   libmicrohttpd would close the connection when it reads that end. The reading seems interrupted
 *   (EINTR).
 * - A connection leaves libmicrohttpd: it is told an end that the client has not sent.
 * - The extensions of chunks are left out (framing.h), and so is a request that is no HTTP, to
 *   which libmicrohttpd would say a page of its own. The client leaves with it, and we refuse it.
 *
 * The loop waits at one place (net_wait()), which tells of these sockets, too: tap_event(). So
 * libmicrohttpd's own looks cost nothing, and neither do its readings where nothing has come. It
 * takes a socket off its set when a request is suspended and puts it back later; here the kernel
 * goes on to watch it, and what it tells meanwhile is kept.
 */
#ifndef PLYD_API_NET_TAP_H
#define PLYD_API_NET_TAP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct client;
struct epoll_event;

/* Who is told that what a client has sent is no HTTP, once everything before that is answered. The
 * client is to leave the socket then (tap_shut()). If it does not, the connection ends. The sockets
 * are watched by `epoll`, whose events have TAP_EVENT() of the socket as their data. */
struct tap_owner {
    void (*malformed)(void *args, struct client *client);
    void *args;
    int epoll;
};

/* An odd number, which no pointer is. */
#define TAP_EVENT(fd)     ((uint64_t)(fd) << 1 | 1)
#define TAP_IS_EVENT(u64) (((u64)&1) != 0)
#define TAP_SOCKET(u64)   ((int)((u64) >> 1))

/* The calling thread's libmicrohttpd reads from this socket for a client, which tap_client() tells
 * from now on. */
void tap_open(int fd, struct client *client, struct tap_owner owner);

/* The client of a socket; NULL: it has none, or has left it. */
struct client *tap_client(int fd);

/* The client leaves the socket: all that is read from it from now on is an end. */
void tap_shut(int fd);

/* The socket is about to be closed. */
void tap_forget(int fd);

/* The kernel has told this of a socket. */
void tap_event(int fd, uint32_t events);

/* Whether libmicrohttpd has to be told of something when it runs next. */
bool tap_has_events(void);

/* Frees what the calling thread needed for it. No socket is open any more. */
void tap_close(void);

/* For libmicrohttpd. A socket that was never opened here is read as it is, and a thread that has
 * opened none waits by itself. */
ssize_t tap_recv(int fd, void *bytes, size_t size, int flags);
int tap_epoll_ctl(int epoll, int op, int fd, struct epoll_event *event);
int tap_epoll_wait(int epoll, struct epoll_event *events, int most, int timeout);

#endif
