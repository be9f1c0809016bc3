/*
 * play_again.c - a move that is meant for a ply that was played already: the same one again, which
 * is answered as the first time, or another one, which came too late.
 */
#include <string.h>

#include "play_common.h"
#include "reply.h"

/* The moves that a client missed, as a list in a problem. */
static void view_moves_since(struct json *json, const struct job *job, size_t from)
{
    json_key(json, "moves");
    json_open(json, '[');
    for (size_t i = from; i < job->moves.count; i++) {
        const struct db_event *move = &job->moves.moves[i];

        json_open(json, '{');
        json_member_int(json, "ply", move->ply);
        json_member_int(json, "line", move->line);
        json_member_int(json, "seat", move->seat);
        json_member(json, "move", move->move);
        json_member_time(json, "at", move->at);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void refuse_elsewhere(struct job *job, const char *code, size_t from)
{
    struct game_view view = table_view(job->table);
    struct json json;

    problem_game_open(job->request, &json, &view, code, NULL);
    view_moves_since(&json, job, from);
    problem_send(job->request, &json, code);
    job_done(job);
}

/* A move of the log: when, and as which ply, the event says. */
static void view_event_move(struct json *json, struct move_view *view, const struct db_event *event)
{
    view->ply = event->ply;
    view->line = event->line;
    view->seat = event->seat;
    view->at = event->at;
    view_move(json, view);
}

/* The computer's moves that followed on the move of the view, up to the next one of a person. */
static void view_answers(struct json *json, const struct job *job, struct move_view view,
                         const struct db_event *event)
{
    const struct db_event *end = job->moves.moves + job->moves.count;
    const struct rules_game *game = job->table->game;
    struct rules_state before, after;
    struct rules_refusal why;
    bool any = false;

    rules_copy(view.before, &before);
    while (++event < end && job->table->row.seat[event->seat - 1].state == SEAT_ENGINE) {
        game->play(&before, view.move, &after);
        rules_copy(&after, &before);
        view.before = &before;
        view.last = view.move;
        if (!game->read_move(&before, event->move, &view.move, &why))
            break;
        if (!any) {
            json_key(json, "answers");
            json_open(json, '[');
            any = true;
        }
        json_open(json, '{');
        view_event_move(json, &view, event);
        json_close(json, '}');
    }
    if (any)
        json_close(json, ']');
}

/* The same move again: the answer that its first sender got, with the game as it is now. */
static void answer_again(struct job *job, const struct rules_state *before, rules_move move,
                         const struct db_event *event)
{
    struct game_view game = table_view(job->table);
    struct move_view view = {
        .game = job->table->game, .before = before, .last = job->before_last, .move = move};
    struct json json;

    json_init(&json, &job->request->arena);
    json_open(&json, '{');
    view_event_move(&json, &view, event);
    view_answers(&json, job, view, event);
    json_key(&json, "game");
    json_open(&json, '{');
    view_game(&json, &game, job->request->choice);
    json_close(&json, '}');
    json_finish(&json);
    reply_header(job->request, "ETag", etag_text(&job->request->arena, job->table->row.version));
    reply_made(job->request, 200,
               job->request->form == FORM_TEXT ? view_game_text(&job->request->arena, &game)
                                               : json.text);
    job_done(job);
}

/* The position before ply `args->ply`, from the moves that were fetched (from two plies before it
 * on, so that the move before is known too). */
static bool position_before(struct job *job, size_t index, struct rules_state *before)
{
    const struct table *table = job->table;
    const struct db_event *moves = job->moves.moves;
    struct rules_state earlier;
    struct rules_refusal why;

    job->before_last = (rules_move){{0, 0}};
    if (index >= 1 &&
        rules_load(table->game, &table->options,
                   index >= 2 ? moves[index - 2].position : table->row.start, &earlier, &why) &&
        (index >= 2 || moves[0].ply == 1))
        table->game->read_move(&earlier, moves[index - 1].move, &job->before_last, &why);
    return rules_load(table->game, &table->options,
                      index >= 1 ? moves[index - 1].position : table->row.start, before, &why);
}

void move_elsewhere(struct job *job, unsigned seats)
{
    enum { SINCE_MAX = 200 };
    const struct move_args *args = job->args;
    const struct db_game *row = &job->table->row;
    int32_t from = args->ply > 2 ? args->ply - 2 : 1;
    int32_t to = row->ply;
    size_t index = (size_t)(args->ply - from);
    struct rules_state before;
    struct rules_refusal why;
    rules_move move;

    if (!job_confirmed(job))
        return;
    if (args->ply > row->ply) {
        refuse_elsewhere(job, "stale-ply", 0);
        return;
    }
    if (to - args->ply > SINCE_MAX)
        to = args->ply + SINCE_MAX;
    if (!job_need_moves(job, row->line, from, to))
        return;
    if (args->put && index < job->moves.count && position_before(job, index, &before) &&
        job->table->game->read_move(&before, wanted_move(job, &before, 0), &move, &why) &&
        strcmp(move_text(&job->request->arena, job->table->game, &before, move),
               job->moves.moves[index].move) == 0) {
        const struct db_event *there = &job->moves.moves[index];

        if (seats & 1U << there->seat)
            answer_again(job, &before, move, there);
        else
            refuse(job, "not-your-turn", NULL);
        return;
    }
    refuse_elsewhere(job, "ply-taken", index);
}
