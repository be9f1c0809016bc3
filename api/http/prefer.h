/*
 * prefer.h - reads Prefer: how long a client wants to wait, and whether it wants a job.
 *
 * The header Prefer (RFC 7240). Pure; any thread may call it.
 */
#ifndef PLYD_API_HTTP_PREFER_H
#define PLYD_API_HTTP_PREFER_H

#include <stdbool.h>

enum { PREFER_WAIT_MAX_S = 60 };

/* The seconds of "wait=25", at most PREFER_WAIT_MAX_S. 0 if the header (or NULL) does not ask to
 * wait, or asks with anything but a whole number: other preferences are ignored. */
int prefer_wait_s(const char *header);

/* Whether it asks for "respond-async": an answer at once that says where the work is found. */
bool prefer_async(const char *header);

#endif
