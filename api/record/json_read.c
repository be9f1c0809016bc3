/* json_read.c - our own format (json.c), read and judged. */
#include <stdlib.h>
#include <string.h>

#include "api/record/ends.h"
#include "api/record/facts.h"
#include "api/record/formats.h"
#include "api/record/headers.h"
#include "api/record/lines.h"
#include "api/record/reader.h"
#include "api/record/record.h"
#include "api/record/times.h"
#include "api/text/arena.h"
#include "api/text/json_fields.h"
#include "api/text/options.h"
#include "api/text/problem.h"
#include "rules/rules.h"

enum { WORD_MAX = 32 };
#define NUMBER_MAX INT64_C(9007199254740991)

/* The log being played: where the game is. */
struct log {
    int32_t ply, tip, line, lines;
    bool over;
    struct record_outcome outcome; /* if over */
    bool foreign;                  /* an event that is not judged here may have ended the game */
};

struct reader {
    struct record_reading *reading;
    struct json_error error;
    const struct json_value *events; /* the log; NULL: none */
    struct record_move *told;        /* the moves as they stand in the file beside a log */
    size_t ntold;
};

static bool bad(struct reader *reader)
{
    return record_bad_json(reader->reading, &reader->error);
}

static bool is_fine(struct reader *reader)
{
    return reader->error.code == PROBLEM_NONE || bad(reader);
}

static const char *take_text(struct json_fields *fields, const char *key, size_t max)
{
    const char *text = NULL;

    return json_take_string(fields, key, max, &text) ? arena_copy(fields->arena, text, strlen(text))
                                                     : NULL;
}

/* ---- what stands at the top ---- */

static void take_json_time(struct json_fields *fields, const char *key, int64_t *us)
{
    const char *text = NULL;

    if (json_take_string(fields, key, WORD_MAX, &text) && !record_read_time(text, us))
        json_refuse(fields, PROBLEM_BAD_RECORD, key,
                    "A time is written as 2025-01-02T03:04:05.678901Z.");
}

static bool read_variant(struct reader *reader, struct json_fields *file)
{
    const char *format = take_text(file, "format", WORD_MAX);
    const char *variant = take_text(file, "variant", WORD_MAX);
    int64_t version = 1, rules_version;

    json_take_int(file, "format_version", 1, 1, &version);
    json_take_int(file, "rules_version", 1, INT32_MAX, &rules_version);
    if (reader->error.code == PROBLEM_NONE &&
        (format == NULL || strcmp(format, "plyd-record") != 0))
        json_refuse(file, PROBLEM_BAD_RECORD, "format", "\"plyd-record\" is expected.");
    if (variant == NULL)
        json_refuse(file, PROBLEM_BAD_RECORD, "variant", "The name of a game is expected.");
    return is_fine(reader) && record_set_game(reader->reading, variant);
}

static bool read_start(struct reader *reader, struct json_fields *file)
{
    struct record_reading *reading = reader->reading;
    const char *start = take_text(file, "start", RULES_POSITION_TEXT - 1);
    struct json_fields options;

    if (json_take_object(file, "options", &options))
        options_from_fields(reading->game, &options, &reading->options);
    if (!is_fine(reader))
        return false;
    if (reading->options.position != NULL)
        reading->options.position = arena_copy(reading->arena, reading->options.position,
                                               strlen(reading->options.position));
    if (!record_start(reading, record_names_start(reading->game, &reading->options) ? NULL : start))
        return false;
    if (start == NULL || strcmp(start, reading->record->start) == 0)
        return true;
    json_refuse(file, PROBLEM_BAD_RECORD, "start", "The options name another start.");
    return bad(reader);
}

static void read_seat(struct reader *reader, struct json_fields *seat)
{
    struct record *record = reader->reading->record;
    int64_t number = 0, level = 0;
    const char *name = take_text(seat, "name", RECORD_NAME_MAX);
    const char *engine = take_text(seat, "engine", WORD_MAX);
    const char *plain = record_one_line(seat->arena, name);

    json_take_int(seat, "level", 1, WORD_MAX, &level);
    if (!json_take_int(seat, "seat", 1, RULES_SEATS, &number)) {
        json_refuse(seat, PROBLEM_BAD_RECORD, "seat", "1 or 2 is expected.");
        return;
    }
    if (name != NULL && *name != '\0' && (plain == NULL || strcmp(plain, name) != 0))
        json_refuse(seat, PROBLEM_BAD_RECORD, "name",
                    "A name has no control characters, and no blanks at its ends.");
    json_ok(seat);
    record->name[number - 1] = name == NULL || *name == '\0' ? NULL : name;
    record->engine[number - 1] = engine;
    record->level[number - 1] = (int32_t)level;
}

