/*
 * judge.c - reads a move of Turkish draughts, and says what is wrong with it.
 *
 * A capture is judged by making it: jump after jump, as long as each is possible, and only then is
 * asked whether it takes enough. So a refusal names the first thing that is wrong.
 */
#include "rules/draughts/judge.h"

#include "rules/draughts/captures.h"
#include "rules/text.h"

const struct rules_law draughts_laws[DRAUGHTS_LAWS] = {
#define DRAUGHTS_LAW(id, number, name, text) {number, "turkish-draughts." name, text},
#include "rules/draughts/laws.def"
#undef DRAUGHTS_LAW
};

const struct rules_board draughts_board = {8, 8, RULES_LETTER_DIGIT};

struct rules_man draughts_man(const struct draughts *d, unsigned square)
{
    uint64_t bit = draughts_bit(square);

    if (!(draughts_occupied(d) & bit))
        return (struct rules_man){0, 0};
    return (struct rules_man){.seat = d->side[DRAUGHTS_WHITE] & bit ? 1 : 2,
                              .kind = d->kings & bit ? DRAUGHTS_KING : DRAUGHTS_MAN};
}

static unsigned first_of(uint64_t set)
{
    return (unsigned)__builtin_ctzll(set);
}

static bool is_king(const struct draughts *d, unsigned square)
{
    return (d->kings & draughts_bit(square)) != 0;
}

/* ---- refusing ---- */

bool draughts_refuse(struct rules_refusal *why, enum rules_code code, enum draughts_law law)
{
    return rules_refuse(why, code, &draughts_laws[law]);
}

static bool refuse_text(struct rules_refusal *why, enum rules_code code, enum draughts_law law,
                        const char *text, const char *at)
{
    draughts_refuse(why, code, law);
    why->at = (int32_t)(at - text);
    return false;
}

/* Refuses with one square, and what stands there, as the witness. */
static bool refuse_square(struct rules_refusal *why, enum rules_code code, enum draughts_law law,
                          const struct draughts *d, enum rules_role role, unsigned square)
{
    draughts_refuse(why, code, law);
    rules_add_witness(why, role, square, draughts_man(d, square));
    return false;
}

/* Refuses a way that the piece does not go. Both of its ends are witnesses. */
static bool refuse_shape(struct rules_refusal *why, enum draughts_law law, const struct draughts *d,
                         unsigned from, unsigned to)
{
    refuse_square(why, RULES_WRONG_SHAPE, law, d, RULES_ROLE_FROM, from);
    rules_add_witness(why, RULES_ROLE_TO, to, draughts_man(d, to));
    return false;
}

static bool refuse_game_over(struct rules_refusal *why, const struct draughts *d)
{
    return draughts_refuse(why, RULES_GAME_OVER,
                           d->side[d->turn] == 0 ? DRAUGHTS_LAW_NO_PIECES : DRAUGHTS_LAW_BLOCKED);
}

/* Adds the piece that captures in a legal move, and the pieces that it takes. Squares in *named
 * have been added before. */
static void add_capture(struct rules_refusal *why, const struct draughts *d, rules_move move,
                        uint64_t *named)
{
    unsigned from = draughts_square(move, 0);
    uint64_t enemy = d->side[!d->turn] & ~*named;

    if (!(*named & draughts_bit(from)))
        rules_add_witness(why, RULES_ROLE_CAPTURER, from, draughts_man(d, from));
    *named |= draughts_bit(from);
    for (unsigned i = 1; i <= draughts_last(move); i++) {
        uint64_t between = draughts_between(draughts_square(move, i - 1), draughts_square(move, i));

        for (uint64_t taken = between & enemy; taken != 0; taken &= taken - 1)
            rules_add_witness(why, RULES_ROLE_CAPTURED, first_of(taken),
                              draughts_man(d, first_of(taken)));
        enemy &= ~between;
    }
    *named |= d->side[!d->turn] & ~enemy;
}

/* Refuses a move that takes too few pieces. The legal captures are examples. */
static bool refuse_too_few(struct rules_refusal *why, const struct draughts *d, unsigned taken)
{
    rules_move legal[RULES_EXAMPLES_MAX];
    size_t n = draughts_legal(d, legal, RULES_EXAMPLES_MAX);
    uint64_t named = 0;

    if (taken == 0)
        draughts_refuse(why, RULES_MUST_CAPTURE, DRAUGHTS_LAW_MUST_CAPTURE);
    else
        draughts_refuse(why, RULES_MUST_CAPTURE_MORE, DRAUGHTS_LAW_MAX_CAPTURE);
    why->yours = (int32_t)taken;
    why->required = (int32_t)draughts_jumps(legal[0]);
    for (size_t i = 0; i < n && i < RULES_EXAMPLES_MAX; i++) {
        rules_add_example(why, legal[i]);
        add_capture(why, d, legal[i], &named);
    }
    return false;
}

/* ---- the text ---- */

