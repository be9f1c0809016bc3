/*
 * mill.c - Nine Men's Morris: three men in a line take one of the other side.
 *
 * The board has 7 by 7 squares, of which those that are on no line are missing. Each line has three
 * squares; a square touches the next one of each of its lines. Sets of squares are bits in the
 * order of the squares: bit 0 is a7, bit 48 is g1.
 */
#include "mill.h"

#include <string.h>

#include "rules/mix.h"
#include "rules/text.h"

enum {
    WIDTH = 7,
    SQUARES = WIDTH * WIDTH,
    LINES = 16,
    MEN = 9,
    FLYING = 3,       /* men of a side that may move anywhere */
    QUIET_MAX = 100,  /* moves since a man was put or taken: then it is drawn */
    MOVE_SQUARES = 3, /* that a move names at most */
    TWO_MEN = 6103    /* an end of this game's own, with a number that it keeps */
};

static const char marks[RULES_SEATS] = {'w', 'b'};

enum law { INPUT, ON_BOARD, PUTS, MOVES, MILL, SPARED, OVER, POSITION, IMPOSSIBLE, LAWS };

static const struct rules_law laws[LAWS] = {
    [INPUT] = {"1", "mill.input", "A move is its squares, such as d6, a1a4 or a1a4xg7."},
    [ON_BOARD] = {"1", "mill.on-board", "Men stand on squares that are there."},
    [PUTS] = {"2", "mill.puts", "Men are put on empty squares, until a side has put all of them."},
    [MOVES] = {"3", "mill.moves", "A man moves along a line to the next square, if it is empty."},
    [MILL] = {"4", "mill.mill", "Who makes a mill takes a man of the other side, and nobody else."},
    [SPARED] = {"5", "mill.spared", "A man in a mill is not taken while there are others."},
    [OVER] = {"6", "mill.over", "A side with two men, or that cannot move, has lost."},
    [POSITION] = {"8", "mill.position",
                  "A position is seven rows, the side to move, the men to be put, and a count."},
    [IMPOSSIBLE] = {"8", "mill.men", "The sides put nine men each in turn, and keep two at least."},
};

/* What lies in rules_state.w. Sides are 0 and 1. */
struct position {
    uint64_t men[RULES_SEATS];
    uint64_t hand[RULES_SEATS]; /* men that are still to be put */
    uint64_t mover, quiet;
} __attribute__((may_alias));

/* A move, as its squares plus 1; 0: there is none. */
struct step {
    unsigned from, to, taken;
};

static const uint8_t line[LINES][3] = {{0, 3, 6},    {8, 10, 12},  {16, 17, 18}, {21, 22, 23},
                                       {25, 26, 27}, {30, 31, 32}, {36, 38, 40}, {42, 45, 48},
                                       {0, 21, 42},  {8, 22, 36},  {16, 23, 30}, {3, 10, 17},
                                       {31, 38, 45}, {18, 25, 32}, {12, 26, 40}, {6, 27, 48}};

static const struct position *view(const struct rules_state *state)
{
    return (const struct position *)state->w;
}

static uint64_t bit(unsigned square)
{
    return 1ULL << square;
}

static uint64_t bits_of(unsigned i)
{
    return bit(line[i][0]) | bit(line[i][1]) | bit(line[i][2]);
}

static uint64_t there(void)
{
    uint64_t squares = 0;

    for (unsigned i = 0; i < LINES; i++)
        squares |= bits_of(i);
    return squares;
}

static uint64_t empty(const struct position *p)
{
    return there() & ~(p->men[0] | p->men[1]);
}

static unsigned size_of(uint64_t squares)
{
    return (unsigned)__builtin_popcountll(squares);
}

/* Takes the first square out of a set that has one. */
static unsigned take_first(uint64_t *squares)
{
    unsigned square = (unsigned)__builtin_ctzll(*squares);

    *squares &= *squares - 1;
    return square;
}

/* ---- what may be played ---- */

static uint64_t neighbours(unsigned square)
{
    uint64_t squares = 0;

    for (unsigned i = 0; i < LINES; i++) {
        if (line[i][1] == square)
            squares |= bit(line[i][0]) | bit(line[i][2]);
        else if (bits_of(i) & bit(square))
            squares |= bit(line[i][1]);
    }
    return squares;
}

