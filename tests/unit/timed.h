/*
 * timed.h - games of tic-tac-toe with a clock and offers for tests, played in a draft second by
 * second. Everything lies in records_arena.
 */
#ifndef PLYD_TESTS_UNIT_TIMED_H
#define PLYD_TESTS_UNIT_TIMED_H

#include "api/game/draft.h"

#define TIMED_AT     INT64_C(1600000000000000) /* when the games begin */
#define TIMED_SECOND INT64_C(1000000)

/* A new game with a clock, told as in a request; NULL: with none. */
struct draft *timed_new(const char *clock);

/* Puts the game's time so many seconds behind its beginning. */
void timed_at(struct draft *draft, double seconds);

void timed_play(struct draft *draft, const char *move);
void timed_undo(struct draft *draft, int32_t ply);

/* Makes an offer with these further members of its data ("\"to_ply\":1"), and answers one. The
 * caller adds what both have agreed on. They return the version of the event. */
int32_t timed_offer(struct draft *draft, enum offer_kind kind, int seat, const char *members);
int32_t timed_answer(struct draft *draft, int kind, int32_t id);

void timed_add(struct draft *draft, int64_t span);
void timed_pause(struct draft *draft, double until);
void timed_resume(struct draft *draft);
void timed_leave(struct draft *draft, int seat, double from, double until);

/* An outage that becomes known. It is credited by timed_credit(). */
void timed_outage(struct draft *draft, double from, double to);
void timed_credit(struct draft *draft);

/* Warns the side to move. */
void timed_warn(struct draft *draft);

/* Lets the time of the side to move run out. */
void timed_out(struct draft *draft);

/* An event that changes nothing but the log. */
struct db_event *timed_event(struct draft *draft, int kind, int seat, const char *members);

/* A game in which all of this happens at random. `look` is called after each step; NULL: nobody
 * looks. */
struct draft *timed_random(uint64_t seed, void (*look)(const struct draft *draft));

#endif
