/* record_build.c - records as games that can be stored (record_game.h). */
#include "api/game/from_record.h"

#include <string.h>

#include "api/game/to_record.h"
#include "api/game/words.h"
#include "api/text/json.h"
#include "api/text/options.h"

struct building {
    const struct record *record;
    struct course *course;
    struct rules_options options;
    size_t *moves; /* of the present line: their numbers among the course's events, by ply - 1 */
};

/* ---- what is kept of a record ---- */

static void view_headers(struct json *json, const struct record *record)
{
    json_key(json, "headers");
    json_open(json, '[');
    for (size_t i = 0; i < record->nheaders; i++) {
        json_open(json, '{');
        json_member(json, "key", record->headers[i].key);
        json_member(json, "value", record->headers[i].value);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static const char *head_data(struct arena *arena, const struct record *record)
{
    struct json json;

    json_init(&json, arena);
    json_open(&json, '{');
    json_key(&json, "record");
    json_open(&json, '{');
    if (record->format != NULL)
        json_member(&json, "format", record->format->name);
    if (record->started_at != RECORD_NO_TIME)
        json_member_int(&json, "started_us", record->started_at);
    if (record->ended_at != RECORD_NO_TIME)
        json_member_int(&json, "ended_us", record->ended_at);
    if (record->comment != NULL)
        json_member(&json, "comment", record->comment);
    if (record->nheaders > 0)
        view_headers(&json, record);
    json_close(&json, '}');
    json_close(&json, '}');
    return json.out.text;
}

static const char *move_data(struct arena *arena, const struct record_move *move)
{
    struct json json;

    json_init(&json, arena);
    json_open(&json, '{');
    if (move->spent_us >= 0)
        json_member_int(&json, "spent_us", move->spent_us);
    if (move->comment != NULL)
        json_member(&json, "comment", move->comment);
    json_close(&json, '}');
    return json.out.text;
}

static const char *end_data(struct arena *arena, const struct record *record)
{
    struct json json;

    json_init(&json, arena);
    json_open(&json, '{');
    json_member(&json, "reason", record_end_text(&record->outcome));
    if (record->outcome.winner != 0)
        json_member_int(&json, "winner", record->outcome.winner);
    if (record->end_spent_us >= 0)
        json_member_int(&json, "spent_us", record->end_spent_us);
    json_close(&json, '}');
    return json.out.text;
}

/* ---- what happened ---- */

static bool play(struct building *building, const char *text, const char *data)
{
    struct course *course = building->course;
    struct rules_refusal why;
    int32_t from;

    if (!course_goes_on(course) || course_play(course, text, &why, &from) != COURSE_PLAYED)
        return false;
    course->events[course->nevents - 1].data = data;
    building->moves[course->row.ply - 1] = course->nevents - 1;
    return true;
}

static void finish(struct course *course, int status, unsigned winner, const char *reason)
{
    course->row.status = (int16_t)status;
    course->row.winner = (int16_t)winner;
    course->row.reason = reason;
}

/* Whether there is a way from here to a ply: back, on to what was undone, or back from an end. */
static bool leads_to(const struct course *course, int kind, int32_t ply)
{
    const struct db_game *row = &course->row;

    if (row->status == STATUS_ABORTED || ply < 0 || ply > row->tip)
        return false;
    if (kind == EVENT_REDO)
        return ply > row->ply;
    return ply < row->ply || (ply == row->ply && row->status == STATUS_FINISHED);
}

/* To a ply of the line, where nothing but the rules can have ended the game. */
static bool jump(struct building *building, int kind, int32_t ply)
{
    struct course *course = building->course;

    if (!leads_to(course, kind, ply) ||
        !course_go_to(course, &building->options, ply,
                      ply == 0 ? NULL : &course->events[building->moves[ply - 1]]))
        return false;
    course->nkeys = 1;
    for (int32_t i = 0; i < ply; i++)
        course_push_key(course, (uint64_t)course->events[building->moves[i]].key);
    course_judge(course);
    return true;
}

static bool declare(struct building *building)
{
    struct course *course = building->course;
    struct rules_outcome outcome;
    struct rules_refusal why;

    if (course->game->declare == NULL || !course->game->declare(&course->state, &outcome, &why))
        return false;
    finish(course, STATUS_FINISHED, outcome.winner, rules_reason_text(outcome.reason));
    return true;
}

/* An end that only the record knows: its data says which. */
static bool take_recorded(struct building *building, const char *data)
{
    const char *reason;
    unsigned winner;

    if (!to_record_end(building->course->arena, data, &reason, &winner))
        return false;
    finish(building->course, STATUS_FINISHED, winner, reason);
    return true;
}

static bool repeat(struct building *building, const struct record_event *event)
{
    struct course *course = building->course;
    int kind = words_event_kind(event->kind), seat = (int)event->seat;

    course->now = event->at;
    if (to_record_is_end(kind) && !course_goes_on(course))
        return false;
    switch (kind) {
    case EVENT_MOVE:
        return play(building, event->move, event->data);
    case EVENT_UNDO:
    case EVENT_REDO:
        if (!jump(building, kind, event->ply))
            return false;
        break;
    case EVENT_RESIGNED:
        if (seat < 1 || seat > RULES_SEATS)
            return false;
        finish(course, STATUS_FINISHED, (unsigned)(3 - seat), "resign");
        break;
    case EVENT_ABORTED:
        finish(course, STATUS_ABORTED, 0, NULL);
        break;
    case EVENT_DECLARED:
        if (!declare(building))
            return false;
        break;
    case EVENT_RECORDED:
        if (!take_recorded(building, event->data))
            return false;
        break;
    case EVENT_JOINED:
        break;
    default:
        return false;
    }
    course_event(course, kind, seat)->data = event->data;
    return true;
}

/* ---- a log of our own, event by event; each must lead where the log says that it led ---- */

static bool repeat_log(struct building *building, struct record_error *error)
{
    const struct record *record = building->record;
    const struct db_game *row = &building->course->row;

    for (size_t i = 1; i < record->nevents; i++) {
        const struct record_event *event = &record->events[i];

        if (repeat(building, event) && event->ply == row->ply && event->line == row->line)
            continue;
        *error = (struct record_error){
            .code = PROBLEM_BAD_RECORD,
            .detail =
                arena_format(building->course->arena,
                             "Event %zu of the log does not follow from those before it.", i + 1)};
        return false;
    }
    return true;
}

/* ---- moves and an end ---- */

/* The end that the record tells, where the moves have not brought it about already. */
static void end(struct building *building)
{
    struct course *course = building->course;
    const struct record *record = building->record;
    const struct record_outcome *outcome = &record->outcome;
    int kind = EVENT_RECORDED, seat = 0;

    if (outcome->end == RECORD_OPEN || !course_goes_on(course))
        return;
    if (outcome->end == RECORD_RESIGNED && outcome->winner != 0) {
        kind = EVENT_RESIGNED;
        seat = RULES_SEATS + 1 - (int)outcome->winner;
    } else if (outcome->end == RECORD_BY_RULES && outcome->confirmed && declare(building)) {
        kind = EVENT_DECLARED;
        seat = course->row.to_move;
    } else if (outcome->end == RECORD_ABORTED) {
        kind = EVENT_ABORTED;
    }
    finish(course, kind == EVENT_ABORTED ? STATUS_ABORTED : STATUS_FINISHED, outcome->winner,
           kind == EVENT_ABORTED ? NULL : record_end_text(outcome));
    course->now += record->end_spent_us > 0 ? record->end_spent_us : 0;
    course_event(course, kind, seat)->data = end_data(course->arena, record);
}

static bool play_moves(struct building *building, struct record_error *error)
{
    const struct record *record = building->record;
    struct course *course = building->course;

    for (size_t i = 0; i < record->nmoves; i++) {
        const struct record_move *move = &record->moves[i];

        course->now += move->spent_us > 0 ? move->spent_us : 0;
        if (play(building, move->text, move_data(course->arena, move)))
            continue;
        *error = (struct record_error){.code = PROBLEM_BAD_RECORD,
                                       .detail = "Moves follow after the end of the game.",
                                       .ply = (int32_t)i + 1,
                                       .move = move->text};
        return false;
    }
    end(building);
    return true;
}

/* ---- the beginning ---- */

static int64_t thought(const struct record *record)
{
    int64_t sum = record->end_spent_us > 0 ? record->end_spent_us : 0;

    for (size_t i = 0; i < record->nmoves; i++)
        sum += record->moves[i].spent_us > 0 ? record->moves[i].spent_us : 0;
    return sum;
}

static int64_t beginning(const struct record *record, int64_t now)
{
    if (record->nevents > 0)
        return record->events[0].at;
    return record->started_at != RECORD_NO_TIME ? record->started_at : now - thought(record);
}

static void begin_row(struct building *building)
{
    const struct record *record = building->record;
    struct course *course = building->course;
    struct db_game *row = &course->row;

    row->variant = record->game->name;
    row->rules_version = record->game->version;
    row->start = row->position = record->start;
    row->options = options_to_json(record->game, course->arena, &record->options, record->start);
    row->line = row->lines = 1;
    row->to_move = (int16_t)record->game->to_move(&course->state);
    row->created_at = row->updated_at = row->last_at = course->now;
    row->seed = record->seed;
    row->status = STATUS_ACTIVE;
    for (int i = 0; i < DB_SEATS; i++) {
        row->seat[i].name = record->name[i];
        row->seat[i].engine = record->engine[i];
        row->seat[i].state = record->engine[i] != NULL ? SEAT_ENGINE : SEAT_TAKEN;
    }
}

static bool begin(struct building *building, struct record_error *error)
{
    const struct record *record = building->record;
    struct course *course = building->course;
    struct db_event *event;
    struct rules_refusal why;

    if (!rules_load(record->game, &record->options, record->start, &course->state, &why)) {
        *error = (struct record_error){.code = PROBLEM_BAD_RECORD,
                                       .detail = "The start position is not valid."};
        return false;
    }
    begin_row(building);
    event = course_event(course, EVENT_CREATED, 0);
    event->position = course->row.position;
    event->data = record->nevents > 0 ? record->events[0].data : head_data(course->arena, record);
    course->keys[0] = course->game->key(&course->state);
    course->nkeys = 1;
    event->key = (int64_t)course->keys[0];
    return true;
}

bool from_record(struct arena *arena, const struct record *record, int64_t now,
                 struct course *course, struct record_error *error)
{
    struct building building = {.record = record, .course = course, .options = record->options};

    if (!record_is_plausible(record, error))
        return false;
    course_new(course, arena, record->game, beginning(record, now));
    building.moves = arena_zero(arena, (RECORD_MOVES_MAX + 1) * sizeof(*building.moves));
    return begin(&building, error) &&
           (record->nevents > 0 ? repeat_log(&building, error) : play_moves(&building, error));
}
