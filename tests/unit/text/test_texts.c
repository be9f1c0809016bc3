/* test_texts.c - options, moves and refusals as texts. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "api/text/legal_moves.h"
#include "api/text/move_text.h"
#include "api/text/options.h"
#include "api/text/refusal.h"
#include "tests/unit/played.h"
#include "tests/unit/seen.h"

TestSuite(texts, .fini = played_free);

/* ---- options ---- */

/* Any value that an option takes, as a text. */
static const char *random_value(const struct rules_option *option, uint64_t *seed)
{
    int32_t most = option->max > option->min + 50 ? option->min + 50 : option->max;

    if (option->kind == RULES_OPTION_BOOL)
        return rules_choose(seed, 2) == 0 ? "true" : "false";
    if (option->choices != NULL) {
        size_t choices = 0;

        while (option->choices[choices] != NULL)
            choices++;
        return option->choices[rules_choose(seed, choices)];
    }
    if (option->zero_is_off && rules_choose(seed, 4) == 0)
        return "0";
    return arena_format(&played_arena, "%d",
                        option->min + (int)rules_choose(seed, (size_t)(most - option->min) + 1));
}

/* An object of some of the options, and the same given one by one. */
static const char *random_options(const struct rules_game *game, uint64_t *seed,
                                  struct rules_options *options)
{
    const char *text = "{";
    struct rules_refusal why;

    rules_options_init(options);
    for (size_t i = 0; i < game->noptions; i++) {
        const struct rules_option *option = &game->options[i];
        const char *value = random_value(option, seed);
        bool bare = option->kind == RULES_OPTION_INT || option->kind == RULES_OPTION_BOOL;
        const char *quote = bare && rules_choose(seed, 2) == 0 ? "" : "\"";

        if (rules_choose(seed, 3) == 0)
            continue;
        cr_assert(rules_option_set(game, options, option->name, value, &why));
        text = arena_format(&played_arena, "%s%s\"%s\":%s%s%s", text, text[1] == '\0' ? "" : ",",
                            option->name, quote, value, quote);
    }
    return arena_format(&played_arena, "%s}", text);
}

static void assert_same_options(const struct rules_game *game, const struct rules_options *a,
                                const struct rules_options *b)
{
    for (size_t i = 0; i < game->noptions; i++)
        cr_assert_eq(a->value[i], b->value[i], "%s", game->options[i].name);
    cr_assert_eq(a->given, b->given);
}

Test(texts, options_are_read_from_an_object_of_numbers_truth_values_and_texts)
{
    uint64_t seed = 21;

    for (int i = 0; i < 500; i++) {
        const struct rules_game *game = rules_game(rules_choose(&seed, rules_games()));
        struct json_error error = {PROBLEM_NONE, NULL, NULL};
        struct rules_options wanted, read;
        const char *text = random_options(game, &seed, &wanted);

        cr_assert(options_from_json(game, &played_arena, text, &read, &error), "%s: %s", text,
                  error.detail);
        assert_same_options(game, &read, &wanted);
    }
}

static void goes_round(const char *variant, const char *given, const char *position)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct played game;
    struct rules_options read;
    struct rules_state state;
    struct rules_refusal why;

    played_from(&game, variant, given, position);
    cr_assert_str_eq(options_to_json(game.game, &played_arena, &game.options, game.row.start),
                     game.row.options);
    cr_assert(options_from_json(game.game, &played_arena, game.row.options, &read, &error));
    for (size_t i = 0; i < game.game->noptions; i++)
        if (game.game->options[i].kind != RULES_OPTION_START)
            cr_assert_eq(read.value[i], game.options.value[i], "%s of %s",
                         game.game->options[i].name, variant);
    cr_assert(rules_start(game.game, &read, NULL, &state, &why), "%s", game.row.options);
    cr_assert_eq(game.game->key(&state), game.keys[0]);
    cr_assert_str_eq(options_to_json(game.game, &played_arena, &read, game.row.start),
                     game.row.options);
}

static void goes_round_from_both(const char *variant, const char *given)
{
    goes_round(variant, given, NULL);
    if (rules_find(variant) == rules_find("shogi")) /* the others have no option for it */
        goes_round(variant, given, played_position(variant, given));
}

Test(texts, resolved_options_are_written_so_that_they_are_read_as_the_same_game)
{
    played_each(goes_round_from_both);
    goes_round("shogi", "start=rook impasse=off", NULL);
}

