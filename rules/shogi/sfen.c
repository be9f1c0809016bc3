/* sfen.c - reading, judging and writing positions of shogi in SFEN (2.2, 2.5). */
#include <string.h>

#include "rules/shogi/attacks.h"
#include "rules/shogi/moves.h"
#include "rules/shogi/text.h"
#include "rules/text.h"

enum {
    NUMBER_MAX = 1000000000,
    HAND_PAWNS_MAX =
        18,       /* of a hand that can be looked at: no count runs over into the bits of the */
    HAND_MAX = 15 /* next kind (board.h) */
};

const struct rules_law shogi_laws[SHOGI_LAWS] = {
#define SHOGI_LAW(name, number, id, text) {number, "shogi." id, text},
#include "rules/shogi/laws.def"
#undef SHOGI_LAW
};

const char shogi_letters[SHOGI_BASE_KINDS + 1] = "PLNSBRGK";

/* 2.2: hands are written with rooks first and pawns last. */
static const unsigned hand_order[] = {ROOK, BISHOP, GOLD, SILVER, KNIGHT, LANCE, PAWN};
enum { HAND_KINDS = sizeof(hand_order) / sizeof(hand_order[0]) };

unsigned shogi_kind_of_letter(char capital)
{
    unsigned kind = 0;

    while (kind < SHOGI_BASE_KINDS && shogi_letters[kind] != capital)
        kind++;
    return kind;
}

static char letter_of(unsigned side, unsigned kind)
{
    return (char)(shogi_letters[kind] + (side == GOTE ? 'a' - 'A' : 0));
}

/* ---- writing ---- */

static void write_rank(const struct shogi *s, unsigned rank, struct text *out)
{
    unsigned empty = 0;

    for (unsigned file = SHOGI_FILES; file-- > 0;) {
        struct rules_man man = man_on(s, square_on(file, rank));

        if (man.seat == 0) {
            empty++;
            continue;
        }
        if (empty > 0)
            text_number(out, empty);
        empty = 0;
        if (man.kind >= PROMOTED)
            text_char(out, '+');
        text_char(out, letter_of(man.seat - 1U, man.kind % PROMOTED));
    }
    if (empty > 0)
        text_number(out, empty);
}

static void write_hands(const struct shogi *s, struct text *out)
{
    if (s->hands == 0)
        text_char(out, '-');
    for (unsigned side = SENTE; side <= GOTE; side++) {
        for (size_t i = 0; i < HAND_KINDS; i++) {
            unsigned n = hand_count(hand_of(s, side), hand_order[i]);

            if (n > 1)
                text_number(out, n);
            if (n > 0)
                text_char(out, letter_of(side, hand_order[i]));
        }
    }
}

void shogi_write_sfen(const struct shogi *s, char *text)
{
    struct text out = text_open(text, RULES_POSITION_TEXT);

    for (unsigned rank = 0; rank < SHOGI_RANKS; rank++) {
        if (rank > 0)
            text_char(&out, '/');
        write_rank(s, rank, &out);
    }
    text_string(&out, s->side == SENTE ? " b " : " w ");
    write_hands(s, &out);
    text_char(&out, ' ');
    text_number(&out, s->number);
}

/* ---- reading ---- */

struct reader {
    const char *text, *at;
    struct shogi *s;
    struct rules_refusal *why;
};

static bool refuse_here(struct reader *r, enum shogi_law law)
{
    rules_refuse(r->why, RULES_BAD_POSITION, &shogi_laws[law]);
    r->why->at = (int32_t)(r->at - r->text);
    return false;
}

/* The kind and the side that the next letter stands for; SHOGI_BASE_KINDS if it is no man's. */
static unsigned next_letter(const struct reader *r, unsigned *side)
{
    char c = *r->at;

    *side = c >= 'a' && c <= 'z' ? GOTE : SENTE;
    return shogi_kind_of_letter((char)(*side == GOTE ? c - ('a' - 'A') : c));
}

static bool read_man(struct reader *r, unsigned square)
{
    struct squares at = set_of(square);
    bool promoted = *r->at == '+';
    unsigned side, kind;

    r->at += promoted;
    kind = next_letter(r, &side);
    if (kind == SHOGI_BASE_KINDS || (promoted && kind >= GOLD))
        return refuse_here(r, LAW_LETTERS);
    r->at++;
    r->s->kind[kind] = set_or(r->s->kind[kind], at);
    r->s->seat[side] = set_or(r->s->seat[side], at);
    if (promoted)
        r->s->promoted = set_or(r->s->promoted, at);
    return true;
}

