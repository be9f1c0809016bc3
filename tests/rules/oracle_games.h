/*
 * oracle_games.h - which games are played against a reference.
 *
 * PLYD_ORACLE_POSITIONS says how many positions of each repertoire are compared; without it they
 * are 1000 to 3000, until games have ended in every way. The games are the same in every run with
 * the same number; PLYD_ORACLE_SEED (a number) makes others.
 */
#ifndef PLYD_TESTS_RULES_ORACLE_GAMES_H
#define PLYD_TESTS_RULES_ORACLE_GAMES_H

#include "oracle.h"

enum { ORACLE_POSITIONS = 3000, ORACLE_VALUES_MAX = 8 };

/* An option and the values that are tried, beside its default. */
struct oracle_option {
    const char *name;
    const char *values[ORACLE_VALUES_MAX]; /* ends with NULL, if it is not full */
};

struct oracle_repertoire {
    const struct reference_game *reference;
    const char *options;                 /* given in every game: "rules=casual", or "" */
    const struct oracle_option *choices; /* of the other options; ends with a NULL name */
    const char *const *starts;    /* options that only the usual start takes; ends with NULL */
    const char *const *positions; /* composed ones; ends with NULL */
    oracle_setup setup;           /* random ones */
    size_t plies;                 /* after so many a game from the usual start is left */
    const char *never;            /* the ends of this game that the options exclude, or "" */
};

/* Plays random games under random options, from the usual start, from random positions and from
 * composed ones, and compares everything at every position. Fails the test where the two differ, or
 * if some end of the game never came. */
void oracle_play_games(const struct oracle_repertoire *repertoire);

#endif
