/* positions.c - any position of a game, its legal moves there, and the moves of its lines. */
#include <string.h>

#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/endpoints/look.h"
#include "api/game/draft.h"
#include "api/game/words.h"
#include "api/http/accept.h"
#include "api/http/query.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/live/op.h"
#include "api/text/arena.h"
#include "api/text/json.h"
#include "api/text/legal_moves.h"
#include "api/text/move_text.h"
#include "api/text/out.h"
#include "api/view/game.h"
#include "api/view/view.h"
#include "db/db.h"
#include "rules/rules.h"

/* ---- legal moves ---- */

/* One move a line. */
static void legal_moves_text(struct request *request, const struct game_view *view,
                             const char *from)
{
    const char **texts;
    size_t n = 0;
    struct out out;

    if (status_goes_on(view->row->status))
        n = legal_moves_texts(&request->arena, view->game, view->state, &texts);
    out_init(&out, &request->arena);
    for (size_t i = 0; i < n; i++)
        if (from == NULL || strncmp(texts[i], from, strlen(from)) == 0)
            out_format(&out, "%s\n", texts[i]);
    reply_text(request, 200, out.text);
}

/* A client that has the game as it is has its legal moves too: all positions but the present one
 * never change, and that one changes with the game's version. */
static void answer_legal_moves(struct op *op, const struct game_view *view)
{
    const struct reading *args = op->args;
    struct request *request = op->request;
    const char *mark = look_mark_long(request);
    struct json json;

    if (look_unchanged(op, mark) || !look_can_list(request, view))
        return;
    look_label(op, mark);
    if (request->form == FORM_TEXT) {
        legal_moves_text(request, view, args->from);
        return;
    }
    json_init(&json, &request->arena);
    json_open(&json, '{');
    json_member_int(&json, "ply", view->row->ply);
    json_key(&json, "to_move");
    view_to_move(&json, view->row);
    if (args->format != NULL && strcmp(args->format, "tree") == 0)
        view_legal_tree(&json, view);
    else
        view_legal_moves(&json, view, args->from);
    json_finish(&json);
    reply_json_long(request, &json);
}

