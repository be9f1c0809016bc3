#include "api/game/to_record.h"

#include <string.h>

#include "api/game/clock.h"
#include "api/game/log_ends.h"
#include "api/game/log_lines.h"
#include "api/game/opponent.h"
#include "api/game/words.h"
#include "api/record/ends.h"
#include "api/record/facts.h"
#include "api/record/headers.h"
#include "api/record/record.h"
#include "api/text/json.h"
#include "api/text/json_fields.h"
#include "api/text/options.h"

enum { TEXT_MAX = 1 << 16 };

/* ---- reading it back ---- */

/* The data of an event as fields, and what json_free() gives back. NULL: the event has none. */
static struct json_value *open_data(struct arena *arena, const struct db_event *event,
                                    struct json_fields *fields, struct json_error *error)
{
    struct json_value *object = NULL;

    *error = (struct json_error){PROBLEM_NONE, NULL, NULL};
    if (event->data != NULL)
        object = json_read(arena, event->data, strlen(event->data), error);
    if (object != NULL)
        json_fields(fields, arena, object, error);
    return object;
}

static const char *take_text(struct json_fields *fields, const char *key)
{
    const char *text;

    if (!json_take_string(fields, key, TEXT_MAX, &text))
        return NULL;
    return arena_copy(fields->arena, text, strlen(text));
}

static void take_headers(struct json_fields *fields, struct record *record)
{
    const struct json_value *array;
    struct json_fields header;
    size_t count;

    if (!json_take_array(fields, "headers", RECORD_HEADERS_MAX, &array, &count))
        return;
    record->headers = arena_alloc(fields->arena, (count + 1) * sizeof(*record->headers));
    for (size_t i = 0; i < count; i++) {
        struct record_header *kept = &record->headers[record->nheaders];

        if (!json_element_object(fields, array, "headers", i, &header))
            continue;
        *kept = (struct record_header){take_text(&header, "key"), take_text(&header, "value")};
        record->nheaders += kept->key != NULL && kept->value != NULL;
    }
}

static void take_spots(struct json_fields *fields, struct record *record)
{
    const struct json_value *array;
    struct json_fields spot;
    size_t count;

    if (!json_take_array(fields, "spots", RECORD_SLOTS, &array, &count))
        return;
    for (size_t i = 0; i < count; i++) {
        const char *word;
        int64_t before;

        if (!json_element_object(fields, array, "spots", i, &spot))
            continue;
        word = take_text(&spot, "of");
        if (word != NULL && record_slot_of(word) != RECORD_SLOTS &&
            json_take_int(&spot, "before", 0, RECORD_HEADERS_MAX, &before))
            record_spot_at(record, record_slot_of(word), (size_t)before, take_text(&spot, "text"));
    }
}

/* How an end was told. */
static void take_told(struct json_fields *fields, struct record_ending *ending)
{
    ending->word = take_text(fields, "word");
    ending->comment = take_text(fields, "comment");
    ending->sentence = take_text(fields, "sentence");
    ending->foul = take_text(fields, "foul");
    ending->foul_move = take_text(fields, "foul_move");
    json_take_int(fields, "spent_us", 0, RECORD_THOUGHT_MAX, &ending->spent_us);
    json_take_bool(fields, "result_only", &ending->result_only);
    json_take_bool(fields, "silent", &ending->silent);
}

/* How the record told the end of its main line. */
struct told_end {
    struct record_ending ending;
    struct log_stop stop; /* its ply is -1 if nothing was told */
};

static struct told_end take_told_end(struct json_fields *head)
{
    struct told_end told = {.stop = {.ply = -1}};
    struct json_fields end;

    record_ending_init(&told.ending);
    if (json_take_object(head, "end", &end) &&
        json_take_int(&end, "ply", 0, INT32_MAX, &told.stop.ply)) {
        json_take_int(&end, "version", 1, INT32_MAX, &told.stop.version);
        take_told(&end, &told.ending);
    }
    return told;
}

