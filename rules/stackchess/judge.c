/*
 * judge.c - reads a move of Stackchess (10), and says why it is refused.
 *
 * The questions are asked in the order in which a player would ask them. Is it a move? Is the game
 * still on? Does the stack belong to the mover? Is it high enough? Does every man of the group move
 * that way? Is the way free? Are they enough for the capture? A move that passes them all is legal.
 */
#include "rules/stackchess/board.h"

#include "rules/text.h"

/* A move on its way through the questions. */
struct attempt {
    struct view view;
    struct transfer transfer;
    int rows, columns; /* forward, as the side to move sees it, and to the right */
    unsigned us;
    bool onto_enemy;
    struct rules_refusal *why;
};

static bool refuse(const struct attempt *attempt, enum rules_code code, enum law law)
{
    return rules_refuse(attempt->why, code, &stackchess_laws[law]);
}

static void witness(const struct attempt *attempt, enum rules_role role, unsigned square)
{
    rules_add_witness(attempt->why, role, square, stackchess_top(&attempt->view, square));
}

/* ---- the text ---- */

/* Reads a number of any length without sign or leading zeros. Numbers too large for any board all
 * become INT32_MAX, so that they are refused as squares and heights, not as texts. */
static bool read_number(const char **at, uint32_t *number)
{
    uint64_t n = 0;

    if (!text_is_digit(**at) || **at == '0')
        return false;
    for (; text_is_digit(**at); (*at)++) {
        n = n * 10 + (uint64_t)(**at - '0');
        if (n > INT32_MAX)
            n = INT32_MAX;
    }
    *number = (uint32_t)n;
    return true;
}

struct name {
    const char *at;
    uint32_t column, rank;
};

static bool read_name(const char **at, struct name *name)
{
    name->at = *at;
    if (**at < 'a' || **at > 'z')
        return false;
    name->column = (uint32_t)(*(*at)++ - 'a');
    return read_number(at, &name->rank);
}

static bool find_square(const struct attempt *attempt, const char *text, struct name name,
                        unsigned *square)
{
    unsigned n = attempt->view.n;

    if (name.column >= n || name.rank > n) {
        refuse(attempt, RULES_OUT_OF_BOARD, LAW_BOARD);
        attempt->why->at = (int32_t)(name.at - text);
        return false;
    }
    *square = (n - name.rank) * n + name.column;
    return true;
}

/* On a large board an x may be a file. */
static void skip_join(const char **at)
{
    *at = text_skip_blanks(*at);
    if ((*at)[0] != 'x' || !text_is_digit((*at)[1]))
        text_take_join(at);
}

static bool read_names(const char **at, struct name *from, struct name *to)
{
    if (!read_name(at, from))
        return false;
    skip_join(at);
    if (!read_name(at, to))
        return false;
    *at = text_skip_blanks(*at);
    return **at == '\0';
}

static bool read_transfer(struct attempt *attempt, const char *text)
{
    const char *at = text_skip_blanks(text);
    struct name from, to;
    struct transfer *transfer = &attempt->transfer;

    if (!read_number(&at, &transfer->count))
        transfer->count = 1;
    at = text_skip_blanks(at);
    if (!read_names(&at, &from, &to)) {
        refuse(attempt, RULES_BAD_MOVE_TEXT, LAW_MOVE_TEXT);
        attempt->why->at = (int32_t)(at - text);
        return false;
    }
    return find_square(attempt, text, from, &transfer->from) &&
           find_square(attempt, text, to, &transfer->to);
}

/* ---- the stack (5.1, 9) ---- */

static bool game_goes_on(const struct attempt *attempt)
{
    switch (stackchess_end(&attempt->view)) {
    case RULES_REASON_NONE:
        return true;
    case RULES_REASON_DEAD:
        return refuse(attempt, RULES_GAME_OVER, LAW_DEAD);
    default:
        return refuse(attempt, RULES_GAME_OVER, LAW_ALL_CAPTURED);
    }
}

