/*
 * test_rules.c - what rules.c derives for all games, on a made-up one.
 *
 * The game is a heap of stones, from which the players take one or two in turn. Its position text
 * is the number of stones, its moves are "1" and "2".
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/rules.h"

enum { STONES, MISERE, PACE, START, OPTIONS };

static const char *const paces[] = {"slow", "fast", NULL};
static const char *const starts[] = {"usual", "short", NULL};
static const struct rules_option options[OPTIONS] = {
    [STONES] = {.name = "stones",
                .kind = RULES_OPTION_INT,
                .min = 5,
                .max = 20,
                .zero_is_off = true,
                .fallback = 7,
                .doc = ""},
    [MISERE] = {.name = "misere", .kind = RULES_OPTION_BOOL, .max = 1, .doc = ""},
    [PACE] = {.name = "pace", .kind = RULES_OPTION_CHOICE, .max = 1, .choices = paces, .doc = ""},
    [START] = {.name = "start", .kind = RULES_OPTION_START, .max = 1, .choices = starts, .doc = ""},
};

static bool start(struct rules_options *given, struct rules_state *state, struct rules_refusal *why)
{
    state->bytes = sizeof(uint64_t);
    if (given->position == NULL)
        state->w[0] = given->value[START] == 1 ? 3 : (uint64_t)given->value[STONES];
    else if (strspn(given->position, "0123456789") == strlen(given->position))
        state->w[0] = strtoull(given->position, NULL, 10);
    else
        return rules_refuse(why, RULES_BAD_POSITION, NULL);
    return true;
}

static void position_text(const struct rules_state *state, char *text)
{
    snprintf(text, RULES_POSITION_TEXT, "%d", (int)state->w[0]);
}

static size_t legal(const struct rules_state *state, rules_move *moves, size_t cap)
{
    size_t n = state->w[0] < 2 ? state->w[0] : 2;

    for (size_t i = 0; i < n && i < cap; i++)
        moves[i] = (rules_move){{i + 1, 0}};
    return n;
}

static size_t count(const struct rules_state *state)
{
    return legal(state, NULL, 0);
}

static void play(const struct rules_state *state, rules_move move, struct rules_state *next)
{
    next->bytes = state->bytes;
    next->w[0] = state->w[0] - move.w[0];
}

static bool read_move(const struct rules_state *state, const char *text, rules_move *move,
                      struct rules_refusal *why)
{
    *move = (rules_move){{(uint64_t)(text[0] - '0'), 0}};
    if (strcmp(text, "1") != 0 && strcmp(text, "2") != 0)
        return rules_refuse(why, RULES_BAD_MOVE_TEXT, NULL);
    return move->w[0] <= state->w[0] || rules_refuse(why, RULES_EMPTY_SQUARE, NULL);
}

static struct rules_outcome outcome(const struct rules_state *state,
                                    const struct rules_history *history)
{
    (void)history;
    return state->w[0] == 0 ? (struct rules_outcome){RULES_DRAWN, 0, RULES_REASON_FULL}
                            : (struct rules_outcome){RULES_ONGOING, 0, RULES_REASON_NONE};
}

static const struct rules_game heap = {.name = "heap",
                                       .options = options,
                                       .noptions = OPTIONS,
                                       .start = start,
                                       .position_text = position_text,
                                       .legal = legal,
                                       .count = count,
                                       .play = play,
                                       .read_move = read_move,
                                       .outcome = outcome};

static struct rules_state stones(uint64_t n)
{
    return (struct rules_state){.bytes = sizeof(uint64_t), .w = {n}};
}

/* ---- the registry ---- */

Test(rules, every_game_is_found_by_its_name)
{
    for (size_t i = 0; i < rules_games(); i++)
        cr_assert_eq(rules_find(rules_game(i)->name), rules_game(i));
}

Test(rules, no_other_name_is_found)
{
    cr_assert_null(rules_find("chess"));
    cr_assert_null(rules_find(""));
    cr_assert_null(rules_find("Shogi"));
    cr_assert_null(rules_game(rules_games()));
}

