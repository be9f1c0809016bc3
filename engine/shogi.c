/*
 * shogi.c - what the engine knows of shogi: what moves take and threaten, which to look at first,
 * and which are mate. What a position is worth stands in shogi_worth.c.
 */
#include "engine/game.h"
#include "engine/shogi_worth.h"
#include "rules/shogi/bounds.h"
#include "rules/shogi/moves.h"

/* By kind, as in rules_man: hundredths of a pawn would be 100; a pawn is 90. */
static const int32_t worth[SHOGI_KINDS] = {
    [PAWN] = 90,
    [LANCE] = 315,
    [KNIGHT] = 405,
    [SILVER] = 495,
    [BISHOP] = 855,
    [ROOK] = 990,
    [GOLD] = 540,
    [KING] = 0,
    [PROMOTED + PAWN] = 540,
    [PROMOTED + LANCE] = 540,
    [PROMOTED + KNIGHT] = 540,
    [PROMOTED + SILVER] = 540,
    [PROMOTED + BISHOP] = 945,
    [PROMOTED + ROOK] = 1395,
};

/* A casual game is over when a king is taken. */
enum { KING_WORTH = 15000 };

static int32_t worth_at(const struct shogi *s, unsigned base, unsigned square)
{
    if (base == KING)
        return KING_WORTH;
    return worth[base + (set_has(s->promoted, square) ? PROMOTED : 0)];
}

static int32_t evaluate(const struct rules_state *state)
{
    const struct shogi *s = shogi_of(state);
    int32_t sum = shogi_worth(s);

    if (is_casual(s) && s->king[s->side] == NO_SQUARE)
        sum -= KING_WORTH;
    if (is_casual(s) && s->king[!s->side] == NO_SQUARE)
        sum += KING_WORTH;
    return sum;
}

/* ---- moves ---- */

/* How the mover can give check: from where each kind of man attacks the king, and the men that
 * stand alone between it and a slider of their own side, which discover its check when they leave
 * the line. They are pinned as if they belonged to the king. */
struct checks {
    struct squares from[SHOGI_KINDS];
    struct bounds screens;
};

/* What the mover's opponent attacks, by the worth of its men, and how check is given. */
enum { BY_PAWNS, BY_KNIGHTS, BY_GENERALS, BY_ALL, ATTACKERS };

struct outlook {
    struct squares enemy[ATTACKERS]; /* each with those before it */
    struct men men[RULES_SEATS];
    struct checks checks;
};

static struct checks checks_of(const struct shogi *s, const struct men *own)
{
    unsigned side = (unsigned)s->side, king = (unsigned)s->king[!side];
    struct squares all = occupied(s);
    struct checks checks = {0};

    if (king == NO_SQUARE)
        return checks;
    for (unsigned kind = PAWN; kind < SHOGI_KINDS; kind++)
        checks.from[kind] = attacks_from(king, kind, !side, all);
    bind_pinned(&checks.screens, king, !side, own, own->all, all);
    return checks;
}

static bool gives_check(const struct checks *checks, struct shogi_move m, unsigned becomes)
{
    struct squares to = set_of(m.to);

    if (set_has(checks->from[becomes], m.to))
        return true;
    return m.from != NO_SQUARE && set_has(checks->screens.pinned, m.from) &&
           !set_any(on_its_line(&checks->screens, m.from, to));
}

/* All squares that the rooks and bishops of a side reach by sliding. */
static struct squares slid_over_by(const struct men *m, struct squares all)
{
    struct squares found = set_none(), rooks = m->rook, bishops = m->bishop;

    while (set_any(rooks))
        found = set_or(found, slide_straight(set_take(&rooks), all));
    while (set_any(bishops))
        found = set_or(found, slide_diagonal(set_take(&bishops), all));
    return found;
}

static struct squares attacks_of(const struct men *m, unsigned side, struct squares all)
{
    struct squares near = set_or(steps_of(m, side), slide_forward(m->lance, side, all));

    return set_or(near, slid_over_by(m, all));
}

static struct outlook outlook_of(const struct shogi *s)
{
    unsigned side = (unsigned)s->side;
    struct squares all = occupied(s);
    struct outlook o = {.men = {men_of(s, SENTE), men_of(s, GOTE)}};
    struct men foe = o.men[!side];

    o.enemy[BY_PAWNS] = step_forward(foe.pawn, !side);
    o.enemy[BY_KNIGHTS] = set_or(set_or(o.enemy[BY_PAWNS], slide_forward(foe.lance, !side, all)),
                                 knight_steps(foe.knight, !side));
    o.enemy[BY_GENERALS] = set_or(
        o.enemy[BY_KNIGHTS], set_or(silver_steps(foe.silver, !side), gold_steps(foe.gold, !side)));
    o.enemy[BY_ALL] = attacks_of(&foe, !side, all);
    o.checks = checks_of(s, &o.men[side]);
    return o;
}

/* ---- exchanges ---- */

