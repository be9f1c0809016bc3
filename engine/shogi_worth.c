/* shogi_worth.c - what a position of shogi is worth: a sum of fitted weights. */
#include "engine/shogi_worth.h"

#include "engine/tally.h"
#include "rules/shogi/attacks.h"

/* Places around a king: files away from it, and ranks before or behind it; what is farther away
 * counts like the farthest. */
enum { MEN_FILES = 5, MEN_RANKS = 9, FIELD_FILES = 5, FIELD_RANKS = 7 };
enum { MEN_PLACES = MEN_FILES * MEN_RANKS, FIELD_PLACES = FIELD_FILES * FIELD_RANKS };

/* How many are told apart: men of a kind in a hand, attacks on a square, attacks on a man. */
enum { HELD = 8, ATTACKS = 4, THREATS = 3 };

/* What may stand on a square, for the king that sees it. */
enum { NOBODY, OWN_MAN, ENEMY, OCCUPANTS };

/* Where the weights of each kind begin. */
enum {
    RANKED = 0,
    HANDS = RANKED + SHOGI_KINDS * SHOGI_RANKS,
    NEAR_OWN = HANDS + KING * HELD,
    NEAR_ENEMY = NEAR_OWN + SHOGI_KINDS * MEN_PLACES,
    FIELD = NEAR_ENEMY + SHOGI_KINDS * MEN_PLACES,
    THREATENED = FIELD + FIELD_PLACES * OCCUPANTS * ATTACKS * ATTACKS,
    KINGS = THREATENED + SHOGI_KINDS * 2 * THREATS * THREATS,
    TURN = KINGS + SHOGI_FILES * SHOGI_RANKS,
    WEIGHTS
};

static const int16_t weights[] = {
#include "engine/shogi_weights.def"
};

_Static_assert(sizeof(weights) / sizeof(weights[0]) == WEIGHTS, "fitted for other things");

/* How many men of each side attack each square, by the number of the square's bit. */
struct attacks {
    uint8_t on[RULES_SEATS][SHOGI_SQUARES];
};

/* The place of a square as the king of a side sees it. */
SHOGI_INLINE unsigned place_from(unsigned king, unsigned side, unsigned square, unsigned files,
                                 unsigned ranks)
{
    int file = (int)file_of(square) - (int)file_of(king), most = (int)ranks / 2;
    int rank = (int)rank_of(square) - (int)rank_of(king);

    rank = side == SENTE ? rank : -rank;
    rank = rank < -most ? -most : rank > most ? most : rank;
    return tally_at_most((unsigned)(file < 0 ? -file : file), files - 1) * ranks +
           (unsigned)(rank + most);
}

static unsigned full_kind(const struct shogi *s, unsigned base, unsigned square)
{
    return base + (set_has(s->promoted, square) ? PROMOTED : 0);
}

static void count_attacks(uint8_t *on, struct squares attacked)
{
    for (unsigned word = 0; word < 2; word++)
        for (uint64_t left = attacked.word[word]; left != 0; left &= left - 1)
            on[64 * word + (unsigned)__builtin_ctzll(left)]++;
}

static void add_man(struct tally *tally, const struct shogi *s, unsigned side, unsigned kind,
                    unsigned square)
{
    unsigned rank = side == SENTE ? rank_of(square) : SHOGI_RANKS - 1 - rank_of(square);
    unsigned file = side == SENTE ? file_of(square) : SHOGI_FILES - 1 - file_of(square);
    unsigned own = (unsigned)s->king[side], enemy = (unsigned)s->king[!side];
    int32_t sign = tally_sign(side);

    if (kind == KING) {
        tally_add(tally, KINGS + rank * SHOGI_FILES + file, sign);
        return;
    }
    tally_add(tally, RANKED + kind * SHOGI_RANKS + rank, sign);
    tally_add(tally,
              NEAR_OWN + kind * MEN_PLACES + place_from(own, side, square, MEN_FILES, MEN_RANKS),
              sign);
    tally_add(tally,
              NEAR_ENEMY + kind * MEN_PLACES +
                  place_from(enemy, !side, square, MEN_FILES, MEN_RANKS),
              sign);
}

