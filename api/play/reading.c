#include "api/play/reading.h"

#include "api/game/row.h"
#include "api/game/words.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/play/common.h"
#include "api/play/history.h"
#include "api/play/input.h"
#include "api/play/refuse.h"
#include "api/table/auth.h"
#include "api/text/json.h"

/* ---- whether it may be shown ---- */

enum step reading_may(struct job *job)
{
    enum step step = job_need_confirmed(job);

    if (step != STEP_GO || !play_hides(job->table, auth_seats(job->request, &job->table->row)))
        return step;
    reply_problem(job->request, PROBLEM_NO_SUCH_GAME, NULL);
    return STEP_OVER;
}

bool reading_unchanged(struct job *job)
{
    const char *etag = reply_etag(&job->request->arena, job->table->row.version);

    if (!request_has(job->request, etag))
        return false;
    reply_header(job->request, "ETag", etag);
    reply_empty(job->request, 304);
    return true;
}

enum step reading_may_anew(struct job *job)
{
    enum step step = reading_may(job);

    return step == STEP_GO && reading_unchanged(job) ? STEP_OVER : step;
}

/* Games that are played have hundreds of moves, and the fullest boards thousands. But a position
 * can be made up in which Turkish kings capture in hundreds of thousands of ways, and writing them
 * all down would hold everybody else up. */
bool reading_can_list(struct request *request, const struct game_view *view)
{
    size_t n = view->game->count(view->state);
    struct json json;

    if (n <= VIEW_LEGAL_MAX || !status_goes_on(view->row->status))
        return true;
    reply_problem_open(request, &json, PROBLEM_TOO_MANY_MOVES, NULL);
    json_member_int(&json, "count", (int64_t)n);
    reply_problem_send(request, &json, PROBLEM_TOO_MANY_MOVES);
    return false;
}

/* ---- plies and lines ---- */

enum step reading_no_such_ply(struct job *job)
{
    struct game_view view = play_view(job);

    refuse_game(job->request, &view, PROBLEM_NO_SUCH_PLY, NULL);
    return STEP_OVER;
}

/* For an earlier line all of its moves are read: its last one is the last that is its own, what
 * follows belongs to the lines before it. */
enum step reading_line_end(struct job *job, int32_t line, int32_t *end)
{
    const struct db_game *row = &job->table->row;
    enum step step;

    if (line == row->line) {
        *end = row->tip;
        return STEP_GO;
    }
    step = job_need_moves(job, line, 1, INT32_MAX - 1);
    if (step != STEP_GO)
        return step;
    *end = 0;
    for (size_t i = 0; i < job->moves.count; i++)
        if (job->moves.moves[i].line == line)
            *end = job->moves.moves[i].ply;
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

/* ---- positions ---- */

/* The game as it was after `move` (NULL: at its start), at a ply of a line. False: what is stored
 * cannot be read. */
static bool look_back(const struct job *job, int32_t line, int32_t ply, const struct db_event *move,
                      struct game_view *view)
{
    struct arena *arena = &job->request->arena;
    const struct rules_game *game = job->table->game;
    struct db_game *then = arena_alloc(arena, sizeof(*then));
    struct rules_state *state = arena_alloc(arena, sizeof(*state));
    struct rules_refusal why;

    *then = job->table->row;
    then->line = line;
    row_set_move(then, ply, move);
    if (!rules_load(game, &job->table->options, then->position, state, &why))
        return false;
    then->to_move = (int16_t)game->to_move(state);
    /* What came after that position did not end it; only what it is by itself counts. */
    then->status =
        rules_outcome_now(game, state).status == RULES_ONGOING ? STATUS_ACTIVE : STATUS_FINISHED;
    then->winner = 0;
    then->reason = NULL;
    *view = (struct game_view){then, game, state, view->seats};
    return true;
}

/* A view of the position that is asked for. */
static enum step know_position(struct job *job, struct game_view *view)
{
    struct reading *reading = job->args;
    const struct db_game *row = &job->table->row;
    int32_t line = reading->line == 0 ? row->line : (int32_t)reading->line;
    int32_t ply = reading->ply < 0 ? row->ply : (int32_t)reading->ply, end, from;
    const struct db_event *move;
    enum step step;

    *view = play_view(job);
    if (line == row->line && ply == row->ply && !reading->with_move &&
        (reading->line == 0 || reading->ply >= 0)) /* the last ply of a line may be undone */
        return STEP_GO;
    step = reading_line(job, reading->line, &line, &end);
    if (step != STEP_GO)
        return step;
    reading->end = end;
    if (reading->ply < 0)
        ply = end;
    if (ply > end)
        return reading_no_such_ply(job);
    from = reading->with_move ? ply - 2 : ply;
    if (line == row->line && ply > 0) {
        step = job_need_moves(job, line, from < 1 ? 1 : from, ply);
        if (step != STEP_GO)
            return step;
    }
    if (line == row->line && ply == row->ply)
        return STEP_GO;
    move = history_at(job, ply);
    if ((move == NULL && ply > 0) || !look_back(job, line, ply, move, view))
        return play_fail(job);
    return STEP_GO;
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
