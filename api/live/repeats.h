/*
 * repeats.h - requests that are done once for each Idempotency-Key, whatever they do.
 *
 * What happens in a game leaves its mark there, and what is made has an id that follows from the
 * key (idempotency.h). Everything else that a POST or PUT does is the same if it is done twice, or
 * nearly so: a plan, a note, a vacation. Its key means what any key means: the same request again
 * gets its first answer, though something else may have happened since, and another request is
 * refused. So its answer is stored as it was sent, under an id that follows from the caller. That
 * is done before it is sent and after what it tells of: a crash in between leaves a request that is
 * done anew, with the same result. Of requests that come at once, several may be done, and all are
 * told the answer that was stored first.
 *
 * Who was let in with the first request may not be let in any more: `may` judges it anew before the
 * answer is told again.
 *
 * What only asks needs no key: it is answered anew, and the answer is the same. Nothing is stored
 * for it, so nobody without a token fills the database.
 */
#ifndef PLYD_API_LIVE_REPEATS_H
#define PLYD_API_LIVE_REPEATS_H

#include "api/http/request.h"

/* Calls `then` if the request's caller may do what it asks for, at once or later; or answers. */
typedef void repeats_may(struct request *request, void (*then)(struct request *request, void *args),
                         void *args);

/* Has a request handled by its route, unless its key was used before. It is answered then. */
void repeats_handle(struct request *request, repeats_may *may);

#endif