void handle_legal_moves(struct request *request)
{
    static const char *const known[] = {"ply", "line", "from", "format", NULL};
    struct reading *args = look_new(request);

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
        look_submit(request, look_step_position, args);
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

/* The addresses of the positions before and after one; NULL: there is none. */
struct neighbours {
    const char *previous, *next;
};

/* Without a line in the request, the present position is the last one. */
static struct neighbours find_neighbours(const struct op *op, const struct db_game *row)
{
    const struct reading *args = op->args;
    struct request *request = op->request;
    struct neighbours found = {NULL, NULL};

    if (row->ply > 0)
        found.previous = position_url(&request->arena, request, row->ply - 1, args->line);
    if (row->ply < args->end)
        found.next = position_url(&request->arena, request, row->ply + 1, args->line);
    return found;
}

/* Tells the neighbours in the header too, since a text has no room for them. */
static void link_neighbours(struct request *request, const struct neighbours *found)
{
    struct arena *arena = &request->arena;
    const char *links = "";

    if (found->previous != NULL)
        links = arena_format(arena, "<%s>; rel=\"prev\"", found->previous);
    if (found->next != NULL)
        links = arena_format(arena, "%s%s<%s>; rel=\"next\"", links, *links == '\0' ? "" : ", ",
                             found->next);
    if (*links != '\0')
        reply_header(request, "Link", links);
}

/* The address of the position's board. It names the line too, so that the board may be cached
 * (boards.c). */
static const char *board_url(struct request *request, const char *form, const struct db_game *row)
{
    return arena_format(&request->arena, "/v1/games/%s/board.%s?line=%d&ply=%d", request->param[0],
                        form, row->line, row->ply);
}

/* Writes the move that led to the position, as members. */
static void show_last_move(struct json *json, const struct op *op, int32_t ply)
{
    struct rules_state before;
    struct draft_move move;
    bool known = look_last_move(op, ply, &before, &move);

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

static void view_found_position_links(struct json *json, struct request *request,
                                      const struct db_game *row, const struct neighbours *found)
{
    json_key(json, "links");
    json_open(json, '{');
    if (found->previous != NULL)
        json_member(json, "prev", found->previous);
    if (found->next != NULL)
        json_member(json, "next", found->next);
    json_member(json, "board", board_url(request, "txt", row));
    json_member(json, "picture", board_url(request, "svg", row));
    json_close(json, '}');
}

static void answer_position(struct op *op, const struct game_view *view)
{
    struct request *request = op->request;
    const struct db_game *row = view->row;
    struct neighbours found;
    struct json json;

    found = find_neighbours(op, row);
    link_neighbours(request, &found);
    reply_header(request, "Cache-Control", "no-cache");
    reply_header(request, "Vary", "Accept, Accept-Encoding, Authorization, Origin");
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
    json_member_bool(&json, "check", view_check(view->game, view->state));
    show_last_move(&json, op, row->ply);
    json_member_time(&json, "at", row->last_at);
    view_found_position_links(&json, request, row, &found);
    view_extras(&json, view, request->choice);
    json_finish(&json);
    reply_json_long(request, &json);
}

void handle_position(struct request *request)
{
    static const char *const known[] = {"line", "include", "lang", NULL};
    struct reading *args = look_new(request);
    int32_t ply;

    args->answer = answer_position;
    if (!input_ply(request, -1, &ply) || !query_ok(request, known) || !input_choice(request) ||
        !query_int(request, "line", 1, INT32_MAX, 0, &args->line))
        return;
    args->ply = ply;
    args->with_move = true;
    look_submit(request, look_step_position, args);
}

/* ---- the history ---- */

static void show_move(struct json *json, const struct draft_move *view)
{
    json_open(json, '{');
    view_played_move(json, view);
    json_close(json, '}');
}

static void show_move_line(struct json *json, const struct draft_move *view)
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

/* Shows the moves of a page. The move before it is read too, since it may decide how the first one
 * is written. */
static void view_history(struct json *json, const struct op *op, int32_t from, int32_t to,
                         void (*show)(struct json *, const struct draft_move *))
{
    struct rules_state before;
    struct draft_move view;
    rules_move last = {{0, 0}};

    for (int32_t ply = from > 2 ? from - 1 : 1; ply <= to; ply++) {
        if (!look_move(op, ply, last, &before, &view))
            continue;
        if (ply >= from)
            show(json, &view);
        last = view.move;
    }
}

static void answer_history(struct op *op, int32_t from, int32_t to, int32_t end)
{
    const struct reading *args = op->args;
    struct request *request = op->request;
    const char *next = to < end ? look_next_url(request, "moves", args, to) : NULL;
    struct json json;

    reply_next(request, next);
    look_label(op, NULL);
    json_init(&json, &request->arena);
    if (request->form == FORM_TEXT) {
        view_history(&json, op, from, to, show_move_line);
        reply_text(request, 200, json.out.text);
        return;
    }
    reply_list_open(&json);
    view_history(&json, op, from, to, show_move);
    reply_list_send(request, &json, next);
}

static enum step step_history(struct op *op)
{
    int32_t from, to, end;
    enum step step = look_may_anew(op);

    if (step == STEP_GO)
        step = look_page(op, &from, &to, &end);
    if (step != STEP_GO)
        return step;
    answer_history(op, from, to, end);
    return STEP_OVER;
}

void handle_moves(struct request *request)
{
    static const char *const known[] = {"line", "after", "limit", NULL};
    struct reading *args = look_new(request);

    if (!query_ok(request, known) || !query_int(request, "line", 1, INT32_MAX, 0, &args->line) ||
        !query_int(request, "after", 0, INT32_MAX, 0, &args->after) ||
        !query_limit(request, &args->limit))
        return;
    look_submit(request, step_history, args);
}
