#include "api/endpoints/look.h"

#include "api/endpoints/input.h"
#include "api/endpoints/refuse.h"
#include "api/endpoints/use_case.h"
#include "api/game/messages.h"
#include "api/game/row.h"
#include "api/game/words.h"
#include "api/http/accept.h"
#include "api/http/query.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/live/auth.h"
#include "api/live/fetch.h"
#include "api/text/url.h"
#include "api/view/view.h"

/* ---- whether it may be shown ---- */

enum step look_may(struct op *op)
{
    enum step step = op_need_confirmed(op);
    unsigned seats;

    if (step != STEP_GO)
        return step;
    seats = auth_seats(op->request, &op->live->row);
    if (use_case_hides(op)) {
        reply_problem(op->request, PROBLEM_NO_SUCH_GAME, NULL);
        return STEP_OVER;
    }
    return seats != 0 || auth_spectator(op->request) ? STEP_GO : STEP_OVER;
}

bool look_hears(const struct op *op)
{
    const struct db_game *row = &op->live->row;

    return messages_are_read(row, auth_seats(op->request, row));
}

const struct db_event *look_events(const struct op *op, const struct db_event *events, size_t count)
{
    const struct db_game *row = &op->live->row;

    return messages_shown(&op->request->arena, row_is_public(row), auth_seats(op->request, row),
                          events, count);
}

/* A client that writes its tag itself, from the version, has some form of it. */
bool look_is_known(struct op *op, const char *mark)
{
    struct request *request = op->request;
    int32_t version = op->live->row.version;

    return request_has(request, reply_shown_etag(request, version, mark)) ||
           request_has(request, reply_etag(&request->arena, version));
}

void look_label(struct op *op, const char *mark)
{
    struct request *request = op->request;

    reply_header(request, "ETag", reply_shown_etag(request, op->live->row.version, mark));
    reply_header(request, "Cache-Control", "no-cache");
    reply_header(request, "Vary", "Accept, Accept-Encoding, Authorization, Origin");
}

const char *look_mark_long(struct request *request)
{
    return request->form == FORM_JSON && reply_takes_gzip(request) ? "gzip" : NULL;
}

bool look_unchanged(struct op *op, const char *mark)
{
    if (!look_is_known(op, mark))
        return false;
    look_label(op, mark);
    reply_empty(op->request, 304);
    return true;
}

enum step look_may_anew(struct op *op)
{
    enum step step = look_may(op);

    return step == STEP_GO && look_unchanged(op, NULL) ? STEP_OVER : step;
}

bool look_can_list(struct request *request, const struct game_view *view)
{
    if (view_can_list(&request->arena, view))
        return true;
    reply_problem(request, PROBLEM_TOO_MANY_MOVES, NULL);
    return false;
}

/* ---- plies and lines ---- */

enum step look_no_such_ply(struct op *op)
{
    struct game_view view = use_case_view(op);

    refuse_game(op->request, &view, PROBLEM_NO_SUCH_PLY,
                arena_format(&op->request->arena,
                             "The present line is %d and goes from ply 0 to ply %d. The first line "
                             "is 1, the last one %d.",
                             view.row->line, view.row->tip, view.row->lines));
    return STEP_OVER;
}

enum step look_line_end(struct op *op, int32_t line, int32_t *end)
{
    const struct db_game *row = &op->live->row;

    if (line != row->line)
        return fetch_line_end(op, line, end);
    *end = row->tip;
    return STEP_GO;
}

enum step look_line(struct op *op, int64_t wanted, int32_t *line, int32_t *end)
{
    const struct db_game *row = &op->live->row;

    *line = wanted == 0 ? row->line : (int32_t)wanted;
    *end = row->ply;
    if (*line > row->lines)
        return look_no_such_ply(op);
    return wanted == 0 ? STEP_GO : look_line_end(op, *line, end);
}

enum step look_need_moves(struct op *op, int32_t line, int32_t from, int32_t to)
{
    return fetch_moves(op, line, from < 1 ? 1 : from, to);
}

enum step look_page(struct op *op, int32_t *from, int32_t *to, int32_t *end)
{
    const struct reading *reading = op->args;
    int32_t line;
    enum step step = look_line(op, reading->line, &line, end);

    if (step != STEP_GO)
        return step;
    *from = (int32_t)(reading->after < *end ? reading->after : *end) + 1;
    *to = *end - *from >= reading->limit ? *from + (int32_t)reading->limit - 1 : *end;
    return look_need_moves(op, line, *from - 2, *to);
}

const char *look_next_url(struct request *request, const char *what, const struct reading *reading,
                          int32_t to)
{
    struct arena *arena = &request->arena;
    const char *lang = query_text(request, "lang");
    const char *url = arena_format(arena, "/v1/games/%s/%s?after=%d&limit=%d", request->param[0],
                                   what, to, (int)reading->limit);

    if (reading->kind != 0)
        url = arena_format(arena, "%s&type=%s", url, words_event(reading->kind));
    if (lang != NULL)
        url = arena_format(arena, "%s&lang=%s", url, url_encode(arena, lang));
    return reading->line == 0 ? url : arena_format(arena, "%s&line=%d", url, (int)reading->line);
}

/* ---- positions ---- */

bool look_back(const struct op *op, int32_t line, int32_t ply, const struct db_event *move,
               struct game_view *view)
{
    struct arena *arena = &op->request->arena;
    const struct rules_game *game = op->live->game;
    struct db_game *then = arena_alloc(arena, sizeof(*then));
    struct rules_state *state = arena_alloc(arena, sizeof(*state));
    struct rules_outcome outcome;
    struct rules_refusal why;

