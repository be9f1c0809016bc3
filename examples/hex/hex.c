/*
 * hex.c - Hex: two sides put stones on a board of hexagons; who joins their two edges has won.
 *
 * The board is one byte a square: 0, or the seat whose stone lies there. A square touches six
 * others, as hexagons do (rules.h): left and right, above and below, and of the four corners the
 * upper right and the lower left. Red (seat 1) joins the top and the bottom, blue (seat 2) the left
 * and the right.
 */
#include <string.h>

#include "hex.h"
#include "rules/mix.h"
#include "rules/text.h"

enum { SIDE_MIN = 3, SIDE_MAX = 13, SQUARES = SIDE_MAX * SIDE_MAX };

/* An end of this game's own: any number from RULES_OWN to 65535, but always the same. */
enum { CONNECTED = 4801 };

static const char marks[RULES_SEATS] = {'r', 'b'};

/* The rules that a refusal may name. Each has a number in the rulebook. */
enum law { INPUT, ON_BOARD, ON_EMPTY, OVER, SIZE, POSITION, STONES, LAWS };

static const struct rules_law laws[LAWS] = {
    [INPUT] = {"2", "hex.input", "A move is a square, such as d4."},
    [ON_BOARD] = {"2", "hex.on-board", "A stone is put on a square of the board."},
    [ON_EMPTY] = {"2", "hex.on-empty", "A stone is put on an empty square."},
    [OVER] = {"3", "hex.over", "When two edges are joined, nobody moves."},
    [SIZE] = {"1", "hex.size", "A board has 3 to 13 rows, and as many columns."},
    [POSITION] = {"4", "hex.position", "A position is its rows and the side to move: 3/1r1/2b r."},
    [STONES] = {"4", "hex.stones", "Red has as many stones as blue, or one more if blue moves."},
};

static const struct rules_option options[] = {
    {.name = "size",
     .kind = RULES_OPTION_INT,
     .min = SIDE_MIN,
     .max = SIDE_MAX,
     .fallback = 7,
     .doc = "How many rows and columns the board has."},
};

/* What lies in rules_state.w. */
struct position {
    uint8_t size, mover; /* of the side to move: 0, 1 */
    uint8_t winner;      /* a seat, or 0 */
    uint8_t stones;      /* on the board */
    uint8_t square[SQUARES];
} __attribute__((may_alias));

_Static_assert(sizeof(struct position) <= sizeof(((struct rules_state *)0)->w), "it fits");

static const struct position *view(const struct rules_state *state)
{
    return (const struct position *)state->w;
}

static unsigned squares(const struct position *p)
{
    return (unsigned)p->size * p->size;
}

static struct rules_board board(const struct rules_state *state)
{
    return (struct rules_board){view(state)->size, view(state)->size, RULES_LETTER_DIGIT};
}

/* ---- who has won ---- */

/* Notes a neighbour that has a stone of the seat and was not reached before. */
static void reach(const struct position *p, unsigned seat, int row, int col, bool *seen,
                  unsigned *todo, unsigned *n)
{
    unsigned square = (unsigned)(row * p->size + col);

    if (row < 0 || col < 0 || row >= p->size || col >= p->size || seen[square] ||
        p->square[square] != seat)
        return;
    seen[square] = true;
    todo[(*n)++] = square;
}

/* Whether stones of a seat lead from its first edge to its last. */
static bool joins(const struct position *p, unsigned seat)
{
    static const int8_t step[6][2] = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}, {-1, 1}, {1, -1}};
    bool seen[SQUARES] = {false};
    unsigned todo[SQUARES], n = 0;

    for (int i = 0; i < p->size; i++)
        reach(p, seat, seat == 1 ? 0 : i, seat == 1 ? i : 0, seen, todo, &n);
    while (n > 0) {
        int row = (int)(todo[--n] / p->size), col = (int)(todo[n] % p->size);

        if ((seat == 1 ? row : col) == p->size - 1)
            return true;
        for (int i = 0; i < 6; i++)
            reach(p, seat, row + step[i][0], col + step[i][1], seen, todo, &n);
    }
    return false;
}

/* ---- starting ---- */