static struct told_end told_end_of(struct arena *arena, const struct db_event *first)
{
    struct told_end told = {.stop = {.ply = -1}};
    struct json_fields fields, head;
    struct json_error error;
    struct json_value *object;

    if (first->data == NULL || strstr(first->data, "\"end\":") == NULL)
        return told;
    object = open_data(arena, first, &fields, &error);
    if (object != NULL && json_take_object(&fields, "record", &head))
        told = take_told_end(&head);
    json_free(object);
    return told;
}

/* The ends that are told of the place that an event led to, as variations without moves. `stops`:
 * the first one is that of the line that led there, and others go on from it. */
struct endings {
    struct record_line *list;
    size_t n;
    bool stops;
};

/* Adds what is told of the end of a variation, as one without moves. */
static void take_ending(struct json_fields *fields, struct endings *ends)
{
    struct record_line bare = {.nmoves = 0};
    struct record_ending ending;
    int64_t winner = 0, after = 0;
    const char *reason = take_text(fields, "reason");

    record_ending_init(&ending);
    json_take_int(fields, "winner", 1, RULES_SEATS, &winner);
    if (reason != NULL)
        record_set_end(&ending.outcome, reason, (unsigned)winner);
    take_told(fields, &ending);
    json_take_int(fields, "after", 0, RECORD_MOVES_MAX, &after);
    bare.after = (size_t)after;
    bare.ending = ending;
    ends->list[ends->n++] = bare;
    json_take_bool(fields, "stops", &ends->stops);
}

static struct endings take_endings(struct json_fields *fields)
{
    struct endings ends = {.n = 0};
    const struct json_value *array;
    struct json_fields end;
    size_t count;

    if (json_has(fields, "ends") &&
        json_take_array(fields, "ends", RECORD_MOVES_MAX, &array, &count)) {
        ends.list = arena_alloc(fields->arena, (count + 1) * sizeof(*ends.list));
        for (size_t i = 0; i < count; i++)
            if (json_element_object(fields, array, "ends", i, &end))
                take_ending(&end, &ends);
    } else if (json_take_object(fields, "end", &end)) { /* as older logs have it */
        ends.list = arena_alloc(fields->arena, sizeof(*ends.list));
        take_ending(&end, &ends);
    }
    return ends;
}

/* What the first event keeps of a record. False: the game did not come from one. */
static bool take_head(struct arena *arena, const struct db_event *first, struct record *record)
{
    struct json_fields fields, head;
    struct json_error error;
    struct json_value *object = open_data(arena, first, &fields, &error);
    bool imported = object != NULL && json_take_object(&fields, "record", &head);
    const char *format;
    int64_t number;

    if (imported) {
        if (json_take_int(&head, "started_us", JSON_TIME_MIN, JSON_TIME_MAX, &number))
            record->started_at = number;
        if (json_take_int(&head, "ended_us", JSON_TIME_MIN, JSON_TIME_MAX, &number))
            record->ended_at = number;
        record->comment = take_text(&head, "comment");
        take_headers(&head, record);
        take_spots(&head, record);
        format = take_text(&head, "format");
        record->format = format == NULL ? NULL : record_find_format(format);
    }
    json_free(object);
    return imported;
}

/* What a move's data keeps of a record, or of the clock. A move that came with a record and without
 * its time has data: a comment, or an empty object. Any other move took the time since the one
 * before it. */
static void take_recorded_move(struct arena *arena, const struct db_event *event, int64_t before,
                               struct record_move *move)
{
    struct json_fields fields;
    struct json_error error;
    struct json_value *object = open_data(arena, event, &fields, &error);

