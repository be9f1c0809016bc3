/*
 * boards.c - a game's board as a text, as a picture, and all of its boards as an animated picture.
 *
 * What may be cached: moves are only ever added at the end of a line, so a line and a ply name one
 * position for ever. An address that names both is immutable, unless that is the present position:
 * below its board stands how the game ended, and a game can end without a move. An address that
 * names the ply alone is never immutable, since undo and other moves put another position there.
 * Nor is an animation, which goes up to the end of a line, or a picture with the players' names,
 * which may change. The documents of a private game may be kept by the client, but not by caches on
 * the way.
 */
#include <string.h>

#include "api/endpoints/board_query.h"
#include "api/endpoints/handlers.h"
#include "api/endpoints/look.h"
#include "api/endpoints/use_case.h"
#include "api/game/row.h"
#include "api/game/words.h"
#include "api/http/query.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/live/live_game.h"
#include "api/live/op.h"
#include "api/text/arena.h"
#include "api/view/board.h"
#include "api/view/view.h"
#include "db/db.h"
#include "rules/draw/picture.h"
#include "rules/rules.h"

enum {
    FILM_MAX = 400,        /* plies of a replay */
    FILM_BYTES = 96 << 10, /* of the board and the men, most often, */
    FILM_PLY_BYTES = 1500  /* and of each ply; more cost a second drawing */
};

/* Whether the view is the present position of the game. */
static bool is_present(const struct op *op, const struct game_view *view)
{
    return view->row->ply == op->live->row.ply && view->row->line == op->live->row.line;
}

/* The Cache-Control of the board. */
static const char *how_long(const struct op *op, const struct game_view *view)
{
    const struct reading *args = op->args;

    if (args->line == 0 || args->ply < 0 || args->with_names || is_present(op, view))
        return "no-cache";
    return row_hides(view->row) ? "private, max-age=31536000, immutable"
                                : "public, max-age=31536000, immutable";
}

/* Completes the look of the board: marks what is asked for, and says how the game ended if this is
 * the position that it ended in. False: it was answered. */
static bool finish_look(struct op *op, const struct game_view *view)
{
    const struct reading *args = op->args;

    if (!board_query_mark(op->request, args->look, view) ||
        !board_query_stacks(op->request, args->look, view))
        return false;
    if (is_present(op, view))
        args->look->ending = view_ending(&op->request->arena, view);
    reply_header(op->request, "Vary", "Authorization, Origin");
    return true;
}

/* Submits the reading for the ply and the line that the query names. */
static void submit_board(struct request *request, struct reading *args)
{
    args->with_trail = true;
    if (query_int(request, "ply", -1, INT32_MAX, -1, &args->ply) &&
        query_int(request, "line", 1, INT32_MAX, 0, &args->line))
        look_submit(request, look_step_position, args);
}

/* ---- as a text ---- */

static void answer_text(struct op *op, const struct game_view *view)
{
    const struct reading *args = op->args;
    const char *text;

    if (!finish_look(op, view))
        return;
    text = view_board_text(&op->request->arena, view, args->look);
    reply_document(op->request, how_long(op, view), "text/plain; charset=utf-8", text,
                   strlen(text));
}

void handle_board_text(struct request *request)
{
    static const char *const known[] = {"ply",   "line",   "view", "style",
                                        "marks", "stacks", "lang", NULL};
    struct reading *args = look_new(request);

    args->answer = answer_text;
    if (!query_ok(request, known))
        return;
    args->look = board_query_look(request);
    if (args->look != NULL)
        submit_board(request, args);
}

/* ---- as a picture ---- */

static void answer_picture(struct op *op, const struct game_view *view)
{
    const struct reading *args = op->args;

    if (!finish_look(op, view))
        return;
    if (args->with_names)
        view_name_players(&op->request->arena, view, args->frame);
    board_query_reply(op->request, how_long(op, view),
                      view_board_picture(&op->request->arena, view, args->look, args->frame));
}

static void answer_pixels(struct op *op, const struct game_view *view)
{
    const struct reading *args = op->args;

    if (finish_look(op, view))
        board_query_reply_png(
            op->request, how_long(op, view),
            view_board_picture(&op->request->arena, view, args->look, args->frame));
}

static void submit_picture(struct request *request, struct reading *args, unsigned widest)
{
    args->look = board_query_look(request);
    args->frame = args->look == NULL ? NULL : board_query_frame(request, widest);
    if (args->frame != NULL)
        submit_board(request, args);
}

void handle_board_picture(struct request *request)
{
    static const char *const known[] = {"ply",    "line",   "view", "marks", "size", "theme",
                                        "coords", "stacks", "ids",  "names", "lang", NULL};
    struct reading *args = look_new(request);

    args->answer = answer_picture;
    if (!query_ok(request, known) || !query_bool(request, "names", &args->with_names))
        return;
    args->with_move = args->with_names;
    submit_picture(request, args, BOARD_SVG_WIDEST);
}

