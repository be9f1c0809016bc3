#include "api/endpoints/games/repeats.h"

#include "api/endpoints/common.h"
#include "api/endpoints/games/move_input.h"
#include "api/endpoints/history.h"
#include "api/endpoints/refuse.h"
#include "api/game/draft.h"
#include "api/game/plans.h"
#include "api/game/words.h"
#include "api/http/accept.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/live/fetch.h"
#include "api/record/move_notation.h"
#include "api/text/json.h"
#include "api/text/move_text.h"
#include "api/view/game.h"
#include "api/view/game_text.h"
#include "api/view/moves.h"
#include "api/view/view.h"

/* Writes the moves that a client missed, from a ply on, as a member of a problem. */
static void view_moves_since(struct json *json, const struct job *job, int32_t ply)
{
    rules_move last = {{0, 0}};
    const struct db_event *move;
    struct rules_state before;
    struct course_move view;

    if (history_last_move(job, ply - 1, &before, &view))
        last = view.move;
    json_key(json, "moves");
    json_open(json, '[');
    for (; (move = history_at(job, ply)) != NULL; ply++) {
        json_open(json, '{');
        json_member_int(json, "ply", move->ply);
        json_member_int(json, "line", move->line);
        json_member_int(json, "seat", move->seat);
        json_member(json, "move", move->move);
        if (history_move(job, ply, last, &before, &view)) {
            json_member(json, "text",
                        move_text_pretty(json->out.arena, view.game, &before, last, view.move));
            last = view.move;
        }
        json_member_time(json, "at", move->at);
        json_close(json, '}');
    }
    json_close(json, ']');
}

/* Refuses what is meant for the game before the move of a ply. */
static enum step refuse_elsewhere(struct job *job, enum problem problem, int32_t ply)
{
    struct game_view view = play_view(job);
    struct json json;

    refuse_open(
        job->request, &json, &view, problem,
        arena_format(&job->request->arena,
                     ply > job->table->row.ply
                         ? "The game is not there yet: the next ply is %d, not %d."
                         : "The game went on: the next ply is %d, not %d. See the moves since.",
                     job->table->row.ply + 1, ply));
    view_moves_since(&json, job, ply);
    reply_problem_send(job->request, &json, problem);
    return STEP_OVER;
}

/* Writes the moves from one ply to another as elements of a list. False: they were not fetched. */
static bool view_moves(struct json *list, const struct job *job, int32_t from, int32_t to)
{
    rules_move last = {{0, 0}};
    struct rules_state before;
    struct course_move view;

    json_init(list, &job->request->arena);
    if (history_move(job, from - 1, last, &before, &view))
        last = view.move;
    for (int32_t ply = from; ply <= to; ply++) {
        if (!history_move(job, ply, last, &before, &view))
            return false;
        json_open(list, '{');
        view_move(list, &view);
        json_close(list, '}');
        last = view.move;
    }
    return true;
}

/* Whether a move was an answer to the one before it: by the computer, or by a plan. */
static bool is_answer(const struct job *job, const struct db_event *move)
{
    return move != NULL &&
           (job->table->row.seat[move->seat - 1].state == SEAT_ENGINE || plans_played(move->data));
}

static void answer(struct job *job, unsigned status, const char *document)
{
    reply_header(job->request, "ETag", reply_etag(&job->request->arena, job->table->row.version));
    reply_made(job->request, status, document);
}

/* The moves from ply `first` on were asked for, those from `answers` to `last` were the answers to
 * them. */
struct told {
    unsigned status;
    int32_t first, answers, last;
};

/* Answers as the first time, but for the status and the game beside it, which is shown as it is
 * now: nothing that happened since is kept from the client. */
static void answer_moves(struct job *job)
{
    const struct move_args *args = job->args;
    const struct told *told = job->prepared;
    struct game_view game = play_view(job);
    struct json asked, answered;

    if (view_moves(&asked, job, told->first, told->answers - 1) &&
        view_moves(&answered, job, told->answers, told->last))
        answer(job, told->status, play_moves_document(job, &game, args->single, &asked, &answered));
    else
        play_fail(job);
}

/* To read and show hundreds of moves again takes milliseconds. */
static enum step tell_moves(struct job *job, struct told told)
{
    enum { FEW = 16 };

    job->prepared = arena_alloc(&job->request->arena, sizeof(told));
    *(struct told *)job->prepared = told;
    if (told.last - told.first >= FEW)
        return job_offload(job, answer_moves);
    answer_moves(job);
    return STEP_OVER;
}

/* ---- a ply that was played ---- */

/* The last of the answers that followed on the move of a ply, up to the next one that somebody made
 * themselves: those that the first answer to that move showed. */
static int32_t last_answer(const struct job *job, int32_t ply)
{
    while (is_answer(job, history_at(job, ply + 1)))
        ply++;
    return ply;
}

