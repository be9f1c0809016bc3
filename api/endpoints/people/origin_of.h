/*
 * origin_of.h - from where somebody asks, roughly: what a person needs to know again where they
 * were, and no more.
 */
#ifndef PLYD_API_ENDPOINTS_PEOPLE_ORIGIN_OF_H
#define PLYD_API_ENDPOINTS_PEOPLE_ORIGIN_OF_H

struct request;

/* The network of the client's address, "203.0.113.0/24" or "2001:db8:7::/48", in the request's
 * arena. NULL: it is not known. */
const char *origin_of(struct request *request);

#endif
