/*
 * captures.c - captures of Turkish draughts, jump by jump, and the longest of them path by path.
 */
#include "rules/draughts/captures.h"

static rules_move path_with(rules_move path, unsigned i, unsigned square)
{
    if (i < DRAUGHTS_SQUARES_IN_FIRST_WORD)
        path.w[0] |= (uint64_t)square << (6 * i);
    else
        path.w[1] |= (uint64_t)square << (6 * (i - DRAUGHTS_SQUARES_IN_FIRST_WORD));
    return path;
}

struct draughts_taker draughts_taker(const struct draughts *d, unsigned square)
{
    return (struct draughts_taker){
        .path = path_with((rules_move){{0, 0}}, 0, square),
        .takeable = d->side[!d->turn],
        .occupied = draughts_occupied(d) & ~draughts_bit(square),
        .square = (uint8_t)square,
        .king = (d->kings & draughts_bit(square)) != 0,
    };
}

/* Where a man's jump lands: two squares on, with an enemy piece between. A man needs no look at
 * T17: to turn back by 180 degrees it would have to jump over the piece that it has just taken. */
static uint64_t man_landings(unsigned side, const struct draughts_taker *taker)
{
    uint64_t at = draughts_bit(taker->square), enemy = taker->takeable;
    enum draughts_direction ahead = draughts_forward(side);

    return ~taker->occupied & (step(step(at, ahead) & enemy, ahead) |
                               step(step(at, DRAUGHTS_LEFT) & enemy, DRAUGHTS_LEFT) |
                               step(step(at, DRAUGHTS_RIGHT) & enemy, DRAUGHTS_RIGHT));
}

bool draughts_may_turn(const struct draughts *d, const struct draughts_taker *taker,
                       enum draughts_direction direction)
{
    return taker->jumps == 0 || d->turn180 == DRAUGHTS_TURN180_ALLOWED ||
           !(ray(taker->square, direction) & draughts_bit(taker->came_from));
}

static uint64_t king_landings(const struct draughts *d, const struct draughts_taker *taker)
{
    uint64_t landings = 0;

    for (enum draughts_direction to = DRAUGHTS_UP; to <= DRAUGHTS_LEFT; to++) {
        uint64_t victim = draughts_met(taker->square, to, taker->occupied) & taker->takeable;

        if (victim != 0 && draughts_may_turn(d, taker, to))
            landings |= run(lowest(victim), to, taker->occupied);
    }
    return landings;
}

uint64_t draughts_landings(const struct draughts *d, const struct draughts_taker *taker)
{
    if (taker->stopped)
        return 0;
    return taker->king ? king_landings(d, taker) : man_landings(d->turn, taker);
}

struct draughts_taker draughts_jump(const struct draughts *d, const struct draughts_taker *taker,
                                    unsigned landing)
{
    uint64_t victim = draughts_between(taker->square, landing) & taker->takeable;
    bool crowned = !taker->king && (draughts_last_rank(d->turn) & draughts_bit(landing)) != 0;

    return (struct draughts_taker){
        .path = path_with(taker->path, taker->jumps + 1U, landing),
        .takeable = taker->takeable & ~victim,
        .occupied = taker->occupied & ~(d->removal == DRAUGHTS_REMOVED_AT_ONCE ? victim : 0),
        .square = (uint8_t)landing,
        .jumps = (uint8_t)(taker->jumps + 1),
        .came_from = taker->square,
        .king = taker->king || (crowned && d->promotion == DRAUGHTS_CROWNED_AT_ONCE),
        .stopped = crowned && d->promotion == DRAUGHTS_CROWNED_AND_STOPPED,
    };
}

rules_move draughts_capture(const struct draughts_taker *taker)
{
    rules_move move = taker->path;

    move.w[1] |= (uint64_t)taker->jumps << DRAUGHTS_JUMPS_SHIFT;
    return move;
}

/* ---- the longest captures, path by path ----
 *
 * A path that can go on is no move, since going on takes more (T18). Each jump takes a piece, so a
 * path has at most DRAUGHTS_JUMPS_MAX jumps. */

void draughts_note(struct draughts_search *found, const struct draughts_taker *taker)
{
    if (!(found->ends & draughts_bit(taker->square)))
        return;
    if (found->count < found->cap)
        found->moves[found->count] = draughts_capture(taker);
    if (found->count == 0) {
        found->spared = taker->takeable;
        found->king = taker->king;
    }
    found->differ |= taker->takeable != found->spared || taker->king != found->king;
    found->count++;
}

/* Judges a capture that cannot go on. If it is longer than all before, it makes those void, even if
 * it ends on a square that is not wanted. */
static void judge(struct draughts_search *found, const struct draughts_taker *taker)
{
    if (taker->jumps > found->longest) {
        found->longest = taker->jumps;
        found->count = 0;
    }
    if (taker->jumps == found->longest)
        draughts_note(found, taker);
}

static void walk(struct draughts_search *found, const struct draughts_taker *taker)
{
    uint64_t landings = draughts_landings(found->d, taker);

    if (landings == 0)
        judge(found, taker);
    for (; landings != 0 && found->jumps > 0; landings &= landings - 1) {
        struct draughts_taker next = draughts_jump(found->d, taker, lowest(landings));

        found->jumps--;
        walk(found, &next);
    }
}

bool draughts_walk(struct draughts_search *found, uint64_t takers, size_t jumps)
{
    found->jumps = jumps;
    for (; takers != 0; takers &= takers - 1) {
        struct draughts_taker taker = draughts_taker(found->d, lowest(takers));

        walk(found, &taker);
    }
    return found->jumps > 0;
}