static bool read_seats(struct reader *reader, struct json_fields *file)
{
    const struct json_value *seats;
    const char *seed = take_text(file, "seed", WORD_MAX);
    size_t n = 0;

    if (json_take_array(file, "seats", RULES_SEATS, &seats, &n))
        for (size_t i = 0; i < n; i++) {
            struct json_fields seat;

            if (json_element_object(file, seats, "seats", i, &seat))
                read_seat(reader, &seat);
        }
    if (seed != NULL)
        reader->reading->record->seed = strtoll(seed, NULL, 10);
    return is_fine(reader);
}

static bool read_headers(struct reader *reader, struct json_fields *file)
{
    const struct json_value *headers;
    size_t n = 0;

    if (json_take_array(file, "headers", RECORD_HEADERS_MAX, &headers, &n))
        for (size_t i = 0; i < n; i++) {
            struct json_fields header;
            const char *key, *value;

            if (!json_element_object(file, headers, "headers", i, &header))
                break;
            key = take_text(&header, "key", RECORD_NAME_MAX);
            value = take_text(&header, "value", RECORD_NAME_MAX);
            json_ok(&header);
            if (key == NULL || value == NULL)
                json_refuse(&header, PROBLEM_BAD_RECORD, NULL, "A header has a key and a value.");
            else if (!record_add_header(reader->reading, key, value))
                return false;
        }
    return is_fine(reader);
}

static bool read_spots(struct reader *reader, struct json_fields *file)
{
    struct record *record = reader->reading->record;
    const struct json_value *spots;
    size_t n = 0;

    if (json_take_array(file, "spots", RECORD_SLOTS, &spots, &n))
        for (size_t i = 0; i < n; i++) {
            struct json_fields spot;
            const char *word, *text;
            int64_t before = 0;

            if (!json_element_object(file, spots, "spots", i, &spot))
                break;
            word = take_text(&spot, "of", RECORD_NAME_MAX);
            text = take_text(&spot, "text", RECORD_SPOT_MAX);
            json_take_int(&spot, "before", 0, RECORD_HEADERS_MAX, &before);
            json_ok(&spot);
            if (word == NULL || record_slot_of(word) == RECORD_SLOTS)
                json_refuse(&spot, PROBLEM_BAD_RECORD, "of", "What stands there is not known.");
            else
                record_spot_at(record, record_slot_of(word), (size_t)before, text);
        }
    return is_fine(reader);
}

static bool read_outcome(struct reader *reader, struct json_fields *file)
{
    struct record_reading *reading = reader->reading;
    struct json_fields outcome;
    const char *reason;
    bool confirmed;
    int64_t winner = 0;

    if (!json_take_object(file, "outcome", &outcome))
        return is_fine(reader);
    json_take_int(&outcome, "winner", 1, RULES_SEATS, &winner);
    reason = take_text(&outcome, "reason", WORD_MAX);
    json_take_bool(&outcome, "confirmed", &confirmed);
    json_ok(&outcome);
    if (reader->error.code == PROBLEM_NONE &&
        (reason == NULL || !record_set_end(&reading->ending.outcome, reason, (unsigned)winner)))
        json_refuse(&outcome, PROBLEM_BAD_RECORD, "reason",
                    "That is not a word for the end of a game.");
    reading->told_end = true;
    reading->ending.word = reason;
    return is_fine(reader);
}

/* ---- moves ---- */

/* A record with a log has the same moves twice. The list of moves is then not played, but compared
 * with the moves of the log after that was played. */
