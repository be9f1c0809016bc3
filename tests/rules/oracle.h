/*
 * oracle.h - a game of rules/ and its reference, side by side.
 *
 * An oracle holds one game as both play it. oracle_compare() asks both everything about the present
 * position. Where they differ, the running test fails and prints how to come there again: game,
 * options, start, moves.
 */
#ifndef PLYD_TESTS_RULES_ORACLE_H
#define PLYD_TESTS_RULES_ORACLE_H

#include <stddef.h>
#include <stdint.h>

#include "rules/rules.h"
#include "tests/reference/reference.h"

enum { ORACLE_LINE_MAX = 1024 };

/* A position that occurred, with the key that the game gave it. */
struct oracle_met {
    char *identity;
    uint64_t key;
};

struct oracle {
    const struct rules_game *game;
    const struct reference_game *reference;

    struct rules_options options;
    struct reference_option option[RULES_OPTIONS_MAX];
    char value[RULES_OPTIONS_MAX][RULES_POSITION_TEXT];
    struct reference_options resolved;

    struct rules_state state; /* the present position, as the game keeps it */
    size_t len;               /* positions on the line, the present one included */
    char *position[ORACLE_LINE_MAX];
    uint64_t key[ORACLE_LINE_MAX];
    char move[ORACLE_LINE_MAX][RULES_MOVE_TEXT]; /* move[i] led to position[i + 1] */

    /* The legal moves and the outcome of the present position, once compared. */
    struct reference_moves moves;
    rules_move *same; /* same[i] is what the game takes moves.move[i] for */
    struct reference_outcome outcome;

    struct oracle_met *met;
    size_t nmet, met_cap;
};

/* Begins a game. Options are written "name=value name=value". `position` NULL: the usual start,
 * which the reference knows too, or what an option `start` says. */
void oracle_open(struct oracle *oracle, const struct reference_game *reference, const char *options,
                 const char *position);

/* Compares everything about the present position. */
void oracle_compare(struct oracle *oracle);

/* Plays moves.move[i] of a compared position. */
void oracle_play(struct oracle *oracle, size_t i);

/* Ends the game, and compares the keys of all positions that occurred with their texts. */
void oracle_close(struct oracle *oracle);

/* Writes a random position that start() must accept under these options. */
typedef void (*oracle_setup)(uint64_t *seed, const char *options, char *position);

/* oracle_setup_tictactoe() and so on: of each game that is part of plyd, by its folder. */
#define RULES_GAME(name, folder) \
    void oracle_setup_##folder(uint64_t *seed, const char *options, char *position);
#include "rules/games.def"
#undef RULES_GAME

#endif