static bool stack_is_ours(const struct attempt *attempt)
{
    unsigned from = attempt->transfer.from, side = side_at(&attempt->view, from);

    if (side == attempt->us)
        return true;
    refuse(attempt, side == NOBODY ? RULES_EMPTY_SQUARE : RULES_NOT_YOUR_PIECE, LAW_FROM);
    witness(attempt, RULES_ROLE_FROM, from);
    return false;
}

static bool stack_is_high_enough(const struct attempt *attempt)
{
    unsigned from = attempt->transfer.from, height = height_at(&attempt->view, from);

    if (attempt->transfer.count <= height)
        return true;
    refuse(attempt, RULES_STACK_TOO_SMALL, LAW_HEIGHT);
    attempt->why->yours = (int32_t)attempt->transfer.count;
    attempt->why->required = (int32_t)height;
    witness(attempt, RULES_ROLE_FROM, from);
    return false;
}

/* ---- how the men move (6, 7, 8) ---- */

static bool is_leap(const struct attempt *attempt)
{
    return attempt->rows * attempt->rows + attempt->columns * attempt->columns == 5;
}

static bool is_upright(const struct attempt *attempt)
{
    return attempt->rows == 0 || attempt->columns == 0;
}

static bool is_diagonal(const struct attempt *attempt)
{
    return attempt->rows == attempt->columns || attempt->rows == -attempt->columns;
}

static bool is_step(const struct attempt *attempt)
{
    return attempt->rows * attempt->rows <= 1 && attempt->columns * attempt->columns <= 1;
}

/* The law by which a pawn does not move so, or LAWS if it does. */
static enum law against_pawn(const struct attempt *attempt, man m)
{
    if (attempt->onto_enemy)
        return attempt->rows == 1 && is_step(attempt) && attempt->columns != 0 ? LAWS
                                                                               : LAW_PAWN_CAPTURE;
    if (attempt->columns == 0 && attempt->rows == 1)
        return LAWS;
    if (attempt->columns == 0 && attempt->rows == 2)
        return m & MAN_UNMOVED ? LAWS : LAW_PAWN_MOVED;
    return LAW_PAWN_STEP;
}

/* The law by which a man that nobody carries does not move so, whatever stands in between, or LAWS
 * if it does. */
static enum law against_man(const struct attempt *attempt, man m)
{
    switch (man_kind(m)) {
    case KING:
        return is_step(attempt) ? LAWS : LAW_STRAIGHT;
    case BISHOP:
        return is_diagonal(attempt) ? LAWS : LAW_STRAIGHT;
    case ROOK:
        return is_upright(attempt) ? LAWS : LAW_STRAIGHT;
    case KNIGHT:
        return is_leap(attempt) ? LAWS : LAW_KNIGHT_STRAIGHT;
    case PAWN:
        return against_pawn(attempt, m);
    default:
        return is_upright(attempt) || is_diagonal(attempt) ? LAWS : LAW_STRAIGHT;
    }
}

/* Refuses because a man, alone or of a group, does not move that way. */
static bool refuse_man(const struct attempt *attempt, enum law law, man m)
{
    refuse(attempt, attempt->transfer.count == 1 ? RULES_WRONG_SHAPE : RULES_NO_COMMON_MOVE, law);
    rules_add_witness(attempt->why, RULES_ROLE_UNABLE, attempt->transfer.from,
                      man_of(attempt->us, m));
    if (attempt->transfer.count == 1)
        witness(attempt, RULES_ROLE_TO, attempt->transfer.to);
    return false;
}