/* What a side gains when it takes a man: the enemy loses it, and it comes into the own hand. */
static int32_t taken_worth(unsigned base, bool promoted)
{
    int32_t on_board = worth[base + (promoted ? PROMOTED : 0)];

    return base == KING ? KING_WORTH : on_board - on_board / 16 + worth[base];
}

/* The man of a side that takes on a square with the least risk; `takers` is not empty. */
static unsigned least_taker(const struct men *m, struct squares takers)
{
    const struct squares order[] = {m->pawn, m->lance,  m->knight, m->silver,
                                    m->gold, m->bishop, m->rook};

    for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
        struct squares found = set_and(takers, order[i]);

        if (set_any(found))
            return set_first(found);
    }
    return set_first(takers);
}

/* The men of a side that attack a square, of those that are still there. */
static struct squares takers_of(const struct outlook *o, unsigned square, unsigned side,
                                struct squares all)
{
    return set_and(all, attackers_of(square, &o->men[side], side, all));
}

/* What the mover gains by a move if both sides then take on its square as long as it pays, each
 * time with the least man. `gain` is what the move takes or promotes. */
static int32_t exchange(const struct shogi *s, const struct outlook *o, struct shogi_move m,
                        int32_t gain)
{
    enum { TAKERS = 40 };
    struct squares all = set_minus(occupied(s), set_of(m.from));
    int32_t sum[TAKERS] = {gain}, stake = taken_worth(m.kind, m.promoted);
    unsigned side = !s->side;
    size_t n;

    for (n = 1; n < TAKERS; n++, side = !side) {
        struct squares takers = takers_of(o, m.to, side, all);
        unsigned taker, base;

        if (!set_any(takers))
            break;
        taker = least_taker(&o->men[side], takers);
        base = base_kind_at(s, taker);
        all = set_minus(all, set_of(taker));
        if (base == KING && set_any(takers_of(o, m.to, !side, all)))
            break;
        sum[n] = stake - sum[n - 1];
        stake = taken_worth(base, set_has(s->promoted, taker));
    }
    while (--n > 0)
        sum[n - 1] = sum[n - 1] < -sum[n] ? sum[n - 1] : -sum[n];
    return sum[0];
}

/* The most valuable enemy that a man of some worth threatens from the square where it ends its
 * move, the king aside: what the threat is good for. */
static int32_t threat_of(const struct shogi *s, struct shogi_move m, unsigned becomes)
{
    unsigned side = (unsigned)s->side;
    struct squares met = attacks_from(m.to, becomes, side, occupied(s));
    int32_t best = 0;

    for (met = set_and(met, set_minus(s->seat[!side], s->kind[KING])); set_any(met);) {
        unsigned square = set_take(&met);
        int32_t value = worth_at(s, base_kind_at(s, square), square);

        if (value > best)
            best = value;
    }
    return best > worth[becomes] / 2 ? best - worth[becomes] / 2 : 0;
}

/* What a man that is attacked by a cheaper one saves by moving away. */
static int32_t escape_of(const struct outlook *o, struct shogi_move m, int32_t own)
{
    if (m.from == NO_SQUARE || m.kind == KING || !set_has(o->enemy[BY_ALL], m.from))
        return 0;
    return set_has(o->enemy[own > 495 ? BY_GENERALS : BY_KNIGHTS], m.from) ? own : own / 4;
}

static struct engine_rate rate_move(const struct shogi *s, const struct outlook *o, rules_move move)
{
    struct shogi_move m = unpack_move(move);
    unsigned becomes = m.kind + (m.promoted ? PROMOTED : 0);
    bool takes = m.from != NO_SQUARE && set_has(s->seat[!s->side], m.to);
    int32_t gain = takes ? taken_worth(m.captured, set_has(s->promoted, m.to)) : 0;
    int32_t own = m.kind == KING ? 0 : worth[becomes];
    struct engine_rate rate = {.is = gives_check(&o->checks, m, becomes) ? ENGINE_FORCING : 0};

    if (m.promotes)
        gain += worth[becomes] - worth[m.kind];
    rate.gain = set_has(o->enemy[BY_ALL], m.to) ? exchange(s, o, m, gain) : gain;
    rate.value = 16 * gain - own;
    if (rate.gain < 0)
        rate.is |= ENGINE_BAD;
    if (takes || (m.promotes && gain > 300))
        rate.is |= ENGINE_NOISY;
    else
        rate.value = ((rate.is & ENGINE_FORCING) ? 1500 : 0) + 2 * threat_of(s, m, becomes) +
                     3 * escape_of(o, m, own);
    if (rate.is & ENGINE_BAD)
        rate.value = rate.gain;
    return rate;
}

static void rate(const struct rules_state *state, const rules_move *moves, size_t n,
                 struct engine_rate *rates)
{
    const struct shogi *s = shogi_of(state);
    struct outlook o = outlook_of(s);