static bool take_json_move(struct reader *reader, const struct record_move *move)
{
    struct record_reading *reading = reader->reading;
    struct record_move *kept;

    if (reader->events != NULL) {
        reader->told[reader->ntold++] = *move;
        return true;
    }
    if (!record_play(reading, move->text, move->text, NULL))
        return false;
    kept = &reading->record->moves[reading->record->nmoves - 1];
    kept->comment = move->comment;
    kept->spent_us = move->spent_us;
    return true;
}

static bool read_json_move(struct reader *reader, struct json_fields *fields)
{
    struct record_move move = {.text = take_text(fields, "move", RULES_PRETTY_TEXT),
                               .comment = take_text(fields, "comment", RECORD_BYTES_MAX),
                               .spent_us = -1};

    json_take_int(fields, "spent_us", 0, NUMBER_MAX, &move.spent_us);
    json_ok(fields);
    if (move.text == NULL)
        json_refuse(fields, PROBLEM_BAD_RECORD, "move", "A move is expected.");
    return is_fine(reader) && take_json_move(reader, &move);
}

static bool read_json_moves(struct reader *reader, struct json_fields *file)
{
    struct record *record = reader->reading->record;
    struct record_ending *ending = &reader->reading->ending;
    const struct json_value *moves;
    const char *word;
    size_t n = 0;

    record->comment = take_text(file, "comment", RECORD_BYTES_MAX);
    if (json_take_array(file, "moves", RECORD_MOVES_MAX, &moves, &n)) {
        if (reader->events != NULL)
            reader->told = arena_alloc(file->arena, n * sizeof(*reader->told));
        for (size_t i = 0; i < n; i++) {
            struct json_fields move;

            if (!json_element_object(file, moves, "moves", i, &move))
                break;
            if (!read_json_move(reader, &move))
                return false;
        }
    }
    json_take_int(file, "end_spent_us", 0, NUMBER_MAX, &ending->spent_us);
    word = take_text(file, "end_word", RECORD_NAME_MAX);
    if (word != NULL)
        ending->word = word;
    ending->comment = take_text(file, "end_comment", RECORD_BYTES_MAX);
    return is_fine(reader);
}

/* ---- the log ---- */

static bool bad_event(struct reader *reader, const char *detail, size_t i)
{
    return record_bad(reader->reading, NULL,
                      arena_format(reader->reading->arena, "/events/%zu: %s", i, detail));
}

static bool take_event(struct reader *reader, struct json_fields *fields, size_t i,
                       struct record_event *event)
{
    int64_t version = 0, seat = 0, line = 1, ply = 0;

    *event = (struct record_event){.kind = take_text(fields, "kind", WORD_MAX),
                                   .move = take_text(fields, "move", RULES_MOVE_TEXT),
                                   .data = json_take_json(fields, "data"),
                                   .at = RECORD_NO_TIME};
    take_json_time(fields, "at", &event->at);
    json_take_int(fields, "version", 1, RECORD_EVENTS_MAX, &version);
    json_take_int(fields, "seat", 1, RULES_SEATS, &seat);
    json_take_int(fields, "line", 1, RECORD_EVENTS_MAX, &line);
    json_take_int(fields, "ply", 0, RECORD_MOVES_MAX, &ply);
    json_ok(fields);
    if (!is_fine(reader))
        return false;
    event->seat = (unsigned)seat;
    event->line = (int32_t)line;
    event->ply = (int32_t)ply;
    if (event->kind == NULL || event->at == RECORD_NO_TIME || version != (int64_t)i + 1)
        return bad_event(reader,
                         "An event has a version (from 1 on, without gaps), a kind and a time.", i);
    return (strcmp(event->kind, "created") == 0) == (i == 0) ||
           bad_event(reader, "The first event, and no other, is \"created\".", i);
}

/* Sets the outcome of the log by the rules, from the present position. */
static void know_end(struct log *log, const struct record_reading *reading)
{
    const struct rules_outcome *outcome = &reading->here->outcome;

    log->over = outcome->status != RULES_ONGOING;
    log->foreign = false;
    log->outcome = (struct record_outcome){RECORD_OPEN, RULES_REASON_NONE, 0, false};
    if (log->over)
        log->outcome =
            (struct record_outcome){RECORD_BY_RULES, outcome->reason, outcome->winner, true};
}

