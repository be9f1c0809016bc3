/*
 * refuse.c - reads a move of shogi, and says why it is refused.
 *
 * Legal is what shogi_legal() lists. A move that is not among those is matched with the rule that
 * it breaks: first how the piece goes, then promotion, then, as all else is right, the king.
 */
#include <string.h>

#include "rules/shogi/bounds.h"
#include "rules/shogi/judge.h"
#include "rules/shogi/moves.h"
#include "rules/shogi/text.h"
#include "rules/text.h"

/* A move as it was written. Only a drop has `kind`. */
struct wish {
    unsigned from; /* NO_SQUARE: a drop */
    unsigned to;
    unsigned kind;
    bool promotes;
};

static bool refuse(struct rules_refusal *why, enum rules_code code, enum shogi_law law)
{
    return rules_refuse(why, code, &shogi_laws[law]);
}

/* ---- reading ---- */

struct reader {
    const char *text, *at;
    struct rules_refusal *why;
};

static bool refuse_here(struct reader *r, enum rules_code code, enum shogi_law law)
{
    refuse(r->why, code, law);
    r->why->at = (int32_t)(r->at - r->text);
    return false;
}

static char capital(char c)
{
    return (char)(c >= 'a' && c <= 'z' ? c - ('a' - 'A') : c);
}

/* Reads a square. One that is well written and off the board is refused as such. */
static bool read_square(struct reader *r, unsigned *square)
{
    const char *at = r->at;
    char letter;
    uint32_t file;

    if (!text_read_number(&at, UINT32_MAX, &file))
        return refuse_here(r, RULES_BAD_MOVE_TEXT, LAW_MOVE_TEXT);
    letter = capital(*at++);
    if (letter < 'A' || letter > 'Z')
        return refuse_here(r, RULES_BAD_MOVE_TEXT, LAW_MOVE_TEXT);
    if (file < 1 || file > SHOGI_FILES || letter >= 'A' + SHOGI_RANKS)
        return refuse_here(r, RULES_OUT_OF_BOARD, LAW_SQUARES);
    r->at = at;
    *square = square_on(file - 1, (unsigned)(letter - 'A'));
    return true;
}

static bool read_origin(struct reader *r, struct wish *wish)
{
    wish->kind = shogi_kind_of_letter(capital(*r->at));
    if (wish->kind == SHOGI_BASE_KINDS || (r->at[1] != '*' && r->at[1] != '\'')) {
        if (!read_square(r, &wish->from))
            return false;
        text_take_join(&r->at);
        return true;
    }
    wish->from = NO_SQUARE;
    r->at += 2;
    return true;
}

/* Behind a move, + promotes and = does not. */
static bool read_wish(const char *text, struct wish *wish, struct rules_refusal *why)
{
    struct reader r = {.text = text, .at = text_skip_blanks(text), .why = why};

    if (!read_origin(&r, wish) || !read_square(&r, &wish->to))
        return false;
    wish->promotes = *r.at == '+';
    r.at += wish->promotes || *r.at == '=';
    r.at = text_skip_blanks(r.at);
    return *r.at == '\0' || refuse_here(&r, RULES_BAD_MOVE_TEXT, LAW_MOVE_TEXT);
}

/* ---- why a move is refused ---- */

static bool refuse_ended(const struct shogi *s, struct rules_refusal *why)
{
    unsigned side = (unsigned)s->side;
    struct squares checkers = shogi_checkers(s, side);

    if (!shogi_has_ended(s)) {
        refuse(why, RULES_GAME_OVER, LAW_NO_MOVE);
        if (s->king[side] != NO_SQUARE)
            shogi_add_witness(why, RULES_ROLE_KING, s, (unsigned)s->king[side]);
        while (set_any(checkers))
            shogi_add_witness(why, RULES_ROLE_CHECKER, s, set_take(&checkers));
        return false;
    }
    return refuse(why, RULES_GAME_OVER,
                  impasse_rule(s) == IMPASSE_AUTO ? LAW_IMPASSE : LAW_KING_TAKEN);
}

