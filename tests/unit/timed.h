/*
 * timed.h - games of tic-tac-toe with a clock and offers for tests, played in a course second by
 * second. Everything lies in records_arena.
 */
#ifndef PLYD_TESTS_UNIT_TIMED_H
#define PLYD_TESTS_UNIT_TIMED_H

#include "api/game/draft.h"

#define TIMED_AT     INT64_C(1600000000000000) /* when the games begin */
#define TIMED_SECOND INT64_C(1000000)

/* A new game with a clock, told as in a request; NULL: with none. */
struct course *timed_new(const char *clock);

/* Puts the game's time so many seconds behind its beginning. */
void timed_at(struct course *course, double seconds);

void timed_play(struct course *course, const char *move);
void timed_undo(struct course *course, int32_t ply);

/* Makes an offer with these further members of its data ("\"to_ply\":1"), and answers one. The
 * caller adds what both have agreed on. They return the version of the event. */
int32_t timed_offer(struct course *course, enum offer_kind kind, int seat, const char *members);
int32_t timed_answer(struct course *course, int kind, int32_t id);

void timed_add(struct course *course, int64_t span);
void timed_pause(struct course *course, double until);
void timed_resume(struct course *course);
void timed_leave(struct course *course, int seat, double from, double until);

/* An outage that becomes known. It is credited by timed_credit(). */
void timed_outage(struct course *course, double from, double to);
void timed_credit(struct course *course);

/* Warns the side to move. */
void timed_warn(struct course *course);

/* Lets the time of the side to move run out. */
void timed_out(struct course *course);

/* An event that changes nothing but the log. */
struct db_event *timed_event(struct course *course, int kind, int seat, const char *members);

/* A game in which all of this happens at random. `look` is called after each step; NULL: nobody
 * looks. */
struct course *timed_random(uint64_t seed, void (*look)(const struct course *course));

#endif