static bool play_move(struct reader *reader, struct log *log, const struct record_event *event,
                      size_t i)
{
    struct record_reading *reading = reader->reading;

    if (event->move == NULL || log->over || event->seat != reading->here->to_move)
        return bad_event(reader, "No such move can be played here by that seat.", i);
    if (!record_play(reading, event->move, event->move, NULL))
        return false;
    if (strcmp(reading->record->moves[reading->record->nmoves - 1].text, event->move) != 0)
        return bad_event(reader, "The move is not written as it is stored.", i);
    if (log->ply < log->tip)
        log->line = ++log->lines;
    log->tip = ++log->ply;
    know_end(log, reading);
    return true;
}

/* Undo and redo go to a ply of the present line. */
static bool jump_json(struct reader *reader, struct log *log, const struct record_event *event,
                      size_t i)
{
    struct record_reading *reading = reader->reading;

    if (event->ply > log->tip)
        return bad_event(reader, "The line does not go that far.", i);
    if (!record_return(reading, (size_t)event->ply))
        return bad_event(reader, "The position at that ply cannot be read.", i);
    log->ply = event->ply;
    know_end(log, reading);
    return true;
}

/* Whether events of that kind are known here. */
static bool is_known_kind(const char *kind)
{
    static const char *const kinds[] = {
#define EVENT(number, kind, word, seat, form) word,
#include "api/record/events.def"
#undef EVENT
    };

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (strcmp(kinds[i], kind) == 0)
            return true;
    return false;
}

static void end_json_game(struct log *log, enum record_end how, unsigned winner)
{
    log->over = true;
    log->outcome = (struct record_outcome){how, RULES_REASON_NONE, winner, false};
}

/* A member of an event's data; "": there is none. */
static const char *data_word(struct json_fields *fields, const char *key)
{
    struct json_fields data;
    const char *word = "";

    if (json_take_object(fields, "data", &data))
        json_take_string(&data, key, WORD_MAX, &word);
    return word;
}

/* An accepted offer ends the game if it was an offer of a draw or to abort the game. */
static void accept_json_offer(struct log *log, struct json_fields *fields)
{
    const char *kind = data_word(fields, "kind");

    if (strcmp(kind, "draw") == 0)
        end_json_game(log, RECORD_AGREED, 0);
    else if (strcmp(kind, "abort") == 0)
        end_json_game(log, RECORD_ABORTED, 0);
}

static bool end_by_seat(struct reader *reader, struct log *log, const struct record_event *event,
                        enum record_end how, size_t i)
{
    if (event->seat == 0)
        return bad_event(reader,
                         how == RECORD_RESIGNED ? "A resignation needs the seat that resigned."
                                                : "A timeout needs the seat whose time ran out.",
                         i);
    end_json_game(log, how, RULES_SEATS + 1 - event->seat);
    return true;
}

static bool play_kind(struct reader *reader, struct log *log, struct json_fields *fields,
                      const struct record_event *event, size_t i)
{
    if (strcmp(event->kind, "move") == 0)
        return play_move(reader, log, event, i);
    if (strcmp(event->kind, "undo") == 0 || strcmp(event->kind, "redo") == 0)
        return jump_json(reader, log, event, i);
    if (strcmp(event->kind, "resigned") == 0)
        return end_by_seat(reader, log, event, RECORD_RESIGNED, i);
    if (strcmp(event->kind, "timeout") == 0 && strcmp(data_word(fields, "reason"), "no_start") != 0)
        return end_by_seat(reader, log, event, RECORD_TIMEOUT, i);
    if (strcmp(event->kind, "aborted") == 0 || strcmp(event->kind, "timeout") == 0)
        end_json_game(log, RECORD_ABORTED, 0);
    else if (strcmp(event->kind, "accepted") == 0)
        accept_json_offer(log, fields);
    else if (strcmp(event->kind, "declared") == 0 || strcmp(event->kind, "recorded") == 0 ||
             !is_known_kind(event->kind))
        log->foreign = true;
    return true;
}

static bool play_event(struct reader *reader, struct log *log, struct json_fields *fields,
                       struct record_event *event, size_t i)
{
    bool ok = play_kind(reader, log, fields, event, i) && is_fine(reader);

