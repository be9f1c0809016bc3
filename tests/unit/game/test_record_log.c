/*
 * test_record_log.c - records with a log: what the reader of our own JSON and from_record() take,
 * and what they refuse, event by event. And that a game out of a record is the one that playing
 * gives.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "api/game/from_record.h"
#include "api/game/row.h"
#include "api/game/to_record.h"
#include "api/game/words.h"
#include "api/record/ends.h"
#include "api/tool/commands.h"
#include "tests/unit/records.h"

TestSuite(record_log, .fini = records_free);
TestSuite(record_played, .fini = records_free);

enum { MOST = 64 };
#define AT INT64_C(1600000000000000)

/* ---- logs in short: "a1 b2 <1 c3 resigned:1" ---- */

struct log {
    struct record record;
    int32_t ply, tip, line, lines;
};

static struct record_event *note(struct log *log, const char *kind)
{
    struct record_event *event = &log->record.events[log->record.nevents++];

    *event = (struct record_event){.kind = kind, .line = log->line, .ply = log->ply, .at = AT};
    return event;
}

static void jump(struct log *log, const char *step)
{
    log->ply = (int32_t)strtol(step + 1, NULL, 10);
    note(log, *step == '<' ? "undo" : "redo");
    log->record.ending.outcome = (struct record_outcome){.end = RECORD_OPEN};
}

static void play(struct log *log, const char *move)
{
    struct record_event *event;

    log->record.ending.outcome = (struct record_outcome){.end = RECORD_OPEN};
    if (log->ply < log->tip)
        log->line = ++log->lines;
    log->tip = ++log->ply;
    event = note(log, "move");
    event->move = move;
    event->seat = log->ply % 2 == 1 ? 1 : 2;
    log->record.moves[log->ply - 1] = (struct record_move){.text = move, .spent_us = -1};
}

/* "resigned:1", "aborted", "joined", "declared:1", or the end of a "recorded" event: "timeout:2".
 */
static void happen(struct log *log, char *step)
{
    static const char *const kinds[] = {"resigned", "aborted", "joined", "declared"};
    struct record_outcome *outcome = &log->record.ending.outcome;
    char *colon = strchr(step, ':');
    unsigned seat = colon == NULL ? 0 : (unsigned)strtoul(colon + 1, NULL, 10);

    if (colon != NULL)
        *colon = '\0';
    for (size_t i = 0; i < 4; i++)
        if (strcmp(kinds[i], step) == 0) {
            note(log, kinds[i])->seat = seat;
            if (i == 0)
                *outcome = (struct record_outcome){.end = RECORD_RESIGNED, .winner = 3 - seat};
            if (i == 1)
                *outcome = (struct record_outcome){.end = RECORD_ABORTED};
            return;
        }
    note(log, "recorded")->data =
        seat == 0 ? arena_format(&records_arena, "{\"reason\":\"%s\"}", step)
                  : arena_format(&records_arena, "{\"reason\":\"%s\",\"winner\":%u}", step, seat);
    record_set_end(outcome, step, seat);
}

static bool is_move(const char *step)
{
    return strlen(step) <= 5 && step[strcspn(step, "0123456789")] != '\0' &&
           strchr(step, ':') == NULL;
}

/* A log of these steps, with the moves that they lead to. */
static struct record log_of(const char *variant, const char *steps)
{
    struct log *log = arena_zero(&records_arena, sizeof(*log));
    char *list = arena_copy(&records_arena, steps, strlen(steps)), *save = NULL;

    log->record = records_game(variant, "", "");
    log->record.events = arena_zero(&records_arena, MOST * sizeof(*log->record.events));
    log->line = log->lines = 1;
    note(log, "created");
    for (char *step = strtok_r(list, " ", &save); step != NULL; step = strtok_r(NULL, " ", &save))
        if (*step == '<' || *step == '>')
            jump(log, step);
        else if (is_move(step))
            play(log, step);
        else
            happen(log, step);
    log->record.nmoves = (size_t)(log->ply < log->tip ? log->ply : log->tip);
    return log->record;
}

/* ---- what becomes of a log ---- */

static struct draft *stored(const struct record *record)
{
    struct draft *draft = arena_alloc(&records_arena, sizeof(*draft));
    struct db_scan_game game = {&draft->row, NULL, 0};
    struct record_error error;
    char what[1024] = "";

