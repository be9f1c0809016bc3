/*
 * peers.h - whether other daemons or loops may write: how often to look for news.
 *
 * Other daemons, and
 * other loops of this one.
 *
 * What others write is found by looking it up, again and again. While nobody else is there, that
 * may be done seldom. Heartbeats (heartbeat.h) say which daemons are up. A loop that has somebody
 * to tell reads them once a second, and thinks itself alone as long as the last answer is fresh and
 * names no other. Loops of one daemon count what they write where the others see it.
 *
 * To look is to compare versions, so whatever was written before is found by the next look. A peer
 * that is noticed late therefore delays news, by up to a second and the usual time. Whoever writes
 * without a heartbeat, as with psql, is noticed after PEERS_SELDOM_US. Nothing is missed.
 *
 * A struct peers belongs to one loop and its thread.
 */
#ifndef PLYD_API_LIVE_PEERS_H
#define PLYD_API_LIVE_PEERS_H

#include <stdbool.h>
#include <stdint.h>

struct loop;
struct peers;

/* A daemon whose last heartbeat is older is not there. */
#define PEERS_SILENT_US (INT64_C(15) * 1000 * 1000)

/* From look to look at a game, while nobody else is there. */
#define PEERS_SELDOM_US (INT64_C(10) * 1000 * 1000)

/* False if memory is out. */
bool peers_open(struct loop *loop);

/* Frees it, after the loop's db was closed. */
void peers_close(struct loop *loop);

/* Whether nobody else writes, as far as is known. It is asked by those who have somebody to tell,
 * in each turn of the loop: only then anything is looked up for the answer. */
bool peers_alone(struct peers *peers);

/* This loop has written to a game. */
void peers_wrote(struct peers *peers);

/* This loop may have written to a game and does not know: as if somebody else had. */
void peers_doubt(struct peers *peers);

/* Called in each turn of the loop, before its db_run(). */
void peers_run(struct loop *loop);

/* Milliseconds until peers_run() has something to do; -1: any time. */
int peers_timeout_ms(const struct loop *loop);

#endif
