/*
 * route.h - an address of the API. Routes are constant; any thread may read them.
 */
#ifndef PLYD_API_HTTP_ROUTE_H
#define PLYD_API_HTTP_ROUTE_H

#include "api/http/request.h"

/* How a request comes to its handler:
 *   ON_LOOP     at once. It is answered even while the database is away, which knows the players;
 *   FOR_CALLER  on the loop, when it is known who asks;
 *   FOR_PLAYER  beside that: only if it is a player. Anybody else gets 401;
 *   ON_WORKER   one that needs neither the loop nor a game nor the database, and may take long, is
 *               run by a worker (offload.h);
 *   ONCE        beside one of these: it is handled once for each Idempotency-Key (repeats.h), which
 *               its handler knows nothing of. What changes nothing needs none of this. */
enum route_way { ON_LOOP, FOR_CALLER, ON_WORKER, ONCE = 4, FOR_PLAYER = 8 };

struct route {
    enum method method;
    const char *pattern; /* "/v1/games/{id}/moves/{ply}": a place takes one segment */
    void (*handle)(struct request *request);
    unsigned forms; /* that the answer may have (accept.h); 0: one form, and Accept is not asked */
    enum route_way way;
};

#endif
