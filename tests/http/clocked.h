/*
 * clocked.h - games with clocks of every kind, whose logs are read from the database and reckoned
 * (reckoning.h), and whose answers are held against that.
 *
 * What differs fails the test, which then tells the story of the game.
 */
#ifndef PLYD_TESTS_HTTP_CLOCKED_H
#define PLYD_TESTS_HTTP_CLOCKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "house.h"
#include "reckoning.h"

enum { CLOCKED_KINDS = 7, CLOCKED_DEEDS = 400 };

struct clocked_kind {
    const char *clock;
    struct reckon_terms terms;
    bool alone; /* one player holds both seats, and undoes as they like */
    bool quick; /* of minutes, not of days */
};
extern const struct clocked_kind clocked_kinds[CLOCKED_KINDS];

struct clocked {
    const struct clocked_kind *kind;
    char id[32], path[64], uuid[40];
    int player[RECKON_SEATS];
    bool lazy; /* nobody ever begins it */
    int version;
    struct reckon_deed deed[CLOCKED_DEEDS];
    size_t deeds;
    char move[RECKON_PLIES][4];
    struct reckoned now; /* as it was looked at last */
    int tip;
};

/* What the logs that were read have told, and how much was compared. */
struct clocked_count {
    int looks, comparisons, moves, undos, redos, pauses, resumed, added, credits, warnings,
        timeouts, aborted;
};
extern struct clocked_count clocked_count;

/* Where the test is, as failures tell it. */
extern char clocked_place[64];

/* Connects to the database, apart from the daemons (hours.h). */
void clocked_open(const char *database);
void clocked_close(void);

/* A game that was made just now. Its player is that of seat 1; of seat 2 too, or else the other
 * one of two, 0 and 1. */
void clocked_begin(struct clocked *game, const struct clocked_kind *kind, const char *id,
                   int player);

/* Holds an answer with the whole game against its log up to that version. */
void clocked_judge(struct clocked *game, const struct answer *answer);

/* Holds a list of the moves of a game that was judged against what they took. */
void clocked_judge_moves(const struct clocked *game, const struct answer *answer);

/* Whether an answer shows the deadline that the game has by all outages. */
bool clocked_fits(struct clocked *game, const struct answer *answer);

/* How many outages there were, and how long the last one took. */
size_t clocked_outages(int64_t *last);

/* What the database has of a game. */
int clocked_version(const struct clocked *game);

/* A time of an answer, in milliseconds. 0: it is null, or there is none. */
int64_t clocked_ms(const cJSON *time);

#endif
