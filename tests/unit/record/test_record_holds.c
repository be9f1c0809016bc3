/* test_record_holds.c - what each format has places for is what comes back from it. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "api/record/facts.h"
#include "api/record/holds.h"
#include "tests/unit/records.h"

TestSuite(record_holds, .fini = records_free);

static const struct example {
    const char *game, *moves, *other, *options;
} examples[] = {
    {"shogi", "7g7f 3c3d 2g2f", "8c8d", "max_plies=256"},
    {"turkish-draughts", "a3-a4 h6-h5 b3-b4", "g6-g5", "promotion=immediate"},
};

static void add_variation(struct record *record, const char *move)
{
    struct record_line *line = arena_zero(&records_arena, sizeof(*line));

    line->ply = 1;
    line->moves = arena_zero(&records_arena, sizeof(*line->moves));
    line->moves[0] = (struct record_move){.text = move, .spent_us = -1};
    line->nmoves = 1;
    record_ending_init(&line->ending);
    record->lines = line;
    record->nlines = 1;
}

/* The moves as a log, and a message behind them. */
static void add_log(struct record *record)
{
    size_t n = record->nmoves;

    record->events = arena_zero(&records_arena, (n + 2) * sizeof(*record->events));
    record->nevents = n + 2;
    for (size_t i = 0; i < n + 2; i++) {
        struct record_event *event = &record->events[i];

        event->kind = i == 0 ? "created" : i <= n ? "move" : "message";
        event->move = i > 0 && i <= n ? record->moves[i - 1].text : NULL;
        event->data = i > n ? "{\"text\":\"well played\"}" : NULL;
        event->seat = i == 0 ? 0 : i % 2 == 1 ? 1 : 2;
        event->line = 1;
        event->ply = (int32_t)(i > n ? n : i);
        event->at = INT64_C(1700000000000000);
    }
}

/* A game with one thing beside its moves. */
static struct record with(const struct example *example, unsigned thing)
{
    static struct record_header header = {"event", "Meijin"};
    struct record record = records_game(
        example->game, thing == RECORD_HOLDS_OPTIONS ? example->options : "", example->moves);

    if (thing == RECORD_HOLDS_VARIATIONS)
        add_variation(&record, example->other);
    else if (thing == RECORD_HOLDS_COMMENTS)
        record.moves[1].comment = "good";
    else if (thing == RECORD_HOLDS_TIMES)
        record.moves[1].spent_us = 2000000;
    else if (thing == RECORD_HOLDS_FRACTIONS)
        record.moves[1].spent_us = 2500000;
    else if (thing == RECORD_HOLDS_ENDS)
        record.ending.outcome = (struct record_outcome){.end = RECORD_FOUL, .winner = 1};
    else if (thing == RECORD_HOLDS_NAMES)
        record.name[1] = "Ada";
    else if (thing == RECORD_HOLDS_DATES)
        record.started_at = INT64_C(1700000000000000);
    else if (thing == RECORD_HOLDS_MARKS)
        record.moves[1].marks = "$1";
    else if (thing == RECORD_HOLDS_LOG)
        add_log(&record);
    if (thing == RECORD_HOLDS_HEADERS) {
        record.headers = &header;
        record.nheaders = 1;
    }
    return record;
}

/* Options are compared whole: a format that tells none may be read with some. */
static bool came_back(const struct record *back, const struct record *record, unsigned thing)
{
    if (thing == RECORD_HOLDS_OPTIONS)
        return strcmp(record_options_text(&records_arena, back),
                      record_options_text(&records_arena, record)) == 0;
    return (record_things(&records_arena, back) & thing) != 0;
}

/* Our own JSON has these in its log, and this record has none. */
static bool is_in_log(const struct record_format *format, unsigned thing)
{
    return (format->holds & RECORD_HOLDS_LOG) != 0 &&
           (thing == RECORD_HOLDS_VARIATIONS || thing == RECORD_HOLDS_MARKS);
}

