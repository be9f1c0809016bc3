/*
 * nearby.h - which address somebody may have meant who asked for one that is not there.
 *
 * Pure; any thread may call it.
 */
#ifndef PLYD_API_HTTP_NEARBY_H
#define PLYD_API_HTTP_NEARBY_H

#include "api/http/route.h"
#include "api/text/arena.h"

/* A sentence that names the address of `routes` (which end with a pattern NULL) that is nearest to
 * a path that fits none of them; NULL if none is near. */
const char *nearby_path(struct arena *arena, const struct route *routes, const char *path);

/* A sentence that names the addresses one step below `pattern` that have a method; NULL if there
 * are none. */
const char *nearby_method(struct arena *arena, const struct route *routes, const char *pattern,
                          enum method method);

#endif
