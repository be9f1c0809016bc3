/*
 * annotate.h - a record with the verdicts of the engine as comments.
 *
 * Those that are not good have a comment, which says what would have been better.
 */
#ifndef PLYD_API_ENDPOINTS_ENGINE_ANNOTATE_H
#define PLYD_API_ENDPOINTS_ENGINE_ANNOTATE_H

#include <stdint.h>

#include "api/http/request.h"

struct record;

/* Has thinkers judge the moves of a record of the request's arena, with so many nodes for each, and
 * adds the comments. Then `then` is called by the loop. If the searches were ended early or
 * refused, the request is answered, and `then` is not called. The caller must not touch the request
 * after this. */
void annotate_record(struct request *request, struct record *record, uint64_t nodes,
                     void (*then)(struct request *request, void *args), void *args);

#endif
