/* path.c - the way from the root to a position: going forwards and back, what ends it, and what it
 * is worth. */
#include "engine/path.h"

#include <string.h>

#include "engine/general.h"

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
    if (e->nodes >= e->budget && e->reserve > 0 && !e->refuted) {
        e->budget += e->reserve;
        e->reserve = 0;
        e->in_reserve = true;
    }
    if (e->nodes >= e->budget)
        e->stopped = true;
    if (e->cancel != NULL && before / CANCEL_EVERY != e->nodes / CANCEL_EVERY &&
        atomic_load_explicit(e->cancel, memory_order_relaxed))
        e->stopped = e->cancelled = true;
}

/* Where the present position stood last, as its place among e->keys. A position of the game counts
 * even if a side has passed since: a win that leads through it may be none by the rules. */
static bool has_stood(const struct engine *e, const struct frame *f, size_t *at)
{
    for (size_t back = 2; back <= e->nkeys - e->since; back += 2)
        if (e->keys[e->nkeys - back] == f->key) {
            *at = e->nkeys - back;
            return true;
        }
    for (*at = e->since > e->npast ? e->npast : 0; *at > 0;)
        if (e->keys[--*at] == f->key)
            return true;
    return false;
}

/* The worth of going round from keys[first] to the same position for ever: a side that is in check
 * on all of its turns, while the other is not, wins where the rules judge repetition. That takes
 * more rounds than this one, so the win is not counted in plies. */
static int32_t circle_score(const struct engine *e, const struct frame *f, size_t first)
{
    bool us = true, them = true;

    for (size_t i = e->nkeys; i > first; i--) {
        bool in_check = ((i == e->nkeys ? f->key : e->keys[i]) & 1) != 0;

        if ((e->nkeys - i) % 2 == 0)
            us = us && in_check;
        else
            them = them && in_check;
    }
    if (us == them || e->game->span(&f->state) == 0)
        return 0;
    return us ? WIN_IN_SIGHT : -WIN_IN_SIGHT;
}

/* Whether the rules end the game in frame[ply]; then *score is the verdict. That on perpetual check
 * hangs on the way to the position, so it is not counted in plies either. */
static bool rules_end(const struct engine *e, unsigned ply, const struct rules_history *past,
                      int32_t *score)
{
    const struct rules_state *state = &e->frame[ply].state;
    struct rules_outcome outcome = e->game->outcome(state, past);
    bool by_way = outcome.reason == RULES_REASON_PERPETUAL_CHECK;
    int32_t win = by_way ? WIN_IN_SIGHT : ENGINE_WIN - (int32_t)ply;

    if (outcome.status == RULES_ONGOING)
        return false;
    *score = outcome.status == RULES_DRAWN               ? 0
             : outcome.winner == e->game->to_move(state) ? win
                                                         : -win;
    return true;
}

bool path_is_over(const struct engine *e, unsigned ply, int32_t *score)
{
    static const struct rules_history none = {NULL, 0};
    const struct frame *f = &e->frame[ply];
    size_t at;

    if (!has_stood(e, f, &at))
        return rules_end(e, ply, &none, score);
    if (at >= e->npast) {
        *score = circle_score(e, f, at);
        return true;
    }
    if (rules_end(e, ply, &(struct rules_history){e->keys, e->nkeys}, score))
        return true;
    *score = 0;
    return e->shuns_past;
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
    int32_t value = e->knows->evaluate != NULL ? e->knows->evaluate(&f->state)
                                               : general_evaluate(e->game, &f->state);

    return value + level_noise(e, f->key);
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
