/*
 * monitor.h - /metrics on a listener of its own.
 *
 * With --metrics-listen, a thread of its own serves /metrics and /healthz at that address, and no
 * loop is held up by a scrape. The clients' address then has no /metrics (routes.c).
 */
#ifndef PLYD_API_MONITOR_H
#define PLYD_API_MONITOR_H

#include <stdbool.h>

struct config;

/* Starts it if the settings say so. Call it when all loops are registered. False if it cannot be
 * started, which is logged. */
bool monitor_start(const struct config *config);

/* Stops it if it runs. Call it before the loops are freed. */
void monitor_stop(void);

#endif
