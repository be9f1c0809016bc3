/*
 * admission.h - whether a request is served at all: quotas, asked before it costs anything.
 *
 * The quotas belong to a loop, as loop->quota, and only its thread asks them.
 */
#ifndef PLYD_API_HTTP_ADMISSION_H
#define PLYD_API_HTTP_ADMISSION_H

#include <stdbool.h>
#include <stddef.h>

struct config;
struct quota;
struct request;

/* Makes the quotas of one of `loops` loops: its share of what the settings allow. NULL if memory is
 * out. quota_close() frees them. */
struct quota *admission_open(const struct config *config, size_t loops);

/* Counts a request and sets the headers that tell the client what is left. Requests from the
 * machine itself are not counted, nor are those of /healthz, /readyz and /metrics. False: a quota
 * is used up, and the request was answered with 429. */
bool admission_ok(struct request *request);

#endif
