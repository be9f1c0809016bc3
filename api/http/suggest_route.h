/*
 * suggest_route.h - "did you mean" for an address that is not there.
 *
 * Pure; any thread may call it.
 */
#ifndef PLYD_API_HTTP_SUGGEST_ROUTE_H
#define PLYD_API_HTTP_SUGGEST_ROUTE_H

#include "api/http/route.h"
#include "api/text/arena.h"

/* A sentence that names the address of `routes` (which end with a pattern NULL) that is nearest to
 * a path that fits none of them; NULL if none is near. */
const char *suggest_route_path(struct arena *arena, const struct route *routes, const char *path);

/* The addresses one step below a path that have a method, as a list; NULL if there are none. The
 * path fits `pattern`. */
const char *suggest_route_method(struct arena *arena, const struct route *routes,
                                 const char *pattern, const char *path, enum method method);

#endif
