/* order.c - which moves a position has, in which order they are searched, and what is learnt. */
#include "engine/order.h"

#include "engine/general.h"
#include "engine/path.h"

static uint32_t move_hash(rules_move move)
{
    return (uint32_t)((move.w[0] * 0x9e3779b97f4a7c15U ^ move.w[1] * 0xd6e8feb86659fd93U) >> 40);
}

uint16_t order_mark(rules_move move)
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

int32_t order_learnt(struct engine *e, unsigned ply, rules_move move)
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

    if (best != 0 && order_mark(f->move[i]) == best)
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
        rate->value += order_learnt(e, ply, f->move[i]);
}

typedef size_t list_fn(const struct rules_state *state, rules_move *moves, size_t cap);

static list_fn *moves_of(const struct engine *e, unsigned ply)
{
    bool every = e->knows->moves == NULL || (ply == 0 && e->every_move);

    return every ? e->game->legal : e->knows->moves;
}

/* Lists and rates moves. What takes long counts as many nodes: a long list, and above all one of a
 * position that rules_is_heavy(). */
static void list(struct engine *e, struct frame *f, list_fn *moves)
{
    enum { HEAVY_NODES = 1000 };

    f->n = moves(&f->state, f->move, MOVES_MAX);
    f->selected = f->n > MOVES_MAX;
    path_count(e, f->n > MOVES_MAX ? HEAVY_NODES : f->n / 256);
    if (f->n > MOVES_MAX)
        f->n = MOVES_MAX;
    if (e->knows->rate != NULL)
        e->knows->rate(&f->state, f->move, f->n, f->rate);
    else
        general_rate(e->game, &f->state, f->move, f->n, f->rate);
}

/* Below the root, a move that is seen to win at once is the only one worth a look. */
static bool keep_win(struct engine *e, unsigned ply)
{
    struct frame *f = &e->frame[ply];

    for (size_t i = 0; i < f->n && ply > 0 && e->knows->wins != NULL; i++)
        if ((f->rate[i].is & ENGINE_FORCING) && e->knows->wins(&f->state, f->move[i]) &&
            !level_overlooks(e, ply, f->move[i])) {
            f->move[0] = f->move[i];
            f->rate[0] = f->rate[i];
            f->n = 1;
            f->selected = true;
            return true;
        }
    return false;
}

void order_all(struct engine *e, unsigned ply, uint16_t best)
{
    struct frame *f = &e->frame[ply];

    list(e, f, moves_of(e, ply));
    keep_win(e, ply);
    for (size_t i = 0; i < f->n; i++)
        rank(e, ply, i, best);
}

bool order_proves_loss(const struct engine *e, unsigned ply)
{
    const struct frame *f = &e->frame[ply];
    struct rules_outcome outcome;
    struct rules_refusal why;

    if (f->selected || (moves_of(e, ply) != e->game->legal && e->knows->suffice != NULL &&
                        !e->knows->suffice(&f->state)))
        return false;
    return e->game->declare == NULL || !e->game->declare(&f->state, &outcome, &why);
}

/* The moves that quiescence looks at: noisy ones that lose nothing, and `forcing`: those, too. */
void order_noisy(struct engine *e, unsigned ply, bool forcing)
{
    struct frame *f = &e->frame[ply];
    size_t n = 0;

    if (e->knows->noisy != NULL)
        list(e, f, e->knows->noisy);
    else
        list(e, f, moves_of(e, ply));
    if (keep_win(e, ply))
        return;
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
void order_pick(struct frame *f, size_t i)
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
void order_learn(struct engine *e, unsigned ply, size_t refuter, int depth)
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
