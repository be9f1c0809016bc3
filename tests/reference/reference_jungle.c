/* reference_jungle.c - Jungle after rules/jungle/jungle.md; J.. are its rules. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference.h"

enum { FILES = 7, RANKS = 9 }; /* J1 */

/* J2, the land from Blue's side: '~' water, 'd' 't' Blue's den and traps, 'D' 'T' Red's. */
static const char land[RANKS][FILES + 1] = {
    "..tdt..", /* rank 9 */
    "...t...", //
    ".......", //
    ".~~.~~.", //
    ".~~.~~.", //
    ".~~.~~.", //
    ".......", //
    "...T...", //
    "..TDT..", /* rank 1 */
};

struct square {
    int file, rank; /* from 0, a1 is {0, 0} */
};

struct board {
    char beast[FILES][RANKS]; /* [file][rank]: J3's letters, capitals Red, small Blue; '.' empty */
    char side;                /* 'r' or 'b' */
    int quiet;                /* plies since the last capture */
    int round;                /* from 1; grows after Blue's move */
};

/* ---- position texts (J34) ---- */

static void read_rank(struct board *board, int rank, const char **at)
{
    int file = 0;

    while (file < FILES) {
        char c = *(*at)++;

        if (!isdigit((unsigned char)c))
            board->beast[file++][rank] = c;
        else
            for (int run = c - '0'; run > 0; run--)
                board->beast[file++][rank] = '.';
    }
}

static struct board read_board(const char *position)
{
    struct board board;
    const char *at = position;

    for (int rank = RANKS - 1; rank >= 0; rank--) {
        read_rank(&board, rank, &at);
        reference_take(&at, rank > 0 ? '/' : ' ');
    }
    board.side = *at++;
    reference_take(&at, ' ');
    board.quiet = reference_take_number(&at);
    reference_take(&at, ' ');
    board.round = reference_take_number(&at);
    return board;
}

static void write_rank(const struct board *board, int rank, char *text)
{
    int empty = 0;

    for (int file = 0; file < FILES; file++) {
        if (board->beast[file][rank] == '.') {
            empty++;
            continue;
        }
        if (empty > 0)
            reference_print(text, "%d", empty);
        reference_print(text, "%c", board->beast[file][rank]);
        empty = 0;
    }
    if (empty > 0)
        reference_print(text, "%d", empty);
}

static void write_board(const struct board *board, char *text)
{
    text[0] = '\0';
    for (int rank = RANKS - 1; rank >= 0; rank--) {
        write_rank(board, rank, text);
        reference_print(text, rank > 0 ? "/" : " ");
    }
    reference_print(text, "%c %d %d", board->side, board->quiet, board->round);
}

static void jungle_identity(const char *position, char *text)
{
    reference_cut(position, 2, text);
}

static void jungle_start(const struct reference_options *options, char *position)
{
    (void)options;
    strcpy(position, "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L r 0 1"); /* J5 */
}

/* ---- squares and beasts ---- */

static char land_at(struct square at)
{
    return land[RANKS - 1 - at.rank][at.file];
}

static char beast_at(const struct board *board, struct square at)
{
    return board->beast[at.file][at.rank];
}

static bool is_water(struct square at)
{
    return land_at(at) == '~';
}

/* Whether a den or a trap ('d' or 't') belongs to the side of a beast. */
static bool is_own(struct square at, char place, char beast)
{
    return land_at(at) == (isupper((unsigned char)beast) ? toupper(place) : place);
}

static bool is_enemys(struct square at, char place, char beast)
{
    return tolower(land_at(at)) == place && !is_own(at, place, beast);
}

static bool is_red(char beast)
{
    return isupper((unsigned char)beast) != 0;
}

static bool is_of(char beast, char side)
{
    return beast != '.' && is_red(beast) == (side == 'r');
}

static char kind(char beast)
{
    return (char)toupper(beast);
}

/* J4: 8 for the elephant down to 1 for the rat. */
static int strength(char beast)
{
    static const char weakest_first[] = "RCDWPTLE";

    return (int)(strchr(weakest_first, kind(beast)) - weakest_first) + 1;
}

/* ---- captures (J17 to J24) ---- */

/* J21: rat takes rat. */
static bool rat_takes_rat(const struct reference_options *options, struct square from,
                          struct square to)
{
    if (is_water(from) == is_water(to))
        return true;
    if (reference_option_is(options, "rat_shore", "free"))
        return true;
    return reference_option_is(options, "rat_shore", "enter_only") && is_water(to);
}

static bool may_take(const struct reference_options *options, const struct board *board,
                     struct square from, struct square to)
{
    char taker = beast_at(board, from), taken = beast_at(board, to);

    if (is_enemys(from, 't', taker) && reference_option_is(options, "trapped_attack", "none"))
        return false; /* J24 */
    if (is_own(to, 't', taker))
        return true; /* J23 */
    if (kind(taker) == 'R' && kind(taken) == 'R')
        return rat_takes_rat(options, from, to); /* J21 */
    if (is_water(to))
        return false; /* J20 */
    if (is_water(from))
        return false; /* J19 */
    if (kind(taker) == 'R' && kind(taken) == 'E')
        return true; /* J18 */
    if (kind(taker) == 'E' && kind(taken) == 'R')
        return false;                          /* J18 */
    return strength(taker) >= strength(taken); /* J17 */
}

/* ---- moves ---- */

static int sign(int n)
{
    return (n > 0) - (n < 0);
}

static int distance(struct square from, struct square to)
{
    return abs(from.file - to.file) + abs(from.rank - to.rank);
}

