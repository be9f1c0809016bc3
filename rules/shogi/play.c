/* play.c - the position after a move (moves.h). */
#include "rules/shogi/moves.h"

static void put(struct squares *set, unsigned square)
{
    set->word[square >> 6] |= (uint64_t)1 << (square & 63);
}

static void take(struct squares *set, unsigned square)
{
    set->word[square >> 6] &= ~((uint64_t)1 << (square & 63));
}

/* A move on the board clears its target of whatever may stand there: of its kind, its promotion and
 * its side. If nothing does, `captured` is some kind and nothing changes, so no question is asked.
 */
void shogi_play(const struct shogi *s, rules_move move, struct shogi *next)
{
    struct shogi_move m = unpack_move(move);
    unsigned side = (unsigned)s->side;

    *next = *s;
    if (m.from != NO_SQUARE) {
        take(&next->kind[m.kind], m.from);
        take(&next->promoted, m.from);
        take(&next->seat[side], m.from);
        take(&next->kind[m.captured], m.to);
        take(&next->promoted, m.to);
        take(&next->seat[!side], m.to);
    }
    put(&next->kind[m.kind], m.to);
    put(&next->seat[side], m.to);
    if (m.promoted)
        put(&next->promoted, m.to);
    if (m.kind == KING)
        next->king[side] = m.to;
    if (m.captured == KING)
        next->king[!side] = NO_SQUARE;
    next->hands += move.w[1];
    next->side = !side;
    next->number++;
}
