/* reference_tictactoe.c - m,n,k after rules/tictactoe/tictactoe.md; its rule numbers are quoted. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "reference.h"

enum { SIDE_MAX = 26 }; /* 1 */

struct board {
    int rows, cols, k;
    char cell[SIDE_MAX][SIDE_MAX]; /* [row from the top][column]: 'x', 'o' or '.' */
    char side;                     /* whose turn it is */
};

/* ---- position texts (9) ---- */

static void read_row(struct board *board, const char **at)
{
    int col = 0;

    while (**at != '/' && **at != ' ') {
        if (!isdigit((unsigned char)**at))
            board->cell[board->rows][col++] = *(*at)++;
        else
            for (int run = reference_take_number(at); run > 0; run--)
                board->cell[board->rows][col++] = '.';
    }
    board->cols = col;
    board->rows++;
}

static struct board read_board(const char *position)
{
    struct board board = {.rows = 0};
    const char *at = position;

    read_row(&board, &at);
    while (*at == '/') {
        at++;
        read_row(&board, &at);
    }
    reference_take(&at, ' ');
    board.side = *at++;
    reference_take(&at, ' ');
    board.k = reference_take_number(&at);
    return board;
}

static void write_row(const struct board *board, int row, char *text)
{
    int empty = 0;

    for (int col = 0; col < board->cols; col++) {
        if (board->cell[row][col] == '.') {
            empty++;
            continue;
        }
        if (empty > 0)
            reference_print(text, "%d", empty);
        reference_print(text, "%c", board->cell[row][col]);
        empty = 0;
    }
    if (empty > 0)
        reference_print(text, "%d", empty);
}

static void write_board(const struct board *board, char *text)
{
    text[0] = '\0';
    for (int row = 0; row < board->rows; row++) {
        write_row(board, row, text);
        reference_print(text, row + 1 < board->rows ? "/" : " ");
    }
    reference_print(text, "%c %d", board->side, board->k);
}

/* 9: an empty board. */
static void tictactoe_start(const struct reference_options *options, char *position)
{
    struct board board = {
        .rows = (int)reference_option_number(options, "rows"),
        .cols = (int)reference_option_number(options, "cols"),
        .k = (int)reference_option_number(options, "k"),
        .side = 'x', /* 4 */
    };

    memset(board.cell, '.', sizeof(board.cell));
    write_board(&board, position);
}

/* ---- rules ---- */

static char stone_at(const struct board *board, int row, int col)
{
    bool on_board = row >= 0 && row < board->rows && col >= 0 && col < board->cols;

    return on_board ? board->cell[row][col] : '.';
}

/* 6: k stones from (row, col) on in one direction; a longer line has such a beginning too. */
static bool line_from(const struct board *board, char stone, int row, int col, int down, int right)
{
    for (int i = 0; i < board->k; i++)
        if (stone_at(board, row + i * down, col + i * right) != stone)
            return false;
    return true;
}

static bool has_line(const struct board *board, char stone)
{
    for (int row = 0; row < board->rows; row++)
        for (int col = 0; col < board->cols; col++)
            if (line_from(board, stone, row, col, 0, 1) || /* a row */
                line_from(board, stone, row, col, 1, 0) || /* a column */
                line_from(board, stone, row, col, 1, 1) || /* and both diagonals */
                line_from(board, stone, row, col, 1, -1))
                return true;
    return false;
}

static bool is_full(const struct board *board)
{
    for (int row = 0; row < board->rows; row++)
        for (int col = 0; col < board->cols; col++)
            if (board->cell[row][col] == '.')
                return false;
    return true;
}

static void add_stone(const struct board *board, int row, int col, struct reference_moves *moves)
{
    struct board next = *board;
    char text[REFERENCE_MOVE_TEXT], after[REFERENCE_TEXT];

    next.cell[row][col] = board->side;
    next.side = board->side == 'x' ? 'o' : 'x';
    snprintf(text, sizeof(text), "%c%d", 'a' + col, board->rows - row); /* 2 */
    write_board(&next, after);
    reference_add(moves, text, after);
}

static struct reference_moves tictactoe_moves(const struct reference_options *options,
                                              const char *position)
{
    struct board board = read_board(position);
    struct reference_moves moves = {NULL, 0, 0};

    (void)options;                                      /* the position says it all */
    if (has_line(&board, 'x') || has_line(&board, 'o')) /* 8 */
        return moves;
    for (int row = 0; row < board.rows; row++)
        for (int col = 0; col < board.cols; col++)
            if (board.cell[row][col] == '.') /* 5 */
                add_stone(&board, row, col, &moves);
    reference_sort(&moves);
    return moves;
}

/* 6 before 7: a last stone that closes a line wins. */
static struct reference_outcome tictactoe_outcome(const struct reference_options *options,
                                                  const struct reference_line *line)
{
    struct board board = read_board(reference_present(line));

    (void)options;
    if (has_line(&board, 'x'))
        return (struct reference_outcome){"line", 1};
    if (has_line(&board, 'o'))
        return (struct reference_outcome){"line", 2};
    if (is_full(&board))
        return (struct reference_outcome){"full", 0};
    return (struct reference_outcome){NULL, 0};
}

static void tictactoe_identity(const char *position, char *text)
{
    reference_cut(position, 0, text);
}

const struct reference_game reference_tictactoe = {
    .name = "tictactoe",
    .start = tictactoe_start,
    .moves = tictactoe_moves,
    .outcome = tictactoe_outcome,
    .identity = tictactoe_identity,
};
