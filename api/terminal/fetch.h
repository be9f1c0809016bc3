/*
 * fetch.h - requests to a daemon, by libcurl. Only fetch.c knows libcurl.
 */
#ifndef PLYD_API_TERMINAL_FETCH_H
#define PLYD_API_TERMINAL_FETCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "api/text/arena.h"

struct fetch;

struct fetch_request {
    const char *method, *url;
    const char *token;  /* NULL: none */
    const char *accept; /* a media type */
    const char *body;   /* NULL: none. JSON if it begins with '{', else plain text */
    const char *known;  /* the version that the client has, for If-None-Match; NULL: none */
    int wait_s;         /* how long the daemon may wait for a change (long poll); 0: not at all */
};

struct fetch_answer {
    int status; /* 0: there was no answer, and `body` says why */
    char *body;
    size_t len;
};

/* Setting *stop ends a request that is under way. `stop` may be NULL. */
struct fetch *fetch_open(const atomic_bool *stop);
void fetch_close(struct fetch *fetch);

/* Sends a request and waits for the answer, which lies in the arena and ends with a NUL. */
void fetch_ask(struct fetch *fetch, struct arena *arena, const struct fetch_request *request,
               struct fetch_answer *answer);

#endif
