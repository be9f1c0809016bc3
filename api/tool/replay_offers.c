#include "api/tool/replay_offers.h"

#include <string.h>

#include "api/game/words.h"
#include "api/text/json_read.h"

/* What the data of an event says of offers. */
struct said {
    int64_t offer, to_ply, add_us, for_us;
    const char *kind;  /* "" if there is none */
    const char *voids; /* ",3,18,": the ids with commas around them */
};

static struct said read_data(struct arena *arena, const struct db_event *event)
{
    struct said said = {0, -1, 0, 0, "", ","};
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_value *data = NULL;
    struct json_fields fields;
    const char *text;

    if (event->data != NULL)
        data = json_read(arena, event->data, strlen(event->data), &error);
    if (data == NULL)
        return said;
    json_fields(&fields, arena, data, &error);
    json_take_int(&fields, "offer", 1, INT32_MAX, &said.offer);
    json_take_int(&fields, "to_ply", 0, INT32_MAX, &said.to_ply);
    json_take_int(&fields, "add_us", 1, INT64_MAX, &said.add_us);
    json_take_int(&fields, "for_us", 1, INT64_MAX, &said.for_us);
    if (json_take_string(&fields, "kind", 16, &text))
        said.kind = arena_copy(arena, text, strlen(text));
    text = json_take_json(&fields, "voids");
    if (text != NULL && *text == '[')
        said.voids = arena_format(arena, ",%.*s,", (int)strlen(text) - 2, text + 1);
    json_free(data);
    return said;
}

enum replay_deal replay_offers_deal(struct arena *arena, const struct db_event *event)
{
    struct said said = read_data(arena, event);

    if (strcmp(said.kind, "draw") == 0)
        return REPLAY_DRAWN;
    return strcmp(said.kind, "abort") == 0 ? REPLAY_CALLED_OFF : REPLAY_GOES_ON;
}

/* ---- the ends of offers ---- */

static bool is_kind(const struct replay_offer *offer, const char *kind)
{
    return strcmp(offer->kind, kind) == 0;
}

/* Whether an event makes an open offer pointless. */
static bool is_void(const struct replay_offer *offer, const struct db_event *event,
                    const struct said *said, bool ends)
{
    if (ends)
        return true;
    switch (event->kind) {
    case EVENT_OFFERED:
        return offer->seat == event->seat && is_kind(offer, said->kind);
    case EVENT_MOVE:
        return is_kind(offer, "undo") ||
               (offer->seat != event->seat && (is_kind(offer, "draw") || is_kind(offer, "abort")));
    case EVENT_UNDO:
    case EVENT_REDO:
        return is_kind(offer, "undo");
    default:
        return false;
    }
}

static const char *end_voids(struct replay_offers *offers, struct arena *arena,
                             const struct db_event *event, const struct said *said, bool ends)
{
    size_t kept = 0;

    for (size_t i = 0; i < offers->count; i++) {
        if (!is_void(&offers->open[i], event, said, ends))
            offers->open[kept++] = offers->open[i];
        else if (strstr(said->voids, arena_format(arena, ",%d,", offers->open[i].id)) == NULL)
            return arena_format(arena, "an event that does not say that it ends offer %d",
                                offers->open[i].id);
    }
    offers->count = kept;
    return NULL;
}

/* ---- made and answered ---- */

static const char *make(struct replay_offers *offers, struct arena *arena,
                        const struct db_event *event, const struct said *said)
{
    const char *terms = "";

    if (offers->count == REPLAY_OFFERS_MAX)
        return "one offer too many";
    if (strcmp(said->kind, "undo") == 0)
        terms = arena_format(arena, ",\"to_ply\":%d", (int)said->to_ply);
    else if (strcmp(said->kind, "time") == 0)
        terms = arena_format(arena, ",\"span_us\":%lld", (long long)said->add_us);
    else if (strcmp(said->kind, "pause") == 0)
        terms = arena_format(arena, ",\"span_us\":%lld", (long long)said->for_us);
    offers->open[offers->count++] = (struct replay_offer){
        event->version, event->seat, said->kind,
        arena_format(arena, "{\"id\":%d,\"kind\":\"%s\",\"seat\":%d,\"at\":%lld%s}", event->version,
                     said->kind, event->seat, (long long)event->at, terms)};
    return NULL;
}

/* An offer is withdrawn by its own side, and accepted or declined by the other. */
static const char *take_answer(struct replay_offers *offers, const struct db_event *event,
                               const struct said *said)
{
    bool own = event->kind == EVENT_WITHDRAWN;
    size_t i = 0;

    while (i < offers->count && offers->open[i].id != said->offer)
        i++;
    if (i == offers->count)
        return "an answer to an offer that is not open";
    if (!is_kind(&offers->open[i], said->kind))
        return "an answer to an offer of another kind";
    if ((offers->open[i].seat == event->seat) != own)
        return "an answer by the wrong side";
    offers->count--;
    memmove(&offers->open[i], &offers->open[i + 1], (offers->count - i) * sizeof(offers->open[0]));
    return NULL;
}

const char *replay_offers_event(struct replay_offers *offers, struct arena *arena,
                                const struct db_event *event, bool ends)
{
    bool answers = event->kind == EVENT_ACCEPTED || event->kind == EVENT_DECLINED ||
                   event->kind == EVENT_WITHDRAWN;
    const char *wrong = NULL;
    struct said said;

    if (offers->count == 0 && !answers && event->kind != EVENT_OFFERED)
        return NULL;
    said = read_data(arena, event);
    if (answers)
        wrong = take_answer(offers, event, &said);
    if (wrong == NULL)
        wrong = end_voids(offers, arena, event, &said, ends);
    if (wrong == NULL && event->kind == EVENT_OFFERED)
        wrong = make(offers, arena, event, &said);
    return wrong;
}

const char *replay_offers_text(struct arena *arena, const struct replay_offers *offers)
{
    const char *list = "";

    if (offers->count == 0)
        return NULL;
    for (size_t i = 0; i < offers->count; i++)
        list = arena_format(arena, "%s%s%s", list, i == 0 ? "" : ",", offers->open[i].text);
    return arena_format(arena, "{\"offers\":[%s]}", list);
}
