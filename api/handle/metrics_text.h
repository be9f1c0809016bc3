/*
 * metrics_text.h - what the loops count, told in the Prometheus text format.
 */
#ifndef PLYD_API_HANDLE_METRICS_TEXT_H
#define PLYD_API_HANDLE_METRICS_TEXT_H

#include "api/loop/loop.h"
#include "api/text/out.h"

/* Brings a loop's own numbers up to date for all who read them. Called by that loop alone. */
void metrics_text_collect(struct loop *loop);

/* Writes the sums over all loops. */
void metrics_text_write(struct out *out);

#endif