/* A number that goes beyond the rank is refused where it stands, so the reader steps back to it. */
static bool read_rank(struct reader *r, unsigned rank)
{
    unsigned squares = 0;

    while (*r->at != '/' && *r->at != ' ' && *r->at != '\0') {
        if (squares == SHOGI_FILES)
            return refuse_here(r, LAW_BOARD);
        if (*r->at >= '1' && *r->at <= '9')
            squares += (unsigned)(*r->at++ - '0');
        else if (!read_man(r, square_on(SHOGI_FILES - 1 - squares++, rank)))
            return false;
        if (squares > SHOGI_FILES) {
            r->at--;
            return refuse_here(r, LAW_BOARD);
        }
    }
    return squares == SHOGI_FILES || refuse_here(r, LAW_BOARD);
}

static bool read_board(struct reader *r)
{
    for (unsigned rank = 0; rank < SHOGI_RANKS; rank++) {
        if (rank > 0 && *r->at++ != '/') {
            r->at--;
            return refuse_here(r, LAW_BOARD);
        }
        if (!read_rank(r, rank))
            return false;
    }
    return *r->at != '/' || refuse_here(r, LAW_BOARD);
}

static bool read_space(struct reader *r)
{
    if (*r->at != ' ')
        return refuse_here(r, LAW_FIELDS);
    r->at++;
    return true;
}

static bool read_side(struct reader *r)
{
    if (*r->at != 'b' && *r->at != 'w')
        return refuse_here(r, LAW_SIDE);
    r->s->side = *r->at++ == 'b' ? SENTE : GOTE;
    return true;
}

/* 2.5: how many of a kind there are at most, on the board and in the hands. */
static unsigned most_of(unsigned kind)
{
    return kind == PAWN ? 18 : kind == BISHOP || kind == ROOK || kind == KING ? 2 : 4;
}

static bool refuse_too_many(struct rules_refusal *why, unsigned kind, unsigned yours)
{
    rules_refuse_position(why, &shogi_laws[LAW_TOO_MANY_PAWNS + kind]);
    why->yours = (int32_t)yours;
    why->required = (int32_t)most_of(kind);
    return false;
}

/* More than a hand has bits for cannot even be looked at. */
static bool refuse_hand(struct rules_refusal *why, unsigned kind, unsigned yours)
{
    refuse_too_many(why, kind, yours);
    why->visible = false;
    return false;
}

static bool read_hand_men(struct reader *r)
{
    uint32_t n = 1;
    unsigned side, kind, held;

    if (text_is_digit(*r->at) && (!text_read_number(&r->at, UINT16_MAX, &n) || n == 0))
        return refuse_here(r, LAW_HANDS);
    kind = next_letter(r, &side);
    if (kind >= KING)
        return refuse_here(r, LAW_HANDS);
    r->at++;
    held = hand_count(hand_of(r->s, side), kind) + n;
    if (held > (kind == PAWN ? HAND_PAWNS_MAX : HAND_MAX))
        return refuse_hand(r->why, kind, held);
    r->s->hands += n * hand_one(side, kind);
    return true;
}

static bool read_hands(struct reader *r)
{
    if (*r->at == '-') {
        r->at++;
        return true;
    }
    do {
        if (!read_hand_men(r))
            return false;
    } while (*r->at != ' ' && *r->at != '\0');
    return true;
}

static bool read_number(struct reader *r)
{
    uint32_t number;

    if (!text_read_number(&r->at, NUMBER_MAX, &number) || number == 0)
        return refuse_here(r, LAW_NUMBER);
    r->s->number = number;
    return *r->at == '\0' || refuse_here(r, LAW_FIELDS);
}

/* ---- judging ---- */

void shogi_add_witness(struct rules_refusal *why, enum rules_role role, const struct shogi *s,
                       unsigned square)
{
    rules_add_witness(why, role, place_of(square), man_on(s, square));
}

