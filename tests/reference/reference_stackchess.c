/*
 * reference_stackchess.c - Stackchess after rules/stackchess/stackchess.md, whose rule numbers are
 * quoted.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference.h"

enum { SIDE_MAX = 26, HEIGHT_MAX = 1024 };

struct square {
    int file, rank; /* from 0, a1 is {0, 0} */
};

/* A stack is a string from bottom to top: R D F T C P (4), capitals White, small letters Black.
 * An unmoved pawn is a piece of its own, U (7.4); only texts write it as P with a flag. */
struct board {
    int size;
    char stack[SIDE_MAX][SIDE_MAX][HEIGHT_MAX + 1]; /* [file][rank] */
    char side;                                      /* 'w' or 'b' */
    int quiet;                                      /* plies since progress (9.6) */
    int number;                                     /* of the move; grows after Black's */
};

static void copy_board(struct board *copy, const struct board *board)
{
    for (int file = 0; file < board->size; file++)
        for (int rank = 0; rank < board->size; rank++)
            strcpy(copy->stack[file][rank], board->stack[file][rank]);
    copy->size = board->size;
    copy->side = board->side;
    copy->quiet = board->quiet;
    copy->number = board->number;
}

/* ---- position texts (11) ---- */

static void read_stack(char *stack, const char **at)
{
    size_t height = 0;

    if (**at != '(') {
        stack[height++] = *(*at)++;
    } else {
        reference_take(at, '(');
        while (**at != ')')
            stack[height++] = *(*at)++;
        reference_take(at, ')');
    }
    stack[height] = '\0';
}

static void read_rank(struct board *board, int rank, const char **at)
{
    int file = 0;

    while (**at != '/' && **at != ' ') {
        if (!isdigit((unsigned char)**at))
            read_stack(board->stack[file++][rank], at);
        else
            for (int run = reference_take_number(at); run > 0; run--)
                board->stack[file++][rank][0] = '\0';
    }
}

static int count_ranks(const char *position)
{
    int n = 1;

    for (; *position != ' '; position++)
        n += *position == '/';
    return n;
}

static int pawn_rank(const struct board *board, bool white)
{
    return white ? 1 : board->size - 2; /* 3.3 */
}

/* The flags: the bottom pawn of that file's square has not moved. */
static void read_unmoved(struct board *board, const char **at)
{
    for (; **at != ' '; ++*at) {
        bool white = isupper((unsigned char)**at) != 0;

        if (**at != '-')
            board->stack[tolower(**at) - 'a'][pawn_rank(board, white)][0] = white ? 'U' : 'u';
    }
}

static void read_board(struct board *board, const char *position)
{
    const char *at = position;

    board->size = count_ranks(position);
    for (int rank = board->size - 1; rank >= 0; rank--) {
        read_rank(board, rank, &at);
        reference_take(&at, rank > 0 ? '/' : ' ');
    }
    board->side = *at++;
    reference_take(&at, ' ');
    read_unmoved(board, &at);
    reference_take(&at, ' ');
    board->quiet = reference_take_number(&at);
    reference_take(&at, ' ');
    board->number = reference_take_number(&at);
}

static void write_stack(const char *stack, char *text)
{
    char pieces[HEIGHT_MAX + 1];
    size_t height = strlen(stack);

    for (size_t i = 0; i <= height; i++)
        pieces[i] = stack[i] == 'U' ? 'P' : stack[i] == 'u' ? 'p' : stack[i];
    reference_print(text, height > 1 ? "(%s)" : "%s", pieces);
}

static void write_rank(const struct board *board, int rank, char *text)
{
    int empty = 0;

    for (int file = 0; file < board->size; file++) {
        if (board->stack[file][rank][0] == '\0') {
            empty++;
            continue;
        }
        if (empty > 0)
            reference_print(text, "%d", empty);
        write_stack(board->stack[file][rank], text);
        empty = 0;
    }
    if (empty > 0)
        reference_print(text, "%d", empty);
}

