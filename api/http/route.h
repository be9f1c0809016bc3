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
 *   ONCE        beside FOR_CALLER: it is handled once for each Idempotency-Key (repeats.h), which
 *               its handler knows nothing of. What changes nothing needs none of this. A player
 *               does it, and with FOR_SEAT whoever plays a seat of the game;
 *   WITH_RECORD its body, and that of all addresses that begin alike, may be as large as a record;
 *   WITH_FILE   as large as --import-mib says. */
enum route_way {
    ON_LOOP = 0,
    FOR_CALLER = 1,
    FOR_PLAYER = 2,
    ON_WORKER = 4,
    ONCE = 8,
    FOR_SEAT = 16,
    WITH_RECORD = 32,
    WITH_FILE = 64
};

struct route {
    enum method method;
    const char *pattern; /* "/v1/games/{id}/moves/{ply}": a place takes one segment */
    void (*handle)(struct request *request);
    unsigned forms; /* that the answer may have (accept.h); 0: one form, and Accept is not asked */
    unsigned way;   /* enum route_way */
};

static inline bool route_is(const struct route *route, unsigned way)
{
    return (route->way & way) != 0;
}

#endif
