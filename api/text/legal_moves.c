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
