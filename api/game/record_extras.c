#include "api/game/record_extras.h"

#include <string.h>

#include "api/game/event_data.h"
#include "api/game/words.h"
#include "api/record/ends.h"
#include "api/record/headers.h"

void record_extras_init(struct kept *kept, struct arena *arena)
{
    kept->arena = arena;
    json_init(&kept->json, arena);
}

static struct json *begin_extras(struct kept *kept)
{
    struct json *json = &kept->json;

    out_cut(&json->out, 0);
    json->comma = false;
    json_open(json, '{');
    return json;
}

static const char *finish_extras(struct kept *kept)
{
    struct json *json = &kept->json;

    json_close(json, '}');
    return arena_copy(kept->arena, json->out.text, json->out.len);
}

static void write_text(struct json *json, const char *key, const char *text)
{
    if (text != NULL)
        json_member(json, key, text);
}

static void write_outcome(struct json *json, const struct record_outcome *outcome)
{
    if (outcome->end == RECORD_OPEN)
        return;
    json_member(json, "reason", record_end_text(outcome));
    if (outcome->winner != 0)
        json_member_int(json, "winner", outcome->winner);
}

/* How an end is told. */
static void write_told(struct json *json, const struct record_ending *ending)
{
    write_text(json, "word", ending->word);
    if (ending->spent_us >= 0)
        json_member_int(json, "spent_us", ending->spent_us);
    write_text(json, "comment", ending->comment);
    write_text(json, "sentence", ending->sentence);
    write_text(json, "foul", ending->foul);
    write_text(json, "foul_move", ending->foul_move);
    if (ending->result_only)
        json_member_bool(json, "result_only", true);
    if (ending->silent)
        json_member_bool(json, "silent", true);
}

static void write_told_ends(struct json *json, const struct told_ends *ends)
{
    if (ends->n == 0)
        return;
    json_key(json, "ends");
    json_open(json, '[');
    for (size_t i = 0; i < ends->n; i++) {
        const struct record_line *line = ends->list[i];

        json_open(json, '{');
        write_outcome(json, &line->ending.outcome);
        write_told(json, &line->ending);
        if (line->after > 0)
            json_member_int(json, "after", (int64_t)line->after);
        if (i == 0 && ends->stops)
            json_member_bool(json, "stops", true);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static bool is_told(const struct record_ending *ending)
{
    return ending->word != NULL || ending->comment != NULL || ending->foul != NULL ||
           ending->result_only || ending->silent;
}

/* How the record tells its end, for as long as the game stands there. */
static void write_told_end(struct json *json, const struct record *record, size_t version)
{
    if (!is_told(&record->ending))
        return;
    json_key(json, "end");
    json_open(json, '{');
    json_member_int(json, "ply", (int64_t)record->nmoves);
    json_member_int(json, "version", (int64_t)version);
    write_told(json, &record->ending);
    json_close(json, '}');
}

const char *record_extras_head(struct kept *kept, const struct record *record, size_t version,
                               const struct told_ends *ends)
{
    struct json *json = begin_extras(kept);

    json_key(json, "record");
    json_open(json, '{');
    json_member(json, "format", record->format->name);
    if (record->started_at != RECORD_NO_TIME)
        json_member_int(json, "started_us", record->started_at);
    if (record->ended_at != RECORD_NO_TIME)
        json_member_int(json, "ended_us", record->ended_at);
    write_text(json, "comment", record->comment);
    record_write_header_list(json, record);
    record_write_spots(json, record);
    write_told_end(json, record, version);
    write_told_ends(json, ends);
    json_close(json, '}');
    return finish_extras(kept);
}

const char *record_extras_move(struct kept *kept, const struct record_move *move,
                               const struct told_ends *ends)
{
    struct json *json;

    if (move->spent_us < 0 && move->comment == NULL && ends->n == 0 && move->marks == NULL)
        return "{}";
    json = begin_extras(kept);
    if (move->spent_us >= 0)
        json_member_int(json, "spent_us", move->spent_us);
    write_text(json, "comment", move->comment);
    write_text(json, "marks", move->marks);
    if (move->has_value)
        json_member_int(json, "value", move->value);
    write_told_ends(json, ends);
    return finish_extras(kept);
}

const char *record_extras_end(struct kept *kept, const struct record *record)
{
    struct json *json = begin_extras(kept);

    write_outcome(json, &record->ending.outcome);
    if (record->ending.spent_us >= 0)
        json_member_int(json, "spent_us", record->ending.spent_us);
    return finish_extras(kept);
}

/* ---- copies ---- */

const char *record_extras_notes(struct arena *arena, const char *data, bool time)
{
    static const char *const notes[] = {"spent_us", "comment", "marks", "value",
                                        "end",      "ends",    NULL};

    return data == NULL ? "{}" : event_data_only(arena, data, time ? notes : notes + 1);
}

void record_extras_forget_clock(struct draft *draft)
{
    static const char *const kept[] = {"spent_us", "comment", "marks", "value",  "end",
                                       "ends",     "offer",   "voids", "source", NULL};

    for (size_t i = 0; i < draft->nevents; i++) {
        struct db_event *event = &draft->events[i];

        if (event->kind == EVENT_MOVE && event->data != NULL &&
            strstr(event->data, "\"clock\":") != NULL)
            event->data = event_data_only(draft->arena, event->data, kept);
    }
}
