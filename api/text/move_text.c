#include "api/text/move_text.h"

#include <string.h>

#include "api/text/legal_moves.h"
#include "api/text/out.h"

const char *move_text(struct arena *arena, const struct rules_game *game,
                      const struct rules_state *state, rules_move move)
{
    char *text = arena_alloc(arena, RULES_MOVE_TEXT);

    game->move_text(state, move, text);
    return text;
}

const char *move_text_pretty(struct arena *arena, const struct rules_game *game,
                             const struct rules_state *state, rules_move last, rules_move move)
{
    char *text;

    if (game->pretty == NULL)
        return move_text(arena, game, state, move);
    text = arena_alloc(arena, RULES_PRETTY_TEXT);
    game->pretty(state, last, move, text);
    return text;
}

bool move_text_is_written(const struct rules_game *game)
{
    return game->pretty != NULL && game->drawing.files != NULL && game->drawing.ranks != NULL;
}

const char *move_text_squares(struct arena *arena, const struct rules_game *game,
                              struct rules_board board, const char *text)
{
    struct out out;

    out_init(&out, arena);
    while (*text != '\0') {
        unsigned square;
        size_t len = rules_square_read(board, text, &square);

        if (len == 0) {
            out_bytes(&out, text++, 1);
            continue;
        }
        out_add(&out, game->drawing.files[square % board.width]);
        out_add(&out, game->drawing.ranks[square / board.width]);
        text += len;
    }
    return out.text;
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

bool move_text_stuck(struct arena *arena, const struct rules_game *game,
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