static void thing_comes_back(const struct example *example, const struct record_format *format,
                             size_t i)
{
    unsigned thing = 1U << i;
    struct record record = with(example, thing);
    const char *text = records_write(&record, format->name);
    struct record back = records_read(text, format->name);
    bool holds = (format->holds & thing) != 0 && !is_in_log(format, thing);

    cr_assert(record_things(&records_arena, &record) & thing, "%s", record_thing_text(i));
    cr_expect_eq(came_back(&back, &record, thing), holds, "%s in %s: %s", record_thing_text(i),
                 format->name, text);
    cr_expect_eq((record_left_out(&records_arena, format, &record) & thing) == 0, holds, "%s in %s",
                 record_thing_text(i), format->name);
}

Test(record_holds, each_thing_comes_back_from_just_the_formats_that_hold_it)
{
    const struct record_format *format;

    for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++)
        for (size_t j = 0; (format = record_format(j)) != NULL; j++)
            for (size_t k = 0; k < RECORD_THINGS; k++)
                if (record_serves(format, rules_find(examples[i].game)))
                    thing_comes_back(&examples[i], format, k);
}

/* The options of a record, for formats that cannot tell them. Those that name the start are not
 * among them. */
static struct rules_options options_of(const struct record *record)
{
    struct rules_options options = record->options;

    options.given = 0;
    options.position = NULL;
    for (size_t i = 0; i < record->game->noptions; i++)
        if (record->game->options[i].kind != RULES_OPTION_START)
            options.given |= 1U << i;
    return options;
}

/* SFEN has another position, so nothing can be compared. */
static bool has_moves(const struct record_format *format)
{
    return (format->holds & RECORD_HOLDS_MOVES) != 0;
}

static void the_rest_comes_back(const struct record *record, const struct record_format *format)
{
    struct rules_options options = options_of(record);
    struct record_hint hint = {.game = record->game, .options = &options};
    struct record back;
    struct record_error error;
    struct out out;
    unsigned lost;

    out_init(&out, &records_arena);
    if (!record_write(format, record, NULL, &out, &error))
        return;
    cr_assert(record_read(&records_arena, out.text, out.len, format, &hint, &back, &error),
              "%s: %s", error.detail, out.text);
    lost = record_things(&records_arena, record) &
           ~record_left_out(&records_arena, format, record) & ~record_things(&records_arena, &back);
    cr_expect_eq(lost, 0, "%s lost %s: %s", format->name, record_things_text(&records_arena, lost),
                 out.text);
}

Test(record_holds, what_is_not_said_to_be_left_out_of_a_game_at_random_comes_back)
{
    const struct record_format *format;

    for (uint64_t seed = 1; seed <= 60; seed++)
        for (size_t i = 0; i < rules_games(); i++) {
            struct record record = records_random(rules_game(i), seed, 40);

            for (size_t j = 0; (format = record_format(j)) != NULL; j++)
                if (record_serves(format, record.game) && has_moves(format))
                    the_rest_comes_back(&record, format);
        }
}

Test(record_holds, a_format_of_few_words_leaves_out_the_other_ends_only)
{
    struct record record = with(&examples[0], 0);

    record.ending.outcome = (struct record_outcome){.end = RECORD_RESIGNED, .winner = 1};
    cr_assert_eq(record_left_out(&records_arena, record_find_format("usi"), &record), 0);
    record.ending.outcome.winner = 2;
    cr_assert_eq(record_left_out(&records_arena, record_find_format("usi"), &record),
                 RECORD_HOLDS_ENDS);
    cr_assert_eq(record_left_out(&records_arena, record_find_format("kif"), &record),
                 RECORD_HOLDS_ENDS);
    cr_assert_eq(record_left_out(&records_arena, record_find_format("ki2"), &record), 0);
}

/* ---- what a record has ---- */

/* What the shogi example has beside its moves when a test has changed it. */
static unsigned things_of(const struct record *record)
{
    return record_things(&records_arena, record) & ~(unsigned)RECORD_HOLDS_MOVES;
}