    *then = op->live->row;
    then->line = line;
    row_set_move(then, ply, move);
    if (!rules_load(game, &op->live->options, then->position, state, &why))
        return false;
    then->to_move = (int16_t)game->to_move(state);
    outcome = rules_outcome_now(game, state);
    then->status = outcome.status == RULES_ONGOING ? STATUS_ACTIVE : STATUS_FINISHED;
    then->winner = outcome.status == RULES_WON ? outcome.winner : 0;
    then->reason = outcome.status == RULES_ONGOING ? NULL : rules_reason_text(outcome.reason);
    view->row = then;
    view->state = state;
    return true;
}

/* Whether a ply of a line (0: the present one) is the present position. Ply -1 is the last one,
 * which of a line that is named may be undone. */
static bool is_present(const struct db_game *row, int64_t line, int64_t ply)
{
    return line == 0 ? ply < 0 || ply == row->ply : line == row->line && ply == row->ply;
}

/* The move that led to a ply, and the position before it, which were fetched. */
static void show_trail(const struct op *op, int32_t ply, struct game_view *view)
{
    struct rules_state *before = arena_alloc(&op->request->arena, sizeof(*before));
    struct draft_move move;

    if (!look_last_move(op, ply, before, &move))
        return;
    view->before = before;
    view->last = move.move;
    view->earlier = move.last;
}

/* The position that is asked for is in *view. The present one is there without any reading. */
static enum step know_position(struct op *op, struct game_view *view)
{
    struct reading *reading = op->args;
    const struct db_game *row = &op->live->row;
    bool with_move = reading->with_move || (reading->with_trail && op->live->game->drawing.trailed);
    int32_t line, ply, end;
    const struct db_event *move;
    enum step step;

    *view = use_case_view(op);
    if (is_present(row, reading->line, reading->ply) && !with_move)
        return STEP_GO;
    step = look_line(op, reading->line, &line, &end);
    if (step != STEP_GO)
        return step;
    ply = reading->ply < 0 ? end : (int32_t)reading->ply;
    reading->end = end;
    if (ply > end)
        return look_no_such_ply(op);
    step = look_need_moves(op, line, with_move ? ply - 2 : ply, ply);
    if (step != STEP_GO)
        return step;
    if (with_move)
        show_trail(op, ply, view);
    move = look_event(op, ply);
    if (is_present(row, line, ply))
        return STEP_GO;
    if ((move == NULL && ply > 0) || !look_back(op, line, ply, move, view))
        return use_case_fail(op);
    return STEP_GO;
}

/* The view of an earlier position has a copy of the row. That of the present one, prepared without
 * a row, points into the live game, and the worker has a copy of it. */
static void answer_by_worker(struct op *op)
{
    const struct reading *reading = op->args;
    const struct game_view *prepared = op->prepared;
    struct game_view present = use_case_view(op);

    present.before = prepared->before;
    present.last = prepared->last;
    present.earlier = prepared->earlier;
    reading->answer(op, prepared->row == NULL ? &present : prepared);
}

static enum step offload_answer(struct op *op, const struct game_view *view)
{
    struct arena *arena = &op->request->arena;
    struct game_view *prepared = arena_alloc(arena, sizeof(*prepared));
    struct db_game *row = NULL;

    if (view->row != &op->live->row) {
        row = arena_alloc(arena, sizeof(*row));
        live_copy_row(arena, view->row, row);
    }
    *prepared = *view;
    prepared->row = row;
    prepared->clock = NULL;
    prepared->offers = NULL;
    op->prepared = prepared;
    return op_offload(op, answer_by_worker);
}

enum step look_step_position(struct op *op)
{
    const struct reading *reading = op->args;
    struct game_view view;
    enum step step = look_may(op);

    if (step == STEP_GO)
        step = know_position(op, &view);
    if (step != STEP_GO)
        return step;
    if (reading->takes_long || rules_is_heavy(view.game, view.state))
        return offload_answer(op, &view);
    reading->answer(op, &view);
    return STEP_OVER;
}

struct reading *look_new(struct request *request)
{
    struct reading *reading = arena_zero(&request->arena, sizeof(*reading));

    reading->ply = -1;
    return reading;
}

void look_submit(struct request *request, enum step (*step)(struct op *op), struct reading *reading)
{
    db_id id;

    if (input_id(request, &id))
        op_submit(op_new(request, step, reading), id);
}

/* ---- any position of a line: the moves up to it, played again ---- */

/* Fetched moves are those of successive plies. */
const struct db_event *look_event(const struct op *op, int32_t ply)
{
    const struct line_moves *moves = &op->moves;
    int32_t first = moves->count == 0 ? 0 : moves->moves[0].ply;

    if (ply < first || ply - first >= (int32_t)moves->count)
        return NULL;
    return &moves->moves[ply - first];
}

bool look_move(const struct op *op, int32_t ply, rules_move last, struct rules_state *before,
               struct draft_move *view)
{
    const struct live_game *live = op->live;
    const struct db_event *event = look_event(op, ply), *previous = look_event(op, ply - 1);
    struct rules_refusal why;

    if (event == NULL || (previous == NULL && ply > 1))
        return false;
    *view = (struct draft_move){.game = live->game,
                                .before = before,
                                .last = last,
                                .ply = event->ply,
                                .line = event->line,
                                .seat = event->seat,
                                .at = event->at,
                                .data = event->data};
    return rules_load(live->game, &live->options,
                      previous == NULL ? live->row.start : previous->position, before, &why) &&
           live->game->read_move(before, event->move, &view->move, &why);
}

bool look_last_move(const struct op *op, int32_t ply, struct rules_state *before,
                    struct draft_move *view)
{
    rules_move last = {{0, 0}};

    if (look_move(op, ply - 1, last, before, view))
        last = view->move;
    return look_move(op, ply, last, before, view);
}
