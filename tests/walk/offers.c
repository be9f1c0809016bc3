#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "deeds.h"

/* ---- answers ---- */

static void answer_offer(struct model_answer *answer, const struct model_request *request,
                         const struct story_offer *offer, int status)
{
    const struct story *story = request->story;
    cJSON *game;

    answer_here(answer, request, status);
    if (answer->body == NULL)
        return;
    game = answer->body;
    answer->body = cJSON_CreateObject();
    cJSON_AddItemToObject(answer->body, "offer",
                          shown_offer(story, offer, story_seats_of(story, request->who)));
    cJSON_AddItemToObject(answer->body, "game", game);
}

/* ---- what happens ---- */

static struct story_event *tell_answer(struct story *story, const char *type, int seat,
                                       const struct story_offer *offer)
{
    struct story_event *event =
        story_tell(story, type, seat, story_last(story)->line, story_last(story)->ply);

    event->data = cJSON_CreateObject();
    shown_int(event->data, "offer", offer->id);
    shown_text(event->data, "kind", offer->kind);
    return event;
}

static void accept(struct story *story, const struct story_offer *offer)
{
    int from = story_last(story)->ply, line = story_last(story)->line;
    struct story_event *event;

    tell_answer(story, "accepted", 3 - offer->seat, offer);
    if (strcmp(offer->kind, "undo") != 0)
        return;
    event = story_tell(story, "undo", 0, line, offer->to_ply);
    event->data = cJSON_CreateObject();
    shown_int(event->data, "from_ply", from);
    shown_int(event->data, "to_ply", offer->to_ply);
}

static void tell_offer(struct story *story, struct story_offer *offer)
{
    struct story_event *event =
        story_tell(story, "offered", offer->seat, story_last(story)->line, story_last(story)->ply);

    event->data = cJSON_CreateObject();
    shown_text(event->data, "kind", offer->kind);
    if (offer->to_ply != STORY_NONE)
        shown_int(event->data, "to_ply", offer->to_ply);
    offer->id = story->version;
}

/* ---- making one ---- */

/* An open offer of a kind and seat. */
static const struct story_offer *find_of(const struct story_offer *open, size_t n, const char *kind,
                                         int seat)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(open[i].kind, kind) == 0 && open[i].seat == seat)
            return &open[i];
    return NULL;
}

void deed_ask(struct model_answer *answer, const struct model_request *request, const char *kind,
              int status)
{
    struct story *story = request->story;
    unsigned seats = story_seats_of(story, request->who);
    bool both = story_plays(seats, 1) && story_plays(seats, 2);
    struct story_offer open[STORY_OFFERS_MAX];
    struct story_offer offer = {.kind = kind, .to_ply = request->to_ply};
    size_t n = story_offers(story, story->version, open);
    const struct story_offer *own, *other = NULL;
    struct story_now now;
    const char * not ;

    story_look(story, &now);
    not = story_may_not_offer(story, &now, seats, kind, &offer.to_ply);
    if (not != NULL) {
        answer_refusal(answer, request, not );
        return;
    }
    offer.seat = both ? now.to_move : story_plays(seats, 1) ? 1 : 2;
    own = find_of(open, n, kind, offer.seat);
    if (own != NULL && own->to_ply == offer.to_ply) {
        answer_offer(answer, request, own, 200);
        return;
    }
    if (strcmp(kind, "undo") != 0)
        other = find_of(open, n, kind, 3 - offer.seat);
    tell_offer(story, &offer);
    if (both)
        accept(story, &offer);
    else if (other != NULL)
        accept(story, other);
    answer_offer(answer, request, &offer, status);
}

const char *deed_ride(struct story *story, unsigned seats)
{
    struct story_offer open[STORY_OFFERS_MAX];
    size_t n = story_offers(story, story->version, open);
    struct story_offer offer = {.kind = "draw", .to_ply = STORY_NONE};
    struct story_now now;
    const char * not ;

    story_look(story, &now);
    if (!story_goes_on(&now))
        return NULL;
    not = story_may_not_offer(story, &now, seats, "draw", &offer.to_ply);
    if (not != NULL)
        return not ;
    offer.seat = story_last(story)->seat;
    if (find_of(open, n, "draw", offer.seat) != NULL)
        return NULL;
    tell_offer(story, &offer);
    if (story_plays(seats, 1) && story_plays(seats, 2))
        accept(story, &offer);
    return NULL;
}

/* ---- answering one ---- */

/* Nobody can answer what is not open; whether it ever was is told by its event. */
static void refuse_closed(struct model_answer *answer, const struct model_request *request)
{
    const struct story *story = request->story;
    bool was = request->offer >= 1 && request->offer <= story->version &&
               strcmp(story->event[request->offer - 1].type, "offered") == 0;
    cJSON *by;
    int end;

    answer_refusal(answer, request, was ? "offer-void" : "no-such-offer");
    if (!was || answer->body == NULL)
        return;
    end = story_offer_end(story, request->offer);
    by = cJSON_AddObjectToObject(answer->body, "ended_by");
    shown_int(by, "version", end);
    shown_text(by, "type", story->event[end - 1].type);
}

void deed_answer(struct model_answer *answer, const struct model_request *request)
{
    struct story *story = request->story;
    struct story_offer open[STORY_OFFERS_MAX];
    bool withdraws = request->verb == MODEL_WITHDRAW;
    const struct story_offer *offer;
    int seat;

    if (!answer_may_act(answer, request))
        return;
    offer = story_find_offer(open, story_offers(story, story->version, open), request->offer);
    if (offer == NULL) {
        refuse_closed(answer, request);
        return;
    }
    seat = withdraws ? offer->seat : 3 - offer->seat;
    if (!story_plays(story_seats_of(story, request->who), seat)) {
        answer_refusal(answer, request, "not-your-seat");
        return;
    }
    if (request->verb == MODEL_ACCEPT)
        accept(story, offer);
    else
        tell_answer(story, withdraws ? "withdrawn" : "declined", seat, offer);
    answer_here(answer, request, 200);
}