    *move = (struct record_move){.text = event->move, .spent_us = event->at - before};
    if (move->spent_us < 0 || move->spent_us > RECORD_THOUGHT_MAX)
        move->spent_us = -1;
    if (object == NULL)
        return;
    move->comment = take_text(&fields, "comment");
    move->marks = take_text(&fields, "marks");
    if (move->comment != NULL || move->marks != NULL || json_has(&fields, "end") ||
        json_has(&fields, "ends") || strcmp(event->data, "{}") == 0)
        move->spent_us = -1;
    json_take_int(&fields, "spent_us", 0, RECORD_THOUGHT_MAX, &move->spent_us);
    json_free(object);
}

bool to_record_end(struct arena *arena, const char *data, const char **reason, unsigned *winner)
{
    struct db_event event = {.data = data};
    struct json_fields fields;
    struct json_error error;
    struct json_value *object = open_data(arena, &event, &fields, &error);
    struct record_outcome outcome = {.winner = 0};
    int64_t number = 0;

    if (object == NULL)
        return false;
    *reason = take_text(&fields, "reason");
    json_take_int(&fields, "winner", 1, 2, &number);
    *winner = (unsigned)number;
    json_free(object);
    return *reason != NULL && record_set_end(&outcome, *reason, *winner) &&
           record_has_winner(&outcome);
}

/* ---- a whole game ---- */

/* A line shares the plies before it with earlier lines. So of each ply the move with the greatest
 * line up to `line` is the one, and it comes last in the log. */
void to_record_moves(const struct db_event *events, size_t count, int32_t line, int32_t end,
                     size_t *moves)
{
    for (size_t i = 0; i < count; i++)
        if (events[i].kind == EVENT_MOVE && events[i].line <= line && events[i].ply <= end)
            moves[events[i].ply - 1] = i;
}

static void take_recorded_moves(struct arena *arena, const struct db_event *events, size_t count,
                                int32_t line, struct record *record)
{
    size_t *numbers = arena_zero(arena, (record->nmoves + 1) * sizeof(*numbers));
    int64_t before = events[0].at;

    to_record_moves(events, count, line, (int32_t)record->nmoves, numbers);
    record->moves = arena_alloc(arena, (record->nmoves + 1) * sizeof(*record->moves));
    for (size_t i = 0; i < record->nmoves; i++) {
        const struct db_event *event = &events[numbers[i]];

        take_recorded_move(arena, event, before, &record->moves[i]);
        before = event->at;
    }
}

/* ---- ends ---- */

/* Sets how an event has ended the game. */
static void take_deed(struct arena *arena, const struct db_event *event,
                      struct record_outcome *outcome)
{
    const char *reason = NULL;
    unsigned winner = event->seat == 0 ? 0 : rules_other((unsigned)event->seat);

    switch (event->kind) {
    case EVENT_RESIGNED:
        *outcome = (struct record_outcome){.end = RECORD_RESIGNED, .winner = winner};
        break;
    case EVENT_TIMEOUT:
        *outcome = (struct record_outcome){.end = RECORD_TIMEOUT, .winner = winner};
        break;
    case EVENT_ACCEPTED:
        *outcome = (struct record_outcome){.end = RECORD_AGREED};
        break;
    case EVENT_DECLARED:
        *outcome = (struct record_outcome){RECORD_BY_RULES, RULES_REASON_IMPASSE,
                                           (unsigned)event->seat, true};
        break;
    default: /* EVENT_RECORDED */
        if (to_record_end(arena, event->data, &reason, &winner))
            record_set_end(outcome, reason, winner);
    }
}

/* An end that was taken back, as it was told. */
static struct record_ending left_ending(struct arena *arena, const struct db_event *events,
                                        const struct db_event *event, bool told)
{
    struct json_fields fields;
    struct json_error error;
    struct record_ending left;
    struct json_value *object = open_data(arena, event, &fields, &error);

    record_ending_init(&left);
    if (told)
        left = told_end_of(arena, events).ending;
    take_deed(arena, event, &left.outcome);
    if (object != NULL)
        json_take_int(&fields, "spent_us", 0, RECORD_THOUGHT_MAX, &left.spent_us);
    json_free(object);
    return left;
}

