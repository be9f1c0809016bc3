/*
 * engine.c - what a position of Reversi is worth (engine/game.h): corners, which nobody turns over,
 * and places to put discs on; not the number of discs, but in the end.
 */
#include "engine/game.h"
#include "reversi.h"

enum { CORNER = 300, PLACE = 25, DISC = 4 };

static const uint64_t corners = 1ULL | 1ULL << 7 | 1ULL << 56 | 1ULL << 63;

static int32_t worth_of(const struct position *p, uint64_t side)
{
    int left = SQUARES - __builtin_popcountll(p->discs[0] | p->discs[1]);

    return CORNER * __builtin_popcountll(p->discs[side] & corners) +
           PLACE * __builtin_popcountll(reversi_places(p, side)) +
           (left < 12 ? 10 * DISC : -DISC) * __builtin_popcountll(p->discs[side]);
}

static int32_t evaluate(const struct rules_state *state)
{
    const struct position *p = reversi_view(state);

    return worth_of(p, p->mover) - worth_of(p, !p->mover);
}

/* Corners are looked at first, and squares beside them last. */
static void rate(const struct rules_state *state, const rules_move *moves, size_t n,
                 struct engine_rate *rates)
{
    (void)state;
    for (size_t i = 0; i < n; i++) {
        bool corner = moves[i].w[0] <= SQUARES && (corners >> (moves[i].w[0] - 1) & 1);

        rates[i] = (struct engine_rate){corner ? CORNER : 0, 0, corner ? ENGINE_FORCING : 0};
    }
}

const struct engine_game reversi_engine = {
    .name = "reversi",
    .evaluate = evaluate,
    .rate = rate,
    .man = 100,
    .noise = {600, 480, 400, 300, 200, 100, 50, 0},
    .hidden = {400, 110, 50, 15, 3, 0, 0, 0},
    .careless = {600, 400},
    .variety = 20,
    .reduce = 3,
    .quiescence = 2,
};
