#include "api/game/event_data.h"

#include <string.h>

#include "api/game/ids.h"
#include "api/game/offers.h"
#include "api/game/words.h"
#include "api/text/json.h"
#include "api/text/json_fields.h"

enum { WORD_MAX = 32, TEXT_MAX = 1 << 16 };

static bool take_ply(struct json_fields *fields, const char *key, int32_t *ply)
{
    int64_t number;

    if (!json_take_int(fields, key, 0, INT32_MAX, &number))
        return false;
    *ply = (int32_t)number;
    return true;
}

static bool take_moment(struct json_fields *fields, const char *key, int64_t *us)
{
    return json_take_int(fields, key, JSON_TIME_MIN, JSON_TIME_MAX, us);
}

static bool take_span(struct json_fields *fields, const char *key, int64_t *us)
{
    return json_take_int(fields, key, 1, JSON_TIME_MAX, us);
}

static bool take_offer_kind(struct json_fields *fields, const char *key, int *kind)
{
    const char *word;

    if (!json_take_string(fields, key, WORD_MAX, &word))
        return false;
    *kind = offers_kind(word);
    return *kind != 0;
}

static bool take_event_nothing(struct json_fields *fields, struct event_data_write *data)
{
    (void)fields;
    (void)data;
    return true;
}

/* Who does not read what a player has written, if that is said. */
static bool take_unheard(struct json_fields *fields, struct event_data_write *data)
{
    const char *player;

    data->is_unheard = json_take_json(fields, "unheard_by") != NULL;
    return !data->is_unheard || (json_take_string(fields, "unheard_by", IDS_TEXT, &player) &&
                                 ids_read(player, &data->unheard_by));
}

/* A challenge that came to nothing says why. Records have other words there. */
static bool take_event_aborted(struct json_fields *fields, struct event_data_write *data)
{
    static const char *const reasons[] = {"declined", "expired"};
    const char *reason;

    if (!take_unheard(fields, data))
        return false;
    if (!json_take_string(fields, "reason", WORD_MAX, &reason))
        return true;
    for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
        if (strcmp(reason, reasons[i]) == 0)
            data->reason = reasons[i];
    return true;
}

/* A move may offer something. */
static bool take_event_move(struct json_fields *fields, struct event_data_write *data)
{
    return json_take_json(fields, "offer") == NULL ||
           take_offer_kind(fields, "offer", &data->offer_kind);
}

static bool take_event_offered(struct json_fields *fields, struct event_data_write *data)
{
    if (!take_offer_kind(fields, "kind", &data->offer_kind))
        return false;
    if (data->offer_kind == OFFER_UNDO)
        return take_ply(fields, "to_ply", &data->to_ply);
    if (data->offer_kind == OFFER_TIME)
        return take_span(fields, "add_us", &data->span_us);
    return data->offer_kind != OFFER_PAUSE || take_span(fields, "for_us", &data->span_us);
}

static bool take_event_answer(struct json_fields *fields, struct event_data_write *data)
{
    return take_ply(fields, "offer", &data->offer) &&
           take_offer_kind(fields, "kind", &data->offer_kind);
}

static bool take_event_credited(struct json_fields *fields, struct event_data_write *data)
{
    return take_span(fields, "us", &data->span_us) &&
           take_moment(fields, "from_us", &data->from_us) &&
           take_moment(fields, "to_us", &data->until_us) && data->from_us < data->until_us;
}

static bool take_event_vacation(struct json_fields *fields, struct event_data_write *data)
{
    return take_moment(fields, "from_us", &data->from_us) &&
           take_moment(fields, "until_us", &data->until_us) && data->from_us <= data->until_us;
}

static bool take_event_timeout(struct json_fields *fields, struct event_data_write *data)
{
    const char *reason;

    if (json_take_string(fields, "reason", WORD_MAX, &reason))
        data->no_start = strcmp(reason, "no_start") == 0;
    return true;
}

static bool take_event_paused(struct json_fields *fields, struct event_data_write *data)
{
    return take_moment(fields, "until_us", &data->until_us);
}

static bool take_event_resumed(struct json_fields *fields, struct event_data_write *data)
{
    json_take_bool(fields, "begins", &data->begins);
    return true;
}

static bool take_event_time_added(struct json_fields *fields, struct event_data_write *data)
{
    return take_span(fields, "add_us", &data->span_us);
}

static bool take_event_deadline(struct json_fields *fields, struct event_data_write *data)
{
    return take_moment(fields, "deadline_us", &data->until_us);
}

/* An invitation that is withdrawn has no end. */
static bool take_event_invited(struct json_fields *fields, struct event_data_write *data)
{
    take_moment(fields, "until_us", &data->until_us);
    return true;
}

static bool take_event_challenged(struct json_fields *fields, struct event_data_write *data)
{
    const char *player;
    db_id id;

    return json_take_string(fields, "player", IDS_TEXT, &player) && ids_read(player, &id) &&
           take_moment(fields, "until_us", &data->until_us);
}

static bool take_event_seat(struct json_fields *fields, struct event_data_write *data)
{
    bool name = false, token = false, left = false;

    (void)data;
    json_take_bool(fields, "name", &name);
    json_take_bool(fields, "token", &token);
    json_take_bool(fields, "left", &left);
    return name || token || left;
}

static bool take_event_rematch(struct json_fields *fields, struct event_data_write *data)
{
    const char *text;
    db_id id;

    if (!json_take_string(fields, "game", IDS_TEXT, &text))
        return true;
    data->rematch = arena_copy(fields->arena, text, strlen(text));
    return ids_read(text, &id);
}

/* A record that somebody else has exported may lack what the players wrote (messages.h). */
static bool take_event_message(struct json_fields *fields, struct event_data_write *data)
{
    const char *text;
    int32_t ply;

    return take_ply(fields, "ply", &ply) && take_unheard(fields, data) &&
           (!json_has(fields, "text") ||
            (json_take_string(fields, "text", TEXT_MAX, &text) && *text != '\0'));
}

/* ---- by kind ---- */

static const struct form {
    bool seat;
    bool (*take)(struct json_fields *fields, struct event_data_write *data);
} forms[EVENT_KINDS] = {
    {false, take_event_nothing}, /* of a newer program's kind */
#define EVENT(number, kind, word, seat, form) [number] = {seat, take_event_##form},
#include "api/record/events.def"
#undef EVENT
};

bool event_data_read(struct arena *arena, const struct db_event *event,
                     struct event_data_write *data)
{
    const char *text = event->data == NULL ? "{}" : event->data;
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_value *value = json_read(arena, text, strlen(text), &error);
    bool known = event->kind > 0 && event->kind < EVENT_KINDS;
    const struct form *form = &forms[known ? event->kind : 0];
    struct json_fields fields;
    bool ok;

    *data = (struct event_data_write){.offer_kind = 0};
    if (value == NULL)
        return false;
    json_fields(&fields, arena, value, &error);
    ok = (event->seat != 0 || !form->seat) && form->take(&fields, data);
    data->voids = json_take_json(&fields, "voids");
    json_free(value);
    return ok && error.code == PROBLEM_NONE;
}

/* ---- a part of it ---- */

const char *event_data_only(struct arena *arena, const char *data, const char *const *names)
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
