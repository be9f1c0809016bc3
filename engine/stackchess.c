/* stackchess.c - what the engine knows of moves in Stackchess. What a position is worth stands in
 * stackchess_worth.c. */
#include "engine/game.h"
#include "engine/stackchess_worth.h"
#include "rules/stackchess/board.h"

static void rate(const struct rules_state *state, const rules_move *moves, size_t n,
                 struct engine_rate *rates)
{
    struct view view = view_of(state);
    unsigned us = view.head->mover;
    struct reach enemy = stackchess_reach(state, !us);

    for (size_t i = 0; i < n; i++) {
        struct transfer t = transfer_of(moves[i]);
        unsigned height, side = side_at(&view, t.to);

        rates[i] = (struct engine_rate){0};
        if (side == !us) {
            int32_t gain = stackchess_stack_worth(&view, !us, t.to, &height);

            rates[i] = (struct engine_rate){4 * gain - (int32_t)t.count, gain, ENGINE_NOISY};
            continue;
        }
        if (enemy.men[t.from] != 0)
            rates[i].value += stackchess_stack_worth(&view, us, t.from, &height);
        if (enemy.men[t.to] > t.count + (side == us ? height_at(&view, t.to) : 0U))
            rates[i].value -= 150 * (int32_t)t.count;
    }
}

/* Mostly several numbers of men can take a stack. A player sees all of these moves, or none. */
static rules_move seen_as(rules_move move)
{
    struct transfer t = transfer_of(move);

    return move_of(t.from, t.to, 0);
}

static bool pass(const struct rules_state *state, struct rules_state *next)
{
    const struct head *head = view_of(state).head;

    if (head->men[0] <= 3 || head->men[1] <= 3)
        return false;
    rules_copy(state, next);
    draft_of(next).head->mover ^= 1;
    return true;
}

static uint32_t draw_after(const struct rules_state *state)
{
    const struct head *head = view_of(state).head;

    return head->no_progress == 0 ? UINT32_MAX : (uint32_t)(head->no_progress - head->quiet);
}

const struct engine_game engine_stackchess = {
    .name = "stackchess",
    .evaluate = stackchess_worth,
    .weights = &stackchess_worth_weights,
    .rate = rate,
    .seen_as = seen_as,
    .pass = pass,
    .draw_after = draw_after,
    .man = 100,
    .noise = {500, 320, 220, 160, 115, 80, 45, 0},
    .hidden = {400, 230, 175, 150, 150, 130, 80, 0},
    .careless = {750, 620},
    .variety = 30,
    .margin = 150,
    .reduce = 3,
    .quiescence = 8,
};
