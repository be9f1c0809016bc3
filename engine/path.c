/* path.c - the way from the root to a position: going forwards and back, what ends it, and what it
 * is worth. */
#include "engine/path.h"

#include <string.h>

enum { CANCEL_EVERY = 1024 /* nodes between two looks at the flag */ };

/* Bit 0 of a key says that the side to move is in check, in games that know check. */
bool path_is_urgent(const struct engine *e, struct frame *f)
{
    if (e->knows->urgent == NULL)
        return (f->key & 1) != 0;
    if (f->urgency == NOT_ASKED)
        f->urgency = e->knows->urgent(&f->state) ? URGENT : CALM;
    return f->urgency == URGENT;
}

void path_count(struct engine *e, uint64_t n)
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
bool path_is_over(const struct engine *e, unsigned ply, int32_t *score)
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

/* frame[ply + 1] holds the position that a move or a pass leads to. */
static void arrive(struct engine *e, unsigned ply, rules_move move, bool passed)
{
    struct frame *f = &e->frame[ply], *next = f + 1;

    next->key = e->game->key(&next->state);
    next->urgency = NOT_ASKED;
    next->passed = passed;
    f->played = move;
    e->keys[e->nkeys++] = f->key;
    e->pv_len[ply + 1] = 0;
    path_count(e, 1);
}

void path_enter(struct engine *e, unsigned ply, rules_move move)
{
    e->game->play(&e->frame[ply].state, move, &e->frame[ply + 1].state);
    arrive(e, ply, move, false);
}

bool path_pass(struct engine *e, unsigned ply)
{
    struct frame *f = &e->frame[ply], *next = f + 1;

    if (e->knows->pass == NULL || !e->knows->pass(&f->state, &next->state))
        return false;
    arrive(e, ply, (rules_move){{0, 0}}, true);
    e->since = e->nkeys;
    return true;
}

void path_leave(struct engine *e)
{
    e->nkeys--;
}

int32_t path_value(const struct engine *e, const struct frame *f)
{
    return e->knows->evaluate(&f->state) + level_noise(e, f->key);
}

void path_extend(struct engine *e, unsigned ply, rules_move move)
{
    size_t len = e->pv_len[ply + 1];

    if (len > ENGINE_LINE_MOVES - 1)
        len = ENGINE_LINE_MOVES - 1;
    e->pv[ply][0] = move;
    memcpy(&e->pv[ply][1], e->pv[ply + 1], len * sizeof(move));
    e->pv_len[ply] = len + 1;
}
