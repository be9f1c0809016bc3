/*
 * hooks.h - webhooks: events of games are told to receivers that their players have named.
 *
 * A webhook is a view of the logs. A write to a game whose players have webhooks stores due
 * work (DUE_NEWS) in its own statement, and all else follows from that:
 *
 *     DUE_NEWS   the game's version is noted for each webhook of its players, and for each such
 *                player due work is stored (announce.c)
 *     DUE_HOOKS  whoever holds the lease of a player's due work sends what their webhooks lack,
 *                game by game and event by event, and notes after each how far it has come
 *                (deliver_player.c)
 *     DUE_MARKS  a player has made a webhook: the games in which they sit learn of it, and it
 *                learns of those that wait for the player (hook_flags.c)
 *
 * So nothing is told that was not committed. An event counts as delivered once that is stored, so
 * it may come twice, with the same id, if a daemon dies in between; and each game's events come in
 * their order. What the webhook cannot take waits in the log, whatever its length.
 *
 * Only the first loop of a daemon has a struct hooks. It belongs to that loop's thread.
 */
#ifndef PLYD_API_HOOKS_HOOKS_H
#define PLYD_API_HOOKS_HOOKS_H

#include <stdint.h>

#include "db/db.h"

struct hooks;
struct loop;
struct send_queue;
struct request;
struct player_delivery;

struct hooks {
    struct loop *loop;
    struct send_queue *send_queue;
    struct player_delivery *deliveries; /* private to deliver_player.c */
    int64_t next_look;                  /* as well, on loop->now */
    int64_t announced_at;               /* private to announce.c: a time that was not used twice */
};

/* ---- for the files of this folder ---- */

/* A daemon sends for so long after its last heartbeat that was stored. Others go on with what it
 * has leased when that is a second older still (db/sql/lib/orphaned.sql), for its thread looks five
 * times a second whether it may go on, and clocks differ. */
#define HOOKS_HOLD_US (INT64_C(3) * 1000 * 1000)

/* deliver_player.c: until when (on loop->now) this daemon may send, since what it has leased is its
 * own. */
int64_t player_deliveries_until(const struct loop *loop);

/* deliver_player.c: gives up all deliveries, since what they send may be another daemon's by now.
 */
void player_deliveries_leave(struct hooks *hooks);

/* deliver_player.c: there are news of a player. If they are being told of others, these are looked
 * at as soon as that is over. */
void player_deliveries_hear(struct hooks *hooks, const db_id *player);

/* deliver_player.c: has due work of players leased, or not, as there is room for deliveries. Called
 * in each pass of the loop. */
void player_deliveries_tell_room(struct hooks *hooks);

/* deliver_player.c: looks again at what is to be sent, where a delivery is under way. */
void player_deliveries_run(struct hooks *hooks);

#endif
