/*
 * large.h - reads and runs requests with large bodies as the memory budget allows (large_queue.h).
 */
#ifndef PLYD_API_NET_LARGE_H
#define PLYD_API_NET_LARGE_H

#include "api/net/parts.h"

/* Once in a pass of the loop. */
void large_take_turns(struct net *net);

/* Ends the waiting of those that have waited since before that time: they are refused. */
void large_turn_away(struct net *net, int64_t before);

#endif
