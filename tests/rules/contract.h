/*
 * contract.h - one test for each property, run on every registered game.
 *
 * CONTRACT(name) { ... } is a Criterion test with a parameter: *game, the index of the game.
 */
#ifndef PLYD_TESTS_RULES_CONTRACT_H
#define PLYD_TESTS_RULES_CONTRACT_H

#include <criterion/criterion.h>
#include <criterion/parameterized.h>

#include "walk.h"

enum {
    CONTRACT_GAMES_MAX = 64,
    CONTRACT_PLIES = 120 /* of a random game, where a property does not ask for more */
};

static inline struct criterion_test_params contract_games(void)
{
    static size_t games[CONTRACT_GAMES_MAX];

    for (size_t i = 0; i < rules_games(); i++)
        games[i] = i;
    return cr_make_param_array(size_t, games, rules_games());
}

#define CONTRACT(property)                          \
    ParameterizedTestParameters(contract, property) \
    {                                               \
        return contract_games();                    \
    }                                               \
    ParameterizedTest(size_t *game, contract, property)

/* Write the text of a move or a position, and assert that nothing behind it was written. */
void contract_move_text(const struct walk *walk, const struct rules_state *state, rules_move move,
                        char text[RULES_MOVE_TEXT]);
void contract_position_text(const struct walk *walk, const struct rules_state *state,
                            char text[RULES_POSITION_TEXT]);

/* Writes a text with one to three random slips in it, into a buffer of `cap` bytes. */
void contract_misspell(uint64_t *seed, const char *text, char *out, size_t cap);

/* Asserts that a refusal is one of the game: its code, its law, its option, its witnesses and
 * examples. `state` is the position in which a move was refused, or NULL. */
void contract_check_refusal(const struct walk *walk, const struct rules_state *state,
                            const struct rules_refusal *why, const char *text);

#endif
