/*
 * offload.h - has a request worked on by another thread, because that may take long.
 *
 * The request is handed over whole. From offload() until it is back it belongs to the worker: its
 * arena, its answer, and what it points to. Its `loop` is NULL meanwhile, since the worker has no
 * business with that; what it needs of the loop, of a live game or of a database reply is copied
 * into the arena before (live_snapshot() copies a game), or stays as it is meanwhile
 * (op_offload_part()). `run` may answer the request, which is then sent; or it leaves that to
 * `then`, which has the request and its loop again.
 *
 * What needs the engine goes to a thinker in the same way (loop/thinkers.h).
 */
#ifndef PLYD_API_NET_OFFLOAD_H
#define PLYD_API_NET_OFFLOAD_H

#include <stdatomic.h>

#include "api/http/request.h"

struct thought;

/* Hands a request over: `run` is called by a worker, and then `then` by the loop. Both get `args`.
 * `then` may be NULL if `run` always answers. It is called in any case, and finds a request that is
 * answered (reply.status) if `run` has done so; if too many requests wait for the workers, and this
 * one got 503 at once; or if its client was gone when its turn came, so that it was not worked on.
 *
 * The caller must not touch the request after this. */
void offload(struct request *request, void (*run)(struct request *request, void *args),
             void (*then)(struct request *request, void *args), void *args);

/* The same with a thinker, for a search of up to so many nodes: `think` gets the engine, the flag
 * by which its search ends early, and where to count its nodes (struct thought). The flag is set
 * when the client is gone or has shut down its side, and when the daemon stops; `think` may still
 * answer with what it has found. Returns the flag, for a caller that wants to set it; it is there
 * until `then` is called. NULL: the request was refused at once, and `then` was called. */
atomic_bool *offload_think(struct request *request, uint64_t nodes,
                           void (*think)(struct request *request, void *args,
                                         struct thought *thought),
                           void (*then)(struct request *request, void *args), void *args);

#endif