Test(rules, every_code_has_its_own_text_and_a_title)
{
    for (unsigned code = 0; code < RULES_CODES; code++) {
        cr_assert_not(strlen(rules_code_text(code)) == 0);
        cr_assert_not(strlen(rules_code_title(code)) == 0);
        cr_assert_not_null(rules_code_detail(code));
        for (unsigned other = 0; other < code; other++)
            cr_assert_str_neq(rules_code_text(code), rules_code_text(other));
    }
}

Test(rules, every_reason_and_every_role_has_its_own_text)
{
    for (unsigned reason = 0; reason < RULES_REASONS; reason++) {
        cr_assert_not(strlen(rules_reason_meaning(reason)) == 0);
        for (unsigned other = 0; other < reason; other++)
            cr_assert_str_neq(rules_reason_text(reason), rules_reason_text(other));
    }
    for (unsigned role = 0; role < RULES_ROLES; role++)
        for (unsigned other = 0; other < role; other++)
            cr_assert_str_neq(rules_role_text(role), rules_role_text(other));
}

/* ---- refusals ---- */

Test(refusal, begins_with_a_code_a_law_and_nothing_else)
{
    static const struct rules_law law = {"1", "heap.empty", "The heap is empty."};
    struct rules_refusal why;

    memset(&why, 0x55, sizeof(why));
    cr_assert_not(rules_refuse(&why, RULES_BLOCKED, &law));
    cr_assert_eq(why.code, RULES_BLOCKED);
    cr_assert_eq(why.law, &law);
    cr_assert_null(why.option);
    cr_assert_eq(why.at, RULES_NOT_GIVEN);
    cr_assert_eq(why.yours, RULES_NOT_GIVEN);
    cr_assert_eq(why.required, RULES_NOT_GIVEN);
    cr_assert_eq(why.witnesses, 0);
    cr_assert_eq(why.examples, 0);
}

Test(refusal, keeps_its_witnesses_in_order_and_drops_what_is_too_much)
{
    struct rules_refusal why;

    rules_refuse(&why, RULES_BLOCKED, NULL);
    for (unsigned i = 0; i < RULES_WITNESSES_MAX + 3; i++)
        rules_add_witness(&why, RULES_ROLE_BLOCKER, i, (struct rules_man){2, (uint8_t)i});
    cr_assert_eq(why.witnesses, RULES_WITNESSES_MAX);
    for (unsigned i = 0; i < RULES_WITNESSES_MAX; i++) {
        cr_assert_eq(why.witness[i].role, RULES_ROLE_BLOCKER);
        cr_assert_eq(why.witness[i].square, i);
        cr_assert_eq(why.witness[i].man.seat, 2);
        cr_assert_eq(why.witness[i].man.kind, i);
    }
}

Test(refusal, keeps_its_examples_in_order_and_drops_what_is_too_much)
{
    struct rules_refusal why;

    rules_refuse(&why, RULES_MUST_CAPTURE, NULL);
    for (unsigned i = 0; i < RULES_EXAMPLES_MAX + 3; i++)
        rules_add_example(&why, (rules_move){{i, i}});
    cr_assert_eq(why.examples, RULES_EXAMPLES_MAX);
    for (unsigned i = 0; i < RULES_EXAMPLES_MAX; i++)
        cr_assert(rules_same_move(why.example[i], (rules_move){{i, i}}));
}

Test(moves, are_the_same_if_both_words_are)
{
    cr_assert(rules_same_move((rules_move){{1, 2}}, (rules_move){{1, 2}}));
    cr_assert_not(rules_same_move((rules_move){{1, 2}}, (rules_move){{1, 3}}));
    cr_assert_not(rules_same_move((rules_move){{1, 2}}, (rules_move){{3, 2}}));
}

/* ---- options ---- */

