/*
 * route.h - every address of the API in one table: method, pattern, handler, forms. 404, 405 with
 * Allow, 406, HEAD and OPTIONS fall out of it.
 */
#ifndef PLYD_API_ROUTES_H
#define PLYD_API_ROUTES_H

#include "api/http/request.h"

struct route {
    enum method method;
    const char *pattern; /* "/v1/games/{id}/moves/{ply}": a place takes one segment */
    void (*handle)(struct request *request);
    unsigned forms; /* that the answer may have; 0: the address says which, Accept is not asked */
};

/* How large the body of a request for this address may be, before its route is looked up. */
size_t route_body_max(const char *url);

/* Finds the route of a complete request and hands it over; answers the request itself where there
 * is no such route or method. */
void route_dispatch(struct request *request);

/* Route i, for metrics; NULL past the last. request->route - route_at(0) is a request's number. */
const struct route *route_at(size_t i);

#endif
