/* event.c - an event as clients see it. */
#include "api/view/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/game/clock.h"
#include "api/game/ids.h"
#include "api/game/messages.h"
#include "api/game/words.h"
#include "api/text/chars.h"
#include "api/text/json_fields.h"
#include "api/text/out.h"

/* ---- data ---- */

/* How members with times and spans are shown. Others that end in _us are spans, too. */
static const struct member {
    const char *stored, *shown;
    bool time;
} members[] = {{"from_us", "from_at", true},   {"to_us", "to_at", true},
               {"until_us", "until_at", true}, {"started_us", "started_at", true},
               {"ended_us", "ended_at", true}, {"deadline_us", "deadline_at", true},
               {"us", "seconds", false},       {"left", "left_s", false},
               {"added", "added_s", false}};

/* Takes the member of this name, if it is a time or a span. */
static bool find_member(struct arena *arena, const char *name, size_t len, struct member *member)
{
    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
        if (strlen(members[i].stored) == len && memcmp(members[i].stored, name, len) == 0) {
            *member = members[i];
            return true;
        }
    if (len < 3 || memcmp(name + len - 3, "_us", 3) != 0)
        return false;
    *member = (struct member){NULL, arena_format(arena, "%.*s_s", (int)len - 3, name), false};
    return true;
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

/* The end of the next member's name. Within a text every quote is escaped, so a bare quote with a
 * colon behind it always is one. NULL: there is none. */
static const char *next_name(const char *at)
{
    while ((at = strstr(at, "\":")) != NULL && at[-1] == '\\')
        at++;
    return at;
}

/* A truth value or a text is neither a time nor a span, whatever its name. */
const char *view_event_data(struct arena *arena, const char *data)
{
    const char *at = data, *end;
    struct json json;

    json_init(&json, arena);
    for (; (end = next_name(at)) != NULL;) {
        const char *name = end;
        struct member member;

        while (name > data && name[-1] != '"')
            name--;
        out_bytes(&json.out, at, (size_t)(name - at));
        at = end + 2;
        if (strchr("tf\"{", *at) == NULL &&
            find_member(arena, name, (size_t)(end - name), &member)) {
            out_format(&json.out, "%s\":", member.shown);
            at = write_value(&json, at, member.time);
        } else {
            out_bytes(&json.out, name, (size_t)(at - name));
        }
    }
    out_add(&json.out, at);
    return json.out.text;
}

/* ---- the clock after a move ---- */

static void write_spans(struct json *json, const char *key, const int64_t *us)
{
    json_key(json, key);
    json_open(json, '{');
    json_key(json, "1");
    json_seconds(json, us[0]);
    json_key(json, "2");
    json_seconds(json, us[1]);
    json_close(json, '}');
}

/* Adds what the clock of a game has, too, in the same form: what each side has left. */
static const char *with_clock(struct arena *arena, const char *shown, const char *stored)
{
    static const char begin[] = "\"clock\":{";
    const char *at = strstr(shown, begin);
    struct clock_state state;
    struct json json;

    if (at == NULL || !clock_data_read(arena, stored, &state))
        return shown;
    at += strlen(begin);
    json_init(&json, arena);
    write_spans(&json, "left_s", state.left_us);
    if (state.periods[0] != 0 || state.periods[1] != 0) {
        json_key(&json, "periods_left");
        json_open(&json, '{');
        json_member_int(&json, "1", state.periods[0]);
        json_member_int(&json, "2", state.periods[1]);
        json_close(&json, '}');
    }
    return arena_format(arena, "%.*s%s%s%s", (int)(at - shown), shown, json.out.text,
                        *at == '}' ? "" : ",", at);
}

/* ---- events ---- */

static void view_members(struct json *json, const struct db_event *event)
{
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
        const char *data = view_event_data(json->out.arena, event->data);

        json_key(json, "data");
        json_raw(json,
                 event->kind == EVENT_MOVE ? with_clock(json->out.arena, data, event->data) : data);
    }
    json_member_time(json, "at", event->at);
}

void view_event(struct json *json, const struct db_event *event)
{
    json_open(json, '{');
    view_members(json, event);
    json_close(json, '}');
}

void view_feed_event(struct json *json, const struct db_feed *event, const db_id *player,
                     const char *cursor)
{
    struct db_event shown = messages_shown_to(json->out.arena, &event->event, player);
    char game[IDS_TEXT];

    ids_text(event->game, game);
    json_open(json, '{');
    json_member(json, "game", game);
    view_members(json, &shown);
    json_member(json, "cursor", cursor);
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

static void write_message(struct out *out, const char *data)
{
    const char *text = message_text(out->arena, data);

    if (*text != '\0')
        out_format(out, ": %s", text);
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
        write_message(&out, event->data);
    out_add(&out, "\n");
    return out.text;
}
