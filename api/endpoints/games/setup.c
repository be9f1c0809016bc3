#include "api/endpoints/games/setup.h"

#include <string.h>

#include "api/endpoints/use_case.h"
#include "api/game/words.h"
#include "api/http/reply_problem.h"
#include "api/text/json_read.h"
#include "api/text/options.h"
#include "api/text/problem.h"
#include "api/text/refusal.h"
#include "api/view/view.h"

struct setup_seen {
    struct draft draft;
};

/* What the row says of the start position. */
static void tell_start(const struct creation *creation, struct draft *draft)
{
    struct db_game *row = &draft->row;
    char text[RULES_POSITION_TEXT];

    creation->game->position_text(&draft->state, text);
    row->start = row->position = arena_copy(draft->arena, text, strlen(text));
    row->options = options_to_json(creation->game, draft->arena, &creation->options, row->start);
    row->variant = creation->game->name;
    row->rules_version = creation->game->version;
    row->line = row->lines = 1;
    row->to_move = (int16_t)creation->game->to_move(&draft->state);
    row->deadline_at = DB_NEVER;
}

bool setup_start(struct creation *creation, struct setup_fault *fault)
{
    struct draft *draft = &creation->draft;
    struct setup_seen *seen = arena_alloc(draft->arena, sizeof(*seen));
    bool starts;

    seen->draft = *draft;
    starts = rules_start(creation->game, &creation->options, creation->position, &seen->draft.state,
                         &fault->why);
    fault->in_moves = false;
    fault->seen = !starts && (fault->why.visible || fault->why.witnesses > 0) ? seen : NULL;
    if (starts || fault->why.visible)
        tell_start(creation, &seen->draft);
    if (!starts)
        return false;
    *draft = seen->draft;
    draft->row.status = STATUS_ACTIVE;
    draft->keys[0] = creation->game->key(&draft->state);
    draft->nkeys = 1;
    return true;
}

struct game_view setup_look(const struct request *request, const struct setup_fault *fault)
{
    struct game_view view = use_case_draft_view(request, &fault->seen->draft, 0);

    view.unplayable = &fault->why;
    return view;
}

bool setup_may_look(const struct creation *creation, const struct setup_fault *fault)
{
    return !fault->in_moves && fault->why.visible && creation->nmoves == 0;
}

bool setup_play(struct creation *creation, struct setup_fault *fault)
{
    struct draft *draft = &creation->draft;
    int32_t from;

    fault->in_moves = true;
    /* The draft has the whole past, so it never needs keys. */
    for (fault->at = 0; fault->at < creation->nmoves; fault->at++) {
        rules_refuse(&fault->why, RULES_GAME_OVER, NULL);
        if (!draft_goes_on(draft) ||
            draft_play(draft, creation->moves[fault->at], &fault->why, &from) != DRAFT_PLAYED)
            return false;
    }
    return true;
}

/* Whether an option of the game names its start position. Such an option and a position may not
 * contradict each other, so what is inherited is given by one of them alone. */
static bool options_say_start(const struct rules_game *game)
{
    for (size_t i = 0; i < game->noptions; i++)
        if (game->options[i].kind == RULES_OPTION_START)
            return true;
    return false;
}

struct creation *setup_imagine(struct request *request, const struct rules_game *game)
{
    struct creation *creation = arena_zero(&request->arena, sizeof(*creation));

    creation->request = request;
    creation->game = game;
    rules_options_init(&creation->options);
    draft_new(&creation->draft, &request->arena, game, 0);
    return creation;
}

bool setup_play_out(struct creation *creation, struct setup_fault *fault)
{
    if (!setup_start(creation, fault))
        return false;
    draft_judge(&creation->draft);
    return setup_play(creation, fault);
}

void setup_inherit(struct creation *creation, const struct rules_game *game, const char *options,
                   const char *start)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};

    creation->game = game;
    options_from_json(game, &creation->request->arena, options, &creation->options, &error);
    if (!options_say_start(game))
        creation->position = arena_copy(&creation->request->arena, start, strlen(start));
}

/* ---- what is refused ---- */

/* Whether the request has no body, so that all it asks for stands in its query. */
static bool in_query(const struct creation *creation)
{
    enum method method = creation->request->method;

    return method == METHOD_GET || method == METHOD_HEAD;
}

static const char *option_pointer(const struct creation *creation, const char *option)
{
    return arena_format(&creation->request->arena,
                        in_query(creation) ? "?options.%s" : "/options/%s", option);
}

/* Without a position of its own, the start stands in the option that names it, if there is one. */
const char *setup_start_pointer(const struct creation *creation)
{
    const struct rules_game *game = creation->game;

    for (size_t i = 0; i < game->noptions && creation->position == NULL; i++)
        if (game->options[i].kind == RULES_OPTION_START)
            return option_pointer(creation, game->options[i].name);
    return in_query(creation) ? "?position" : "/position";
}

const char *setup_fault_text(const struct creation *creation, const struct setup_fault *fault)
{
    struct arena *arena = &creation->request->arena;
    const char *starts;

    if (fault->in_moves)
        return refusal_text(arena, creation->game, &creation->draft.state,
                            creation->moves[fault->at], &fault->why, creation->request->lang);
    starts = options_no_such_start(arena, creation->game, &creation->options, creation->position);
    return starts != NULL ? starts
                          : refusal_text(arena, creation->game,
                                         fault->why.visible ? &fault->seen->draft.state : NULL,
                                         creation->position, &fault->why, creation->request->lang);
}

/* Squares can be named only on a board, and a start that is refused has one only where it may be
 * looked at, or the refusal has witnesses (rules_game.start). */
static void view_start_fault(struct json *json, const struct creation *creation,
                             const struct setup_fault *fault)
{
    const char *option = fault->why.option;

    reply_problem_point(creation->request, json,
                        option == NULL ? setup_start_pointer(creation)
                                       : option_pointer(creation, option));
    view_refusal(json, creation->game, fault->seen == NULL ? NULL : &fault->seen->draft.state,
                 &fault->why, creation->request->lang);
}

void setup_fault_view(struct json *json, const struct creation *creation,
                      const struct setup_fault *fault)
{
    if (!fault->in_moves) {
        view_start_fault(json, creation, fault);
        return;
    }
    reply_problem_point(
        creation->request, json,
        in_query(creation) ? "?moves" : arena_format(json->out.arena, "/moves/%zu", fault->at));
    json_member_int(json, "at", (int64_t)fault->at);
    json_member(json, "move", creation->moves[fault->at]);
    view_refusal(json, creation->game, &creation->draft.state, &fault->why,
                 creation->request->lang);
}

void setup_refuse(struct creation *creation, const struct setup_fault *fault)
{
    enum problem problem = problem_of(fault->why.code);
    struct json json;

    reply_problem_open(creation->request, &json, problem, setup_fault_text(creation, fault));
    setup_fault_view(&json, creation, fault);
    reply_problem_send(creation->request, &json, problem);
}
