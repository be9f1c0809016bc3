/*
 * metrics_text.h - what all loops count, in the text format of Prometheus.
 *
 * Each loop counts for itself (metrics.h). Whichever loop is asked for /metrics adds the numbers of
 * all of them up, without stopping any.
 */
#ifndef PLYD_API_ENDPOINTS_SITE_METRICS_TEXT_H
#define PLYD_API_ENDPOINTS_SITE_METRICS_TEXT_H

#include "api/loop/loop.h"
#include "api/text/out.h"

/* Publishes the numbers of a loop that other loops cannot look up. Called by that loop alone. */
void metrics_text_collect(struct loop *loop);

/* Writes every metric, as sums over all loops. */
void metrics_text_write(struct out *out);

/* ---- metrics_process.c ----------------------------------------------------------------------- */

/* What the system knows of the process, under the names that Prometheus has for
 * that: memory, processor time, descriptors, the start. */

/* Any thread may call it. What the system does not tell is left out. */
void metrics_process_write(struct out *out);

#endif