    cr_assert(from_record(&records_arena, record, 0, draft, &error), "%s", error.detail);
    game.events = draft->events;
    game.count = draft->nevents;
    cr_assert_eq(verify_game(&game, what, sizeof(what)), VERDICT_SAME, "%s", what);
    return draft;
}

static struct draft *course_of(const char *variant, const char *steps)
{
    struct record record = log_of(variant, steps), read = records_read_back(&record);

    return stored(&read);
}

/* The reader takes it, and what was read cannot be stored: it stops at this event, from 1 on. */
static void stops_at(const char *variant, const char *steps, size_t event)
{
    struct record record = log_of(variant, steps), read = records_read_back(&record);
    struct draft draft;
    struct record_error error;

    cr_assert_not(from_record(&records_arena, &read, 0, &draft, &error), "%s", steps);
    cr_assert_eq(error.code, PROBLEM_BAD_RECORD);
    cr_assert_str_eq(error.detail,
                     arena_format(&records_arena,
                                  "Event %zu of the log does not follow from those before it.",
                                  event),
                     "%s: %s", steps, error.detail);
}

/* The reader refuses it. */
static struct record_error refused(const struct record *record, const char *detail)
{
    struct record_error error = records_error(records_write(record, "json"), "json");

    cr_assert_not_null(strstr(error.detail, detail), "%s", error.detail);
    return error;
}

static void is_refused(const char *variant, const char *steps, const char *detail)
{
    struct record record = log_of(variant, steps);

    refused(&record, detail);
}

/* ---- ends ---- */

Test(record_log, an_end_after_an_end_is_refused)
{
    stops_at("tictactoe", "a1 resigned:1 resigned:2", 4);
    stops_at("tictactoe", "a1 timeout:1 agreement", 4);
    stops_at("tictactoe", "a1 aborted resigned:1", 4);
}

Test(record_log, a_move_after_an_end_is_refused)
{
    is_refused("tictactoe", "a1 resigned:1 b2", "No such move");
    stops_at("tictactoe", "a1 timeout:1 b2", 4);
}

Test(record_log, an_undo_takes_an_end_back)
{
    struct draft *draft = course_of("tictactoe", "a1 resigned:1 <1 b2");

    cr_assert_eq(draft->row.status, STATUS_ACTIVE);
    cr_assert_eq(draft->row.winner, 0);
    cr_assert_null(draft->row.reason);
    cr_assert_eq(draft->row.line, 1, "no move was undone");
    cr_assert_eq(course_of("tictactoe", "a1 timeout:1 <1 aborted")->row.status, STATUS_ABORTED);
}

Test(record_log, an_abortion_cannot_be_undone)
{
    stops_at("tictactoe", "a1 aborted <1", 4);
    stops_at("tictactoe", "a1 aborted <0", 4);
}

Test(record_log, an_end_by_the_rules_is_one_again_when_a_redo_leads_there)
{
    struct record record = log_of("tictactoe", "a1 b1 a2 b2 a3 <4 >5"), read;
    struct draft *draft;

    record.ending.outcome = (struct record_outcome){RECORD_BY_RULES, RULES_REASON_LINE, 1, true};
    read = records_read_back(&record);
    draft = stored(&read);
    cr_assert_eq(draft->row.status, STATUS_FINISHED);
    cr_assert_eq(draft->row.winner, 1);
    cr_assert_str_eq(draft->row.reason, "line");
    stops_at("tictactoe", "a1 b1 a2 b2 a3 resigned:1", 7);
    record = log_of("tictactoe", "a1 b1 a2 b2 a3 c3");
    record.nmoves--; /* it could not be written otherwise */
    refused(&record, "/events/6: No such move");
}

Test(record_log, an_end_that_the_rules_do_not_know_needs_its_data)
{
    struct record record = log_of("tictactoe", "a1 timeout:1"), read;
    struct draft draft;
    struct record_error error;
    static const char *const data[] = {NULL, "{}", "{\"reason\":\"timeout\"}",
                                       "{\"reason\":\"rain\",\"winner\":1}"};

    cr_assert_str_eq(course_of("tictactoe", "a1 timeout:1")->row.reason, "timeout");
    for (size_t i = 0; i < 4; i++) {
        record.events[2].data = data[i];
        read = records_read_back(&record);
        cr_assert_not(from_record(&records_arena, &read, 0, &draft, &error));
    }
}

