/*
 * prefer.h - what a client would rather have: the header Prefer (RFC 7240).
 */
#ifndef PLYD_API_HTTP_PREFER_H
#define PLYD_API_HTTP_PREFER_H

enum { PREFER_WAIT_MAX_S = 60 };

/* The seconds of "wait=25", at most PREFER_WAIT_MAX_S. 0: the header does not ask to wait, or has
 * anything but a whole number of seconds. `header` may be NULL. */
int prefer_wait_s(const char *header);

#endif