/* Whether an end says no more than another one. */
static bool is_like(const struct record_ending *ending, const struct record_ending *other)
{
    return ending->outcome.end == other->outcome.end &&
           ending->outcome.reason == other->outcome.reason &&
           ending->outcome.winner == other->outcome.winner && ending->comment == NULL &&
           ending->spent_us < 0;
}

/* Adds an end to those of a place, unless it says nothing new. */
static void add_ending(struct arena *arena, struct endings *ends, const struct record_ending *end)
{
    struct record_line *list;

    for (size_t i = 0; i < ends->n; i++)
        if (is_like(end, &ends->list[i].ending))
            return;
    list = arena_alloc(arena, (ends->n + 1) * sizeof(*list));
    for (size_t i = 0; i < ends->n; i++)
        list[i] = ends->list[i];
    list[ends->n++] = (struct record_line){.ending = *end};
    ends->list = list;
}

/* How a record told its end that did not end the game, if the game does not stop there any more. A
 * bare word for it is of no use in a game that went on from there, or ended there. */
static void leave_stop(struct arena *arena, const struct db_event *events, size_t count,
                       struct endings *left)
{
    struct told_end told = told_end_of(arena, &events[0]);
    bool noted = told.ending.comment != NULL || told.ending.spent_us >= 0, passed;
    size_t place;

    if (told.stop.ply >= 0 && told.ending.word != NULL &&
        log_ends_stop_left(arena, events, count, &told.stop, &place, &passed) && (noted || !passed))
        add_ending(arena, &left[place], &told.ending);
}

/* The ends that were taken back, by the event that led to where each of them was. */
static struct endings *left_endings(struct arena *arena, const struct db_event *events,
                                    size_t count, const struct record *record)
{
    struct endings *left = arena_zero(arena, count * sizeof(*left));
    const struct db_event *told = log_ends_told(events, count);
    struct log_end *ends;
    size_t n = log_ends_left(arena, events, count, &ends);

    for (size_t i = 0; i < n; i++) {
        struct record_ending end = left_ending(arena, events, ends[i].event, ends[i].event == told);

        if (end.outcome.end != RECORD_OPEN && !(ends[i].here && is_like(&end, &record->ending)))
            add_ending(arena, &left[ends[i].place], &end);
    }
    leave_stop(arena, events, count, left);
    return left;
}

/* ---- variations ---- */

/* The ends that are told in the data of an event: of a move, or of the first one. */
static struct endings endings_at(struct arena *arena, const struct db_event *event)
{
    struct json_fields fields, head;
    struct json_error error;
    struct endings ends = {.n = 0};
    struct json_value *object;

    if (event->data == NULL || strstr(event->data, "\"end") == NULL)
        return ends;
    object = open_data(arena, event, &fields, &error);
    if (object != NULL && event->kind == EVENT_MOVE)
        ends = take_endings(&fields);
    else if (object != NULL && json_take_object(&fields, "record", &head) &&
             json_has(&head, "ends"))
        ends = take_endings(&head);
    json_free(object);
    return ends;
}

static struct record_line take_recorded_line(struct arena *arena, const struct db_event *events,
                                             const struct log_line *from, size_t before)
{
    struct record_line line = {.parent = from->parent,
                               .ply = (size_t)from->ply,
                               .moves = arena_alloc(arena, from->nmoves * sizeof(*line.moves)),
                               .nmoves = from->nmoves};

    record_ending_init(&line.ending);
    for (size_t i = 0; i < from->nmoves; i++) {
        take_recorded_move(arena, &events[from->moves[i]], events[before].at, &line.moves[i]);
        before = from->moves[i];
    }
    return line;
}

