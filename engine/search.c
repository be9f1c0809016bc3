/*
 * search.c - the search of all games: alpha-beta with a null window, iterative deepening, and what
 * skips moves that cannot matter. A score is always that of the side to move.
 */
#include "engine/search.h"

#include <string.h>

#include "engine/notes.h"
#include "engine/order.h"
#include "engine/path.h"

/* ---- the end of a line ---- */

static int32_t quiesce(struct engine *e, unsigned ply, unsigned plies, int32_t alpha, int32_t beta);

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

static int32_t try_noisy(struct engine *e, unsigned ply, unsigned plies, int32_t alpha,
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

/* The score of frame[ply] when for so many plies only noisy moves are looked at, or all moves where
 * the side to move must answer a threat. */
static int32_t quiesce(struct engine *e, unsigned ply, unsigned plies, int32_t alpha, int32_t beta)
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
    best = try_noisy(e, ply, plies, alpha, beta, best, &best_move);
    if (best < -WIN_IN_SIGHT && !order_proves_loss(e, ply))
        best = -WIN_IN_SIGHT;
    if (!e->stopped && plies == e->level.quiescence)
        notes_keep(e, ply, 0, best, alpha, beta, best_move);
    return best;
}

/* ---- what need not be looked at, or less deeply ---- */

/* Each game allows as much of it as it stands, by a few numbers and by pass() (game.h). None of it
 * is a proof; games that the engine played against itself decided what stayed. */
/* What is known when the moves of a position are gone through. */
struct visit {
    int depth;
    bool pv, urgent;
    bool improving; /* the side to move stands better than at its last turn */
    int32_t value;  /* how the position is judged as it stands */
};

/* Scores that count plies to the end are not to be guessed. */
static bool may_guess(const struct visit *v, int32_t bound)
{
    return !v->pv && !v->urgent && bound < WIN_IN_SIGHT && bound > -WIN_IN_SIGHT;
}

/* Whether the value of a position is so far beyond beta that its depth is too small to lose it
 * again. */
static bool prune_is_won(const struct engine *e, const struct visit *v, int32_t beta)
{
    return e->knows->margin != 0 && v->depth <= 5 && may_guess(v, beta) &&
           v->value - e->knows->margin * v->depth >= beta;
}

/* Whether a search after a pass may refute frame[ply], and how deep that search goes. Two passes in
 * a row would be no game. */
static bool prune_may_pass(const struct engine *e, unsigned ply, const struct visit *v,
                           int32_t beta)
{
    return may_guess(v, beta) && !e->frame[ply].passed && v->depth >= 2 && v->value >= beta;
}

static int prune_pass_depth(const struct engine *e, const struct visit *v, int32_t beta)
{
    int most = e->knows->late != 0 ? 3 : 1, more = (v->value - beta) / 200;

    return v->depth - 3 - v->depth / 4 - (more < most ? more : most);
}

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

/* By how much the quiet move in place `i` is searched less deeply: less if it was often good. */
static int prune_reduction(struct engine *e, unsigned ply, const struct visit *v, size_t i)
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

/* Whether the move in place `i` of frame[ply] need not be tried: one that loses more than the depth
 * can make up for, a quiet one after many others, or one that cannot make up for what is missing.
 */
static bool prune_is_hopeless(struct engine *e, unsigned ply, const struct visit *v, size_t i,
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
    left = v->depth - (knows->late != 0 ? prune_reduction(e, ply, v, i) : 0);
    return left <= 5 && knows->margin != 0 && v->value + knows->margin * (left + 1) <= alpha;
}

/* ---- the search ---- */

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

