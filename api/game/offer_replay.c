#include "api/game/offer_replay.h"

#include <string.h>

#include "api/game/words.h"
#include "rules/rules.h"

static int other_side(int seat)
{
    return (int)rules_other((unsigned)seat);
}

static void expect(struct retell *retell, int kind, const struct offer *due, int64_t at)
{
    *retell = (struct retell){kind, *due, at};
}

/* Whether the event is what had to follow the one before it. */
static bool is_due(const struct retell *retell, const struct db_event *event,
                   const struct event_data_write *data)
{
    const struct offer *due = &retell->due;

    if (event->kind != retell->due_kind)
        return false;
    switch (event->kind) {
    case EVENT_OFFERED:
        return data->offer_kind == (int)due->kind && event->seat == due->seat;
    case EVENT_ACCEPTED:
        return data->offer == due->id;
    case EVENT_UNDO:
        return event->ply == due->to_ply;
    case EVENT_TIME_ADDED:
        return event->seat == 0 && data->span_us == due->span_us;
    default: /* EVENT_PAUSED */
        return data->until_us == retell->due_at + due->span_us;
    }
}

/* Ends what the event makes void. A move has ended it in the draft. */
static void end_void(struct draft *draft, const struct db_event *event,
                     const struct event_data_write *data, bool went_on)
{
    struct offers *offers = &draft->offers;
    bool jumps = event->kind == EVENT_UNDO || event->kind == EVENT_REDO;
    const struct offer *same;
    struct json told;

    if (offers->count == 0)
        return;
    json_init(&told, draft->arena);
    if (!draft_goes_on(draft) && (jumps || went_on)) {
        offers_end_all(offers, &told);
    } else if (jumps) {
        offers_end_by_jump(offers, &told);
    } else if (event->kind == EVENT_OFFERED) {
        same = offers_of(offers, (enum offer_kind)data->offer_kind, event->seat);
        if (same != NULL)
            offers_remove(offers, same->id);
    }
}

/* Whether the event names just those that are not open any more, but for the one that it answers.
 */
static bool names_void(const struct draft *draft, const struct offers *before,
                       const struct event_data_write *data)
{
    const char *list = NULL;

    for (size_t i = 0; i < before->count; i++) {
        int32_t id = before->offer[i].id;

        if (id == data->offer || offers_find(&draft->offers, id) != NULL)
            continue;
        list = arena_format(draft->arena, "%s%s%d", list == NULL ? "[" : list,
                            list == NULL ? "" : ",", id);
    }
    if (list == NULL || data->voids == NULL)
        return list == NULL && data->voids == NULL;
    return strcmp(arena_format(draft->arena, "%s]", list), data->voids) == 0;
}

static bool make_retold_offer(struct retell *retell, struct draft *draft,
                              const struct db_event *event, const struct event_data_write *data)
{
    struct offer offer = {.id = event->version,
                          .kind = (enum offer_kind)data->offer_kind,
                          .seat = event->seat,
                          .at = event->at,
                          .to_ply = data->to_ply,
                          .span_us = data->span_us};
    const struct offer *opposite = offers_of(&draft->offers, offer.kind, other_side(offer.seat));

    if ((!draft_goes_on(draft) && offer.kind != OFFER_UNDO) || offer.to_ply > event->ply)
        return false;
    if (opposite != NULL && (offer.kind == OFFER_DRAW || offer.kind == OFFER_ABORT))
        expect(retell, EVENT_ACCEPTED, opposite, event->at);
    offers_add(&draft->offers, &offer);
    return true;
}

static bool answer_retold_offer(struct retell *retell, struct draft *draft,
                                const struct db_event *event, const struct event_data_write *data)
{
    static const int follows[] = {[OFFER_DRAW] = 0,
                                  [OFFER_UNDO] = EVENT_UNDO,
                                  [OFFER_ABORT] = 0,
                                  [OFFER_TIME] = EVENT_TIME_ADDED,
                                  [OFFER_PAUSE] = EVENT_PAUSED};
    const struct offer *open = offers_find(&draft->offers, data->offer);

    if (open == NULL || (int)open->kind != data->offer_kind ||
        event->seat != (event->kind == EVENT_WITHDRAWN ? open->seat : other_side(open->seat)))
        return false;
    if (event->kind == EVENT_ACCEPTED)
        expect(retell, follows[open->kind], open, event->at);
    offers_remove(&draft->offers, open->id);
    return true;
}

bool offer_replay_event(struct retell *retell, struct draft *draft, const struct offers *before,
                        const struct db_event *event, const struct event_data_write *data,
                        bool went_on)
{
    bool agreed = event->kind == EVENT_TIME_ADDED || event->kind == EVENT_PAUSED;
    bool answers = event->kind == EVENT_ACCEPTED || event->kind == EVENT_DECLINED ||
                   event->kind == EVENT_WITHDRAWN;

    if (retell->due_kind == 0 ? agreed : !is_due(retell, event, data))
        return false;
    retell->due_kind = 0;
    if (answers && !answer_retold_offer(retell, draft, event, data))
        return false;
    end_void(draft, event, data, went_on);
    if (!names_void(draft, before, data))
        return false;
    if (event->kind == EVENT_OFFERED)
        return make_retold_offer(retell, draft, event, data);
    if (event->kind == EVENT_MOVE && data->offer_kind != 0 && draft_goes_on(draft))
        expect(retell, EVENT_OFFERED,
               &(struct offer){.kind = (enum offer_kind)data->offer_kind, .seat = event->seat},
               event->at);
    return true;
}
