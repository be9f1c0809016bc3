/* plain.c - the plain search: of games with men, and of five in a row. */
#include "tests/bench/plain.h"

#include <string.h>

enum {
    MOVES_MAX = RULES_MOVES_ORDINARY,
    WIN = 10000,
    NOTES = 1 << 20,
    SIDE_MAX = 26,
    EDGE = 1,
    ROW = SIDE_MAX + 2 * EDGE /* squares of a row of the board with its edges */
};

static uint64_t visited;

/* ---- what has been found: it saves time, and changes no score ---- */

static struct note {
    uint64_t key;
    int16_t least, most; /* the score is between them */
    uint16_t best;       /* a move */
} notes[NOTES];

static struct note *note_of(uint64_t key, unsigned depth)
{
    struct note *note;

    key += depth * 0x9e3779b97f4a7c15U;
    note = &notes[key >> 20 & (NOTES - 1)];
    if (note->key != key)
        *note = (struct note){key, -2 * WIN, 2 * WIN, 0};
    return note;
}

static bool is_known(const struct note *note, int32_t alpha, int32_t beta, int32_t *score)
{
    *score = note->least >= beta ? note->least : note->most;
    return note->least >= beta || note->most <= alpha || note->least == note->most;
}

static void keep(uint64_t key, unsigned depth, int32_t alpha, int32_t beta, int32_t score,
                 uint16_t best)
{
    struct note *note = note_of(key, depth);

    note->best = best;
    if (score > alpha)
        note->least = (int16_t)score;
    if (score < beta)
        note->most = (int16_t)score;
}

/* ---- games with men ---- */

static const struct rules_game *game;
static struct rules_state states[PLAIN_DEPTH_MAX + 1];

struct choice {
    rules_move move;
    int32_t gain; /* of material */
};

static struct choice choices[PLAIN_DEPTH_MAX + 1][MOVES_MAX];

static int32_t man_worth(struct rules_man man)
{
    static const int32_t shogi[] = {1, 3, 4, 5, 8, 10, 6, 1000, 6, 6, 6, 6, 10, 12};
    static const int32_t stackchess[] = {3, 9, 3, 5, 3, 1};
    static const int32_t jungle[] = {5, 2, 3, 4, 5, 7, 8, 9};

    switch (game->name[0]) {
    case 's':
        return game->name[1] == 'h' ? shogi[man.kind] : stackchess[man.kind];
    case 'j':
        return jungle[man.kind];
    default:
        return man.kind == 0 ? 1 : 3;
    }
}

/* The kind that a man was before it was promoted. */
static struct rules_man unpromoted(struct rules_man man)
{
    enum { SHOGI_PROMOTED = 8, STACKCHESS_PAWN = 5 };

    if (game->hand != NULL)
        man.kind %= SHOGI_PROMOTED;
    else
        man.kind = game->name[0] == 's' ? STACKCHESS_PAWN : 0;
    return man;
}

static int32_t material(const struct rules_state *state)
{
    static struct rules_man men[RULES_STACK_MAX];
    struct rules_board board = game->board(state);
    unsigned us = game->to_move(state);
    int32_t sum = 0;

    for (unsigned square = 0; square < (unsigned)board.width * board.height; square++) {
        size_t n = game->at(state, square, men, RULES_STACK_MAX);

        for (size_t i = 0; i < n; i++)
            sum += men[i].seat == us ? man_worth(men[i]) : -man_worth(men[i]);
    }
    for (unsigned kind = 0; game->hand != NULL && kind < game->npieces; kind++)
        sum += man_worth((struct rules_man){1, (uint8_t)kind}) *
               ((int32_t)game->hand(state, us, kind) -
                (int32_t)game->hand(state, rules_other(us), kind));
    return sum;
}

