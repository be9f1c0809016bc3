/*
 * search.c - the search of all games: alpha-beta with a null window, iterative deepening, a table
 * of positions, quiescence, and what skips moves that cannot matter.
 *
 * A score is always that of the side to move. A position is judged when it is entered: the rules
 * say whether the game is over, and a position that has stood before on this path or in the game is
 * a draw, or lost for a side that has only given checks since. Both verdicts are kept out of the
 * table, since they depend on the path.
 */
#include "engine/search.h"

#include <string.h>

#include "rules/mix.h"

enum { CANCEL_EVERY = 1024 /* nodes between two looks at the flag */ };

static int32_t node(struct engine *e, unsigned ply, int depth, int32_t alpha, int32_t beta,
                    bool may_pass);

/* ---- entering and leaving positions ---- */

/* Bit 0 of a key says that the side to move is in check, in games that know check. */
static bool is_urgent(const struct engine *e, struct frame *f)
{
    if (e->knows->urgent == NULL)
        return (f->key & 1) != 0;
    if (f->urgency == NOT_ASKED)
        f->urgency = e->knows->urgent(&f->state) ? URGENT : CALM;
    return f->urgency == URGENT;
}

static void count_nodes(struct engine *e, uint64_t n)
{
    uint64_t before = e->nodes;

    e->nodes += n;
    if (e->nodes >= e->budget)
        e->stopped = true;
    if (e->cancel != NULL && before / CANCEL_EVERY != e->nodes / CANCEL_EVERY &&
        atomic_load_explicit(e->cancel, memory_order_relaxed))
        e->stopped = e->cancelled = true;
}

/* The verdict on a position that has stood before, at keys[first]: a side that was in check on all
 * of its turns since then, while the other was not, has won. */
static int32_t repetition_score(const struct engine *e, const struct frame *f, size_t first,
                                int32_t win)
{
    bool us = true, them = true;

    for (size_t i = e->nkeys; i > first; i--) {
        bool in_check = ((i == e->nkeys ? f->key : e->keys[i]) & 1) != 0;

        if ((e->nkeys - i) % 2 == 0)
            us = us && in_check;
        else
            them = them && in_check;
    }
    return us == them ? 0 : us ? win : -win;
}

/* Whether a position has stood before; then *score is the verdict. */
static bool has_stood(const struct engine *e, const struct frame *f, int32_t win, int32_t *score)
{
    for (size_t back = 2; back <= e->nkeys - e->since; back += 2)
        if (e->keys[e->nkeys - back] == f->key) {
            *score = repetition_score(e, f, e->nkeys - back, win);
            return true;
        }
    return false;
}

/* Whether the game is over in frame[ply]; then *score is the verdict. */
static bool is_over(const struct engine *e, unsigned ply, int32_t *score)
{
    static const struct rules_history none = {NULL, 0};
    const struct frame *f = &e->frame[ply];
    int32_t win = ENGINE_WIN - (int32_t)ply;
    struct rules_outcome outcome;

    if (has_stood(e, f, win, score))
        return true;
    outcome = e->game->outcome(&f->state, &none);
    if (outcome.status == RULES_ONGOING)
        return false;
    *score = outcome.status == RULES_DRAWN                   ? 0
             : outcome.winner == e->game->to_move(&f->state) ? win
                                                             : -win;
    return true;
}

static void enter(struct engine *e, unsigned ply, rules_move move)
{
    struct frame *f = &e->frame[ply], *next = f + 1;

    e->game->play(&f->state, move, &next->state);
    next->key = e->game->key(&next->state);
    next->urgency = NOT_ASKED;
    f->played = move;
    e->keys[e->nkeys++] = f->key;
    e->pv_len[ply + 1] = 0;
    count_nodes(e, 1);
}

static void leave(struct engine *e)
{
    e->nkeys--;
}

/* ---- moves and their order ---- */

static uint32_t move_hash(rules_move move)
{
    return (uint32_t)((move.w[0] * 0x9e3779b97f4a7c15U ^ move.w[1] * 0xd6e8feb86659fd93U) >> 40);
}

static uint16_t move_mark(rules_move move)
{
    return (uint16_t)(move_hash(move) | 1);
}

static uint32_t likeness(const struct engine *e, rules_move move)
{
    return e->knows->likeness != NULL ? e->knows->likeness(move) : move_hash(move) % HISTORY_SIZE;
}

/* The places where it is learnt how good a move is at a ply. */
enum { LESSONS = 3 };

struct lessons {
    int16_t *place[LESSONS];
};