/* The men of a side on the board, and what they attack. */
static void add_men(struct tally *tally, const struct shogi *s, unsigned side, uint8_t *on)
{
    struct squares all = occupied(s);

    for (unsigned base = PAWN; base < SHOGI_BASE_KINDS; base++) {
        struct squares men = set_and(s->kind[base], s->seat[side]);

        while (set_any(men)) {
            unsigned square = set_take(&men), kind = full_kind(s, base, square);

            add_man(tally, s, side, kind, square);
            count_attacks(on, set_and(set_all(), attacks_from(square, kind, side, all)));
        }
    }
}

static void add_hand(struct tally *tally, const struct shogi *s, unsigned side)
{
    uint32_t hand = hand_of(s, side);

    for (unsigned kind = PAWN; kind < KING; kind++)
        tally_add(tally, HANDS + kind * HELD + tally_at_most(hand_count(hand, kind), HELD - 1),
                  tally_sign(side));
}

/* The board as the king of a side sees it. */
static void add_field(struct tally *tally, const struct shogi *s, unsigned side,
                      const struct attacks *attacks)
{
    unsigned king = (unsigned)s->king[side];

    for (struct squares left = set_all(); set_any(left);) {
        unsigned square = set_take(&left);
        unsigned place = place_from(king, side, square, FIELD_FILES, FIELD_RANKS);
        unsigned stands = set_has(s->seat[side], square)    ? OWN_MAN
                          : set_has(s->seat[!side], square) ? ENEMY
                                                            : NOBODY;
        unsigned own = tally_at_most(attacks->on[side][square], ATTACKS - 1);
        unsigned enemy = tally_at_most(attacks->on[!side][square], ATTACKS - 1);

        tally_add(tally, FIELD + ((place * OCCUPANTS + stands) * ATTACKS + own) * ATTACKS + enemy,
                  tally_sign(side));
    }
}

/* The men of a side, by who attacks and who defends them. */
static void add_threats(struct tally *tally, const struct shogi *s, unsigned side,
                        const struct attacks *attacks)
{
    struct squares men = set_minus(s->seat[side], s->kind[KING]);

    while (set_any(men)) {
        unsigned square = set_take(&men), kind = full_kind(s, base_kind_at(s, square), square);
        unsigned to_move = (unsigned)s->side == side;
        unsigned own = tally_at_most(attacks->on[side][square], THREATS - 1);
        unsigned enemy = tally_at_most(attacks->on[!side][square], THREATS - 1);

        tally_add(tally, THREATENED + ((kind * 2 + to_move) * THREATS + own) * THREATS + enemy,
                  tally_sign(side));
    }
}

/* From Sente's view. */
static inline void add_all(struct tally *tally, const struct shogi *s)
{
    struct attacks attacks = {{{0}}};

    for (unsigned side = SENTE; side <= GOTE; side++) {
        add_men(tally, s, side, attacks.on[side]);
        add_hand(tally, s, side);
    }
    for (unsigned side = SENTE; side <= GOTE; side++) {
        add_field(tally, s, side, &attacks);
        add_threats(tally, s, side, &attacks);
    }
    tally_add(tally, TURN, tally_sign((unsigned)s->side));
}

int32_t shogi_worth(const struct shogi *s)
{
    struct tally tally = {.weight = weights};

    add_all(&tally, s);
    return s->side == SENTE ? tally.sum : -tally.sum;
}

static int32_t count_weights(const struct rules_state *state, int16_t *counts)
{
    struct tally tally = {.weight = weights, .counts = counts};

    add_all(&tally, shogi_of(state));
    return 0;
}

const struct engine_weights shogi_worth_weights = {
    .weight = weights,
    .n = WEIGHTS,
    .count = count_weights,
    .groups =
        {
            {RANKED, "men by kind and rank"},
            {HANDS, "men in hand by kind and number"},
            {NEAR_OWN, "men by kind and place around the own king"},
            {NEAR_ENEMY, "men by kind and place around the enemy's king"},
            {FIELD, "squares around a king: who stands there, who attacks them"},
            {THREATENED, "men by kind, whose turn it is, who defends and who attacks them"},
            {KINGS, "kings by square"},
            {TURN, "the turn"},
        },
};
