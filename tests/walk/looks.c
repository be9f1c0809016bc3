#include "answer.h"
#include "deeds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The client has that version already. */
static bool is_unchanged(struct model_answer *answer, const struct model_request *request)
{
    if (request->has != request->story->version)
        return false;
    answer->status = 304;
    answer->version = request->story->version;
    return true;
}

/* The line and the ply that are meant. Without a line it is the present one up to the present ply;
 * with one, all of it. A ply below 0 is the last one. */
static bool find_ply(struct model_answer *answer, const struct model_request *request, int *line,
                     int *ply, int *end)
{
    const struct story *story = request->story;
    const struct story_event *moves[STORY_EVENTS_MAX];

    *line = request->line == MODEL_NONE ? story_last(story)->line : request->line;
    *end = request->line == MODEL_NONE ? story_last(story)->ply : story_line(story, *line, moves);
    *ply = request->ply < 0 ? *end : request->ply;
    if (*line <= story_last(story)->line && *ply <= *end)
        return true;
    answer_refusal(answer, request, "no-such-ply");
    return false;
}

static void look_at_game(struct model_answer *answer, const struct model_request *request)
{
    if (!is_unchanged(answer, request))
        answer_here(answer, request, 200);
}

static void page(struct model_answer *answer, cJSON *items, bool more)
{
    answer->body = cJSON_CreateObject();
    cJSON_AddItemToObject(answer->body, "items", items);
    if (more)
        shown_any(answer->body, "next");
    else
        cJSON_AddNullToObject(answer->body, "next");
}

static int limit_of(const struct model_request *request)
{
    if (request->limit == MODEL_NONE)
        return 50;
    return request->limit > 200 ? 200 : request->limit;
}

static void look_at_events(struct model_answer *answer, const struct model_request *request)
{
    const struct story *story = request->story;
    int after = request->after == MODEL_NONE ? 0 : request->after, limit = limit_of(request);
    bool heard =
        strcmp(story->visibility, "public") == 0 || story_seats_of(story, request->who) != 0;

    answer->status = 200;
    answer->whole = true;
    if (request->text)
        answer->text = shown_events_text(story, after, limit, heard);
    else
        page(answer, shown_events(story, after, limit, heard), after + limit < story->version);
}

static void look_at_history(struct model_answer *answer, struct model_request request)
{
    int from = request.after == MODEL_NONE ? 1 : request.after + 1, line, ply, end, to;

    request.ply = MODEL_NONE;
    if (is_unchanged(answer, &request) || !find_ply(answer, &request, &line, &ply, &end))
        return;
    to = end - from + 1 > limit_of(&request) ? from + limit_of(&request) - 1 : end;
    answer->status = 200;
    answer->version = request.story->version;
    answer->whole = true;
    if (request.text)
        answer->text = shown_moves_text(request.story, line, from, to);
    else
        page(answer, shown_moves(request.story, line, from, to, false), to < end);
}

static void look_at_position(struct model_answer *answer, const struct model_request *request)
{
    int line, ply, end;
    cJSON *links;

    if (!find_ply(answer, request, &line, &ply, &end))
        return;
    answer->status = 200;
    if (request->text) {
        answer->text = strdup(request->story->rules->title);
        return;
    }
    answer->body = cJSON_CreateObject();
    shown_position(answer->body, request->story, line, ply);
    links = cJSON_AddObjectToObject(answer->body, "links");
    if (ply > 0)
        shown_any(links, "prev");
    if (ply < end)
        shown_any(links, "next");
    shown_any(links, "board");
    shown_any(links, "picture");
}

static void look_at_legal_moves(struct model_answer *answer, const struct model_request *request)
{
    int line, ply, end;

    if (!find_ply(answer, request, &line, &ply, &end) || is_unchanged(answer, request))
        return;
    answer->status = 200;
    answer->version = request->story->version;
    answer->whole = true;
    if (request->text) {
        answer->text = shown_legal_moves_text(request->story, line, ply);
    } else {
        answer->body = cJSON_CreateObject();
        shown_legal_moves(answer->body, request->story, line, ply, request->tree);
    }
}

void deed_look(struct model_answer *answer, const struct model_request *request)
{
    if (!answer_may_watch(answer, request))
        return;
    if (request->verb == MODEL_GAME)
        look_at_game(answer, request);
    else if (request->verb == MODEL_EVENTS)
        look_at_events(answer, request);
    else if (request->verb == MODEL_HISTORY)
        look_at_history(answer, *request);
    else if (request->verb == MODEL_POSITION)
        look_at_position(answer, request);
    else
        look_at_legal_moves(answer, request);
}
