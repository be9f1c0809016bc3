#include "api/endpoints/games/move_input.h"

#include <string.h>

const char *wanted_text(const struct job *job, const struct rules_state *state, size_t i)
{
    const struct move_args *args = job->args;
    char *text;

    if (args->clicked == 0)
        return args->texts[i];
    text = arena_alloc(&job->request->arena, RULES_CLICKS_TEXT);
    rules_clicks_text(job->table->game, state, args->texts, args->clicked, text);
    return text;
}

bool wanted_is_word(const struct job *job)
{
    const struct move_args *args = job->args;

    return job->table->game->declare != NULL && args->count == 1 && args->clicked == 0 &&
           (strcmp(args->texts[0], "win") == 0 || strcmp(args->texts[0], "resign") == 0);
}
