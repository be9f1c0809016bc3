/*
 * offload.h - has a request worked on by another thread, because that may take long.
 *
 * The request is handed over whole. From offload() until it is back it belongs to the worker: its
 * arena, its answer, and what it points to. Its `loop` is NULL meanwhile, since the worker has no
 * business with that; what it needs of the loop, of a table or of a database reply is copied into
 * the arena before (table_snapshot() copies a game). `run` may answer the request, which is then
 * sent; or it leaves that to `then`, which has the request and its loop again.
 */
#ifndef PLYD_API_HTTP_OFFLOAD_H
#define PLYD_API_HTTP_OFFLOAD_H

#include "api/http/request.h"

/* Hands a request over: `run` is called by a worker, and `then` by the loop, unless `run` has
 * answered. `then` may be NULL if `run` always does. Both get `args`. If too many requests wait for
 * the workers, this one is answered with 503 at once. If its client is gone when its turn comes, it
 * is not worked on.
 *
 * The caller must not touch the request after this. */
void offload(struct request *request, void (*run)(struct request *request, void *args),
             void (*then)(struct request *request, void *args), void *args);

#endif
