/*
 * moves.c - listing the legal moves.
 *
 * Bounds (bounds.h) say beforehand where each man may end, so that no move is tried out. Casual
 * games have loose bounds: there kings may be left in check (5.1).
 */
#include "rules/shogi/moves.h"

#include "rules/shogi/bounds.h"

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

/* 4.1, 5.3: on which of the targets a man from that square may promote. */
static struct squares promoting(const struct shogi *s, unsigned kind, unsigned from,
                                struct squares targets)
{
    struct squares zone = promotion_zone((unsigned)s->side);

    if (kind >= GOLD)
        return set_none();
    return !is_casual(s) && set_has(zone, from) ? targets : set_and(targets, zone);
}

/* On which of the targets it may stay what it is. */
static struct squares staying(const struct shogi *s, unsigned kind, struct squares targets)
{
    return is_casual(s) ? targets : set_minus(targets, shogi_dead_ends((unsigned)s->side, kind));
}

unsigned shogi_endings(const struct shogi *s, struct rules_man man, unsigned from, unsigned to)
{
    struct squares at = set_of(to);

    return (set_any(staying(s, man.kind, at)) ? MAY_STAY : 0U) |
           (set_any(promoting(s, man.kind, from, at)) ? MAY_PROMOTE : 0U);
}

/* ---- generating ---- */

struct list {
    const struct shogi *s;
    rules_move *moves;
    size_t cap, len;
};

SHOGI_INLINE void add(struct list *list, rules_move move)
{
    if (list->len < list->cap)
        list->moves[list->len] = move;
    list->len++;
}

/* Adds a move for every target; `move` has everything but the target and what is taken there. */
SHOGI_INLINE void add_to_all(struct list *list, struct shogi_move move, struct squares targets)
{
    const struct shogi *s = list->s;
    struct squares captures = set_and(targets, s->seat[!s->side]);

    for (struct squares quiet = set_minus(targets, captures); set_any(quiet);) {
        move.to = set_take(&quiet);
        add(list, pack_move(move, 0));
    }
    while (set_any(captures)) {
        move.to = set_take(&captures);
        move.captured = base_kind_at(s, move.to);
        add(list, pack_move(move, hand_one((unsigned)s->side, move.captured)));
    }
}

static void add_man(struct list *list, unsigned kind, unsigned from, struct squares targets)
{
    struct squares promotions = promoting(list->s, kind, from, targets);
    struct shogi_move move = {
        .from = from, .kind = kind % PROMOTED, .captured = PAWN, .promoted = kind >= PROMOTED};

    add_to_all(list, move, staying(list->s, kind, targets));
    if (set_any(promotions)) {
        move.promoted = move.promotes = true;
        add_to_all(list, move, promotions);
    }
}

static void add_men_moves(struct list *list, const struct bounds *b)
{
    const struct shogi *s = list->s;
    unsigned side = (unsigned)s->side;
    struct squares all = occupied(s), closed = set_or(b->attacked, s->seat[side]);

    for (unsigned base = PAWN; base <= KING; base++) {
        for (struct squares men = set_and(s->seat[side], s->kind[base]); set_any(men);) {
            unsigned from = set_take(&men);
            unsigned kind = base + (set_has(s->promoted, from) ? PROMOTED : 0);
            struct squares targets = attacks_from(from, kind, side, all);

            targets = kind == KING ? set_minus(targets, closed) : within(b, from, targets);
            add_man(list, kind, from, targets);
        }
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
            add(list, pack_move(move, -hand_one(side, kind)));
        }
    }
}

size_t shogi_legal(const struct shogi *s, rules_move *moves, size_t cap)
{
    struct list list = {.s = s, .moves = moves, .cap = cap, .len = 0};
    unsigned side = (unsigned)s->side;
    struct bounds b = is_casual(s) ? loose_bounds(s, side, set_none()) : bounds_of(s, side);

    add_men_moves(&list, &b);
    add_drops(&list, &b);
    return list.len;
}
