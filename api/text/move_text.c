#include "api/text/move_text.h"

#include <stdlib.h>
#include <string.h>

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

static int compare_texts(const void *a, const void *b)
{
    const char *const *left = a, *const *right = b;

    return strcmp(*left, *right);
}

/* All legal moves. Where the position itself ends the game there are none. */
static size_t legal_moves(struct arena *arena, const struct rules_game *game,
                          const struct rules_state *state, rules_move **moves)
{
    size_t n = game->count(state);

    *moves = arena_alloc(arena, (n + 1) * sizeof(**moves));
    return game->legal(state, *moves, n);
}

size_t move_text_legal(struct arena *arena, const struct rules_game *game,
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