Test(texts, options_are_written_with_the_types_of_their_kinds)
{
    struct played game;
    struct seen *seen;

    played_start(&game, "stackchess", "size=7 knights=true");
    seen = seen_read(game.row.options);
    cr_assert_eq(seen_count(seen, "%s", ""), game.game->noptions);
    cr_assert_eq(seen_number(seen, "size"), 7);
    cr_assert(seen_bool(seen, "knights"));
    cr_assert_str_eq(seen_text(seen, "stalemate"), "draw");
    seen_free(seen);
}

Test(texts, a_start_that_is_a_position_outlives_the_object_that_gave_it)
{
    static const char position[] = "4k4/9/9/9/9/9/9/9/4K4 b G 1";
    const struct rules_game *shogi = rules_find("shogi");
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct rules_options options;

    cr_assert(options_from_json(shogi, &played_arena,
                                arena_format(&played_arena, "{\"start\":\"%s\"}", position),
                                &options, &error));
    cr_assert_str_eq(options.position, position);
}

Test(texts, an_option_that_is_wrong_is_named_with_what_it_takes)
{
    static const struct {
        const char *variant, *options;
        enum problem problem;
        const char *pointer, *detail;
    } rows[] = {
        {"jungle", "{\"draw_rounds\":1001}", PROBLEM_RULE_BAD_OPTION, "/draw_rounds",
         "A whole number from 1 to 1000, or 0 for never, is expected."},
        {"jungle", "{\"draw_rounds\":1.5}", PROBLEM_RULE_BAD_OPTION, "/draw_rounds",
         "A whole number from 1 to 1000, or 0 for never, is expected."},
        {"jungle", "{\"rat_shore\":\"x\"}", PROBLEM_RULE_BAD_OPTION, "/rat_shore",
         "free, same or enter_only is expected."},
        {"tictactoe", "{\"rows\":0}", PROBLEM_RULE_BAD_OPTION, "/rows",
         "A whole number from 1 to 26 is expected."},
        {"stackchess", "{\"knights\":\"maybe\"}", PROBLEM_RULE_BAD_OPTION, "/knights",
         "true or false is expected."},
        {"tictactoe", "{\"size\":3}", PROBLEM_UNKNOWN_FIELD, "/size",
         "The options of tictactoe are rows, cols and k."},
        {"tictactoe", "{\"k\":3,\"k\":4}", PROBLEM_MALFORMED_JSON, "/k", NULL},
        {"tictactoe", "[]", PROBLEM_MALFORMED_JSON, "", NULL},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct json_error error = {PROBLEM_NONE, NULL, NULL};
        struct rules_options options;

        cr_assert_not(options_from_json(rules_find(rows[i].variant), &played_arena, rows[i].options,
                                        &options, &error),
                      "%s", rows[i].options);
        cr_assert_eq(error.code, rows[i].problem, "%s", rows[i].options);
        cr_assert_str_eq(error.pointer, rows[i].pointer);
        if (rows[i].detail != NULL)
            cr_assert_str_eq(error.detail, rows[i].detail);
    }
}

Test(texts, what_an_option_takes_is_said_for_every_option)
{
    for (size_t i = 0; i < rules_games(); i++)
        for (size_t j = 0; j < rules_game(i)->noptions; j++) {
            const struct rules_option *option = &rules_game(i)->options[j];
            const char *text = options_expectation(&played_arena, option);
            bool never = strstr(text, "0 for never") != NULL;

            cr_assert_not_null(strstr(text, " is expected."), "%s: %s", option->name, text);
            cr_assert_eq(never, option->zero_is_off && option->min > 0, "%s: %s", option->name,
                         text);
            for (size_t k = 0; option->choices != NULL && option->choices[k] != NULL; k++)
                cr_assert_not_null(strstr(text, option->choices[k]), "%s: %s", option->name, text);
            cr_assert_eq(strstr(text, "a position") != NULL, option->kind == RULES_OPTION_START);
        }
}

/* ---- moves ---- */

static void lists_every_move(const char *variant, const char *options)
{
    struct played *game = arena_alloc(&played_arena, sizeof(*game));

    played_start(game, variant, options);
    for (uint64_t seed = 1; seed < 30; seed++) {
        const char **texts;
        size_t n = legal_moves_texts(&played_arena, game->game, &game->state, &texts);

        cr_assert_eq(n, game->game->count(&game->state));
        for (size_t i = 0; i < n; i++) {
            struct rules_refusal why;
            rules_move move;

            cr_assert(game->game->read_move(&game->state, texts[i], &move, &why), "%s", texts[i]);
            cr_assert_str_eq(move_text(&played_arena, game->game, &game->state, move), texts[i]);
            if (i > 0)
                cr_assert_lt(strcmp(texts[i - 1], texts[i]), 0, "sorted, each once");
        }
        played_random(game, seed, 1);
    }
}

