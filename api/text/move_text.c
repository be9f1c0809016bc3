#include "api/text/move_text.h"

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
