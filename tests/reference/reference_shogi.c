/* reference_shogi.c - shogi after rules/shogi/shogi.md; its rule numbers are quoted. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference.h"

enum { SIDE = 9, SENTE = 1, GOTE = 2, HAND_KINDS = 7 };

/* 2.2: hands are written in this order. */
static const char hand_order[HAND_KINDS + 1] = "RBGSNLP";

struct piece {
    char letter; /* K R B G S N L P, or 0 where there is none */
    bool promoted;
    int seat;
};

/* 2.1: file 1 is at Sente's right, rank 1 (a) at the top. */
struct square {
    int file, rank;
};

struct board {
    struct piece at[SIDE + 1][SIDE + 1]; /* [file][rank], both from 1 */
    int hand[3][HAND_KINDS];             /* [seat][as in hand_order] */
    int seat;                            /* whose turn it is */
    int number;                          /* of the next move */
};

struct move {
    char drop; /* the letter of a piece from the hand, or 0: a move on the board */
    struct square from, to;
    bool promotes;
};

static int other(int seat)
{
    return seat == SENTE ? GOTE : SENTE;
}

/* ---- position texts (2.2) ---- */

static struct piece read_piece(const char **at)
{
    struct piece piece = {0, false, 0};

    if (**at == '+') {
        piece.promoted = true;
        ++*at;
    }
    piece.seat = isupper((unsigned char)**at) ? SENTE : GOTE;
    piece.letter = (char)toupper(*(*at)++);
    return piece;
}

static void read_rank(struct board *board, int rank, const char **at)
{
    for (int file = SIDE; file > 0;) {
        if (isdigit((unsigned char)**at))
            file -= reference_take_number(at);
        else
            board->at[file--][rank] = read_piece(at);
    }
}

static int hand_index(char letter)
{
    return (int)(strchr(hand_order, letter) - hand_order);
}

static void read_hands(struct board *board, const char **at)
{
    if (**at == '-') {
        ++*at;
        return;
    }
    while (**at != ' ') {
        int n = isdigit((unsigned char)**at) ? reference_take_number(at) : 1;
        struct piece piece = read_piece(at);

        board->hand[piece.seat][hand_index(piece.letter)] += n;
    }
}

static struct board read_board(const char *position)
{
    struct board board = {.number = 0};
    const char *at = position;

    for (int rank = 1; rank <= SIDE; rank++) {
        read_rank(&board, rank, &at);
        reference_take(&at, rank < SIDE ? '/' : ' ');
    }
    board.seat = *at++ == 'b' ? SENTE : GOTE;
    reference_take(&at, ' ');
    read_hands(&board, &at);
    reference_take(&at, ' ');
    board.number = reference_take_number(&at);
    return board;
}

static int as_written(char letter, int seat)
{
    return seat == SENTE ? letter : tolower(letter);
}

static void write_rank(const struct board *board, int rank, char *text)
{
    int empty = 0;

    for (int file = SIDE; file > 0; file--) {
        struct piece piece = board->at[file][rank];

        if (piece.letter == 0) {
            empty++;
            continue;
        }
        if (empty > 0)
            reference_print(text, "%d", empty);
        reference_print(text, "%s%c", piece.promoted ? "+" : "",
                        as_written(piece.letter, piece.seat));
        empty = 0;
    }
    if (empty > 0)
        reference_print(text, "%d", empty);
}

static bool write_hand(const struct board *board, int seat, char *text)
{
    bool some = false;

    for (int i = 0; i < HAND_KINDS; i++) {
        int n = board->hand[seat][i];

        if (n > 1)
            reference_print(text, "%d", n);
        if (n > 0)
            reference_print(text, "%c", as_written(hand_order[i], seat));
        some |= n > 0;
    }
    return some;
}

static void write_board(const struct board *board, char *text)
{
    bool sente_has, gote_has;

    text[0] = '\0';
    for (int rank = 1; rank <= SIDE; rank++) {
        write_rank(board, rank, text);
        reference_print(text, rank < SIDE ? "/" : " ");
    }
    reference_print(text, "%c ", board->seat == SENTE ? 'b' : 'w');
    sente_has = write_hand(board, SENTE, text);
    gote_has = write_hand(board, GOTE, text);
    reference_print(text, "%s %d", sente_has || gote_has ? "" : "-", board->number);
}