/* Those of a set that stand in lines of three. */
static uint64_t in_mills(uint64_t men)
{
    uint64_t found = 0;

    for (unsigned i = 0; i < LINES; i++)
        if ((men & bits_of(i)) == bits_of(i))
            found |= bits_of(i);
    return found;
}

static unsigned total(const struct position *p, uint64_t side)
{
    return size_of(p->men[side]) + (unsigned)p->hand[side];
}

static bool has_to_put(const struct position *p)
{
    return p->hand[p->mover] > 0;
}

/* Where a man of the side to move may go. */
static uint64_t targets(const struct position *p, unsigned from)
{
    return empty(p) & (total(p, p->mover) == FLYING ? UINT64_MAX : neighbours(from));
}

/* The men that one may take who has moved so. */
static uint64_t takes(const struct position *p, struct step step)
{
    uint64_t own = p->men[p->mover], other = p->men[!p->mover], open = other & ~in_mills(other);

    if (step.from > 0)
        own &= ~bit(step.from - 1);
    if (!(in_mills(own | bit(step.to - 1)) & bit(step.to - 1)))
        return 0;
    return open != 0 ? open : other;
}

struct list {
    rules_move *moves;
    size_t n, cap;
};

static rules_move pack(struct step step)
{
    return (rules_move){{step.to | step.from << 8 | step.taken << 16, 0}};
}

static struct step unpack(rules_move move)
{
    return (struct step){move.w[0] >> 8 & 0xff, move.w[0] & 0xff, move.w[0] >> 16 & 0xff};
}

static void add(struct list *list, struct step step)
{
    if (list->n++ < list->cap)
        list->moves[list->n - 1] = pack(step);
}

static void add_all(struct list *list, const struct position *p, unsigned from, uint64_t to)
{
    while (to != 0) {
        struct step step = {from, take_first(&to) + 1, 0};
        uint64_t taken = takes(p, step);

        if (taken == 0)
            add(list, step);
        while (taken != 0) {
            step.taken = take_first(&taken) + 1;
            add(list, step);
        }
    }
}

static size_t legal(const struct rules_state *state, rules_move *moves, size_t cap)
{
    const struct position *p = view(state);
    struct list list = {moves, 0, cap};
    uint64_t men = p->men[p->mover];

    if (total(p, p->mover) < FLYING)
        return 0;
    if (has_to_put(p))
        add_all(&list, p, 0, empty(p));
    while (!has_to_put(p) && men != 0) {
        unsigned from = take_first(&men);

        add_all(&list, p, from + 1, targets(p, from));
    }
    return list.n;
}

static size_t count(const struct rules_state *state)
{
    return legal(state, NULL, 0);
}

static void play(const struct rules_state *state, rules_move move, struct rules_state *next)
{
    struct position *p = (struct position *)next->w;
    struct step step = unpack(move);

    rules_copy(state, next);
    p->quiet = step.from == 0 || step.taken > 0 ? 0 : p->quiet + 1;
    p->men[p->mover] |= bit(step.to - 1);
    if (step.from > 0)
        p->men[p->mover] &= ~bit(step.from - 1);
    else
        p->hand[p->mover]--;
    if (step.taken > 0)
        p->men[!p->mover] &= ~bit(step.taken - 1);
    p->mover = !p->mover;
}

/* ---- how it ends ---- */

static unsigned to_move(const struct rules_state *state)
{
    return (unsigned)view(state)->mover + 1;
}

static uint64_t key(const struct rules_state *state)
{
    const struct position *p = view(state);
    uint64_t rest = p->mover | p->hand[0] << 8 | p->hand[1] << 16;

    return mix(mix(mix(rest) ^ p->men[0]) ^ p->men[1]) & ~1ULL;
}

static size_t span(const struct rules_state *state)
{
    return (size_t)view(state)->quiet;
}

static struct rules_outcome outcome(const struct rules_state *state,
                                    const struct rules_history *history)
{
    const struct position *p = view(state);
    enum rules_reason reason = total(p, p->mover) < FLYING ? (enum rules_reason)TWO_MEN
                               : count(state) == 0         ? RULES_REASON_BLOCKED
                                                           : RULES_REASON_NONE;

    if (reason != RULES_REASON_NONE)
        return (struct rules_outcome){RULES_WON, (uint8_t)rules_other(to_move(state)), reason};
    if (p->quiet >= QUIET_MAX)
        return (struct rules_outcome){RULES_DRAWN, 0, RULES_REASON_NO_PROGRESS};
    if (rules_occurrences(history, key(state)) >= 2)
        return (struct rules_outcome){RULES_DRAWN, 0, RULES_REASON_REPETITION};
    return (struct rules_outcome){RULES_ONGOING, 0, RULES_REASON_NONE};
}

