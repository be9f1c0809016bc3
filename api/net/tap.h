/*
 * wire.h - the bytes that come over a loop's connections, seen as libmicrohttpd reads them.
 *
 * libmicrohttpd shows no byte before it has made something of it. It reads connections with recv(),
 * and this module has a recv() of its own, which the dynamic linker finds before libc's: it reads
 * in the same way, and hands what came to the connection's framing. That costs no system call and
 * no copy. Sockets that nobody watches are not affected.
 *
 * If libmicrohttpd ever reads in another way, no request's end is found, and all are refused: no
 * test passes then.
 */
#ifndef PLYD_API_NET_TAP_H
#define PLYD_API_NET_TAP_H

#include <stddef.h>

struct framing;

/* Hands what the calling thread reads from this socket to *framing from now on, or stops that
 * (before the socket is closed). */
void tap_watch(int fd, struct framing *framing);
void tap_forget(int fd);

/* These bytes are read from a watched socket before anything else. They stay the caller's, until
 * they were read or the socket is forgotten. */
void tap_replay(int fd, const char *bytes, size_t len);

/* Frees what the calling thread needed for it. Nothing is watched any more. */
void tap_close(void);

#endif
