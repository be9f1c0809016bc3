#include "api/text/move_text.h"

#include <stdlib.h>
#include <string.h>

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
    size_t max = rules_is_heavy(game, state) ? MOVE_TEXT_LEGAL_MAX : game->count(state);

    *moves = arena_alloc(arena, (max + 1) * sizeof(**moves));
    return game->legal(state, *moves, max);
}

size_t move_text_moves(struct arena *arena, const struct rules_game *game,
                       const struct rules_state *state, rules_move **moves)
{
    size_t n = list(arena, game, state, moves);

    return n < MOVE_TEXT_LEGAL_MAX ? n : MOVE_TEXT_LEGAL_MAX;
}

bool move_text_can_list(struct arena *arena, const struct rules_game *game,
                        const struct rules_state *state)
{
    rules_move *moves;

    return !rules_is_heavy(game, state) || list(arena, game, state, &moves) <= MOVE_TEXT_LEGAL_MAX;
}

size_t move_text_legal(struct arena *arena, const struct rules_game *game,
                       const struct rules_state *state, const char ***texts)
{
    rules_move *moves;
    size_t n = move_text_moves(arena, game, state, &moves);

    *texts = arena_alloc(arena, (n + 1) * sizeof(**texts));
    for (size_t i = 0; i < n; i++)
        (*texts)[i] = move_text(arena, game, state, moves[i]);
    qsort(*texts, n, sizeof(**texts), compare_texts);
    return n;
}
