/* shogi_moves.c - generating and playing moves. */
#include "shogi_moves.h"

#include "shogi_bounds.h"

struct squares shogi_dead_ends(unsigned side, unsigned kind)
{
    switch (kind) {
    case PAWN:
    case LANCE:
        return far_ranks(side, 1);
    case KNIGHT:
        return far_ranks(side, 2);
    default:
        return set_none();
    }
}

struct squares shogi_checkers(const struct shogi *s, unsigned side)
{
    struct men foe = men_of(s, !side);

    if (s->king[side] == NO_SQUARE)
        return set_none();
    return attackers_of((unsigned)s->king[side], &foe, !side, occupied(s));
}

unsigned shogi_endings(const struct shogi *s, struct rules_man man, unsigned from, unsigned to)
{
    unsigned side = (unsigned)s->side;
    struct squares zone = promotion_zone(side);

    if (man.kind >= GOLD)
        return MAY_STAY;
    if (is_casual(s))
        return set_has(zone, to) ? MAY_STAY | MAY_PROMOTE : MAY_STAY;
    if (!set_has(zone, to) && !set_has(zone, from))
        return MAY_STAY;
    return set_has(shogi_dead_ends(side, man.kind), to) ? MAY_PROMOTE : MAY_STAY | MAY_PROMOTE;
}

/* ---- generating ---- */

struct list {
    const struct shogi *s;
    rules_move *moves;
    size_t cap, len;
};

static void add(struct list *list, struct shogi_move move, uint64_t to_hands)
{
    if (list->len < list->cap)
        list->moves[list->len] = pack_move(move, to_hands);
    list->len++;
}

static void add_move(struct list *list, struct rules_man man, unsigned from, unsigned to)
{
    const struct shogi *s = list->s;
    unsigned side = (unsigned)s->side, endings = shogi_endings(s, man, from, to);
    struct shogi_move move = {.from = from,
                              .to = to,
                              .kind = man.kind % PROMOTED,
                              .captured = PAWN,
                              .promoted = man.kind >= PROMOTED};
    uint64_t to_hands = 0;

    if (set_has(s->seat[!side], to)) {
        move.captured = base_kind_at(s, to);
        to_hands = hand_one(side, move.captured);
    }
    if (endings & MAY_STAY)
        add(list, move, to_hands);
    move.promoted = move.promotes = true;
    if (endings & MAY_PROMOTE)
        add(list, move, to_hands);
}

/* The squares to which a man that may be pinned can go without leaving its line. */
static struct squares reach_of(const struct bounds *b, unsigned from, struct squares attacks)
{
    struct squares reach = set_none();

    if (set_has(b->free, from))
        return attacks;
    for (unsigned d = 0; d < SHOGI_DIRECTIONS; d++)
        if (set_has(b->on[d], from))
            reach = set_and(attacks, shogi_lines[from].on[d]);
    return reach;
}

static void add_men_moves(struct list *list, const struct bounds *b)
{
    const struct shogi *s = list->s;
    unsigned side = (unsigned)s->side;
    struct squares all = occupied(s);

    for (struct squares men = s->seat[side]; set_any(men);) {
        unsigned from = set_take(&men);
        struct rules_man man = man_on(s, from);
        struct squares targets = attacks_from(from, man.kind, side, all);

        targets = man.kind == KING ? set_minus(targets, set_or(b->attacked, s->seat[side]))
                                   : set_and(reach_of(b, from, targets), b->targets);
        for (targets = set_and(targets, set_all()); set_any(targets);)
            add_move(list, man, from, set_take(&targets));
    }
}

static struct squares drops_of(const struct shogi *s, const struct bounds *b, unsigned kind)
{
    unsigned side = (unsigned)s->side;
    struct squares pawns = set_minus(set_and(s->kind[PAWN], s->seat[side]), s->promoted);

    if (is_casual(s))
        return b->drops;
    if (kind == PAWN)
        return pawn_drops(s, side, pawns, b->drops);
    return set_minus(b->drops, shogi_dead_ends(side, kind));
}

static void add_drops(struct list *list, const struct bounds *b)
{
    const struct shogi *s = list->s;
    unsigned side = (unsigned)s->side;

    for (unsigned kind = PAWN; kind < KING; kind++) {
        struct shogi_move move = {.from = NO_SQUARE, .kind = kind, .captured = PAWN};

        if (hand_count(hand_of(s, side), kind) == 0)
            continue;
        for (struct squares drops = drops_of(s, b, kind); set_any(drops);) {
            move.to = set_take(&drops);
            add(list, move, -hand_one(side, kind));
        }
    }
}

size_t shogi_legal(const struct shogi *s, rules_move *moves, size_t cap)
{
    struct list list = {.s = s, .moves = moves, .cap = cap, .len = 0};
    unsigned side = (unsigned)s->side;
    struct bounds b = is_casual(s) ? unbound(s, side) : bounds_of(s, side);

    add_men_moves(&list, &b);
    add_drops(&list, &b);
    return list.len;
}

/* ---- playing ---- */

void shogi_play(const struct shogi *s, rules_move move, struct shogi *next)
{
    struct shogi_move m = unpack_move(move);
    unsigned side = (unsigned)s->side;
    struct squares from = set_of(m.from), to = set_of(m.to), both = set_or(from, to);

    *next = *s;
    next->kind[m.captured] = set_minus(next->kind[m.captured], to);
    next->kind[m.kind] = set_or(set_minus(next->kind[m.kind], from), to);
    next->promoted = set_or(set_minus(next->promoted, both), m.promoted ? to : set_none());
    next->seat[!side] = set_minus(next->seat[!side], to);
    next->seat[side] = set_or(set_minus(next->seat[side], from), to);
    next->hands += move.w[1];
    if (m.kind == KING)
        next->king[side] = m.to;
    if (m.captured == KING)
        next->king[!side] = NO_SQUARE;
    next->side = !side;
    next->number++;
}

/* ---- the drop of a pawn that mates ---- */

static bool king_escapes(const struct shogi *s, unsigned side, struct squares pawn)
{
    unsigned king = (unsigned)s->king[side];
    struct men foe = men_of(s, !side);
    struct squares all = set_or(set_minus(occupied(s), set_of(king)), pawn);
    struct squares attacked = attacks_near(&shogi_reach[king], &foe, !side, all);
    struct squares steps = set_minus(king_steps(set_of(king)), set_or(s->seat[side], attacked));

    return set_any(set_and(steps, set_all()));
}

bool shogi_pawn_drop_mates(const struct shogi *s, unsigned side)
{
    struct squares pawn = step_back(set_of((unsigned)s->king[!side]), side);
    struct shogi_move drop = {.from = NO_SQUARE, .to = set_first(pawn), .kind = PAWN};
    struct shogi next;

    if (king_escapes(s, !side, pawn))
        return false;
    shogi_play(s, pack_move(drop, -hand_one(side, PAWN)), &next);
    return shogi_count(&next) == 0;
}