static struct lessons lessons_of(struct engine *e, unsigned ply, rules_move move)
{
    const struct frame *f = &e->frame[ply];
    uint32_t like = likeness(e, move);
    struct lessons lessons = {{&e->history[e->game->to_move(&f->state) - 1][like]}};

    for (unsigned back = 1; back <= 2; back++) {
        uint32_t last = ply < back ? HISTORY_SIZE : likeness(e, f[-(int)back].played);

        lessons.place[back] = &e->sequel[back - 1][(last * 0x9e3779b1U ^ like * 0x85ebca6bU) >> 15 &
                                                   (SEQUEL_SIZE - 1)];
    }
    return lessons;
}

static int32_t learnt(struct engine *e, unsigned ply, rules_move move)
{
    struct lessons lessons = lessons_of(e, ply, move);

    return *lessons.place[0] + *lessons.place[1] + *lessons.place[2];
}

/* What the best, the noisy and the killer moves get on top of their value. */
enum { FIRST = 1 << 28, GOOD = 1 << 26, KILLER = 1 << 25, BAD = -(1 << 26) };

/* Adds to a move's value what the search knows of it. */
static void rank(struct engine *e, unsigned ply, size_t i, uint16_t best)
{
    struct frame *f = &e->frame[ply];
    struct engine_rate *rate = &f->rate[i];

    if (best != 0 && move_mark(f->move[i]) == best)
        rate->value += FIRST;
    else if (rate->is & ENGINE_BAD)
        rate->value += BAD;
    else if (rate->is & ENGINE_NOISY)
        rate->value += GOOD;
    else if (rules_same_move(f->move[i], f->killer[0]))
        rate->value += KILLER + 1;
    else if (rules_same_move(f->move[i], f->killer[1]))
        rate->value += KILLER;
    else
        rate->value += learnt(e, ply, f->move[i]);
}

typedef size_t list_fn(const struct rules_state *state, rules_move *moves, size_t cap);

/* Lists and rates moves. What takes long counts as many nodes: a long list, and above all one of a
 * position that rules_is_heavy(). */
static void list(struct engine *e, struct frame *f, list_fn *moves)
{
    enum { HEAVY_NODES = 1000 };

    f->n = moves(&f->state, f->move, MOVES_MAX);
    count_nodes(e, f->n > MOVES_MAX ? HEAVY_NODES : f->n / 256);
    if (f->n > MOVES_MAX)
        f->n = MOVES_MAX;
    e->knows->rate(&f->state, f->move, f->n, f->rate);
}

static void list_moves(struct engine *e, unsigned ply, uint16_t best)
{
    struct frame *f = &e->frame[ply];

    list(e, f, e->knows->moves != NULL ? e->knows->moves : e->game->legal);
    for (size_t i = 0; i < f->n; i++)
        rank(e, ply, i, best);
}

/* The moves that quiescence looks at: noisy ones that lose nothing, and `forcing`: those, too. */
static void list_noisy(struct engine *e, unsigned ply, bool forcing)
{
    struct frame *f = &e->frame[ply];
    size_t n = 0;

    if (e->knows->noisy != NULL)
        list(e, f, e->knows->noisy);
    else
        list(e, f, e->knows->moves != NULL ? e->knows->moves : e->game->legal);
    for (size_t i = 0; i < f->n; i++) {
        uint32_t is = f->rate[i].is;

        if ((is & ENGINE_BAD) || !(is & (ENGINE_NOISY | (forcing ? ENGINE_FORCING : 0))))
            continue;
        f->move[n] = f->move[i];
        f->rate[n] = f->rate[i];
        rank(e, ply, n++, 0);
    }
    f->n = n;
}

/* Brings the best of the moves from `i` on to place `i`; the first of equals. Where so many moves
 * have failed, the order of the others does not matter. */
static void pick(struct frame *f, size_t i)
{
    enum { PICKED = 32 };
    size_t best = i;
    rules_move move;
    struct engine_rate rate;

    if (i >= PICKED)
        return;
    for (size_t j = i + 1; j < f->n; j++)
        if (f->rate[j].value > f->rate[best].value)
            best = j;
    move = f->move[best];
    rate = f->rate[best];
    f->move[best] = f->move[i];
    f->rate[best] = f->rate[i];
    f->move[i] = move;
    f->rate[i] = rate;
}

/* Moves a lesson towards its bounds, by less the nearer it is to them. */
static void learn_one(struct engine *e, unsigned ply, rules_move move, int32_t bonus)
{
    enum { LESSON_MAX = 1 << 14 };
    struct lessons lessons = lessons_of(e, ply, move);

    for (size_t i = 0; i < LESSONS; i++) {
        int32_t old = *lessons.place[i], size = bonus < 0 ? -bonus : bonus;

        *lessons.place[i] = (int16_t)(old + bonus - old * size / LESSON_MAX);
    }
}

