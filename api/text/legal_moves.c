#include "api/text/legal_moves.h"

#include <stdlib.h>
#include <string.h>

#include "api/text/move_text.h"

static int compare_texts(const void *a, const void *b)
{
    const char *const *left = a, *const *right = b;

    return strcmp(*left, *right);
}

/* A count of moves to be listed begins with the cheap question whether there are few. Where there
 * are many, counting them could take much longer than listing the first. */
static size_t list(struct arena *arena, const struct rules_game *game,
                   const struct rules_state *state, rules_move **moves)
{
    size_t max = rules_is_heavy(game, state) ? LEGAL_MOVES_MAX : game->count(state);

    *moves = arena_alloc(arena, (max + 1) * sizeof(**moves));
    return game->legal(state, *moves, max);
}

size_t legal_moves(struct arena *arena, const struct rules_game *game,
                   const struct rules_state *state, rules_move **moves)
{
    size_t n = list(arena, game, state, moves);

    return n < LEGAL_MOVES_MAX ? n : LEGAL_MOVES_MAX;
}

bool legal_moves_can_list(struct arena *arena, const struct rules_game *game,
                          const struct rules_state *state)
{
    rules_move *moves;

    return !rules_is_heavy(game, state) || list(arena, game, state, &moves) <= LEGAL_MOVES_MAX;
}

size_t legal_moves_texts(struct arena *arena, const struct rules_game *game,
                         const struct rules_state *state, const char ***texts)
{
    rules_move *moves;
    size_t n = legal_moves(arena, game, state, &moves);

    *texts = arena_alloc(arena, (n + 1) * sizeof(**texts));
    for (size_t i = 0; i < n; i++)
        (*texts)[i] = move_text(arena, game, state, moves[i]);
    qsort(*texts, n, sizeof(**texts), compare_texts);
    return n;
}

/* ---- why a man may not move at all ---- */

/* Whether the first click of any legal move is this one. */
static bool begins_a_move(struct arena *arena, const struct rules_game *game,
                          const struct rules_state *state, const char *click)
{
    char path[RULES_PATH_MAX][RULES_SQUARE_TEXT];
    rules_move *moves;
    size_t n = legal_moves(arena, game, state, &moves);

    for (size_t i = 0; i < n; i++)
        if (game->path(state, moves[i], path) > 0 && strcmp(path[0], click) == 0)
            return true;
    return false;
}

/* How little is wrong with a move: what its man can never do counts for less than what stands in
 * the way now, and that for less than a rule of the game, such as that others must take. */
static int nearness(enum rules_code code)
{
    switch (code) {
    case RULES_BAD_MOVE_TEXT:
    case RULES_OUT_OF_BOARD:
        return 0;
    case RULES_EMPTY_SQUARE:
    case RULES_NOT_YOUR_PIECE:
        return 1;
    case RULES_WRONG_SHAPE:
        return 2;
    case RULES_OCCUPIED:
        return 3;
    case RULES_BLOCKED:
        return 4;
    default:
        return 5 + (int)code;
    }
}

static unsigned apart(unsigned a, unsigned b)
{
    return a > b ? a - b : b - a;
}

/* How far two squares lie apart: of moves that are refused alike, the shortest is told. From a hand
 * all are alike. */
static unsigned distance(struct rules_board board, const char *click, unsigned to)
{
    unsigned from;

    if (rules_square_read(board, click, &from) == 0)
        return 0;
    return apart(from / board.width, to / board.width) +
           apart(from % board.width, to % board.width);
}

bool legal_moves_stuck(struct arena *arena, const struct rules_game *game,
                       const struct rules_state *state, const char *click, const char **text,
                       struct rules_refusal *why)
{
    struct rules_board board = game->board(state);
    unsigned squares = (unsigned)board.width * board.height, shortest = 0;
    int nearest = 0;

    if (rules_is_heavy(game, state) || begins_a_move(arena, game, state, click))
        return false;
    for (unsigned i = 0; i < squares; i++) {
        unsigned to = game->to_move(state) == 1 ? i : squares - 1 - i; /* forward comes first */
        unsigned far = distance(board, click, to);
        char square[RULES_SQUARE_TEXT], made[RULES_CLICKS_TEXT];
        const char *const clicks[] = {click, square};
        struct rules_refusal refusal;
        rules_move move;

        rules_square_text(board, to, square);
        if (strcmp(click, square) == 0)
            continue;
        rules_clicks_text(game, state, clicks, 2, made);
        if (game->read_move(state, made, &move, &refusal) || nearness(refusal.code) < nearest ||
            (nearness(refusal.code) == nearest && far >= shortest))
            continue;
        nearest = nearness(refusal.code);
        shortest = far;
        *text = arena_format(arena, "%s", made);
        *why = refusal;
    }
    return nearest > 0;
}
