/*
 * reference_draughts.c - Turkish draughts after rules/draughts/turkish-draughts.md; T1 .. are its
 * rules.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference.h"

enum { SIDE = 8 }; /* T2 */

struct square {
    int file, rank; /* from 0, a1 is {0, 0} */
};

struct board {
    char man[SIDE][SIDE]; /* [file][rank]: 'w' 'b' men, 'W' 'B' kings (T3), '-' empty, and 'x' for
                             what is taken but stands until the move is over (T16) */
    char side;            /* 'W' or 'B' */
    int quiet;            /* plies without progress (T27) */
    int number;           /* of the move, from 1; grows after Black's (T31) */
};

/* ---- position texts (T31) ---- */

static void read_men(struct board *board, const char **at, char colour)
{
    reference_take(at, ':');
    reference_take(at, colour);
    while (**at != ':' && **at != '\0') {
        char man = (char)tolower(colour);
        int file;

        if (**at == 'K') {
            man = colour;
            ++*at;
        }
        file = *(*at)++ - 'a';
        board->man[file][reference_take_number(at) - 1] = man;
        if (**at == ',')
            ++*at;
    }
}

static struct board read_board(const char *position)
{
    struct board board = {.side = position[0], .quiet = 0, .number = 1};
    const char *at = position + 1;

    memset(board.man, '-', sizeof(board.man));
    read_men(&board, &at, 'W');
    read_men(&board, &at, 'B');
    if (*at == ':') {
        reference_take(&at, ':');
        reference_take(&at, 'H');
        board.quiet = reference_take_number(&at);
        reference_take(&at, ':');
        reference_take(&at, 'F');
        board.number = reference_take_number(&at);
    }
    return board;
}

static bool is_king(char man)
{
    return man == 'W' || man == 'B';
}

static bool is_of(char man, char side)
{
    return toupper(man) == side;
}

static void write_men(const struct board *board, char side, char *text)
{
    bool first = true;

    reference_print(text, ":%c", side);
    for (int rank = 0; rank < SIDE; rank++)
        for (int file = 0; file < SIDE; file++) {
            if (!is_of(board->man[file][rank], side))
                continue;
            reference_print(text, "%s%s%c%d", first ? "" : ",",
                            is_king(board->man[file][rank]) ? "K" : "", 'a' + file, rank + 1);
            first = false;
        }
}

static void write_board(const struct board *board, char *text)
{
    text[0] = '\0';
    reference_print(text, "%c", board->side);
    write_men(board, 'W', text);
    write_men(board, 'B', text);
    if (board->quiet != 0 || board->number != 1)
        reference_print(text, ":H%d:F%d", board->quiet, board->number);
}

static void draughts_identity(const char *position, char *text)
{
    char *counters;

    strcpy(text, position);
    counters = strstr(text, ":H");
    if (counters != NULL)
        *counters = '\0';
}

static void draughts_start(const struct reference_options *options, char *position)
{
    static const char ranks_of_men[SIDE + 1] = "-ww--bb-"; /* T7 */
    struct board board = {.side = 'W', .quiet = 0, .number = 1};

    (void)options;
    for (int file = 0; file < SIDE; file++)
        memcpy(board.man[file], ranks_of_men, SIDE);
    write_board(&board, position);
}

/* ---- geometry ---- */

static int sign(int n)
{
    return (n > 0) - (n < 0);
}

static bool in_line(struct square from, struct square to)
{
    return (from.file == to.file) != (from.rank == to.rank);
}

static int distance(struct square from, struct square to)
{
    return abs(from.file - to.file) + abs(from.rank - to.rank);
}

/* T9, T10: forward is up for White, down for Black. */
static bool is_backward(char man, struct square from, struct square to)
{
    return is_of(man, 'W') ? to.rank < from.rank : to.rank > from.rank;
}

static bool on_last_rank(char man, struct square at)
{
    return at.rank == (is_of(man, 'W') ? SIDE - 1 : 0); /* T20 */
}

/* How many men stand strictly between two squares of one line; *met is the last of them. */
static int men_between(const struct board *board, struct square from, struct square to,
                       struct square *met)
{
    int right = sign(to.file - from.file), up = sign(to.rank - from.rank);
    int n = 0;

    for (int i = 1; i < distance(from, to); i++) {
        struct square here = {from.file + i * right, from.rank + i * up};

        if (board->man[here.file][here.rank] != '-') {
            *met = here;
            n++;
        }
    }
    return n;
}

/* ---- moves without capture ---- */

static bool may_step(const struct board *board, struct square from, struct square to)
{
    char man = board->man[from.file][from.rank];
    struct square met;

    if (!in_line(from, to) || board->man[to.file][to.rank] != '-')
        return false;
    if (is_king(man))
        return men_between(board, from, to, &met) == 0;            /* T11 */
    return distance(from, to) == 1 && !is_backward(man, from, to); /* T9, T10 */
}

