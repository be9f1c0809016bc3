/*
 * tap.h - recv() of libmicrohttpd: hands the bytes to the strict reader (framing.h) first.
 *
 * libmicrohttpd shows no byte before it has made something of it. The copy of it that is linked
 * into plyd calls tap_recv() where it would call recv() (the Makefile renames that one symbol). So
 * each connection's framing sees what libmicrohttpd sees, without a system call or a copy more, and
 * three things that no option of libmicrohttpd does are done here:
 *
 * - Nothing is read for a client whose request is complete and not answered. A client may shut down
 *   its side of the connection once its request is sent, and still wait for the answer;
 *   libmicrohttpd would close the connection when it reads that end. The reading seems interrupted
 *   (EINTR): "there is nothing" (EAGAIN) would cost two system calls more for each request, since
 *   libmicrohttpd then has the kernel tell when there is.
 * - A connection leaves libmicrohttpd: it is told an end that the client has not sent.
 * - The extensions of chunks are left out (framing.h), and so is a request that is no HTTP, to
 * which libmicrohttpd would say a page of its own. The client leaves with it, and we refuse it.
 */
#ifndef PLYD_API_NET_TAP_H
#define PLYD_API_NET_TAP_H

#include <sys/types.h>

struct client;

/* Who is told that what a client has sent is no HTTP, once everything before that is answered. The
 * client is to leave the socket then (tap_shut()). If it does not, the connection ends. */
struct tap_owner {
    void (*malformed)(void *args, struct client *client);
    void *args;
};

/* The calling thread's libmicrohttpd reads from this socket for a client, which tap_client() tells
 * from now on. */
void tap_open(int fd, struct client *client, struct tap_owner owner);

/* The client of a socket; NULL: it has none, or has left it. */
struct client *tap_client(int fd);

/* The client leaves the socket: all that is read from it from now on is an end. */
void tap_shut(int fd);

/* The socket is about to be closed. */
void tap_forget(int fd);

/* Frees what the calling thread needed for it. No socket is open any more. */
void tap_close(void);

/* For libmicrohttpd. A socket that was never opened here is read as it is. */
ssize_t tap_recv(int fd, void *bytes, size_t size, int flags);

#endif
