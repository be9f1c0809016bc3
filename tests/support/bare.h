/*
 * bare.h - a daemon of libmicrohttpd alone that answers every GET with the same bytes from memory:
 * the best that the library can do, beside which plyd is measured.
 *
 * It runs as plyd does: a process of its own, one thread, one epoll loop around the library. It
 * dies with the calling process.
 */
#ifndef PLYD_TESTS_SUPPORT_BARE_H
#define PLYD_TESTS_SUPPORT_BARE_H

#include <sys/types.h>

#include "http.h"

struct bare {
    pid_t pid;
    int port;
};

/* Starts a daemon that answers as `reply` does: with its body, and with its headers but for those
 * that the library sets by itself. */
void bare_start(struct bare *bare, const struct http_reply *reply);

void bare_stop(const struct bare *bare);

#endif
