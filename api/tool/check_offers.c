#include "api/tool/check_offers.h"

#include "api/game/offers.h"
#include "api/game/words.h"

_Static_assert((int)CHECK_OFFERS_MAX == (int)OFFERS_MAX, "there is room for what may be open");

static bool differs(struct check_offers *offers, const struct db_event *event, const char *subject,
                    const char *stored, const char *found)
{
    return mismatch_say(offers->mismatch, event, subject, stored, found);
}

/* ---- what is open ---- */

static struct open_offer *find_checked_offer(struct check_offers *offers, int32_t id)
{
    for (size_t i = 0; i < offers->count; i++)
        if (offers->open[i].id == id)
            return &offers->open[i];
    return NULL;
}

static struct open_offer *find_of(struct check_offers *offers, int kind, int seat)
{
    for (size_t i = 0; i < offers->count; i++)
        if (offers->open[i].kind == kind && offers->open[i].seat == seat)
            return &offers->open[i];
    return NULL;
}

static void take_off(struct check_offers *offers, size_t at)
{
    offers->count--;
    for (size_t i = at; i < offers->count; i++)
        offers->open[i] = offers->open[i + 1];
}

/* ---- what ends without an answer ---- */

static bool is_end(enum event_kind kind)
{
    return kind == EVENT_RESIGNED || kind == EVENT_ABORTED || kind == EVENT_DECLARED ||
           kind == EVENT_RECORDED || kind == EVENT_TIMEOUT || kind == EVENT_ACCEPTED;
}

/* Whether an event makes an open offer void. */
static bool is_void(const struct open_offer *open, const struct db_event *event,
                    const struct event_data_write *data, struct check_offers_going turn)
{
    enum event_kind kind = (enum event_kind)event->kind;
    bool moves = kind == EVENT_MOVE, jumps = kind == EVENT_UNDO || kind == EVENT_REDO;

    if (kind == EVENT_OFFERED)
        return open->kind == data->offer_kind && open->seat == event->seat;
    if (!turn.goes_on && (moves || jumps || (is_end(kind) && turn.went_on)))
        return true;
    if (open->kind == OFFER_UNDO)
        return moves || jumps;
    return moves && open->seat != event->seat &&
           (open->kind == OFFER_DRAW || open->kind == OFFER_ABORT);
}

/* Ends what the event makes void, and compares it with what the event says. */
static bool end_void(struct check_offers *offers, const struct db_event *event,
                     const struct event_data_write *data, struct check_offers_going turn)
{
    const char *list = NULL;

    for (size_t i = 0; i < offers->count;)
        if (is_void(&offers->open[i], event, data, turn)) {
            list = list == NULL ? arena_format(offers->arena, "[%d", offers->open[i].id)
                                : arena_format(offers->arena, "%s,%d", list, offers->open[i].id);
            take_off(offers, i);
        } else {
            i++;
        }
    if (list != NULL)
        list = arena_format(offers->arena, "%s]", list);
    return mismatch_text(offers->mismatch, event, "list of offers that end", data->voids, list);
}

/* ---- what must follow ---- */

static void must_follow(struct check_offers *offers, const struct db_event *event, int kind,
                        const struct open_offer *about)
{
    offers->due = *about;
    offers->due_kind = kind;
    offers->due_at = event->at;
}

static bool check_due(struct check_offers *offers, const struct db_event *event,
                      const struct event_data_write *data)
{
    const struct open_offer *due = &offers->due;
    struct mismatch *mismatch = offers->mismatch;

    if (!mismatch_text(mismatch, event, "event that must follow", words_event(event->kind),
                       words_event(offers->due_kind)))
        return false;
    offers->due_kind = 0;
    switch (event->kind) {
    case EVENT_OFFERED:
        return mismatch_text(mismatch, event, "kind of the offer",
                             offers_word((enum offer_kind)data->offer_kind),
                             offers_word((enum offer_kind)due->kind)) &&
               mismatch_number(mismatch, event, "seat", event->seat, due->seat);
    case EVENT_ACCEPTED:
        return mismatch_number(mismatch, event, "offer", data->offer, due->id);
    case EVENT_UNDO:
        return mismatch_number(mismatch, event, "ply", event->ply, due->to_ply);
    case EVENT_TIME_ADDED:
        return mismatch_number(mismatch, event, "time that is added", data->span_us,
                               due->span_us) &&
               mismatch_number(mismatch, event, "seat", event->seat, 0);
    default: /* EVENT_PAUSED */
        return mismatch_number(mismatch, event, "end of the pause", data->until_us,
                               offers->due_at + due->span_us);
    }
}

/* ---- events ---- */