/* Of several men that do not move that way, the lowest is named. */
static bool all_move_so(const struct attempt *attempt)
{
    man_number number = attempt->view.tops[attempt->transfer.from];
    enum law why = LAWS;
    man unable = 0;

    for (unsigned i = 0; i < attempt->transfer.count; i++) {
        man m = attempt->view.men[number];
        enum law law = against_man(attempt, m);

        if (law != LAWS) {
            why = law;
            unable = m;
        }
        number = man_below(m);
    }
    return why == LAWS || refuse_man(attempt, why, unable);
}

static bool knights_carry_all(const struct attempt *attempt)
{
    man_number number = attempt->view.tops[attempt->transfer.from];
    unsigned count = attempt->transfer.count, knights = 0;
    man unable = 0;

    for (unsigned i = 0; i < count; i++) {
        man m = attempt->view.men[number];

        if (man_kind(m) == KNIGHT)
            knights++;
        else
            unable = m;
        number = man_below(m);
    }
    if (count <= 2 * knights)
        return true;
    refuse_man(attempt, LAW_LEAP, unable);
    attempt->why->yours = (int32_t)knights;
    attempt->why->required = (int32_t)((count + 1) / 2);
    return false;
}

/* Squares in between are one step of the move apart: a rank, a file, or one of each. */
static bool way_is_free(const struct attempt *attempt)
{
    unsigned n = attempt->view.n, from = attempt->transfer.from, to = attempt->transfer.to;
    int rows = (int)(to / n) - (int)(from / n), columns = attempt->columns;
    int step = ((rows > 0) - (rows < 0)) * (int)n + (columns > 0) - (columns < 0);

    for (unsigned square = from + (unsigned)step; square != to; square += (unsigned)step) {
        if (attempt->view.tops[square] == 0)
            continue;
        refuse(attempt, RULES_BLOCKED, LAW_BLOCKED);
        witness(attempt, RULES_ROLE_BLOCKER, square);
        return false;
    }
    return true;
}

static bool group_moves_so(const struct attempt *attempt)
{
    if (attempt->transfer.from == attempt->transfer.to)
        return refuse(attempt, RULES_WRONG_SHAPE, LAW_ANOTHER_SQUARE);
    if (is_leap(attempt) && attempt->transfer.count > 1)
        return knights_carry_all(attempt);
    return all_move_so(attempt) && (is_leap(attempt) || way_is_free(attempt));
}

/* ---- the capture (5.3) ---- */

static bool captures_enough(const struct attempt *attempt)
{
    unsigned to = attempt->transfer.to, height = height_at(&attempt->view, to);

    if (!attempt->onto_enemy || attempt->transfer.count > height)
        return true;
    refuse(attempt, RULES_TOO_FEW_TO_CAPTURE, LAW_CAPTURE);
    attempt->why->yours = (int32_t)attempt->transfer.count;
    attempt->why->required = (int32_t)height + 1;
    witness(attempt, RULES_ROLE_TO, to);
    return false;
}

/* ---- the whole ---- */

/* Fills in what follows from the two squares. */
static void survey(struct attempt *attempt)
{
    unsigned n = attempt->view.n, from = attempt->transfer.from, to = attempt->transfer.to;
    int down = (int)(to / n) - (int)(from / n);

    attempt->rows = attempt->us == 0 ? -down : down;
    attempt->columns = (int)(to % n) - (int)(from % n);
    attempt->onto_enemy = side_at(&attempt->view, to) == 1 - attempt->us;
}

bool stackchess_read_move(const struct rules_state *state, const char *text, rules_move *move,
                          struct rules_refusal *why)
{
    struct attempt attempt = {.view = view_of(state), .why = why};

    attempt.us = attempt.view.head->mover;
    if (!read_transfer(&attempt, text))
        return false;
    survey(&attempt);
    if (!game_goes_on(&attempt) || !stack_is_ours(&attempt) || !stack_is_high_enough(&attempt) ||
        !group_moves_so(&attempt) || !captures_enough(&attempt))
        return false;
    *move = move_of(attempt.transfer.from, attempt.transfer.to, attempt.transfer.count);
    return true;
}
