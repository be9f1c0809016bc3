/* rematch.c - the game that follows on a finished one, with the sides swapped. */
#include "answer.h"
#include "deeds.h"

#include <stdlib.h>
#include <string.h>

/* The token of a seat plays the next game too, and is shown; a player's is not. */
void deed_show_rematch(struct model_answer *answer, const struct model_request *request,
                       const struct story *next, int status)
{
    unsigned seats = story_seats_of(next, request->who);

    answer_story(answer, request, next, seats, status);
    if (strncmp(request->who->token, "plyd_seat_", 10) == 0 && answer->body != NULL)
        shown_text(answer->body, "token", request->who->token);
}

/* The same sitters, the other way round, and the same terms; the log says of which game it is the
 * rematch. */
static struct story *follow(const struct story *old)
{
    struct story *next = calloc(1, sizeof(*next));
    struct story_event *first;

    if (next == NULL)
        abort();
    next->rules = old->rules;
    next->options = old->options;
    next->undo = old->undo;
    next->visibility = old->visibility;
    next->clock = old->clock;
    strcpy(next->start, old->start);
    for (int i = 0; i < STORY_SEATS; i++) {
        next->seat[i] = old->seat[STORY_SEATS - 1 - i];
        next->seat[i].invited = false;
    }
    first = story_tell(next, "created", 0, 1, 0);
    first->position = strdup(next->start);
    first->data = cJSON_CreateObject();
    shown_text(first->data, "rematch_of", old->id);
    return next;
}

void deed_rematch(struct model_answer *answer, const struct model_request *request)
{
    struct story *story = request->story;
    struct story_event *event;
    struct story_now now;

    if (!answer_may_act(answer, request))
        return;
    story_look(story, &now);
    if (story->has_next) {
        deed_show_rematch(answer, request, request->next, 200);
        return;
    }
    if (story_may_not_rematch(&now) != NULL) {
        answer_refusal(answer, request, story_may_not_rematch(&now));
        return;
    }
    event =
        story_tell(story, "rematch", story_plays(story_seats_of(story, request->who), 1) ? 1 : 2,
                   now.line, now.ply);
    event->data = cJSON_CreateObject();
    shown_any(event->data, "game");
    story->has_next = true;
    answer->next = follow(story);
    deed_show_rematch(answer, request, answer->next, 201);
}
