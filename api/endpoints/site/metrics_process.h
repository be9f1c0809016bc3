/*
 * metrics_process.h - what the system knows of the process, under the names that Prometheus has for
 * that: memory, processor time, descriptors, the start.
 */
#ifndef PLYD_API_ENDPOINTS_SITE_METRICS_PROCESS_H
#define PLYD_API_ENDPOINTS_SITE_METRICS_PROCESS_H

#include "api/text/out.h"

/* Any thread may call it. What the system does not tell is left out. */
void metrics_process_write(struct out *out);

#endif