static bool refuse_on(struct rules_refusal *why, enum rules_code code, enum shogi_law law,
                      enum rules_role role, const struct shogi *s, unsigned square)
{
    refuse(why, code, law);
    shogi_add_witness(why, role, s, square);
    return false;
}

/* 4.2: `next` is the position after the move. A man that uncovers a check by moving is a witness,
 * too. */
static bool refuse_check(const struct shogi *s, const struct wish *wish, const struct shogi *next,
                         struct rules_refusal *why)
{
    unsigned side = (unsigned)s->side;
    struct squares checkers = shogi_checkers(next, side);

    refuse_on(why, RULES_LEAVES_KING_IN_CHECK, LAW_KING_SAFETY, RULES_ROLE_KING, next,
              (unsigned)next->king[side]);
    if (wish->from != NO_SQUARE && wish->from != s->king[side] &&
        set_any(set_minus(checkers, shogi_checkers(s, side))))
        shogi_add_witness(why, RULES_ROLE_DEFENDER, s, wish->from);
    while (set_any(checkers))
        shogi_add_witness(why, RULES_ROLE_CHECKER, next, set_take(&checkers));
    return false;
}

/* Makes the position after a move or drop that is right except for the safety of kings. */
static void try_wish(const struct shogi *s, const struct wish *wish, struct shogi *next)
{
    unsigned side = (unsigned)s->side;
    bool drop = wish->from == NO_SQUARE, captures = set_has(s->seat[!side], wish->to);
    struct shogi_move move = {.from = wish->from,
                              .to = wish->to,
                              .kind = drop ? wish->kind : base_kind_at(s, wish->from),
                              .captured = captures ? base_kind_at(s, wish->to) : PAWN,
                              .promoted = false};

    shogi_play(s, pack_move(move, drop ? -hand_one(side, wish->kind) : 0), next);
}

static bool refuse_drop(const struct shogi *s, const struct wish *wish, struct rules_refusal *why)
{
    unsigned side = (unsigned)s->side;
    struct squares pawns = set_and(set_minus(s->seat[side], s->promoted), s->kind[PAWN]);
    struct squares same_file = set_and(pawns, shogi_lines[wish->to].on[ON_FILE]);
    struct shogi next;

    if (hand_count(hand_of(s, side), wish->kind) == 0)
        return refuse(why, RULES_NOT_IN_HAND, LAW_HAND);
    if (wish->promotes)
        return refuse_on(why, RULES_CANNOT_PROMOTE, LAW_DROP, RULES_ROLE_TO, s, wish->to);
    if (set_has(occupied(s), wish->to))
        return refuse_on(why, RULES_OCCUPIED, LAW_DROP, RULES_ROLE_TO, s, wish->to);
    if (wish->kind == PAWN && set_any(same_file))
        return refuse_on(why, RULES_NIFU, LAW_NIFU, RULES_ROLE_PAWN, s, set_first(same_file));
    if (set_has(shogi_dead_ends(side, wish->kind), wish->to))
        return refuse_on(why, RULES_DEAD_END_DROP, LAW_DEAD_END, RULES_ROLE_TO, s, wish->to);
    try_wish(s, wish, &next);
    if (set_any(shogi_checkers(&next, side)))
        return refuse_check(s, wish, &next, why);
    refuse_on(why, RULES_DROP_PAWN_MATE, LAW_DROP_PAWN_MATE, RULES_ROLE_KING, s,
              (unsigned)s->king[!side]);
    shogi_add_witness(why, RULES_ROLE_PAWN, &next, wish->to);
    return false;
}

/* Refuses a way that the man does not go, or not now. True: it can go there, kings left aside. */
static bool refuse_way(const struct shogi *s, const struct wish *wish, struct rules_man man,
                       struct rules_refusal *why)
{
    unsigned side = (unsigned)s->side;
    struct squares reach = attacks_from(wish->from, man.kind, side, set_none());
    struct squares actual = attacks_from(wish->from, man.kind, side, occupied(s));

