/*
 * draughts.c - what the engine knows of Turkish draughts.
 *
 * Whoever can take must, so a position with something to take says nothing: the search follows all
 * captures to their end. A first king is worth several men, since it sweeps whole files; against
 * enemies that have one too, each king more is worth less.
 */
#include "engine/game.h"
#include "rules/draughts/moves.h"

enum {
    MAN = 100,
    FIRST_KING = 420,
    NEXT_KING = 300,
    RANK_STEP = 4, /* what a man gains per rank */
    NEAR_END = 8,  /* and besides on each of the last three */
    EDGE = 3,      /* men on the a and h files are taken from one side only */
    BACKED = 3,    /* a man with another one behind or beside it */
    TEMPO = 5
};

static int32_t size_of(uint64_t set)
{
    return __builtin_popcountll(set);
}

/* A man's way: ranks forward from its side's first, 0 to 7. */
static int32_t advance(unsigned square, unsigned side)
{
    return (int32_t)(side == DRAUGHTS_WHITE ? 7 - square / 8 : square / 8);
}

static int32_t side_worth(const struct draughts *d, unsigned side)
{
    uint64_t own = d->side[side], men = own & ~d->kings, kings = own & d->kings;
    uint64_t behind = step(own, draughts_forward(side));
    uint64_t beside = step(own, DRAUGHTS_LEFT) | step(own, DRAUGHTS_RIGHT);
    int32_t worth = MAN * size_of(men) + EDGE * size_of(men & (file_a | file_h)) +
                    BACKED * size_of(men & behind) + BACKED * size_of(men & beside);

    if (kings != 0)
        worth += FIRST_KING + NEXT_KING * (size_of(kings) - 1);
    for (uint64_t left = men; left != 0; left &= left - 1) {
        int32_t ranks = advance(lowest(left), side);

        worth += RANK_STEP * ranks + (ranks > 4 ? NEAR_END * (ranks - 4) : 0);
    }
    return worth;
}

/* With fewer men on the board each of them counts more: whoever is ahead should exchange. */
static int32_t evaluate(const struct rules_state *state)
{
    const struct draughts *d = (const struct draughts *)state->w;
    int32_t own = side_worth(d, d->turn), enemy = side_worth(d, !d->turn);
    int32_t all = size_of(d->side[0] | d->side[1]), difference = own - enemy;

    return difference + difference * (32 - all) / 64 + TEMPO;
}

static bool urgent(const struct rules_state *state)
{
    return draughts_takers((const struct draughts *)state->w) != 0;
}

/* Outside of captures, quiescence looks at men that are crowned. */
static void rate(const struct rules_state *state, const rules_move *moves, size_t n,
                 struct engine_rate *rates)
{
    const struct draughts *d = (const struct draughts *)state->w;

    for (size_t i = 0; i < n; i++) {
        uint64_t from = draughts_bit(draughts_square(moves[i], 0));
        uint64_t to = draughts_bit(draughts_square(moves[i], draughts_last(moves[i])));
        bool crowned = !(d->kings & from) && (to & draughts_last_rank(d->turn));

        rates[i] = (struct engine_rate){0};
        if (draughts_jumps(moves[i]) > 0 || crowned)
            rates[i].is = ENGINE_NOISY;
        rates[i].value = (int32_t)draughts_jumps(moves[i]) * 16 + (crowned ? 64 : 0);
    }
}

/* T27 */
static uint32_t draw_after(const struct rules_state *state)
{
    const struct draughts *d = (const struct draughts *)state->w;

    return d->no_progress == 0 ? UINT32_MAX : (uint32_t)(d->no_progress - d->quiet_plies);
}

const struct engine_game engine_draughts = {
    .name = "turkish-draughts",
    .evaluate = evaluate,
    .rate = rate,
    .urgent = urgent,
    .draw_after = draw_after,
    .man = 100,
    .noise = {600, 180, 110, 65, 50, 38, 24, 0},
    .hidden = {700, 80, 50, 15, 3, 0, 0, 0},
    .careless = {300, 200},
    .variety = 8,
    .reduce = 4,
    .quiescence = 60,
};
