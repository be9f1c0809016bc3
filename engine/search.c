/*
 * search.c - the search of all games: alpha-beta with a null window, iterative deepening, and what
 * skips moves that cannot matter. A score is always that of the side to move.
 */
#include "engine/search.h"

#include <string.h>

#include "engine/notes.h"
#include "engine/order.h"
#include "engine/path.h"
#include "engine/prune.h"
#include "engine/quiesce.h"

static int32_t node(struct engine *e, unsigned ply, int depth, int32_t alpha, int32_t beta);

/* Whether passing refutes the position: if even then the opponent is not well off, no move need be
 * tried. */
static bool passing_refutes(struct engine *e, unsigned ply, const struct visit *v, int32_t beta)
{
    size_t since = e->since;
    int32_t score;

    if (!prune_may_pass(e, ply, v, beta) || !path_pass(e, ply))
        return false;
    score = -node(e, ply + 1, prune_pass_depth(e, v, beta), -beta, -beta + 1);
    path_leave(e);
    e->since = since;
    return score >= beta && !e->stopped;
}

/* Searches the move in place `i`, after path_enter(): the first that is tried with the whole
 * window, each other one first with a null window and a reduction, and again as far as it turns out
 * to be good. */
static int32_t follow(struct engine *e, unsigned ply, const struct visit *v, size_t i, bool first,
                      int32_t alpha, int32_t beta)
{
    struct frame *f = &e->frame[ply];
    bool urgent = path_is_urgent(e, f + 1);
    int depth = v->depth - 1 + (urgent && !(f->rate[i].is & ENGINE_BAD) && ply < 2 * e->depth);
    int less = 0;
    int32_t score;

    if (first)
        return -node(e, ply + 1, depth, -beta, -alpha);
    if (!urgent && !v->urgent && !(f->rate[i].is & (ENGINE_NOISY | ENGINE_FORCING)))
        less = prune_reduction(e, ply, v, i);
    score = -node(e, ply + 1, depth - less, -alpha - 1, -alpha);
    if (score > alpha && less > 0)
        score = -node(e, ply + 1, depth, -alpha - 1, -alpha);
    if (score > alpha && score < beta)
        score = -node(e, ply + 1, depth, -beta, -alpha);
    return score;
}

static bool is_barred(const struct engine *e, rules_move move)
{
    for (size_t i = 0; i < e->nbarred; i++)
        if (rules_same_move(e->barred[i], move))
            return true;
    return false;
}

/* Goes through the moves of frame[ply]. Returns the best score, and the place of the best move in
 * *best_at; the score is -SCORE_NONE if no move was searched. */
static int32_t try_moves(struct engine *e, unsigned ply, const struct visit *v, int32_t alpha,
                         int32_t beta, size_t *best_at)
{
    struct frame *f = &e->frame[ply];
    int32_t best = -SCORE_NONE;
    size_t tried = 0;

    for (size_t i = 0; i < f->n; i++) {
        int32_t score;

        order_pick(f, i);
        if ((ply == 0 && is_barred(e, f->move[i])) || level_overlooks(e, ply, f->move[i]) ||
            (ply > 0 && best > -WIN_IN_SIGHT && prune_is_hopeless(e, ply, v, i, alpha)))
            continue;
        path_enter(e, ply, f->move[i]);
        if (path_is_over(e, ply + 1, &score))
            score = -score;
        else
            score = follow(e, ply, v, i, tried == 0, alpha, beta);
        path_leave(e);
        if (e->stopped)
            return best;
        tried++;
        if (score <= best)
            continue;
        best = score;
        *best_at = i;
        if (score <= alpha)
            continue;
        alpha = score;
        if (v->pv)
            path_extend(e, ply, f->move[i]);
        if (score >= beta) {
            order_learn(e, ply, i, v->depth);
            break;
        }
    }
    return best;
}

static int32_t node(struct engine *e, unsigned ply, int depth, int32_t alpha, int32_t beta)
{
    struct frame *f = &e->frame[ply];
    struct visit v = {.depth = depth, .pv = beta - alpha > 1};
    bool noted = ply > 3 || e->level.hidden == 0; /* below, moves are overlooked by their ply */
    struct table_note note = {0};
    int32_t known = 0, score;
    size_t best_at = 0;

    if (depth <= 0 || ply >= PLIES_MAX - 1)
        return quiesce(e, ply, e->level.quiescence, alpha, beta);
    if (ply == 0)
        note.move = e->first;
    else if (noted)
        note = notes_read(e, ply, &known);
    if (!v.pv && notes_decide(note, known, depth, alpha, beta))
        return known;
    v.urgent = path_is_urgent(e, f);
    v.value = v.urgent ? 0 : path_value(e, f);
    f->value = v.urgent ? SCORE_NONE : v.value;
    v.improving = ply >= 2 && (f[-2].value == SCORE_NONE || v.value > f[-2].value);
    if (prune_is_won(e, &v, beta))
        return v.value;
    if (passing_refutes(e, ply, &v, beta) || e->stopped)
        return beta;
    if (note.move == 0 && depth >= 4)
        depth--;
    v.depth = depth;
    if (ply + 2 <= PLIES_MAX)
        f[2].killer[0] = f[2].killer[1] = (rules_move){{0, 0}};
    order_all(e, ply, note.move);
    score = try_moves(e, ply, &v, alpha, beta, &best_at);
    if (e->stopped)
        return score;
    if (score == -SCORE_NONE) /* everything was overlooked */
        return v.urgent ? path_value(e, f) : v.value;
    if (noted && ply > 0)
        notes_keep(e, ply, depth, score, alpha, beta, f->move[best_at]);
    return score;
}

/* ---- iterative deepening ---- */

static void keep_line(const struct engine *e, int32_t score, struct engine_line *line)
{
    line->score = score;
    line->mate = score > WIN_IN_SIGHT    ? ENGINE_WIN - score
                 : score < -WIN_IN_SIGHT ? -(ENGINE_WIN + score)
                                         : 0;
    line->depth = e->depth;
    line->len = e->pv_len[0];
    memcpy(line->move, e->pv[0], line->len * sizeof(line->move[0]));
}

/* Whether a greater depth would find nothing else: the shortest way to the end is known. */
static bool is_settled(const struct engine_line *line)
{
    return line->mate != 0 && (int32_t)line->depth >= (line->mate > 0 ? line->mate : -line->mate);
}

/* The line that is being searched counts, too. */
static void tell(struct engine *e)
{
    if (e->listener == NULL)
        return;
    e->analysis->nodes = e->nodes;
    e->analysis->n++;
    e->listener->found(e->listener->context, e->analysis);
    e->analysis->n--;
}

void search_deepen(struct engine *e, uint64_t nodes, struct engine_line *line)
{
    enum { DEPTH_MAX = 64 };

    *line = (struct engine_line){0};
    e->stopped = e->cancelled;
    e->budget = e->nodes + nodes;
    e->first = 0;
    for (e->depth = 1; e->depth <= DEPTH_MAX && !e->stopped && !is_settled(line); e->depth++) {
        int32_t score;

        e->pv_len[0] = 0;
        score = node(e, 0, (int)e->depth, -ENGINE_WIN, ENGINE_WIN);
        if (e->pv_len[0] == 0)
            break;
        keep_line(e, score, line);
        tell(e);
        e->first = order_mark(line->move[0]);
    }
}