static bool write_unmoved(const struct board *board, bool white, char *text)
{
    bool some = false;

    for (int file = 0; file < board->size; file++) {
        if (strchr(board->stack[file][pawn_rank(board, white)], white ? 'U' : 'u') == NULL)
            continue;
        reference_print(text, "%c", (white ? 'A' : 'a') + file);
        some = true;
    }
    return some;
}

static void write_board(const struct board *board, char *text)
{
    bool white, black;

    text[0] = '\0';
    for (int rank = board->size - 1; rank >= 0; rank--) {
        write_rank(board, rank, text);
        reference_print(text, rank > 0 ? "/" : " ");
    }
    reference_print(text, "%c ", board->side);
    white = write_unmoved(board, true, text);
    black = write_unmoved(board, false, text);
    reference_print(text, "%s %d %d", white || black ? "" : "-", board->quiet, board->number);
}

/* 3.1, 3.2: White's back rank from a on. */
static char back_rank(int size, int file, bool knights)
{
    const char *outwards = knights ? "FCT" : "FT";
    int queen = size / 2 - 1, king = size / 2;
    int away = file < queen ? queen - file : file - king; /* 1 is next to queen or king */

    if (file == queen || file == king)
        return file == queen ? 'D' : 'R';
    return outwards[(size_t)(away - 1) % strlen(outwards)];
}

static void stackchess_start(const struct reference_options *options, char *position)
{
    static struct board board;
    bool knights = reference_option_is(options, "knights", "true");

    memset(&board, 0, sizeof(board));
    board.size = (int)reference_option_number(options, "size");
    board.side = 'w';
    board.number = 1;
    for (int file = 0; file < board.size; file++) {
        char piece = back_rank(board.size, file, knights);

        board.stack[file][0][0] = piece;
        board.stack[file][1][0] = 'U'; /* 3.3 */
        board.stack[file][board.size - 2][0] = 'u';
        board.stack[file][board.size - 1][0] = (char)tolower(piece);
    }
    write_board(&board, position);
}

static void stackchess_identity(const char *position, char *text)
{
    reference_cut(position, 2, text);
}

/* ---- one piece ---- */

static bool is_white(char piece)
{
    return isupper((unsigned char)piece) != 0;
}

/* Whether a stack, which is of one colour (2.3), belongs to a side. */
static bool is_of(const char *stack, char side)
{
    return stack[0] != '\0' && is_white(stack[0]) == (side == 'w');
}

static bool is_pawn(char piece)
{
    return strchr("PpUu", piece) != NULL;
}

static int sign(int n)
{
    return (n > 0) - (n < 0);
}

/* 7.1 to 7.3: a pawn's own move. */
static bool pawn_may_go(char pawn, int right, int up, bool to_enemy)
{
    int forward = is_white(pawn) ? up : -up;

    if (to_enemy)
        return forward == 1 && abs(right) == 1; /* 7.2 */
    if (right != 0)
        return false;
    return forward == 1 || (forward == 2 && toupper(pawn) == 'U'); /* 7.1 */
}

/* Whether one piece may make a move that is not an L (6, 7), if nothing is between. */
static bool may_go(char piece, int right, int up, bool to_enemy)
{
    bool straight = (right == 0) != (up == 0);
    bool diagonal = abs(right) == abs(up) && right != 0;

    switch (toupper(piece)) {
    case 'R':
        return (straight || diagonal) && abs(right) <= 1 && abs(up) <= 1;
    case 'D':
        return straight || diagonal;
    case 'F':
        return diagonal;
    case 'T':
        return straight;
    case 'C':
        return false; /* 6.3 */
    default:
        return pawn_may_go(piece, right, up, to_enemy);
    }
}

/* ---- a group ---- */

static bool is_clear(const struct board *board, struct square from, struct square to)
{
    int right = sign(to.file - from.file), up = sign(to.rank - from.rank);
    int file = from.file + right, rank = from.rank + up;

    for (; file != to.file || rank != to.rank; file += right, rank += up)
        if (board->stack[file][rank][0] != '\0')
            return false;
    return true;
}