static bool sets(const char *name, const char *value, int32_t *read)
{
    struct rules_options given;
    struct rules_refusal why = {0};
    bool ok;

    rules_options_init(&given);
    ok = rules_option_set(&heap, &given, name, value, &why);
    for (size_t i = 0; i < OPTIONS; i++)
        if (strcmp(options[i].name, name) == 0) {
            *read = given.value[i];
            cr_assert_eq(given.given, ok ? 1U << i : 0U, "%s=%s", name, value);
            if (!ok)
                cr_assert_str_eq(why.option, name);
        }
    if (!ok)
        cr_assert_neq(why.code, RULES_OK);
    return ok;
}

static void assert_sets(const char *name, const char *value, int32_t expected)
{
    int32_t read = -1;

    cr_assert(sets(name, value, &read), "%s=%s was refused", name, value);
    cr_assert_eq(read, expected, "%s=%s was read as %d", name, value, read);
}

static void assert_refused(const char *name, const char *value)
{
    int32_t read;

    cr_assert_not(sets(name, value, &read), "%s=%s was accepted", name, value);
}

Test(options, none_is_given_at_first)
{
    struct rules_options given;

    rules_options_init(&given);
    cr_assert_eq(given.given, 0);
    cr_assert_null(given.position);
    for (size_t i = 0; i < RULES_OPTIONS_MAX; i++)
        cr_assert_eq(given.value[i], RULES_NOT_GIVEN);
}

Test(options, a_number_is_read_within_its_range)
{
    assert_sets("stones", "5", 5);
    assert_sets("stones", "20", 20);
    assert_refused("stones", "4");
    assert_refused("stones", "21");
}

Test(options, zero_is_outside_the_range_but_may_mean_off)
{
    assert_sets("stones", "0", 0);
}

Test(options, a_number_has_no_sign_no_leading_zero_and_nothing_behind_it)
{
    static const char *const bad[] = {"",    " 7",  "7 ",         "+7",         "-7",   "07",
                                      "7.0", "0x7", "4294967303", "2147483648", "seven"};

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_refused("stones", bad[i]);
}

Test(options, a_truth_is_true_or_false)
{
    assert_sets("misere", "true", 1);
    assert_sets("misere", "false", 0);
    assert_refused("misere", "1");
    assert_refused("misere", "TRUE");
    assert_refused("misere", "");
}

Test(options, a_choice_is_one_of_its_texts)
{
    assert_sets("pace", "slow", 0);
    assert_sets("pace", "fast", 1);
    assert_refused("pace", "faster");
    assert_refused("pace", "");
}

Test(options, a_name_that_the_game_does_not_know_is_refused)
{
    struct rules_options given;
    struct rules_refusal why;

    rules_options_init(&given);
    cr_assert_not(rules_option_set(&heap, &given, "stone", "7", &why));
    cr_assert_eq(why.code, RULES_UNKNOWN_OPTION);
    cr_assert_eq(given.given, 0);
}

Test(options, a_start_is_a_choice_or_a_position)
{
    struct rules_options given;
    struct rules_refusal why;

    rules_options_init(&given);
    cr_assert(rules_option_set(&heap, &given, "start", "short", &why));
    cr_assert_eq(given.value[START], 1);
    cr_assert_null(given.position);
    cr_assert(rules_option_set(&heap, &given, "start", "12", &why));
    cr_assert_eq(given.value[START], 2);
    cr_assert_str_eq(given.position, "12");
}

Test(options, every_kind_is_written_as_it_is_read)
{
    static const struct {
        size_t option;
        const char *text;
    } cases[] = {{STONES, "12"}, {STONES, "0"},    {MISERE, "true"}, {MISERE, "false"},
                 {PACE, "fast"}, {START, "short"}, {START, "17"}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct rules_options given;
        struct rules_refusal why;
        char text[RULES_POSITION_TEXT];

        rules_options_init(&given);
        cr_assert(
            rules_option_set(&heap, &given, options[cases[i].option].name, cases[i].text, &why));
        rules_option_text(&heap, &given, cases[i].option, text);
        cr_assert_str_eq(text, cases[i].text);
    }
}

