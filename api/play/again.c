/*
 * play_again.c - a move that is meant for a ply that was played already: the same one again, which
 * is answered as the first time, or another one, which came too late.
 */
#include "api/http/reply.h"
#include "api/play/common.h"
#include "api/play/history.h"

/* The moves that a client missed, from a ply on, as a list in a problem. */
static void view_moves_since(struct json *json, const struct job *job, int32_t ply)
{
    rules_move last = {{0, 0}};
    const struct db_event *move;
    struct rules_state before;
    struct move_view view;

    if (history_last_move(job, ply - 1, &before, &view))
        last = view.move;
    json_key(json, "moves");
    json_open(json, '[');
    for (; (move = move_at(job, ply)) != NULL; ply++) {
        json_open(json, '{');
        json_member_int(json, "ply", move->ply);
        json_member_int(json, "line", move->line);
        json_member_int(json, "seat", move->seat);
        json_member(json, "move", move->move);
        if (history_move(job, ply, last, &before, &view)) {
            json_member(json, "text",
                        pretty_text(json->out.arena, view.game, &before, last, view.move));
            last = view.move;
        }
        json_member_time(json, "at", move->at);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void refuse_elsewhere(struct job *job, const char *code)
{
    const struct move_args *args = job->args;
    struct game_view view = job_view(job);
    struct json json;

    problem_game_open(job->request, &json, &view, code, NULL);
    view_moves_since(&json, job, args->ply);
    problem_send(job->request, &json, code);
    job_done(job);
}

/* The computer's moves that followed on a move, up to the next one of a person. */
static void view_answers(struct json *json, const struct job *job, const struct move_view *move)
{
    rules_move last = move->move;
    struct rules_state before;
    struct move_view view;
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

/* The same move again: the answer that its first sender got, with the game as it is now. */
static void answer_again(struct job *job, const struct move_view *view)
{
    struct game_view game = job_view(job);
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
    reply_header(job->request, "ETag", etag_text(&job->request->arena, job->table->row.version));
    reply_made(job->request, 200,
               job->request->form == FORM_TEXT ? view_game_text(&job->request->arena, &game)
                                               : json.out.text);
    job_done(job);
}

/* Whether what the job asks for is the move of the view. */
static bool is_wanted(const struct job *job, const struct move_view *view)
{
    struct rules_refusal why;
    rules_move move;

    return view->game->read_move(view->before, wanted_move(job, view->before, 0), &move, &why) &&
           rules_same_move(move, view->move);
}

void move_elsewhere(struct job *job, unsigned seats)
{
    enum { SINCE_MAX = 200 };
    const struct move_args *args = job->args;
    const struct db_game *row = &job->table->row;
    int32_t to = row->ply;
    struct rules_state before;
    struct move_view view;

    if (!job_confirmed(job))
        return;
    if (args->ply > row->ply) {
        refuse_elsewhere(job, "stale-ply");
        return;
    }
    if (to - args->ply > SINCE_MAX)
        to = args->ply + SINCE_MAX;
    /* From two plies before it on, so that the move before is known too. */
    if (!job_need_moves(job, row->line, args->ply > 2 ? args->ply - 2 : 1, to))
        return;
    if (!args->put || !history_last_move(job, args->ply, &before, &view) || !is_wanted(job, &view))
        refuse_elsewhere(job, "ply-taken");
    else if (seats & 1U << view.seat)
        answer_again(job, &view);
    else
        refuse(job, "not-your-turn", NULL);
}