/* Ends a move: T20, the taken men leave (T16), the other side is to move. */
static void finish(struct board *board, struct square at, char man, bool progress, char *text)
{
    board->man[at.file][at.rank] = on_last_rank(man, at) ? (char)toupper(man) : man;
    for (int file = 0; file < SIDE; file++)
        for (int rank = 0; rank < SIDE; rank++)
            if (board->man[file][rank] == 'x')
                board->man[file][rank] = '-';
    board->quiet = progress ? 0 : board->quiet + 1;
    board->number += board->side == 'B';
    board->side = board->side == 'W' ? 'B' : 'W';
    write_board(board, text);
}

static void add_step(const struct board *board, struct square from, struct square to,
                     struct reference_moves *moves)
{
    struct board next = *board;
    char man = board->man[from.file][from.rank];
    bool progress = !is_king(man) && from.rank != to.rank; /* T27: a man's step forward */
    char text[REFERENCE_MOVE_TEXT], after[REFERENCE_TEXT];

    next.man[from.file][from.rank] = '-';
    finish(&next, to, man, progress, after);
    snprintf(text, sizeof(text), "%c%d-%c%d", 'a' + from.file, from.rank + 1, 'a' + to.file,
             to.rank + 1); /* T29 */
    reference_add(moves, text, after);
}

/* ---- captures ---- */

/* A capture under way: the moving piece is lifted from the board (T15). */
struct capture {
    struct board board;
    char man;
    struct square at;
    int taken;
    int right, up; /* the direction of the last jump */
    char text[REFERENCE_MOVE_TEXT];
};

/* The longest captures found so far (T18). */
struct longest {
    int taken;
    struct reference_moves moves;
};

static bool may_jump(const struct capture *capture, struct square to, struct square *taken)
{
    const struct board *board = &capture->board;
    char enemy = board->side == 'W' ? 'B' : 'W';

    if (!in_line(capture->at, to) || board->man[to.file][to.rank] != '-')
        return false;
    if (men_between(board, capture->at, to, taken) != 1)
        return false; /* T14: own pieces and two in a row stop it */
    if (!is_of(board->man[taken->file][taken->rank], enemy))
        return false; /* an own piece, or one that is taken already (T16 end) */
    if (is_king(capture->man))
        return true;                                                                      /* T14 */
    return distance(capture->at, to) == 2 && !is_backward(capture->man, capture->at, to); /* T13 */
}

/* T17: straight on or by 90 degrees, but not back. */
static bool turns_back(const struct capture *capture, struct square to)
{
    return capture->taken > 0 && sign(to.file - capture->at.file) == -capture->right &&
           sign(to.rank - capture->at.rank) == -capture->up;
}

static struct capture after_jump(const struct reference_options *options,
                                 const struct capture *capture, struct square to,
                                 struct square taken)
{
    struct capture next = *capture;
    size_t len = strlen(capture->text);

    next.board.man[taken.file][taken.rank] =
        reference_option_is(options, "removal", "end") ? 'x' : '-'; /* T16 */
    next.right = sign(to.file - capture->at.file);
    next.up = sign(to.rank - capture->at.rank);
    next.at = to;
    next.taken++;
    if (on_last_rank(next.man, to) && reference_option_is(options, "promotion", "immediate"))
        next.man = (char)toupper(next.man); /* T21 */
    snprintf(next.text + len, sizeof(next.text) - len, "x%c%d", 'a' + to.file, to.rank + 1);
    return next;
}

/* T18: keeps a capture if none is longer. */
static void keep(struct longest *longest, const struct capture *capture)
{
    struct board board = capture->board;
    char after[REFERENCE_TEXT];

    if (capture->taken < longest->taken)
        return;
    if (capture->taken > longest->taken)
        reference_free(&longest->moves);
    longest->taken = capture->taken;
    finish(&board, capture->at, capture->man, true, after);
    reference_add(&longest->moves, capture->text, after);
}

/* Plays a capture on in every way; one that cannot go on is at its end (T18). */
static void capture_on(const struct reference_options *options, const struct capture *capture,
                       struct longest *longest)
{
    bool stops = capture->taken > 0 && !is_king(capture->man) &&
                 on_last_rank(capture->man, capture->at) &&
                 reference_option_is(options, "promotion", "stop"); /* T21 */
    bool goes_on = false;

    for (int file = 0; file < SIDE && !stops; file++)
        for (int rank = 0; rank < SIDE; rank++) {
            struct square to = {file, rank}, taken;
            struct capture next;

            if (!may_jump(capture, to, &taken))
                continue;
            if (turns_back(capture, to) && reference_option_is(options, "turn180", "forbidden"))
                continue;
            next = after_jump(options, capture, to, taken);
            capture_on(options, &next, longest);
            goes_on = true;
        }
    if (capture->taken > 0 && !goes_on)
        keep(longest, capture);
}