/* ---- starting ---- */

static bool begin(const char *stones_option, const char *start_option, const char *position,
                  struct rules_options *given, struct rules_state *state)
{
    struct rules_refusal why;

    rules_options_init(given);
    if (stones_option != NULL)
        cr_assert(rules_option_set(&heap, given, "stones", stones_option, &why));
    if (start_option != NULL)
        cr_assert(rules_option_set(&heap, given, "start", start_option, &why));
    return rules_start(&heap, given, position, state, &why);
}

Test(start, fills_what_was_not_given_with_the_defaults)
{
    struct rules_options given;
    struct rules_state state;

    cr_assert(begin(NULL, NULL, NULL, &given, &state));
    cr_assert_eq(given.value[STONES], 7);
    cr_assert_eq(given.value[MISERE], 0);
    cr_assert_eq(given.value[START], 0);
    cr_assert_eq(state.w[0], 7);
}

Test(start, keeps_what_was_given)
{
    struct rules_options given;
    struct rules_state state;

    cr_assert(begin("9", NULL, NULL, &given, &state));
    cr_assert_eq(state.w[0], 9);
}

Test(start, from_a_position_shows_the_position_as_its_start_option)
{
    struct rules_options given;
    struct rules_state state;
    char text[RULES_POSITION_TEXT];

    cr_assert(begin(NULL, NULL, "11", &given, &state));
    cr_assert_eq(state.w[0], 11);
    rules_option_text(&heap, &given, START, text);
    cr_assert_str_eq(text, "11");
}

Test(start, a_position_and_a_start_option_that_agree_are_accepted)
{
    struct rules_options given;
    struct rules_state state;

    cr_assert(begin(NULL, "short", "3", &given, &state));
    cr_assert_eq(state.w[0], 3);
}

Test(start, a_position_and_a_start_option_that_differ_are_refused)
{
    struct rules_options given;
    struct rules_state state;
    struct rules_refusal why;

    rules_options_init(&given);
    cr_assert(rules_option_set(&heap, &given, "start", "short", &why));
    cr_assert_not(rules_start(&heap, &given, "4", &state, &why));
    cr_assert_eq(why.code, RULES_BAD_OPTION);
    cr_assert_str_eq(why.option, "start");
}

Test(start, a_bad_position_is_refused)
{
    struct rules_options given;
    struct rules_state state;

    cr_assert_not(begin(NULL, NULL, "many", &given, &state));
}

Test(load, reads_a_position_with_options_that_are_settled)
{
    struct rules_options given;
    struct rules_state state;
    struct rules_refusal why;

    cr_assert(begin("9", NULL, NULL, &given, &state));
    cr_assert(rules_load(&heap, &given, "4", &state, &why));
    cr_assert_eq(state.w[0], 4);
    cr_assert_eq(given.value[STONES], 9);
    cr_assert_null(given.position);
}

/* ---- playing ---- */

Test(play, a_legal_move_changes_the_state_and_is_told)
{
    struct rules_state state = stones(5);
    struct rules_refusal why;
    rules_move played;

    cr_assert(rules_play(&heap, &state, "2", &played, &why));
    cr_assert_eq(state.w[0], 3);
    cr_assert_eq(played.w[0], 2);
    cr_assert(rules_play(&heap, &state, "1", NULL, &why));
    cr_assert_eq(state.w[0], 2);
}

Test(play, a_refused_move_leaves_the_state_alone)
{
    struct rules_state state = stones(1);
    struct rules_refusal why;

    cr_assert_not(rules_play(&heap, &state, "2", NULL, &why));
    cr_assert_eq(why.code, RULES_EMPTY_SQUARE);
    cr_assert_eq(state.w[0], 1);
}

Test(play, is_legal_is_membership)
{
    struct rules_state state = stones(1);
    rules_move scratch[2];

    cr_assert(rules_is_legal(&heap, &state, (rules_move){{1, 0}}, scratch, 2));
    cr_assert_not(rules_is_legal(&heap, &state, (rules_move){{2, 0}}, scratch, 2));
    cr_assert_not(rules_is_legal(&heap, &state, (rules_move){{0, 0}}, scratch, 2));
}

