/* h_replay.c - a line of a game step by step: for programs, for streams of lines, and for `less`.
 */
#include <limits.h>
#include <string.h>

#include "handler_common.h"
#include "handlers.h"
#include "look.h"
#include "play_common.h"
#include "reply.h"
#include "rules/draw/textboard.h"

enum { STEPS_MAX = 1000 }; /* on one page, so that the longest game holds nobody up */

struct replay_args {
    int64_t line; /* 0: the present one */
    int64_t after, limit;
    struct rules_look *look;
};

/* A step: a position, and the move that led to it, if one did. */
struct step {
    const struct db_event *event; /* NULL: the start */
    struct rules_state before, state;
    rules_move last, move; /* `last` came before `move` */
    const char *text;      /* of the move, as people write it */
};

struct replay {
    const struct job *job;
    const struct table *table;
    struct json out;
    int32_t from, to; /* the plies that are shown */
    void (*show)(struct replay *replay, const struct step *step);
};

/* ---- one step ---- */

static void step_json(struct replay *replay, const struct step *step)
{
    const struct rules_game *game = replay->table->game;
    const struct db_event *event = step->event;
    struct move_view view = {.game = game,
                             .before = &step->before,
                             .last = step->last,
                             .move = step->move,
                             .ply = event == NULL ? 0 : event->ply,
                             .line = event == NULL ? 1 : event->line,
                             .seat = event == NULL ? 0 : event->seat,
                             .at = event == NULL ? 0 : event->at};
    struct rules_refusal why;
    struct json *json = &replay->out;

    json_open(json, '{');
    if (event != NULL)
        view_move(json, &view);
    else
        json_member_int(json, "ply", 0);
    json_member(json, "position", event == NULL ? replay->table->row.start : event->position);
    json_member_int(json, "to_move", game->to_move(&step->state));
    json_member_bool(json, "check", game->check != NULL && game->check(&step->state, &why));
    json_close(json, '}');
}

static void step_line(struct replay *replay, const struct step *step)
{
    step_json(replay, step);
    json_plain(&replay->out, "\n");
    replay->out.comma = false;
}

static void step_text(struct replay *replay, const struct step *step)
{
    const struct replay_args *args = replay->job->args;
    struct arena *arena = replay->out.arena;
    struct db_game row = replay->table->row;
    struct game_view view = {&row, replay->table->game, &step->state, 0};
    struct rules_look look = *args->look;

    row.last_move = step->event == NULL ? NULL : step->event->move;
    mark_squares(arena, &look, &view, "last,check");
    if (step->event == NULL)
        json_plain(&replay->out, "start\n\n");
    else
        json_plain(&replay->out,
                   arena_format(arena, "%d  %s  (%s, %s)\n\n", step->event->ply, step->text,
                                step->event->move, json_time_text(arena, step->event->at)));
    json_plain(&replay->out, view_board_text(arena, &view, &look));
    json_plain(&replay->out, "\n");
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
static bool advance(const struct replay *replay, struct step *step, const struct db_event *event)
{
    const struct table *table = replay->table;
    struct rules_refusal why;

    step->event = event;
    step->last = step->move;
    rules_copy(&step->state, &step->before);
    if (!table->game->read_move(&step->before, event->move, &step->move, &why))
        return false;
    step->text = pretty_text(replay->out.arena, table->game, &step->before, step->last, step->move);
    table->game->play(&step->before, step->move, &step->state);
    return true;
}

/* The steps of the page. One or two plies before it are played too: how a move is written may
 * depend on the one before it. */
static bool show_steps(struct replay *replay)
{
    struct step *step = arena_zero(replay->out.arena, sizeof(*step));
    const struct table *table = replay->table;
    int32_t begin = replay->from > 2 ? replay->from - 2 : 0;
    const struct db_event *event = event_at(replay->job, begin);
    struct rules_refusal why;

    if (!rules_load(table->game, &table->options, begin == 0 ? table->row.start : event->position,
                    &step->state, &why))
        return false;
    if (replay->from == 0)
        replay->show(replay, step);
    for (int32_t ply = begin + 1; ply <= replay->to; ply++) {
        event = event_at(replay->job, ply);
        if (event == NULL || !advance(replay, step, event))
            return false;
        if (ply >= replay->from)
            replay->show(replay, step);
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
    struct json *out = &replay->out;

    reply_header(request, "ETag", etag_text(&request->arena, job->table->row.version));
    reply_header(request, "Cache-Control", "no-cache");
    if (next != NULL)
        reply_header(request, "Link", arena_format(&request->arena, "<%s>; rel=\"next\"", next));
    if (request->form == FORM_NDJSON) {
        reply_body(request, 200, "application/x-ndjson", out->text, out->len);
    } else if (request->form == FORM_TEXT) {
        reply_text(request, 200, out->text);
    } else {
        json_close(out, ']');
        json_key(out, "next");
        if (next == NULL)
            json_null(out);
        else
            json_string(out, next);
        json_finish(out);
        reply_json(request, 200, out);
    }
}

static void begin(struct replay *replay, struct job *job)
{
    struct json *out = &replay->out;

    json_init(out, &job->request->arena);
    switch (job->request->form) {
    case FORM_TEXT:
        replay->show = step_text;
        return;
    case FORM_NDJSON:
        replay->show = step_line;
        return;
    default:
        replay->show = step_json;
        json_open(out, '{');
        json_key(out, "items");
        json_open(out, '[');
    }
}

static void step_replay(struct job *job)
{
    const struct replay_args *args = job->args;
    const struct db_game *row = &job->table->row;
    int32_t line, end;
    struct replay replay = {.job = job, .table = job->table};

    if (!may_read_anew(job) || !know_line(job, args->line, &line, &end))
        return;
    replay.from = args->after < end ? (int32_t)args->after + 1 : end + 1;
    replay.to = end - replay.from >= args->limit ? replay.from + (int32_t)args->limit - 1 : end;
    if (line == row->line &&
        !job_need_moves(job, line, replay.from > 3 ? replay.from - 2 : 1, replay.to))
        return;
    begin(&replay, job);
    if (show_steps(&replay))
        answer(&replay, job, replay.to < end ? next_url(job, replay.to) : NULL);
    else
        reply_problem(job->request, "internal", NULL);
    job_done(job);
}

void handle_replay(struct request *request)
{
    static const char *const known[] = {"line", "after", "limit", "view", "style", NULL};
    struct replay_args *args = arena_zero(&request->arena, sizeof(*args));
    db_id id;

    if (!request_query_ok(request, known) || (args->look = look_read(request)) == NULL ||
        !request_query_int(request, "line", 1, INT32_MAX, 0, &args->line) ||
        !request_query_int(request, "after", 0, INT32_MAX, -1, &args->after) ||
        !request_query_int(request, "limit", 1, INT32_MAX, STEPS_MAX, &args->limit))
        return;
    if (args->limit > STEPS_MAX)
        args->limit = STEPS_MAX;
    if (read_id(request, &id))
        job_submit(job_new(request, step_replay, args), id);
}
