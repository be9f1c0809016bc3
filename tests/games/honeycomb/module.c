/*
 * module.c - three in a row on a hexagon of 19 squares, for tests of boards that are no rectangles.
 *
 * The board is five rows of five hexagons, of which three are missing at each of two corners. Rows
 * are set off, so what is left is a hexagon itself. Lines run along a row, along a column, and from
 * the upper right to the lower left.
 *
 * With BREAK=direction in the environment it forgets the lines along columns.
 */
#include "rules/module.h"

#include <stdlib.h>
#include <string.h>

#include "rules/draw/art.h"
#include "rules/mix.h"
#include "rules/text.h"

enum { SIDE = 5, SQUARES = SIDE * SIDE, THERE = 19, IN_LINE = 3 };
enum { INPUT, ON_BOARD, ON_EMPTY, OVER, POSITION, LAWS };

static const struct rules_law laws[LAWS] = {
    [INPUT] = {"1", "honeycomb.input", "A move is a square, such as c3."},
    [ON_BOARD] = {"1", "honeycomb.on-board", "A stone is put on a square that is there."},
    [ON_EMPTY] = {"1", "honeycomb.on-empty", "A stone is put on an empty square."},
    [OVER] = {"2", "honeycomb.over", "After three in a row, nobody moves."},
    [POSITION] =
        {"3", "honeycomb.position",
         "A position is its 19 squares and the side to move, which has not won, and has as "
         "many stones as the other, or one less if it is blue."},
};

struct position {
    uint8_t square[SQUARES]; /* the seat whose stone lies there */
    uint8_t mover;           /* a side */
    uint8_t stones;
} __attribute__((may_alias));

static bool forgets_columns(void)
{
    const char *broken = getenv("BREAK");

    return broken != NULL && strcmp(broken, "direction") == 0;
}

static const struct position *view(const struct rules_state *state)
{
    return (const struct position *)state->w;
}

static struct rules_board board(const struct rules_state *state)
{
    (void)state;
    return (struct rules_board){SIDE, SIDE, RULES_LETTER_DIGIT};
}

static bool missing(const struct rules_state *state, unsigned square)
{
    unsigned sum = square / SIDE + square % SIDE;

    (void)state;
    return sum < 2 || sum > 6;
}

/* ---- lines ---- */

static unsigned seat_at(const struct position *p, int row, int column)
{
    return row < 0 || column < 0 || row >= SIDE || column >= SIDE ? 0
                                                                  : p->square[row * SIDE + column];
}

/* Notes the line that begins at a square and goes this way, if it is long enough. */
static size_t note_line(const struct position *p, int square, const int8_t way[2],
                        struct rules_line *lines, size_t n, size_t cap)
{
    int row = square / SIDE, column = square % SIDE, len = 0;
    unsigned seat = p->square[square];

    if (seat == 0 || seat_at(p, row - way[0], column - way[1]) == seat)
        return n;
    for (; seat_at(p, row, column) == seat; row += way[0], column += way[1])
        len++;
    if (len < IN_LINE)
        return n;
    if (n < cap)
        lines[n] = (struct rules_line){(uint16_t)square,
                                       (uint16_t)((row - way[0]) * SIDE + column - way[1])};
    return n + 1;
}

static size_t lines(const struct rules_state *state, struct rules_line *lines, size_t cap)
{
    static const int8_t ways[3][2] = {{0, 1}, {1, 0}, {1, -1}};
    size_t n = 0;

    for (int square = 0; square < SQUARES; square++)
        for (int i = 0; i < 3; i++)
            if (i != 1 || !forgets_columns())
                n = note_line(view(state), square, ways[i], lines, n, cap);
    return n;
}

/* The seat that has won, or 0. */
static unsigned winner(const struct rules_state *state)
{
    struct rules_line line;

    return lines(state, &line, 1) > 0 ? view(state)->square[line.from] : 0;
}

/* ---- positions ---- */

static bool is_sound(const struct rules_state *state)
{
    const struct position *p = view(state);
    unsigned red = 0;

    for (unsigned i = 0; i < SQUARES; i++)
        red += p->square[i] == 1;
    return red == p->stones - red + p->mover && winner(state) != p->mover + 1U;
}