Test(outcome, of_a_position_alone_needs_no_past)
{
    struct rules_state over = stones(0), going = stones(3);

    cr_assert_eq(rules_outcome_now(&heap, &over).reason, RULES_REASON_FULL);
    cr_assert_eq(rules_outcome_now(&heap, &going).status, RULES_ONGOING);
}

Test(history, counts_how_often_a_key_occurs)
{
    const uint64_t keys[] = {7, 8, 7, 9, 7};
    struct rules_history history = {keys, 5};

    cr_assert_eq(rules_occurrences(&history, 7), 3);
    cr_assert_eq(rules_occurrences(&history, 9), 1);
    cr_assert_eq(rules_occurrences(&history, 1), 0);
    cr_assert_eq(rules_occurrences(&(struct rules_history){NULL, 0}, 7), 0);
}

/* ---- perft: the heap's counts are sums of Fibonacci numbers ---- */

Test(perft, depth_0_is_one_node)
{
    struct rules_state state = stones(0);

    cr_assert_eq(rules_perft(&heap, &state, 0, NULL, 0), 1);
}

Test(perft, counts_the_sequences_of_exactly_that_many_moves)
{
    struct rules_state state = stones(4);
    rules_move scratch[64];
    static const uint64_t expected[] = {1, 2, 4, 4, 1, 0};

    for (unsigned depth = 0; depth < 6; depth++)
        cr_assert_eq(rules_perft(&heap, &state, depth, scratch, 64), expected[depth], "at depth %u",
                     depth);
}

Test(perft, says_when_its_scratch_is_too_small)
{
    struct rules_state state = stones(10);
    rules_move scratch[4];

    cr_assert_eq(rules_perft(&heap, &state, 4, scratch, 3), UINT64_MAX);
    cr_assert_eq(rules_perft(&heap, &state, 3, scratch, 4), 8);
}

/* ---- choosing ---- */

Test(choose, the_same_seed_chooses_the_same)
{
    uint64_t a = 42, b = 42;

    for (int i = 0; i < 1000; i++)
        cr_assert_eq(rules_choose(&a, 17), rules_choose(&b, 17));
    cr_assert_eq(a, b);
}

Test(choose, everything_is_chosen_about_equally_often)
{
    enum { THINGS = 7, ROUNDS = 70000 };
    unsigned chosen[THINGS] = {0};
    uint64_t seed = 1;

    for (int i = 0; i < ROUNDS; i++)
        chosen[rules_choose(&seed, THINGS)]++;
    for (int i = 0; i < THINGS; i++)
        cr_assert(chosen[i] > 9500 && chosen[i] < 10500, "thing %d: %u times", i, chosen[i]);
}

Test(choose, one_thing_is_no_choice)
{
    uint64_t seed = 9;

    cr_assert_eq(rules_choose(&seed, 1), 0);
}

Test(choose, half_of_the_numbers_are_thrown_away_where_that_is_fair)
{
    /* Modulo 2^63 + 1, nearly half of the 2^64 numbers favour the small results, and are thrown
     * away. */
    size_t n = ((size_t)1 << 63) + 1;
    uint64_t seed = 3;
    int high = 0;

    for (int i = 0; i < 2000; i++)
        high += rules_choose(&seed, n) >= n / 2;
    cr_assert(high > 900 && high < 1100, "%d of 2000 in the upper half", high);
}

/* ---- squares ---- */

static const struct rules_board chess = {8, 8, RULES_LETTER_DIGIT};
static const struct rules_board shogi = {9, 9, RULES_DIGIT_LETTER};
static const struct rules_board largest = {26, 26, RULES_LETTER_DIGIT};

static const char *name_of(struct rules_board board, unsigned square)
{
    static char text[RULES_SQUARE_TEXT];

    rules_square_text(board, square, text);
    return text;
}

