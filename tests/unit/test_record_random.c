/*
 * test_record_random.c - every format of every game: what was written is read as the same game, and
 * written again byte for byte. PLYD_TEST_RECORD_GAMES says how many games each (100).
 */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdlib.h>
#include <string.h>

#include "records.h"

TestSuite(record_random, .fini = records_free);

static size_t games(void)
{
    const char *value = getenv("PLYD_TEST_RECORD_GAMES");

    return value != NULL ? (size_t)strtoul(value, NULL, 10) : 100;
}

/* USI, SFEN and SHOUGI have no room for options: their reader is told. */
static bool tells_options(const struct record_format *format)
{
    return strcmp(format->name, "usi") != 0 && strcmp(format->name, "sfen") != 0 &&
           strcmp(format->name, "shougi") != 0;
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
    cr_assert_str_eq(read.format->name, format->name, "%s", first);
    second = records_write(&read, format->name);
    cr_assert_str_eq(first, second);
    if (strcmp(format->name, "sfen") == 0)
        return;
    cr_assert_str_eq(records_moves(&read), records_moves(record), "%s", first);
    cr_assert_str_eq(read.start, record->start, "%s", first);
    if (!tells_options(format))
        return;
    cr_assert_eq(read.outcome.end, record->outcome.end, "%s", first);
    cr_assert_eq(read.outcome.reason, record->outcome.reason, "%s", first);
    cr_assert_eq(read.outcome.winner, record->outcome.winner, "%s", first);
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