/* ---- the board ---- */

static struct rules_board board(const struct rules_state *state)
{
    (void)state;
    return (struct rules_board){WIDTH, WIDTH, RULES_LETTER_DIGIT};
}

static bool missing(const struct rules_state *state, unsigned square)
{
    (void)state;
    return !(there() & bit(square));
}

static struct rules_man man_on(const struct position *p, unsigned square)
{
    return (struct rules_man){p->men[0] & bit(square) ? 1 : p->men[1] & bit(square) ? 2 : 0, 0};
}

static size_t at(const struct rules_state *state, unsigned square, struct rules_man *men,
                 size_t cap)
{
    struct rules_man man = man_on(view(state), square);

    if (man.seat != 0 && cap > 0)
        men[0] = man;
    return man.seat != 0;
}

static unsigned symmetries(const struct rules_state *state)
{
    (void)state;
    return RULES_MIRRORED | RULES_FLIPPED | RULES_TRANSPOSED;
}

static void turn(const struct rules_state *state, unsigned symmetry, struct rules_state *image)
{
    struct position *p = (struct position *)image->w;

    rules_copy(state, image);
    for (int side = 0; side < RULES_SEATS; side++)
        p->men[side] = rules_turned_set(board(state), symmetry, view(state)->men[side]);
}

/* ---- positions as texts ---- */

static bool is_end_of_row(unsigned square)
{
    return (there() & (bit(square / WIDTH * WIDTH + WIDTH) - bit(square))) == bit(square);
}

static bool take_sign(const char **at, char sign)
{
    bool is_there = **at == sign;

    *at += is_there;
    return is_there;
}

static bool read_board(const char **at, struct position *p)
{
    for (uint64_t squares = there(); squares != 0;) {
        unsigned square = take_first(&squares);

        if (take_sign(at, marks[0]))
            p->men[0] |= bit(square);
        else if (take_sign(at, marks[1]))
            p->men[1] |= bit(square);
        else if (!take_sign(at, '.'))
            return false;
        if (is_end_of_row(square) && !take_sign(at, squares != 0 ? '/' : ' '))
            return false;
    }
    return true;
}

static bool read_number(const char **at, uint32_t most, uint64_t *number)
{
    uint32_t read;

    if (!take_sign(at, ' ') || !text_read_number(at, most, &read))
        return false;
    *number = read;
    return true;
}

static bool read_position(const char **at, struct position *p)
{
    if (!read_board(at, p))
        return false;
    p->mover = take_sign(at, marks[1]);
    return (p->mover == 1 || take_sign(at, marks[0])) && read_number(at, MEN, &p->hand[0]) &&
           read_number(at, MEN, &p->hand[1]) && read_number(at, QUIET_MAX, &p->quiet) &&
           **at == '\0';
}

/* Whether play can lead here, as far as the numbers of men tell. */
static bool is_possible(const struct position *p)
{
    bool later = p->mover == 1 && p->hand[1] > 0; /* white has put one more */

    return total(p, 0) <= MEN && total(p, 1) <= MEN && total(p, p->mover) >= FLYING - 1 &&
           total(p, !p->mover) >= FLYING && p->hand[0] + later == p->hand[1] &&
           (p->hand[1] == 0 || p->quiet == 0);
}

static bool start(struct rules_options *options, struct rules_state *state,
                  struct rules_refusal *why)
{
    static const char first[] = ".../.../.../....../.../.../... w 9 9 0";
    const char *text = options->position != NULL ? options->position : first, *at = text;
    struct position *p = (struct position *)state->w;

    memset(p, 0, sizeof(*p));
    state->bytes = sizeof(*p);
    if (read_position(&at, p))
        return is_possible(p) || rules_refuse_position(why, &laws[IMPOSSIBLE]);
    rules_refuse(why, RULES_BAD_POSITION, &laws[POSITION]);
    why->at = (int32_t)(at - text);
    return false;
}