Test(record_log, a_declared_win_must_be_one)
{
    static const char *const text =
        "position sfen 4K4/+R+R+B+B5/GGGGSSSSP/9/9/9/9/9/4k4 b 4N4L17P 1 win";
    struct record won = records_read(text, NULL), again;
    struct draft *draft = stored(&won);
    struct record_error error;

    cr_assert_eq(draft->events[1].kind, EVENT_DECLARED);
    cr_assert_eq(draft->row.winner, 1);
    draft->row.undo = UNDO_FREE;
    draft->row.visibility = VISIBILITY_PUBLIC;
    cr_assert(to_record(&records_arena, &draft->row, draft->events, draft->nevents, 1, 0, &again,
                        &error));
    again = records_read_back(&again);
    cr_assert_eq(stored(&again)->row.status, STATUS_FINISHED, "with its log too");
    stops_at("shogi", "7g7f declared:2", 3);
    stops_at("tictactoe", "a1 declared:2", 3);
}

Test(record_log, others_may_join_at_any_time)
{
    cr_assert_eq(course_of("tictactoe", "joined a1 joined")->nevents, 4);
}

Test(record_log, a_resignation_names_its_seat)
{
    struct record record = log_of("tictactoe", "a1 resigned:1");

    record.events[2].seat = 0;
    refused(&record, "needs the seat");
}

/* ---- back and forth ---- */

Test(record_log, an_undo_goes_back_and_a_redo_forward)
{
    struct draft *draft = course_of("tictactoe", "a1 b2 c3 <0 >2 >3 <1 c1");

    cr_assert_eq(draft->row.ply, 2);
    cr_assert_eq(draft->row.line, 2);
    cr_assert_str_eq(draft->row.last_move, "c1");
    stops_at("tictactoe", "a1 b2 <2", 4);
    stops_at("tictactoe", "a1 b2 >1", 4);
    stops_at("tictactoe", "a1 b2 >2", 4);
    stops_at("tictactoe", "a1 b2 <0 <1", 5);
}

Test(record_log, a_redo_goes_no_farther_than_the_line)
{
    is_refused("tictactoe", "a1 b2 <1 >3", "does not go that far");
    is_refused("tictactoe", "a1 b2 c3 <1 c1 >3", "does not go that far");
}

Test(record_log, an_event_leads_where_it_says)
{
    struct record record = log_of("tictactoe", "a1 b2 <1 c3");

    record.events[2].ply = 1;
    refused(&record, "/events/2: The game is at another line or ply");
    record = log_of("tictactoe", "a1 b2 <1 c3");
    record.events[4].line = 1;
    refused(&record, "/events/4: The game is at another line or ply");
    record = log_of("tictactoe", "a1 joined");
    record.events[2].ply = 0;
    refused(&record, "/events/2: The game is at another line or ply");
}

Test(record_log, every_event_has_the_point_that_it_leads_to)
{
    struct record record = log_of("tictactoe", "a1 b2 <1 c3 <0 >2 resigned:1"), read;
    static const int32_t same_as[] = {0, 1, 2, 1, 4, 0, 4, 4};

    read = records_read_back(&record);
    for (size_t i = 0; i < 8; i++)
        cr_assert_eq(read.events[i].point, read.events[same_as[i]].point, "%zu", i);
    cr_assert_eq(read.points[2], read.events[4].point);
}

/* ---- the list of moves beside a log ---- */

Test(record_log, the_moves_may_be_written_in_another_way)
{
    struct record record = log_of("shogi", "7g7f 3c3d 2g2f"), read;

    record.moves[1].text = "3C3D";
    record.moves[1].spent_us = 5;
    record.moves[2].comment = "a comment";
    read = records_read_back(&record);
    cr_assert_str_eq(records_moves(&read), "7g7f 3c3d 2g2f");
    cr_assert_eq(read.moves[1].spent_us, 5);
    cr_assert_str_eq(read.moves[2].comment, "a comment");
    cr_assert_eq(read.points[3]->to_move, 2);
    cr_assert_eq(stored(&read)->row.ply, 3);
}

