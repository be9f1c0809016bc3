/*
 * tictactoe.c - m,n,k games: a side puts one stone a turn, and k in a line win. With three rows,
 * three columns and k = 3 that is tic-tac-toe. It is the smallest game here, to learn from.
 *
 * The board is two sets of squares, one for each side, as bits in the order of the squares. A stone
 * is judged once, when it is put down, and only by the four lines through it. The position keeps
 * the answer and the number of empty squares; those two decide how the game stands.
 */
#include "rules/rules.h"

#include <string.h>

#include "rules/draw/art.h"
#include "rules/mix.h"
#include "rules/text.h"
#include "rules/tictactoe/board.h"

static const char marks[RULES_SEATS] = {'x', 'o'};

/* The rules that a refusal may name: LAW(name, number, id, text). */
#define LAWS                                                                                       \
    LAW(SIZE, "1", "size", "A board has 1 to 26 rows and 1 to 26 columns.")                        \
    LAW(LENGTH, "1", "k", "k is at least 1 and at most the length of the longer side.")            \
    LAW(INPUT, "3", "input", "A move is a square, b2, or its row and column from the top, 2 3.")   \
    LAW(ON_BOARD, "5", "on-board", "A stone is put on a square of the board.")                     \
    LAW(ON_EMPTY, "5", "on-empty", "A stone is put on an empty square.")                           \
    LAW(OVER, "8", "over", "After a line or on a full board nobody moves.")                        \
    LAW(POSITION, "9", "position", "A position is its rows, the side to move and k: xo1/3/3 x 3.") \
    LAW(RAGGED, "9", "ragged", "All rows have the same length.")                                   \
    LAW(STONES, "9", "stones", "x has as many stones as o, and one more when o is to move.")       \
    LAW(LINE_TO_MOVE, "9", "line-to-move", "The side to move owns no line yet.")                   \
    LAW(CONTRADICTION, "9", "contradiction", "A given position brings its own size and k.")

enum law {
#define LAW(name, number, id, text) name,
    LAWS
#undef LAW
};

static const struct rules_law laws[] = {
#define LAW(name, number, id, text) {number, "tictactoe." id, text},
    LAWS
#undef LAW
};

enum option { ROWS, COLS, K, OPTIONS };

static const struct rules_option option_table[OPTIONS] = {
    [ROWS] = {.name = "rows",
              .kind = RULES_OPTION_INT,
              .min = 1,
              .max = SIDE_MAX,
              .fallback = 3,
              .doc = "How many rows there are."},
    [COLS] = {.name = "cols",
              .title = "Columns",
              .kind = RULES_OPTION_INT,
              .min = 1,
              .max = SIDE_MAX,
              .fallback = 3,
              .doc = "How many columns there are."},
    [K] = {.name = "k",
           .title = "Stones in a line",
           .kind = RULES_OPTION_INT,
           .min = 1,
           .max = SIDE_MAX,
           .fallback = 3,
           .doc = "How many stones in a line win; at most the length of the longer side."},
};

static struct position *edit(struct rules_state *state)
{
    return (struct position *)state->w;
}

/* ---- stones and lines ---- */

static bool has_stone(const struct position *p, uint64_t side, size_t square)
{
    return p->stones[square / 64][side] >> square % 64 & 1;
}

static void put_stone(struct position *p, uint64_t side, size_t square)
{
    p->stones[square / 64][side] |= 1ULL << square % 64;
}