Test(record_holds, one_move_is_a_game_and_what_stands_at_it_counts)
{
    struct record record = records_game("shogi", "", "7g7f");

    cr_expect(record_things(&records_arena, &record) & RECORD_HOLDS_MOVES);
    cr_expect_eq(things_of(&record), 0);
    record.moves[0].spent_us = 0;
    cr_expect_eq(things_of(&record), RECORD_HOLDS_TIMES, "no time is a time, too");
    record.moves[0].comment = "good";
    record.moves[0].marks = "$1";
    cr_expect_eq(things_of(&record),
                 RECORD_HOLDS_TIMES | RECORD_HOLDS_COMMENTS | RECORD_HOLDS_MARKS);
}

Test(record_holds, what_stands_in_any_variation_counts)
{
    struct record record = with(&examples[0], RECORD_HOLDS_VARIATIONS);
    struct record_line lines[2] = {record.lines[0], record.lines[0]};

    record.lines = lines;
    record.nlines = 2;
    lines[0].moves[0].spent_us = 1500000;
    cr_expect_eq(things_of(&record),
                 RECORD_HOLDS_VARIATIONS | RECORD_HOLDS_TIMES | RECORD_HOLDS_FRACTIONS);
    lines[1].ending.comment = "bad";
    cr_expect_eq(things_of(&record), RECORD_HOLDS_VARIATIONS | RECORD_HOLDS_TIMES |
                                         RECORD_HOLDS_FRACTIONS | RECORD_HOLDS_COMMENTS);
}

Test(record_holds, one_name_or_the_title_of_one_engine_is_names)
{
    struct record named = with(&examples[0], 0), titled = with(&examples[0], 0);

    named.name[0] = "Ada";
    cr_expect_eq(things_of(&named), RECORD_HOLDS_NAMES);
    titled.title[1] = "plyd 3";
    cr_expect_eq(things_of(&titled), RECORD_HOLDS_NAMES);
}

Test(record_holds, each_kind_of_time_limit_is_a_header)
{
    static const struct record_time limits[] = {
        {.initial_us = 600000000}, {.move_us = 30000000}, {.period_us = 30000000, .periods = 1}};

    for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
        struct record record = with(&examples[0], 0);

        record.time = limits[i];
        cr_expect_eq(things_of(&record), RECORD_HOLDS_HEADERS, "%zu", i);
    }
}

Test(record_holds, an_end_that_the_moves_tell_needs_no_word_but_a_declaration_does)
{
    static const struct {
        struct record_outcome outcome;
        unsigned things;
    } ends[] = {
        {{RECORD_BY_RULES, RULES_REASON_CHECKMATE, 1, true}, 0},
        {{RECORD_BY_RULES, RULES_REASON_CHECKMATE, 1, false}, RECORD_HOLDS_ENDS},
        {{RECORD_BY_RULES, RULES_REASON_IMPASSE, 1, true}, RECORD_HOLDS_ENDS},
    };

    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        struct record record = with(&examples[0], 0);

        record.ending.outcome = ends[i].outcome;
        cr_expect_eq(things_of(&record), ends[i].things, "%zu", i);
    }
}

/* ---- what is left out ---- */

/* What is left out of the shogi example if it ends with the resignation of seat 2, which is to
 * move, and a variation of so many moves ends with that of `loser` (0: it goes on). */
static unsigned left_out_of_line(const char *format, size_t moves, unsigned loser)
{
    static struct record_move other[] = {{.text = "8c8d", .spent_us = -1},
                                         {.text = "2g2f", .spent_us = -1}};
    struct record record = with(&examples[0], RECORD_HOLDS_VARIATIONS);

    record.lines[0].moves = other;
    record.lines[0].nmoves = moves;
    record.ending.outcome = (struct record_outcome){.end = RECORD_RESIGNED, .winner = 1};
    if (loser != 0)
        record.lines[0].ending.outcome =
            (struct record_outcome){.end = RECORD_RESIGNED, .winner = RULES_SEATS + 1 - loser};
    return record_left_out(&records_arena, record_find_format(format), &record);
}