int32_t search_add(int32_t score, int32_t more)
{
    return score >= WIN_IN_SIGHT || score <= -WIN_IN_SIGHT ? score : score + more;
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

/* The root move in place `i` was searched, and `best` is the best score of this iteration until
 * now. If no good move is left and the nodes run out, they go to find_other() instead. */
static void watch_root(struct engine *e, size_t i, int32_t best)
{
    e->tried = i + 1;
    e->best = best;
    e->refuted = best <= e->refuting;
    if (e->refuted && e->in_reserve)
        e->stopped = true;
}

/* Searches the move in place `i`, after path_enter(). At the root a score is that of the search
 * with what the level adds for the move, and so are its bounds. */
static int32_t follow_liked(struct engine *e, unsigned ply, const struct visit *v, size_t i,
                            bool first, int32_t alpha, int32_t beta)
{
    int32_t liking = ply == 0 ? level_liking(e, e->frame[0].move[i]) : 0, score;

    if (path_is_over(e, ply + 1, &score))
        score = -score;
    else
        score = follow(e, ply, v, i, first, search_add(alpha, -liking), search_add(beta, -liking));
    return search_add(score, liking);
}

/* Goes through the moves of frame[ply]. Returns the best score, and the place of the best move in
 * *best_at; the score is -SCORE_NONE if no move was searched. */
static int32_t try_moves(struct engine *e, unsigned ply, const struct visit *v, int32_t alpha,
                         int32_t beta, size_t *best_at)
{
    struct frame *f = &e->frame[ply];
    int32_t best = -SCORE_NONE;
    size_t tried = 0;

    for (size_t i = 0; i < f->n && !e->stopped; i++) {
        int32_t score;

        order_pick(f, i);
        if ((ply == 0 && is_barred(e, f->move[i])) || level_overlooks(e, ply, f->move[i]) ||
            (ply > 0 && best > -WIN_IN_SIGHT && prune_is_hopeless(e, ply, v, i, alpha)))
            continue;
        path_enter(e, ply, f->move[i]);
        score = follow_liked(e, ply, v, i, tried == 0, alpha, beta);
        path_leave(e);
        if (e->stopped)
            return best;
        tried++;
        if (ply == 0)
            watch_root(e, i, score > best ? score : best);
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
    if (score < -WIN_IN_SIGHT && !order_proves_loss(e, ply))
        score = -WIN_IN_SIGHT;
    if (noted && ply > 0)
        notes_keep(e, ply, depth, score, alpha, beta, f->move[best_at]);
    return score;
}

/* ---- iterative deepening ---- */

static void keep_line(struct engine *e, int32_t score, struct engine_line *line)
{
    line->score = score;
    line->mate = engine_mate(score);
    line->depth = e->depth;
    line->len = e->pv_len[0];
    memcpy(line->move, e->pv[0], line->len * sizeof(line->move[0]));
    e->first = order_mark(line->move[0]);
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

/* Whether what was found is to be kept. A proof is given up for a better one alone. Of an iteration
 * that was ended early it is kept if it is better than the line before, which has lost its worth if
 * another move was found to be better at the same depth; that all moves lose cannot be known yet.
 */
static bool is_better(const struct engine *e, int32_t score, const struct engine_line *line)
{
    if (e->pv_len[0] == 0 || (line->mate > 0 && score <= line->score) ||
        (line->mate < 0 && score > line->score))
        return false;
    if (!e->stopped || line->len == 0)
        return true;
    return score >= -WIN_IN_SIGHT &&
           (score >= line->score || !rules_same_move(e->pv[0][0], line->move[0]));
}

/* What must be lost at the next depth for a move to be refuted: five men. Where less is lost, a
 * shallow search knows no better move: in shogi one that trusted it at a man won 42 % of its games.
 */
static int32_t grave_loss(const struct engine *e)
{
    return 5 * e->knows->man;
}

/* Searches the root for a score above `alpha`, and keeps the line if it is better than *line. */
static int32_t search_above(struct engine *e, int32_t alpha, struct engine_line *line, bool *kept)
{
    int32_t beta = line->mate < 0 ? line->score + 1 : ENGINE_WIN, score;

    e->pv_len[0] = 0;
    score = node(e, 0, (int)e->depth, alpha, beta);
    if (e->stopped && line->len == 0 && score < -WIN_IN_SIGHT)
        score = -WIN_IN_SIGHT;
    *kept = is_better(e, score, line);
    if (*kept)
        keep_line(e, score, line);
    return score;
}

/* Searches the root to the present depth. After a win only a shorter one is of interest, and
 * nothing is better than a loss that is proved. Otherwise a move is looked for that is not refuted,
 * and then, if all are, the best of these. Whether a line was kept. */
static bool search_root(struct engine *e, struct engine_line *line)
{
    bool usual = line->len > 0 && line->mate == 0, kept;
    int32_t lowest = line->mate > 0 ? line->score : -ENGINE_WIN, score;

    e->tried = 0;
    e->refuted = false;
    e->refuting = usual ? line->score - grave_loss(e) : -SCORE_NONE;
    score = search_above(e, usual ? e->refuting : lowest, line, &kept);
    if (usual && score <= e->refuting && !e->stopped) {
        e->refuted = false;
        e->refuting = -SCORE_NONE;
        search_above(e, lowest, line, &kept);
    }
    return kept;
}

static void deepen(struct engine *e, struct engine_line *line)
{
    enum { DEPTH_MAX = 64 };

    *line = (struct engine_line){0};
    e->stopped = e->cancelled;
    e->first = 0;
    for (e->depth = 1; e->depth <= DEPTH_MAX && !e->stopped && !is_settled(line); e->depth++) {
        bool kept = search_root(e, line);

        if (!kept && (e->stopped || line->len == 0))
            break;
        line->depth = e->depth;
        tell(e);
    }
}

/* The nodes have ended after the best moves were refuted and before a good one was found. Looks
 * among the others with those that were put aside. Their depth is less, so a move must be clearly
 * better. */
static void find_other(struct engine *e, struct engine_line *line)
{
    const struct engine_listener *listener = e->listener;
    size_t nbarred = e->nbarred;
    int32_t best = e->best;
    struct engine_line other;

    memcpy(e->barred + nbarred, e->frame[0].move, e->tried * sizeof(e->barred[0]));
    e->nbarred += e->tried;
    e->listener = NULL;
    e->budget += e->reserve;
    e->reserve = 0;
    e->in_reserve = false;
    deepen(e, &other);
    e->nbarred = nbarred;
    e->listener = listener;
    if (other.len > 0 && other.score > best + e->knows->man)
        *line = other;
}

void search_deepen(struct engine *e, uint64_t nodes, struct engine_line *line)
{
    enum { RESERVED = 8 /* that part of the nodes */ };

    e->reserve = nodes / RESERVED;
    e->budget = e->nodes + nodes - e->reserve;
    e->in_reserve = false;
    deepen(e, line);
    if (e->refuted && e->stopped && !e->cancelled)
        find_other(e, line);
}
