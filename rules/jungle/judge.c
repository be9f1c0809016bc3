/*
 * judge.c - reads a move of Jungle, and says why it is not legal.
 *
 * moves.c alone decides what is legal. A move that is not among the targets of its piece is matched
 * here with the rule that it breaks, so no answer here can make an illegal move legal.
 */
#include "rules/jungle/board.h"
#include "rules/text.h"

/* A move of one of the mover's pieces, legal or not. */
struct attempt {
    const struct position *p;
    enum kind kind;
    unsigned from_square, to_square;
    uint64_t from, to; /* the same as sets */
};

/* Refuses with one square, and what stands there, as the witness. */
static bool refuse(struct rules_refusal *why, enum rules_code code, enum law law,
                   const struct position *p, enum rules_role role, unsigned square)
{
    rules_refuse(why, code, &jungle_laws[law]);
    rules_add_witness(why, role, square, jungle_man_on(p, square));
    return false;
}

/* ---- J15: what stands in the way of a jump ---- */

static uint64_t squares_between(unsigned a, unsigned b)
{
    unsigned low = a < b ? a : b, high = a < b ? b : a, step = high - low < WIDTH ? 1 : WIDTH;
    uint64_t between = 0;

    for (unsigned square = low + step; square < high; square += step)
        between |= 1ULL << square;
    return between;
}

static bool refuse_jump(const struct attempt *a, struct rules_refusal *why)
{
    uint64_t rats = jungle_blockers(a->p) & squares_between(a->from_square, a->to_square);

    rules_refuse(why, RULES_JUMP_BLOCKED, &jungle_laws[LAW_JUMP_BLOCK]);
    for (; rats != 0; rats &= rats - 1) {
        unsigned square = (unsigned)__builtin_ctzll(rats);

        rules_add_witness(why, RULES_ROLE_RAT, square, jungle_man_on(a->p, square));
    }
    return false;
}

/* ---- J17 to J24: why the piece there is not taken ---- */

/* The most particular law comes first: whatever is left is a matter of strength. */
static enum law law_that_protects(const struct attempt *a, enum kind defender)
{
    if (a->p->option[TRAPPED_ATTACK] == ATTACK_NONE && (a->from & jungle_traps[!a->p->mover]))
        return LAW_TRAPPED_ATTACK;
    if (a->kind == RAT && defender == RAT)
        return LAW_RAT_SHORE;
    if (a->kind == RAT && defender == ELEPHANT)
        return LAW_RAT_FROM_WATER;
    if (a->to & RIVER)
        return LAW_RAT_IN_WATER;
    if (a->kind == ELEPHANT && defender == RAT)
        return LAW_ELEPHANT_AND_RAT;
    return LAW_STRENGTH;
}

static bool refuse_capture(const struct attempt *a, struct rules_refusal *why)
{
    enum kind defender = (enum kind)jungle_man_on(a->p, a->to_square).kind;
    enum law law = law_that_protects(a, defender);

    refuse(why, RULES_RANK_TOO_HIGH, law, a->p, RULES_ROLE_DEFENDER, a->to_square);
    if (law == LAW_STRENGTH) {
        why->yours = (int32_t)a->kind + 1;
        why->required = (int32_t)defender + 1;
    }
    return false;
}

/* ---- the whole judgement ---- */

/* Names the first law that an illegal move breaks: how the piece goes, then what is in its way,
 * then what it takes, then where it ends. */
