#include "answer.h"
#include "deeds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void sit(struct story *story, const struct model_request *request)
{
    const struct model_terms *terms = &request->terms;

    for (int i = 0; i < STORY_SEATS; i++) {
        struct story_seat *seat = &story->seat[i];

        seat->sitter = terms->seats_given ? terms->seat[i].sitter : STORY_PERSON;
        if (terms->seats_given)
            strcpy(seat->name, terms->seat[i].name);
        if (seat->sitter != STORY_PERSON)
            continue;
        strcpy(seat->player, request->who->player);
        if (seat->name[0] == '\0')
            strcpy(seat->name, request->who->player_name);
    }
}

/* What a fork and a game that begins have in common: who sits where, and who may do what. */
static struct story *new_story(const struct model_request *request)
{
    struct story *story = calloc(1, sizeof(*story));

    if (story == NULL)
        abort();
    sit(story, request);
    story->seed = request->terms.seed;
    story->undo = request->terms.undo != NULL  ? request->terms.undo
                  : story_has_open_seat(story) ? "consent"
                                               : "free";
    story->visibility = request->terms.visibility != NULL ? request->terms.visibility : "unlisted";
    return story;
}

/* The game exists: whoever made it plays the seats that are theirs. */
static void answer_made(struct model_answer *answer, const struct model_request *request,
                        struct story *story)
{
    unsigned seats = 0;
    cJSON *tokens;

    for (int i = 0; i < STORY_SEATS; i++)
        if (story->seat[i].sitter == STORY_PERSON)
            seats |= 2U << i;
    answer->made = story;
    answer_with_token(answer, request, story, seats, 201);
    if (answer->body == NULL)
        return;
    tokens = cJSON_AddObjectToObject(answer->body, "tokens");
    for (int seat = 1; seat <= STORY_SEATS; seat++)
        if (story_plays(seats, seat))
            shown_any(tokens, seat == 1 ? "1" : "2");
}

/* Sets the game up by its terms. */
static bool begin(struct story *story, const struct model_terms *terms, struct rules_refusal *why)
{
    struct rules_state state;

    story->rules = terms->rules;
    rules_options_init(&story->options);
    for (size_t i = 0; i < terms->noptions; i++)
        if (!rules_option_set(story->rules, &story->options, terms->option[i].name,
                              terms->option[i].value, why))
            return false;
    if (!rules_start(story->rules, &story->options,
                     terms->position[0] == '\0' ? NULL : terms->position, &state, why))
        return false;
    story->options.position = NULL;
    story->rules->position_text(&state, story->start);
    story_tell(story, "created", 0, 1, 0)->position = strdup(story->start);
    return true;
}

static void refuse_terms(struct model_answer *answer, const struct model_request *request,
                         struct story *story, const char *code)
{
    int status = strcmp(code, "game-over") == 0 ? 409 : 422;

    story_free(story);
    answer_problem(answer, request, status, code);
}

/* Plays the moves that a game is to begin with, as long as it goes on. */
static bool play_first(struct model_answer *answer, const struct model_request *request,
                       struct story *story)
{
    struct rules_refusal why;
    struct story_now now;

    for (size_t i = 0; i < request->nmoves; i++) {
        rules_refuse(&why, RULES_GAME_OVER, NULL);
        story_look(story, &now);
        if (story_goes_on(&now) && story_play(story, request->move[i], &why))
            continue;
        refuse_terms(answer, request, story, rules_code_text(why.code));
        if (answer->body != NULL) {
            shown_int(answer->body, "at", (int)i);
            shown_text(answer->body, "move", request->move[i]);
        }
        return false;
    }
    return true;
}

void deed_create(struct model_answer *answer, const struct model_request *request)
{
    struct story *story = new_story(request);
    struct rules_refusal why;
    struct story_now now;

    if (!begin(story, &request->terms, &why)) {
        refuse_terms(answer, request, story, rules_code_text(why.code));
        return;
    }
    story_look(story, &now);
    if (!story_goes_on(&now)) {
        refuse_terms(answer, request, story, "position-already-over");
        return;
    }
    if (!play_first(answer, request, story))
        return;
    story_let_computer_play(story);
    story->clock = request->terms.clock; /* it begins with the game that is made */
    answer_made(answer, request, story);
}

static int secrecy(const char *visibility)
{
    return strcmp(visibility, "public") == 0 ? 0 : strcmp(visibility, "unlisted") == 0 ? 1 : 2;
}

/* A private game is forked into a private one, unless another is asked for. A game that more people
 * may find than the old one does not tell where it comes from. */
static void fork_from(struct story *story, const struct model_request *request, int line, int ply)
{
    const struct story *old = request->story;
    const struct story_event *moves[STORY_EVENTS_MAX];
    bool private = strcmp(old->visibility, "private") == 0;
    struct story_event *first;
    struct rules_refusal why;

    story_line(old, line, moves);
    story->rules = old->rules;
    story->options = old->options;
    strcpy(story->start, old->start);
    first = story_tell(story, "created", 0, 1, 0);
    first->position = strdup(story->start);
    if (private && request->terms.visibility == NULL)
        story->visibility = "private";
    if (secrecy(story->visibility) >= secrecy(old->visibility)) {
        first->data = cJSON_CreateObject();
        shown_text(first->data, "game", old->id);
        shown_int(first->data, "line", line);
        shown_int(first->data, "ply", ply);
    }
    for (int i = 1; i <= ply; i++)
        story_play(story, moves[i]->move, &why);
    story_let_computer_play(story);
}

/* Without a ply: the present one; of a line that is named, the last one. */
void deed_fork(struct model_answer *answer, const struct model_request *request)
{
    const struct story *old = request->story;
    const struct story_event *moves[STORY_EVENTS_MAX];
    int line = request->line == MODEL_NONE ? story_last(old)->line : request->line;
    int end = story_line(old, line, moves), ply = request->ply;
    struct story *story;

    if (!answer_may_watch(answer, request))
        return;
    if (ply == MODEL_NONE)
        ply = request->line == MODEL_NONE ? story_last(old)->ply : end;
    if (line > story_last(old)->line || ply > end) {
        answer_refusal(answer, request, "no-such-ply");
        return;
    }
    story = new_story(request);
    fork_from(story, request, line, ply);
    answer_made(answer, request, story);
}