Test(record_log, the_moves_are_those_of_the_log)
{
    struct record record = log_of("shogi", "7g7f 3c3d 2g2f");
    struct record_error error;

    record.moves[2].text = "6G6F";
    refused(&record, "other moves");
    record.moves[2].text = "6g6f";
    refused(&record, "other moves");
    record.nmoves = 2;
    refused(&record, "other moves");
    record = log_of("shogi", "7g7f 3c3d");
    record.nevents--;
    refused(&record, "other moves");
    error = records_error(
        "{\"format\":\"plyd-record\",\"variant\":\"tictactoe\",\"moves\":[{\"move\":"
        "\"a1\"},{\"move\":\"z9\"}],\"events\":[{\"version\":1,\"kind\":\"created\","
        "\"line\":1,\"ply\":0,\"at\":\"2020-01-01\"},{\"version\":2,\"kind\":\"move\","
        "\"seat\":1,\"line\":1,\"ply\":1,\"move\":\"a1\",\"at\":\"2020-01-01\"},{"
        "\"version\":3,\"kind\":\"move\",\"seat\":2,\"line\":1,\"ply\":2,\"move\":"
        "\"b2\",\"at\":\"2020-01-01\"}]}",
        NULL);
    cr_assert_eq(error.ply, 2, "the rules refuse a move of the list");
    cr_assert_str_eq(error.move, "z9");
}

/* ---- a game out of a record is the one that playing gives ---- */

/* What from_record() was to be, move by move, with the rules. */
static struct draft *played(const struct record *record, const struct draft *like)
{
    struct draft *draft = arena_alloc(&records_arena, sizeof(*draft));
    struct rules_refusal why;
    int32_t from;

    draft_new(draft, &records_arena, record->game, like->events[0].at);
    cr_assert(rules_load(record->game, &record->options, record->start, &draft->state, &why));
    draft->row.line = draft->row.lines = 1;
    draft->row.status = STATUS_ACTIVE;
    draft->row.to_move = (int16_t)record->game->to_move(&draft->state);
    draft_push_key(draft, record->game->key(&draft->state));
    draft_event(draft, EVENT_CREATED, 0);
    for (size_t i = 0; i < record->nmoves; i++) {
        cr_assert(draft_goes_on(draft));
        cr_assert_eq(draft_play(draft, record->moves[i].text, &why, &from), DRAFT_PLAYED);
    }
    return draft;
}

static void same_text(const char *a, const char *b)
{
    cr_assert((a == NULL) == (b == NULL) && (a == NULL || strcmp(a, b) == 0), "%s, %s",
              a == NULL ? "nothing" : a, b == NULL ? "nothing" : b);
}

static void same_courses(const struct draft *made, const struct draft *played)
{
    char a[RULES_POSITION_TEXT], b[RULES_POSITION_TEXT];

    for (size_t i = 1; i < played->nevents; i++) {
        const struct db_event *left = &made->events[i], *right = &played->events[i];

        cr_assert_eq(left->version, right->version);
        cr_assert_eq(left->kind, right->kind);
        cr_assert_eq(left->seat, right->seat);
        cr_assert_eq(left->line, right->line);
        cr_assert_eq(left->ply, right->ply);
        cr_assert_eq(left->key, right->key);
        same_text(left->move, right->move);
        same_text(left->position, right->position);
    }
    cr_assert_eq(made->nkeys, played->nkeys);
    cr_assert_eq(memcmp(made->keys, played->keys, made->nkeys * sizeof(*made->keys)), 0);
    cr_assert_eq(made->row.ply, played->row.ply);
    cr_assert_eq(made->row.tip, played->row.tip);
    cr_assert_eq(made->row.to_move, played->row.to_move);
    cr_assert_eq(made->row.last_seat, played->row.last_seat);
    same_text(made->row.last_move, played->row.last_move);
    cr_assert(rules_same_move(made->last, played->last));
    made->game->position_text(&made->state, a);
    made->game->position_text(&played->state, b);
    cr_assert_str_eq(a, b);
    if (played->row.status == STATUS_FINISHED) {
        cr_assert_eq(made->row.status, STATUS_FINISHED);
        cr_assert_eq(made->row.winner, played->row.winner);
        same_text(made->row.reason, played->row.reason);
    }
}

