/* outcome.c - how a game of shogi ends: mate, impasse, repetition, the limit of plies (4.6-4.9). */
#include "rules/shogi/attacks.h"
#include "rules/shogi/judge.h"
#include "rules/shogi/moves.h"
#include "rules/shogi/text.h"

static const struct rules_outcome ongoing = {RULES_ONGOING, 0, RULES_REASON_NONE};

static struct rules_outcome won_by(uint64_t side, enum rules_reason reason)
{
    return (struct rules_outcome){RULES_WON, (uint8_t)(side + 1), reason};
}

static struct rules_outcome drawn_by(enum rules_reason reason)
{
    return (struct rules_outcome){RULES_DRAWN, 0, reason};
}

/* ---- impasse (4.8) ---- */

enum { PIECES_NEEDED = 10, POINTS_SENTE = 28, POINTS_GOTE = 27 };

/* A man is worth 1 point, a bishop or rook 5, a king nothing. */
static unsigned points_on(const struct shogi *s, struct squares men)
{
    struct squares great = set_and(men, set_or(s->kind[BISHOP], s->kind[ROOK]));

    return (unsigned)(set_count(set_minus(men, s->kind[KING])) + 4 * set_count(great));
}

static unsigned points_in_hand(const struct shogi *s, unsigned side)
{
    uint32_t hand = hand_of(s, side);
    unsigned points = 4 * (hand_count(hand, BISHOP) + hand_count(hand, ROOK));

    for (unsigned kind = PAWN; kind < KING; kind++)
        points += hand_count(hand, kind);
    return points;
}

struct entry {
    bool king, check;
    unsigned pieces, points, points_needed;
};

static struct entry entry_of(const struct shogi *s)
{
    unsigned side = (unsigned)s->side;
    struct squares zone = promotion_zone(side), men = set_and(s->seat[side], zone);

    return (struct entry){
        .king = set_any(set_and(men, s->kind[KING])),
        .check = set_any(shogi_checkers(s, side)),
        .pieces = (unsigned)set_count(set_minus(men, s->kind[KING])),
        .points =
            points_on(s, men) + points_in_hand(s, side) + (side == GOTE ? handicap_points(s) : 0),
        .points_needed = side == SENTE ? POINTS_SENTE : POINTS_GOTE,
    };
}

static bool has_entered(const struct shogi *s)
{
    struct entry e = entry_of(s);

    return e.king && e.pieces >= PIECES_NEEDED && !e.check && e.points >= e.points_needed;
}

static bool refuse_numbers(struct rules_refusal *why, enum shogi_law law, unsigned yours,
                           unsigned required)
{
    rules_refuse(why, RULES_CANNOT_DECLARE, &shogi_laws[law]);
    why->yours = (int32_t)yours;
    why->required = (int32_t)required;
    return false;
}

static bool refuse_king(const struct shogi *s, struct rules_refusal *why, enum shogi_law law)
{
    unsigned side = (unsigned)s->side;
    struct squares checkers = shogi_checkers(s, side);

    rules_refuse(why, RULES_CANNOT_DECLARE, &shogi_laws[law]);
    if (s->king[side] != NO_SQUARE)
        shogi_add_witness(why, RULES_ROLE_KING, s, (unsigned)s->king[side]);
    while (law == LAW_IMPASSE_CHECK && set_any(checkers))
        shogi_add_witness(why, RULES_ROLE_CHECKER, s, set_take(&checkers));
    return false;
}

bool shogi_declare(const struct shogi *s, struct rules_outcome *outcome, struct rules_refusal *why)
{
    struct entry e = entry_of(s);

    if (impasse_rule(s) == IMPASSE_OFF)
        return rules_refuse(why, RULES_CANNOT_DECLARE, &shogi_laws[LAW_IMPASSE_OFF]);
    if (!e.king)
        return refuse_king(s, why, LAW_IMPASSE_KING);
    if (e.pieces < PIECES_NEEDED)
        return refuse_numbers(why, LAW_IMPASSE_PIECES, e.pieces, PIECES_NEEDED);
    if (e.check)
        return refuse_king(s, why, LAW_IMPASSE_CHECK);
    if (e.points < e.points_needed)
        return refuse_numbers(why, LAW_IMPASSE_POINTS, e.points, e.points_needed);
    *outcome = won_by(s->side, RULES_REASON_IMPASSE);
    return true;
}

/* ---- repetition (4.7) ---- */

/* The sides that were in check on every one of their turns since the first occurrence of the
 * position, the present turn included: bit SENTE, bit GOTE. Bit 0 of a key says whether the side to
 * move was in check there, and sides take turns; so the keys alone are enough. */
static unsigned always_checked(const struct shogi *s, uint64_t key,
                               const struct rules_history *history, size_t first)
{
    unsigned checked = 1U << SENTE | 1U << GOTE;
    unsigned side = (unsigned)s->side;

    for (size_t i = history->len; i > first; i--, side = !side) {
        uint64_t in_check = (i == history->len ? key : history->keys[i]) & 1;

        if (!in_check)
            checked &= ~(1U << side);
    }
    return checked;
}

static struct rules_outcome repeated(const struct shogi *s, uint64_t key,
                                     const struct rules_history *history)
{
    size_t first = 0;
    unsigned checked;

    if (s->repetition == 0 || rules_occurrences(history, key) + 1 < s->repetition)
        return ongoing;
    while (history->keys[first] != key)
        first++;
    checked = always_checked(s, key, history, first);
    if (checked == 1U << SENTE)
        return won_by(SENTE, RULES_REASON_PERPETUAL_CHECK);
    if (checked == 1U << GOTE)
        return won_by(GOTE, RULES_REASON_PERPETUAL_CHECK);
    return drawn_by(RULES_REASON_REPETITION);
}

/* ---- the end of a game ---- */

static bool has_king_taken(const struct shogi *s)
{
    return is_casual(s) && (s->king[SENTE] == NO_SQUARE || s->king[GOTE] == NO_SQUARE);
}

static bool has_won_by_impasse(const struct shogi *s)
{
    return impasse_rule(s) == IMPASSE_AUTO && has_entered(s);
}

/* With the usual options (rules 0) no position ends the game by itself, and nothing is looked at.
 */
bool shogi_has_ended(const struct shogi *s)
{
    return s->rules != 0 && (has_king_taken(s) || has_won_by_impasse(s));
}

/* In the order of 4.9, after a king that was taken. Casual games know no checkmate: whoever cannot
 * move has lost by stalemate (5.5). */
struct rules_outcome shogi_outcome(const struct shogi *s, uint64_t key,
                                   const struct rules_history *history)
{
    struct rules_outcome outcome;

    if (has_king_taken(s))
        return won_by(s->king[SENTE] == NO_SQUARE ? GOTE : SENTE, RULES_REASON_KING_CAPTURED);
    if (shogi_count(s) == 0)
        return won_by(!s->side,
                      !is_casual(s) && (key & 1) ? RULES_REASON_CHECKMATE : RULES_REASON_STALEMATE);
    if (has_won_by_impasse(s))
        return won_by(s->side, RULES_REASON_IMPASSE);
    outcome = repeated(s, key, history);
    if (outcome.status == RULES_ONGOING && s->max_plies != 0 && s->number > s->max_plies)
        return drawn_by(RULES_REASON_MAX_PLIES);
    return outcome;
}