static bool is_l(int right, int up)
{
    return abs(right * up) == 2;
}

/* 8.1: m knights carry a group of up to 2m in all. */
static bool knights_carry(const char *group)
{
    size_t knights = 0;

    for (const char *piece = group; *piece != '\0'; piece++)
        knights += toupper(*piece) == 'C';
    return strlen(group) <= 2 * knights;
}

/* 5.4: every piece of the group may move so. */
static bool group_may_go(const struct board *board, const char *group, struct square from,
                         struct square to, bool to_enemy)
{
    int right = to.file - from.file, up = to.rank - from.rank;

    if (is_l(right, up))
        return knights_carry(group); /* 8.1, 8.2 */
    for (const char *piece = group; *piece != '\0'; piece++)
        if (!may_go(*piece, right, up, to_enemy))
            return false;
    return is_clear(board, from, to); /* 6.2 */
}

static bool is_legal(const struct board *board, struct square from, size_t k, struct square to)
{
    const char *stack = board->stack[from.file][from.rank];
    const char *target = board->stack[to.file][to.rank];
    bool to_enemy = target[0] != '\0' && !is_of(target, board->side);

    if (from.file == to.file && from.rank == to.rank)
        return false; /* 5.1 */
    if (to_enemy && k <= strlen(target))
        return false; /* 5.3 */
    return group_may_go(board, stack + strlen(stack) - k, from, to, to_enemy);
}

/* What a piece becomes by moving to a rank: a moved pawn (7.4), or a queen (8.4). */
static char arrived(const struct board *board, char piece, int rank, bool promotion)
{
    bool white = is_white(piece);

    if (!is_pawn(piece))
        return piece;
    if (promotion && rank == (white ? board->size - 1 : 0))
        return white ? 'D' : 'd';
    return white ? 'P' : 'p';
}

/* Moves the top k pieces on `board` (5.1 to 5.3). */
static void play(struct board *board, struct square from, size_t k, struct square to,
                 bool promotion)
{
    char *stack = board->stack[from.file][from.rank], *target = board->stack[to.file][to.rank];
    char *group = stack + strlen(stack) - k;
    bool captures = target[0] != '\0' && !is_of(target, board->side);
    bool progress = captures; /* 9.6 */
    size_t height;

    if (captures)
        target[0] = '\0'; /* 5.3 */
    height = strlen(target);
    for (size_t i = 0; i < k; i++) {
        progress |= is_pawn(group[i]);
        target[height + i] = arrived(board, group[i], to.rank, promotion);
    }
    target[height + k] = '\0';
    group[0] = '\0';
    board->quiet = progress ? 0 : board->quiet + 1;
    board->number += board->side == 'b';
    board->side = board->side == 'w' ? 'b' : 'w';
}

/* ---- the end of the game (9) ---- */

/* Writes every piece of a side, one after the other. */
static size_t pieces_of(const struct board *board, char side, char *pieces)
{
    size_t n = 0;

    for (int file = 0; file < board->size; file++)
        for (int rank = 0; rank < board->size; rank++)
            if (is_of(board->stack[file][rank], side))
                for (const char *at = board->stack[file][rank]; *at != '\0'; at++)
                    pieces[n++] = *at;
    return n;
}

/* 9.2: of all pairs of types only bishop and rook have no displacement in common. */
static bool share_a_move(char one, char other)
{
    one = (char)toupper(one);
    other = (char)toupper(other);
    return !((one == 'F' && other == 'T') || (one == 'T' && other == 'F'));
}

static bool is_dead(const char *pieces, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            if (share_a_move(pieces[i], pieces[j]))
                return false;
    return true;
}

