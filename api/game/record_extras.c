#include "api/game/record_extras.h"

#include <string.h>

#include "api/game/words.h"
#include "api/record/ends.h"
#include "api/record/headers.h"
#include "api/text/json_fields.h"

void record_extras_init(struct kept *kept, struct arena *arena)
{
    kept->arena = arena;
    json_init(&kept->json, arena);
}

static struct json *begin(struct kept *kept)
{
    struct json *json = &kept->json;

    out_cut(&json->out, 0);
    json->comma = false;
    json_open(json, '{');
    return json;
}

static const char *finish(struct kept *kept)
{
    struct json *json = &kept->json;

    json_close(json, '}');
    return arena_copy(kept->arena, json->out.text, json->out.len);
}

/* How the record tells its end, for as long as the game stands there. */
static void write_told_end(struct json *json, const struct record *record)
{
    if (record->end_word == NULL && record->end_comment == NULL && record->foul_text == NULL &&
        !record->result_only)
        return;
    json_key(json, "end");
    json_open(json, '{');
    json_member_int(json, "ply", (int64_t)record->nmoves);
    if (record->end_word != NULL)
        json_member(json, "word", record->end_word);
    if (record->end_comment != NULL)
        json_member(json, "comment", record->end_comment);
    if (record->foul_text != NULL)
        json_member(json, "foul", record->foul_text);
    if (record->result_only)
        json_member_bool(json, "result_only", true);
    json_close(json, '}');
}

const char *record_extras_head(struct kept *kept, const struct record *record)
{
    struct json *json = begin(kept);

    json_key(json, "record");
    json_open(json, '{');
    json_member(json, "format", record->format->name);
    if (record->started_at != RECORD_NO_TIME)
        json_member_int(json, "started_us", record->started_at);
    if (record->ended_at != RECORD_NO_TIME)
        json_member_int(json, "ended_us", record->ended_at);
    if (record->comment != NULL)
        json_member(json, "comment", record->comment);
    record_write_header_list(json, record);
    record_write_spots(json, record);
    write_told_end(json, record);
    json_close(json, '}');
    return finish(kept);
}

/* The last move of a variation has what is said of its end. */
static void write_line_end(struct json *json, const struct record_outcome *outcome)
{
    if (outcome == NULL || outcome->end == RECORD_OPEN)
        return;
    json_key(json, "end");
    json_open(json, '{');
    json_member(json, "reason", record_end_text(outcome));
    if (outcome->winner != 0)
        json_member_int(json, "winner", outcome->winner);
    json_close(json, '}');
}

const char *record_extras_move(struct kept *kept, const struct record_move *move,
                               const struct record_outcome *outcome)
{
    struct json *json;

    if (move->spent_us < 0 && move->comment == NULL && outcome == NULL && move->marks == NULL)
        return "{}";
    json = begin(kept);
    if (move->spent_us >= 0)
        json_member_int(json, "spent_us", move->spent_us);
    if (move->comment != NULL)
        json_member(json, "comment", move->comment);
    if (move->marks != NULL)
        json_member(json, "marks", move->marks);
    if (move->has_value)
        json_member_int(json, "value", move->value);
    write_line_end(json, outcome);
    return finish(kept);
}

const char *record_extras_end(struct kept *kept, const struct record *record)
{
    struct json *json = begin(kept);

    json_member(json, "reason", record_end_text(&record->outcome));
    if (record->outcome.winner != 0)
        json_member_int(json, "winner", record->outcome.winner);
    if (record->end_spent_us >= 0)
        json_member_int(json, "spent_us", record->end_spent_us);
    return finish(kept);
}

/* ---- copies ---- */

/* The members of an event's data that are among `kept`, as an object. */
static const char *only(struct arena *arena, const char *data, const char *const *names)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_value *value = json_read(arena, data, strlen(data), &error);
    struct json_fields fields;
    struct json json;

    if (value == NULL)
        return data;
    json_fields(&fields, arena, value, &error);
    json_init(&json, arena);
    json_open(&json, '{');
    for (; *names != NULL; names++) {
        const char *member = json_take_json(&fields, *names);

        if (member != NULL) {
            json_key(&json, *names);
            json_raw(&json, member);
        }
    }
    json_close(&json, '}');
    json_free(value);
    return json.out.text;
}

const char *record_extras_notes(struct arena *arena, const char *data, bool time)
{
    static const char *const notes[] = {"spent_us", "comment", "marks", "value", "end", NULL};

    return data == NULL ? "{}" : only(arena, data, time ? notes : notes + 1);
}

void record_extras_forget_clock(struct draft *draft)
{
    static const char *const kept[] = {"spent_us", "comment", "marks",  "value", "end",
                                       "offer",    "voids",   "source", NULL};

    for (size_t i = 0; i < draft->nevents; i++) {
        struct db_event *event = &draft->events[i];

        if (event->kind == EVENT_MOVE && event->data != NULL &&
            strstr(event->data, "\"clock\":") != NULL)
            event->data = only(draft->arena, event->data, kept);
    }
}
