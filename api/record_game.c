/* record_game.c - between stored games and records (record_game.h). */
#include "record_game.h"

#include <string.h>

#include "record_parts.h"
#include "tables.h"
#include "view.h"

static bool fail(struct record_error *error, const char *detail)
{
    *error = (struct record_error){.code = "bad-record", .detail = detail};
    return false;
}

/* ---- out ---- */

/* The moves of the present line, and what was thought for each since the event before it. */
static void take_line(struct record *record, const struct db_game *row,
                      const struct db_event *events, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const struct db_event *event = &events[i];

        if (event->kind == EVENT_MOVE)
            record->moves[event->ply - 1] =
                (struct record_move){.text = event->move, .spent_us = event->at - events[i - 1].at};
    }
    record->nmoves = (size_t)row->ply;
}

static void take_log(struct record *record, const struct db_event *events, size_t count)
{
    record->nevents = count;
    for (size_t i = 0; i < count; i++)
        record->events[i] = (struct record_event){.kind = event_name(events[i].kind),
                                                  .move = events[i].move,
                                                  .data = events[i].data,
                                                  .seat = (unsigned)events[i].seat,
                                                  .line = events[i].line,
                                                  .ply = events[i].ply,
                                                  .at = events[i].at};
}

/* Plays the moves. Returns how the rules see the last position, or false if they refuse one. */
static bool replay(struct arena *arena, const struct record *record, struct rules_state *state,
                   struct rules_outcome *outcome)
{
    uint64_t *keys = arena_alloc(arena, (record->nmoves + 1) * sizeof(*keys));
    struct rules_history history = {keys, record->nmoves};
    struct rules_refusal why;

    if (!rules_load(record->game, &record->options, record->start, state, &why))
        return false;
    for (size_t i = 0; i < record->nmoves; i++) {
        keys[i] = record->game->key(state);
        if (!rules_play(record->game, state, record->moves[i].text, NULL, &why))
            return false;
    }
    *outcome = record->game->outcome(state, &history);
    return true;
}

/* A declaration is granted by the rules, though the position itself has not ended the game. */
static bool is_declared(const struct record *record, const struct rules_state *state)
{
    struct rules_outcome outcome;
    struct rules_refusal why;

    return record->outcome.reason == RULES_REASON_IMPASSE && record->game->declare != NULL &&
           record->game->declare(state, &outcome, &why);
}

static bool take_outcome(struct arena *arena, const struct db_game *row, struct record *record)
{
    struct rules_state *state = arena_alloc(arena, sizeof(*state));
    struct rules_outcome outcome;

    if (!replay(arena, record, state, &outcome))
        return false;
    if (row->status == STATUS_ABORTED)
        record->outcome.end = RECORD_ABORTED;
    if (row->status != STATUS_FINISHED)
        return true;
    if (row->reason == NULL ||
        !record_set_end(&record->outcome, row->reason, (unsigned)row->winner))
        return false;
    record->outcome.confirmed = record->outcome.end == RECORD_BY_RULES &&
                                (outcome.status != RULES_ONGOING || is_declared(record, state));
    return true;
}

bool record_of_game(struct arena *arena, const struct db_game *row, const struct db_event *events,
                    size_t count, struct record *record, struct record_error *error)
{
    const struct rules_game *game = rules_find(row->variant);
    struct json_error json_error = {NULL, NULL, NULL};
    struct rules_state *state = arena_alloc(arena, sizeof(*state));
    struct rules_refusal why;

    record_init(record, game);
    if (game == NULL ||
        !options_from_json(game, arena, row->options, &record->options, &json_error) ||
        !rules_start(game, &record->options,
                     record_names_start(game, &record->options) ? NULL : row->start, state, &why))
        return fail(error, "The game's options are not known to this program.");
    record->start = row->start;
    record->moves = arena_zero(arena, (count + 1) * sizeof(*record->moves));
    record->events = arena_alloc(arena, (count + 1) * sizeof(*record->events));
    take_line(record, row, events, count);
    take_log(record, events, count);
    for (int i = 0; i < DB_SEATS; i++) {
        record->name[i] = row->seat[i].name;
        record->engine[i] = row->seat[i].engine;
    }
    record->seed = row->seed;
    record->undo = undo_name(row->undo);
    record->visibility = visibility_name(row->visibility);
    record->started_at = row->created_at;
    if (row->status == STATUS_FINISHED || row->status == STATUS_ABORTED)
        record->ended_at = row->updated_at;
    return take_outcome(arena, row, record) ||
           fail(error, "The game cannot be replayed by this program.");
}

/* ---- in ---- */

struct building {
    const struct record *record;
    struct course *course;
    size_t *event_at; /* of the present line: the event that led to a ply */
    struct record_error *error;
};

static void begin_row(struct building *building, int64_t now)
{
    const struct record *record = building->record;
    struct course *course = building->course;
    struct db_game *row = &course->row;
    int64_t then = record->nevents > 0                    ? record->events[0].at
                   : record->started_at != RECORD_NO_TIME ? record->started_at
                                                          : now;

    course->now = then;
    row->variant = record->game->name;
    row->rules_version = record->game->version;
    row->start = row->position = record->start;
    row->options = options_to_json(record->game, course->arena, &record->options, record->start);
    row->line = row->lines = 1;
    row->to_move = (int16_t)record->game->to_move(&course->state);
    row->created_at = row->updated_at = row->last_at = then;
    row->seed = record->seed;
    row->status = STATUS_ACTIVE;
    for (int i = 0; i < DB_SEATS; i++) {
        row->seat[i].name = record->name[i];
        row->seat[i].engine = record->engine[i];
        row->seat[i].state = record->engine[i] != NULL ? SEAT_ENGINE : SEAT_TAKEN;
    }
}

