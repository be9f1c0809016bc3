#include "answer.h"
#include "deeds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Move i of the request as a text; clicks make one. */
static void wanted_move(const struct model_request *request, const struct rules_state *state,
                        size_t i, char text[RULES_CLICKS_TEXT])
{
    const char *clicks[RULES_PATH_MAX];

    for (size_t k = 0; k < request->nclicks; k++)
        clicks[k] = request->click[k];
    if (request->nclicks > 0)
        rules_clicks_text(request->story->rules, state, clicks, request->nclicks, text);
    else
        snprintf(text, RULES_CLICKS_TEXT, "%s", request->move[i]);
}

static void refuse_move(struct model_answer *answer, const struct model_request *request, size_t i,
                        const char *text, const char *code)
{
    answer_refusal(answer, request, code);
    if (answer->body == NULL)
        return;
    shown_text(answer->body, "move", text);
    if (request->story->rules->pretty != NULL && request->story->rules->drawing.files != NULL)
        shown_any(answer->body,
                  "text"); /* the detail in the notation of people, where it differs */
    if (request->nmoves > 1)
        shown_int(answer->body, "at", (int)i);
}

/* Whether the move at a ply of the present line is the one that is wanted. */
static bool is_there(const struct model_request *request)
{
    const struct story *story = request->story;
    struct story_point point;
    char text[RULES_CLICKS_TEXT];
    struct rules_refusal why;
    rules_move move;

    story_point_at(story, story_last(story)->line, request->ply, &point);
    wanted_move(request, &point.before, 0, text);
    return story_read(story, &point.before, point.last, text, &move, &why) &&
           rules_same_move(move, point.move);
}

/* A PUT that is repeated: the answer that it got, with the game as it is now. */
static void answer_again(struct model_answer *answer, const struct model_request *request)
{
    const struct story *story = request->story;
    const struct story_event *moves[STORY_EVENTS_MAX];
    int line = story_last(story)->line, end = story_last(story)->ply, answers = request->ply;

    story_line(story, line, moves);
    if (!story_plays(story_seats_of(story, request->who), moves[request->ply]->seat)) {
        answer_refusal(answer, request, "not-your-turn");
        return;
    }
    answer_here(answer, request, 200);
    answer->version = story->version;
    if (answer->body == NULL)
        return;
    answer_moves(answer, shown_moves(story, line, request->ply, request->ply, false), false);
    while (answers < end && story->seat[moves[answers + 1]->seat - 1].sitter == STORY_COMPUTER)
        answers++;
    if (answers > request->ply)
        cJSON_AddItemToObject(answer->body, "answers",
                              shown_moves(story, line, request->ply + 1, answers, false));
}

/* A ply that is not the next one. */
static void answer_elsewhere(struct model_answer *answer, const struct model_request *request)
{
    const struct story *story = request->story;
    int line = story_last(story)->line, end = story_last(story)->ply;
    bool taken = request->ply <= end;

    if (taken && request->verb == MODEL_PUT && is_there(request)) {
        answer_again(answer, request);
        return;
    }
    answer_refusal(answer, request, taken ? "ply-taken" : "stale-ply");
    if (answer->body != NULL)
        cJSON_AddItemToObject(answer->body, "moves",
                              shown_moves(story, line, request->ply, end, true));
}

/* Plays one of the moves. If it is refused, none of them was played. */
static bool play_one(struct model_answer *answer, const struct model_request *request, size_t i,
                     int before)
{
    struct story *story = request->story;
    char text[RULES_CLICKS_TEXT];
    struct rules_refusal why;
    struct story_now now;
    const char * not ;

    story_look(story, &now);
    not = story_may_not_move(&now, story_seats_of(story, request->who));
    wanted_move(request, &now.point.state, i, text);
    if (not == NULL && story_play(story, text, &why))
        return true;
    story_drop(story, before);
    if (not == NULL)
        refuse_move(answer, request, i, text, rules_code_text(why.code));
    else if (strcmp(not, "game-over") == 0)
        refuse_move(answer, request, i, text, not );
    else
        answer_refusal(answer, request, not );
    return false;
}

/* Offers a draw with the last move, unless that has ended the game, or the side's last offer is
 * still open. Whoever plays both seats agrees at once. False: it is refused, and so are the moves.
 */
static bool offer_draw(struct model_answer *answer, const struct model_request *request, int before)
{
    struct story *story = request->story;
    unsigned seats = story_seats_of(story, request->who);
    int to = STORY_NONE, mover = story_last(story)->seat;
    struct story_now now;
    const char * not ;

    story_look(story, &now);
    if (!request->offers_draw || !story_goes_on(&now))
        return true;
    not = story_may_not_offer(story, &now, seats, "draw", &to);
    if (not != NULL) {
        story_drop(story, before);
        answer_refusal(answer, request, not );
        return false;
    }
    if (story_offer_by(story, "draw", mover) == 0)
        story_offer(story, "draw", mover, STORY_NONE);
    if (story_plays(seats, 3 - mover))
        story_accept(story, story_offer_by(story, "draw", mover));
    return true;
}

static void play_all(struct model_answer *answer, const struct model_request *request)
{
    struct story *story = request->story;
    int before = story->version, played;
    const struct story_event *first = &story->event[before];

    for (size_t i = 0; i < request->nmoves; i++)
        if (!play_one(answer, request, i, before))
            return;
    if (!offer_draw(answer, request, before))
        return;
    played = story->version;
    story_let_computer_play(story);
    answer_here(answer, request, request->dry_run ? 200 : 201);
    if (answer->body != NULL) {
        answer_moves(answer,
                     shown_moves(story, first->line, first->ply,
                                 first->ply + (int)request->nmoves - 1, false),
                     request->list);
        answer_add_computer(answer->body, story, played);
    }
}

/* Shogi has words for giving up and for declaring a win, which stand in place of a move. */
static bool is_word(const struct model_request *request, const struct story_now *now)
{
    return request->story->rules->declare != NULL && now->status == STORY_ACTIVE &&
           request->nmoves == 1 && request->nclicks == 0 &&
           (strcmp(request->move[0], "resign") == 0 || strcmp(request->move[0], "win") == 0);
}

static void say_word(struct model_answer *answer, const struct model_request *request,
                     const struct story_now *now)
{
    struct story *story = request->story;
    bool resigns = strcmp(request->move[0], "resign") == 0;
    struct rules_outcome outcome;
    struct rules_refusal why;

    if (!story_plays(story_seats_of(story, request->who), now->to_move)) {
        answer_refusal(answer, request, "not-your-turn");
    } else if (!resigns && !story->rules->declare(&now->point.state, &outcome, &why)) {
        refuse_move(answer, request, 0, "win", rules_code_text(why.code));
    } else {
        story_tell(story, resigns ? "resigned" : "declared", now->to_move, now->line, now->ply);
        story_stop(story);
        answer_here(answer, request, 200);
    }
}

void deed_moves(struct model_answer *answer, struct model_request request)
{
    int before = request.story->version;
    struct story_now now;

    story_look(request.story, &now);
    /* A PUT that is repeated finds its own move there, and so no guard of it holds any more. */
    if (request.verb == MODEL_PUT && request.ply <= now.ply) {
        request.guarded = false;
        request.line = MODEL_NONE;
    }
    if (!answer_may_act(answer, &request))
        return;
    if (request.ply != MODEL_NONE && request.ply != now.ply + 1)
        answer_elsewhere(answer, &request);
    else if (is_word(&request, &now))
        say_word(answer, &request, &now);
    else
        play_all(answer, &request);
    if (request.dry_run)
        story_drop(request.story, before);
}
