/* quiesce.c - the end of a line: exchanges are followed until the position can be judged as it
 * stands. */
#include "engine/quiesce.h"

#include "engine/notes.h"
#include "engine/order.h"
#include "engine/path.h"

/* What a quiet move may still add to what a noisy one takes. */
enum { HOPE = 300, ANSWERS = 2 };

/* Whether quiescence skips a move: one that takes too little, or one more quiet answer to a check
 * where many moves are skipped anyway. */
static bool is_skipped(const struct engine *e, const struct frame *f, size_t i, int32_t best,
                       int32_t alpha)
{
    const struct engine_rate *rate = &f->rate[i];

    if (f->value == SCORE_NONE)
        return e->knows->late != 0 && best > -WIN_IN_SIGHT && i >= ANSWERS &&
               !(rate->is & ENGINE_NOISY);
    return e->knows->margin != 0 && !(rate->is & ENGINE_FORCING) &&
           f->value + rate->gain + HOPE <= alpha;
}

static int32_t try_moves(struct engine *e, unsigned ply, unsigned plies, int32_t alpha,
                         int32_t beta, int32_t best, rules_move *best_move)
{
    struct frame *f = &e->frame[ply];

    if (best > alpha)
        alpha = best;
    for (size_t i = 0; i < f->n && !e->stopped; i++) {
        int32_t score;

        order_pick(f, i);
        if (is_skipped(e, f, i, best, alpha))
            continue;
        path_enter(e, ply, f->move[i]);
        if (!path_is_over(e, ply + 1, &score))
            score = quiesce(e, ply + 1, plies - 1, -beta, -alpha);
        path_leave(e);
        score = -score;
        if (score <= best)
            continue;
        best = score;
        *best_move = f->move[i];
        if (score >= beta)
            break;
        if (score > alpha) {
            alpha = score;
            path_extend(e, ply, f->move[i]);
        }
    }
    return best;
}

int32_t quiesce(struct engine *e, unsigned ply, unsigned plies, int32_t alpha, int32_t beta)
{
    struct frame *f = &e->frame[ply];
    struct table_note note;
    rules_move best_move = {{0, 0}};
    int32_t best = -ENGINE_WIN + (int32_t)ply, known;

    if (ply >= PLIES_MAX - 1 || plies == 0)
        return path_value(e, f);
    note = notes_read(e, ply, &known);
    if (notes_decide(note, known, 0, alpha, beta))
        return known;
    f->value = SCORE_NONE;
    if (path_is_urgent(e, f)) {
        order_all(e, ply, note.move);
    } else {
        best = f->value = path_value(e, f);
        if (best >= beta)
            return best;
        order_noisy(e, ply, plies + e->knows->forcing > e->level.quiescence);
    }
    best = try_moves(e, ply, plies, alpha, beta, best, &best_move);
    if (best < -WIN_IN_SIGHT && !order_proves_loss(e, ply))
        best = -WIN_IN_SIGHT;
    if (!e->stopped && plies == e->level.quiescence)
        notes_keep(e, ply, 0, best, alpha, beta, best_move);
    return best;
}