/* The event that led to the last ply that a line shares. */
static size_t event_before(const struct log_line *lines, const struct log_line *line)
{
    const struct log_line *parent = &lines[line->parent];

    return line->ply == 0 ? 0 : parent->moves[line->ply - parent->ply - 1];
}

static void add_recorded_line(struct arena *arena, struct record *record, size_t *room,
                              const struct record_line *line)
{
    if (record->nlines >= RECORD_MOVES_MAX) /* which no reader would take */
        return;
    record->lines = arena_grow(arena, record->lines, record->nlines, room, sizeof(*record->lines));
    record->lines[record->nlines++] = *line;
}

/* What is told of ends on a line. Where a variation ends, the first one is its own; the others, and
 * those on the way, are variations without moves. */
static void take_ends(struct arena *arena, const struct db_event *events,
                      const struct endings *left, const struct log_line *from, size_t line,
                      struct record *record, size_t *room)
{
    for (size_t i = 0; i <= from->nmoves; i++) {
        bool last = line > 0 && i == from->nmoves;
        size_t at = i > 0 ? from->moves[i - 1] : 0;
        struct endings ends = {.n = 0};

        if (i > 0 || line == 0) {
            ends = endings_at(arena, &events[at]);
            for (size_t j = 0; j < left[at].n; j++)
                add_ending(arena, &ends, &left[at].list[j].ending);
        }
        for (size_t j = 0; j < ends.n; j++) {
            struct record_line bare = ends.list[j];

            bare.parent = line;
            bare.ply = (size_t)from->ply + i;
            if (last && j == 0)
                record->lines[line - 1].ending = bare.ending;
            else
                add_recorded_line(arena, record, room, &bare);
        }
    }
}

/* The moves behind which a line ends although others go on from there. */
static const bool *stops_of(struct arena *arena, const struct db_event *events, size_t count)
{
    bool *stops = arena_zero(arena, count * sizeof(*stops));

    for (size_t i = 0; i < count; i++)
        stops[i] = events[i].data != NULL && strstr(events[i].data, "\"stops\":") != NULL &&
                   endings_at(arena, &events[i]).stops;
    return stops;
}

/* The lines of the log beside the present one, and what was undone of that, as variations. A record
 * has room for so many moves; lines that come later are left out. */
static void take_lines(struct arena *arena, const struct db_event *events, size_t count,
                       struct record *record)
{
    size_t most = record->nmoves < RECORD_MOVES_MAX ? RECORD_MOVES_MAX - record->nmoves : 0, n;
    const struct endings *left = left_endings(arena, events, count, record);
    struct log_line *lines;
    size_t room = 0;

    n = log_lines(arena, events, count, (int32_t)record->nmoves, most,
                  stops_of(arena, events, count), &lines);
    for (size_t i = 1; i < n; i++) {
        struct record_line line =
            take_recorded_line(arena, events, &lines[i], event_before(lines, &lines[i]));

        add_recorded_line(arena, record, &room, &line);
    }
    for (size_t i = 0; i < n; i++)
        take_ends(arena, events, left, &lines[i], i, record, &room);
}

static void take_end(struct arena *arena, const struct db_game *row, const struct db_event *last,
                     struct record *record)
{
    struct json_fields fields;
    struct json_error error;
    struct json_value *object;

    if (row->status == STATUS_ABORTED)
        record->ending.outcome.end = RECORD_ABORTED;
    else if (row->status == STATUS_FINISHED)
        record_set_end(&record->ending.outcome, row->reason, (unsigned)row->winner);
    record->ending.outcome.confirmed =
        record->ending.outcome.end == RECORD_BY_RULES && last->kind != EVENT_RECORDED;
    if (!log_ends_kind(last->kind) && last->kind != EVENT_ACCEPTED)
        return;
    record->ending.spent_us = -1; /* the end is another one than the record told, or has the time */
    object = open_data(arena, last, &fields, &error);
    if (object != NULL)
        json_take_int(&fields, "spent_us", 0, RECORD_THOUGHT_MAX, &record->ending.spent_us);
    json_free(object);
}

