#include "answer.h"

#include <string.h>

/* ---- problems ---- */

/* One that tells nothing of the game. */
void answer_problem(struct model_answer *answer, const struct model_request *request, int status,
                    const char *code)
{
    *answer = (struct model_answer){.status = status, .code = code};
    if (request->text)
        return;
    answer->body = cJSON_CreateObject();
    shown_int(answer->body, "status", status);
    shown_text(answer->body, "code", code);
}

static int status_of(const char *code)
{
    static const struct {
        int status;
        const char *code;
    } codes[] = {
        {403, "undo-never"},     {403, "undo-needs-consent"}, {403, "not-your-seat"},
        {404, "no-such-ply"},    {409, "not-your-turn"},      {409, "stale-ply"},
        {409, "ply-taken"},      {409, "game-not-started"},   {409, "game-over"},
        {409, "seat-taken"},     {409, "nothing-to-undo"},    {409, "nothing-to-redo"},
        {409, "already-moved"},  {412, "version-mismatch"},   {404, "no-such-offer"},
        {409, "offer-void"},     {409, "nobody-to-ask"},      {409, "no-clock"},
        {409, "game-not-over"},  {409, "seat-reserved"},      {409, "invitation-void"},
        {409, "own-invitation"},
    };

    for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
        if (strcmp(codes[i].code, code) == 0)
            return codes[i].status;
    return 422; /* of the rules */
}

/* One that tells how the game stands. */
void answer_refusal(struct model_answer *answer, const struct model_request *request,
                    const char *code)
{
    const struct story *story = request->story;

    answer_problem(answer, request, status_of(code), code);
    answer->version = story->version;
    if (answer->body != NULL)
        shown_state(cJSON_AddObjectToObject(answer->body, "game"), story,
                    story_seats_of(story, request->who));
}

/* ---- answers ---- */

void answer_story(struct model_answer *answer, const struct model_request *request,
                  const struct story *story, unsigned seats, int status)
{
    answer->status = status;
    answer->version = request->dry_run ? 0 : story->version;
    if (request->text) {
        answer->text = shown_game_text(story);
    } else {
        answer->body = cJSON_CreateObject();
        shown_game(answer->body, story, seats, request->with_moves);
    }
}

/* The game that the request is about, as the asker sees it. */
void answer_here(struct model_answer *answer, const struct model_request *request, int status)
{
    answer_story(answer, request, request->story, story_seats_of(request->story, request->who),
                 status);
}

/* A token is shown once: in a text it comes before the game. */
void answer_with_token(struct model_answer *answer, const struct model_request *request,
                       const struct story *story, unsigned seats, int status)
{
    answer_story(answer, request, story, seats, status);
    if (answer->body != NULL)
        shown_any(answer->body, "token");
    else
        strcpy(answer->text, "id     ");
}

/* What the computer played after a version, if it did. */
void answer_add_computer(cJSON *object, const struct story *story, int version)
{
    const struct story_event *first = &story->event[version];

    if (story->version > version)
        cJSON_AddItemToObject(
            object, "answers",
            shown_moves(story, first->line, first->ply, story_last(story)->ply, false));
}

/* Moves and beside them the game: a single move is the object itself. */
void answer_moves(struct model_answer *answer, cJSON *moves, bool list)
{
    cJSON *game = answer->body;

    if (list) {
        answer->body = cJSON_CreateObject();
        cJSON_AddItemToObject(answer->body, "moves", moves);
    } else {
        answer->body = cJSON_DetachItemFromArray(moves, 0);
        cJSON_Delete(moves);
    }
    cJSON_AddItemToObject(answer->body, "game", game);
}

/* ---- guards ---- */

bool answer_is_expected(const struct model_request *request)
{
    for (size_t i = 0; i < request->nversions; i++)
        if (request->version[i] == request->story->version)
            return true;
    return !request->guarded || request->nversions == 0;
}

/* Somebody who plays no seat of the game. */
static void refuse_stranger(struct model_answer *answer, const struct model_request *request)
{
    if (story_is_hidden(request->story, 0))
        answer_problem(answer, request, 404, "no-such-game");
    else if (request->who->token[0] == '\0')
        answer_problem(answer, request, 401, "token-missing");
    else if (request->who->player[0] == '\0')
        answer_problem(answer, request, 401, "token-unknown");
    else
        answer_problem(answer, request, 403, "not-your-seat");
}

/* A token that is wrong is refused, although its owner could see a public game without it. */
bool answer_may_watch(struct model_answer *answer, const struct model_request *request)
{
    unsigned seats = story_seats_of(request->story, request->who);
    bool hidden = story_is_hidden(request->story, seats);

    if (!hidden &&
        (seats != 0 || request->who->token[0] == '\0' || request->who->player[0] != '\0'))
        return true;
    refuse_stranger(answer, request);
    return false;
}

bool answer_may_act(struct model_answer *answer, const struct model_request *request)
{
    const struct story *story = request->story;

    if (story_seats_of(story, request->who) == 0)
        refuse_stranger(answer, request);
    else if (!answer_is_expected(request))
        answer_refusal(answer, request, "version-mismatch");
    else if (request->line != MODEL_NONE && request->line != story_last(story)->line)
        answer_refusal(answer, request, "stale-ply");
    else
        return true;
    return false;
}
