/*
 * race.h - many requests at the same moment, each from a thread and on a connection of its own.
 */
#ifndef PLYD_TESTS_HTTP_RACE_H
#define PLYD_TESTS_HTTP_RACE_H

#include <stddef.h>

#include "tests/support/http.h"

enum { RACERS_MAX = 64 };

struct racer {
    int port;
    const char *method;
    char path[128], headers[256], body[128];
    struct http_reply reply; /* its answer, which the caller frees */
};

/* Connects all racers, lets them send at the same moment, and waits for every answer. */
void race(struct racer *racers, size_t n);

/* Runs `work` in a thread for each context and waits for all of them. */
void race_run(void *(*work)(void *), void *const *contexts, size_t n);

#endif
