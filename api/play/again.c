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

/* Writes the computer's moves that followed on a move, up to the next one of a person: those that
 * the first answer to that move showed. */
static void view_answers(struct json *json, const struct job *job, const struct course_move *move)
{
    rules_move last = move->move;
    struct rules_state before;
    struct course_move view;
    bool any = false;

    for (int32_t ply = move->ply + 1; history_move(job, ply, last, &before, &view) &&
                                      job->table->row.seat[view.seat - 1].state == SEAT_ENGINE;
         ply++) {
        if (!any) {
            json_key(json, "answers");
            json_open(json, '[');
            any = true;
        }
        json_open(json, '{');
        view_move(json, &view);
        json_close(json, '}');
        last = view.move;
    }
    if (any)
        json_close(json, ']');
}

/* Answers the same move again as the first time, but for the status and the game beside it, which
 * is shown as it is now: nothing that happened since is kept from the client. */
static enum step answer_again(struct job *job, const struct course_move *view)
{
    struct game_view game = play_view(job);
    struct json json;

    json_init(&json, &job->request->arena);
    json_open(&json, '{');
    view_move(&json, view);
    view_answers(&json, job, view);
    json_key(&json, "game");
    json_open(&json, '{');
    view_game(&json, &game, job->request->choice);
    json_close(&json, '}');
    json_finish(&json);
    reply_header(job->request, "ETag", reply_etag(&job->request->arena, job->table->row.version));
    reply_made(job->request, 200,
               job->request->form == FORM_TEXT ? view_game_text(&job->request->arena, &game)
                                               : json.out.text);
    return STEP_OVER;
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
    return answer_again(job, &move);
}