static bool refuse_squares(struct rules_refusal *why, enum shogi_law law, enum rules_role role,
                           const struct shogi *s, struct squares squares)
{
    rules_refuse_position(why, &shogi_laws[law]);
    while (set_any(squares))
        shogi_add_witness(why, role, s, set_take(&squares));
    return false;
}

static bool numbers_are_possible(const struct shogi *s, struct rules_refusal *why)
{
    for (unsigned kind = PAWN; kind < KING; kind++) {
        unsigned n = (unsigned)set_count(s->kind[kind]) + hand_count(hand_of(s, SENTE), kind) +
                     hand_count(hand_of(s, GOTE), kind);

        if (n > most_of(kind))
            return refuse_too_many(why, kind, n);
    }
    return true;
}

static bool find_king(struct shogi *s, unsigned side, struct rules_refusal *why)
{
    struct squares kings = set_and(s->kind[KING], s->seat[side]);

    s->king[side] = set_any(kings) ? set_first(kings) : NO_SQUARE;
    if (set_count(kings) <= 1)
        return true;
    refuse_squares(why, LAW_TOO_MANY_KINGS, RULES_ROLE_KING, s, kings);
    why->yours = (int32_t)set_count(kings);
    why->required = 1;
    return false;
}

/* 2.5: no man stands where the standard rules would not have let it stay. */
static bool men_can_move(const struct shogi *s, unsigned side, struct rules_refusal *why)
{
    struct squares plain = set_minus(s->seat[side], s->promoted);

    for (unsigned kind = PAWN; kind <= KNIGHT; kind++) {
        struct squares stuck = set_and(set_and(plain, s->kind[kind]), shogi_dead_ends(side, kind));

        if (set_any(stuck))
            return refuse_squares(why, LAW_PAWN_AT_END + kind, RULES_ROLE_OFFENDER, s, stuck);
    }
    return true;
}

static bool pawns_are_single(const struct shogi *s, unsigned side, struct rules_refusal *why)
{
    struct squares pawns = set_and(set_minus(s->seat[side], s->promoted), s->kind[PAWN]);

    for (struct squares rest = pawns; set_any(rest);) {
        unsigned square = set_take(&rest);
        struct squares others = set_and(pawns, shogi_lines[square].on[ON_FILE]);

        if (set_any(others))
            return refuse_squares(why, LAW_TWO_PAWNS, RULES_ROLE_PAWN, s,
                                  set_or(others, set_of(square)));
    }
    return true;
}

/* No game leads to a check on the side that has just moved: its king could be taken. */
static bool mover_gives_no_check(const struct shogi *s, struct rules_refusal *why)
{
    unsigned other = !s->side;
    struct squares checkers = shogi_checkers(s, other);

    if (!set_any(checkers))
        return true;
    refuse_squares(why, LAW_OTHER_IN_CHECK, RULES_ROLE_KING, s, set_of((unsigned)s->king[other]));
    while (set_any(checkers))
        shogi_add_witness(why, RULES_ROLE_CHECKER, s, set_take(&checkers));
    return false;
}

static bool judge(struct shogi *s, struct rules_refusal *why)
{
    if (!numbers_are_possible(s, why) || !find_king(s, SENTE, why) || !find_king(s, GOTE, why))
        return false;
    if (s->king[SENTE] == NO_SQUARE && s->king[GOTE] == NO_SQUARE)
        return rules_refuse_position(why, &shogi_laws[LAW_NO_KING]);
    if (is_casual(s)) /* 5.1, 5.4: there checks are left and pawns dropped anywhere */
        return true;
    for (unsigned side = SENTE; side <= GOTE; side++)
        if (!men_can_move(s, side, why) || !pawns_are_single(s, side, why))
            return false;
    return mover_gives_no_check(s, why);
}

bool shogi_read_sfen(const char *text, struct shogi *s, struct rules_refusal *why)
{
    struct reader r = {.text = text, .at = text, .s = s, .why = why};

    memset(s->kind, 0, sizeof(s->kind));
    memset(s->seat, 0, sizeof(s->seat));
    s->promoted = set_none();
    s->hands = 0;
    s->king[SENTE] = s->king[GOTE] = NO_SQUARE;
    return read_board(&r) && read_space(&r) && read_side(&r) && read_space(&r) && read_hands(&r) &&
           read_space(&r) && read_number(&r) && judge(s, why);
}