Test(record_played, a_game_from_a_record_is_the_one_that_playing_gives)
{
    static const char *const formats[] = {"json", "text", "kif", "csa3", "jkf", "pdn"};

    for (uint64_t seed = 0; seed < 60; seed++)
        for (size_t i = 0; i < 6; i++) {
            struct record record = records_random(rules_game(seed % rules_games()), seed, 2 * seed);
            const struct record_format *format = record_find_format(formats[i]);
            struct record read;
            struct draft *made;

            if (!record_serves(format, record.game))
                continue;
            read = records_read(records_write(&record, format->name), format->name);
            made = stored(&read);
            same_courses(made, played(&read, made));
            arena_reset(&records_arena);
        }
}

/* The keys of the line judge repetitions in what is played next. */
Test(record_played, the_keys_after_a_log_are_those_of_its_line)
{
    struct draft *draft = course_of("shogi", "2h3h 8b7b 3h2h <1 8b9b <0 >2 <1 8b6b 3h2h 6b8b");

    cr_assert_eq(draft->nkeys, 5);
    cr_assert_eq((int64_t)draft->keys[0], draft->events[0].key);
    cr_assert_eq((int64_t)draft->keys[1], draft->events[1].key);
    for (size_t i = 2; i <= 4; i++)
        cr_assert_eq((int64_t)draft->keys[i], draft->events[draft->nevents - 5 + i].key);
}

/* ---- out again ---- */

Test(record_log, an_earlier_line_has_its_moves_and_no_end_and_no_log)
{
    struct draft *draft = course_of("tictactoe", "a1 b2 c3 <1 c1 resigned:1");
    struct record record;
    struct record_error error;

    draft->row.undo = UNDO_FREE;
    draft->row.visibility = VISIBILITY_PUBLIC;
    cr_assert(to_record(&records_arena, &draft->row, draft->events, draft->nevents, 1, 3, &record,
                        &error));
    cr_assert_str_eq(records_moves(&record), "a1 b2 c3");
    cr_assert_eq(record.ending.outcome.end, RECORD_OPEN);
    cr_assert_eq(record.nevents, 0);
    cr_assert(to_record(&records_arena, &draft->row, draft->events, draft->nevents, 2, 2, &record,
                        &error));
    cr_assert_str_eq(records_moves(&record), "a1 c1");
    cr_assert_eq(record.ending.outcome.end, RECORD_RESIGNED);
    cr_assert_eq(record.nevents, draft->nevents);
}

Test(record_log, the_data_of_an_end_says_reason_and_winner)
{
    const char *reason;
    unsigned winner;

    cr_assert(
        to_record_end(&records_arena, "{\"reason\":\"timeout\",\"winner\":2}", &reason, &winner));
    cr_assert_str_eq(reason, "timeout");
    cr_assert_eq(winner, 2);
    cr_assert(to_record_end(&records_arena, "{\"reason\":\"agreement\"}", &reason, &winner));
    cr_assert_eq(winner, 0);
    cr_assert_not(to_record_end(&records_arena, "{\"reason\":\"timeout\"}", &reason, &winner));
    cr_assert_not(to_record_end(&records_arena, "{\"winner\":2}", &reason, &winner));
    cr_assert_not(
        to_record_end(&records_arena, "{\"reason\":\"rain\",\"winner\":2}", &reason, &winner));
    cr_assert_not(to_record_end(&records_arena, "timeout", &reason, &winner));
    cr_assert_not(to_record_end(&records_arena, NULL, &reason, &winner));
}

Test(record_log, a_game_whose_options_are_not_known_cannot_go_out)
{
    struct draft *draft = course_of("tictactoe", "a1");
    struct record record;
    struct record_error error;

    draft->row.undo = UNDO_FREE;
    draft->row.visibility = VISIBILITY_PUBLIC;
    draft->row.options = "{\"wings\":2}";
    cr_assert_not(to_record(&records_arena, &draft->row, draft->events, draft->nevents, 1, 1,
                            &record, &error));
    cr_assert_eq(error.code, PROBLEM_NEWER_PROGRAM);
}