/* What a move changes in the material. */
static int32_t gain_of(const struct rules_state *state, rules_move move, bool *takes)
{
    struct rules_effect effect[RULES_EFFECTS_MAX];
    size_t n = game->effects(state, move, effect);
    int32_t gain = 0;

    *takes = false;
    for (size_t i = 0; i < n; i++)
        if (effect[i].type == RULES_EFFECT_CAPTURE) {
            *takes = true;
            gain += man_worth(effect[i].man);
            if (game->hand != NULL)
                gain += man_worth(unpromoted(effect[i].man));
        } else if (effect[i].type == RULES_EFFECT_PROMOTE) {
            gain += man_worth(effect[i].man) - man_worth(unpromoted(effect[i].man));
        }
    return gain;
}

/* Lists the moves, captures first, and of these the ones that gain most. */
static size_t list(unsigned ply)
{
    static rules_move moves[MOVES_MAX];
    size_t n = game->legal(&states[ply], moves, MOVES_MAX), front = 0;
    struct choice *choice = choices[ply];

    n = n < MOVES_MAX ? n : MOVES_MAX;
    for (size_t i = 0; i < n; i++) {
        bool takes;
        struct choice next = {moves[i], gain_of(&states[ply], moves[i], &takes)};
        size_t j = i;

        if (takes) {
            choice[i] = choice[front];
            for (j = front++; j > 0 && choice[j - 1].gain < next.gain; j--)
                choice[j] = choice[j - 1];
        }
        choice[j] = next;
    }
    return n;
}

static int32_t search(unsigned ply, unsigned depth, int32_t worth, int32_t alpha, int32_t beta)
{
    struct rules_outcome outcome = rules_outcome_now(game, &states[ply]);
    int32_t low = alpha, score;
    uint16_t best = 0;
    uint64_t key;
    size_t n;

    visited++;
    if (outcome.status == RULES_DRAWN)
        return 0;
    if (outcome.status == RULES_WON)
        return outcome.winner == game->to_move(&states[ply]) ? WIN + (int32_t)depth
                                                             : -WIN - (int32_t)depth;
    if (depth == 0)
        return worth;
    key = game->key(&states[ply]);
    if (is_known(note_of(key, depth), alpha, beta, &score))
        return score;
    best = note_of(key, depth)->best;
    n = list(ply);
    for (size_t i = 0, first = best; i < n && alpha < beta; i++) {
        size_t at = i == 0 ? first : i <= first ? i - 1 : i;

        game->play(&states[ply], choices[ply][at].move, &states[ply + 1]);
        score = -search(ply + 1, depth - 1, -worth - choices[ply][at].gain, -beta, -alpha);
        if (score > alpha) {
            alpha = score;
            best = (uint16_t)at;
        }
    }
    keep(key, depth, low, beta, alpha, best);
    return alpha;
}

static rules_move choose_with_men(const struct rules_state *state, unsigned depth, uint64_t *seed)
{
    int32_t best = -2 * WIN, worth = material(state);
    rules_move move = {{0, 0}};
    size_t n;

    rules_copy(state, &states[0]);
    n = list(0);
    for (size_t i = 0; i < n; i++) {
        size_t other = i + rules_choose(seed, n - i);
        struct choice next = choices[0][other];
        int32_t score;

        choices[0][other] = choices[0][i];
        game->play(state, next.move, &states[1]);
        score = -search(1, depth - 1, -worth - next.gain, -2 * WIN, -best);
        if (score > best) {
            best = score;
            move = next.move;
        }
    }
    return move;
}

/* ---- five in a row: a board of its own, since this game has more moves than the others ---- */

static struct {
    int height, width, empty;
    int8_t stone[ROW * ROW]; /* 1, -1, 0: empty, EDGE_STONE */
    uint64_t key;
    uint16_t beside[ROW * ROW]; /* stones around a square */
} rows;

enum { EDGE_STONE = 2, LINE = 5 };

static const int step[4] = {1, ROW, ROW + 1, ROW - 1};

