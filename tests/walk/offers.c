#include "answer.h"
#include "deeds.h"

#include <stdlib.h>
#include <string.h>

/* ---- making one ---- */

/* The offer, with the game beside it. */
static void answer_offer(struct model_answer *answer, const struct model_request *request, int id,
                         int status)
{
    cJSON *game;

    answer_here(answer, request, status);
    answer->version = request->story->version;
    if (answer->body == NULL)
        return;
    game = answer->body;
    answer->body = cJSON_CreateObject();
    cJSON_AddItemToObject(
        answer->body, "offer",
        shown_offer(request->story, id, story_seats_of(request->story, request->who)));
    cJSON_AddItemToObject(answer->body, "game", game);
}

/* The offer that both sides agree on now that a seat has made this one: the opposite one; or this
 * one, if both seats are played by the same client. 0: none. */
static int agreed(const struct story *story, const char *kind, int seat, unsigned seats)
{
    int opposite = strcmp(kind, "undo") == 0 ? 0 : story_offer_by(story, kind, 3 - seat);

    return opposite == 0 && story_plays(seats, 3 - seat) ? story_offer_by(story, kind, seat)
                                                         : opposite;
}

static bool is_open(const struct story *story, const char *kind, int seat, int to)
{
    struct story_offer offer;
    int id = story_offer_by(story, kind, seat);

    return id != 0 && story_offer_of(story, id, &offer) && offer.to_ply == to;
}

static void ask(struct model_answer *answer, const struct model_request *request, const char *kind,
                int status)
{
    struct story *story = request->story;
    unsigned seats = story_seats_of(story, request->who);
    int to = request->to_ply, seat, id;
    struct story_now now;
    const char * not ;

    story_look(story, &now);
    not = story_may_not_offer(story, &now, seats, kind, &to);
    seat = story_plays(seats, now.to_move) ? now.to_move : 3 - now.to_move;
    if (not != NULL) {
        answer_refusal(answer, request, not );
        return;
    }
    if (is_open(story, kind, seat, to)) {
        answer_offer(answer, request, story_offer_by(story, kind, seat), 200);
        return;
    }
    story_offer(story, kind, seat, to);
    id = story->version;
    if (agreed(story, kind, seat, seats) != 0)
        story_accept(story, agreed(story, kind, seat, seats));
    answer_offer(answer, request, id, status);
}

void deed_offer(struct model_answer *answer, const struct model_request *request)
{
    if (answer_may_act(answer, request))
        ask(answer, request, request->kind, 201);
}

void deed_ask_undo(struct model_answer *answer, const struct model_request *request)
{
    ask(answer, request, "undo", 202);
}

/* ---- answering one ---- */

/* It was open once: what has ended it is told. */
static void refuse_void(struct model_answer *answer, const struct model_request *request)
{
    const struct story *story = request->story;
    const struct story_event *end = story_offer_end(story, request->offer);
    cJSON *by;

    answer_refusal(answer, request, "offer-void");
    if (answer->body == NULL)
        return;
    by = cJSON_AddObjectToObject(answer->body, "ended_by");
    shown_int(by, "version", (int)(end - story->event) + 1);
    shown_text(by, "type", end->type);
}

void deed_answer_offer(struct model_answer *answer, const struct model_request *request)
{
    struct story *story = request->story;
    bool own = request->verb == MODEL_WITHDRAW;
    const struct story_event *end;
    struct story_offer offer;
    int seat;

    if (!answer_may_act(answer, request))
        return;
    if (request->offer == 0 || !story_offer_of(story, request->offer, &offer)) {
        answer_refusal(answer, request, "no-such-offer");
        return;
    }
    seat = own ? offer.seat : 3 - offer.seat;
    end = story_offer_end(story, offer.id);
    if (end != NULL) {
        if (own && strcmp(end->type, "withdrawn") == 0 &&
            story_plays(story_seats_of(story, request->who), seat))
            answer_here(answer, request, 200);
        else
            refuse_void(answer, request);
        return;
    }
    if (!story_plays(story_seats_of(story, request->who), seat)) {
        answer_refusal(answer, request, "not-your-seat");
        return;
    }
    if (request->verb == MODEL_ACCEPT)
        story_accept(story, offer.id);
    else
        story_answer(story, offer.id, own ? "withdrawn" : "declined", seat);
    answer_here(answer, request, 200);
}
