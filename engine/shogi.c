/*
 * shogi.c - what the engine knows of shogi: what men are worth, how safe the kings are, and which
 * moves to look at first.
 *
 * A position is worth its material, and for every square the attacks on it, weighted by how near
 * the square is to the kings. So attacks on the squares around a king count most, and many on one
 * square count less each. Men on the board are worth a little less than men in hand.
 */
#include "engine/game.h"
#include "rules/shogi/attacks.h"
#include "rules/shogi/judge.h"
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

/* ---- attacks ---- */

/* How many men of each side attack each square, by the number of the square's bit. */
struct attacks {
    uint8_t on[RULES_SEATS][SHOGI_SQUARES];
};

static void count_attacks(uint8_t *on, struct squares attacked)
{
    for (unsigned word = 0; word < 2; word++)
        for (uint64_t left = attacked.word[word]; left != 0; left &= left - 1)
            on[64 * word + (unsigned)__builtin_ctzll(left)]++;
}

/* ---- the worth of a position ---- */

/* What m attacks on one square count, of 1024. */
static const int32_t several[16] = {0,    1024, 1813, 2485, 3058, 3547, 3963, 4318,
                                    4621, 4879, 5099, 5287, 5446, 5582, 5698, 5797};

/* What an attack counts by the distance to the attacker's own king, and to the enemy's: of 1024. */
static const int32_t near_own[9] = {69632, 34816, 23210, 17408, 13926, 11605, 9947, 8704, 7736};
static const int32_t near_enemy[9] = {98304, 49152, 32768, 24576, 19660,
                                      16384, 14043, 12288, 10922};

static unsigned distance(unsigned a, unsigned b)
{
    int files = (int)file_of(a) - (int)file_of(b), ranks = (int)rank_of(a) - (int)rank_of(b);

    files = files < 0 ? -files : files;
    ranks = ranks < 0 ? -ranks : ranks;
    return (unsigned)(files > ranks ? files : ranks);
}

/* The men of one side on the board: what they are worth, and what they attack. */
static int32_t count_men(const struct shogi *s, unsigned side, struct attacks *attacks)
{
    struct squares all = occupied(s);
    int32_t sum = 0;

    for (unsigned kind = PAWN; kind < SHOGI_BASE_KINDS; kind++) {
        struct squares men = set_and(s->kind[kind], s->seat[side]);

        while (set_any(men)) {
            unsigned square = set_take(&men);
            unsigned full = kind + (set_has(s->promoted, square) ? PROMOTED : 0);

            sum += worth[full];
            count_attacks(attacks->on[side],
                          set_and(set_all(), attacks_from(square, full, side, all)));
        }
    }
    return sum - sum / 16;
}

static int32_t count_hand(uint32_t hand)
{
    int32_t sum = 0;

    for (unsigned kind = PAWN; kind < KING; kind++)
        sum += (int32_t)hand_count(hand, kind) * worth[kind];
    return sum;
}

/* What the attacks of a side are worth to it. */
static int32_t weigh_attacks(const struct shogi *s, unsigned side, const uint8_t *on)
{
    unsigned own = (unsigned)s->king[side], enemy = (unsigned)s->king[!side];
    int64_t sum = 0;

    for (unsigned square = 0; square < NO_SQUARE; square++)
        if (on[square] != 0) {
            int32_t weight = (own == NO_SQUARE ? 0 : near_own[distance(square, own)]) +
                             (enemy == NO_SQUARE ? 0 : near_enemy[distance(square, enemy)]);

            sum += (int64_t)several[on[square] & 15] * weight;
        }
    return (int32_t)(sum >> 20);
}

static int32_t worth_at(const struct shogi *s, unsigned base, unsigned square)
{
    if (base == KING)
        return KING_WORTH;
    return worth[base + (set_has(s->promoted, square) ? PROMOTED : 0)];
}

/* Men that are defended are worth a little more, and men that are attacked less: one that nothing
 * defends as much less as it is worth. */
