/*
 * large.h - the turns of large requests (turns.h): their connections are read on, and they are
 * handled, as there is room.
 */
#ifndef PLYD_API_HTTP_LARGE_H
#define PLYD_API_HTTP_LARGE_H

#include "api/http/connection.h"

/* Once in a pass of the loop. */
void large_take_turns(struct http *http);

/* Ends the waiting of those that have waited since before that time: they are refused. */
void large_turn_away(struct http *http, int64_t before);

#endif