/* A quiet move has refuted the position at `ply`: it gains, and those before it lose. */
static void learn(struct engine *e, unsigned ply, size_t refuter, int depth)
{
    struct frame *f = &e->frame[ply];
    int32_t bonus = depth < 10 ? 16 * depth * depth : 1600;

    if (f->rate[refuter].is & ENGINE_NOISY)
        return;
    if (!rules_same_move(f->killer[0], f->move[refuter])) {
        f->killer[1] = f->killer[0];
        f->killer[0] = f->move[refuter];
    }
    for (size_t i = 0; i <= refuter; i++)
        if (!(f->rate[i].is & ENGINE_NOISY))
            learn_one(e, ply, f->move[i], i == refuter ? bonus : -bonus);
}

static void extend_line(struct engine *e, unsigned ply, rules_move move)
{
    size_t len = e->pv_len[ply + 1];

    if (len > ENGINE_LINE_MOVES - 1)
        len = ENGINE_LINE_MOVES - 1;
    e->pv[ply][0] = move;
    memcpy(&e->pv[ply][1], e->pv[ply + 1], len * sizeof(move));
    e->pv_len[ply] = len + 1;
}

/* ---- judging ---- */

static int32_t evaluate(const struct engine *e, const struct frame *f)
{
    return e->knows->evaluate(&f->state) + level_noise(e, f->key);
}

/* The key under which a position is noted. */
static uint64_t note_key(const struct engine *e, const struct frame *f)
{
    return e->knows->counters == NULL ? f->key : f->key ^ mix(e->knows->counters(&f->state)) << 1;
}

/* In the table a win is counted from the position, elsewhere from the root. */
static int16_t score_to_table(int32_t score, unsigned ply)
{
    if (score > WIN_IN_SIGHT)
        score += (int32_t)ply;
    else if (score < -WIN_IN_SIGHT)
        score -= (int32_t)ply;
    return (int16_t)score;
}

static int32_t score_from_table(int32_t score, unsigned ply)
{
    if (score > WIN_IN_SIGHT)
        return score - (int32_t)ply;
    return score < -WIN_IN_SIGHT ? score + (int32_t)ply : score;
}

static bool note_decides(struct table_note note, int32_t score, int depth, int32_t alpha,
                         int32_t beta)
{
    return note.bound != 0 && note.depth >= depth &&
           (((note.bound & TABLE_LOWER) && score >= beta) ||
            ((note.bound & TABLE_UPPER) && score <= alpha));
}

/* Notes what a search of a position found: `best` is its best move, if it is better than `alpha`.
 */
static void keep_note(struct engine *e, unsigned ply, int depth, int32_t score, int32_t alpha,
                      int32_t beta, rules_move best)
{
    struct table_note note = {.key = note_key(e, &e->frame[ply]),
                              .score = score_to_table(score, ply),
                              .depth = (uint8_t)depth,
                              .bound = TABLE_UPPER};

    if (score > alpha) {
        note.move = move_mark(best);
        note.bound = score >= beta ? TABLE_LOWER : TABLE_EXACT;
    }
    table_write(&e->table, note);
}

/* ---- quiescence: only noisy moves, or all if the side to move must answer a threat ---- */

/* What a quiet move may still add to what a noisy one takes. */
enum { HOPE = 300, ANSWERS = 2 };

/* Whether quiescence skips a move that takes too little. */
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

static int32_t quiesce_moves(struct engine *e, unsigned ply, unsigned plies, int32_t alpha,
                             int32_t beta, int32_t best, rules_move *best_move);

static int32_t quiesce(struct engine *e, unsigned ply, unsigned plies, int32_t alpha, int32_t beta)
{
    struct frame *f = &e->frame[ply];
    struct table_note note;
    rules_move best_move = {{0, 0}};
    int32_t best = -ENGINE_WIN + (int32_t)ply, known;

    if (ply >= PLIES_MAX - 1 || plies == 0)
        return evaluate(e, f);
    note = table_read(&e->table, note_key(e, f));
    known = score_from_table(note.score, ply);
    if (note_decides(note, known, 0, alpha, beta))
        return known;
    f->value = SCORE_NONE;
    if (is_urgent(e, f)) {
        list_moves(e, ply, note.move);
    } else {
        best = f->value = evaluate(e, f);
        if (best >= beta)
            return best;
        list_noisy(e, ply, plies + e->knows->forcing > e->level.quiescence);
    }
    best = quiesce_moves(e, ply, plies, alpha, beta, best, &best_move);
    if (!e->stopped && plies == e->level.quiescence)
        keep_note(e, ply, 0, best, alpha, beta, best_move);
    return best;
}