static bool start(struct rules_options *options, struct rules_state *state,
                  struct rules_refusal *why)
{
    struct position *p = (struct position *)state->w;
    const char *at = options->position;

    memset(p, 0, sizeof(*p));
    state->bytes = sizeof(*p);
    if (at == NULL)
        return true;
    for (unsigned i = 0; i < SQUARES; i++) {
        if (missing(state, i))
            continue;
        if (*at != '.' && *at != 'r' && *at != 'b')
            return rules_refuse(why, RULES_BAD_POSITION, &laws[POSITION]);
        p->square[i] = *at == 'r' ? 1 : *at == 'b' ? 2 : 0;
        p->stones = (uint8_t)(p->stones + (*at++ != '.'));
    }
    if (strcmp(at, " r") != 0 && strcmp(at, " b") != 0)
        return rules_refuse(why, RULES_BAD_POSITION, &laws[POSITION]);
    p->mover = at[1] == 'b';
    return is_sound(state) || rules_refuse_position(why, &laws[POSITION]);
}

static void position_text(const struct rules_state *state, char *text)
{
    struct text out = text_open(text, RULES_POSITION_TEXT);

    for (unsigned i = 0; i < SQUARES; i++)
        if (!missing(state, i))
            text_char(&out, ".rb"[view(state)->square[i]]);
    text_string(&out, view(state)->mover == 0 ? " r" : " b");
}

/* ---- moves: a square plus 1 ---- */

static unsigned to_move(const struct rules_state *state)
{
    return view(state)->mover + 1U;
}

static size_t count(const struct rules_state *state)
{
    return winner(state) != 0 ? 0 : THERE - view(state)->stones;
}

static size_t legal(const struct rules_state *state, rules_move *moves, size_t cap)
{
    size_t n = 0, all = count(state);

    for (unsigned i = 0; all > 0 && i < SQUARES && n < cap; i++)
        if (!missing(state, i) && view(state)->square[i] == 0)
            moves[n++] = (rules_move){{i + 1, 0}};
    return all;
}

static void play(const struct rules_state *state, rules_move move, struct rules_state *next)
{
    struct position *p = (struct position *)next->w;

    rules_copy(state, next);
    p->square[move.w[0] - 1] = p->mover + 1;
    p->stones++;
    p->mover = !p->mover;
}

static struct rules_outcome outcome(const struct rules_state *state,
                                    const struct rules_history *history)
{
    (void)history;
    if (winner(state) != 0)
        return (struct rules_outcome){RULES_WON, (uint8_t)winner(state), RULES_REASON_LINE};
    if (count(state) == 0)
        return (struct rules_outcome){RULES_DRAWN, 0, RULES_REASON_FULL};
    return (struct rules_outcome){RULES_ONGOING, 0, RULES_REASON_NONE};
}

static uint64_t key(const struct rules_state *state)
{
    uint64_t hash = mix(view(state)->mover);

    for (unsigned i = 0; i < SQUARES; i++)
        hash = mix(hash ^ view(state)->square[i]);
    return hash & ~1ULL;
}

static size_t span(const struct rules_state *state)
{
    (void)state;
    return 0;
}

/* ---- turned boards ---- */

static unsigned symmetries(const struct rules_state *state)
{
    (void)state;
    return RULES_TRANSPOSED;
}

static void turn(const struct rules_state *state, unsigned symmetry, struct rules_state *image)
{
    struct position *p = (struct position *)image->w;

    rules_copy(state, image);
    for (unsigned i = 0; i < SQUARES; i++)
        p->square[rules_turned(board(state), symmetry, i)] = view(state)->square[i];
}

/* ---- texts and what is shown ---- */

static void move_text(const struct rules_state *state, rules_move move, char *text)
{
    rules_square_text(board(state), (unsigned)move.w[0] - 1, text);
}

static bool read_move(const struct rules_state *state, const char *text, rules_move *move,
                      struct rules_refusal *why)
{
    unsigned square;
    size_t len = rules_square_read(board(state), text, &square);

