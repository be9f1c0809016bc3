/* story_offers.c - what is open between the sides, worked out from the log each time. */
#include <stdlib.h>
#include <string.h>

#include "story.h"

static bool is(const struct story_event *event, const char *type)
{
    return strcmp(event->type, type) == 0;
}

static int number(const struct story_event *event, const char *name)
{
    const cJSON *value =
        event->data == NULL ? NULL : cJSON_GetObjectItemCaseSensitive(event->data, name);

    return value == NULL ? STORY_NONE : value->valueint;
}

const char *story_offer_kind(const struct story_event *event)
{
    const cJSON *kind =
        event->data == NULL ? NULL : cJSON_GetObjectItemCaseSensitive(event->data, "kind");

    return kind == NULL ? "" : kind->valuestring;
}

/* Whether the position that an event led to ends the game by the rules. */
static bool ends_by_rules(const struct story *story, const struct story_event *event)
{
    struct story_point *point = malloc(sizeof(*point));
    struct rules_history past;
    bool ends;

    if (point == NULL)
        abort();
    story_go_to(story, event->line, event->ply, point);
    past = (struct rules_history){point->keys, point->nkeys};
    ends = story->rules->outcome(&point->state, &past).status != RULES_ONGOING;
    free(point);
    return ends;
}

/* "The end of the game ends all of them." */
static bool ends_game(const struct story *story, const struct story_event *event)
{
    if (is(event, "resigned") || is(event, "aborted") || is(event, "declared"))
        return true;
    if (is(event, "accepted"))
        return strcmp(story_offer_kind(event), "draw") == 0 ||
               strcmp(story_offer_kind(event), "abort") == 0;
    return (is(event, "move") || is(event, "undo") || is(event, "redo")) &&
           ends_by_rules(story, event);
}

/* "A draw and calling off when the other player moves; an undo when anything is played, undone or
 * redone." A new one of the same kind replaces the one before. */
static bool outlives(const struct story_offer *offer, const struct story_event *event)
{
    bool undo = strcmp(offer->kind, "undo") == 0;

    if (is(event, "offered"))
        return offer->seat != event->seat || strcmp(offer->kind, story_offer_kind(event)) != 0;
    if (is(event, "move"))
        return !undo && offer->seat == event->seat;
    return !undo || (!is(event, "undo") && !is(event, "redo"));
}

size_t story_offers(const struct story *story, int version, struct story_offer *open)
{
    size_t n = 0;

    for (int i = 0; i < version; i++) {
        const struct story_event *event = &story->event[i];
        bool answers = is(event, "accepted") || is(event, "declined") || is(event, "withdrawn");
        bool ends = n > 0 && ends_game(story, event);
        size_t kept = 0;

        for (size_t j = 0; j < n; j++)
            if (!ends && outlives(&open[j], event) &&
                !(answers && open[j].id == number(event, "offer")))
                open[kept++] = open[j];
        n = kept;
        if (is(event, "offered"))
            open[n++] = (struct story_offer){.id = i + 1,
                                             .kind = story_offer_kind(event),
                                             .seat = event->seat,
                                             .to_ply = number(event, "to_ply")};
    }
    return n;
}

const struct story_offer *story_find_offer(const struct story_offer *open, size_t n, int id)
{
    for (size_t i = 0; i < n; i++)
        if (open[i].id == id)
            return &open[i];
    return NULL;
}

size_t story_voids(const struct story *story, int version, int *ids)
{
    struct story_offer before[STORY_OFFERS_MAX], after[STORY_OFFERS_MAX];
    size_t nbefore = story_offers(story, version - 1, before);
    size_t nafter = story_offers(story, version, after), n = 0;

    for (size_t i = 0; i < nbefore; i++)
        if (story_find_offer(after, nafter, before[i].id) == NULL &&
            number(&story->event[version - 1], "offer") != before[i].id)
            ids[n++] = before[i].id;
    return n;
}

int story_offer_end(const struct story *story, int id)
{
    struct story_offer open[STORY_OFFERS_MAX];

    for (int version = id + 1; version <= story->version; version++)
        if (story_find_offer(open, story_offers(story, version, open), id) == NULL)
            return version;
    return STORY_NONE;
}
