/* h_replay.c - a line of a game step by step: for programs, for streams of lines, and for `less`.
 */
#include <limits.h>
#include <string.h>

#include "api/game/course.h"
#include "api/handle/handlers.h"
#include "api/http/accept.h"
#include "api/http/query.h"
#include "api/http/reply.h"
#include "api/http/request.h"
#include "api/play/common.h"
#include "api/play/drawing.h"
#include "api/play/input.h"
#include "api/play/reading.h"
#include "api/table/jobs.h"
#include "api/table/table.h"
#include "api/text/arena.h"
#include "api/text/json.h"
#include "api/text/move_text.h"
#include "api/text/out.h"
#include "api/view/board_text.h"
#include "api/view/marks.h"
#include "api/view/moves.h"
#include "api/view/view.h"
#include "db/db.h"
#include "rules/draw/textboard.h"
#include "rules/rules.h"

enum { STEPS_MAX = 1000 }; /* on one page, so that the longest game holds nobody up */

struct replay_args {
    int64_t line; /* 0: the present one */
    int64_t after, limit;
    struct rules_look *look;
};

/* A step: a position, and the move that led to it, if one did. */
struct scene {
    const struct db_event *event; /* NULL: the start */
    struct rules_state before, state;
    rules_move last, move; /* `last` came before `move` */
    const char *text;      /* of the move, as people write it */
};

struct replay {
    const struct job *job;
    const struct table *table;
    struct json json; /* of the steps: a list, or one a line */
    int32_t from, to; /* the plies that are shown */
    void (*show)(struct replay *replay, const struct scene *scene);
};

/* ---- one step ---- */

static void scene_json(struct replay *replay, const struct scene *scene)
{
    const struct rules_game *game = replay->table->game;
    const struct db_event *event = scene->event;
    struct course_move view = {.game = game,
                               .before = &scene->before,
                               .last = scene->last,
                               .move = scene->move,
                               .ply = event == NULL ? 0 : event->ply,
                               .line = event == NULL ? 1 : event->line,
                               .seat = event == NULL ? 0 : event->seat,
                               .at = event == NULL ? 0 : event->at};
    struct rules_refusal why;
    struct json *json = &replay->json;

    json_open(json, '{');
    if (event != NULL)
        view_move(json, &view);
    else
        json_member_int(json, "ply", 0);
    json_member(json, "position", event == NULL ? replay->table->row.start : event->position);
    json_member_int(json, "to_move", game->to_move(&scene->state));
    json_member_bool(json, "check", game->check != NULL && game->check(&scene->state, &why));
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
    const struct replay_args *args = replay->job->args;
    struct out *out = &replay->json.out;
    struct arena *arena = out->arena;
    struct db_game row = replay->table->row;
    struct game_view view = {&row, replay->table->game, &scene->state, 0};
    struct rules_look look = *args->look;

    row.last_move = scene->event == NULL ? NULL : scene->event->move;
    view_mark_squares(arena, &look, &view, "last,check");
    if (scene->event == NULL)
        out_add(out, "start\n\n");
    else
        out_format(out, "%d  %s  (%s, %s)\n\n", scene->event->ply, scene->text, scene->event->move,
                   json_time_text(arena, scene->event->at));
    out_add(out, view_board_text(arena, &view, &look));
    out_add(out, "\n");
}

/* ---- all of them ---- */

static const struct db_event *event_at(const struct job *job, int32_t ply)
{
    int32_t first = job->moves.count == 0 ? 0 : job->moves.moves[0].ply;

    if (ply < first || ply - first >= (int32_t)job->moves.count)
        return NULL;
    return &job->moves.moves[ply - first];
}

/* Goes on to the position after `ply`, whose move is `event`. False: the rules do not know it. */
static bool advance(const struct replay *replay, struct scene *scene, const struct db_event *event)
{
    const struct table *table = replay->table;
    struct rules_refusal why;

    scene->event = event;
    scene->last = scene->move;
    rules_copy(&scene->state, &scene->before);
    if (!table->game->read_move(&scene->before, event->move, &scene->move, &why))
        return false;
    scene->text = move_text_pretty(replay->json.out.arena, table->game, &scene->before, scene->last,
                                   scene->move);
    table->game->play(&scene->before, scene->move, &scene->state);
    return true;
}