static size_t word_count(const struct position *p)
{
    return (size_t)(p->rows * p->cols + 63) / 64;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* How many of the next `room` squares hold stones of the side without a gap. A step back is a
 * negative number: as an unsigned one it wraps round and still adds up to the right square. */
static size_t run(const struct position *p, uint64_t side, size_t square, size_t step, size_t room)
{
    size_t n = 0;

    while (n < room && has_stone(p, side, square += step))
        n++;
    return n;
}

/* Whether a stone on the square would be part of a line of k or more along one direction. The board
 * has `before` squares on one side of it and `after` on the other, which also keeps a run from
 * going on in the next row. */
static bool line_along(const struct position *p, uint64_t side, size_t square, size_t step,
                       size_t before, size_t after)
{
    return before + 1 + after >= p->k &&
           run(p, side, square, -step, before) + 1 + run(p, side, square, step, after) >= p->k;
}

/* A direction, and how many squares the board has on both sides of a square. */
struct reach {
    size_t step, before, after;
};

enum { DIRECTIONS = 4 };

static inline void reach_of(const struct position *p, size_t square, struct reach reach[DIRECTIONS])
{
    size_t up = square / p->cols, down = p->rows - 1 - up;
    size_t left = square % p->cols, right = p->cols - 1 - left;

    reach[0] = (struct reach){1, left, right};
    reach[1] = (struct reach){p->cols, up, down};
    reach[2] = (struct reach){p->cols + 1, least(up, left), least(down, right)};
    reach[3] = (struct reach){p->cols - 1, least(up, right), least(down, left)};
}

/* Rule 6: the same for all four directions. The stone itself is not looked at, so that play() can
 * ask before it is there, and owns_line() afterwards. */
static bool in_line(const struct position *p, uint64_t side, size_t square)
{
    struct reach reach[DIRECTIONS];

    reach_of(p, square, reach);
    for (int i = 0; i < DIRECTIONS; i++)
        if (line_along(p, side, square, reach[i].step, reach[i].before, reach[i].after))
            return true;
    return false;
}

static bool owns_line(const struct position *p, uint64_t side)
{
    for (size_t square = 0; square < p->rows * p->cols; square++)
        if (has_stone(p, side, square) && in_line(p, side, square))
            return true;
    return false;
}

/* ---- starting ---- */

static bool refuse_option(struct rules_refusal *why, enum law law, enum option option,
                          int32_t yours, int32_t required)
{
    rules_refuse(why, RULES_BAD_OPTION, &laws[law]);
    why->option = option_table[option].name;
    why->yours = yours;
    why->required = required;
    return false;
}

static bool resolve(struct rules_options *options, struct rules_refusal *why)
{
    int32_t *value = options->value, longest;

    for (enum option i = 0; i < OPTIONS; i++)
        if (value[i] == RULES_NOT_GIVEN)
            value[i] = option_table[i].fallback;
    longest = value[ROWS] > value[COLS] ? value[ROWS] : value[COLS];
    /* With a position, k is judged by its size: start() does that. */
    if (options->position == NULL && value[K] > longest)
        return refuse_option(why, LENGTH, K, value[K], longest);
    return true;
}

/* Rule 9: the side that a mark stands for, * and # included, or RULES_SEATS. */
static uint64_t side_of_mark(char mark)
{
    return mark == 'x' || mark == '*' ? 0 : mark == 'o' || mark == '#' ? 1 : RULES_SEATS;
}

/* The next three functions read a part of a position each. They return the law that it breaks, or
 * NULL, and leave *at where they stopped. The first row says how many columns there are. */
static const struct rules_law *read_row(const char **at, struct position *p, size_t first)
{
    size_t cols = 0;

    while (**at != '0') {
        uint64_t side = side_of_mark(**at);
        uint32_t squares = 1;

        if (side < RULES_SEATS) {
            put_stone(p, side, first + cols);
            ++*at;
        } else if (!text_read_number(at, UINT32_MAX, &squares)) {
            break;
        }
        if (squares > SIDE_MAX - cols)
            return &laws[SIZE];
        cols += squares;
    }
    if (cols == 0 || (**at != '/' && **at != ' '))
        return &laws[POSITION];
    if (p->rows++ == 0)
        p->cols = cols;
    return cols == p->cols ? NULL : &laws[RAGGED];
}

static const struct rules_law *read_board(const char **at, struct position *p)
{
    const struct rules_law *broken = read_row(at, p, 0);

    while (broken == NULL && **at == '/') {
        if (p->rows == SIDE_MAX)
            return &laws[SIZE];
        ++*at;
        broken = read_row(at, p, p->rows * p->cols);
    }
    return broken;
}

static const struct rules_law *read_mover_and_k(const char **at, struct position *p)
{
    uint32_t k;

    p->mover = side_of_mark(*++*at);
    if (p->mover == RULES_SEATS || *++*at != ' ')
        return &laws[POSITION];
    ++*at;
    if (!text_read_number(at, UINT32_MAX, &k) || **at != '\0')
        return &laws[POSITION];
    p->k = k;
    return k > 0 && (k <= p->rows || k <= p->cols) ? NULL : &laws[LENGTH];
}

static uint64_t stone_count(const struct position *p, uint64_t side)
{
    uint64_t n = 0;

    for (size_t i = 0; i < word_count(p); i++)
        n += (uint64_t)__builtin_popcountll(p->stones[i][side]);
    return n;
}

static bool read_position(const char *text, struct position *p, struct rules_refusal *why)
{
    const char *at = text;
    const struct rules_law *broken = read_board(&at, p);

    if (broken == NULL)
        broken = read_mover_and_k(&at, p);
    if (broken != NULL) {
        rules_refuse(why, RULES_BAD_POSITION, broken);
        why->at = (int32_t)(at - text);
        return false;
    }
    p->empty = p->rows * p->cols - stone_count(p, 0) - stone_count(p, 1);
    p->line = owns_line(p, !p->mover);
    return true;
}

/* Rule 9: whether play can lead to the position. */
static bool judge_position(const struct position *p, struct rules_refusal *why)
{
    if (stone_count(p, 0) != stone_count(p, 1) + p->mover)
        return rules_refuse_position(why, &laws[STONES]);
    if (owns_line(p, p->mover))
        return rules_refuse_position(why, &laws[LINE_TO_MOVE]);
    return true;
}

/* The position decides the options; one that was given may only say the same. */
static bool settle_options(struct rules_options *options, const struct position *p,
                           struct rules_refusal *why)
{
    const int32_t said[OPTIONS] = {(int32_t)p->rows, (int32_t)p->cols, (int32_t)p->k};

    for (enum option i = 0; i < OPTIONS; i++) {
        if ((options->given & 1U << i) && options->value[i] != said[i])
            return refuse_option(why, CONTRADICTION, i, options->value[i], said[i]);
        options->value[i] = said[i];
    }
    return true;
}

static bool start(struct rules_options *options, struct rules_state *state,
                  struct rules_refusal *why)
{
    struct position *p = edit(state);

    memset(p, 0, sizeof(*p));
    if (options->position == NULL) {
        p->rows = (uint64_t)options->value[ROWS];
        p->cols = (uint64_t)options->value[COLS];
        p->k = (uint64_t)options->value[K];
        p->empty = p->rows * p->cols;
    } else if (!read_position(options->position, p, why) || !settle_options(options, p, why)) {
        return false;
    }
    state->bytes =
        (uint32_t)(offsetof(struct position, stones) + word_count(p) * sizeof(p->stones[0]));
    return judge_position(p, why);
}

static struct rules_board board(const struct rules_state *state)
{
    const struct position *p = tictactoe_view(state);

    return (struct rules_board){(uint8_t)p->cols, (uint8_t)p->rows, RULES_LETTER_DIGIT};
}

/* ---- playing ---- */

static unsigned to_move(const struct rules_state *state)
{
    return (unsigned)tictactoe_view(state)->mover + 1;
}

static size_t count(const struct rules_state *state)
{
    return tictactoe_view(state)->line ? 0 : tictactoe_view(state)->empty;
}

static size_t legal(const struct rules_state *state, rules_move *moves, size_t cap)
{
    const struct position *p = tictactoe_view(state);
    size_t total = count(state), n = 0;

    /* The bits behind the last square look empty, too. They come last, and `total` keeps them out.
     */
    cap = least(cap, total);
    for (size_t i = 0; n < cap; i++)
        for (uint64_t empty = ~(p->stones[i][0] | p->stones[i][1]); empty != 0 && n < cap;
             empty &= empty - 1)
            moves[n++] = tictactoe_move(i * 64 + (size_t)__builtin_ctzll(empty));
    return total;
}

static void play(const struct rules_state *state, rules_move move, struct rules_state *next)
{
    const struct position *before = tictactoe_view(state);
    struct position *after = edit(next);

    next->bytes = state->bytes;
    memcpy(next->w, state->w, state->bytes);
    put_stone(after, before->mover, tictactoe_square(move));
    after->empty = before->empty - 1;
    after->line = in_line(before, before->mover, tictactoe_square(move));
    after->mover = !before->mover;
}

/* Rule 6 comes before rule 7: the last stone on the board wins if it completes a line. */
static struct rules_outcome outcome(const struct rules_state *state,
                                    const struct rules_history *history)
{
    const struct position *p = tictactoe_view(state);

    (void)history;
    if (p->line)
        return (struct rules_outcome){RULES_WON, (uint8_t)rules_other((unsigned)p->mover + 1),
                                      RULES_REASON_LINE};
    if (p->empty == 0)
        return (struct rules_outcome){RULES_DRAWN, 0, RULES_REASON_FULL};
    return (struct rules_outcome){RULES_ONGOING, 0, RULES_REASON_NONE};
}

/* A hash of the stones alone, since their number says whose turn it is. */
static uint64_t key(const struct rules_state *state)
{
    const struct position *p = tictactoe_view(state);
    uint64_t hash = 0;

    for (size_t i = 0; i < word_count(p); i++)
        for (size_t side = 0; side < RULES_SEATS; side++)
            hash = mix(hash ^ p->stones[i][side]);
    return hash & ~1ULL;
}

/* Every turn of the board keeps its lines. Only a square one can be transposed. */
static unsigned symmetries(const struct rules_state *state)
{
    const struct position *p = tictactoe_view(state);

    return RULES_MIRRORED | RULES_FLIPPED | (p->rows == p->cols ? RULES_TRANSPOSED : 0U);
}

static void turn(const struct rules_state *state, unsigned symmetry, struct rules_state *image)
{
    const struct position *before = tictactoe_view(state);
    struct position *after = edit(image);

    rules_copy(state, image);
    memset(after->stones, 0, word_count(before) * sizeof(after->stones[0]));
    for (unsigned square = 0; square < before->rows * before->cols; square++)
        for (uint64_t side = 0; side < RULES_SEATS; side++)
            if (has_stone(before, side, square))
                put_stone(after, side, rules_turned(board(state), symmetry, square));
}

/* Every move adds a stone, so no position recurs. */
static size_t span(const struct rules_state *state)
{
    (void)state;
    return 0;
}

/* ---- showing ---- */

/* A line is listed at its first stone. */
static size_t lines(const struct rules_state *state, struct rules_line *line, size_t cap)
{
    const struct position *p = tictactoe_view(state);
    struct reach reach[DIRECTIONS];
    size_t n = 0;

    for (size_t square = 0; p->line && square < p->rows * p->cols; square++) {
        reach_of(p, square, reach);
        for (int i = 0; i < DIRECTIONS && has_stone(p, !p->mover, square); i++) {
            size_t more = run(p, !p->mover, square, reach[i].step, reach[i].after);

            if (more + 1 < p->k || run(p, !p->mover, square, -reach[i].step, reach[i].before) > 0)
                continue;
            if (n < cap)
                line[n] = (struct rules_line){(uint16_t)square,
                                              (uint16_t)(square + more * reach[i].step)};
            n++;
        }
    }
    return n;
}

/* The man on a square; seat 0 where it is empty. */
static struct rules_man man_on(const struct position *p, size_t square)
{
    return (struct rules_man){has_stone(p, 0, square) ? 1 : has_stone(p, 1, square) ? 2 : 0, 0};
}

static size_t at(const struct rules_state *state, unsigned square, struct rules_man *men,
                 size_t cap)
{
    struct rules_man man = man_on(tictactoe_view(state), square);

    if (man.seat == 0)
        return 0;
    if (cap > 0)
        men[0] = man;
    return 1;
}

static void write_run(struct text *out, size_t *empty)
{
    if (*empty > 0)
        text_number(out, *empty);
    *empty = 0;
}

static void position_text(const struct rules_state *state, char *text)
{
    const struct position *p = tictactoe_view(state);
    struct text out = text_open(text, RULES_POSITION_TEXT);
    size_t empty = 0; /* squares that are counted but not written yet */

    for (size_t square = 0; square < p->rows * p->cols; square++) {
        uint8_t seat = man_on(p, square).seat;

        if (square > 0 && square % p->cols == 0) {
            write_run(&out, &empty);
            text_char(&out, '/');
        }
        if (seat == 0) {
            empty++;
        } else {
            write_run(&out, &empty);
            text_char(&out, marks[seat - 1]);
        }
    }
    write_run(&out, &empty);
    text_char(&out, ' ');
    text_char(&out, marks[p->mover]);
    text_char(&out, ' ');
    text_number(&out, p->k);
}

static void move_text(const struct rules_state *state, rules_move move, char *text)
{
    rules_square_text(board(state), (unsigned)tictactoe_square(move), text);
}

static size_t path(const struct rules_state *state, rules_move move,
                   char click[][RULES_SQUARE_TEXT])
{
    move_text(state, move, click[0]);
    return 1;
}

static size_t effects(const struct rules_state *state, rules_move move, struct rules_effect *effect)
{
    effect[0] = (struct rules_effect){.type = RULES_EFFECT_PLACE,
                                      .to = (uint16_t)tictactoe_square(move),
                                      .count = 1,
                                      .man = {(uint8_t)to_move(state), 0}};
    return 1;
}

/* ---- reading moves ---- */

/* Rule 3 knows two forms. Both are read to a row and a column, from 0 at the top left. Below 0
 * these unsigned numbers wrap round, so whatever is off the board on any side is too large. */
static bool read_name(const char **at, const struct position *p, uint32_t *row, uint32_t *col)
{
    uint32_t rank;

    if (**at < 'a' || **at > 'z')
        return false;
    *col = (uint32_t)(**at - 'a');
    ++*at;
    if (!text_read_number(at, UINT32_MAX, &rank))
        return false;
    *row = (uint32_t)p->rows - rank;
    return true;
}

static bool read_row_and_column(const char **at, uint32_t *row, uint32_t *col)
{
    const char *behind;

    if (!text_read_number(at, UINT32_MAX, row))
        return false;
    behind = *at;
    *at = text_skip_blanks(behind);
    if (**at == ',')
        *at = text_skip_blanks(*at + 1);
    if (*at == behind || !text_read_number(at, UINT32_MAX, col))
        return false;
    --*row;
    --*col;
    return true;
}

static bool refuse_text(struct rules_refusal *why, ptrdiff_t at)
{
    rules_refuse(why, RULES_BAD_MOVE_TEXT, &laws[INPUT]);
    why->at = (int32_t)at;
    return false;
}

static bool refuse_taken(struct rules_refusal *why, const struct position *p, unsigned square)
{
    rules_refuse(why, RULES_OCCUPIED, &laws[ON_EMPTY]);
    rules_add_witness(why, RULES_ROLE_TO, square, man_on(p, square));
    return false;
}

static bool read_move(const struct rules_state *state, const char *text, rules_move *move,
                      struct rules_refusal *why)
{
    const struct position *p = tictactoe_view(state);
    const char *at = text_skip_blanks(text);
    uint32_t row = 0, col = 0;
    unsigned square;

    if (count(state) == 0)
        return rules_refuse(why, RULES_GAME_OVER, &laws[OVER]);
    if (text_is_digit(*at) ? !read_row_and_column(&at, &row, &col) : !read_name(&at, p, &row, &col))
        return refuse_text(why, at - text);
    at = text_skip_blanks(at);
    if (*at != '\0')
        return refuse_text(why, at - text);
    if (row >= p->rows || col >= p->cols)
        return rules_refuse(why, RULES_OUT_OF_BOARD, &laws[ON_BOARD]);
    square = row * (unsigned)p->cols + col;
    if (man_on(p, square).seat != 0)
        return refuse_taken(why, p, square);
    *move = (rules_move){{square + 1, 0}};
    return true;
}

/* ---- the catalogue ---- */

static const struct rules_piece pieces[] = {
    {"stone", {"x", "o"}, {"×", "○"}, {"X", "O"}, "Is put on an empty square and stays.", -1, -1},
};

const struct rules_game rules_tictactoe = {
    .name = "tictactoe",
    .title = "Tic-tac-toe",
    .doc = "Two sides take turns to put a stone on a board of any size; k stones in a line win.",
    .version = 1,
    .seat = {{"x", "x"}, {"o", "o"}},
    .pieces = pieces,
    .npieces = sizeof(pieces) / sizeof(pieces[0]),
    .options = option_table,
    .noptions = OPTIONS,
    .laws = laws,
    .nlaws = sizeof(laws) / sizeof(laws[0]),
    .reasons = (const enum rules_reason[]){RULES_REASON_LINE, RULES_REASON_FULL},
    .nreasons = 2,
    .move =
        {"^[a-z](?:[1-9]|1[0-9]|2[0-6])$",
         "The square: its column as a letter from the left, its row as a number from below. The "
         "row and the column as numbers from the top left, such as 2 3 or 2,3, are read as well.",
         (const char *const[]){"b2", "a1", "s19", NULL}},
    .position = {"^[xo1-9][xo0-9]*(?:/[xo1-9][xo0-9]*){0,25} [xo] (?:[1-9]|1[0-9]|2[0-6])$",
                 "The rows from the top joined by /, with x, o and numbers of empty squares in "
                 "them; the side to move; k.",
                 (const char *const[]){"3/3/3 x 3", "xo1/1x1/3 o 3", NULL}},
    .exports = (const char *const[]){NULL},
    .features = (const char *const[]){"place", NULL},
    .drawing = {.grid = RULES_GRID_BETWEEN},
    .art = &rules_tictactoe_art,
    .resolve = resolve,
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
    .at = at,
    .lines = lines,
};