static void capture_from(const struct reference_options *options, const struct board *board,
                         struct square from, struct longest *longest)
{
    struct capture capture = {.board = *board, .man = board->man[from.file][from.rank], .at = from};

    capture.board.man[from.file][from.rank] = '-'; /* T15 */
    snprintf(capture.text, sizeof(capture.text), "%c%d", 'a' + from.file, from.rank + 1);
    capture_on(options, &capture, longest);
}

static struct reference_moves captures(const struct reference_options *options,
                                       const struct board *board)
{
    struct longest longest = {0, {NULL, 0, 0}};

    for (int file = 0; file < SIDE; file++)
        for (int rank = 0; rank < SIDE; rank++)
            if (is_of(board->man[file][rank], board->side))
                capture_from(options, board, (struct square){file, rank}, &longest);
    return longest.moves;
}

static void add_steps(const struct board *board, struct square from, struct reference_moves *moves)
{
    for (int file = 0; file < SIDE; file++)
        for (int rank = 0; rank < SIDE; rank++)
            if (may_step(board, from, (struct square){file, rank}))
                add_step(board, from, (struct square){file, rank}, moves);
}

static struct reference_moves draughts_moves(const struct reference_options *options,
                                             const char *position)
{
    struct board board = read_board(position);
    struct reference_moves moves = captures(options, &board);

    if (moves.len == 0) /* T8, T12 */
        for (int file = 0; file < SIDE; file++)
            for (int rank = 0; rank < SIDE; rank++)
                if (is_of(board.man[file][rank], board.side))
                    add_steps(&board, (struct square){file, rank}, &moves);
    reference_sort(&moves);
    return moves;
}

/* ---- the end of the game ---- */

static int count(const struct board *board, char side, bool kings_only)
{
    int n = 0;

    for (int file = 0; file < SIDE; file++)
        for (int rank = 0; rank < SIDE; rank++)
            n += is_of(board->man[file][rank], side) &&
                 (is_king(board->man[file][rank]) || !kings_only);
    return n;
}

/* T25, with one piece a side. */
static struct reference_outcome one_against_one(const struct reference_options *options,
                                                const struct board *board)
{
    const char *rule = reference_option(options, "one_v_one");
    struct reference_moves capture = captures(options, board);
    bool can_capture = capture.len > 0;
    int white_kings = count(board, 'W', true), black_kings = count(board, 'B', true);

    reference_free(&capture);
    if (strcmp(rule, "strict") == 0)
        return (struct reference_outcome){"one_v_one", 0};
    if (strcmp(rule, "off") == 0 || can_capture)
        return (struct reference_outcome){NULL, 0};
    if (strcmp(rule, "king_wins") == 0 && white_kings != black_kings)
        return (struct reference_outcome){"one_v_one", white_kings > black_kings ? 1 : 2};
    if (strcmp(rule, "king_wins") == 0 && white_kings == 0)
        return (struct reference_outcome){NULL, 0};
    return (struct reference_outcome){"one_v_one", 0};
}

static bool can_move(const struct reference_options *options, const char *position)
{
    struct reference_moves moves = draughts_moves(options, position);
    bool some = moves.len > 0;

    reference_free(&moves);
    return some;
}

/* T22: the tests in their order, for the player to move. */
static struct reference_outcome draughts_outcome(const struct reference_options *options,
                                                 const struct reference_line *line)
{
    struct board board = read_board(reference_present(line));
    int opponent = board.side == 'W' ? 2 : 1;
    long repetition = reference_option_number(options, "repetition");
    long no_progress = reference_option_number(options, "no_progress");

    if (count(&board, board.side, false) == 0)
        return (struct reference_outcome){"no_pieces", opponent}; /* T23 */
    if (!can_move(options, reference_present(line)))
        return (struct reference_outcome){"blocked", opponent}; /* T24 */
    if (count(&board, 'W', false) == 1 && count(&board, 'B', false) == 1) {
        struct reference_outcome ended = one_against_one(options, &board);

        if (ended.reason != NULL)
            return ended;
    }
    if (repetition > 0 &&
        reference_occurrences(&reference_turkish_draughts, line) >= (size_t)repetition)
        return (struct reference_outcome){"repetition", 0}; /* T26 */
    if (no_progress > 0 && board.quiet >= no_progress)
        return (struct reference_outcome){"no_progress", 0}; /* T27 */
    return (struct reference_outcome){NULL, 0};
}

const struct reference_game reference_turkish_draughts = {
    .name = "turkish-draughts",
    .start = draughts_start,
    .moves = draughts_moves,
    .outcome = draughts_outcome,
    .identity = draughts_identity,
};