/* Whether the move that was played is the one that the job asks for. Both are read by the rules,
 * since one move may be written in several ways. */
static bool is_wanted(const struct job *job, const struct course_move *view)
{
    struct rules_refusal why;
    rules_move move;

    return record_read_move(&job->request->arena, view->game, view->before, view->last,
                            wanted_text(job, view->before, 0), &move, &why) &&
           rules_same_move(move, view->move);
}

/* Fetches the moves since a client has seen the game, which was before the move of a ply. A PUT may
 * be told that its move is one of them. */
static enum step need_since(struct job *job, int32_t ply, bool put)
{
    enum { SINCE_MAX = 200 }; /* moves in a refusal, lest a stale client makes it huge */
    const struct db_game *row = &job->table->row;
    int32_t to = row->ply - ply > SINCE_MAX ? ply + SINCE_MAX : row->ply;
    enum step step = job_need_confirmed(job);

    /* From two plies before on: to know the move before, its own position is needed. */
    if (step == STEP_GO && ply <= row->ply)
        step = (put ? needs_durable_moves : needs_moves)(job, row->line, ply > 2 ? ply - 2 : 1, to);
    return step;
}

enum step again_stale(struct job *job, int32_t ply)
{
    enum step step = need_since(job, ply, false);

    return step == STEP_GO ? refuse_elsewhere(job, PROBLEM_STALE_PLY, ply) : step;
}

enum step again_answer(struct job *job, unsigned seats)
{
    const struct move_args *args = job->args;
    struct rules_state before;
    struct course_move move;
    enum step step;

    if (args->ply > job->table->row.ply)
        return again_stale(job, args->ply);
    step = need_since(job, args->ply, args->put);
    if (step != STEP_GO)
        return step;
    /* Only a PUT may be repeated; a POST for a ply that was played is always too late. */
    if (!args->put || !history_last_move(job, args->ply, &before, &move) || !is_wanted(job, &move))
        return refuse_elsewhere(job, PROBLEM_PLY_TAKEN, args->ply);
    if ((seats & seat_bit(move.seat)) == 0)
        return play_refuse(job, PROBLEM_NOT_YOUR_TURN, NULL);
    return tell_moves(job,
                      (struct told){200, args->ply, args->ply + 1, last_answer(job, args->ply)});
}

/* ---- a request that has left its mark ---- */

/* Fetches the moves that the request wrote, of which it asked for `asked`; the two before them,
 * since a move is read in the position before it, and shown by the move before it; and the one
 * behind them, which an opponent may have made that thinks. The mark is with the last event, at
 * whose ply they end. Sides take turns, so there is one answer at most. */
static enum step need_told(struct job *job, int32_t asked)
{
    const struct db_answer *told = &job->told;
    int32_t from = told->ply - asked - 2;

    return needs_moves(job, told->line, from > 1 ? from : 1, told->ply + 1);
}

/* The ply of the last move that the request asked for. */
static int32_t last_asked(const struct job *job)
{
    int32_t ply = job->told.ply;

    return ply - is_answer(job, history_at(job, ply));
}

/* The ply of the answer, or of the last move that was asked for if there is none. A later line may
 * have another move there. */
static int32_t last_told(const struct job *job)
{
    const struct db_answer *told = &job->told;
    const struct db_event *next = history_at(job, told->ply + 1);

    return told->ply + (last_asked(job) == told->ply && next != NULL && next->line == told->line &&
                        is_answer(job, next));
}

static enum step tell_told(struct job *job, bool again)
{
    const struct move_args *args = job->args;
    int32_t asked = (int32_t)args->count;
    enum step step = job_need_confirmed(job);

    if (step == STEP_GO)
        step = need_told(job, asked);
    if (step != STEP_GO)
        return step;
    if (again)
        reply_replayed(job->request);
    return tell_moves(
        job, (struct told){201, last_asked(job) - asked + 1, last_asked(job) + 1, last_told(job)});
}

enum step again_moves(struct job *job)
{
    return wanted_is_word(job) ? again_game(job) : tell_told(job, true);
}

enum step again_answered(struct job *job)
{
    return tell_told(job, false);
}

/* Only if the last event is a move was there an answer. */
enum step again_game(struct job *job)
{
    const struct db_answer *told = &job->told;
    bool moved = told->kind == EVENT_MOVE;
    struct game_view game;
    struct json answers;
    int32_t answered;
    enum step step = job_need_confirmed(job);

    if (step == STEP_GO && moved)
        step = need_told(job, 0);
    if (step != STEP_GO)
        return step;
    answered = moved && is_answer(job, history_at(job, told->ply));
    if (!view_moves(&answers, job, told->ply - answered + 1, told->ply))
        return play_fail(job);
    game = play_view(job);
    reply_replayed(job->request);
    answer(job, 200, play_document(job, &game, &answers));
    return STEP_OVER;
}
