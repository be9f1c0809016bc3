/*
 * timekeeper.h - a second implementation of clocks: one that ticks.
 *
 * It is written from the words of api/game/clock.h by the most naive method, and shares no code
 * with api/game. Time is a row of ticks, and each tick has marks that say why the clock stands
 * still then. To know what is left it puts a clock on the table as it was when the turn began, and
 * lets it tick: a tick takes one off the bank, or off the period that has begun. Nothing is added
 * up, divided or intersected, so it is slow, and takes only small times.
 */
#ifndef PLYD_TESTS_UNIT_TIMEKEEPER_H
#define PLYD_TESTS_UNIT_TIMEKEEPER_H

#include <stdbool.h>

enum { KEEPER_TICKS = 4096, KEEPER_PLIES = 64, KEEPER_SEATS = 3 /* 0 is not used */ };

enum keeper_kind { KEEPER_DAYS, KEEPER_FISCHER, KEEPER_BYOYOMI };

/* All in ticks. */
struct keeper_terms {
    enum keeper_kind kind;
    int initial, increment, max, period, periods, first_move;
    bool vacation;
};

/* What lies on the table. */
struct keeper_sides {
    int bank[KEEPER_SEATS], periods[KEEPER_SEATS], added[KEEPER_SEATS];
    bool moved[KEEPER_SEATS];
};

struct timekeeper {
    struct keeper_terms terms;
    unsigned char mark[KEEPER_TICKS];
    int remote_from[KEEPER_SEATS], remote_until[KEEPER_SEATS]; /* the last vacation */
    int paused_until;
    bool goes_on;
    int seat, began;                      /* whose turn it is, and since when */
    struct keeper_sides sides;            /* as they were when the turn began */
    struct keeper_sides at[KEEPER_PLIES]; /* after each ply */
};

void keeper_init(struct timekeeper *keeper, const struct keeper_terms *terms);

/* The turn of a seat begins. */
void keeper_begin(struct timekeeper *keeper, int seat, int now);

/* The seat makes the move that leads to a ply. Returns what it thought. */
int keeper_move(struct timekeeper *keeper, int ply, int now);

void keeper_stop(struct timekeeper *keeper, int now);
void keeper_go_to(struct timekeeper *keeper, int ply, int seat, int now);
void keeper_pause(struct timekeeper *keeper, int until, int now);
void keeper_leave(struct timekeeper *keeper, int seat, int from, int until);
void keeper_add(struct timekeeper *keeper, int seat, int span);
void keeper_outage(struct timekeeper *keeper, int from, int to);

/* How much of an outage is owed to the side to move, and that it has been credited. */
int keeper_owed(const struct timekeeper *keeper, int from, int to, int now);
void keeper_credit(struct timekeeper *keeper, int from, int to, int now);

/* The first tick at which the side to move is out of time. -1: the game does not go on. */
int keeper_deadline(const struct timekeeper *keeper);

/* What a seat has left at a tick, and whether its bank becomes less then. */
int keeper_left(const struct timekeeper *keeper, int seat, int now, int *periods);
bool keeper_running(const struct timekeeper *keeper, int seat, int now);

#endif
