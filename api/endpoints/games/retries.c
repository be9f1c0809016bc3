#include "api/endpoints/games/retries.h"

#include "api/endpoints/games/move_input.h"
#include "api/endpoints/look.h"
#include "api/endpoints/refuse.h"
#include "api/endpoints/use_case.h"
#include "api/game/draft.h"
#include "api/game/plans.h"
#include "api/game/words.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/live/fetch.h"
#include "api/record/move_notation.h"
#include "api/text/json.h"
#include "api/text/move_text.h"
#include "api/view/view.h"

/* Writes the moves that a client missed, from a ply on, as a member of a problem. */
static void view_moves_since(struct json *json, const struct op *op, int32_t ply)
{
    rules_move last = {{0, 0}};
    const struct db_event *move;
    struct rules_state before;
    struct draft_move view;

    if (look_last_move(op, ply - 1, &before, &view))
        last = view.move;
    json_key(json, "moves");
    json_open(json, '[');
    for (; (move = look_event(op, ply)) != NULL; ply++) {
        json_open(json, '{');
        json_member_int(json, "ply", move->ply);
        json_member_int(json, "line", move->line);
        json_member_int(json, "seat", move->seat);
        json_member(json, "move", move->move);
        if (look_move(op, ply, last, &before, &view)) {
            json_member(json, "text",
                        move_text_pretty(json->out.arena, view.game, &before, last, view.move));
            last = view.move;
        }
        json_member_time(json, "at", move->at);
        json_close(json, '}');
    }
    json_close(json, ']');
}

/* Where the game stands, for somebody who means another ply. No ply is next when it is over. */
static const char *tell_ply(struct arena *arena, const struct db_game *row, int32_t ply)
{
    bool went_on = ply <= row->ply;
    const char *since = went_on ? " See the moves since." : "";

    if (row->status == STATUS_FINISHED || row->status == STATUS_ABORTED)
        return arena_format(arena, "The game %sis over: its last ply is %d.%s",
                            went_on ? "went on and " : "", row->ply, since);
    return arena_format(arena, "The game %s: the next ply is %d, not %d.%s",
                        went_on ? "went on" : "is not there yet", row->ply + 1, ply, since);
}

/* Refuses what is meant for the game before the move of a ply. */
static enum step refuse_elsewhere(struct op *op, enum problem problem, int32_t ply)
{
    struct game_view view = use_case_view(op);
    struct json json;

    refuse_open(op->request, &json, &view, problem,
                tell_ply(&op->request->arena, &op->live->row, ply));
    view_moves_since(&json, op, ply);
    reply_problem_send(op->request, &json, problem);
    return STEP_OVER;
}

/* Writes the moves from one ply to another as use_case_tell_moves() does. False: they were not
 * fetched. */
static bool view_moves(struct json *moves, const struct op *op, bool single, int32_t from,
                       int32_t to)
{
    rules_move last = {{0, 0}};
    struct rules_state before;
    struct draft_move view;

    json_init(moves, &op->request->arena);
    if (look_move(op, from - 1, last, &before, &view))
        last = view.move;
    for (int32_t ply = from; ply <= to; ply++) {
        if (!look_move(op, ply, last, &before, &view))
            return false;
        if (!single)
            json_open(moves, '{');
        view_played_move(moves, &view);
        if (!single)
            json_close(moves, '}');
        last = view.move;
    }
    return true;
}

/* Whether a move was an answer to the one before it: by the computer, or by a plan. */
static bool is_answer(const struct op *op, const struct db_event *move)
{
    return move != NULL &&
           (op->live->row.seat[move->seat - 1].state == SEAT_ENGINE || plans_played(move->data));
}

static void answer_retry(struct op *op, unsigned status, const char *document)
{
    reply_header(op->request, "ETag", reply_etag(&op->request->arena, op->live->row.version));
    reply_made(op->request, status, document);
}

/* The moves from ply `first` on were asked for, those from `answers` to `last` were the answers to
 * them. */
struct sent_events {
    unsigned status;
    int32_t first, answers, last;
};

/* Answers as the first time, but for the status and the game beside it, which is shown as it is
 * now: nothing that happened since is kept from the client. */
static void answer_moves(struct op *op)
{
    const struct move_args *args = op->args;
    const struct sent_events *told = op->prepared;
    struct game_view game = use_case_view(op);
    struct json asked, answered;

    if (view_moves(&asked, op, args->single, told->first, told->answers - 1) &&
        view_moves(&answered, op, false, told->answers, told->last))
        answer_retry(op, told->status,
                     use_case_moves_document(op, &game, args->single, &asked, &answered));
    else
        use_case_fail(op);
}

/* To read and show hundreds of moves again takes milliseconds. */
static enum step tell_moves(struct op *op, struct sent_events told)
{
    enum { FEW = 16 };

    op->prepared = arena_alloc(&op->request->arena, sizeof(told));
    *(struct sent_events *)op->prepared = told;
    if (told.last - told.first >= FEW)
        return op_offload(op, answer_moves);
    answer_moves(op);
    return STEP_OVER;
}

/* ---- a ply that was played ---- */

/* The last of the answers that followed on the move of a ply, up to the next one that somebody made
 * themselves: those that the first answer to that move showed. */