/* A move as it was written (T29, T30): its squares in order, and whether they are a capture. */
struct written {
    char sign; /* between the squares: -, x, or NUL for none */
    bool capture;
    unsigned length;
    unsigned square[1 + DRAUGHTS_JUMPS_MAX];
};

static bool looks_like_a_square(const char *at)
{
    return at[0] >= 'a' && at[0] <= 'z' && at[1] >= '0' && at[1] <= '9';
}

static bool read_square(const char *text, const char **at, struct written *written,
                        struct rules_refusal *why)
{
    size_t n = 0;

    if (written->length <= DRAUGHTS_JUMPS_MAX)
        n = rules_square_read(draughts_board, *at, &written->square[written->length]);
    if (n == 0 && looks_like_a_square(*at) && written->length <= DRAUGHTS_JUMPS_MAX)
        return refuse_text(why, RULES_OUT_OF_BOARD, DRAUGHTS_LAW_BOARD, text, *at);
    if (n == 0)
        return refuse_text(why, RULES_BAD_MOVE_TEXT, DRAUGHTS_LAW_NOTATION, text, *at);
    written->length++;
    *at += n;
    return true;
}

/* Squares without a sign between them are a capture if one can be made, since nothing else is legal
 * then (T12), and if there is room for a jump. */
static bool is_capture(const struct draughts *d, const struct written *written)
{
    unsigned from = written->square[0], to = written->square[1];
    enum draughts_direction direction;

    if (written->sign != '\0')
        return written->sign == 'x';
    return draughts_takers(d) != 0 && draughts_in_line(from, to, &direction) &&
           draughts_between(from, to) != 0;
}

static bool read_text(const struct draughts *d, const char *text, struct written *written,
                      struct rules_refusal *why)
{
    const char *at = text_skip_blanks(text), *behind;

    written->length = 0;
    if (!read_square(text, &at, written, why))
        return false;
    written->sign = text_take_join(&at);
    if (!read_square(text, &at, written, why))
        return false;
    written->capture = is_capture(d, written);
    for (behind = at; *text_skip_blanks(behind) != '\0'; behind = at) {
        if (text_take_join(&at) != written->sign || !written->capture)
            return refuse_text(why, RULES_BAD_MOVE_TEXT, DRAUGHTS_LAW_NOTATION, text, behind);
        if (!read_square(text, &at, written, why))
            return false;
    }
    return true;
}

/* ---- moves without capture ---- */

/* Whether the piece moves that way on an empty board (T9-T11). */
static bool has_shape(const struct draughts *d, unsigned from, unsigned to,
                      enum draughts_direction *direction, struct rules_refusal *why)
{
    bool in_line = draughts_in_line(from, to, direction);
    bool ahead = in_line && *direction != draughts_opposite(draughts_forward(d->turn));
    enum draughts_law law = DRAUGHTS_LAW_KING_MOVE;

    if (is_king(d, from) ? in_line : ahead && draughts_between(from, to) == 0)
        return true;
    if (!is_king(d, from))
        law = ahead || from == to ? DRAUGHTS_LAW_MAN_STEP : DRAUGHTS_LAW_MAN_NEVER_BACK;
    return refuse_shape(why, law, d, from, to);
}

static bool read_quiet(const struct draughts *d, const struct written *written, rules_move *move,
                       struct rules_refusal *why)
{
    unsigned from = written->square[0], to = written->square[1];
    enum draughts_law law = is_king(d, from) ? DRAUGHTS_LAW_KING_MOVE : DRAUGHTS_LAW_MAN_STEP;
    enum draughts_direction direction;
    uint64_t met;

    if (draughts_takers(d) != 0)
        return refuse_too_few(why, d, 0);
    if (!has_shape(d, from, to, &direction, why))
        return false;
    met = draughts_met(from, direction, draughts_occupied(d));
    if (met & draughts_between(from, to))
        return refuse_square(why, RULES_BLOCKED, law, d, RULES_ROLE_BLOCKER, first_of(met));
    if (met & draughts_bit(to))
        return refuse_square(why, RULES_OCCUPIED, law, d, RULES_ROLE_TO, to);
    *move = draughts_quiet_move(from, to);
    return true;
}

/* ---- captures ---- */

/* The law that forbids a jump by its shape, wherever other pieces stand. DRAUGHTS_LAWS if no law
 * does. */
static enum draughts_law law_against(const struct draughts *d, const struct draughts_taker *taker,
                                     unsigned to, enum draughts_direction *direction)
{
    bool in_line = draughts_in_line(taker->square, to, direction);
    uint64_t between = draughts_between(taker->square, to);
    bool over_one = between != 0 && (between & (between - 1)) == 0;

    if (taker->stopped)
        return DRAUGHTS_LAW_PROMOTION;
    if (in_line && !draughts_may_turn(d, taker, *direction))
        return DRAUGHTS_LAW_TURN180;
    if (taker->king)
        return in_line ? DRAUGHTS_LAWS : DRAUGHTS_LAW_KING_CAPTURE;
    if (in_line && over_one && *direction != draughts_opposite(draughts_forward(d->turn)))
        return DRAUGHTS_LAWS;
    return DRAUGHTS_LAW_MAN_CAPTURE;
}