static bool begin(struct building *building, int64_t now)
{
    struct course *course = building->course;
    struct db_event *event;
    struct rules_refusal why;

    if (!rules_load(building->record->game, &building->record->options, building->record->start,
                    &course->state, &why))
        return fail(building->error, "The start position is not valid.");
    begin_row(building, now);
    event = course_event(course, EVENT_CREATED, 0);
    event->position = course->row.position;
    course->keys[0] = course->game->key(&course->state);
    course->nkeys = 1;
    event->key = (int64_t)course->keys[0];
    return true;
}

static bool play(struct building *building, const char *move)
{
    struct course *course = building->course;
    struct rules_refusal why;
    int32_t from;

    if (!course_goes_on(course) || course_play(course, move, NULL, &why, &from) != COURSE_PLAYED)
        return fail(building->error, "A move is not legal.");
    building->event_at[course->row.ply] = course->nevents - 1;
    return true;
}

/* To a ply of the line, where nothing but the rules can have ended the game. */
static bool jump(struct building *building, int kind, int32_t ply)
{
    struct course *course = building->course;
    struct db_game *row = &course->row;
    const struct db_event *move;
    struct rules_history history = {course->keys, (size_t)ply};
    struct rules_refusal why;

    if (ply < 0 || ply > row->tip)
        return fail(building->error, "The line does not go that far.");
    move = &course->events[building->event_at[ply]];
    row->ply = ply;
    row->position = move->position;
    row->last_move = move->move;
    row->last_seat = move->seat;
    row->last_at = move->at;
    row->status = STATUS_ACTIVE;
    row->winner = 0;
    row->reason = NULL;
    if (!rules_load(course->game, &building->record->options, row->position, &course->state, &why))
        return fail(building->error, "A position cannot be taken up again.");
    row->to_move = (int16_t)course->game->to_move(&course->state);
    for (int32_t i = 0; i <= ply; i++)
        course->keys[i] = (uint64_t)course->events[building->event_at[i]].key;
    course->nkeys = (size_t)ply + 1;
    course_judge(course, &history);
    course_event(course, kind, 0);
    return true;
}

static void end(struct building *building, int kind, unsigned seat)
{
    const struct record_outcome *outcome = &building->record->outcome;
    struct db_game *row = &building->course->row;

    row->status = kind == EVENT_ABORTED ? STATUS_ABORTED : STATUS_FINISHED;
    row->winner = kind == EVENT_ABORTED ? 0 : (int16_t)outcome->winner;
    row->reason = kind == EVENT_ABORTED ? NULL : record_end_text(outcome);
    course_event(building->course, kind, (int)seat);
}

/* The events that a record without a log had, as far as there are any for them. */
static bool build_moves(struct building *building)
{
    const struct record *record = building->record;
    const struct record_outcome *outcome = &record->outcome;
    struct course *course = building->course;

    for (size_t i = 0; i < record->nmoves; i++) {
        if (record->moves[i].spent_us > 0)
            course->now += record->moves[i].spent_us;
        if (!play(building, record->moves[i].text))
            return false;
    }
    if (!course_goes_on(course))
        return true;
    if (outcome->end == RECORD_RESIGNED && outcome->winner != 0)
        end(building, EVENT_RESIGNED, RULES_SEATS + 1 - outcome->winner);
    else if (outcome->end == RECORD_ABORTED)
        end(building, EVENT_ABORTED, 0);
    else if (outcome->end == RECORD_BY_RULES && is_declared(record, &course->state))
        end(building, EVENT_DECLARED, outcome->winner);
    return true;
}

static bool build_event(struct building *building, const struct record_event *event)
{
    struct course *course = building->course;
    int kind = EVENT_MOVE;

    while (kind <= EVENT_DECLARED && strcmp(event_name(kind), event->kind) != 0)
        kind++;
    course->now = event->at;
    switch (kind) {
    case EVENT_MOVE:
        if (!play(building, event->move))
            return false;
        break;
    case EVENT_UNDO:
    case EVENT_REDO:
        if (!jump(building, kind, event->ply))
            return false;
        break;
    case EVENT_RESIGNED:
    case EVENT_ABORTED:
    case EVENT_DECLARED:
        end(building, kind, event->seat);
        break;
    case EVENT_JOINED:
        course_event(course, kind, (int)event->seat);
        break;
    default:
        return fail(building->error, "The log has an event that this program does not know.");
    }
    course->events[course->nevents - 1].data = event->data;
    return true;
}

bool record_to_game(struct arena *arena, const struct record *record, int64_t now,
                    struct course *course, struct record_error *error)
{
    struct building building = {.record = record, .course = course, .error = error};

    memset(course, 0, sizeof(*course));
    course_new(course, arena, record->game, now);
    building.event_at = arena_zero(arena, (RECORD_MOVES_MAX + 1) * sizeof(*building.event_at));
    if (!begin(&building, now))
        return false;
    if (record->nevents == 0)
        return build_moves(&building);
    for (size_t i = 1; i < record->nevents; i++)
        if (!build_event(&building, &record->events[i]))
            return false;
    return true;
}