static void position_text(const struct rules_state *state, char *text)
{
    const struct position *p = view(state);
    struct text out = text_open(text, RULES_POSITION_TEXT);

    for (uint64_t squares = there(); squares != 0;) {
        unsigned square = take_first(&squares), seat = man_on(p, square).seat;

        text_char(&out, seat == 0 ? '.' : marks[seat - 1]);
        if (is_end_of_row(square))
            text_char(&out, squares != 0 ? '/' : ' ');
    }
    text_char(&out, marks[p->mover]);
    for (int i = 0; i < 3; i++) {
        text_char(&out, ' ');
        text_number(&out, i < 2 ? p->hand[i] : p->quiet);
    }
}

/* ---- moves as texts ---- */

static void put_square(struct text *out, unsigned square)
{
    char name[RULES_SQUARE_TEXT];

    rules_square_text(board(NULL), square, name);
    text_string(out, name);
}

static void move_text(const struct rules_state *state, rules_move move, char *text)
{
    struct step step = unpack(move);
    struct text out = text_open(text, RULES_MOVE_TEXT);

    (void)state;
    if (step.from > 0)
        put_square(&out, step.from - 1);
    put_square(&out, step.to - 1);
    if (step.taken == 0)
        return;
    text_char(&out, 'x');
    put_square(&out, step.taken - 1);
}

static size_t path(const struct rules_state *state, rules_move move,
                   char click[][RULES_SQUARE_TEXT])
{
    struct step step = unpack(move);
    unsigned squares[MOVE_SQUARES] = {step.from, step.to, step.taken};
    size_t n = 0;

    for (int i = 0; i < MOVE_SQUARES; i++)
        if (squares[i] > 0)
            rules_square_text(board(state), squares[i] - 1, click[n++]);
    return n;
}

/* Reads up to three squares, and returns how many; 0: it is no such text. */
static size_t read_squares(const char *text, unsigned square[MOVE_SQUARES])
{
    size_t n = 0;

    while (*text != '\0') {
        size_t len = n == MOVE_SQUARES ? 0 : rules_square_read(board(NULL), text, &square[n]);

        if (len == 0)
            return 0;
        n++;
        text += len;
        text += (*text == 'x' || *text == '-') && text[1] != '\0';
    }
    return n;
}

static bool refuse_at(const struct position *p, struct rules_refusal *why, enum rules_code code,
                      enum law law, enum rules_role role, unsigned square)
{
    rules_refuse(why, code, &laws[law]);
    rules_add_witness(why, role, square, man_on(p, square));
    return false;
}

static bool judge_way(const struct position *p, struct step step, struct rules_refusal *why)
{
    unsigned from = step.from - 1, to = step.to - 1;

    if (step.from > 0 && man_on(p, from).seat == 0)
        return refuse_at(p, why, RULES_EMPTY_SQUARE, MOVES, RULES_ROLE_FROM, from);
    if (step.from > 0 && man_on(p, from).seat != p->mover + 1)
        return refuse_at(p, why, RULES_NOT_YOUR_PIECE, MOVES, RULES_ROLE_FROM, from);
    if (man_on(p, to).seat != 0)
        return refuse_at(p, why, RULES_OCCUPIED, step.from > 0 ? MOVES : PUTS, RULES_ROLE_TO, to);
    if (step.from > 0 && !(targets(p, from) & bit(to)))
        return refuse_at(p, why, RULES_WRONG_SHAPE, MOVES, RULES_ROLE_FROM, from);
    return true;
}

/* With the moves that take one. */
static bool refuse_to_spare(struct step step, uint64_t may, struct rules_refusal *why)
{
    rules_refuse(why, RULES_MUST_CAPTURE, &laws[MILL]);
    while (may != 0) {
        step.taken = take_first(&may) + 1;
        rules_add_example(why, pack(step));
    }
    return false;
}

static bool judge_taking(const struct position *p, struct step step, struct rules_refusal *why)
{
    uint64_t may = takes(p, step);

    if (step.taken > 0 ? (may & bit(step.taken - 1)) != 0 : may == 0)
        return true;
    if (step.taken == 0)
        return refuse_to_spare(step, may, why);
    return refuse_at(p, why, RULES_NOT_ALLOWED,
                     may != 0 && man_on(p, step.taken - 1).seat == 2 - p->mover ? SPARED : MILL,
                     RULES_ROLE_CAPTURED, step.taken - 1);
}

