/*
 * admission.h - who may be served at all: quotas, before a request costs anything.
 */
#ifndef PLYD_API_HTTP_ADMISSION_H
#define PLYD_API_HTTP_ADMISSION_H

#include <stdbool.h>

#include "api/http/request.h"
#include "api/loop/config.h"
#include "api/loop/quota.h"

/* The quotas of one of `loops` loops: its share of what the settings allow. */
struct quota *admission_open(const struct config *config, size_t loops);

/* Counts a request of the API and tells its client where he is with his quotas. False: he has none
 * left, and was answered. What comes from the machine itself is not counted, nor is what watches
 * over the daemon. */
bool admission_ok(struct request *request);

#endif
