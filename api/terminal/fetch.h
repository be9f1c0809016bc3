/*
 * fetch.h - requests to a daemon, by libcurl. Only fetch.c knows libcurl.
 *
 * A request is asked and answered in one call, fetch_ask(). One more may be under way all the
 * while: the long poll, which waits at the daemon for a change and is looked after in rounds, so
 * that the caller can read what is typed between them.
 */
#ifndef PLYD_API_TERMINAL_FETCH_H
#define PLYD_API_TERMINAL_FETCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "api/text/arena.h"

enum { FETCH_NO_INPUT = -1 };

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
    int status; /* 0: there was no answer */
    char *body; /* if there was none: why, in curl's words; "" after *stop was set */
    size_t len;
};

/* Setting *stop ends a request that is under way. `stop` may be NULL. */
struct fetch *fetch_open(const atomic_bool *stop);
void fetch_close(struct fetch *fetch);

/* Sends a request and waits for the answer, which lies in the arena and ends with a NUL. */
void fetch_ask(struct fetch *fetch, struct arena *arena, const struct fetch_request *request,
               struct fetch_answer *answer);

/* ---- the long poll ---- */

enum fetch_heard {
    FETCH_ANSWERED,
    FETCH_INPUT,   /* something can be read from `input`; the long poll goes on */
    FETCH_NOTHING, /* a second has passed or a signal came; the long poll goes on */
    FETCH_STOPPED  /* *stop was set: the long poll is over */
};

/* Waits a second at most, for the answer or for input. Begins the long poll with `request` if none
 * is under way; the request is not looked at otherwise. `input` is a file descriptor or
 * FETCH_NO_INPUT. *answer is set if the long poll was answered or could not be. */
enum fetch_heard fetch_listen(struct fetch *fetch, struct arena *arena,
                              const struct fetch_request *request, int input,
                              struct fetch_answer *answer);

/* Ends the long poll, if one is under way. */
void fetch_forget(struct fetch *fetch);

#endif
