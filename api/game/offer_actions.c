#include "api/game/offer_actions.h"

#include <string.h>

#include "api/game/event_data.h"
#include "api/game/words.h"
#include "rules/rules.h"

const struct offer *offer_actions_offer(struct draft *draft, const struct offer *wanted)
{
    const struct offer *before = offers_of(&draft->offers, wanted->kind, wanted->seat);
    struct db_event *event = draft_event(draft, EVENT_OFFERED, wanted->seat);
    struct offer offer = *wanted;

    draft_data(draft, event, offers_data(draft->arena, wanted));
    if (before != NULL) {
        draft_data(draft, event, arena_format(draft->arena, "\"voids\":[%d]", before->id));
        offers_remove(&draft->offers, before->id);
    }
    offer.id = event->version;
    offer.at = event->at;
    offers_add(&draft->offers, &offer);
    return offers_find(&draft->offers, offer.id);
}

/* Takes an offer off those that are open. */
static struct offer take_open_offer(struct draft *draft, int32_t id)
{
    struct offer offer = *offers_find(&draft->offers, id);

    offers_remove(&draft->offers, id);
    return offer;
}

/* Writes which offer an event answers. */
static void name_offer(struct draft *draft, struct db_event *event, const struct offer *offer)
{
    draft_data(draft, event,
               arena_format(draft->arena, "\"offer\":%d,\"kind\":\"%s\"", offer->id,
                            offers_word(offer->kind)));
}

static void answer_open_offer(struct draft *draft, const struct offer *offer, int kind, int seat)
{
    name_offer(draft, draft_event(draft, kind, seat), offer);
}

static int other_side(const struct offer *offer)
{
    return (int)rules_other((unsigned)offer->seat);
}

/* ---- what was agreed on ---- */

static void add_time(struct draft *draft, int64_t span)
{
    for (int seat = 1; seat <= DB_SEATS; seat++)
        clock_add(draft->clock, seat, span);
    draft_data(draft, draft_event(draft, EVENT_TIME_ADDED, 0),
               arena_format(draft->arena, "\"add_us\":%lld", (long long)span));
}

static void pause(struct draft *draft, int64_t span)
{
    int64_t until = draft->now + span;

    clock_pause(draft->clock, draft->row.to_move, until, draft->now);
    draft_data(draft, draft_event(draft, EVENT_PAUSED, 0),
               arena_format(draft->arena, "\"until_us\":%lld", (long long)until));
}

void offer_actions_accept(struct draft *draft, int32_t id)
{
    struct offer offer = take_open_offer(draft, id);
    int seat = other_side(&offer);

    switch (offer.kind) {
    case OFFER_DRAW:
        name_offer(draft, draft_stop(draft, STATUS_FINISHED, 0, "agreement", EVENT_ACCEPTED, seat),
                   &offer);
        return;
    case OFFER_ABORT:
        name_offer(draft, draft_stop(draft, STATUS_ABORTED, 0, NULL, EVENT_ACCEPTED, seat), &offer);
        return;
    case OFFER_UNDO:
        answer_open_offer(draft, &offer, EVENT_ACCEPTED, seat);
        return;
    case OFFER_TIME:
        answer_open_offer(draft, &offer, EVENT_ACCEPTED, seat);
        add_time(draft, offer.span_us);
        return;
    case OFFER_PAUSE:
        answer_open_offer(draft, &offer, EVENT_ACCEPTED, seat);
        pause(draft, offer.span_us);
        return;
    }
}

/* ---- what was not ---- */

void offer_actions_decline(struct draft *draft, int32_t id)
{
    struct offer offer = take_open_offer(draft, id);

    answer_open_offer(draft, &offer, EVENT_DECLINED, other_side(&offer));
}

void offer_actions_withdraw(struct draft *draft, int32_t id)
{
    struct offer offer = take_open_offer(draft, id);

    answer_open_offer(draft, &offer, EVENT_WITHDRAWN, offer.seat);
}

void offer_actions_resume(struct draft *draft, int seat)
{
    clock_pause(draft->clock, draft->row.to_move, draft->now, draft->now);
    draft_event(draft, EVENT_RESUMED, seat);
}

/* ---- in the log ---- */

bool offer_actions_made(struct arena *arena, const struct db_event *event, struct offer *offer)
{
    struct event_data_write data;

    if (event->kind != EVENT_OFFERED || !event_data_read(arena, event, &data))
        return false;
    *offer = (struct offer){.id = event->version,
                            .kind = (enum offer_kind)data.offer_kind,
                            .seat = event->seat,
                            .at = event->at,
                            .to_ply = data.to_ply,
                            .span_us = data.span_us};
    return true;
}

/* Whether a list has an id: "[3,18]" has 18. */
static bool lists(struct arena *arena, const char *list, int32_t id)
{
    return list != NULL && *list == '[' &&
           strstr(arena_format(arena, ",%.*s,", (int)strlen(list) - 2, list + 1),
                  arena_format(arena, ",%d,", id)) != NULL;
}

bool offer_actions_ended(struct arena *arena, const struct db_event *event, int32_t id)
{
    bool answers = event->kind == EVENT_ACCEPTED || event->kind == EVENT_DECLINED ||
                   event->kind == EVENT_WITHDRAWN;
    struct event_data_write data;

    if (event->data == NULL || (!answers && strstr(event->data, "\"voids\"") == NULL))
        return false; /* so most events are not read */
    return event_data_read(arena, event, &data) &&
           ((answers && data.offer == id) || lists(arena, data.voids, id));
}