/* Reads a row and returns how many squares it has; 0 if it is none. */
static unsigned read_row(const char **at, struct position *p, unsigned first)
{
    unsigned col = 0;

    while (**at != '/' && **at != ' ') {
        uint32_t empty = 0;

        if (**at == marks[0] || **at == marks[1]) {
            if (first + col < SQUARES)
                p->square[first + col] = **at == marks[0] ? 1 : 2;
            p->stones++;
            empty = 1;
            ++*at;
        } else if (!text_read_number(at, SIDE_MAX, &empty)) {
            return 0;
        }
        col += empty;
        if (empty == 0 || col > SIDE_MAX)
            return 0;
    }
    return col;
}

/* Reads "3/1r1/2b". Returns the law that it breaks, or NULL; *at is where reading stopped. */
static const struct rules_law *read_rows(const char **at, struct position *p)
{
    unsigned rows = 0, cols = 0;

    do {
        *at += rows > 0;
        cols = read_row(at, p, rows * p->size);
        if (cols == 0)
            return &laws[POSITION];
        if (rows++ == 0)
            p->size = (uint8_t)cols;
        if (cols < SIDE_MIN || cols != p->size || rows > cols)
            return &laws[SIZE];
    } while (**at == '/');
    return rows == p->size ? NULL : &laws[SIZE];
}

static bool read_position(const char *text, struct position *p, struct rules_refusal *why)
{
    const char *at = text;
    const struct rules_law *broken = read_rows(&at, p);

    if (broken == NULL) {
        ++at;
        p->mover = *at == marks[1];
        if ((*at != marks[0] && *at != marks[1]) || *++at != '\0')
            broken = &laws[POSITION];
    }
    if (broken == NULL)
        return true;
    rules_refuse(why, RULES_BAD_POSITION, broken);
    why->at = (int32_t)(at - text);
    return false;
}

/* Whether play can lead here. A side that has joined its edges does not move again. */
static bool judge_position(struct position *p, struct rules_refusal *why)
{
    unsigned red = 0;

    for (unsigned i = 0; i < squares(p); i++)
        red += p->square[i] == 1;
    if (red != p->stones - red + p->mover || joins(p, p->mover + 1U))
        return rules_refuse_position(why, &laws[STONES]);
    p->winner = joins(p, 2U - p->mover) ? 2 - p->mover : 0;
    return true;
}

static bool start(struct rules_options *given, struct rules_state *state, struct rules_refusal *why)
{
    struct position *p = (struct position *)state->w;

    memset(p, 0, sizeof(*p));
    state->bytes = sizeof(*p);
    p->size = (uint8_t)given->value[0];
    if (given->position == NULL)
        return true;
    if (!read_position(given->position, p, why))
        return false;
    if ((given->given & 1) && given->value[0] != p->size) {
        rules_refuse(why, RULES_BAD_OPTION, &laws[SIZE]);
        why->option = options[0].name;
        return false;
    }
    given->value[0] = p->size;
    return judge_position(p, why);
}

static void position_text(const struct rules_state *state, char *text)
{
    const struct position *p = view(state);
    struct text out = text_open(text, RULES_POSITION_TEXT);
    unsigned empty = 0;

    for (unsigned i = 0; i < squares(p); i++) {
        empty += p->square[i] == 0;
        if (empty > 0 && (p->square[i] != 0 || (i + 1) % p->size == 0)) {
            text_number(&out, empty);
            empty = 0;
        }
        if (p->square[i] != 0)
            text_char(&out, marks[p->square[i] - 1]);
        if ((i + 1) % p->size == 0)
            text_char(&out, i + 1 < squares(p) ? '/' : ' ');
    }
    text_char(&out, marks[p->mover]);
}

/* ---- playing: a move is its square plus 1 ---- */

static unsigned to_move(const struct rules_state *state)
{
    return view(state)->mover + 1U;
}

static size_t count(const struct rules_state *state)
{
    return view(state)->winner != 0 ? 0 : squares(view(state)) - view(state)->stones;
}

static size_t legal(const struct rules_state *state, rules_move *moves, size_t cap)
{
    const struct position *p = view(state);
    size_t n = 0;

    for (unsigned i = 0; p->winner == 0 && i < squares(p) && n < cap; i++)
        if (p->square[i] == 0)
            moves[n++] = (rules_move){{i + 1, 0}};
    return count(state);
}

