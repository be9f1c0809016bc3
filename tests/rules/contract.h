/*
 * contract.h - one test for each property, run on every game.
 *
 * CONTRACT(name) { ... } is a Criterion test with a parameter: *game, the index of the game.
 */
#ifndef PLYD_TESTS_RULES_CONTRACT_H
#define PLYD_TESTS_RULES_CONTRACT_H

#include <criterion/criterion.h>
#include <criterion/parameterized.h>

#include "contract/walk.h"
#include "rules/module.h"

enum { CONTRACT_PLIES = 120 /* of a random game */ };

static inline struct criterion_test_params contract_each_game(void)
{
    static size_t games[RULES_GAMES_MAX];

    for (size_t i = 0; i < rules_games(); i++)
        games[i] = i;
    return cr_make_param_array(size_t, games, rules_games());
}

#define CONTRACT(property)                          \
    ParameterizedTestParameters(contract, property) \
    {                                               \
        return contract_each_game();                \
    }                                               \
    ParameterizedTest(size_t *game, contract, property)

#endif
