/*
 * search.c - the search of all games: alpha-beta with a null window, iterative deepening, and what
 * skips moves that cannot matter. A score is always that of the side to move.
 */
#include "engine/search.h"

#include <string.h>

#include "engine/notes.h"
#include "engine/order.h"
#include "engine/path.h"
#include "engine/quiesce.h"

static int32_t node(struct engine *e, unsigned ply, int depth, int32_t alpha, int32_t beta,
                    bool may_pass);

/* Whether passing refutes the position: if even then the opponent is not well off, no move need be
 * tried. */
static bool passing_refutes(struct engine *e, unsigned ply, int depth, int32_t value, int32_t beta)
{
    int most = e->knows->late != 0 ? 3 : 1, more = (value - beta) / 200;
    int left = depth - 3 - depth / 4 - (more < most ? more : most);
    size_t since = e->since;
    int32_t score;

    if (!path_pass(e, ply))
        return false;
    score = -node(e, ply + 1, left, -beta, -beta + 1, false);
    path_leave(e);
    e->since = since;
    return score >= beta && !e->stopped;
}

/* What is known when the moves of a position are gone through. */
struct visit {
    int depth;
    bool pv, urgent;
    bool improving; /* the side to move stands better than at its last turn */
    int32_t value;  /* how the position is judged as it stands */
};

/* 16 times the logarithm of a number to the base 2. */
static int log2_of(size_t n)
{
    static const int log[32] = {0,  0,  16, 25, 32, 37, 41, 45, 48, 51, 53, 55, 57, 59, 61, 63,
                                64, 65, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 79};
    int whole = 0;

    for (; n >= 32; n >>= 1)
        whole += 16;
    return whole + log[n];
}

/* By how much a late quiet move is searched less deeply: less if it was often good. */
static int reduction(struct engine *e, unsigned ply, const struct visit *v, size_t i)
{
    int r;

    if (e->knows->reduce == 0 || v->depth < 3 || i < e->knows->reduce + (v->pv ? 2U : 0U))
        return 0;
    r = log2_of((size_t)v->depth) * log2_of(i + 1) * 64; /* in 65,536ths of a ply */
    r -= order_learnt(e, ply, e->frame[ply].move[i]) * 3;
    r = (r + (v->pv ? 0 : 32768) + (v->improving ? 0 : 16384)) / 65536;
    r += (e->frame[ply].rate[i].is & ENGINE_BAD) != 0;
    return r < 0 ? 0 : r < v->depth - 1 ? r : v->depth - 2;
}

/* Whether a move need not be tried: one that loses more than the depth can make up for, a quiet one
 * after many others, or one that cannot make up for what is missing. */
static bool is_hopeless(struct engine *e, unsigned ply, const struct visit *v, size_t i,
                        int32_t alpha)
{
    const struct engine_game *knows = e->knows;
    const struct engine_rate *rate = &e->frame[ply].rate[i];
    size_t late = knows->late + 2 * (size_t)v->depth * (size_t)v->depth;
    int left;

    if ((rate->is & ENGINE_BAD) && knows->margin != 0 &&
        rate->gain < -knows->margin / 4 * v->depth * v->depth)
        return true;
    if (v->urgent || (rate->is & (ENGINE_NOISY | ENGINE_FORCING)))
        return false;
    if (knows->late != 0 && !v->pv && v->depth <= 6 && i >= (v->improving ? late : late / 2))
        return true;
    left = v->depth - (knows->late != 0 ? reduction(e, ply, v, i) : 0);
    return left <= 5 && knows->margin != 0 && v->value + knows->margin * (left + 1) <= alpha;
}

/* Searches the move in place `i`, after `enter`: first with a null window and a reduction, and
 * again as far as it turns out to be good. */
static int32_t follow(struct engine *e, unsigned ply, const struct visit *v, size_t i,
                      int32_t alpha, int32_t beta)
{
    struct frame *f = &e->frame[ply];
    bool urgent = path_is_urgent(e, f + 1);
    int depth = v->depth - 1 + (urgent && !(f->rate[i].is & ENGINE_BAD) && ply < 2 * e->depth);
    int less = 0;
    int32_t score;

    if (i == 0)
        return -node(e, ply + 1, depth, -beta, -alpha, true);
    if (!urgent && !v->urgent && !(f->rate[i].is & (ENGINE_NOISY | ENGINE_FORCING)))
        less = reduction(e, ply, v, i);
    score = -node(e, ply + 1, depth - less, -alpha - 1, -alpha, true);
    if (score > alpha && less > 0)
        score = -node(e, ply + 1, depth, -alpha - 1, -alpha, true);
    if (score > alpha && score < beta)
        score = -node(e, ply + 1, depth, -beta, -alpha, true);
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
            (ply > 0 && best > -WIN_IN_SIGHT && is_hopeless(e, ply, v, i, alpha)))
            continue;
        path_enter(e, ply, f->move[i]);
        if (path_is_over(e, ply + 1, &score))
            score = -score;
        else
            score = follow(e, ply, v, tried, alpha, beta);
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

/* Whether the value of a position is so far beyond beta that moves of small depth cannot lose it
 * again, or that a search after a pass does not. */
static bool is_won_without_a_move(struct engine *e, unsigned ply, const struct visit *v,
                                  int32_t beta, bool may_pass)
{
    if (v->pv || v->urgent || beta > WIN_IN_SIGHT || beta < -WIN_IN_SIGHT || v->value < beta)
        return false;
    if (e->knows->margin != 0 && v->depth <= 5 && v->value - e->knows->margin * v->depth >= beta)
        return true;
    return may_pass && v->depth >= 2 && passing_refutes(e, ply, v->depth, v->value, beta);
}

static int32_t node(struct engine *e, unsigned ply, int depth, int32_t alpha, int32_t beta,
                    bool may_pass)
{
    struct frame *f = &e->frame[ply];
    struct visit v = {.pv = beta - alpha > 1};
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
    if (is_won_without_a_move(e, ply, &v, beta, may_pass))
        return v.value;
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
        score = node(e, 0, (int)e->depth, -ENGINE_WIN, ENGINE_WIN, false);
        if (e->pv_len[0] == 0)
            break;
        keep_line(e, score, line);
        tell(e);
        e->first = order_mark(line->move[0]);
    }
}
