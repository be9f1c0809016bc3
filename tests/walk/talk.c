/* talk.c - claims, messages and invitations. */
#include "answer.h"
#include "deeds.h"

#include <stdlib.h>
#include <string.h>

/* Puts an object beside the game that the answer is. */
static cJSON *add_beside_game(struct model_answer *answer)
{
    cJSON *game = answer->body;

    answer->body = cJSON_CreateObject();
    cJSON_AddItemToObject(answer->body, "game", game);
    return answer->body;
}

/* The seat that somebody speaks for: of both, the side to move. */
static int speaker(const struct model_request *request)
{
    unsigned seats = story_seats_of(request->story, request->who);
    struct story_now now;

    story_look(request->story, &now);
    return story_plays(seats, now.to_move) ? now.to_move : 3 - now.to_move;
}

/* ---- claims ---- */

/* What is claimed has ended the game already. */
static bool holds(const struct story_now *now, const char *kind)
{
    if (now->status != STORY_FINISHED)
        return false;
    return strcmp(now->reason, kind) == 0 ||
           (strcmp(kind, "repetition") == 0 && strcmp(now->reason, "perpetual_check") == 0);
}

/* What is left is told. */
static void claim_timeout(struct model_answer *answer, const struct model_request *request,
                          const struct story_now *now)
{
    const struct story *story = request->story;
    const char *not = story_may_not_claim_timeout(story, now, story_seats_of(story, request->who));

    answer_refusal(answer, request, not == NULL ? "claim-refused" : not );
    if (answer->body != NULL && (not == NULL || strcmp(not, "claim-refused") == 0))
        shown_any(answer->body, "clock");
}

/* The same as "win" in place of a move. */
static void claim_impasse(struct model_answer *answer, const struct model_request *request,
                          const struct story_now *now)
{
    struct story *story = request->story;
    const char *refused = story->rules->declare == NULL
                              ? "claim-refused"
                              : story_may_not_move(now, story_seats_of(story, request->who));
    struct rules_outcome outcome;
    struct rules_refusal why;

    if (refused == NULL && !story->rules->declare(&now->point.state, &outcome, &why))
        refused = "claim-refused";
    if (refused != NULL) {
        answer_refusal(answer, request, refused);
    } else {
        story_tell(story, "declared", now->to_move, now->line, now->ply);
        story_stop(story);
        answer_here(answer, request, 200);
    }
}

/* How often a position ends the game; 0: never. */
static int required(const struct story *story)
{
    for (size_t i = 0; i < story->rules->noptions; i++)
        if (strcmp(story->rules->options[i].name, "repetition") == 0)
            return story->options.value[i];
    return 0;
}

/* The game ends by itself, so that is never so while it goes on. */
static void claim_repetition(struct model_answer *answer, const struct model_request *request,
                             const struct story_now *now)
{
    struct rules_history past = {now->point.keys, now->point.nkeys};
    const struct story *story = request->story;
    const char *not = story_may_not_resign(now);

    if (not != NULL) {
        answer_refusal(answer, request, not );
        return;
    }
    answer_refusal(answer, request, "claim-refused");
    if (answer->body == NULL || required(story) == 0)
        return;
    shown_int(answer->body, "seen",
              1 + (int)rules_occurrences(&past, story->rules->key(&now->point.state)));
    shown_int(answer->body, "required", required(story));
}

void deed_claim(struct model_answer *answer, const struct model_request *request)
{
    struct story_now now;

    if (!answer_may_act(answer, request))
        return;
    story_look(request->story, &now);
    if (holds(&now, request->kind))
        answer_here(answer, request, 200);
    else if (strcmp(request->kind, "timeout") == 0)
        claim_timeout(answer, request, &now);
    else if (strcmp(request->kind, "impasse") == 0)
        claim_impasse(answer, request, &now);
    else
        claim_repetition(answer, request, &now);
}

/* ---- messages ---- */

void deed_message(struct model_answer *answer, const struct model_request *request)
{
    struct story *story = request->story;
    int ply = request->ply, seat;
    struct story_event *event;
    struct story_now now;
    cJSON *message;

    if (!answer_may_act(answer, request))
        return;
    story_look(story, &now);
    seat = speaker(request);
    if (ply == MODEL_NONE)
        ply = now.ply;
    if (ply > now.tip) {
        answer_refusal(answer, request, "no-such-ply");
        return;
    }
    event = story_tell(story, "message", seat, now.line, now.ply);
    event->data = cJSON_CreateObject();
    shown_int(event->data, "ply", ply);
    shown_text(event->data, "text", request->message);
    answer_here(answer, request, 201);
    if (answer->body == NULL)
        return;
    message = cJSON_AddObjectToObject(add_beside_game(answer), "message");
    shown_int(message, "version", story->version);
    shown_int(message, "seat", seat);
    shown_int(message, "ply", ply);
    shown_text(message, "text", request->message);
}

/* ---- invitations ---- */

/* The seat that is meant: one that is named, or the first open one. 0: the request is refused. */
static int seat_for_guest(struct model_answer *answer, const struct model_request *request)
{
    const struct story *story = request->story;
    int seat = request->seat;
    struct story_now now;

    if (!answer_may_act(answer, request))
        return 0;
    if (seat == 0) {
        answer_problem(answer, request, 400, "bad-parameter");
        return 0;
    }
    story_look(story, &now);
    if (seat == MODEL_NONE)
        seat = story->seat[0].sitter == STORY_OPEN_SEAT ? 1 : 2;
    if (story_may_not_invite(&now) != NULL)
        answer_refusal(answer, request, story_may_not_invite(&now));
    else if (story->seat[seat - 1].sitter != STORY_OPEN_SEAT)
        answer_refusal(answer, request, "seat-taken");
    else
        return seat;
    return 0;
}

static struct story_event *tell_invited(struct story *story, int seat)
{
    struct story_event *event =
        story_tell(story, "invited", seat, story_last(story)->line, story_last(story)->ply);

    event->data = cJSON_CreateObject();
    return event;
}

void deed_invite(struct model_answer *answer, const struct model_request *request)
{
    struct story *story = request->story;
    int seat = seat_for_guest(answer, request);

    if (seat == 0)
        return;
    story->seat[seat - 1].invited = true;
    story->seat[seat - 1].code[0] = '\0';
    shown_any(tell_invited(story, seat)->data, "until_at");
    answer_here(answer, request, 201);
    answer->invited = seat;
    if (answer->body == NULL) {
        strcpy(answer->text, "code ");
        return;
    }
    add_beside_game(answer);
    shown_any(answer->body, "code");
    shown_any(answer->body, "url");
    shown_int(answer->body, "seat", seat);
    shown_any(answer->body, "expires_at");
}

void deed_disinvite(struct model_answer *answer, const struct model_request *request)
{
    struct story *story = request->story;
    int seat = seat_for_guest(answer, request);

    if (seat == 0)
        return;
    if (story->seat[seat - 1].invited)
        cJSON_AddNullToObject(tell_invited(story, seat)->data, "until_at");
    story->seat[seat - 1].invited = false;
    answer_here(answer, request, 200);
}