static int32_t weigh_men(const struct shogi *s, unsigned side, const struct attacks *attacks)
{
    struct squares men = set_minus(s->seat[side], s->kind[KING]);
    int32_t sum = 0;

    while (set_any(men)) {
        unsigned square = set_take(&men);
        bool defended = attacks->on[side][square] != 0;

        sum += defended ? 10 : 0;
        if (attacks->on[!side][square] != 0)
            sum -= defended ? 15 : 15 + worth_at(s, base_kind_at(s, square), square) / 12;
    }
    return sum;
}

static int32_t side_worth(const struct shogi *s, unsigned side, const struct attacks *attacks)
{
    int32_t king = s->king[side] == NO_SQUARE && is_casual(s) ? -KING_WORTH : 0;

    return king + count_hand(hand_of(s, side)) + weigh_attacks(s, side, attacks->on[side]) +
           weigh_men(s, side, attacks);
}

static int32_t evaluate(const struct rules_state *state)
{
    const struct shogi *s = shogi_of(state);
    struct attacks attacks = {{{0}}};
    int32_t sente = count_men(s, SENTE, &attacks), gote = count_men(s, GOTE, &attacks);

    sente += side_worth(s, SENTE, &attacks);
    gote += side_worth(s, GOTE, &attacks);
    return s->side == SENTE ? sente - gote : gote - sente;
}

/* ---- moves ---- */

/* What the mover's opponent attacks, by the worth of its men, and from where each kind would give
 * check. */
enum { BY_PAWNS, BY_KNIGHTS, BY_GENERALS, BY_ALL, ATTACKERS };

struct outlook {
    struct squares enemy[ATTACKERS]; /* each with those before it */
    struct men men[RULES_SEATS];
    struct squares check[SHOGI_KINDS];
};

static struct squares slides_of(const struct men *m, struct squares all)
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

    return set_or(near, slides_of(m, all));
}

static struct outlook outlook_of(const struct shogi *s)
{
    unsigned side = (unsigned)s->side, king = (unsigned)s->king[!side];
    struct squares all = occupied(s);
    struct outlook o = {.men = {men_of(s, SENTE), men_of(s, GOTE)}};
    struct men foe = o.men[!side];

    o.enemy[BY_PAWNS] = step_forward(foe.pawn, !side);
    o.enemy[BY_KNIGHTS] = set_or(set_or(o.enemy[BY_PAWNS], slide_forward(foe.lance, !side, all)),
                                 knight_steps(foe.knight, !side));
    o.enemy[BY_GENERALS] = set_or(
        o.enemy[BY_KNIGHTS], set_or(silver_steps(foe.silver, !side), gold_steps(foe.gold, !side)));
    o.enemy[BY_ALL] = attacks_of(&foe, !side, all);
    for (unsigned kind = PAWN; kind < SHOGI_KINDS && king != NO_SQUARE; kind++)
        o.check[kind] = attacks_from(king, kind, !side, all);
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
    struct engine_rate rate = {.is = set_has(o->check[becomes], m.to) ? ENGINE_FORCING : 0};

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
    unsigned king = (unsigned)s->king[!s->side];
    size_t all = shogi_legal(s, moves, cap), n = 0;
    struct squares check[SHOGI_KINDS];

    for (unsigned kind = PAWN; kind < SHOGI_KINDS; kind++)
        check[kind] =
            king == NO_SQUARE ? set_none() : attacks_from(king, kind, !s->side, occupied(s));
    for (size_t i = 0; i < all && i < cap; i++) {
        struct shogi_move m = unpack_move(moves[i]);
        unsigned becomes = m.kind + (m.promoted ? PROMOTED : 0);

        if (m.promotes || set_has(check[becomes], m.to) ||
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

const struct engine_game engine_shogi = {
    .name = "shogi",
    .evaluate = evaluate,
    .rate = rate,
    .noisy = noisy,
    .wins = wins,
    .likeness = likeness,
    .pass = pass,
    .man = 100,
    .noise = {500, 180, 100, 55, 30, 15, 8, 0},
    .margin = 130,
    .late = 5,
    .reduce = 4,
    .quiescence = 12,
    .forcing = 1,
};
