/*
 * test_options_key.c - which options of a game tell positions apart, and the keys for ever.
 *
 * What each option does stands in the rulebooks: all of them change what is legal or who wins, but
 * for the knights of Stackchess, and for starts of shogi that give away men of the same worth.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "contract/walk.h"
#include "rules/rules.h"

/* Resolved options, given as "name=value name=value". */
static struct rules_options options_of(const char *name, const char *given)
{
    const struct rules_game *game = rules_find(name);
    struct rules_options options;
    struct rules_state state;
    struct rules_refusal why;
    char text[256];

    rules_options_init(&options);
    snprintf(text, sizeof(text), "%s", given);
    for (char *next, *at = strtok_r(text, " ", &next); at != NULL;
         at = strtok_r(NULL, " ", &next)) {
        char *value = strchr(at, '=');

        *value++ = '\0';
        cr_assert(rules_option_set(game, &options, at, value, &why), "%s %s", at, value);
    }
    cr_assert(rules_start(game, &options, NULL, &state, &why), "%s", given);
    return options;
}

static uint64_t key_of(const char *name, const char *given)
{
    struct rules_options options = options_of(name, given);

    return rules_options_key(rules_find(name), &options);
}

static bool is_same_choice(const struct rules_game *game, const struct rules_options *a,
                           const struct rules_options *b)
{
    for (size_t i = 0; i < game->noptions; i++)
        if (game->options[i].alike == NULL && a->value[i] != b->value[i])
            return false;
    return true;
}

/* No option but these may say that its values are alike. */
static bool only_starts(const char *game, const struct rules_option *option)
{
    return option->kind == RULES_OPTION_START ||
           (strcmp(game, "stackchess") == 0 && strcmp(option->name, "knights") == 0);
}

Test(options_key, those_that_matter_are_all_but_what_a_game_starts_from)
{
    for (size_t g = 0; g < rules_games(); g++)
        for (size_t i = 0; i < rules_game(g)->noptions; i++)
            cr_assert_eq(rules_game(g)->options[i].alike != NULL,
                         only_starts(rules_game(g)->name, &rules_game(g)->options[i]), "%s of %s",
                         rules_game(g)->options[i].name, rules_game(g)->name);
}

/* Every interesting value of every option of every game, and random ones of all. */
Test(options_key, every_value_of_an_option_that_matters_has_another_key)
{
    static struct rules_options met[512];
    static uint64_t keys[512];

    for (size_t g = 0; g < rules_games(); g++) {
        const struct rules_game *game = rules_game(g);
        size_t n = 0;

        for (size_t i = 0; i < walk_settings(game) && n < 512; i++) {
            char text[WALK_SETTING_TEXT];
            struct rules_state state;
            struct rules_refusal why;

            walk_options(game, i, &met[n], text);
            if (!rules_start(game, &met[n], NULL, &state, &why))
                continue;
            keys[n] = rules_options_key(game, &met[n]);
            for (size_t k = 0; k < n; k++)
                cr_assert(keys[k] != keys[n] || is_same_choice(game, &met[k], &met[n]), "%s:%s",
                          game->name, text);
            n++;
        }
        cr_assert_gt(n, 3, "%s", game->name);
    }
}

Test(options_key, starts_that_give_away_the_same_points_are_alike_and_no_others)
{
    cr_assert_eq(key_of("shogi", "start=lance"), key_of("shogi", "start=right-lance"));
    cr_assert_eq(key_of("shogi", "start=bishop"), key_of("shogi", "start=rook"));
    cr_assert_neq(key_of("shogi", "start=lance"), key_of("shogi", ""));
    cr_assert_neq(key_of("shogi", "start=lance"), key_of("shogi", "start=rook"));
}

Test(options_key, a_start_from_a_position_is_alike_an_even_one)
{
    struct rules_options options;
    struct rules_state state;
    struct rules_refusal why;

    rules_options_init(&options);
    cr_assert(
        rules_start(rules_find("shogi"), &options, "4k4/9/9/9/9/9/9/9/4K4 b G 1", &state, &why));
    cr_assert_eq(rules_options_key(rules_find("shogi"), &options), key_of("shogi", ""));
}

Test(options_key, knights_at_the_start_of_stackchess_are_told_by_the_board_alone)
{
    cr_assert_eq(key_of("stackchess", "size=8 knights=true"), key_of("stackchess", "size=8"));
}

Test(options_key, options_that_are_not_given_count_as_defaults)
{
    struct rules_options options;

    rules_options_init(&options);
    cr_assert_eq(rules_options_key(rules_find("shogi"), &options),
                 key_of("shogi", "rules=standard repetition=4 impasse=declare max_plies=0"));
}

/* Keys are stored. If one of these changes, raise DB_POSITIONS_MADE (db/library.h) with it. */
Test(options_key, keys_of_a_game_are_the_same_for_ever)
{
    static const struct {
        const char *game, *options;
        uint64_t key;
    } golden[] = {
        {"shogi", "", 0x6777124e552349d8U},
        {"shogi", "rules=casual", 0x97bddfeeb822fce7U},
        {"shogi", "start=two-piece", 0x3836f7c2efbe2562U},
        {"stackchess", "", 0xf41c520e9fe7a5faU},
        {"stackchess", "size=8 stalemate=loss", 0x018875d8208391e1U},
        {"jungle", "", 0xe6bb5d2115b7edcdU},
        {"jungle", "rat_shore=same draw_rounds=0", 0xb2955eafafdd7ddbU},
        {"tictactoe", "", 0xba38c941e3b6a0cdU},
        {"tictactoe", "rows=15 cols=15 k=5", 0xd78861b301395637U},
        {"turkish-draughts", "", 0x8205189959122797U},
        {"turkish-draughts", "promotion=stop", 0x6d0b3de21ee0e0f5U},
    };

    for (size_t i = 0; i < sizeof(golden) / sizeof(golden[0]); i++)
        cr_expect_eq(key_of(golden[i].game, golden[i].options), golden[i].key,
                     "{\"%s\", \"%s\", 0x%016llxU},", golden[i].game, golden[i].options,
                     (unsigned long long)key_of(golden[i].game, golden[i].options));
}

Test(options_key, keys_of_start_positions_are_the_same_for_ever)
{
    static const struct {
        const char *game;
        uint64_t key;
    } golden[] = {
        {"shogi", 0x4b62bb3a70056a38U},
        {"stackchess", 0x8d053f66d96e02eeU},
        {"jungle", 0x2670047faa088aceU},
        {"tictactoe", 0x511d3573ca2f5348U},
        {"turkish-draughts", 0xcc908e4b82d6b791U},
    };

    for (size_t i = 0; i < sizeof(golden) / sizeof(golden[0]); i++) {
        const struct rules_game *game = rules_find(golden[i].game);
        struct rules_options options;
        struct rules_state state;
        struct rules_refusal why;
        struct rules_orbit orbit;

        rules_options_init(&options);
        cr_assert(rules_start(game, &options, NULL, &state, &why));
        rules_orbit(game, &options, &state, &orbit);
        cr_expect_eq(orbit.key, golden[i].key, "{\"%s\", 0x%016llxU},", golden[i].game,
                     (unsigned long long)orbit.key);
    }
}
