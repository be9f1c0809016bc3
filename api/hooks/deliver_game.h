/*
 * deliver_game.h - delivers the pending events of one game to one receiver, be it a webhook, a push
 * service or an address of mail: when it is time for that, and when a failed delivery is tried
 * again.
 *
 * A delivery finds out what its receiver lacks of the game, page by page, sends the events one
 * after the other, and notes after each how far the receiver has come. It ends when the page is
 * told, when an attempt fails, or when its round is over. What is left is for a later look
 * (deliver_player.c).
 */
#ifndef PLYD_API_HOOKS_DELIVER_GAME_H
#define PLYD_API_HOOKS_DELIVER_GAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/hooks/http_client.h"
#include "db/hooks.h"

struct arena;
struct loop;
struct put_off;
struct send_queue;
struct game_delivery;
struct request;

/* A webhook, as it was last read. Its deliveries note here what they find out. */
struct receiver {
    struct db_hook hook;
    char url[HTTP_CLIENT_URL_MAX + 1];
    char host[HTTP_CLIENT_HOST_TEXT];
    size_t at_work; /* deliveries */
    bool here;      /* it was there at the last look */
};

/* The time in which the receivers of a player are told, and what their deliveries share. */
struct round {
    struct loop *loop;
    struct send_queue *send_queue;
    db_id player;
    int64_t until;                    /* on loop->now: no attempt begins later */
    bool failed;                      /* a call to the database: whatever was to come is left */
    struct game_delivery *deliveries; /* at work */
    size_t left;                  /* of all so far, those that have not told all that was known */
    struct arena *arena;          /* of the whole time */
    struct put_off *put_off;      /* games of which a receiver is told later */
    void (*ended)(void *context); /* a delivery has */
    void *context;
};

bool round_is_over(const struct round *round);

/* Whether it may be told of games: an address for mails is first confirmed. */
bool receiver_is_confirmed(const struct receiver *receiver);

/* Until when an address waits to be confirmed; it is forgotten then. */
int64_t receiver_waits_until(const struct receiver *receiver);

/* Whether it is told once a day how many games wait, in place of notices. */
bool receiver_has_digest(const struct receiver *receiver);

/* Whether it is neither switched off nor put back. */
bool receiver_may_be_sent_to(const struct receiver *receiver, int64_t now);

/* Until when a game of a receiver was put off, since its player has it open, or it is too early for
 * a mail; 0: it was not. */
int64_t round_put_off_until(const struct round *round, const struct db_hook_news *news);

/* Whether there is a delivery of this receiver and game. `news` NULL: of its test, or its end.
 */
bool game_delivery_is_at_work(const struct round *round, const struct receiver *receiver,
                              const struct db_hook_news *news);

/* Begins one. `request` is its own (due_request()), and ends with it. */
void game_delivery_begin(struct round *round, struct receiver *receiver, struct request *request,
                         const struct db_hook_news *news);

/* ---- when a failed delivery is tried again ---- */

/* The times between attempts are those that Standard Webhooks proposes: 5 s, 5 min, 30 min, 2 h, 5
 * h, 10 h, 14 h, 20 h and 24 h, and up to a tenth more, so that receivers that were down together
 * are not all tried at once. After three days and a few hours there is none left. */

enum { DELIVERY_FAILURES = 10 }; /* in a row; with the last of them it is over */

/* The time until the next attempt after so many failures in a row, from 1 on. `chance` is a random
 * number. -1: there is none. */
int64_t game_delivery_backoff_us(int failures, uint32_t chance);

#endif
