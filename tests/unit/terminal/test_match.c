/*
 * test_match.c - a match of `plyd play` has all that the record had which it was read from, before
 * and after something was played. PLYD_TEST_RECORD_GAMES says how many games of each format (40).
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "api/record/ends.h"
#include "api/terminal/match.h"
#include "api/text/legal_moves.h"
#include "api/text/move_text.h"
#include "tests/support/long.h"
#include "tests/unit/records.h"

TestSuite(match, .fini = records_free);

static size_t games(void)
{
    const char *value = getenv("PLYD_TEST_RECORD_GAMES");

    return value != NULL ? (size_t)strtoul(value, NULL, 10) : long_or_short(100, 40);
}

static struct match open_match(const char *text)
{
    struct match match;
    struct record_error error;

    cr_assert(match_read(&match, text, strlen(text), &error), "%s in\n%s", error.detail, text);
    return match;
}

static const char *write_match(const struct match *match, const struct record_format *format)
{
    struct record_error error;
    struct out out;

    out_init(&out, &records_arena);
    cr_assert(match_write(match, format, NULL, &out, &error), "%s", error.detail);
    return out.text;
}

/* A text with everything: half of them have variations, the others all that is told of a game. */
static const char *some_text(const struct record_format *format, const struct rules_game *game,
                             uint64_t seed)
{
    struct record record = records_random(game, seed, seed % 40);

    if (seed % 2 == 1) {
        record = records_random(game, seed, seed % 40);
        records_vary(&record, seed + 1, 1 + seed % 13);
    }
    return records_write(&record, format->name);
}

static void for_each_text(void (*test)(const struct record_format *format, const char *text,
                                       uint64_t seed))
{
    for (size_t i = 0; record_format(i) != NULL; i++)
        for (size_t j = 0; j < rules_games(); j++)
            for (size_t seed = 0; record_format(i)->whole &&
                                  record_serves(record_format(i), rules_game(j)) && seed < games();
                 seed++) {
                test(record_format(i), some_text(record_format(i), rules_game(j), seed), seed);
                arena_reset(&records_arena);
            }
}

/* ---- nothing was played ---- */

static void is_written_as_it_was_read(const struct record_format *format, const char *text,
                                      uint64_t seed)
{
    struct record record = records_read(text, format->name);
    struct match match = open_match(text);
    const char *first = write_match(&match, format), *second;
    struct match again;

    (void)seed;
    if (strcmp(format->name, "json") != 0)
        cr_assert_str_eq(first, records_write(&record, format->name));
    again = open_match(first);
    second = write_match(&again, format);
    cr_assert_str_eq(second, first);
    match_close(&match);
    match_close(&again);
}

Test(match, is_written_as_it_was_read)
{
    for_each_text(is_written_as_it_was_read);
}

/* ---- something was played ---- */

/* Whether a variation goes on with this move behind the main line. */
static bool is_told(const struct record *record, const char *move)
{
    for (size_t i = 0; i < record->nlines; i++)
        if (record->lines[i].parent == 0 && record->lines[i].ply == record->nmoves &&
            record->lines[i].nmoves > 0 && strcmp(record->lines[i].moves[0].text, move) == 0)
            return true;
    return false;
}

/* Plays a move that the record has not got. False: there is none. */
static bool play_new_move(struct match *match, const struct record *record, uint64_t seed)
{
    rules_move *moves;
    size_t n = legal_moves(&records_arena, match->game, match_state(match), &moves);
    char text[RULES_MOVE_TEXT];

    for (size_t i = 0; i < n; i++) {
        rules_move move = moves[(i + seed) % n];

        match->game->move_text(match_state(match), move, text);
        if (!is_told(record, text)) {
            match_add(match, move);
            return true;
        }
    }
    return false;
}

/* The end that was taken back is that of a variation without moves. */
static void expect_end_aside(struct record *record)
{
    struct record_line *lines = arena_alloc(&records_arena, (record->nlines + 1) * sizeof(*lines));
    const struct record_ending *end = &record->ending;

    if (end->outcome.end == RECORD_OPEN && end->spent_us < 0 && end->comment == NULL)
        return;
    if (record->nlines > 0)
        memcpy(lines, record->lines, record->nlines * sizeof(*lines));
    lines[record->nlines++] = (struct record_line){.ply = record->nmoves, .ending = record->ending};
    record->lines = lines;
}

/* What the record is when its end was taken back and this move was played. */
static void expect_move(struct record *record, const struct match *match)
{
    struct record_move *moves = arena_alloc(&records_arena, (record->nmoves + 1) * sizeof(*moves));

    expect_end_aside(record);
    memcpy(moves, record->moves, record->nmoves * sizeof(*moves));
    moves[record->nmoves++] =
        (struct record_move){.text = match->ply[match->len].text, .spent_us = -1};
    record->moves = moves;
    record_ending_init(&record->ending);
    record->ending.outcome = match->outcome;
    record->ending.outcome.confirmed = match->outcome.end == RECORD_BY_RULES;
}

static void keeps_all_when_a_move_is_played(const struct record_format *format, const char *text,
                                            uint64_t seed)
{
    struct match match = open_match(text);
    struct record record = records_read(text, format->name), now, expected;
    const char *written;

    if (!match_goes_on(&match) && (!match_undo(&match) || match.len != record.nmoves)) {
        match_close(&match);
        return; /* its last move ended it, or it was called off */
    }
    if (play_new_move(&match, &record, seed)) {
        written = write_match(&match, format);
        expect_move(&record, &match);
        now = records_read(written, format->name);
        cr_assert_str_eq(records_moves(&now), records_moves(&record), "%s", written);
        /* Of two ends in one place, one that says no more than the other is dropped by reading. */
        expected = records_read(records_write(&record, format->name), format->name);
        if (strcmp(format->name, "json") != 0)
            cr_assert_str_eq(records_write(&now, format->name),
                             records_write(&expected, format->name));
    }
    match_close(&match);
}

Test(match, keeps_all_when_a_move_is_played)
{
    for_each_text(keeps_all_when_a_move_is_played);
}
