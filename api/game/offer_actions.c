#include "api/game/offer_actions.h"

#include <string.h>

#include "api/game/event_data.h"
#include "api/game/words.h"
#include "rules/rules.h"

const struct offer *deals_offer(struct course *course, const struct offer *wanted)
{
    const struct offer *before = offers_of(&course->offers, wanted->kind, wanted->seat);
    struct db_event *event = course_event(course, EVENT_OFFERED, wanted->seat);
    struct offer offer = *wanted;

    course_data(course, event, offers_data(course->arena, wanted));
    if (before != NULL) {
        course_data(course, event, arena_format(course->arena, "\"voids\":[%d]", before->id));
        offers_remove(&course->offers, before->id);
    }
    offer.id = event->version;
    offer.at = event->at;
    offers_add(&course->offers, &offer);
    return offers_find(&course->offers, offer.id);
}

/* Takes an offer off those that are open. */
static struct offer take(struct course *course, int32_t id)
{
    struct offer offer = *offers_find(&course->offers, id);

    offers_remove(&course->offers, id);
    return offer;
}

/* Writes which offer an event answers. */
static void name_offer(struct course *course, struct db_event *event, const struct offer *offer)
{
    course_data(course, event,
                arena_format(course->arena, "\"offer\":%d,\"kind\":\"%s\"", offer->id,
                             offers_word(offer->kind)));
}

static void answer(struct course *course, const struct offer *offer, int kind, int seat)
{
    name_offer(course, course_event(course, kind, seat), offer);
}

static int other_side(const struct offer *offer)
{
    return (int)rules_other((unsigned)offer->seat);
}

/* ---- what was agreed on ---- */

static void add_time(struct course *course, int64_t span)
{
    for (int seat = 1; seat <= DB_SEATS; seat++)
        clock_add(course->clock, seat, span);
    course_data(course, course_event(course, EVENT_TIME_ADDED, 0),
                arena_format(course->arena, "\"add_us\":%lld", (long long)span));
}

static void pause(struct course *course, int64_t span)
{
    int64_t until = course->now + span;

    clock_pause(course->clock, course->row.to_move, until, course->now);
    course_data(course, course_event(course, EVENT_PAUSED, 0),
                arena_format(course->arena, "\"until_us\":%lld", (long long)until));
}

void deals_accept(struct course *course, int32_t id)
{
    struct offer offer = take(course, id);
    int seat = other_side(&offer);

    switch (offer.kind) {
    case OFFER_DRAW:
        name_offer(course,
                   course_stop(course, STATUS_FINISHED, 0, "agreement", EVENT_ACCEPTED, seat),
                   &offer);
        return;
    case OFFER_ABORT:
        name_offer(course, course_stop(course, STATUS_ABORTED, 0, NULL, EVENT_ACCEPTED, seat),
                   &offer);
        return;
    case OFFER_UNDO:
        answer(course, &offer, EVENT_ACCEPTED, seat);
        return;
    case OFFER_TIME:
        answer(course, &offer, EVENT_ACCEPTED, seat);
        add_time(course, offer.span_us);
        return;
    case OFFER_PAUSE:
        answer(course, &offer, EVENT_ACCEPTED, seat);
        pause(course, offer.span_us);
        return;
    }
}

/* ---- what was not ---- */

void deals_decline(struct course *course, int32_t id)
{
    struct offer offer = take(course, id);

    answer(course, &offer, EVENT_DECLINED, other_side(&offer));
}

void deals_withdraw(struct course *course, int32_t id)
{
    struct offer offer = take(course, id);

    answer(course, &offer, EVENT_WITHDRAWN, offer.seat);
}

void deals_resume(struct course *course, int seat)
{
    clock_pause(course->clock, course->row.to_move, course->now, course->now);
    course_event(course, EVENT_RESUMED, seat);
}

/* ---- in the log ---- */

bool deals_made(struct arena *arena, const struct db_event *event, struct offer *offer)
{
    struct forms_data data;

    if (event->kind != EVENT_OFFERED || !forms_read(arena, event, &data))
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

bool deals_ended(struct arena *arena, const struct db_event *event, int32_t id)
{
    bool answers = event->kind == EVENT_ACCEPTED || event->kind == EVENT_DECLINED ||
                   event->kind == EVENT_WITHDRAWN;
    struct forms_data data;

    if (event->data == NULL || (!answers && strstr(event->data, "\"voids\"") == NULL))
        return false; /* so most events are not read */
    return forms_read(arena, event, &data) &&
           ((answers && data.offer == id) || lists(arena, data.voids, id));
}