/* The steps of the page. One or two plies before it are played too: how a move is written may
 * depend on the one before it. */
static bool show_scenes(struct replay *replay)
{
    struct scene *scene = arena_zero(replay->json.out.arena, sizeof(*scene));
    const struct table *table = replay->table;
    int32_t begin = replay->from > 2 ? replay->from - 2 : 0;
    const struct db_event *event = event_at(replay->job, begin);
    struct rules_refusal why;

    if (!rules_load(table->game, &table->options, begin == 0 ? table->row.start : event->position,
                    &scene->state, &why))
        return false;
    if (replay->from == 0)
        replay->show(replay, scene);
    for (int32_t ply = begin + 1; ply <= replay->to; ply++) {
        event = event_at(replay->job, ply);
        if (event == NULL || !advance(replay, scene, event))
            return false;
        if (ply >= replay->from)
            replay->show(replay, scene);
    }
    return true;
}

static const char *next_url(struct job *job, int32_t to)
{
    const struct replay_args *args = job->args;
    struct arena *arena = &job->request->arena;
    const char *url = arena_format(arena, "/v1/games/%s/replay?after=%d&limit=%d",
                                   job->request->param[0], to, (int)args->limit);

    return args->line == 0 ? url : arena_format(arena, "%s&line=%d", url, (int)args->line);
}

static void answer(struct replay *replay, struct job *job, const char *next)
{
    struct request *request = job->request;
    struct json *json = &replay->json;

    reply_header(request, "ETag", reply_etag(&request->arena, job->table->row.version));
    reply_header(request, "Cache-Control", "no-cache");
    if (next != NULL)
        reply_header(request, "Link", arena_format(&request->arena, "<%s>; rel=\"next\"", next));
    if (request->form == FORM_NDJSON) {
        reply_body(request, 200, "application/x-ndjson", json->out.text, json->out.len);
    } else if (request->form == FORM_TEXT) {
        reply_text(request, 200, json->out.text);
    } else {
        json_close(json, ']');
        json_key(json, "next");
        if (next == NULL)
            json_null(json);
        else
            json_string(json, next);
        json_finish(json);
        reply_json(request, 200, json);
    }
}

static void begin(struct replay *replay, struct job *job)
{
    struct json *json = &replay->json;

    json_init(json, &job->request->arena);
    switch (job->request->form) {
    case FORM_TEXT:
        replay->show = scene_text;
        return;
    case FORM_NDJSON:
        replay->show = scene_line;
        return;
    default:
        replay->show = scene_json;
        json_open(json, '{');
        json_key(json, "items");
        json_open(json, '[');
    }
}

static enum step step_replay(struct job *job)
{
    const struct replay_args *args = job->args;
    const struct db_game *row = &job->table->row;
    int32_t line, end;
    struct replay replay = {.job = job, .table = job->table};
    enum step step = reading_may_anew(job);

    if (step == STEP_GO)
        step = reading_line(job, args->line, &line, &end);
    if (step != STEP_GO)
        return step;
    replay.from = args->after < end ? (int32_t)args->after + 1 : end + 1;
    replay.to = end - replay.from >= args->limit ? replay.from + (int32_t)args->limit - 1 : end;
    if (line == row->line)
        step = job_need_moves(job, line, replay.from > 3 ? replay.from - 2 : 1, replay.to);
    if (step != STEP_GO)
        return step;
    begin(&replay, job);
    if (show_scenes(&replay))
        answer(&replay, job, replay.to < end ? next_url(job, replay.to) : NULL);
    else
        return play_fail(job);
    return STEP_OVER;
}

void handle_replay(struct request *request)
{
    static const char *const known[] = {"line", "after", "limit", "view", "style", NULL};
    struct replay_args *args = arena_zero(&request->arena, sizeof(*args));
    db_id id;

    if (!query_ok(request, known) || (args->look = drawing_look(request)) == NULL ||
        !query_int(request, "line", 1, INT32_MAX, 0, &args->line) ||
        !query_int(request, "after", 0, INT32_MAX, -1, &args->after) ||
        !query_int(request, "limit", 1, INT32_MAX, STEPS_MAX, &args->limit))
        return;
    if (args->limit > STEPS_MAX)
        args->limit = STEPS_MAX;
    if (input_id(request, &id))
        job_submit(job_new(request, step_replay, args), id);
}