/* J15: which rats stop a jump of this beast. */
static bool stops_jump(const struct reference_options *options, char jumper, char rat)
{
    if (rat == '.')
        return false;
    return is_red(rat) != is_red(jumper) || reference_option_is(options, "jump_block", "any");
}

/* J14: straight over water and nothing but water. */
static bool may_jump(const struct reference_options *options, const struct board *board,
                     struct square from, struct square to)
{
    char jumper = beast_at(board, from);
    int right = sign(to.file - from.file), up = sign(to.rank - from.rank);

    if (kind(jumper) != 'L' && kind(jumper) != 'T')
        return false;
    if ((from.file == to.file) == (from.rank == to.rank) || distance(from, to) < 2)
        return false;
    if (is_water(to))
        return false;
    for (int i = 1; i < distance(from, to); i++) {
        struct square over = {from.file + i * right, from.rank + i * up};

        if (!is_water(over) || stops_jump(options, jumper, beast_at(board, over)))
            return false;
    }
    return true;
}

static bool may_move(const struct reference_options *options, const struct board *board,
                     struct square from, struct square to)
{
    char beast = beast_at(board, from), there = beast_at(board, to);

    if (distance(from, to) != 1 && !may_jump(options, board, from, to))
        return false; /* J9, J14 */
    if (is_water(to) && kind(beast) != 'R')
        return false; /* J10 */
    if (is_own(to, 'd', beast))
        return false; /* J11 */
    if (is_own(to, 't', beast) && there == '.' &&
        reference_option_is(options, "own_traps", "capture_only"))
        return false; /* J12 */
    if (is_of(there, board->side))
        return false;                                          /* J13 */
    return there == '.' || may_take(options, board, from, to); /* J16 */
}

static void add_move(const struct board *board, struct square from, struct square to,
                     struct reference_moves *moves)
{
    struct board next = *board;
    char text[REFERENCE_MOVE_TEXT], after[REFERENCE_TEXT];

    next.quiet = beast_at(board, to) == '.' ? board->quiet + 1 : 0;
    next.beast[to.file][to.rank] = beast_at(board, from);
    next.beast[from.file][from.rank] = '.';
    next.round += board->side == 'b';
    next.side = board->side == 'r' ? 'b' : 'r';
    snprintf(text, sizeof(text), "%c%d%c%d", 'a' + from.file, from.rank + 1, 'a' + to.file,
             to.rank + 1);
    write_board(&next, after);
    reference_add(moves, text, after);
}

/* ---- the end of the game ---- */

static bool has_beasts(const struct board *board, char side)
{
    for (int file = 0; file < FILES; file++)
        for (int rank = 0; rank < RANKS; rank++)
            if (is_of(board->beast[file][rank], side))
                return true;
    return false;
}

/* J26, then J27. */
static struct reference_outcome decided(const struct board *board)
{
    static const struct square red_den = {3, 0}, blue_den = {3, 8};

    if (is_of(beast_at(board, blue_den), 'r'))
        return (struct reference_outcome){"den", 1};
    if (is_of(beast_at(board, red_den), 'b'))
        return (struct reference_outcome){"den", 2};
    if (!has_beasts(board, 'b'))
        return (struct reference_outcome){"no_pieces", 1};
    if (!has_beasts(board, 'r'))
        return (struct reference_outcome){"no_pieces", 2};
    return (struct reference_outcome){NULL, 0};
}

static void add_moves_from(const struct reference_options *options, const struct board *board,
                           struct square from, struct reference_moves *moves)
{
    for (int file = 0; file < FILES; file++)
        for (int rank = 0; rank < RANKS; rank++)
            if (may_move(options, board, from, (struct square){file, rank}))
                add_move(board, from, (struct square){file, rank}, moves);
}

static struct reference_moves jungle_moves(const struct reference_options *options,
                                           const char *position)
{
    struct board board = read_board(position);
    struct reference_moves moves = {NULL, 0, 0};

    if (decided(&board).reason != NULL)
        return moves; /* J29 */
    for (int file = 0; file < FILES; file++)
        for (int rank = 0; rank < RANKS; rank++)
            if (is_of(board.beast[file][rank], board.side))
                add_moves_from(options, &board, (struct square){file, rank}, &moves);
    reference_sort(&moves);
    return moves;
}

static bool can_move(const struct reference_options *options, const char *position)
{
    struct reference_moves moves = jungle_moves(options, position);
    bool some = moves.len > 0;

    reference_free(&moves);
    return some;
}

/* J33: J26, J27, J28, J31, J30. */
static struct reference_outcome jungle_outcome(const struct reference_options *options,
                                               const struct reference_line *line)
{
    struct board board = read_board(reference_present(line));
    long repetition = reference_option_number(options, "repetition");
    long draw_rounds = reference_option_number(options, "draw_rounds");

    if (decided(&board).reason != NULL)
        return decided(&board);
    if (!can_move(options, reference_present(line)))
        return (struct reference_outcome){"blocked", board.side == 'r' ? 2 : 1}; /* J28 */
    if (repetition > 0 && reference_occurrences(&reference_jungle, line) >= (size_t)repetition)
        return (struct reference_outcome){"repetition", 0}; /* J31 */
    if (draw_rounds > 0 && board.quiet >= 2 * draw_rounds)
        return (struct reference_outcome){"no_capture", 0}; /* J30 */
    return (struct reference_outcome){NULL, 0};
}

const struct reference_game reference_jungle = {
    .name = "jungle",
    .start = jungle_start,
    .moves = jungle_moves,
    .outcome = jungle_outcome,
    .identity = jungle_identity,
};
