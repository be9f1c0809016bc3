#include "api/endpoints/games/move_input.h"

#include <string.h>

const char *move_input_text(const struct op *op, const struct rules_state *state, size_t i)
{
    const struct move_args *args = op->args;
    char *text;

    if (args->clicked == 0)
        return args->texts[i];
    text = arena_alloc(&op->request->arena, RULES_CLICKS_TEXT);
    rules_clicks_text(op->live->game, state, args->texts, args->clicked, text);
    return text;
}

bool move_input_is_word(const struct op *op)
{
    const struct move_args *args = op->args;

    return op->live->game->declare != NULL && args->count == 1 && args->clicked == 0 &&
           (strcmp(args->texts[0], "win") == 0 || strcmp(args->texts[0], "resign") == 0);
}
