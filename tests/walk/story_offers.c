/* story_offers.c - the offers of a story: read off its log, where each one begins and ends. */
#include "story.h"

#include <stdlib.h>
#include <string.h>

static const char *text_of(const cJSON *data, const char *name)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(data, name));

    return text == NULL ? "" : text;
}

static int number_of(const cJSON *data, const char *name)
{
    const cJSON *number = cJSON_GetObjectItemCaseSensitive(data, name);

    return cJSON_IsNumber(number) ? number->valueint : STORY_NONE;
}

bool story_offer_of(const struct story *story, int version, struct story_offer *offer)
{
    const struct story_event *event = &story->event[version - 1];

    if (version > story->version || strcmp(event->type, "offered") != 0)
        return false;
    *offer = (struct story_offer){.id = version,
                                  .kind = text_of(event->data, "kind"),
                                  .seat = event->seat,
                                  .to_ply = number_of(event->data, "to_ply")};
    return true;
}

/* An answer names the offer that it answers; anything else, those that it makes void. */
static bool ends(const struct story_event *event, int id)
{
    const cJSON *item;

    if (number_of(event->data, "offer") == id)
        return true;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(event->data, "voids"))
    {
        if (item->valueint == id)
            return true;
    }
    return false;
}

const struct story_event *story_offer_end(const struct story *story, int id)
{
    for (int i = id; i < story->version; i++)
        if (ends(&story->event[i], id))
            return &story->event[i];
    return NULL;
}

int story_offers(const struct story *story, struct story_offer offers[STORY_OFFERS_MAX])
{
    struct story_offer offer;
    int n = 0;

    for (int version = 1; version <= story->version; version++)
        if (story_offer_of(story, version, &offer) && story_offer_end(story, version) == NULL) {
            if (n == STORY_OFFERS_MAX)
                abort();
            offers[n++] = offer;
        }
    return n;
}

int story_offer_by(const struct story *story, const char *kind, int seat)
{
    struct story_offer offers[STORY_OFFERS_MAX];
    int n = story_offers(story, offers);

    for (int i = 0; i < n; i++)
        if (strcmp(offers[i].kind, kind) == 0 && offers[i].seat == seat)
            return offers[i].id;
    return 0;
}

/* ---- what makes them void ---- */

/* An offer to undo is void once anything is played, undone or redone; to draw or to call the game
 * off, once the other side moves; each of them, once the game is over. */
static bool is_void(const struct story_offer *offer, const struct story_event *by)
{
    bool move = strcmp(by->type, "move") == 0;
    bool turn = strcmp(by->type, "undo") == 0 || strcmp(by->type, "redo") == 0;

    return strcmp(offer->kind, "undo") == 0 ? move || turn : move && by->seat != offer->seat;
}

static void name_void(struct story_event *event, int id)
{
    cJSON *list = cJSON_GetObjectItemCaseSensitive(event->data, "voids");

    if (event->data == NULL)
        event->data = cJSON_CreateObject();
    if (list == NULL)
        list = cJSON_AddArrayToObject(event->data, "voids");
    cJSON_AddItemToArray(list, cJSON_CreateNumber(id));
}

void story_void_offers(struct story *story)
{
    struct story_event *event = &story->event[story->version - 1];
    struct story_offer offers[STORY_OFFERS_MAX];
    int n = story_offers(story, offers);
    struct story_now now;

    if (n == 0)
        return;
    story_look(story, &now);
    for (int i = 0; i < n; i++)
        if (!story_goes_on(&now) || is_void(&offers[i], event))
            name_void(event, offers[i].id);
}

/* A clock that ran tells how long. */
void story_stop(struct story *story)
{
    struct story_event *event = &story->event[story->version - 1];

    if (story->clock && !story_has_open_seat(story)) {
        if (event->data == NULL)
            event->data = cJSON_CreateObject();
        cJSON_AddRawToObject(event->data, "spent_s", "*");
    }
    story_void_offers(story);
}

/* ---- making and answering them ---- */

static struct story_event *tell_here(struct story *story, const char *type, int seat)
{
    struct story_event *event =
        story_tell(story, type, seat, story_last(story)->line, story_last(story)->ply);

    event->data = cJSON_CreateObject();
    return event;
}

void story_offer(struct story *story, const char *kind, int seat, int to_ply)
{
    int before = story_offer_by(story, kind, seat);
    struct story_event *event = tell_here(story, "offered", seat);

    cJSON_AddStringToObject(event->data, "kind", kind);
    if (to_ply != STORY_NONE)
        cJSON_AddNumberToObject(event->data, "to_ply", to_ply);
    if (before != 0)
        name_void(event, before);
}

void story_answer(struct story *story, int id, const char *type, int seat)
{
    struct story_event *event = tell_here(story, type, seat);
    struct story_offer offer;

    if (!story_offer_of(story, id, &offer))
        abort();
    cJSON_AddNumberToObject(event->data, "offer", id);
    cJSON_AddStringToObject(event->data, "kind", offer.kind);
}

void story_accept(struct story *story, int id)
{
    struct story_offer offer;

    if (!story_offer_of(story, id, &offer))
        abort();
    story_answer(story, id, "accepted", 3 - offer.seat);
    if (strcmp(offer.kind, "undo") == 0)
        story_turn(story, "undo", offer.to_ply);
    else
        story_stop(story);
}