/* The time that the clock gives, as far as records tell it. */
static void take_recorded_time(struct arena *arena, const struct db_game *row,
                               struct record *record)
{
    const struct clock_terms *terms;
    struct clock clock;

    if (!clock_load(arena, row, &clock))
        return;
    terms = &clock.terms;
    if (terms->kind == CLOCK_DAYS)
        record->time.move_us = terms->initial_us;
    else
        record->time.initial_us = terms->initial_us;
    record->time.increment_us = terms->increment_us;
    record->time.period_us = terms->period_us;
    record->time.periods = terms->periods;
}

static void take_log(struct arena *arena, const struct db_event *events, size_t count,
                     struct record *record)
{
    record->nevents = count;
    record->events = arena_alloc(arena, count * sizeof(*record->events));
    for (size_t i = 0; i < count; i++)
        record->events[i] = (struct record_event){.kind = words_event(events[i].kind),
                                                  .move = events[i].move,
                                                  .data = events[i].data,
                                                  .seat = (unsigned)events[i].seat,
                                                  .line = events[i].line,
                                                  .ply = events[i].ply,
                                                  .at = events[i].at};
}

/* What only the game as a whole has: its log and its other lines. */
static void take_present(struct arena *arena, const struct db_event *events, size_t count,
                         struct record *record)
{
    take_log(arena, events, count, record);
    take_lines(arena, events, count, record);
}

/* The options as they were when the game was made. A start that has a name goes by it, and not by
 * its position. */
static bool take_options(struct arena *arena, const struct db_game *row, struct record *record)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct rules_state *state = arena_alloc(arena, sizeof(*state));
    struct rules_refusal why;

    return record->game != NULL &&
           options_from_json(record->game, arena, row->options, &record->options, &error) &&
           rules_start(record->game, &record->options,
                       record_names_start(record->game, &record->options) ? NULL : row->start,
                       state, &why);
}

bool to_record(struct arena *arena, const struct db_game *row, const struct db_event *events,
               size_t count, int32_t line, int32_t end, struct record *record,
               struct record_error *error)
{
    const struct db_event *last = log_ends_last(events, count);
    bool imported, present = line == row->line && end == row->ply;
    struct told_end told = told_end_of(arena, &events[0]);

    record_init(record, rules_find(row->variant));
    if (!take_options(arena, row, record)) {
        enum problem problem =
            record->game == NULL ? PROBLEM_GAME_NOT_LOADED : PROBLEM_NEWER_PROGRAM;

        *error = (struct record_error){.code = problem, .detail = problem_kind(problem)->meaning};
        return false;
    }
    record->start = row->start;
    record->nmoves = (size_t)end;
    imported = take_head(arena, &events[0], record);
    if (present && told.stop.ply >= 0 && log_ends_as_told(arena, events, count, &told.stop))
        record->ending = told.ending;
    take_recorded_moves(arena, events, count, line, record);
    for (int i = 0; i < DB_SEATS; i++) {
        record->name[i] = row->seat[i].name;
        if (row->seat[i].state == SEAT_ENGINE) {
            record->engine[i] = opponent_name(row->seat[i].engine);
            record->level[i] = (int32_t)opponent_level(row->seat[i].engine);
            record->title[i] = opponent_title(arena, NULL, row->seat[i].engine);
        }
    }
    if (present)
        take_end(arena, row, last, record);
    if (!imported)
        record->started_at = row->created_at;
    if (!imported && record->ending.outcome.end != RECORD_OPEN)
        record->ended_at = last->at;
    take_recorded_time(arena, row, record);
    record->undo = words_undo(row->undo);
    record->visibility = words_visibility(row->visibility);
    record->seed = row->seed;
    if (present)
        take_present(arena, events, count, record);
    return true;
}
