/* test_contract.c - the games that are part of plyd keep what every game promises (contract/). */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <string.h>

#include "contract/contract.h"
#include "contract/walk.h"
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

/* On the smallest boards, where games come to their rare ends. */
Test(contract, several_walks_have_the_least_of_all_options_together)
{
    const struct rules_game *game = rules_find("tictactoe");
    char text[WALK_SETTING_TEXT];
    struct rules_options options;
    size_t least = 0;

    for (size_t i = 0; i < walk_settings(game); i++) {
        size_t n = 0;

        walk_options(game, i, &options, text);
        for (size_t k = 0; k < game->noptions; k++)
            n += options.value[k] == game->options[k].min;
        least += n == game->noptions;
    }
    cr_assert_geq(least, 4);
}

/* ---- tic-tac-toe with moves whose texts are their places in the list: they do not turn ---- */

static void place_text(const struct rules_state *state, rules_move move, char *text)
{
    static rules_move moves[RULES_SQUARES_MAX];
    size_t n = rules_find("tictactoe")->legal(state, moves, RULES_SQUARES_MAX), i = 0;

    while (i < n && !rules_same_move(moves[i], move))
        i++;
    text[0] = (char)('A' + i / 26);
    text[1] = (char)('A' + i % 26);
    text[2] = '\0';
}

static bool read_place(const struct rules_state *state, const char *text, rules_move *move,
                       struct rules_refusal *why)
{
    static rules_move moves[RULES_SQUARES_MAX];
    size_t n = rules_find("tictactoe")->legal(state, moves, RULES_SQUARES_MAX);
    size_t i = (size_t)((text[0] - 'A') * 26 + text[1] - 'A');

    if (i >= n)
        return rules_refuse(why, RULES_NOT_ALLOWED, NULL);
    *move = moves[i];
    return true;
}

static const struct contract_promise *promise_of(const char *name)
{
    for (size_t list = 0; contract_promises[list] != NULL; list++)
        for (const struct contract_promise *one = contract_promises[list]; one->name != NULL; one++)
            if (strcmp(one->name, name) == 0)
                return one;
    return NULL;
}

Test(contract, moves_that_are_not_turned_with_the_board_are_found)
{
    struct rules_game game = *rules_find("tictactoe");
    const struct contract_promise *promise = promise_of("a turned board is played in the same way");
    char how[CONTRACT_TEXT];

    cr_assert_not_null(promise);
    cr_assert(contract_keeps(&game, promise, how), "%s", how);
    game.move_text = place_text;
    game.read_move = read_place;
    cr_assert_not(contract_keeps(&game, promise, how));
    cr_assert_not_null(strstr(how, "is no turn of"), "%s", how);
}
