/*
 * repeats.h - requests that are done once for each Idempotency-Key, whatever they do.
 *
 * What happens in a game leaves its mark there, and what is made has an id that follows from the
 * key (idempotency.h). Everything else that a POST or PUT does is the same if it is done twice, or
 * nearly so: a plan, a note, a vacation. Its key means what any key means: the same request again
 * gets its first answer, though something else may have happened since, and another request is
 * refused. So its answer is stored as it was sent, under an id that follows from the key and the
 * token. That is done before it is sent and after what it tells of: a crash in between leaves a
 * request that is done anew, with the same result.
 *
 * What only asks (ASKS, route.h) is answered anew, and the answer is the same. Only the request is
 * kept, so nobody without a token fills the database with long answers.
 */
#ifndef PLYD_API_LIVE_REPEATS_H
#define PLYD_API_LIVE_REPEATS_H

#include "api/http/request.h"

/* Has a request handled by `handle`, unless its key was used before. It is answered then. */
void repeats_handle(struct request *request, void (*handle)(struct request *request));

#endif
