/*
 * metering.h - counts, logs and meters each request: what it costs. The loop's thread alone calls
 * it.
 */
#ifndef PLYD_API_LOOP_METERING_H
#define PLYD_API_LOOP_METERING_H

#include <stdbool.h>
#include <stdint.h>

struct loop;
struct request;

/* Counts a request whose answer is about to be sent in its loop's metrics, and logs it: as a
 * warning if the answer is 500 or above, else for debugging. */
void metering_request(const struct request *request);

/* A pass of the loop begins, and ends: then it rests. */
void metering_pass(struct loop *loop);
void metering_rest(struct loop *loop);

/* Stand around everything that a loop does for a request at one go, callbacks of the database
 * included: how long that took is counted for the route, and added to the cost of the request.
 * Where one pair stands within another, the outer one counts. Time in which the thread had to wait
 * for a processor is no cost, as far as that is known. */
void metering_begin(struct loop *loop);
void metering_end(struct loop *loop, struct request *request);

/* What one request of a quota covers. Ordinary requests stay far below all of it. */
enum {
    METERING_WORK_US = 2000,          /* work of the loop and of workers */
    METERING_IN_BYTES = 64 << 10,     /* the body, as far as it came */
    METERING_OUT_BYTES = 64 << 10,    /* that of the answer */
    METERING_STORED_BYTES = 16 << 10, /* events, a game's state */
    METERING_KEPT_BYTES = 256,        /* of an answer that is kept for its key, about what a move
                                       * stores: nothing fills the database faster than moves */
    METERING_THOUGHT_US = 50000       /* work of thinkers, which nobody else waits for */
};

/* What a request has cost so far: one, and one more for each further part of these that it took, or
 * began to take. */
int64_t metering_cost(const struct request *request);

/* ---- W3C Trace Context, for the logs ---- */

enum { METERING_TRACE_TEXT = 33 }; /* 32 hexadecimal digits and the NUL */

/* Reads the trace-id of a traceparent header. False if the header is absent (NULL) or malformed; a
 * malformed one is treated as absent, as the standard asks. */
bool metering_trace_id(const char *traceparent, char id[METERING_TRACE_TEXT]);

#endif
