/*
 * routes.h - every address of the API in one table: method, pattern, handler, forms. 404, 405 with
 * Allow, 406, HEAD and OPTIONS follow from it.
 */
#ifndef PLYD_API_ROUTES_H
#define PLYD_API_ROUTES_H

#include "api/http/route.h"

/* The table; it ends with a route that has no handler. */
extern const struct route routes_all[];

/* How large the body of a request for this address may be, before its route is looked up. */
size_t routes_body_max(const char *url);

/* Finds the route of a complete request and hands it over. Answers the request itself where there
 * is no such route or method. */
void routes_dispatch(struct request *request);

#endif