static void shogi_identity(const char *position, char *text)
{
    reference_cut(position, 1, text);
}

/* 2.2: hirate. */
static void shogi_start(const struct reference_options *options, char *position)
{
    (void)options;
    strcpy(position, "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
}

/* ---- how the pieces move (3) ---- */

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static int sign(int n)
{
    return (n > 0) - (n < 0);
}

/* Whether nothing stands strictly between two squares of one line. */
static bool is_clear(const struct board *board, struct square from, struct square to)
{
    int file_step = sign(to.file - from.file), rank_step = sign(to.rank - from.rank);
    int file = from.file + file_step, rank = from.rank + rank_step;

    for (; file != to.file || rank != to.rank; file += file_step, rank += rank_step)
        if (board->at[file][rank].letter != 0)
            return false;
    return true;
}

/* Whether a piece that steps may go `forward` (backward if negative) and `aside`. */
static bool steps_like(char letter, int forward, int aside)
{
    bool one_step = larger(abs(forward), aside) == 1;

    switch (letter) {
    case 'P':
        return forward == 1 && aside == 0;
    case 'N':
        return forward == 2 && aside == 1;
    case 'S':
        return one_step && (forward == 1 || (forward == -1 && aside == 1));
    case 'G':
        return one_step && !(forward == -1 && aside == 1);
    case 'K':
        return one_step;
    default:
        return false;
    }
}

static bool reaches(const struct board *board, struct square from, struct square to)
{
    struct piece piece = board->at[from.file][from.rank];
    int forward = piece.seat == SENTE ? from.rank - to.rank : to.rank - from.rank;
    int aside = abs(from.file - to.file);
    bool straight = (forward == 0) != (aside == 0);
    bool diagonal = abs(forward) == aside && aside > 0;

    switch (piece.letter) {
    case 'L':
        if (!piece.promoted)
            return aside == 0 && forward > 0 && is_clear(board, from, to);
        break;
    case 'B':
        return (diagonal && is_clear(board, from, to)) ||
               (piece.promoted && steps_like('K', forward, aside));
    case 'R':
        return (straight && is_clear(board, from, to)) ||
               (piece.promoted && steps_like('K', forward, aside));
    default:
        break;
    }
    return steps_like(piece.promoted ? 'G' : piece.letter, forward, aside);
}

static bool is_attacked(const struct board *board, struct square square, int by)
{
    for (int file = 1; file <= SIDE; file++)
        for (int rank = 1; rank <= SIDE; rank++)
            if (board->at[file][rank].letter != 0 && board->at[file][rank].seat == by &&
                reaches(board, (struct square){file, rank}, square))
                return true;
    return false;
}

static bool find_king(const struct board *board, int seat, struct square *king)
{
    for (int file = 1; file <= SIDE; file++)
        for (int rank = 1; rank <= SIDE; rank++)
            if (board->at[file][rank].letter == 'K' && board->at[file][rank].seat == seat) {
                *king = (struct square){file, rank};
                return true;
            }
    return false;
}

/* A missing king is never in check (2.5). */
static bool in_check(const struct board *board, int seat)
{
    struct square king;

    return find_king(board, seat, &king) && is_attacked(board, king, other(seat));
}

/* ---- moves ---- */

/* The rank as its owner counts: 1 is the farthest. */
static int far_rank(int seat, int rank)
{
    return seat == SENTE ? rank : SIDE + 1 - rank;
}

static bool in_zone(int seat, struct square square)
{
    return far_rank(seat, square.rank) <= 3; /* 4.1 */
}

/* 4.1, 4.4: a piece that could never move again. */
static bool would_be_stuck(char letter, int seat, struct square to)
{
    int rank = far_rank(seat, to.rank);

    return ((letter == 'P' || letter == 'L') && rank == 1) || (letter == 'N' && rank <= 2);
}

/* The board after a move; a captured king enters no hand (5.2). */
static struct board after_move(const struct board *board, const struct move *move)
{
    struct board next = *board;
    struct piece *to = &next.at[move->to.file][move->to.rank];

    if (move->drop != 0) {
        *to = (struct piece){move->drop, false, board->seat};
        next.hand[board->seat][hand_index(move->drop)]--;
    } else {
        struct piece *from = &next.at[move->from.file][move->from.rank];

        if (to->letter != 0 && to->letter != 'K')
            next.hand[board->seat][hand_index(to->letter)]++;
        *to = *from;
        to->promoted |= move->promotes;
        *from = (struct piece){0, false, 0};
    }
    next.seat = other(board->seat);
    next.number++;
    return next;
}

/* 4.3: an own unpromoted pawn stands on the file. */
static bool is_nifu(const struct board *board, int file)
{
    for (int rank = 1; rank <= SIDE; rank++) {
        struct piece piece = board->at[file][rank];

        if (piece.letter == 'P' && !piece.promoted && piece.seat == board->seat)
            return true;
    }
    return false;
}

static bool has_legal_move(const struct board *board, bool casual);

/* 4.5: a dropped pawn gives mate. */
static bool is_drop_pawn_mate(const struct board *board, const struct move *move)
{
    struct board next;

    if (move->drop != 'P')
        return false;
    next = after_move(board, move);
    return in_check(&next, next.seat) && !has_legal_move(&next, false);
}

/* What the standard rules say of a drop on an empty square. */
static bool drop_is_allowed(const struct board *board, const struct move *move)
{
    struct board next = after_move(board, move);

    if (would_be_stuck(move->drop, board->seat, move->to))
        return false; /* 4.4 */
    if (move->drop == 'P' && is_nifu(board, move->to.file))
        return false; /* 4.3 */
    if (in_check(&next, board->seat))
        return false; /* 4.2 */
    return !is_drop_pawn_mate(board, move);
}

/* What the standard rules say of a move of a piece as it moves. */
static bool move_is_allowed(const struct board *board, const struct move *move)
{
    struct piece piece = board->at[move->from.file][move->from.rank];
    struct board next = after_move(board, move);

    if (move->promotes && !in_zone(board->seat, move->from) && !in_zone(board->seat, move->to))
        return false; /* 4.1 */
    if (!move->promotes && !piece.promoted && would_be_stuck(piece.letter, board->seat, move->to))
        return false;                     /* 4.1 */
    return !in_check(&next, board->seat); /* 4.2 */
}

static bool can_promote(struct piece piece)
{
    return !piece.promoted && piece.letter != 'G' && piece.letter != 'K'; /* 3 */
}

static bool board_move_is_legal(const struct board *board, const struct move *move, bool casual)
{
    struct piece piece = board->at[move->from.file][move->from.rank];
    struct piece there = board->at[move->to.file][move->to.rank];

    if (piece.letter == 0 || piece.seat != board->seat)
        return false;
    if (there.letter != 0 && there.seat == board->seat)
        return false;
    if (!reaches(board, move->from, move->to))
        return false;
    if (move->promotes && !can_promote(piece))
        return false;
    if (casual)
        return !move->promotes || in_zone(board->seat, move->to); /* 5.1, 5.3 */
    return move_is_allowed(board, move);
}

static bool drop_is_legal(const struct board *board, const struct move *move, bool casual)
{
    if (board->hand[board->seat][hand_index(move->drop)] == 0)
        return false;
    if (board->at[move->to.file][move->to.rank].letter != 0)
        return false;
    return casual || drop_is_allowed(board, move); /* 5.4 */
}

/* ---- every move ---- */

/* A list that is long enough: the most moves that are known of a position are 593. */
struct moves {
    struct move move[4 * SIDE * SIDE * HAND_KINDS];
    size_t len;
};

static void find_moves_to(const struct board *board, bool casual, struct square to,
                          struct moves *moves)
{
    for (int file = 1; file <= SIDE; file++)
        for (int rank = 1; rank <= SIDE; rank++)
            for (int promotes = 0; promotes < 2; promotes++) {
                struct move move = {0, {file, rank}, to, promotes == 1};

                if (board_move_is_legal(board, &move, casual))
                    moves->move[moves->len++] = move;
            }
    for (int i = 0; i < HAND_KINDS; i++) {
        struct move move = {hand_order[i], {0, 0}, to, false};

        if (drop_is_legal(board, &move, casual))
            moves->move[moves->len++] = move;
    }
}

/* 5.2: under the casual rules a game without a king is over. */
static bool is_over(const struct board *board, bool casual)
{
    struct square king;

    return casual && (!find_king(board, SENTE, &king) || !find_king(board, GOTE, &king));
}

static void find_moves(const struct board *board, bool casual, struct moves *moves)
{
    moves->len = 0;
    if (is_over(board, casual))
        return;
    for (int file = 1; file <= SIDE; file++)
        for (int rank = 1; rank <= SIDE; rank++)
            find_moves_to(board, casual, (struct square){file, rank}, moves);
}

static bool has_legal_move(const struct board *board, bool casual)
{
    struct moves moves;

    find_moves(board, casual, &moves);
    return moves.len > 0;
}

/* 2.3 */
static void write_move(const struct move *move, char text[REFERENCE_MOVE_TEXT])
{
    int to_rank = 'a' + move->to.rank - 1;

    if (move->drop != 0)
        snprintf(text, REFERENCE_MOVE_TEXT, "%c*%d%c", move->drop, move->to.file, to_rank);
    else
        snprintf(text, REFERENCE_MOVE_TEXT, "%d%c%d%c%s", move->from.file,
                 'a' + move->from.rank - 1, move->to.file, to_rank, move->promotes ? "+" : "");
}

static void add_move(const struct board *board, const struct move *move,
                     struct reference_moves *moves)
{
    struct board next = after_move(board, move);
    char text[REFERENCE_MOVE_TEXT], after[REFERENCE_TEXT];

    write_move(move, text);
    write_board(&next, after);
    reference_add(moves, text, after);
}

static bool is_casual(const struct reference_options *options)
{
    return reference_option_is(options, "rules", "casual");
}

static bool shogi_check(const struct reference_options *options, const char *position)
{
    struct board board = read_board(position);

    (void)options;
    return in_check(&board, board.seat);
}

/* ---- impasse (4.8) ---- */

static int points(char letter)
{
    return letter == 'K' ? 0 : letter == 'R' || letter == 'B' ? 5 : 1;
}

static int points_in_hand(const struct board *board, int seat)
{
    int sum = 0;

    for (int i = 0; i < HAND_KINDS; i++)
        sum += board->hand[seat][i] * points(hand_order[i]);
    return sum;
}

/* The points of a seat's pieces on the board, and how many pieces there are but for the king. */
static int points_on_board(const struct board *board, int seat, bool zone_only, int *pieces)
{
    int sum = 0;

    *pieces = 0;
    for (int file = 1; file <= SIDE; file++)
        for (int rank = 1; rank <= SIDE; rank++) {
            struct piece piece = board->at[file][rank];

            if (piece.letter == 0 || piece.seat != seat)
                continue;
            if (zone_only && !in_zone(seat, (struct square){file, rank}))
                continue;
            sum += points(piece.letter);
            *pieces += piece.letter != 'K';
        }
    return sum;
}

/* What a handicap took from the 54 points of the full set. No move changes the sum. A start that is
 * a position is no handicap, whatever is missing there. */
static int missing_points(const struct reference_options *options, const struct board *board)
{
    int sum = 0, pieces;

    if (strchr(reference_option(options, "start"), '/') != NULL)
        return 0;

    for (int seat = SENTE; seat <= GOTE; seat++)
        sum += points_in_hand(board, seat) + points_on_board(board, seat, false, &pieces);
    return 54 - sum;
}

static bool meets_impasse(const struct reference_options *options, const struct board *board)
{
    int seat = board->seat, pieces, sum;
    struct square king;

    if (!find_king(board, seat, &king) || !in_zone(seat, king) || in_check(board, seat))
        return false;
    sum = points_on_board(board, seat, true, &pieces) + points_in_hand(board, seat);
    if (seat == GOTE)
        sum += missing_points(options, board);
    return pieces >= 10 && sum >= (seat == SENTE ? 28 : 27);
}

/* 4.8, auto: the position is won as it stands. */
static bool ends_by_impasse(const struct reference_options *options, const struct board *board)
{
    return reference_option_is(options, "impasse", "auto") && meets_impasse(options, board);
}

static struct reference_moves shogi_moves(const struct reference_options *options,
                                          const char *position)
{
    struct board board = read_board(position);
    struct reference_moves moves = {NULL, 0, 0};
    struct moves found;

    if (ends_by_impasse(options, &board))
        return moves; /* 4.8: won where it stands */
    find_moves(&board, is_casual(options), &found);
    for (size_t i = 0; i < found.len; i++)
        add_move(&board, &found.move[i], &moves);
    reference_sort(&moves);
    return moves;
}

static bool shogi_declare(const struct reference_options *options, const char *position)
{
    struct board board = read_board(position);

    return reference_option_is(options, "impasse", "declare") && meets_impasse(options, &board);
}

/* ---- the end of the game (4.9, 5.2, 5.5) ---- */

static bool same_position(const char *one, const char *other_one)
{
    char a[REFERENCE_TEXT], b[REFERENCE_TEXT];

    shogi_identity(one, a);
    shogi_identity(other_one, b);
    return strcmp(a, b) == 0;
}

static size_t first_occurrence(const struct reference_line *line)
{
    size_t i = 0;

    while (!same_position(line->position[i], reference_present(line)))
        i++;
    return i;
}

/* 4.7: whether a seat is in check whenever it is to move after the position `first`. */
static bool always_in_check(const struct reference_line *line, size_t first, int seat)
{
    for (size_t i = first + 1; i < line->len; i++) {
        struct board board = read_board(line->position[i]);

        if (board.seat == seat && !in_check(&board, seat))
            return false;
    }
    return true;
}

/* 4.7, once the position stands often enough. */
static struct reference_outcome repeated(const struct reference_line *line)
{
    size_t first = first_occurrence(line);
    bool sente_checked = always_in_check(line, first, SENTE);
    bool gote_checked = always_in_check(line, first, GOTE);

    if (sente_checked == gote_checked)
        return (struct reference_outcome){"repetition", 0};
    return (struct reference_outcome){"perpetual_check", sente_checked ? SENTE : GOTE};
}

static struct reference_outcome king_captured(const struct board *board)
{
    struct square king;

    return (struct reference_outcome){"king_captured",
                                      find_king(board, SENTE, &king) ? SENTE : GOTE};
}

static struct reference_outcome shogi_outcome(const struct reference_options *options,
                                              const struct reference_line *line)
{
    struct board board = read_board(reference_present(line));
    bool casual = is_casual(options);
    long repetition = reference_option_number(options, "repetition");
    long max_plies = reference_option_number(options, "max_plies");

    if (is_over(&board, casual))
        return king_captured(&board);
    if (!has_legal_move(&board, casual)) {
        bool mate = !casual && in_check(&board, board.seat);

        return (struct reference_outcome){mate ? "checkmate" : "stalemate", other(board.seat)};
    }
    if (ends_by_impasse(options, &board))
        return (struct reference_outcome){"impasse", board.seat};
    if (repetition > 0 && reference_occurrences(&reference_shogi, line) >= (size_t)repetition)
        return repeated(line);
    if (max_plies > 0 && board.number - 1 >= max_plies)
        return (struct reference_outcome){"max_plies", 0};
    return (struct reference_outcome){NULL, 0};
}

const struct reference_game reference_shogi = {
    .name = "shogi",
    .start = shogi_start,
    .moves = shogi_moves,
    .outcome = shogi_outcome,
    .identity = shogi_identity,
    .check = shogi_check,
    .declare = shogi_declare,
};