static bool explain(const struct attempt *a, struct rules_refusal *why)
{
    const struct position *p = a->p;
    bool taken = p->side[!p->mover] & a->to;
    bool over_water = jungle_jumps(a->from, RIVER) & a->to;
    bool jumps = over_water && (a->kind == TIGER || a->kind == LION);

    if (!jumps && !(jungle_steps(a->from) & a->to)) {
        refuse(why, RULES_WRONG_SHAPE, over_water ? LAW_JUMP : LAW_STEP, p, RULES_ROLE_FROM,
               a->from_square);
        rules_add_witness(why, RULES_ROLE_TO, a->to_square, jungle_man_on(p, a->to_square));
        return false;
    }
    if (p->side[p->mover] & a->to)
        return refuse(why, RULES_OCCUPIED, LAW_OWN_SIDE, p, RULES_ROLE_TO, a->to_square);
    if (jumps && !(jungle_jumps(a->from, RIVER & ~jungle_blockers(p)) & a->to))
        return refuse_jump(a, why);
    if (taken)
        return refuse_capture(a, why);
    if (a->to & RIVER)
        return refuse(why, RULES_RIVER, LAW_WATER, p, RULES_ROLE_FROM, a->from_square);
    if (a->to & jungle_den[p->mover])
        return refuse(why, RULES_OWN_DEN, LAW_OWN_DEN, p, RULES_ROLE_TO, a->to_square);
    return refuse(why, RULES_OWN_TRAP, LAW_OWN_TRAPS, p, RULES_ROLE_TO, a->to_square);
}

/* The law by which the game is over, or LAWS. Draws by counting do not matter here. */
static enum law ended_by(const struct rules_state *state)
{
    const struct position *p = jungle_view(state);

    if (jungle_count(state) > 0)
        return LAWS;
    if ((p->side[0] & jungle_den[1]) | (p->side[1] & jungle_den[0]))
        return LAW_DEN;
    return p->side[0] == 0 || p->side[1] == 0 ? LAW_NO_PIECES : LAW_BLOCKED;
}

/* Reads the name of a square. One that is not on the board, such as h10, becomes SQUARES. */
static bool read_square(const char **at, unsigned *square)
{
    unsigned file = (unsigned)(unsigned char)**at - 'a';
    uint32_t rank;

    if (file >= 26)
        return false;
    ++*at;
    if (!text_read_number(at, UINT32_MAX, &rank))
        return false;
    *square =
        file < WIDTH && rank >= 1 && rank <= HEIGHT ? (HEIGHT - rank) * WIDTH + file : SQUARES;
    return true;
}

static bool read_squares(const char **at, unsigned *from, unsigned *to)
{
    if (!read_square(at, from))
        return false;
    text_take_join(at);
    if (!read_square(at, to))
        return false;
    *at = text_skip_blanks(*at);
    return **at == '\0';
}

static bool judge_squares(const struct position *p, unsigned from, unsigned to, rules_move *move,
                          struct rules_refusal *why)
{
    struct rules_man man;
    struct attempt attempt;

    if (from == SQUARES || to == SQUARES)
        return rules_refuse(why, RULES_OUT_OF_BOARD, &jungle_laws[LAW_BOARD]);
    man = jungle_man_on(p, from);
    if (man.seat == 0)
        return refuse(why, RULES_EMPTY_SQUARE, LAW_TURN, p, RULES_ROLE_FROM, from);
    if (man.seat != p->mover + 1)
        return refuse(why, RULES_NOT_YOUR_PIECE, LAW_TURN, p, RULES_ROLE_FROM, from);
    attempt = (struct attempt){p, (enum kind)man.kind, from, to, 1ULL << from, 1ULL << to};
    if (!(jungle_targets(p, attempt.kind) & attempt.to))
        return explain(&attempt, why);
    *move = jungle_move(from, to, attempt.kind);
    return true;
}

bool jungle_read_move(const struct rules_state *state, const char *text, rules_move *move,
                      struct rules_refusal *why)
{
    const char *at = text_skip_blanks(text);
    enum law ended = ended_by(state);
    unsigned from, to;

    if (ended != LAWS)
        return rules_refuse(why, RULES_GAME_OVER, &jungle_laws[ended]);
    if (!read_squares(&at, &from, &to)) {
        rules_refuse(why, RULES_BAD_MOVE_TEXT, &jungle_laws[LAW_NOTATION]);
        why->at = (int32_t)(at - text);
        return false;
    }
    return judge_squares(jungle_view(state), from, to, move, why);
}