    event->point = reader->reading->here;
    return ok && ((event->ply == log->ply && event->line == log->line) ||
                  bad_event(reader, "The game is at another line or ply after this event.", i));
}

static bool other_moves(struct reader *reader)
{
    return bad_event(reader, "The events lead to other moves than those of the record.",
                     reader->reading->record->nevents - 1);
}

/* Whether move i of the list is the move of the log at that ply. The list may write it differently;
 * the rules then read its text in the position before it. */
static bool is_same_move(struct reader *reader, size_t i)
{
    struct record_reading *reading = reader->reading;
    const char *text = reading->record->moves[i].text, *told = reader->told[i].text;

    if (strcmp(text, told) == 0)
        return true;
    return record_return(reading, i) && record_play(reading, told, told, NULL) &&
           (strcmp(text, reading->record->moves[i].text) == 0 || other_moves(reader));
}

/* Whether the list of moves equals the line that the log leads to. Takes times and comments from
 * the list, because the log has none. */
static bool same_moves(struct reader *reader)
{
    struct record_reading *reading = reader->reading;
    struct record *record = reading->record;
    size_t n = record->nmoves;

    if (reader->ntold != n)
        return other_moves(reader);
    for (size_t i = 0; i < n; i++) {
        if (!is_same_move(reader, i))
            return false;
        record->moves[i].spent_us = reader->told[i].spent_us;
        record->moves[i].comment = reader->told[i].comment;
    }
    return record->nmoves == n || record_return(reading, n);
}

static bool same_end(const struct record_reading *reading, const struct log *log)
{
    const struct record_outcome *told = &reading->ending.outcome;

    if (log->foreign)
        return true;
    return reading->told_end ? log->outcome.end == told->end && log->outcome.winner == told->winner
                             : log->outcome.end == RECORD_OPEN;
}

static bool play_log(struct reader *reader, struct json_fields *file, struct log *log)
{
    struct record *record = reader->reading->record;

    for (size_t i = 0; i < record->nevents; i++) {
        struct record_event *event = &record->events[i];
        struct json_fields fields;

        if (!json_element_object(file, reader->events, "events", i, &fields))
            return bad(reader);
        if (!take_event(reader, &fields, i, event) || !play_event(reader, log, &fields, event, i))
            return false;
    }
    return true;
}

static bool read_log(struct reader *reader, struct json_fields *file)
{
    struct record *record = reader->reading->record;
    struct log log = {.line = 1, .lines = 1};

    if (reader->events == NULL)
        return true;
    record->events = arena_alloc(file->arena, record->nevents * sizeof(*record->events));
    know_end(&log, reader->reading);
    if (!play_log(reader, file, &log) || !same_moves(reader))
        return false;
    return same_end(reader->reading, &log) ||
           bad_event(reader, "The events lead to another end than that of the record.",
                     record->nevents - 1);
}

static bool read_json_file(struct reader *reader, struct json_fields *file)
{
    struct record *record = reader->reading->record;

    if (!read_variant(reader, file) || !read_start(reader, file) || !read_outcome(reader, file) ||
        !read_seats(reader, file) || !read_headers(reader, file) || !read_spots(reader, file))
        return false;
    record->undo = take_text(file, "undo", WORD_MAX);
    record->visibility = take_text(file, "visibility", WORD_MAX);
    take_json_time(file, "started_at", &record->started_at);
    take_json_time(file, "ended_at", &record->ended_at);
    if (!json_take_array(file, "events", RECORD_EVENTS_MAX, &reader->events, &record->nevents) ||
        record->nevents == 0)
        reader->events = NULL;
    if (!is_fine(reader) || !read_json_moves(reader, file) || !read_log(reader, file))
        return false;
    json_take_json(file, "position"); /* follows from the moves */
    json_take_json(file, "to_move");
    return json_ok(file) || bad(reader);
}

bool record_read_json(struct record_reading *reading)
{
    struct reader reader = {.reading = reading};
    struct json_value *json =
        json_read_long(reading->arena, reading->text, reading->len, &reader.error);
    struct json_fields file;
    bool ok;

    if (json == NULL)
        return bad(&reader);
    json_fields(&file, reading->arena, json, &reader.error);
    ok = read_json_file(&reader, &file);
    json_free(json);
    return ok;
}
