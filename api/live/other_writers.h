/*
 * other_writers.h - whether other daemons or loops may write: how often to look for news.
 *
 * Other daemons, and other loops of this one.
 *
 * What others write is found by looking it up, again and again. While nobody else is there, that
 * may be done seldom. Heartbeats (heartbeat.h) say which daemons are up. A loop that has somebody
 * to tell reads them once a second, and thinks itself alone as long as the last answer is fresh and
 * names no other. Loops of one daemon count what they write where the others see it.
 *
 * To look is to compare versions, so whatever was written before is found by the next look. A peer
 * that is noticed late therefore delays news, by up to a second and the usual time. Whoever writes
 * without a heartbeat, as with psql, is noticed after OTHER_WRITERS_SELDOM_US. Nothing is missed.
 *
 * A struct other_writers belongs to one loop and its thread.
 */
#ifndef PLYD_API_LIVE_OTHER_WRITERS_H
#define PLYD_API_LIVE_OTHER_WRITERS_H

#include <stdbool.h>
#include <stdint.h>

struct loop;
struct other_writers;

/* A daemon whose last heartbeat is older is not there. */
#define OTHER_WRITERS_SILENT_US (INT64_C(15) * 1000 * 1000)

/* From look to look at a game, while nobody else is there. */
#define OTHER_WRITERS_SELDOM_US (INT64_C(10) * 1000 * 1000)

/* Whether nobody else writes, as far as is known. It is asked by those who have somebody to tell,
 * in each pass of the loop: only then anything is looked up for the answer. */
bool other_writers_alone(struct other_writers *writers);

/* This loop has written to a game. */
void other_writers_wrote(struct other_writers *writers);

/* This loop may have written to a game and does not know: as if somebody else had. */
void other_writers_doubt(struct other_writers *writers);

#endif