    if (!set_has(reach, wish->to)) {
        refuse_on(why, RULES_WRONG_SHAPE, (enum shogi_law)man.kind, RULES_ROLE_FROM, s, wish->from);
        shogi_add_witness(why, RULES_ROLE_TO, s, wish->to);
        return false;
    }
    if (set_has(actual, wish->to))
        return true;
    for (unsigned d = 0; d < SHOGI_DIRECTIONS; d++) {
        struct squares line = shogi_lines[wish->from].on[d];

        if (set_has(line, wish->to))
            actual = set_and(actual, between(wish->from, wish->to, line));
    }
    return refuse_on(why, RULES_BLOCKED, LAW_JUMP, RULES_ROLE_BLOCKER, s,
                     set_first(set_and(actual, occupied(s))));
}

static bool refuse_promotion(const struct shogi *s, const struct wish *wish, struct rules_man man,
                             struct rules_refusal *why)
{
    enum shogi_law law = is_casual(s) ? LAW_CASUAL_ZONE : LAW_ZONE;
    bool zone = man.kind < GOLD;

    if (!zone)
        law = man.kind >= PROMOTED ? LAW_PROMOTED_ALREADY : LAW_NEVER_PROMOTES;
    refuse_on(why, RULES_CANNOT_PROMOTE, law, RULES_ROLE_FROM, s, wish->from);
    if (zone)
        shogi_add_witness(why, RULES_ROLE_TO, s, wish->to);
    return false;
}

static bool refuse_move(const struct shogi *s, const struct wish *wish, struct rules_refusal *why)
{
    unsigned side = (unsigned)s->side, endings;
    struct rules_man man = man_on(s, wish->from);
    struct shogi next;

    if (man.seat == 0)
        return refuse_on(why, RULES_EMPTY_SQUARE, LAW_OWN_PIECE, RULES_ROLE_FROM, s, wish->from);
    if (man.seat != side + 1)
        return refuse_on(why, RULES_NOT_YOUR_PIECE, LAW_OWN_PIECE, RULES_ROLE_FROM, s, wish->from);
    if (wish->to != wish->from && set_has(s->seat[side], wish->to))
        return refuse_on(why, RULES_OCCUPIED, LAW_CAPTURE, RULES_ROLE_TO, s, wish->to);
    if (!refuse_way(s, wish, man, why))
        return false;
    endings = shogi_endings(s, man, wish->from, wish->to);
    if (wish->promotes && !(endings & MAY_PROMOTE))
        return refuse_promotion(s, wish, man, why);
    if (!wish->promotes && !(endings & MAY_STAY))
        return refuse_on(why, RULES_MUST_PROMOTE, LAW_FORCED_PROMOTION, RULES_ROLE_FROM, s,
                         wish->from);
    try_wish(s, wish, &next);
    return refuse_check(s, wish, &next, why);
}

static bool grants(rules_move move, const struct wish *wish)
{
    struct shogi_move m = unpack_move(move);

    return m.from == wish->from && m.to == wish->to && m.promotes == wish->promotes &&
           (m.from != NO_SQUARE || m.kind == wish->kind);
}

bool shogi_read_move(const struct shogi *s, const char *text, rules_move *move,
                     struct rules_refusal *why)
{
    rules_move moves[SHOGI_MOVES_MAX];
    size_t n = shogi_has_ended(s) ? 0 : shogi_legal(s, moves, SHOGI_MOVES_MAX);
    struct wish wish;

    if (!read_wish(text, &wish, why))
        return false;
    if (n == 0)
        return refuse_ended(s, why);
    for (size_t i = 0; i < n; i++) {
        if (grants(moves[i], &wish)) {
            *move = moves[i];
            return true;
        }
    }
    return wish.from == NO_SQUARE ? refuse_drop(s, &wish, why) : refuse_move(s, &wish, why);
}
