#include "api/endpoints/look.h"

#include "api/endpoints/common.h"
#include "api/endpoints/history.h"
#include "api/endpoints/input.h"
#include "api/endpoints/refuse.h"
#include "api/game/row.h"
#include "api/game/words.h"
#include "api/http/accept.h"
#include "api/http/query.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/live/auth.h"
#include "api/live/fetch.h"
#include "api/view/moves.h"

/* ---- whether it may be shown ---- */

enum step reading_may(struct job *job)
{
    enum step step = job_need_confirmed(job);
    unsigned seats;

    if (step != STEP_GO)
        return step;
    seats = auth_seats(job->request, &job->table->row);
    if (play_hides(job->table, seats)) {
        reply_problem(job->request, PROBLEM_NO_SUCH_GAME, NULL);
        return STEP_OVER;
    }
    return seats != 0 || auth_spectator(job->request) ? STEP_GO : STEP_OVER;
}

/* A client that writes its tag itself, from the version, has some form of it. */
bool reading_is_known(struct job *job, const char *mark)
{
    struct request *request = job->request;
    int32_t version = job->table->row.version;

    return request_has(request, reply_shown_etag(request, version, mark)) ||
           request_has(request, reply_etag(&request->arena, version));
}

void reading_label(struct job *job, const char *mark)
{
    struct request *request = job->request;

    reply_header(request, "ETag", reply_shown_etag(request, job->table->row.version, mark));
    reply_header(request, "Cache-Control", "no-cache");
    reply_header(request, "Vary", "Accept, Accept-Encoding, Authorization, Origin");
}

const char *reading_mark_long(struct request *request)
{
    return request->form == FORM_JSON && reply_takes_gzip(request) ? "gzip" : NULL;
}

bool reading_unchanged(struct job *job, const char *mark)
{
    if (!reading_is_known(job, mark))
        return false;
    reading_label(job, mark);
    reply_empty(job->request, 304);
    return true;
}

enum step reading_may_anew(struct job *job)
{
    enum step step = reading_may(job);

    return step == STEP_GO && reading_unchanged(job, NULL) ? STEP_OVER : step;
}

bool reading_can_list(struct request *request, const struct game_view *view)
{
    if (view_can_list(&request->arena, view))
        return true;
    reply_problem(request, PROBLEM_TOO_MANY_MOVES, NULL);
    return false;
}

/* ---- plies and lines ---- */

enum step reading_no_such_ply(struct job *job)
{
    struct game_view view = play_view(job);

    refuse_game(job->request, &view, PROBLEM_NO_SUCH_PLY,
                arena_format(&job->request->arena,
                             "The present line is %d and goes from ply 0 to ply %d. The first line "
                             "is 1, the last one %d.",
                             view.row->line, view.row->tip, view.row->lines));
    return STEP_OVER;
}

enum step reading_line_end(struct job *job, int32_t line, int32_t *end)
{
    const struct db_game *row = &job->table->row;

    if (line != row->line)
        return needs_line_end(job, line, end);
    *end = row->tip;
    return STEP_GO;
}

enum step reading_line(struct job *job, int64_t wanted, int32_t *line, int32_t *end)
{
    const struct db_game *row = &job->table->row;

    *line = wanted == 0 ? row->line : (int32_t)wanted;
    *end = row->ply;
    if (*line > row->lines)
        return reading_no_such_ply(job);
    return wanted == 0 ? STEP_GO : reading_line_end(job, *line, end);
}

enum step reading_need_moves(struct job *job, int32_t line, int32_t from, int32_t to)
{
    return needs_moves(job, line, from < 1 ? 1 : from, to);
}

enum step reading_page(struct job *job, int32_t *from, int32_t *to, int32_t *end)
{
    const struct reading *reading = job->args;
    int32_t line;
    enum step step = reading_line(job, reading->line, &line, end);

    if (step != STEP_GO)
        return step;
    *from = (int32_t)(reading->after < *end ? reading->after : *end) + 1;
    *to = *end - *from >= reading->limit ? *from + (int32_t)reading->limit - 1 : *end;
    return reading_need_moves(job, line, *from - 2, *to);
}

