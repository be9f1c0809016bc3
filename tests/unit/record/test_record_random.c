/*
 * test_record_random.c - every format of every game: what was written is read as the same game, and
 * written again byte for byte. PLYD_TEST_RECORD_GAMES says how many games each (40).
 */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/long.h"
#include "tests/unit/records.h"

TestSuite(record_random, .fini = records_free);

static size_t games(void)
{
    const char *value = getenv("PLYD_TEST_RECORD_GAMES");

    return value != NULL ? (size_t)strtoul(value, NULL, 10) : long_or_short(100, 40);
}

/* USI, USEN, SFEN and SHOUGI have no room for options: their reader is told. */
static bool tells_options(const struct record_format *format)
{
    return strcmp(format->name, "usi") != 0 && strcmp(format->name, "usen") != 0 &&
           strcmp(format->name, "sfen") != 0 && strcmp(format->name, "shougi") != 0;
}

/* The options that a record can differ in: without those that name the start, which it says itself.
 */
static struct rules_options known_options(const struct record *record)
{
    struct rules_options options = record->options;

    options.given = 0;
    options.position = NULL;
    for (size_t i = 0; i < record->game->noptions; i++)
        if (record->game->options[i].kind != RULES_OPTION_START)
            options.given |= 1U << i;
    return options;
}

static bool can_write(const struct record *record, const struct record_format *format)
{
    struct record_error error;
    struct out out;

    out_init(&out, &records_arena);
    return record_write(format, record, NULL, &out, &error);
}

static void goes_round(const struct record *record, const struct record_format *format)
{
    struct rules_options options = known_options(record);
    struct record_hint hint = {.game = record->game,
                               .options = tells_options(format) ? NULL : &options};
    const char *first = records_write(record, format->name), *second;
    struct record read;
    struct record_error error;

    cr_assert(record_read(&records_arena, first, strlen(first), NULL, &hint, &read, &error),
              "%s %zu:%zu %s: %s in\n%s", format->name, error.line, error.column,
              problem_kind(error.code)->code, error.detail, first);
    if (strcmp(format->name, "ki2") != 0 || record->nmoves > 0) /* headers alone may be KIF */
        cr_assert_str_eq(read.format->name, format->name, "%s", first);
    second = records_write(&read, format->name);
    cr_assert_str_eq(first, second);
    if (strcmp(format->name, "sfen") == 0)
        return;
    cr_assert_str_eq(records_moves(&read), records_moves(record), "%s", first);
    cr_assert_str_eq(read.start, record->start, "%s", first);
    if (!tells_options(format))
        return;
    cr_assert_eq(read.ending.outcome.end, record->ending.outcome.end, "%s", first);
    cr_assert_eq(read.ending.outcome.reason, record->ending.outcome.reason, "%s", first);
    cr_assert_eq(read.ending.outcome.winner, record->ending.outcome.winner, "%s", first);
}

static void go_round(const struct record *record)
{
    for (size_t i = 0; record_format(i) != NULL; i++)
        if (record_serves(record_format(i), record->game) &&
            (strcmp(record_format(i)->name, "shougi") != 0 || can_write(record, record_format(i))))
            goes_round(record, record_format(i));
}

static size_t random_plies(uint64_t seed)
{
    static const size_t most[] = {0, 1, 2, 10, 60, 120, 250};

    return most[seed % 7];
}

ParameterizedTestParameters(record_random, every_format_is_read_back_as_it_was_written)
{
    static size_t numbers[16];

    for (size_t i = 0; i < rules_games(); i++)
        numbers[i] = i;
    return cr_make_param_array(size_t, numbers, rules_games());
}

ParameterizedTest(size_t *game, record_random, every_format_is_read_back_as_it_was_written)
{
    for (size_t i = 0; i < games(); i++) {
        struct record record = records_random(rules_game(*game), i, random_plies(i));

        go_round(&record);
        arena_reset(&records_arena);
    }
}

Test(record_random, a_game_of_a_thousand_plies_goes_round)
{
    size_t long_ones = 0;

    for (uint64_t seed = 0; long_ones == 0 && seed < 200; seed++) {
        struct record record = records_random(rules_find("shogi"), seed, 1000);

        if (record.nmoves < 1000)
            continue;
        long_ones++;
        go_round(&record);
    }
    cr_assert_eq(long_ones, 1);
}

/* ---- trees of lines ---- */

/* SHOUGI, USI, SFEN, CSA and texts have no room for variations. */
static bool has_variations(const struct record_format *format)
{
    static const char *const names[] = {"kif", "ki2", "jkf", "pdn"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(names[i], format->name) == 0)
            return true;
    return false;
}

/* KI2 has no times. */
static const char *tree_of(struct record record, bool timed)
{
    for (size_t i = 0; !timed && i < record.nmoves; i++)
        record.moves[i].spent_us = -1;
    for (size_t i = 0; !timed && i < record.nlines; i++) {
        record.lines[i].ending.spent_us = -1;
        for (size_t j = 0; j < record.lines[i].nmoves; j++)
            record.lines[i].moves[j].spent_us = -1;
    }
    return records_tree(&record);
}

static void comes_back(const struct record_format *format, uint64_t seed)
{
    struct record record, read;
    struct record_error error;
    const char *text, *expected;

    record = records_random(rules_find(format->variant), seed, seed % 40);
    records_vary(&record, seed + 1, 1 + seed % 13);
    text = records_write(&record, format->name);
    if (strstr(text, "repetition=") != NULL) /* which the moves at random know nothing of */
        return;
    expected = tree_of(record, strcmp(format->name, "ki2") != 0);
    cr_assert(record_read(&records_arena, text, strlen(text), format, NULL, &read, &error),
              "%s %zu:%zu %s in\n%s", format->name, error.line, error.column, error.detail, text);
    cr_assert_eq(read.cut, 0, "%s", text);
    cr_assert_str_eq(tree_of(read, true), expected, "%s", text);
    cr_assert_str_eq(records_write(&read, format->name), text);
}

Test(record_random, every_tree_of_lines_comes_back_in_every_format_that_has_variations)
{
    for (size_t i = 0; record_format(i) != NULL; i++)
        for (size_t seed = 0; has_variations(record_format(i)) && seed < games(); seed++) {
            comes_back(record_format(i), seed);
            arena_reset(&records_arena);
        }
}
