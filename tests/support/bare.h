/*
 * bare.h - a daemon of libmicrohttpd alone that answers every GET with the same bytes from memory:
 * what the library can do at its best, beside which plyd is measured.
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

/* Answers as `reply` was answered: its body, and its headers but for those that the library sets by
 * itself. */
void bare_start(struct bare *bare, const struct http_reply *reply);

void bare_stop(const struct bare *bare);

#endif
