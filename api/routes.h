/*
 * routes.h - every address of the API, in one table: method, pattern, handler, forms.
 *
 * The answers to HEAD and OPTIONS, and the refusals 404, 405 with Allow and 406, follow from it.
 * The table is constant; a request is dispatched by its loop's thread.
 */
#ifndef PLYD_API_ROUTES_H
#define PLYD_API_ROUTES_H

#include "api/http/route.h"

/* The table. It ends with a route that has no handler. */
extern const struct route routes_all[];

/* How many bytes the body of a request to this address may have. It is asked before the request is
 * complete, and so before its route is known. */
struct loop;
size_t routes_body_max(const struct loop *loop, const char *url);

/* Calls `go_on` for a request whose head is complete, once it is known who asks, unless it would be
 * refused whatever its body is: then it is answered. routes_dispatch() follows. */
void routes_welcome(struct request *request, void (*go_on)(struct request *request, void *args));

/* Hands a complete request to the handler of its route, once it is known who asks, if the route
 * needs to know that. Without such a route or method the request is answered. */
void routes_dispatch(struct request *request);

#endif
