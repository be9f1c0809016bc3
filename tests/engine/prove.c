/* prove.c - a slow proof that a side wins by force. */
#include "prove.h"

enum { MOVES = 1024 };

static bool is_check(const struct rules_game *game, const struct rules_state *state)
{
    return (game->key(state) & 1) != 0;
}

bool prove_win(const struct rules_game *game, const struct rules_state *state, unsigned plies)
{
    rules_move moves[MOVES];
    size_t n = game->legal(state, moves, MOVES);
    struct rules_state next;

    for (size_t i = 0; i < n; i++) {
        game->play(state, moves[i], &next);
        if (is_check(game, &next) && !prove_escape(game, &next, plies - 1))
            return true;
    }
    return false;
}

bool prove_escape(const struct rules_game *game, const struct rules_state *state, unsigned plies)
{
    rules_move moves[MOVES];
    size_t n = game->legal(state, moves, MOVES);
    struct rules_state next;

    if (n > 0 && plies == 0)
        return true;
    for (size_t i = 0; i < n; i++) {
        game->play(state, moves[i], &next);
        if (!prove_win(game, &next, plies - 1))
            return true;
    }
    return false;
}