void handle_board_pixels(struct request *request)
{
    static const char *const known[] = {"ply",   "line",   "view",   "marks", "size",
                                        "theme", "coords", "stacks", NULL};
    struct reading *args = look_new(request);

    args->answer = answer_pixels;
    args->takes_long = true;
    if (query_ok(request, known))
        submit_picture(request, args, BOARD_PNG_WIDEST);
}

/* ---- all of them ---- */

/* Where the positions of an animation come from. */
struct film_source {
    const struct op *op;
    int32_t first;
};

static bool load_position(void *context, unsigned i, struct rules_state *state)
{
    const struct film_source *source = context;
    const struct live_game *live = source->op->live;
    int32_t ply = source->first + (int32_t)i;
    const struct db_event *move = look_event(source->op, ply);
    struct rules_refusal why;

    return (move != NULL || ply == 0) &&
           rules_load(live->game, &live->options, move == NULL ? live->row.start : move->position,
                      state, &why);
}

/* Draws the animation. Most fit into the first buffer; of one that does not, the size is known
 * then. NULL: a position cannot be read. */
static const char *draw_film(struct op *op, const struct rules_film *film)
{
    const struct reading *args = op->args;
    const struct rules_game *game = op->live->game;
    struct arena *arena = &op->request->arena;
    size_t cap = FILM_BYTES + (size_t)film->count * FILM_PLY_BYTES, len;
    char *text = arena_alloc(arena, cap);

    len = rules_replay_picture(game, film, args->look, args->frame, text, cap);
    if (len >= cap) {
        text = arena_alloc(arena, len + 1);
        rules_replay_picture(game, film, args->look, args->frame, text, len + 1);
    }
    return len == 0 ? NULL : text;
}

/* The plies of an animation, and the last one of the line. */
struct film_plies {
    int32_t from, to, end;
};

static void answer_replay(struct op *op)
{
    const struct film_plies *plies = op->prepared;
    const struct reading *args = op->args;
    int32_t from = plies->from, to = plies->to;
    struct request *request = op->request;
    struct game_view present = use_case_view(op);
    struct film_source source = {op, from};
    const struct rules_film film = {&source, (unsigned)(to - from) + 1, load_position,
                                    (unsigned)from, (unsigned)args->pace};
    const char *text;

    if (to == present.row->ply && (args->line == 0 || args->line == present.row->line))
        args->look->ending = view_ending(&request->arena, &present);
    view_say_words(&request->arena, &present, args->look);
    text = draw_film(op, &film);
    if (text == NULL) {
        reply_problem(request, PROBLEM_INTERNAL, NULL);
        return;
    }
    reply_next(request, to < plies->end ? look_next_url(request, "replay.svg", args, to) : NULL);
    reply_header(request, "Vary", "Authorization, Origin");
    board_query_reply(request, "no-cache", text);
}

/* Unlike a page of moves, an animation begins with the position at `after`, in which its first move
 * is made. */
static enum step step_replay(struct op *op)
{
    const struct reading *args = op->args;
    int32_t line, end, from = (int32_t)args->after, to;
    struct film_plies *plies;
    enum step step = look_may(op);

    if (step == STEP_GO)
        step = look_line(op, args->line, &line, &end);
    if (step != STEP_GO)
        return step;
    if (from > end)
        return look_no_such_ply(op);
    to = end - from > args->limit ? from + (int32_t)args->limit : end;
    step = look_need_moves(op, line, from, to);
    if (step != STEP_GO)
        return step;
    plies = arena_alloc(&op->request->arena, sizeof(*plies));
    *plies = (struct film_plies){from, to, end};
    op->prepared = plies;
    return op_offload(op, answer_replay);
}

void handle_replay_picture(struct request *request)
{
    static const char *const known[] = {"line",  "after",  "limit", "pace", "view", "size",
                                        "theme", "coords", "ids",   "lang", NULL};
    struct reading *args = look_new(request);

    if (!query_ok(request, known) || !query_int(request, "line", 1, INT32_MAX, 0, &args->line) ||
        !query_int(request, "after", 0, INT32_MAX, 0, &args->after) ||
        !query_int(request, "limit", 1, FILM_MAX, FILM_MAX, &args->limit) ||
        !query_int(request, "pace", 1, 60, 1, &args->pace))
        return;
    args->look = board_query_look(request);
    args->frame = args->look == NULL ? NULL : board_query_frame(request, BOARD_SVG_WIDEST);
    if (args->frame != NULL)
        look_submit(request, step_replay, args);
}
