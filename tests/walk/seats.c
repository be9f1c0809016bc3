#include "answer.h"
#include "deeds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- back and forth ---- */

void deed_turn(struct model_answer *answer, const struct model_request *request)
{
    struct story *story = request->story;
    unsigned seats = story_seats_of(story, request->who);
    bool undo = request->verb == MODEL_UNDO;
    int to = request->to_ply, told;
    struct story_now now;
    const char * not ;

    if (!answer_may_act(answer, request))
        return;
    story_look(story, &now);
    not = undo ? story_may_not_undo(story, &now, seats, &to)
               : story_may_not_redo(story, &now, seats, &to);
    if (not != NULL) {
        if (undo && strcmp(not, "undo-needs-consent") == 0)
            deed_ask_undo(answer, request);
        else
            answer_refusal(answer, request, not );
        return;
    }
    story_turn(story, undo ? "undo" : "redo", to);
    told = story->version;
    story_let_computer_play(story);
    answer_here(answer, request, 200);
    if (answer->body != NULL)
        answer_add_computer(answer->body, story, told);
}

/* ---- seats ---- */

/* The first open seat, or the one that is wanted if it is open; 0: there is none. A seat that
 * somebody is invited to is for the code of the invitation, and the code is for that seat. */
static int open_seat(const struct story *story, int wanted, const char *code)
{
    for (int i = 0; i < STORY_SEATS; i++) {
        const struct story_seat *seat = &story->seat[i];
        bool fits = code == NULL ? !seat->invited : seat->invited && strcmp(code, seat->code) == 0;

        if (seat->sitter == STORY_OPEN_SEAT && fits && (wanted == MODEL_NONE || wanted == i + 1))
            return i + 1;
    }
    return 0;
}

/* Whether the seat that is wanted has nobody yet, invited or not. */
static bool is_empty(const struct model_request *request)
{
    const struct story_seat *seats = request->story->seat;

    return request->seat == MODEL_NONE ? story_has_open_seat(request->story)
                                       : seats[request->seat - 1].sitter == STORY_OPEN_SEAT;
}

static void sit_down(struct model_answer *answer, const struct model_request *request, int number)
{
    struct story *story = request->story;
    const struct story_client *who = request->who;
    struct story_seat *seat = &story->seat[number - 1];

    *seat = (struct story_seat){.sitter = STORY_PERSON};
    strcpy(seat->player, who->player);
    strcpy(seat->name, request->name[0] != '\0' ? request->name : who->player_name);
    story_tell(story, "joined", number, story_last(story)->line, story_last(story)->ply);
    story_let_computer_play(story);
    answer->joined = number;
    answer_with_token(answer, request, story, story_seats_of(story, who) | 1U << number, 200);
    if (answer->body != NULL)
        shown_int(answer->body, "seat", number);
}

/* Whoever plays already comes with an invitation, to their own seat or to the other one; or a
 * player comes without, when no seat is open. */
static void come_again(struct model_answer *answer, const struct model_request *request, int other)
{
    unsigned seats = story_seats_of(request->story, request->who);
    int seat = request->seat;
    struct story_now now;

    story_look(request->story, &now);
    if (seat == MODEL_NONE)
        seat = story_plays(seats, now.to_move) ? now.to_move : 3 - now.to_move;
    if (other != 0) {
        answer_refusal(answer, request, "own-invitation");
    } else if (!story_plays(seats, seat)) {
        answer_refusal(answer, request,
                       now.status == STORY_ABORTED ||
                               (is_empty(request) && now.status != STORY_OPEN)
                           ? "game-over"
                       : request->invitation != NULL ? "invitation-void"
                                                     : "seat-taken");
    } else {
        answer_here(answer, request, 200);
        if (answer->body != NULL) {
            shown_text(answer->body, "token", "");
            shown_int(answer->body, "seat", seat);
        }
    }
}

/* No seat is open to who has no invitation. */
static void refuse_without_code(struct model_answer *answer, const struct model_request *request)
{
    if (is_empty(request))
        answer_refusal(answer, request, "seat-reserved");
    else if (request->who->player[0] != '\0' && story_seats_of(request->story, request->who) != 0)
        come_again(answer, request, 0);
    else
        answer_refusal(answer, request, "seat-taken");
}

void deed_join(struct model_answer *answer, const struct model_request *request)
{
    const struct story *story = request->story;
    struct story_now now;
    int seat;

    story_look(story, &now);
    seat = now.status == STORY_OPEN ? open_seat(story, request->seat, request->invitation) : 0;
    /* Whoever knows the id of a private game was invited, as long as there is any seat to take. */
    if (seat == 0 && (now.status != STORY_OPEN || open_seat(story, MODEL_NONE, NULL) == 0) &&
        story_is_hidden(story, story_seats_of(story, request->who)))
        answer_problem(answer, request, 404, "no-such-game");
    else if (request->seat == 0)
        answer_problem(answer, request, 400, "bad-parameter");
    else if (!answer_is_expected(request))
        answer_refusal(answer, request, "version-mismatch");
    else if (request->invitation != NULL && story_seats_of(story, request->who) != 0)
        come_again(answer, request, seat);
    else if (now.status == STORY_ABORTED || (is_empty(request) && now.status != STORY_OPEN))
        answer_refusal(answer, request, "game-over");
    else if (seat != 0)
        sit_down(answer, request, seat);
    else if (request->invitation != NULL)
        answer_refusal(answer, request, "invitation-void");
    else
        refuse_without_code(answer, request);
}

/* Resigns or aborts, for the seat that is named, or the one that is played; of both, for the side
 * to move. */
void deed_give_up(struct model_answer *answer, const struct model_request *request)
{
    struct story *story = request->story;
    unsigned seats = story_seats_of(story, request->who);
    bool resign = request->verb == MODEL_RESIGN;
    int seat = request->seat;
    struct story_now now;
    const char * not ;

    if (!answer_may_act(answer, request))
        return;
    story_look(story, &now);
    not = resign ? story_may_not_resign(&now) : story_may_not_abort(&now);
    if (seat == MODEL_NONE)
        seat = story_plays(seats, now.to_move) ? now.to_move : 3 - now.to_move;
    if (request->seat == 0)
        answer_problem(answer, request, 400, "bad-parameter");
    else if (!story_plays(seats, seat))
        answer_refusal(answer, request, "not-your-seat");
    else if (not != NULL)
        answer_refusal(answer, request, not );
    else {
        story_tell(story, resign ? "resigned" : "aborted", seat, now.line, now.ply);
        story_stop(story);
        answer_here(answer, request, 200);
    }
}
