#include "api/play/again.h"

#include "api/game/course.h"
#include "api/game/words.h"
#include "api/http/accept.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/play/common.h"
#include "api/play/history.h"
#include "api/play/refuse.h"
#include "api/play/wanted.h"
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

/* Refuses a move that is meant for another ply than the next one. */
static enum step refuse_elsewhere(struct job *job, enum problem problem)
{
    const struct move_args *args = job->args;
    struct game_view view = play_view(job);
    struct json json;

    refuse_open(job->request, &json, &view, problem, NULL);
    view_moves_since(&json, job, args->ply);
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

static bool is_computers(const struct job *job, int seat)
{
    return seat != 0 && job->table->row.seat[seat - 1].state == SEAT_ENGINE;
}

static void answer(struct job *job, unsigned status, const char *document)
{
    reply_header(job->request, "ETag", reply_etag(&job->request->arena, job->table->row.version));
    reply_made(job->request, status, document);
}

/* The moves from ply `first` on were asked for, those from `answers` to `last` were the computer's
 * answers. */
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

/* The last of the moves by the computer that followed on the move of a ply, up to the next one of a
 * person: those that the first answer to that move showed. */
static int32_t last_answer(const struct job *job, int32_t ply)
{
    const struct db_event *move;

    while ((move = history_at(job, ply + 1)) != NULL && is_computers(job, move->seat))
        ply++;
    return ply;
}

/* Whether the move that was played is the one that the job asks for. Both are read by the rules,
 * since one move may be written in several ways. */
static bool is_wanted(const struct job *job, const struct course_move *view)
{
    struct rules_refusal why;
    rules_move move;

    return view->game->read_move(view->before, wanted_text(job, view->before, 0), &move, &why) &&
           rules_same_move(move, view->move);
}

enum step again_answer(struct job *job, unsigned seats)
{
    enum { SINCE_MAX = 200 }; /* moves in a refusal, lest a stale client makes it huge */
    const struct move_args *args = job->args;
    const struct db_game *row = &job->table->row;
    int32_t to = row->ply;
    struct rules_state before;
    struct course_move move;
    enum step step = job_need_confirmed(job);

    if (step != STEP_GO)
        return step;
    if (args->ply > row->ply)
        return refuse_elsewhere(job, PROBLEM_STALE_PLY);
    if (to - args->ply > SINCE_MAX)
        to = args->ply + SINCE_MAX;
    /* From two plies before on: to know the move before, its own position is needed. */
    step = job_need_moves(job, row->line, args->ply > 2 ? args->ply - 2 : 1, to);
    if (step != STEP_GO)
        return step;
    /* Only a PUT may be repeated; a POST for a ply that was played is always too late. */
    if (!args->put || !history_last_move(job, args->ply, &before, &move) || !is_wanted(job, &move))
        return refuse_elsewhere(job, PROBLEM_PLY_TAKEN);
    if ((seats & seat_bit(move.seat)) == 0)
        return play_refuse(job, PROBLEM_NOT_YOUR_TURN, NULL);
    return tell_moves(job,
                      (struct told){200, args->ply, args->ply + 1, last_answer(job, args->ply)});
}

/* ---- a request that has left its mark ---- */

/* Fetches the moves that the request wrote, of which it asked for the first `asked`; and the two
 * before them, since a move is read in the position before it, and shown by the move before it. The
 * mark is with the last one, or with the offer of a draw behind it. Sides take turns, so a
 * computer's answer is one move. */
static enum step need_told(struct job *job, int32_t asked, int32_t *answered)
{
    const struct db_answer *told = &job->told;
    int32_t from;

    *answered = told->kind == EVENT_MOVE && is_computers(job, told->seat);
    from = told->ply - *answered - asked - 1;
    return asked + *answered == 0 ? STEP_GO
                                  : job_need_moves(job, told->line, from > 1 ? from : 1, told->ply);
}

enum step again_moves(struct job *job)
{
    const struct move_args *args = job->args;
    const struct db_answer *told = &job->told;
    int32_t answered, asked = (int32_t)args->count;
    enum step step;

    if (told->kind == EVENT_RESIGNED || told->kind == EVENT_DECLARED) /* by a word, not a move */
        return again_game(job);
    step = job_need_confirmed(job);
    if (step == STEP_GO)
        step = need_told(job, asked, &answered);
    if (step != STEP_GO)
        return step;
    reply_header(job->request, "Idempotent-Replayed", "true");
    return tell_moves(job, (struct told){201, told->ply - answered - asked + 1,
                                         told->ply - answered + 1, told->ply});
}

enum step again_game(struct job *job)
{
    const struct db_answer *told = &job->told;
    struct game_view game;
    struct json answers;
    int32_t answered;
    enum step step = job_need_confirmed(job);

    if (step == STEP_GO)
        step = need_told(job, 0, &answered);
    if (step != STEP_GO)
        return step;
    if (!view_moves(&answers, job, told->ply - answered + 1, told->ply))
        return play_fail(job);
    game = play_view(job);
    reply_header(job->request, "Idempotent-Replayed", "true");
    answer(job, 200, play_document(job, &game, &answers));
    return STEP_OVER;
}