    if (count(state) == 0)
        return rules_refuse(why, RULES_GAME_OVER, &laws[OVER]);
    if (len == 0 || text[len] != '\0')
        return rules_refuse(why, RULES_BAD_MOVE_TEXT, &laws[INPUT]);
    if (missing(state, square))
        return rules_refuse(why, RULES_OUT_OF_BOARD, &laws[ON_BOARD]);
    if (view(state)->square[square] != 0)
        return rules_refuse(why, RULES_OCCUPIED, &laws[ON_EMPTY]);
    *move = (rules_move){{square + 1, 0}};
    return true;
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
                                      .to = (uint16_t)(move.w[0] - 1),
                                      .count = 1,
                                      .man = {(uint8_t)to_move(state), 0}};
    return 1;
}

static size_t at(const struct rules_state *state, unsigned square, struct rules_man *men,
                 size_t cap)
{
    uint8_t seat = view(state)->square[square];

    if (seat != 0 && cap > 0)
        men[0] = (struct rules_man){seat, 0};
    return seat != 0;
}

static const struct rules_shape stone[] = {
    {"M0-38a38 38 0 0 1 0 76a38 38 0 0 1 0-76z", RULES_PAINT_BODY, RULES_PAINT_EDGE, 3}, {0}};
static const struct rules_shape *const figures[] = {stone};

#define PAINTS(first, second)                                                                      \
    {                                                                                              \
        [RULES_PAINT_BOARD] = "#e8d9a8", [RULES_PAINT_LINE] = "#8a7434",                           \
        [RULES_PAINT_BODY] = first, [RULES_PAINT_BODY_2] = second, [RULES_PAINT_EDGE] = "#332c22", \
        [RULES_PAINT_EDGE_2] = "#332c22",                                                          \
    }
static const struct rules_art art = {
    .figure = {figures, figures},
    .frame = "",
    .paint = {PAINTS("#d9402f", "#1f66d0"), PAINTS("#e0604f", "#4d8de8"), PAINTS("#000", "#fff")},
};

static const struct rules_piece pieces[] = {
    {"stone", {"r", "b"}, {"●", "○"}, {"R", "B"}, "Is put on an empty square and stays.", -1, -1},
};

static const struct rules_game game = {
    .name = "honeycomb",
    .title = "Honeycomb",
    .doc = "Two sides put stones on a hexagon of hexagons; three in a row have won.",
    .version = 1,
    .seat = {{"red", "r"}, {"blue", "b"}},
    .pieces = pieces,
    .npieces = 1,
    .laws = laws,
    .nlaws = LAWS,
    .reasons = (const enum rules_reason[]){RULES_REASON_LINE, RULES_REASON_FULL},
    .nreasons = 2,
    .move = {"^[a-e][1-5]$", "The square.", (const char *const[]){"c3", NULL}},
    .position = {"^[.rb]{19} [rb]$", "The 19 squares from the top left, and the side to move.",
                 (const char *const[]){"................... r", NULL}},
    .exports = (const char *const[]){NULL},
    .features = (const char *const[]){"place", NULL},
    .tiling = RULES_HEXAGONS,
    .drawing = {.empty = "·", .empty_ascii = ".", .ink = {31, 34}},
    .art = &art,
    .start = start,
    .position_text = position_text,
    .to_move = to_move,
    .legal = legal,
    .count = count,
    .play = play,
    .outcome = outcome,
    .key = key,
    .span = span,
    .symmetries = symmetries,
    .turn = turn,
    .move_text = move_text,
    .read_move = read_move,
    .path = path,
    .effects = effects,
    .board = board,
    .missing = missing,
    .at = at,
    .lines = lines,
};

const struct rules_module plyd_game = {
    .interface = RULES_INTERFACE,
    .game = &game,
    .rulebook = "# Honeycomb\n\n**1** Stones are put on empty squares.\n\n"
                "**2** Three in a row have won; a full board is a draw.\n\n"
                "**3** A position is 19 squares and the side to move.\n",
};