    for (size_t i = 0; i < n; i++)
        rates[i] = rate_move(s, &o, moves[i]);
}

/* Captures, promotions and checks. */
static size_t noisy(const struct rules_state *state, rules_move *moves, size_t cap)
{
    const struct shogi *s = shogi_of(state);
    struct squares enemy = s->seat[!s->side];
    struct men own = men_of(s, (unsigned)s->side);
    struct checks checks = checks_of(s, &own);
    size_t all = shogi_legal(s, moves, cap), n = 0;

    for (size_t i = 0; i < all && i < cap; i++) {
        struct shogi_move m = unpack_move(moves[i]);
        unsigned becomes = m.kind + (m.promoted ? PROMOTED : 0);

        if (m.promotes || gives_check(&checks, m, becomes) ||
            (m.from != NO_SQUARE && set_has(enemy, m.to)))
            moves[n++] = moves[i];
    }
    return n;
}

static struct men without(struct men m, struct squares gone)
{
    return (struct men){.all = set_minus(m.all, gone),
                        .pawn = set_minus(m.pawn, gone),
                        .lance = set_minus(m.lance, gone),
                        .knight = set_minus(m.knight, gone),
                        .silver = set_minus(m.silver, gone),
                        .gold = set_minus(m.gold, gone),
                        .bishop = set_minus(m.bishop, gone),
                        .rook = set_minus(m.rook, gone),
                        .king = set_minus(m.king, gone),
                        .horse = set_minus(m.horse, gone),
                        .dragon = set_minus(m.dragon, gone)};
}

/* Whether one of some men may take the man that gives check. `all` are the men on the board then,
 * and `own` those of the side that checks, without that man: a man that is pinned may not. */
static bool may_take(struct squares takers, unsigned king, const struct men *own, unsigned side,
                     struct squares all)
{
    while (set_any(takers)) {
        unsigned taker = set_take(&takers);

        if (!set_any(attackers_of(king, own, side, set_minus(all, set_of(taker)))))
            return true;
    }
    return false;
}

/* Whether a check from beside the king, or by a knight, is mate: nothing takes the man that gives
 * it, and every square around the king is occupied or attacked. */
static bool wins(const struct rules_state *state, rules_move move)
{
    const struct shogi *s = shogi_of(state);
    struct shogi_move m = unpack_move(move);
    unsigned side = (unsigned)s->side, king = (unsigned)s->king[!side];
    unsigned becomes = m.kind + (m.promoted ? PROMOTED : 0);
    struct squares to = set_of(m.to), from = set_of(m.from), all, flights;
    bool beside = king != NO_SQUARE && set_has(shogi_reach[king].steps, m.to);
    struct men own, foe;

    if (is_casual(s) || (!beside && becomes != KNIGHT) || (becomes == PAWN && m.from == NO_SQUARE))
        return false;
    own = without(men_of(s, side), from);
    foe = without(men_of(s, !side), to);
    all = set_or(set_minus(occupied(s), from), to);
    if ((beside && !set_any(attackers_of(m.to, &own, side, all))) ||
        may_take(set_minus(attackers_of(m.to, &foe, !side, all), foe.king), king, &own, side, all))
        return false;
    all = set_minus(all, foe.king);
    flights = set_minus(set_minus(shogi_reach[king].steps, foe.all), to);
    flights = set_minus(flights, attacks_from(m.to, becomes, side, all));
    return !set_any(flights) || !set_any(set_minus(flights, attacks_of(&own, side, all)));
}

/* By the kind of man after the move, whether it is a drop, and where it ends. */
static uint32_t likeness(rules_move move)
{
    struct shogi_move m = unpack_move(move);

    return m.to | m.kind << 7 | (unsigned)m.promoted << 10 | (unsigned)(m.from == NO_SQUARE) << 11;
}

/* Hardly any position of shogi is better for a side that passes. */
static bool pass(const struct rules_state *state, struct rules_state *next)
{
    rules_copy(state, next);
    ((struct shogi *)next->w)->side ^= 1;
    return true;
}

static uint32_t draw_after(const struct rules_state *state)
{
    const struct shogi *s = shogi_of(state);
    uint64_t left = s->max_plies + 1 - s->number;

    return s->max_plies == 0 || left > UINT32_MAX ? UINT32_MAX : (uint32_t)left;
}

const struct engine_game engine_shogi = {
    .name = "shogi",
    .evaluate = evaluate,
    .weights = &shogi_worth_weights,
    .rate = rate,
    .noisy = noisy,
    .wins = wins,
    .likeness = likeness,
    .pass = pass,
    .draw_after = draw_after,
    .man = 100,
    .noise = {500, 180, 100, 55, 30, 15, 8, 0},
    .hidden = {400, 110, 50, 15, 3, 0, 0, 0},
    .careless = {550, 500},
    .variety = 30,
    .margin = 130,
    .late = 5,
    .reduce = 4,
    .quiescence = 12,
    .forcing = 1,
};