Test(texts, the_legal_moves_are_sorted_and_each_is_read_as_itself)
{
    played_each(lists_every_move);
}

Test(texts, a_move_is_written_as_people_write_it_where_the_game_knows_how)
{
    struct played shogi, jungle;
    struct rules_refusal why;
    rules_move last, move;

    played_start(&shogi, "shogi", "");
    cr_assert(shogi.game->read_move(&shogi.state, "7g7f", &move, &why));
    cr_assert_str_neq(
        move_text_pretty(&played_arena, shogi.game, &shogi.state, (rules_move){{0, 0}}, move),
        "7g7f");
    /* The same square as the last move's is written in another way. */
    played_moves(&shogi, "7g7f 3c3d");
    cr_assert(shogi.game->read_move(&shogi.state, "8h2b+", &last, &why));
    played_moves(&shogi, "8h2b+");
    cr_assert(shogi.game->read_move(&shogi.state, "3a2b", &move, &why));
    cr_assert_str_neq(
        move_text_pretty(&played_arena, shogi.game, &shogi.state, last, move),
        move_text_pretty(&played_arena, shogi.game, &shogi.state, (rules_move){{0, 0}}, move));
    played_start(&jungle, "jungle", "");
    cr_assert(jungle.game->read_move(&jungle.state, "a3a4", &move, &why));
    cr_assert_str_eq(
        move_text_pretty(&played_arena, jungle.game, &jungle.state, (rules_move){{0, 0}}, move),
        "a3a4");
}

/* ---- refusals ---- */

static const char *refusal_of(const char *variant, const char *moves, const char *refused)
{
    struct played *game = arena_alloc(&played_arena, sizeof(*game));
    struct rules_refusal why;
    rules_move move;

    played_start(game, variant, "");
    played_moves(game, moves);
    cr_assert_not(game->game->read_move(&game->state, refused, &move, &why), "%s", refused);
    return refusal_text(&played_arena, game->game, &game->state, refused, &why, NULL);
}

Test(texts, a_refusal_names_the_move_the_squares_and_the_rule)
{
    const char *text = refusal_of("shogi", "", "8h2b");

    cr_assert_eq(strncmp(text, "8h2b is blocked: 7g. ", 21), 0, "%s", text);
    text = refusal_of("shogi", "", "2h8h");
    cr_assert_eq(strncmp(text, "2h8h ", 5), 0, "%s", text);
    text = refusal_of("tictactoe", "b2", "b2");
    cr_assert_not_null(strstr(text, "b2 ends on a square that is taken: b2. "), "%s", text);
    text = refusal_of("tictactoe", "", "");
    cr_assert_eq(strncmp(text, "An empty text cannot be read as a move. ", 40), 0, "%s", text);
}

/* Hand-made refusals, of which some places cannot be filled. */
static const char *text_of(struct rules_refusal *why, const char *move, bool with_state)
{
    static struct played game;

    played_start(&game, "shogi", "");
    return refusal_text(&played_arena, game.game, with_state ? &game.state : NULL, move, why, NULL);
}

static struct rules_refusal bare(enum rules_code code)
{
    struct rules_refusal why;

    rules_refuse(&why, code, NULL);
    return why;
}

Test(texts, a_sentence_of_which_a_place_cannot_be_filled_is_left_out)
{
    static const struct rules_law law = {"S1", "shogi.x", "A rule."};
    struct rules_refusal why = bare(RULES_EMPTY_SQUARE);

    cr_assert_str_eq(text_of(&why, "7f7e", true), "7f7e starts from an empty square.");
    why.law = &law;
    cr_assert_str_eq(text_of(&why, "7f7e", true), "7f7e starts from an empty square. A rule.");
    cr_assert_not_null(strstr(text_of(&why, NULL, true), "A rule."));
    cr_assert_null(strstr(text_of(&why, NULL, true), "starts"));
    why = bare(RULES_BAD_POSITION);
    cr_assert_str_eq(text_of(&why, NULL, true), rules_code_title(RULES_BAD_POSITION));
    why.law = &law;
    cr_assert_str_eq(text_of(&why, NULL, false), "A rule.");
}

