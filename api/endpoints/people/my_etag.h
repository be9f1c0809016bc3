/*
 * my_etag.h - the ETag of a player's lists: whether anything has happened in their games, or to
 * their clocks.
 */
#ifndef PLYD_API_ENDPOINTS_PEOPLE_MY_ETAG_H
#define PLYD_API_ENDPOINTS_PEOPLE_MY_ETAG_H

#include <stdbool.h>
#include <stdint.h>

#include "api/http/request.h"

struct my_state {
    int64_t versions; /* of the player's games, the sum */
    size_t waiting;   /* in how many it is their turn */
    const char *etag; /* of the answer */
};

/* Looks up in how many games the player holds a seat, and the sum of their versions. A client that
 * has seen that state waits for news, if it wants to, and is answered with 304 when there were none
 * in time. For any other `go_on` answers. */
void my_state(struct request *request,
              void (*go_on)(struct request *request, const struct my_state *state, void *args),
              void *args);

/* A request that has nothing to tell but that state waits for news, if it wants to (Prefer: wait).
 * True: it does, and its handler is called again afterwards. */
bool my_etag_wait(struct request *request, const struct my_state *state);

#endif