Test(record_holds, a_resignation_in_a_variation_is_told_if_its_side_to_move_resigns)
{
    cr_expect_eq(left_out_of_line("kif", 1, 0), 0);
    cr_expect_eq(left_out_of_line("kif", 1, 1), 0);
    cr_expect_eq(left_out_of_line("kif", 1, 2), RECORD_HOLDS_ENDS);
    cr_expect_eq(left_out_of_line("kif", 2, 2), 0);
    cr_expect_eq(left_out_of_line("kif", 2, 1), RECORD_HOLDS_ENDS);
}

Test(record_holds, of_a_variation_that_is_left_out_no_end_is_missed)
{
    cr_expect_eq(left_out_of_line("csa", 1, 2), RECORD_HOLDS_VARIATIONS);
}

/* A game whose log ends with two events of these kinds. */
static unsigned left_out_of_log(const char *one, const char *other)
{
    struct record record = with(&examples[0], RECORD_HOLDS_LOG);

    record.events[record.nevents - 2].kind = one;
    record.events[record.nevents - 2].move = NULL;
    record.events[record.nevents - 1].kind = other;
    record.events[record.nevents - 1].data = NULL;
    return record_left_out(&records_arena, record_find_format("kif"), &record);
}

Test(record_holds, what_the_lines_the_seats_and_the_end_tell_needs_no_log)
{
    static const char *const told[] = {"joined",  "move",     "undo",    "redo",    "resigned",
                                       "aborted", "declared", "timeout", "recorded"};

    for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++)
        cr_expect_eq(left_out_of_log("move", told[i]), 0, "%s", told[i]);
}

Test(record_holds, an_offer_that_was_accepted_at_once_is_told_by_what_came_of_it)
{
    cr_expect_eq(left_out_of_log("offered", "accepted"), 0);
    cr_expect_eq(left_out_of_log("offered", "declined"), RECORD_HOLDS_LOG);
    cr_expect_eq(left_out_of_log("move", "offered"), RECORD_HOLDS_LOG);
    cr_expect_eq(left_out_of_log("accepted", "paused"), RECORD_HOLDS_LOG);
}

Test(record_holds, a_header_whose_name_a_format_cannot_write_is_left_out)
{
    struct record record = with(&examples[1], RECORD_HOLDS_HEADERS);

    cr_assert_eq(record_left_out(&records_arena, record_find_format("pdn"), &record), 0);
    record.headers[0].key = "two words";
    cr_assert_eq(record_left_out(&records_arena, record_find_format("pdn"), &record),
                 RECORD_HOLDS_HEADERS);
}

Test(record_holds, one_header_of_some_that_cannot_be_written_is_missed)
{
    struct record_header headers[] = {{"event", "Meijin"}, {"two words", "no tag"}};
    struct record record = with(&examples[1], 0);

    record.headers = headers;
    record.nheaders = 2;
    cr_assert_eq(record_left_out(&records_arena, record_find_format("pdn"), &record),
                 RECORD_HOLDS_HEADERS);
}

Test(record_holds, words_are_listed)
{
    cr_assert_null(record_things_text(&records_arena, 0));
    cr_assert_str_eq(
        record_things_text(&records_arena, RECORD_HOLDS_VARIATIONS | RECORD_HOLDS_TIMES),
        "variations, times");
}

/* The table of docs/records.md. */
Test(record_holds, what_each_format_cannot_hold_stands_in_the_documents)
{
    char *docs = arena_zero(&records_arena, 1 << 16);
    FILE *file = fopen("docs/records.md", "r");
    const struct record_format *format;

    cr_assert_not_null(file);
    cr_assert_gt(fread(docs, 1, (1 << 16) - 1, file), 0);
    fclose(file);
    for (size_t i = 0; (format = record_format(i)) != NULL; i++) {
        const char *missing = record_things_text(&records_arena, RECORD_HOLDS_ALL & ~format->holds);
        const char *row = arena_format(&records_arena, "\n| `%s` | %s |", format->name,
                                       missing == NULL ? "nothing" : missing);

        cr_expect_not_null(strstr(docs, row), "docs/records.md lacks this row:%s", row);
    }
}