static int32_t last_answer(const struct op *op, int32_t ply)
{
    while (is_answer(op, look_event(op, ply + 1)))
        ply++;
    return ply;
}

/* Whether the move that was played is the one that the op asks for. Both are read by the rules,
 * since one move may be written in several ways. */
static bool is_retry_wanted(const struct op *op, const struct draft_move *view)
{
    struct rules_refusal why;
    rules_move move;

    return record_read_move(&op->request->arena, view->game, view->before, view->last,
                            move_input_text(op, view->before, 0), &move, &why) &&
           rules_same_move(move, view->move);
}

/* Fetches the moves since a client has seen the game, which was before the move of a ply. A PUT may
 * be told that its move is one of them. */
static enum step need_since(struct op *op, int32_t ply, bool put)
{
    enum { SINCE_MAX = 200 }; /* moves in a refusal, lest a stale client makes it huge */
    const struct db_game *row = &op->live->row;
    int32_t to = row->ply - ply > SINCE_MAX ? ply + SINCE_MAX : row->ply;
    enum step step = op_need_confirmed(op);

    /* From two plies before on: to know the move before, its own position is needed. */
    if (step == STEP_GO && ply <= row->ply)
        step = (put ? fetch_durable_moves : fetch_moves)(op, row->line, ply > 2 ? ply - 2 : 1, to);
    return step;
}

enum step retries_stale(struct op *op, int32_t ply)
{
    enum step step = need_since(op, ply, false);

    return step == STEP_GO ? refuse_elsewhere(op, PROBLEM_STALE_PLY, ply) : step;
}

enum step retries_answer(struct op *op, unsigned seats)
{
    const struct move_args *args = op->args;
    struct rules_state before;
    struct draft_move move;
    enum step step;

    if (args->ply > op->live->row.ply)
        return retries_stale(op, args->ply);
    step = need_since(op, args->ply, args->put);
    if (step != STEP_GO)
        return step;
    /* Only a PUT may be repeated; a POST for a ply that was played is always too late. */
    if (!args->put || !look_last_move(op, args->ply, &before, &move) || !is_retry_wanted(op, &move))
        return refuse_elsewhere(op, PROBLEM_PLY_TAKEN, args->ply);
    if ((seats & seat_bit(move.seat)) == 0)
        return use_case_refuse(op, PROBLEM_NOT_YOUR_TURN, NULL);
    return tell_moves(
        op, (struct sent_events){200, args->ply, args->ply + 1, last_answer(op, args->ply)});
}

/* ---- a request that has left its mark ---- */

/* Fetches the moves that the request wrote, of which it asked for `asked`; the two before them,
 * since a move is read in the position before it, and shown by the move before it; and the one
 * behind them, which an opponent may have made that thinks. The mark is with the last event, at
 * whose ply they end. Sides take turns, so there is one answer at most. */
static enum step need_told(struct op *op, int32_t asked)
{
    const struct db_answer *told = &op->told;
    int32_t from = told->ply - asked - 2;

    return fetch_moves(op, told->line, from > 1 ? from : 1, told->ply + 1);
}

/* The ply of the last move that the request asked for. */
static int32_t last_asked(const struct op *op)
{
    int32_t ply = op->told.ply;

    return ply - is_answer(op, look_event(op, ply));
}

/* The ply of the answer, or of the last move that was asked for if there is none. A later line may
 * have another move there. */
static int32_t last_told(const struct op *op)
{
    const struct db_answer *told = &op->told;
    const struct db_event *next = look_event(op, told->ply + 1);

    return told->ply + (last_asked(op) == told->ply && next != NULL && next->line == told->line &&
                        is_answer(op, next));
}

static enum step tell_told(struct op *op, bool again)
{
    const struct move_args *args = op->args;
    int32_t asked = (int32_t)args->count;
    enum step step = op_need_confirmed(op);

    if (step == STEP_GO)
        step = need_told(op, asked);
    if (step != STEP_GO)
        return step;
    if (again)
        reply_replayed(op->request);
    return tell_moves(op, (struct sent_events){201, last_asked(op) - asked + 1, last_asked(op) + 1,
                                               last_told(op)});
}

enum step retries_moves(struct op *op)
{
    return move_input_is_word(op) ? retries_game(op) : tell_told(op, true);
}

enum step retries_answered(struct op *op)
{
    return tell_told(op, false);
}

/* Only if the last event is a move was there an answer. */
enum step retries_game(struct op *op)
{
    const struct db_answer *told = &op->told;
    bool moved = told->kind == EVENT_MOVE;
    struct game_view game;
    struct json answers;
    int32_t answered;
    enum step step = op_need_confirmed(op);

    if (step == STEP_GO && moved)
        step = need_told(op, 0);
    if (step != STEP_GO)
        return step;
    answered = moved && is_answer(op, look_event(op, told->ply));
    if (!view_moves(&answers, op, false, told->ply - answered + 1, told->ply))
        return use_case_fail(op);
    game = use_case_view(op);
    reply_replayed(op->request);
    answer_retry(op, 200, use_case_document(op, &game, &answers));
    return STEP_OVER;
}