/* Refuses a jump that no law forbids by its shape. Then something stands on the landing square, or
 * there is nothing to take, or something in between cannot be taken: a piece of the own side, a
 * second enemy, or one that was taken before and is still there (T16). */
static bool refuse_line(const struct draughts *d, const struct draughts_taker *taker,
                        enum draughts_direction direction, unsigned to, struct rules_refusal *why)
{
    enum draughts_law law = taker->king ? DRAUGHTS_LAW_KING_CAPTURE : DRAUGHTS_LAW_MAN_CAPTURE;
    uint64_t between = draughts_between(taker->square, to) & taker->occupied;
    uint64_t first = draughts_met(taker->square, direction, between);
    uint64_t second = draughts_met(taker->square, direction, between & ~first);
    uint64_t blocker = first & taker->takeable ? second : first;

    if (taker->occupied & draughts_bit(to))
        return refuse_square(why, RULES_OCCUPIED, law, d, RULES_ROLE_TO, to);
    if (between == 0)
        return refuse_shape(why, law, d, draughts_square(taker->path, 0), to);
    if (blocker & d->side[!d->turn] & ~taker->takeable)
        law = DRAUGHTS_LAW_REMOVAL;
    return refuse_square(why, RULES_BLOCKED, law, d, RULES_ROLE_BLOCKER, first_of(blocker));
}

static bool jump_to(const struct draughts *d, struct draughts_taker *taker, unsigned to,
                    struct rules_refusal *why)
{
    enum draughts_direction direction;
    enum draughts_law law = law_against(d, taker, to, &direction);

    if (law != DRAUGHTS_LAWS)
        return refuse_shape(why, law, d, draughts_square(taker->path, 0), to);
    if (!(draughts_landings(d, taker) & draughts_bit(to)))
        return refuse_line(d, taker, direction, to, why);
    *taker = draughts_jump(d, taker, to);
    return true;
}

/* Makes the jumps as they are written, whether they take enough or not. */
static bool jump_along(const struct draughts *d, struct draughts_taker *taker,
                       const struct written *written, struct rules_refusal *why)
{
    for (unsigned i = 1; i < written->length; i++)
        if (!jump_to(d, taker, written->square[i], why))
            return false;
    return true;
}

static bool refuse_ambiguous(struct rules_refusal *why, const rules_move *candidates, size_t n)
{
    draughts_refuse(why, RULES_AMBIGUOUS, DRAUGHTS_LAW_SHORT_NOTATION);
    for (size_t i = 0; i < n && i < RULES_EXAMPLES_MAX; i++)
        rules_add_example(why, candidates[i]);
    return false;
}

/* Tries the exact notation first, then the short form of start and end alone (T30). Anything else
 * is refused for its first impossible jump, or else for taking too few. */
static bool read_capture(const struct draughts *d, const struct written *written, rules_move *move,
                         struct rules_refusal *why)
{
    unsigned from = written->square[0], to = written->square[1];
    struct draughts_taker taker = draughts_taker(d, from);
    bool made = jump_along(d, &taker, written, why), alike = true, is_short = written->length == 2;
    unsigned taken = made ? taker.jumps : 0, longest;
    rules_move candidates[RULES_EXAMPLES_MAX] = {{{0, 0}}};
    size_t n = 0;

    if (!made && !is_short)
        return false;
    longest = draughts_longest(d, taken);
    if (made && taken == longest) {
        *move = draughts_capture(&taker);
        return true;
    }
    if (is_short)
        n = draughts_captures(d, from, to, longest, candidates, RULES_EXAMPLES_MAX, &alike);
    if (!alike)
        return refuse_ambiguous(why, candidates, n);
    if (n > 0) {
        *move = candidates[0];
        return true;
    }
    if (!made)
        taken = draughts_longest_to(d, from, to);
    return taken > 0 ? refuse_too_few(why, d, taken) : false;
}

bool draughts_read_move(const struct draughts *d, const char *text, rules_move *move,
                        struct rules_refusal *why)
{
    struct written written;
    unsigned from;

    if (!draughts_can_move(d))
        return refuse_game_over(why, d);
    if (!read_text(d, text, &written, why))
        return false;
    from = written.square[0];
    if (!(draughts_occupied(d) & draughts_bit(from)))
        return refuse_square(why, RULES_EMPTY_SQUARE, DRAUGHTS_LAW_TURNS, d, RULES_ROLE_FROM, from);
    if (!(d->side[d->turn] & draughts_bit(from)))
        return refuse_square(why, RULES_NOT_YOUR_PIECE, DRAUGHTS_LAW_TURNS, d, RULES_ROLE_FROM,
                             from);
    return written.capture ? read_capture(d, &written, move, why)
                           : read_quiet(d, &written, move, why);
}
