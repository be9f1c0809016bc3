/*
 * challenge.h - challenges: a game with a seat kept for a player.
 *
 * The game is made by whoever challenges, and nobody but the two learns of it before the other one
 * has taken the seat (row_hides()). They take it by joining, or decline; the challenger withdraws
 * by calling the game off; and it is called off when its time is over. What a player has open is
 * bounded, as challenger and as challenged: CHALLENGES_OF and CHALLENGES_TO_ONE refuse one more. A
 * player who has CHALLENGES_HEARD waiting is not told of further ones, nor of any by somebody whom
 * they have blocked; and those who make these see no difference: to them it is as if nobody
 * answered. Challenges that are made at the same moment
 * do not count each other: how many these are is bounded by the quota of new games alone.
 */
#ifndef PLYD_API_ENDPOINTS_GAMES_CHALLENGE_H
#define PLYD_API_ENDPOINTS_GAMES_CHALLENGE_H

#include "api/endpoints/games/creation.h"
#include "api/game/clock.h"

enum { CHALLENGES_OF = 32, CHALLENGES_TO_ONE = 3, CHALLENGES_HEARD = 50 };

/* For how long a challenge waits if nothing else is said. */
#define CHALLENGE_US (7 * CLOCK_DAY)

/* Asks whether the player of the request may challenge whom the creation names, and whether that
 * one is told of it. Then `then` is called; or the request was answered. */
void challenge_ask(struct creation *creation, void (*then)(void *context), void *context);

/* The same for a challenger whom the creation names, and who is another one than they challenge. */
void challenge_weigh(struct creation *creation, void (*then)(void *context), void *context);

/* Keeps the seat, with an event that says so and the due work that ends the challenge. */
void challenge_begin(struct creation *creation);

/* What to tell whoever answers a challenge that waits no more. NULL: it was none, or waits. */
const char *challenge_end(const struct db_game *row);

#endif
