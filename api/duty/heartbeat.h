/*
 * heartbeat.h - the heartbeat of all daemons together, and what a loop knows of outages.
 *
 * A time in which no daemon was up, or the database was not, is nobody's fault. So the first loop
 * of each daemon writes a heartbeat every second, and a gap of more than HEARTBEAT_OUTAGE_US
 * between two heartbeats of anybody is an outage, which the database keeps. Clocks stand still in
 * it (clock.h).
 *
 * What a daemon has leased is left to others when its own heartbeat is older than
 * HEARTBEAT_SILENT_US (due.h).
 *
 * Each loop knows all outages up to some time: loop->outages. To end a game by time, a loop must
 * know them up to the deadline. To charge a clock, it must have looked not longer ago than an
 * outage takes. Then no outage is missed, whoever finds it first. heartbeat_need() says so; it
 * makes a heartbeat where the last one of this loop is older, and that happens seldom.
 *
 * A struct heartbeat belongs to its loop and that one's thread.
 */
#ifndef PLYD_API_DUTY_HEARTBEAT_H
#define PLYD_API_DUTY_HEARTBEAT_H

#include <stdint.h>

#include "api/live/op.h"
#include "api/live/other_writers.h"

#define HEARTBEAT_EVERY_US  (INT64_C(1) * 1000 * 1000)
#define HEARTBEAT_SILENT_US (2 * HEARTBEAT_EVERY_US)
#define HEARTBEAT_OUTAGE_US OTHER_WRITERS_SILENT_US

struct heartbeat;
struct loop;

/* When the last heartbeat of the first loop that was stored had been asked for, on loop->now: other
 * daemons count its silence from no earlier time. INT64_MIN: none was stored. */
int64_t heartbeat_stored(const struct loop *loop);

/* Part of a step: all outages are known up to a time of the database. */
enum step heartbeat_need(struct op *op, int64_t until);

#endif