static uint64_t key_of(int square, int stone)
{
    uint64_t key = (uint64_t)(2 * square + (stone > 0)) * 0x9e3779b97f4a7c15U;

    key = (key ^ key >> 32) * 0xd6e8feb86659fd93U;
    return key ^ key >> 29;
}

/* What the runs of the line through a square are worth for the side with the stone 1. */
static int32_t line_worth(int square, int along)
{
    int32_t sum = 0, run = 0;
    int at = square, open = 0;

    while (rows.stone[at + along] != EDGE_STONE)
        at += along;
    for (int8_t after = EDGE_STONE; rows.stone[at] != EDGE_STONE; at -= along) {
        int8_t stone = rows.stone[at];

        if (stone != after)
            run = 0;
        if (stone != 0) {
            open = stone == after ? open : after == 0;
            run++;
            sum += open ? stone * run * run : 0;
        }
        after = stone;
    }
    return sum;
}

static int32_t lines_worth(int square)
{
    int32_t sum = 0;

    for (int d = 0; d < 4; d++)
        sum += line_worth(square, step[d]);
    return sum;
}

static bool completes(int square)
{
    for (int d = 0; d < 4; d++) {
        int n = 1;

        for (int at = square + step[d]; rows.stone[at] == rows.stone[square]; at += step[d])
            n++;
        for (int at = square - step[d]; rows.stone[at] == rows.stone[square]; at -= step[d])
            n++;
        if (n >= LINE)
            return true;
    }
    return false;
}

static void set_stone(int square, int stone, int sign)
{
    rows.stone[square] = (int8_t)(sign > 0 ? stone : 0);
    rows.key ^= key_of(square, stone);
    rows.empty -= sign;
    for (int d = 0; d < 4; d++) {
        rows.beside[square + step[d]] = (uint16_t)(rows.beside[square + step[d]] + sign);
        rows.beside[square - step[d]] = (uint16_t)(rows.beside[square - step[d]] + sign);
    }
}

/* Lists the squares beside stones, or all if there are none. */
static size_t list_squares(uint16_t *squares)
{
    size_t n = 0;

    for (int pass = 0; pass < 2 && n == 0; pass++)
        for (int row = 1; row <= rows.height; row++)
            for (int at = row * ROW + 1; at <= row * ROW + rows.width; at++)
                if (rows.stone[at] == 0 && (pass == 1 || rows.beside[at] > 0))
                    squares[n++] = (uint16_t)at;
    return n;
}

/* By what a stone of either side changes there: it saves time, and changes no score. */
static void sort_squares(uint16_t *squares, size_t n, uint16_t best)
{
    int32_t value[SIDE_MAX * SIDE_MAX];

    for (size_t i = 0; i < n; i++) {
        uint16_t square = squares[i];
        int32_t before = lines_worth(square), worth = square == best ? WIN : 0;
        size_t j = i;

        for (int stone = -1; stone <= 1; stone += 2) {
            rows.stone[square] = (int8_t)stone;
            worth += stone * (lines_worth(square) - before) + (completes(square) ? WIN / 4 : 0);
        }
        rows.stone[square] = 0;
        for (; j > 0 && value[j - 1] < worth; j--) {
            value[j] = value[j - 1];
            squares[j] = squares[j - 1];
        }
        value[j] = worth;
        squares[j] = square;
    }
}

static int32_t search_rows(unsigned depth, int side, int32_t worth, int32_t alpha, int32_t beta);

/* The score of a stone on a square, for the side that puts it there. */
static int32_t try_square(int square, unsigned depth, int side, int32_t worth, int32_t alpha,
                          int32_t beta)
{
    int32_t before = lines_worth(square), score;

    set_stone(square, side, 1);
    visited++;
    if (completes(square))
        score = WIN + (int32_t)depth;
    else
        score = -search_rows(depth - 1, -side, worth + lines_worth(square) - before, -beta, -alpha);
    set_stone(square, side, -1);
    return score;
}