static int32_t quiesce_moves(struct engine *e, unsigned ply, unsigned plies, int32_t alpha,
                             int32_t beta, int32_t best, rules_move *best_move)
{
    struct frame *f = &e->frame[ply];

    if (best > alpha)
        alpha = best;
    for (size_t i = 0; i < f->n && !e->stopped; i++) {
        int32_t score;

        pick(f, i);
        if (is_skipped(e, f, i, best, alpha))
            continue;
        enter(e, ply, f->move[i]);
        if (!is_over(e, ply + 1, &score))
            score = quiesce(e, ply + 1, plies - 1, -beta, -alpha);
        leave(e);
        score = -score;
        if (score <= best)
            continue;
        best = score;
        *best_move = f->move[i];
        if (score >= beta)
            break;
        if (score > alpha) {
            alpha = score;
            extend_line(e, ply, f->move[i]);
        }
    }
    return best;
}

/* ---- the main search ---- */

/* Whether passing refutes the position: if even then the opponent is not well off, no move need be
 * tried. */
static bool passing_refutes(struct engine *e, unsigned ply, int depth, int32_t value, int32_t beta)
{
    struct frame *f = &e->frame[ply];
    int left = depth - 3 - depth / 4 - (value - beta > 600 ? 3 : (value - beta) / 200);
    size_t since = e->since;
    int32_t score;

    if (e->knows->pass == NULL || !e->knows->pass(&f->state, &f[1].state))
        return false;
    f[1].key = e->game->key(&f[1].state);
    f[1].urgency = NOT_ASKED;
    f->played = (rules_move){{0, 0}};
    e->keys[e->nkeys++] = f->key;
    e->since = e->nkeys;
    e->pv_len[ply + 1] = 0;
    count_nodes(e, 1);
    score = -node(e, ply + 1, left, -beta, -beta + 1, false);
    e->nkeys--;
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
    r -= learnt(e, ply, e->frame[ply].move[i]) * 3;
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
    left = v->depth - reduction(e, ply, v, i);
    return left <= 5 && knows->margin != 0 && v->value + knows->margin * (left + 1) <= alpha;
}

/* Searches the move in place `i`, after `enter`: first with a null window and a reduction, and
 * again as far as it turns out to be good. */
static int32_t follow(struct engine *e, unsigned ply, const struct visit *v, size_t i,
                      int32_t alpha, int32_t beta)
{
    struct frame *f = &e->frame[ply];
    bool urgent = is_urgent(e, f + 1);
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

        pick(f, i);
        if ((ply == 0 && is_barred(e, f->move[i])) || level_overlooks(e, ply, f->move[i]) ||
            (ply > 0 && best > -WIN_IN_SIGHT && is_hopeless(e, ply, v, i, alpha)))
            continue;
        enter(e, ply, f->move[i]);
        if (is_over(e, ply + 1, &score))
            score = -score;
        else
            score = follow(e, ply, v, tried, alpha, beta);
        leave(e);
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
            extend_line(e, ply, f->move[i]);
        if (score >= beta) {
            learn(e, ply, i, v->depth);
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
    int32_t known, score;
    size_t best_at = 0;

    if (depth <= 0 || ply >= PLIES_MAX - 1)
        return quiesce(e, ply, e->level.quiescence, alpha, beta);
    if (ply == 0)
        note.move = e->first;
    else if (noted)
        note = table_read(&e->table, note_key(e, f));
    known = score_from_table(note.score, ply);
    if (!v.pv && note_decides(note, known, depth, alpha, beta))
        return known;
    v.urgent = is_urgent(e, f);
    v.value = v.urgent ? 0 : evaluate(e, f);
    f->value = v.urgent ? SCORE_NONE : v.value;
    v.improving = ply >= 2 && (f[-2].value == SCORE_NONE || v.value > f[-2].value);
    if (is_won_without_a_move(e, ply, &v, beta, may_pass))
        return v.value;
    if (note.move == 0 && depth >= 4)
        depth--;
    v.depth = depth;
    if (ply + 2 <= PLIES_MAX)
        f[2].killer[0] = f[2].killer[1] = (rules_move){{0, 0}};
    list_moves(e, ply, note.move);
    score = try_moves(e, ply, &v, alpha, beta, &best_at);
    if (e->stopped)
        return score;
    if (score == -SCORE_NONE) /* everything was overlooked */
        return v.urgent ? evaluate(e, f) : v.value;
    if (noted && ply > 0)
        keep_note(e, ply, depth, score, alpha, beta, f->move[best_at]);
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
        e->first = move_mark(line->move[0]);
    }
}