Test(texts, numbers_and_options_are_filled_in)
{
    struct rules_refusal why = bare(RULES_STACK_TOO_SMALL);

    cr_assert_str_eq(text_of(&why, "x", true), rules_code_title(RULES_STACK_TOO_SMALL));
    why.yours = 3;
    cr_assert_str_eq(text_of(&why, "x", true), rules_code_title(RULES_STACK_TOO_SMALL));
    why = bare(RULES_STACK_TOO_SMALL);
    why.required = -2;
    cr_assert_str_eq(text_of(&why, "x", true), rules_code_title(RULES_STACK_TOO_SMALL));
    why.yours = 3;
    cr_assert_str_eq(text_of(&why, "x", true), "x asks for 3 pieces; the stack has -2.");
    cr_assert_str_eq(text_of(&why, "x", false), "x asks for 3 pieces; the stack has -2.");
    why = bare(RULES_BAD_OPTION);
    why.option = "rows";
    cr_assert_str_eq(text_of(&why, NULL, false), "The option rows does not take that value.");
}

Test(texts, squares_are_named_by_the_part_that_they_play)
{
    const struct rules_man man = {0, 0};
    struct rules_refusal why = bare(RULES_LEAVES_KING_IN_CHECK);

    rules_add_witness(&why, RULES_ROLE_KING, 76, man);
    cr_assert_str_eq(text_of(&why, "x", true), rules_code_title(RULES_LEAVES_KING_IN_CHECK));
    rules_add_witness(&why, RULES_ROLE_CHECKER, 0, man);
    cr_assert_str_eq(text_of(&why, "x", true), "x leaves the king attacked by what stands on 9a.");
    rules_add_witness(&why, RULES_ROLE_CHECKER, 8, man);
    cr_assert_str_eq(text_of(&why, "x", true),
                     "x leaves the king attacked by what stands on 9a, 1a.");
    why.code = RULES_BLOCKED;
    cr_assert_str_eq(text_of(&why, "x", true), "x is blocked: 5i, 9a, 1a.");
    cr_assert_str_eq(text_of(&why, "x", false), rules_code_title(RULES_BLOCKED));
}

Test(texts, of_many_examples_three_are_told)
{
    static const char *const moves[] = {"7g7f", "2g2f", "5g5f", "1g1f"};
    static const char *const told[] = {"7g7f", "7g7f, 2g2f", "7g7f, 2g2f, 5g5f",
                                       "7g7f, 2g2f, 5g5f and others"};
    struct rules_refusal why = bare(RULES_AMBIGUOUS), ignored;
    struct played game;
    rules_move move;

    played_start(&game, "shogi", "");
    for (size_t i = 0; i < 4; i++) {
        cr_assert(game.game->read_move(&game.state, moves[i], &move, &ignored));
        rules_add_example(&why, move);
        cr_assert_str_eq(text_of(&why, "x", true),
                         arena_format(&played_arena, "x may mean: %s.", told[i]));
    }
}

Test(texts, every_refusal_of_every_game_is_a_sentence_without_holes)
{
    uint64_t seed = 31;

    for (int i = 0; i < 3000; i++) {
        struct played *game = arena_alloc(&played_arena, sizeof(*game));
        const struct rules_game *other = rules_game(rules_choose(&seed, rules_games()));
        struct rules_refusal why;
        char text[RULES_MOVE_TEXT];
        const char *move, *told;
        rules_move read;

        played_start(game, rules_game(rules_choose(&seed, rules_games()))->name, "");
        played_random(game, seed, (int)rules_choose(&seed, 20));
        move = played_choose(game, &seed);
        snprintf(text, sizeof(text), "%s",
                 move != NULL && rules_choose(&seed, 3) > 0 ? move : other->move.examples[0]);
        text[rules_choose(&seed, strlen(text))] = "19aei+*x"[rules_choose(&seed, 8)];
        if (!game->game->read_move(&game->state, text, &read, &why)) {
            told = refusal_text(&played_arena, game->game, &game->state, text, &why, NULL);
            cr_assert_null(strpbrk(told, "{}"), "%s", told);
            cr_assert_null(strstr(told, "  "), "%s", told);
            cr_assert(*told != '\0' && *told != ' ', "%s", told);
        }
        arena_reset(&played_arena);
    }
}
