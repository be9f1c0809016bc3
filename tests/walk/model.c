#include "model.h"

#include "answer.h"
#include "deeds.h"

#include <stdlib.h>
#include <string.h>

static bool makes_game(const struct model_request *request)
{
    return request->verb == MODEL_CREATE || request->verb == MODEL_FORK;
}

/* What was answered to a request of the same caller with the same key in the same game. A game that
 * is made has its id from the key. */
static const struct model_kept *find_kept(const struct model_kept *kept,
                                          const struct model_request *request)
{
    for (; kept != NULL; kept = kept->next)
        if (request->key != NULL && strcmp(kept->key, request->key) == 0 &&
            strcmp(kept->caller, story_caller(request->who)) == 0 &&
            (makes_game(request) ? kept->made : strcmp(kept->game, request->story->id) == 0))
            return kept;
    return NULL;
}

/* Whether an answer is a game, and not an object with a game in it. */
static bool is_game(const cJSON *body)
{
    return cJSON_GetObjectItemCaseSensitive(body, "variant") != NULL;
}

/* The offer as it was told, and what may be done with it now. */
static void offer_again(cJSON *told, const struct model_request *request)
{
    int id = cJSON_GetObjectItemCaseSensitive(told, "id")->valueint;
    unsigned seats = story_seats_of(request->story, request->who);

    cJSON_DeleteItemFromObject(told, "may");
    shown_may_answer(told, request->story, id, seats);
}

/* What was told of the deed, and beside it the game as it is now. */
static void answer_told(const struct model_kept *kept, const struct model_request *request,
                        struct model_answer *answer)
{
    cJSON *first = cJSON_Parse(kept->body), *answers;

    answer_here(answer, request, kept->status);
    answer->version = request->story->version;
    answer->replayed = true;
    if (answer->body != NULL && !is_game(first)) {
        cJSON_ReplaceItemInObjectCaseSensitive(first, "game", answer->body);
        if (cJSON_HasObjectItem(first, "offer"))
            offer_again(cJSON_GetObjectItemCaseSensitive(first, "offer"), request);
        answer->body = first;
        return;
    }
    answers = cJSON_DetachItemFromObjectCaseSensitive(first, "answers");
    if (answer->body != NULL && answers != NULL)
        cJSON_AddItemToObject(answer->body, "answers", answers);
    cJSON_Delete(first);
}

/* Another request under the same key is refused. If it comes from somebody who plays no seat, it is
 * first refused like any other of theirs: joining is all that may be left to them. */
static bool answer_reused(const struct model_request *request, struct model_answer *answer)
{
    struct story *story = request->story;
    struct story_seat seats[STORY_SEATS];
    int before;

    if (request->verb == MODEL_FORK && !answer_may_watch(answer, request))
        return true;
    if (request->verb == MODEL_CREATE || request->verb == MODEL_FORK ||
        story_seats_of(story, request->who) != 0) {
        answer_problem(answer, request, 422, "idempotency-key-reused");
        return true;
    }
    if (request->verb != MODEL_JOIN)
        return false;
    before = story->version;
    memcpy(seats, story->seat, sizeof(seats));
    deed_join(answer, request);
    if (story->version > before) {
        story_drop(story, before);
        memcpy(story->seat, seats, sizeof(seats));
        model_answer_free(answer);
        answer_problem(answer, request, 422, "idempotency-key-reused");
    }
    return true;
}

static bool answer_kept(const struct model_kept *kept, const struct model_request *request,
                        struct model_answer *answer)
{
    kept = find_kept(kept, request);
    if (kept == NULL)
        return false;
    if (strcmp(kept->sent, request->sent) != 0)
        return answer_reused(request, answer);
    if (request->verb == MODEL_REMATCH) {
        deed_show_rematch(answer, request, request->next, kept->status);
        answer->replayed = true;
    } else if (kept->whole)
        *answer = (struct model_answer){
            .status = kept->status, .version = kept->version, .replayed = true, .again = kept};
    else
        answer_told(kept, request, answer);
    return true;
}

/* A player's token that no player has is refused where it would be worth something: where seats are
 * taken with it. */