static bool read_move(const struct rules_state *state, const char *text, rules_move *move,
                      struct rules_refusal *why)
{
    const struct position *p = view(state);
    unsigned square[MOVE_SQUARES] = {0};
    size_t n = read_squares(text, square), first = has_to_put(p) ? 0 : 1;
    struct step step = {first > 0 ? square[0] + 1 : 0, square[first] + 1,
                        n > first + 1 ? square[first + 1] + 1 : 0};

    if (count(state) == 0)
        return rules_refuse(why, RULES_GAME_OVER, &laws[OVER]);
    if (n < first + 1 || n > first + 2)
        return rules_refuse(why, RULES_BAD_MOVE_TEXT, &laws[INPUT]);
    for (size_t i = 0; i < n; i++)
        if (missing(state, square[i]))
            return rules_refuse(why, RULES_OUT_OF_BOARD, &laws[ON_BOARD]);
    *move = pack(step);
    return judge_way(p, step, why) && judge_taking(p, step, why);
}

static size_t effects(const struct rules_state *state, rules_move move, struct rules_effect *effect)
{
    struct step step = unpack(move);
    uint8_t side = (uint8_t)view(state)->mover;
    struct rules_man own = {side + 1, 0}, other = {2 - side, 0};
    uint16_t to = (uint16_t)(step.to - 1);

    effect[0] = step.from > 0 ? (struct rules_effect){RULES_EFFECT_MOVE, (uint16_t)(step.from - 1),
                                                      to, 1, own}
                              : (struct rules_effect){RULES_EFFECT_PLACE, 0, to, 1, own};
    effect[1] =
        (struct rules_effect){RULES_EFFECT_CAPTURE, 0, (uint16_t)(step.taken - 1), 1, other};
    return step.taken > 0 ? 2 : 1;
}

/* ---- the table ---- */

static const struct rules_piece pieces[] = {
    {"man",
     {"w", "b"},
     {"○", "●"},
     {"W", "B"},
     "Moves to the next square of a line; of three men, to any square.",
     -1,
     -1},
};

const struct rules_game mill = {
    .name = "mill",
    .title = "Nine Men's Morris",
    .doc = "Three men in a line, a mill, take a man of the other side.",
    .version = 1,
    .seat = {{"white", "w"}, {"black", "b"}},
    .pieces = pieces,
    .npieces = 1,
    .laws = laws,
    .nlaws = LAWS,
    .reasons = (const enum rules_reason[]){(enum rules_reason)TWO_MEN, RULES_REASON_BLOCKED,
                                           RULES_REASON_REPETITION, RULES_REASON_NO_PROGRESS},
    .nreasons = 4,
    .ends =
        (const struct rules_own[]){{TWO_MEN, "two_men", "A side has two men left.", false}, {0}},
    .move = {"^(?:[a-g][1-7])?[a-g][1-7](?:x[a-g][1-7])?$",
             "The square on which a man is put, or those from and to which one moves; behind an x "
             "the man that a mill takes.",
             (const char *const[]){"d6", "a1a4", "a1a4xg7", NULL}},
    .position = {"^[.wb]{3}/[.wb]{3}/[.wb]{3}/[.wb]{6}/[.wb]{3}/[.wb]{3}/[.wb]{3} [wb] [0-9] [0-9] "
                 "(?:[0-9]|[1-9][0-9]|100)$",
                 "The rows from the top joined by /, with w, b and . for the squares that are "
                 "there; the side to move, the men that each has to put, and the moves since one "
                 "was put or taken.",
                 (const char *const[]){".../.../.../....../.../.../... w 9 9 0", NULL}},
    .exports = (const char *const[]){NULL},
    .features = (const char *const[]){"place", NULL},
    .drawing = {.empty = "·", .empty_ascii = ".", .ink = {34, 31}},
    .art = &mill_art,
    .start = start,
    .position_text = position_text,
    .to_move = to_move,
    .legal = legal,
    .count = count,
    .play = play,
    .outcome = outcome,
    .key = key,
    .symmetries = symmetries,
    .turn = turn,
    .span = span,
    .move_text = move_text,
    .read_move = read_move,
    .path = path,
    .effects = effects,
    .board = board,
    .missing = missing,
    .at = at,
};