Test(squares, letters_and_digits_begin_at_the_bottom_left)
{
    cr_assert_str_eq(name_of(chess, 0), "a8");
    cr_assert_str_eq(name_of(chess, 7), "h8");
    cr_assert_str_eq(name_of(chess, 56), "a1");
    cr_assert_str_eq(name_of(chess, 63), "h1");
    cr_assert_str_eq(name_of(largest, 25), "z26");
    cr_assert_str_eq(name_of(largest, 26 * 26 - 1), "z1");
}

Test(squares, digits_and_letters_begin_at_the_top_right)
{
    cr_assert_str_eq(name_of(shogi, 0), "9a");
    cr_assert_str_eq(name_of(shogi, 8), "1a");
    cr_assert_str_eq(name_of(shogi, 80), "1i");
}

Test(squares, every_name_is_read_back)
{
    const struct rules_board boards[] = {
        chess, shogi, largest, {7, 9, RULES_LETTER_DIGIT}, {1, 1, RULES_LETTER_DIGIT}};

    for (size_t i = 0; i < sizeof(boards) / sizeof(boards[0]); i++)
        for (unsigned square = 0; square < boards[i].width * boards[i].height; square++) {
            const char *name = name_of(boards[i], square);
            unsigned read = RULES_SQUARES_MAX;

            cr_assert_eq(rules_square_read(boards[i], name, &read), strlen(name));
            cr_assert_eq(read, square, "%s", name);
        }
}

Test(squares, a_name_is_taken_from_the_start_of_a_text)
{
    unsigned square;

    cr_assert_eq(rules_square_read(chess, "b2b3", &square), 2);
    cr_assert_str_eq(name_of(chess, square), "b2");
    cr_assert_eq(rules_square_read(largest, "b12b3", &square), 3);
    cr_assert_str_eq(name_of(largest, square), "b12");
    cr_assert_eq(rules_square_read(shogi, "7g7f", &square), 2);
    cr_assert_str_eq(name_of(shogi, square), "7g");
}

Test(squares, a_name_that_is_not_on_the_board_is_not_read)
{
    static const char *const bad[] = {
        "", "a", "a0", "a9", "i1", "A1", "11", "a01", " a1", "a-1", "a99999999999999999999"};
    unsigned square = 77;

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        cr_assert_eq(rules_square_read(chess, bad[i], &square), 0, "%s", bad[i]);
    cr_assert_eq(rules_square_read(shogi, "0a", &square), 0);
    cr_assert_eq(rules_square_read(shogi, "10a", &square), 0);
    cr_assert_eq(rules_square_read(shogi, "1j", &square), 0);
    cr_assert_eq(rules_square_read(shogi, "1", &square), 0);
    cr_assert_eq(rules_square_read(shogi, "a1", &square), 0);
    cr_assert_eq(square, 77);
}

/* ---- lines that have won ---- */

static size_t wrong_lines(const struct rules_state *state, struct rules_line *line, size_t cap)
{
    const struct rules_line lines[] = {{900, 0}, {0, 900}, {900, 900}, {0, 5}, {6, 2}};

    (void)state;
    for (size_t i = 0; i < 5 && i < cap; i++)
        line[i] = lines[i];
    return 5;
}

Test(rules, lines_that_are_none_are_left_out)
{
    struct rules_game game = *rules_find("tictactoe");
    struct rules_line line[RULES_LINES_MAX];
    struct rules_options given;
    struct rules_state state;
    struct rules_refusal why;

    rules_options_init(&given);
    cr_assert(rules_start(&game, &given, NULL, &state, &why));
    game.lines = wrong_lines;
    cr_assert_eq(rules_won_lines(&game, &state, line), 1);
    cr_assert_eq(line[0].from, 6);
    cr_assert_eq(line[0].to, 2);
    cr_assert_eq(rules_line_step(game.board(&state), line[0]), -2);
    game.lines = NULL;
    cr_assert_eq(rules_won_lines(&game, &state, line), 0);
}