static void play(const struct rules_state *state, rules_move move, struct rules_state *next)
{
    struct position *p = (struct position *)next->w;

    rules_copy(state, next);
    p->square[move.w[0] - 1] = p->mover + 1;
    p->stones++;
    p->winner = joins(p, p->mover + 1U) ? p->mover + 1 : 0;
    p->mover = !p->mover;
}

static struct rules_outcome outcome(const struct rules_state *state,
                                    const struct rules_history *history)
{
    (void)history;
    if (view(state)->winner != 0)
        return (struct rules_outcome){RULES_WON, view(state)->winner, (enum rules_reason)CONNECTED};
    return (struct rules_outcome){RULES_ONGOING, 0, RULES_REASON_NONE};
}

/* The number of stones says whose turn it is. */
static uint64_t key(const struct rules_state *state)
{
    const struct position *p = view(state);
    uint64_t hash = mix(p->size);

    for (unsigned i = 0; i < squares(p); i++)
        hash = mix(hash ^ p->square[i]);
    return hash & ~1ULL;
}

static size_t span(const struct rules_state *state)
{
    (void)state;
    return 0; /* no position recurs */
}

static void move_text(const struct rules_state *state, rules_move move, char *text)
{
    rules_square_text(board(state), (unsigned)move.w[0] - 1, text);
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

static bool read_move(const struct rules_state *state, const char *text, rules_move *move,
                      struct rules_refusal *why)
{
    unsigned square;
    uint32_t rank;
    const char *end = text + 1;

    if (count(state) == 0)
        return rules_refuse(why, RULES_GAME_OVER, &laws[OVER]);
    if (text[0] < 'a' || text[0] > 'z' || !text_read_number(&end, 99, &rank) || *end != '\0')
        return rules_refuse(why, RULES_BAD_MOVE_TEXT, &laws[INPUT]);
    if (rules_square_read(board(state), text, &square) == 0)
        return rules_refuse(why, RULES_OUT_OF_BOARD, &laws[ON_BOARD]);
    if (view(state)->square[square] != 0) {
        rules_refuse(why, RULES_OCCUPIED, &laws[ON_EMPTY]);
        rules_add_witness(why, RULES_ROLE_TO, square,
                          (struct rules_man){view(state)->square[square], 0});
        return false;
    }
    *move = (rules_move){{square + 1, 0}};
    return true;
}

/* ---- the table ---- */

static const struct rules_piece pieces[] = {
    {"stone", {"r", "b"}, {"●", "○"}, {"R", "B"}, "Is put on an empty square and stays.", -1, -1},
};

const struct rules_game hex = {
    .name = "hex",
    .title = "Hex",
    .doc = "Two sides put stones on a board of hexagons; who joins their two edges has won.",
    .version = 1,
    .seat = {{"red", "r"}, {"blue", "b"}},
    .pieces = pieces,
    .npieces = 1,
    .options = options,
    .noptions = 1,
    .laws = laws,
    .nlaws = LAWS,
    .reasons = (const enum rules_reason[]){(enum rules_reason)CONNECTED},
    .nreasons = 1,
    .ends =
        (const struct rules_own[]){{CONNECTED, "connected", "Two edges are joined.", false}, {0}},
    .move = {"^[a-m](?:[1-9]|1[0-3])$",
             "The square: its column as a letter from the left, its row as a number from below.",
             (const char *const[]){"a1", "d4", NULL}},
    .position = {"^[rb1-9][rb0-9]*(?:/[rb1-9][rb0-9]*){2,12} [rb]$",
                 "The rows from the top joined by /, with r, b and numbers of empty squares in "
                 "them; the side to move.",
                 (const char *const[]){"7/7/7/7/7/7/7 r", "3/1r1/3 b", NULL}},
    .exports = (const char *const[]){NULL},
    .features = (const char *const[]){"place", NULL},
    .tiling = RULES_HEXAGONS,
    .drawing = {.empty = "·", .empty_ascii = ".", .ink = {31, 34}},
    .art = &hex_art,
    .start = start,
    .position_text = position_text,
    .to_move = to_move,
    .legal = legal,
    .count = count,
    .play = play,
    .outcome = outcome,
    .key = key,
    .span = span,
    .move_text = move_text,
    .read_move = read_move,
    .path = path,
    .effects = effects,
    .board = board,
    .at = at,
};
