/* h_history.c - looking at a game: its legal moves, its positions, and the moves of its lines. */
#include <string.h>

#include "api/game/course.h"
#include "api/game/words.h"
#include "api/handle/handlers.h"
#include "api/http/accept.h"
#include "api/http/query.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/play/history.h"
#include "api/play/input.h"
#include "api/play/reading.h"
#include "api/table/jobs.h"
#include "api/text/arena.h"
#include "api/text/json.h"
#include "api/text/move_text.h"
#include "api/text/out.h"
#include "api/view/game.h"
#include "api/view/game_text.h"
#include "api/view/moves.h"
#include "api/view/view.h"
#include "db/db.h"
#include "rules/rules.h"

/* ---- legal moves ---- */

static void answer_legal_moves(struct job *job, const struct game_view *view)
{
    const struct reading *args = job->args;
    struct request *request = job->request;
    struct json json;

    if (reading_unchanged(job) || !reading_can_list(request, view))
        return;
    reply_header(request, "ETag", reply_etag(&request->arena, job->table->row.version));
    json_init(&json, &request->arena);
    if (request->form == FORM_TEXT) {
        const char **texts;
        size_t n = view->row->status <= STATUS_ACTIVE
                       ? move_text_legal(&request->arena, view->game, view->state, &texts)
                       : 0;

        for (size_t i = 0; i < n; i++)
            if (args->from == NULL || strncmp(texts[i], args->from, strlen(args->from)) == 0) {
                out_add(&json.out, texts[i]);
                out_add(&json.out, "\n");
            }
        reply_text(request, 200, json.out.text);
        return;
    }
    json_open(&json, '{');
    json_member_int(&json, "ply", view->row->ply);
    json_key(&json, "to_move");
    if (view->row->status <= STATUS_ACTIVE)
        json_int(&json, view->row->to_move);
    else
        json_null(&json);
    if (args->format != NULL && strcmp(args->format, "tree") == 0)
        view_legal_tree(&json, view);
    else
        view_legal_moves(&json, view, args->from);
    json_finish(&json);
    reply_json(request, 200, &json);
}

void handle_legal_moves(struct request *request)
{
    static const char *const known[] = {"ply", "line", "from", "format", NULL};
    struct reading *args = reading_new(request);

    args->answer = answer_legal_moves;
    if (!query_ok(request, known) || !query_int(request, "ply", -1, INT32_MAX, -1, &args->ply) ||
        !query_int(request, "line", 1, INT32_MAX, 0, &args->line))
        return;
    args->from = query_text(request, "from");
    args->format = query_text(request, "format");
    if (args->format != NULL && strcmp(args->format, "list") != 0 &&
        strcmp(args->format, "tree") != 0)
        reply_problem_at(request, PROBLEM_BAD_PARAMETER, "?format", "list or tree is expected.");
    else
        reading_submit(request, reading_step_position, args);
}

/* ---- positions ---- */

static const char *position_url(struct arena *arena, const struct request *request, int32_t ply,
                                int64_t line)
{
    if (line == 0)
        return arena_format(arena, "/v1/games/%s/positions/%d", request->param[0], ply);
    return arena_format(arena, "/v1/games/%s/positions/%d?line=%lld", request->param[0], ply,
                        (long long)line);
}

/* The neighbours, as links in the header too, where a text has no room for them. */
static void link_neighbours(struct request *request, const char *previous, const char *next)
{
    struct arena *arena = &request->arena;
    const char *links = "";

    if (previous != NULL)
        links = arena_format(arena, "<%s>; rel=\"prev\"", previous);
    if (next != NULL)
        links =
            arena_format(arena, "%s%s<%s>; rel=\"next\"", links, *links == '\0' ? "" : ", ", next);
    if (*links != '\0')
        reply_header(request, "Link", links);
}

/* With its line, so that it may be kept (h_boards.c). */
static const char *board_url(struct request *request, const char *form, const struct db_game *row)
{
    return arena_format(&request->arena, "/v1/games/%s/board.%s?line=%d&ply=%d", request->param[0],
                        form, row->line, row->ply);
}

/* The move that led to the position, as members. */
static void show_last_move(struct json *json, const struct job *job, int32_t ply)
{
    struct rules_state before;
    struct course_move move;
    bool known = history_last_move(job, ply, &before, &move);

    json_key(json, "move");
    if (known)
        json_string(json, move_text(json->out.arena, move.game, &before, move.move));
    else
        json_null(json);
    json_key(json, "text");
    if (known)
        json_string(json,
                    move_text_pretty(json->out.arena, move.game, &before, move.last, move.move));
    else
        json_null(json);
    json_key(json, "effects");
    json_open(json, '[');
    if (known)
        view_effects(json, &move);
    json_close(json, ']');
}