static bool checked_offer_made(struct check_offers *offers, const struct db_event *event,
                               const struct event_data_write *data, bool goes_on)
{
    int other = event->seat == 1 ? 2 : 1;
    const struct open_offer *opposite = find_of(offers, data->offer_kind, other);

    if (!goes_on && data->offer_kind != OFFER_UNDO)
        return differs(offers, event, "offer", offers_word((enum offer_kind)data->offer_kind),
                       "a game that is over");
    if (data->to_ply > event->ply)
        return mismatch_number(offers->mismatch, event, "ply that is asked for", data->to_ply,
                               event->ply);
    if (opposite != NULL && (data->offer_kind == OFFER_DRAW || data->offer_kind == OFFER_ABORT))
        must_follow(offers, event, EVENT_ACCEPTED, opposite);
    offers->open[offers->count++] = (struct open_offer){.id = event->version,
                                                        .kind = data->offer_kind,
                                                        .seat = event->seat,
                                                        .at = event->at,
                                                        .to_ply = data->to_ply,
                                                        .span_us = data->span_us};
    return true;
}

static void agree(struct check_offers *offers, const struct db_event *event,
                  const struct open_offer *offer)
{
    if (offer->kind == OFFER_UNDO)
        must_follow(offers, event, EVENT_UNDO, offer);
    else if (offer->kind == OFFER_TIME)
        must_follow(offers, event, EVENT_TIME_ADDED, offer);
    else if (offer->kind == OFFER_PAUSE)
        must_follow(offers, event, EVENT_PAUSED, offer);
}

/* An answer, by whom it must come from, to an offer that is open. */
static bool answered(struct check_offers *offers, const struct db_event *event,
                     const struct event_data_write *data)
{
    struct open_offer *open = find_checked_offer(offers, data->offer), offer;

    if (open == NULL)
        return differs(offers, event, "offer that is answered",
                       arena_format(offers->arena, "%d", data->offer), NULL);
    offer = *open;
    take_off(offers, (size_t)(open - offers->open));
    if (event->kind == EVENT_ACCEPTED)
        agree(offers, event, &offer);
    return mismatch_text(offers->mismatch, event, "kind of the offer",
                         offers_word((enum offer_kind)data->offer_kind),
                         offers_word((enum offer_kind)offer.kind)) &&
           mismatch_number(offers->mismatch, event, "seat", event->seat,
                           event->kind == EVENT_WITHDRAWN ? offer.seat : 3 - offer.seat);
}

/* Time is added and pauses are made by agreement alone. */
static bool was_agreed(struct check_offers *offers, const struct db_event *event, bool due)
{
    return due || (event->kind != EVENT_TIME_ADDED && event->kind != EVENT_PAUSED) ||
           differs(offers, event, "agreement", words_event(event->kind), NULL);
}

bool check_offers_event(struct check_offers *offers, const struct db_event *event,
                        const struct event_data_write *data, struct check_offers_going turn)
{
    enum event_kind kind = (enum event_kind)event->kind;
    bool due = offers->due_kind != 0;

    if ((due && !check_due(offers, event, data)) || !was_agreed(offers, event, due))
        return false;
    if ((kind == EVENT_ACCEPTED || kind == EVENT_DECLINED || kind == EVENT_WITHDRAWN) &&
        !answered(offers, event, data))
        return false;
    if (!end_void(offers, event, data, turn))
        return false;
    if (kind == EVENT_OFFERED)
        return checked_offer_made(offers, event, data, turn.went_on);
    if (kind == EVENT_MOVE && data->offer_kind != 0 && turn.goes_on)
        must_follow(offers, event, EVENT_OFFERED,
                    &(struct open_offer){.kind = data->offer_kind, .seat = event->seat});
    return true;
}

/* ---- the row ---- */

static const char *text_of(struct arena *arena, const char *before, const struct open_offer *open)
{
    const char *text = arena_format(
        arena, "%s%s%d: %s by %d at %lld", before == NULL ? "" : before, before == NULL ? "" : ", ",
        open->id, offers_word((enum offer_kind)open->kind), open->seat, (long long)open->at);

    if (open->kind == OFFER_UNDO)
        return arena_format(arena, "%s to %d", text, open->to_ply);
    return open->span_us == 0 ? text
                              : arena_format(arena, "%s for %lld", text, (long long)open->span_us);
}

bool check_offers_row(struct check_offers *offers, const struct db_game *row)
{
    const char *stored = NULL, *found = NULL;
    struct offers kept;

    if (offers->due_kind != 0)
        return differs(offers, NULL, "event that must follow", NULL, words_event(offers->due_kind));
    if (!offers_load(offers->arena, row, &kept))
        return differs(offers, NULL, "list of open offers", row->offers, "a list");
    for (size_t i = 0; i < kept.count; i++) {
        const struct offer *offer = &kept.offer[i];

        stored = text_of(offers->arena, stored,
                         &(struct open_offer){.id = offer->id,
                                              .kind = (int)offer->kind,
                                              .seat = offer->seat,
                                              .at = offer->at,
                                              .to_ply = offer->to_ply,
                                              .span_us = offer->span_us});
    }
    for (size_t i = 0; i < offers->count; i++)
        found = text_of(offers->arena, found, &offers->open[i]);
    return mismatch_text(offers->mismatch, NULL, "list of open offers", stored, found);
}
