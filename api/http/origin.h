/*
 * origin.h - whether a write may be done, as far as the page goes that has sent it.
 *
 * A page of any site may write with a token that it knows: it says Bearer. The token of Basic a
 * browser knows, once somebody has typed it, and adds it by itself to whatever any page sends here.
 * So a write with Basic is one of the daemon's own pages, of a site that a setting names, or of no
 * page at all (curl). Pure.
 */
#ifndef PLYD_API_HTTP_ORIGIN_H
#define PLYD_API_HTTP_ORIGIN_H

#include <stdbool.h>

struct request;

/* `allowed` are origins, parted by commas and blanks; NULL: none. */
bool origin_may_write(struct request *request, const char *allowed);

#endif