/* `worth` is that of the side with the stone 1. */
static int32_t search_rows(unsigned depth, int side, int32_t worth, int32_t alpha, int32_t beta)
{
    uint16_t squares[SIDE_MAX * SIDE_MAX], best;
    int32_t low = alpha, score;
    size_t n;

    if (rows.empty == 0)
        return 0;
    if (depth == 0)
        return side * worth;
    if (is_known(note_of(rows.key, depth), alpha, beta, &score))
        return score;
    best = note_of(rows.key, depth)->best;
    n = list_squares(squares);
    if (depth > 1)
        sort_squares(squares, n, best);
    for (size_t i = 0; i < n && alpha < beta; i++) {
        score = try_square(squares[i], depth, side, worth, alpha, beta);
        if (score > alpha) {
            alpha = score;
            best = squares[i];
        }
    }
    keep(rows.key, depth, low, beta, alpha, best);
    return alpha;
}

/* Copies the board. Returns what its runs are worth. */
static int32_t take_rows(const struct rules_state *state)
{
    struct rules_board board = game->board(state);
    int32_t worth = 0;

    rows.height = board.height;
    rows.width = board.width;
    rows.empty = board.height * board.width;
    rows.key = 0;
    memset(rows.beside, 0, sizeof(rows.beside));
    memset(rows.stone, EDGE_STONE, sizeof(rows.stone));
    for (int row = 1; row <= rows.height; row++)
        memset(&rows.stone[row * ROW + 1], 0, (size_t)rows.width);
    for (int square = 0; square < rows.height * rows.width; square++) {
        int at = (square / rows.width + 1) * ROW + square % rows.width + 1;
        int32_t before = lines_worth(at);
        struct rules_man man;

        if (game->at(state, (unsigned)square, &man, 1) > 0) {
            set_stone(at, man.seat == 1 ? 1 : -1, 1);
            worth += lines_worth(at) - before;
        }
    }
    return worth;
}

static rules_move choose_in_rows(const struct rules_state *state, unsigned depth, uint64_t *seed)
{
    int32_t worth = take_rows(state), best = -2 * WIN;
    int side = game->to_move(state) == 1 ? 1 : -1, found = 0;
    uint16_t squares[SIDE_MAX * SIDE_MAX];
    size_t n = list_squares(squares), all;
    static rules_move moves[MOVES_MAX];

    for (size_t i = 0; i < n; i++) {
        size_t other = i + rules_choose(seed, n - i);
        uint16_t next = squares[other];
        int32_t score;

        squares[other] = squares[i];
        score = try_square(next, depth, side, worth, best, 2 * WIN);
        if (score > best) {
            best = score;
            found = next;
        }
    }
    all = game->legal(state, moves, MOVES_MAX);
    for (size_t i = 0; i < all; i++) {
        struct rules_effect effect[RULES_EFFECTS_MAX];

        game->effects(state, moves[i], effect);
        if ((effect[0].to / rows.width + 1) * ROW + effect[0].to % rows.width + 1 == found)
            return moves[i];
    }
    return moves[0];
}

int32_t plain_takes(const struct rules_game *which, const struct rules_state *state,
                    rules_move move)
{
    struct rules_effect effect[RULES_EFFECTS_MAX];
    size_t n = which->effects(state, move, effect);
    int32_t worth = 0;

    game = which;
    for (size_t i = 0; i < n; i++)
        if (effect[i].type == RULES_EFFECT_CAPTURE)
            worth += man_worth(effect[i].man);
    return worth;
}

rules_move plain_choose(const struct rules_game *which, const struct rules_state *state,
                        unsigned depth, uint64_t *seed, uint64_t *nodes)
{
    rules_move move;

    game = which;
    visited = 0;
    memset(notes, 0, sizeof(notes));
    move = strcmp(game->name, "tictactoe") == 0 ? choose_in_rows(state, depth, seed)
                                                : choose_with_men(state, depth, seed);
    *nodes += visited;
    return move;
}
