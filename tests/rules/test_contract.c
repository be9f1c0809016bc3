/* test_contract.c - the games that are part of plyd keep what every game promises (contract/). */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>

#include "contract/contract.h"
#include "rules/module.h"

enum { PROMISES_MAX = 128 };

struct question {
    size_t game;
    const struct contract_promise *promise;
};

ParameterizedTestParameters(contract, a_game_keeps_its_promises)
{
    static struct question questions[RULES_GAMES_MAX * PROMISES_MAX];
    size_t n = 0;

    for (size_t game = 0; game < rules_games(); game++)
        for (size_t list = 0; contract_promises[list] != NULL; list++)
            for (size_t i = 0; contract_promises[list][i].name != NULL; i++)
                questions[n++] = (struct question){game, &contract_promises[list][i]};
    return cr_make_param_array(struct question, questions, n);
}

ParameterizedTest(struct question *question, contract, a_game_keeps_its_promises)
{
    static char how[CONTRACT_TEXT];

    cr_assert(contract_keeps(rules_game(question->game), question->promise, how), "%s: %s",
              question->promise->name, how);
}