static void answer_position(struct job *job, const struct game_view *view)
{
    const struct reading *args = job->args;
    struct request *request = job->request;
    const struct db_game *row = view->row;
    const char *previous = NULL, *next = NULL;
    struct rules_refusal why;
    struct json json;

    if (input_wants_moves(request) && !reading_can_list(request, view))
        return;

    if (row->ply > 0)
        previous = position_url(&request->arena, request, row->ply - 1, args->line);
    if (row->ply < args->end)
        next = position_url(&request->arena, request, row->ply + 1, args->line);
    link_neighbours(request, previous, next);
    if (request->form == FORM_TEXT) {
        reply_text(request, 200, view_game_text(&request->arena, view));
        return;
    }
    json_init(&json, &request->arena);
    json_open(&json, '{');
    json_member_int(&json, "ply", row->ply);
    json_member_int(&json, "line", row->line);
    json_member(&json, "position", row->position);
    json_member_int(&json, "to_move", row->to_move);
    json_member_bool(&json, "check",
                     view->game->check != NULL && view->game->check(view->state, &why));
    show_last_move(&json, job, row->ply);
    json_member_time(&json, "at", row->last_at);
    json_key(&json, "links");
    json_open(&json, '{');
    if (previous != NULL)
        json_member(&json, "prev", previous);
    if (next != NULL)
        json_member(&json, "next", next);
    json_member(&json, "board", board_url(request, "txt", row));
    json_member(&json, "picture", board_url(request, "svg", row));
    json_close(&json, '}');
    view_extras(&json, view, request->choice);
    json_finish(&json);
    reply_json(request, 200, &json);
}

void handle_position(struct request *request)
{
    static const char *const known[] = {"line", "include", NULL};
    struct reading *args = reading_new(request);
    int32_t ply;

    args->answer = answer_position;
    if (!input_ply(request, -1, &ply) || !query_ok(request, known) || !input_choice(request) ||
        !query_int(request, "line", 1, INT32_MAX, 0, &args->line))
        return;
    args->ply = ply;
    args->with_move = true;
    reading_submit(request, reading_step_position, args);
}

/* ---- the history ---- */

static void show_move(struct json *json, const struct course_move *view)
{
    json_open(json, '{');
    view_move(json, view);
    json_close(json, '}');
}

static void show_move_line(struct json *json, const struct course_move *view)
{
    const char *move = move_text(json->out.arena, view->game, view->before, view->move);
    const char *text =
        move_text_pretty(json->out.arena, view->game, view->before, view->last, view->move);

    out_format(&json->out, "%4d  %s  %s", view->ply, json_time_text(json->out.arena, view->at),
               move);
    if (strcmp(move, text) != 0)
        out_format(&json->out, "  %s", text);
    out_add(&json->out, "\n");
}

/* The text of each move as people write it needs the position before it and the move before it. */
static void view_history(struct json *json, const struct job *job, int32_t from, int32_t to,
                         void (*show)(struct json *, const struct course_move *))
{
    struct rules_state before;
    struct course_move view;
    rules_move last = {{0, 0}};

    for (int32_t ply = from > 2 ? from - 1 : 1; ply <= to; ply++) {
        if (!history_move(job, ply, last, &before, &view))
            continue;
        if (ply >= from)
            show(json, &view);
        last = view.move;
    }
}

static void answer_history(struct job *job, int32_t from, int32_t to, int32_t end)
{
    const struct reading *args = job->args;
    struct request *request = job->request;
    const char *next = NULL;
    struct json json;

    if (to < end)
        next = arena_format(
            &request->arena, "/v1/games/%s/moves?after=%d&limit=%lld%s", request->param[0], to,
            (long long)args->limit,
            args->line == 0 ? ""
                            : arena_format(&request->arena, "&line=%lld", (long long)args->line));
    reply_next(request, next);
    reply_header(request, "ETag", reply_etag(&request->arena, job->table->row.version));
    json_init(&json, &request->arena);
    if (request->form == FORM_TEXT) {
        view_history(&json, job, from, to, show_move_line);
        reply_text(request, 200, json.out.text);
        return;
    }
    reply_list_open(&json);
    view_history(&json, job, from, to, show_move);
    reply_list_send(request, &json, next);
}

static enum step step_history(struct job *job)
{
    const struct reading *args = job->args;
    const struct db_game *row = &job->table->row;
    int32_t line, end, from, to;
    enum step step = reading_may_anew(job);

    if (step == STEP_GO)
        step = reading_line(job, args->line, &line, &end);
    if (step != STEP_GO)
        return step;
    from = (int32_t)(args->after < end ? args->after + 1 : end + 1);
    to = end - from + 1 > args->limit ? from + (int32_t)args->limit - 1 : end;
    /* One more on either side: the moves before the page explain how its first one is written. */
    if (line == row->line)
        step = job_need_moves(job, line, from > 2 ? from - 2 : 1, to);
    if (step != STEP_GO)
        return step;
    answer_history(job, from, to, end);
    return STEP_OVER;
}

void handle_moves(struct request *request)
{
    static const char *const known[] = {"line", "after", "limit", NULL};
    struct reading *args = reading_new(request);

    if (!query_ok(request, known) || !query_int(request, "line", 1, INT32_MAX, 0, &args->line) ||
        !query_int(request, "after", 0, INT32_MAX, 0, &args->after) ||
        !query_limit(request, &args->limit))
        return;
    reading_submit(request, step_history, args);
}