/* 9.1, 9.2: what ends the game, whoever is to move. */
static struct reference_outcome decided(const struct board *board)
{
    char white[REFERENCE_TEXT], black[REFERENCE_TEXT]; /* no text holds more pieces */
    size_t whites = pieces_of(board, 'w', white), blacks = pieces_of(board, 'b', black);

    if (blacks == 0)
        return (struct reference_outcome){"all_captured", 1};
    if (whites == 0)
        return (struct reference_outcome){"all_captured", 2};
    if (is_dead(white, whites) && is_dead(black, blacks))
        return (struct reference_outcome){"dead", 0};
    return (struct reference_outcome){NULL, 0};
}

/* ---- every move ---- */

static void add_move(const struct board *board, struct square from, size_t k, struct square to,
                     bool promotion, struct reference_moves *moves)
{
    static struct board next;
    char text[REFERENCE_MOVE_TEXT], count[24] = "", after[REFERENCE_TEXT];

    copy_board(&next, board);
    play(&next, from, k, to, promotion);
    write_board(&next, after);
    if (k > 1)
        snprintf(count, sizeof(count), "%zu", k);
    snprintf(text, sizeof(text), "%s%c%d%c%d", count, 'a' + from.file, from.rank + 1, 'a' + to.file,
             to.rank + 1); /* 10 */
    reference_add(moves, text, after);
}

static void add_moves_from(const struct board *board, struct square from, bool promotion,
                           struct reference_moves *moves)
{
    size_t height = strlen(board->stack[from.file][from.rank]);

    for (int file = 0; file < board->size; file++)
        for (int rank = 0; rank < board->size; rank++)
            for (size_t k = 1; k <= height; k++)
                if (is_legal(board, from, k, (struct square){file, rank}))
                    add_move(board, from, k, (struct square){file, rank}, promotion, moves);
}

static struct reference_moves stackchess_moves(const struct reference_options *options,
                                               const char *position)
{
    static struct board board;
    struct reference_moves moves = {NULL, 0, 0};
    bool promotion = reference_option_is(options, "promotion", "true");

    read_board(&board, position);
    if (decided(&board).reason != NULL)
        return moves; /* 9.7 */
    for (int file = 0; file < board.size; file++)
        for (int rank = 0; rank < board.size; rank++)
            if (is_of(board.stack[file][rank], board.side))
                add_moves_from(&board, (struct square){file, rank}, promotion, &moves);
    reference_sort(&moves);
    return moves;
}

static bool can_move(const struct reference_options *options, const char *position)
{
    struct reference_moves moves = stackchess_moves(options, position);
    bool some = moves.len > 0;

    reference_free(&moves);
    return some;
}

/* 9.4 */
static struct reference_outcome stalemate(const struct reference_options *options, char side)
{
    if (reference_option_is(options, "stalemate", "loss"))
        return (struct reference_outcome){"stalemate", side == 'w' ? 2 : 1};
    return (struct reference_outcome){"stalemate", 0};
}

/* 9: the tests in their order. */
static struct reference_outcome stackchess_outcome(const struct reference_options *options,
                                                   const struct reference_line *line)
{
    static struct board board;
    long repetition = reference_option_number(options, "repetition");
    long no_progress = reference_option_number(options, "no_progress");

    read_board(&board, reference_present(line));
    if (decided(&board).reason != NULL)
        return decided(&board); /* 9.1, 9.2 */
    if (!can_move(options, reference_present(line)))
        return stalemate(options, board.side); /* 9.4 */
    if (repetition > 0 && reference_occurrences(&reference_stackchess, line) >= (size_t)repetition)
        return (struct reference_outcome){"repetition", 0}; /* 9.5 */
    if (no_progress > 0 && board.quiet >= no_progress)
        return (struct reference_outcome){"no_progress", 0}; /* 9.6 */
    return (struct reference_outcome){NULL, 0};
}

const struct reference_game reference_stackchess = {
    .name = "stackchess",
    .start = stackchess_start,
    .moves = stackchess_moves,
    .outcome = stackchess_outcome,
    .identity = stackchess_identity,
};
