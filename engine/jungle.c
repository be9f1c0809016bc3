/*
 * jungle.c - what the engine knows of Jungle.
 *
 * The race to the den decides: strong animals gain as they come nearer to it, and animals near the
 * own den guard it. A side's rat is worth much while the enemy's elephant lives.
 */
#include "engine/game.h"
#include "rules/jungle/board.h"

static const int32_t worth[KINDS] = {
    [RAT] = 300,     [CAT] = 250,   [DOG] = 350,  [WOLF] = 450,
    [LEOPARD] = 550, [TIGER] = 800, [LION] = 900, [ELEPHANT] = 1000,
};

/* What the next weaker enemies' absence adds: nobody is left to take the animal. */
enum { RAT_V_ELEPHANT = 250, UNBEATEN = 120, DEN_STEP = 14, HOME_STEP = 4 };

static int32_t steps_to(unsigned square, unsigned den)
{
    int files = (int)(square % WIDTH) - (int)(den % WIDTH);
    int ranks = (int)(square / WIDTH) - (int)(den / WIDTH);

    return (files < 0 ? -files : files) + (ranks < 0 ? -ranks : ranks);
}

static unsigned den_of(unsigned side)
{
    return (unsigned)__builtin_ctzll(jungle_den[side]);
}

/* What an animal's place is worth: the strong ones attack, and cat and dog stay at home. */
static int32_t place_worth(enum kind kind, unsigned square, unsigned side)
{
    int32_t away = steps_to(square, den_of(!side)), home = steps_to(square, den_of(side));
    int32_t near = away < 5 ? (5 - away) * (5 - away) * 3 : 0;

    switch (kind) {
    case CAT:
    case DOG:
    case WOLF:
        return near - HOME_STEP * home;
    case RAT:
        return near - DEN_STEP * away / 2;
    default:
        return near - DEN_STEP * away;
    }
}

/* The strongest animal of a side; the elephant does not count against a rat. */
static int32_t side_worth(const struct position *p, unsigned side)
{
    uint64_t own = p->side[side], enemy = p->side[!side], stronger = 0;
    int32_t sum = 0;

    for (int kind = ELEPHANT; kind >= (int)RAT; kind--) {
        uint64_t man = own & p->kind[kind];

        if (man != 0) {
            sum += worth[kind] + place_worth((enum kind)kind, (unsigned)__builtin_ctzll(man), side);
            if (kind == RAT && (enemy & p->kind[ELEPHANT]))
                sum += RAT_V_ELEPHANT;
            if (kind == ELEPHANT ? !(enemy & p->kind[RAT]) : kind != RAT && stronger == 0)
                sum += UNBEATEN;
        }
        stronger |= enemy & p->kind[kind];
    }
    return sum;
}

static int32_t evaluate(const struct rules_state *state)
{
    const struct position *p = jungle_view(state);

    return side_worth(p, p->mover) - side_worth(p, !p->mover) + 10;
}

/* Captures, steps into the enemy's den, and steps that threaten to enter it. */
static void rate(const struct rules_state *state, const rules_move *moves, size_t n,
                 struct engine_rate *rates)
{
    const struct position *p = jungle_view(state);
    uint64_t enemy = p->side[!p->mover], den = jungle_den[!p->mover];

    for (size_t i = 0; i < n; i++) {
        uint64_t to = 1ULL << jungle_to(moves[i]);
        struct engine_rate rate = {0};

        if (to & den) {
            rate = (struct engine_rate){500000, 20000, ENGINE_NOISY | ENGINE_FORCING};
        } else if (to & enemy) {
            int32_t gain = worth[jungle_man_on(p, jungle_to(moves[i])).kind];

            rate =
                (struct engine_rate){16 * gain - worth[jungle_kind(moves[i])], gain, ENGINE_NOISY};
        } else if (to & jungle_traps[!p->mover]) {
            rate = (struct engine_rate){1000, 0, ENGINE_FORCING};
        }
        rates[i] = rate;
    }
}

/* The enemy stands beside the own den. */
static bool urgent(const struct rules_state *state)
{
    const struct position *p = jungle_view(state);

    return (p->side[!p->mover] & jungle_traps[p->mover]) != 0;
}

/* Nobody may pass, and in small endings every move can be the wrong one. */
static bool pass(const struct rules_state *state, struct rules_state *next)
{
    const struct position *p = jungle_view(state);

    if (__builtin_popcountll(p->side[0] | p->side[1]) <= 8)
        return false;
    rules_copy(state, next);
    jungle_edit(next)->mover ^= 1;
    return true;
}

static uint32_t draw_after(const struct rules_state *state)
{
    const struct position *p = jungle_view(state);
    uint32_t last = 2U * p->option[DRAW_ROUNDS];

    return last == 0 ? UINT32_MAX : (uint32_t)(last - p->quiet);
}

const struct engine_game engine_jungle = {
    .name = "jungle",
    .evaluate = evaluate,
    .rate = rate,
    .urgent = urgent,
    .pass = pass,
    .draw_after = draw_after,
    .man = 450,
    .noise = {600, 480, 400, 355, 315, 275, 235, 0},
    .hidden = {400, 110, 50, 15, 3, 0, 0, 0},
    .careless = {600, 400},
    .variety = 30,
    .margin = 120,
    .reduce = 3,
    .quiescence = 12,
};