const char *reading_next_url(struct request *request, const char *what,
                             const struct reading *reading, int32_t to)
{
    struct arena *arena = &request->arena;
    const char *lang = query_text(request, "lang");
    const char *url = arena_format(arena, "/v1/games/%s/%s?after=%d&limit=%d", request->param[0],
                                   what, to, (int)reading->limit);

    if (reading->kind != 0)
        url = arena_format(arena, "%s&type=%s", url, words_event(reading->kind));
    if (lang != NULL)
        url = arena_format(arena, "%s&lang=%s", url, lang);
    return reading->line == 0 ? url : arena_format(arena, "%s&line=%d", url, (int)reading->line);
}

/* ---- positions ---- */

bool reading_look_back(const struct job *job, int32_t line, int32_t ply,
                       const struct db_event *move, struct game_view *view)
{
    struct arena *arena = &job->request->arena;
    const struct rules_game *game = job->table->game;
    struct db_game *then = arena_alloc(arena, sizeof(*then));
    struct rules_state *state = arena_alloc(arena, sizeof(*state));
    struct rules_outcome outcome;
    struct rules_refusal why;

    *then = job->table->row;
    then->line = line;
    row_set_move(then, ply, move);
    if (!rules_load(game, &job->table->options, then->position, state, &why))
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
static void show_trail(const struct job *job, int32_t ply, struct game_view *view)
{
    struct rules_state *before = arena_alloc(&job->request->arena, sizeof(*before));
    struct course_move move;

    if (!history_last_move(job, ply, before, &move))
        return;
    view->before = before;
    view->last = move.move;
    view->earlier = move.last;
}

/* The position that is asked for is in *view. The present one is there without any reading. */
static enum step know_position(struct job *job, struct game_view *view)
{
    struct reading *reading = job->args;
    const struct db_game *row = &job->table->row;
    bool with_move =
        reading->with_move || (reading->with_trail && job->table->game->drawing.trailed);
    int32_t line, ply, end;
    const struct db_event *move;
    enum step step;

    *view = play_view(job);
    if (is_present(row, reading->line, reading->ply) && !with_move)
        return STEP_GO;
    step = reading_line(job, reading->line, &line, &end);
    if (step != STEP_GO)
        return step;
    ply = reading->ply < 0 ? end : (int32_t)reading->ply;
    reading->end = end;
    if (ply > end)
        return reading_no_such_ply(job);
    step = reading_need_moves(job, line, with_move ? ply - 2 : ply, ply);
    if (step != STEP_GO)
        return step;
    if (with_move)
        show_trail(job, ply, view);
    move = history_at(job, ply);
    if (is_present(row, line, ply))
        return STEP_GO;
    if ((move == NULL && ply > 0) || !reading_look_back(job, line, ply, move, view))
        return play_fail(job);
    return STEP_GO;
}

/* The view of an earlier position has a copy of the row. That of the present one, prepared without
 * a row, points into the table, and the worker has a copy of it. */
static void answer_by_worker(struct job *job)
{
    const struct reading *reading = job->args;
    const struct game_view *prepared = job->prepared;
    struct game_view present = play_view(job);

    present.before = prepared->before;
    present.last = prepared->last;
    present.earlier = prepared->earlier;
    reading->answer(job, prepared->row == NULL ? &present : prepared);
}

static enum step offload_answer(struct job *job, const struct game_view *view)
{
    struct arena *arena = &job->request->arena;
    struct game_view *prepared = arena_alloc(arena, sizeof(*prepared));
    struct db_game *row = NULL;

    if (view->row != &job->table->row) {
        row = arena_alloc(arena, sizeof(*row));
        table_copy_row(arena, view->row, row);
    }
    *prepared = *view;
    prepared->row = row;
    prepared->clock = NULL;
    prepared->offers = NULL;
    job->prepared = prepared;
    return job_offload(job, answer_by_worker);
}

enum step reading_step_position(struct job *job)
{
    const struct reading *reading = job->args;
    struct game_view view;
    enum step step = reading_may(job);

    if (step == STEP_GO)
        step = know_position(job, &view);
    if (step != STEP_GO)
        return step;
    if (rules_is_heavy(view.game, view.state))
        return offload_answer(job, &view);
    reading->answer(job, &view);
    return STEP_OVER;
}

struct reading *reading_new(struct request *request)
{
    struct reading *reading = arena_zero(&request->arena, sizeof(*reading));

    reading->ply = -1;
    return reading;
}

void reading_submit(struct request *request, enum step (*step)(struct job *job),
                    struct reading *reading)
{
    db_id id;

    if (input_id(request, &id))
        job_submit(job_new(request, step, reading), id);
}
