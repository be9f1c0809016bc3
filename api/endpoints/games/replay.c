/*
 * replay.c - a line of a game, step by step: as JSON for programs, as one line of JSON a step for
 * streams, as a text with all boards for people and `less`.
 *
 * The moves are played again from one position of the line on, rather than each position read from
 * its text: the move between two positions is needed anyway, for what it did.
 */
#include <string.h>

#include "api/endpoints/board_query.h"
#include "api/endpoints/handlers.h"
#include "api/endpoints/look.h"
#include "api/endpoints/use_case.h"
#include "api/game/draft.h"
#include "api/http/accept.h"
#include "api/http/query.h"
#include "api/http/reply.h"
#include "api/http/request.h"
#include "api/live/live_game.h"
#include "api/live/op.h"
#include "api/text/arena.h"
#include "api/text/json.h"
#include "api/text/move_text.h"
#include "api/text/out.h"
#include "api/view/board.h"
#include "api/view/game.h"
#include "api/view/view.h"
#include "db/db.h"
#include "rules/draw/textboard.h"
#include "rules/rules.h"

enum { STEPS_MAX = 1000 }; /* on one page, so that the longest game holds nobody up */

/* A step: a position, and the move that led to it, if one did. */
struct scene {
    const struct db_event *event; /* NULL: the start */
    struct rules_state before, state;
    rules_move last, move; /* `last` came before `move` */
    const char *text;      /* the move as people write it */
};

struct replay {
    int32_t from, to, end; /* the plies that are shown, and the last one of the line */
    const struct op *op;
    const struct live_game *live;
    struct json json; /* the answer so far; of a text, only `out` is used */
    void (*show)(struct replay *replay, const struct scene *scene);
};

/* ---- one step ---- */

static void scene_json(struct replay *replay, const struct scene *scene)
{
    const struct rules_game *game = replay->live->game;
    const struct db_event *event = scene->event;
    struct draft_move view = {.game = game,
                              .before = &scene->before,
                              .last = scene->last,
                              .move = scene->move,
                              .ply = event == NULL ? 0 : event->ply,
                              .line = event == NULL ? 1 : event->line,
                              .seat = event == NULL ? 0 : event->seat,
                              .at = event == NULL ? 0 : event->at};
    struct json *json = &replay->json;

    json_open(json, '{');
    if (event != NULL)
        view_played_move(json, &view);
    else
        json_member_int(json, "ply", 0);
    json_member(json, "position", event == NULL ? replay->live->row.start : event->position);
    json_member_int(json, "to_move", game->to_move(&scene->state));
    json_member_bool(json, "check", view_check(game, &scene->state));
    json_close(json, '}');
}

static void scene_line(struct replay *replay, const struct scene *scene)
{
    scene_json(replay, scene);
    out_add(&replay->json.out, "\n");
    replay->json.comma = false;
}

static void scene_text(struct replay *replay, const struct scene *scene)
{
    const struct reading *args = replay->op->args;
    struct out *out = &replay->json.out;
    struct arena *arena = out->arena;
    struct db_game row = replay->live->row;
    struct game_view view = {.row = &row, .game = replay->live->game, .state = &scene->state};
    struct rules_look look = *args->look;

    row.last_move = scene->event == NULL ? NULL : scene->event->move;
    view_mark_usual(&look, &view);
    if (scene->event == NULL)
        out_add(out, "start\n\n");
    else
        out_format(out, "%d  %s  (%s, %s)\n\n", scene->event->ply, scene->text, scene->event->move,
                   json_time_text(arena, scene->event->at));
    out_add(out, view_board_text(arena, &view, &look));
    out_add(out, "\n");
}

/* ---- all of them ---- */

/* Goes on by a move. False: the rules do not allow it there. */
static bool advance(const struct replay *replay, struct scene *scene, const struct db_event *event)
{
    const struct live_game *live = replay->live;
    struct rules_refusal why;

    scene->event = event;
    scene->last = scene->move;
    rules_copy(&scene->state, &scene->before);
    if (!live->game->read_move(&scene->before, event->move, &scene->move, &why))
        return false;
    scene->text = move_text_pretty(replay->json.out.arena, live->game, &scene->before, scene->last,
                                   scene->move);
    live->game->play(&scene->before, scene->move, &scene->state);
    return true;
}

/* Shows the steps of the page. The move before it is played too, since it may decide how the first
 * one is written. False: what is stored does not fit together. */
static bool show_scenes(struct replay *replay)
{
    struct scene *scene = arena_zero(replay->json.out.arena, sizeof(*scene));
    const struct live_game *live = replay->live;
    int32_t begin = replay->from > 2 ? replay->from - 2 : 0;
    const struct db_event *event = look_event(replay->op, begin);
    struct rules_refusal why;

    if (!rules_load(live->game, &live->options, begin == 0 ? live->row.start : event->position,
                    &scene->state, &why))
        return false;
    if (replay->from == 0)
        replay->show(replay, scene);
    for (int32_t ply = begin + 1; ply <= replay->to; ply++) {
        event = look_event(replay->op, ply);
        if (event == NULL || !advance(replay, scene, event))
            return false;
        if (ply >= replay->from)
            replay->show(replay, scene);
    }
    return true;
}

static void answer_replayed(struct replay *replay, struct op *op, const char *next)
{
    struct request *request = op->request;
    struct json *json = &replay->json;

    look_label(op, NULL);
    reply_next(request, next);
    if (request->form == FORM_NDJSON)
        reply_body(request, 200, "application/x-ndjson", json->out.text, json->out.len);
    else if (request->form == FORM_TEXT)
        reply_text(request, 200, json->out.text);
    else
        reply_list_send(request, json, next);
}

/* Begins the answer in the form that the client wants. */
static void begin_replay(struct replay *replay, const struct op *op)
{
    struct json *json = &replay->json;

    json_init(json, &op->request->arena);
    switch (op->request->form) {
    case FORM_TEXT:
        replay->show = scene_text;
        return;
    case FORM_NDJSON:
        replay->show = scene_line;
        return;
    default:
        replay->show = scene_json;
        reply_list_open(json);
    }
}

static void show_replay(struct op *op)
{
    struct replay *replay = op->prepared;

    replay->op = op;
    replay->live = op->live;
    begin_replay(replay, op);
    if (show_scenes(replay))
        answer_replayed(replay, op,
                        replay->to < replay->end
                            ? look_next_url(op->request, "replay", op->args, replay->to)
                            : NULL);
    else
        use_case_fail(op);
}

static enum step step_replay(struct op *op)
{
    struct replay *replay = arena_zero(&op->request->arena, sizeof(*replay));
    enum step step = look_may_anew(op);

    if (step == STEP_GO)
        step = look_page(op, &replay->from, &replay->to, &replay->end);
    if (step != STEP_GO)
        return step;
    op->prepared = replay;
    return op_offload(op, show_replay);
}

void handle_replay(struct request *request)
{
    static const char *const known[] = {"line", "after", "limit", "view", "style", NULL};
    struct reading *args = look_new(request);

    if (!query_ok(request, known) || (args->look = board_query_look(request)) == NULL ||
        !query_int(request, "line", 1, INT32_MAX, 0, &args->line) ||
        !query_int(request, "after", 0, INT32_MAX, -1, &args->after) ||
        !query_int(request, "limit", 1, INT32_MAX, STEPS_MAX, &args->limit))
        return;
    if (args->limit > STEPS_MAX)
        args->limit = STEPS_MAX;
    look_submit(request, step_replay, args);
}