static bool is_false_player(const struct story_client *who)
{
    return strncmp(who->token, "plyd_player_", 12) == 0 && who->player[0] == '\0';
}

/* Before the body is looked at where a game is made, and after it where one is joined. */
static bool refuses_token(const struct model_request *request)
{
    bool wrong = request->wrong != 0;

    if (!is_false_player(request->who))
        return false;
    return makes_game(request) ? !wrong || !request->wrong_query
                               : request->verb == MODEL_JOIN && !wrong;
}

/* What is refused before the game is looked at. */
static bool refuse_early(struct model_answer *answer, const struct model_request *request)
{
    if (refuses_token(request))
        answer_problem(answer, request, 401, "token-unknown");
    else if (request->wrong != 0)
        answer_problem(answer, request, request->wrong, request->wrong_code);
    else if (request->verb != MODEL_CREATE && request->story == NULL)
        answer_problem(answer, request, 404, "no-such-game");
    else
        return false;
    return true;
}

static void act(struct model_answer *answer, const struct model_request *request)
{
    switch (request->verb) {
    case MODEL_CREATE:
        deed_create(answer, request);
        return;
    case MODEL_FORK:
        deed_fork(answer, request);
        return;
    case MODEL_JOIN:
        deed_join(answer, request);
        return;
    case MODEL_POST:
    case MODEL_PUT:
        deed_moves(answer, *request);
        return;
    case MODEL_UNDO:
    case MODEL_REDO:
        deed_turn(answer, request);
        return;
    case MODEL_RESIGN:
    case MODEL_ABORT:
        deed_give_up(answer, request);
        return;
    case MODEL_OFFER:
        deed_offer(answer, request);
        return;
    case MODEL_ACCEPT:
    case MODEL_DECLINE:
    case MODEL_WITHDRAW:
        deed_answer_offer(answer, request);
        return;
    case MODEL_CLAIM:
        deed_claim(answer, request);
        return;
    case MODEL_MESSAGE:
        deed_message(answer, request);
        return;
    case MODEL_INVITE:
        deed_invite(answer, request);
        return;
    case MODEL_DISINVITE:
        deed_disinvite(answer, request);
        return;
    case MODEL_REMATCH:
        deed_rematch(answer, request);
        return;
    case MODEL_GAME:
    case MODEL_EVENTS:
    case MODEL_HISTORY:
    case MODEL_POSITION:
    case MODEL_LEGAL:
        deed_look(answer, request);
        return;
    }
}

/* A game that is the answer to a change has itself as a member: clients find it in the same place
 * after any change. */
static void add_game(struct model_answer *answer, const struct model_request *request)
{
    static const char *const beside[] = {"token", "tokens", "seat", "answers"};
    cJSON *game;

    if (request->verb >= MODEL_GAME || answer->status >= 300 || !is_game(answer->body))
        return;
    game = cJSON_Duplicate(answer->body, true);
    for (size_t i = 0; i < sizeof(beside) / sizeof(beside[0]); i++)
        cJSON_DeleteItemFromObjectCaseSensitive(game, beside[i]);
    cJSON_AddItemToObject(answer->body, "game", game);
}

static void answer_request(const struct model_kept *kept, const struct model_request *request,
                           struct model_answer *answer)
{
    memset(answer, 0, sizeof(*answer));
    if (refuse_early(answer, request))
        return;
    if (request->verb != MODEL_CREATE && answer_kept(kept, request, answer))
        return;
    act(answer, request);
    /* Only when the game is to be stored it shows that it is there. */
    if (answer->made != NULL && find_kept(kept, request) != NULL) {
        story_free(answer->made);
        model_answer_free(answer);
        answer_kept(kept, request, answer);
    }
}

void model_answer(const struct model_kept *kept, const struct model_request *request,
                  struct model_answer *answer)
{
    answer_request(kept, request, answer);
    add_game(answer, request);
}

void model_answer_free(struct model_answer *answer)
{
    cJSON_Delete(answer->body);
    free(answer->text);
    memset(answer, 0, sizeof(*answer));
}
