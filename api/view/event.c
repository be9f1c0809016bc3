#include "api/view/event.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/game/words.h"
#include "api/text/chars.h"
#include "api/text/json_read.h"
#include "api/text/out.h"

/* ---- data ---- */

/* Whether a member is a time, not a span. `end` is behind its name, without "_us". */
static bool is_time(const char *data, const char *end)
{
    static const char *const names[] = {"from", "to", "until", "started", "ended"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        size_t len = strlen(names[i]);

        if ((size_t)(end - data) > len && end[-(ptrdiff_t)len - 1] == '"' &&
            memcmp(end - len, names[i], len) == 0)
            return true;
    }
    return false;
}

/* Writes the value at `at`, a number or a list of numbers. Returns what is behind it; anything else
 * is left as it is. */
static const char *write_value(struct json *json, const char *at, bool time)
{
    bool list = *at == '[';

    do {
        char *end;
        int64_t us;

        if (*at == '[' || *at == ',')
            out_bytes(&json->out, at++, 1);
        us = strtoll(at, &end, 10);
        if (end == at || strchr(",]}", *end) == NULL) /* an imported log may have anything there */
            break;
        json->comma = false;
        if (time)
            json_time(json, us);
        else
            json_seconds(json, us < 0 ? 0 : us);
        at = end;
    } while (list && *at == ',');
    return at;
}

/* Within a text every quote is escaped, so "us" with a bare quote and a colon behind it is always
 * the end of a member's name. */
const char *view_event_data(struct arena *arena, const char *data)
{
    static const char mark[] = "us\":";
    const char *at = data, *found = strstr(data, mark);
    struct json json;

    if (found == NULL)
        return data;
    json_init(&json, arena);
    for (; found != NULL; found = strstr(at, mark)) {
        bool whole = found > data && found[-1] == '"', part = found > data && found[-1] == '_';
        bool time = part && is_time(data, found - 1);

        out_bytes(&json.out, at, (size_t)(found - at));
        at = found + sizeof(mark) - 1;
        out_add(&json.out, whole ? "seconds\":" : time ? "at\":" : part ? "s\":" : mark);
        if (whole || part)
            at = write_value(&json, at, time);
    }
    out_add(&json.out, at);
    return json.out.text;
}

/* ---- events ---- */

void view_event(struct json *json, const struct db_event *event)
{
    json_open(json, '{');
    json_member_int(json, "version", event->version);
    json_member(json, "type", words_event(event->kind));
    if (event->seat != 0)
        json_member_int(json, "seat", event->seat);
    json_member_int(json, "line", event->line);
    json_member_int(json, "ply", event->ply);
    if (event->move != NULL)
        json_member(json, "move", event->move);
    if (event->position != NULL)
        json_member(json, "position", event->position);
    if (event->data != NULL) {
        json_key(json, "data");
        json_raw(json, view_event_data(json->out.arena, event->data));
    }
    json_member_time(json, "at", event->at);
    json_close(json, '}');
}

/* The text of a message, on one line. */
static const char *message_text(struct arena *arena, const char *data)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_fields fields;
    struct json_value *value = json_read(arena, data, strlen(data), &error);
    const char *text = "";
    char *copy;

    if (value == NULL)
        return text;
    json_fields(&fields, arena, value, &error);
    json_take_string(&fields, "text", strlen(data), &text);
    copy = arena_copy(arena, text, strlen(text));
    json_free(value);
    chars_tame(copy);
    for (char *at = copy; (at = strchr(at, '\n')) != NULL;)
        *at = ' ';
    return copy;
}

const char *view_event_line(struct arena *arena, const struct db_event *event)
{
    struct out out;

    out_init(&out, arena);
    out_format(&out, "%5d  %s  %-8s  line %d, ply %d", event->version,
               json_time_text(arena, event->at), words_event(event->kind), event->line, event->ply);
    if (event->seat != 0)
        out_format(&out, ", seat %d", event->seat);
    if (event->move != NULL)
        out_format(&out, ", %s", event->move);
    if (event->kind == EVENT_MESSAGE && event->data != NULL)
        out_format(&out, ": %s", message_text(arena, event->data));
    out_add(&out, "\n");
    return out.text;
}
