#include "api/endpoints/option_query.h"

#include "api/http/query.h"
#include "api/http/reply_problem.h"
#include "api/text/arena.h"
#include "api/text/options.h"
#include "api/text/problem.h"

enum { NAMES_MAX = 12 };

static const char *parameter(struct request *request, const struct rules_game *game, size_t i)
{
    return arena_format(&request->arena, "options.%s", game->options[i].name);
}

const char *const *option_query_names(struct arena *arena, const struct rules_game *game,
                                      const char *const *names)
{
    const char **known = arena_alloc(arena, (NAMES_MAX + RULES_OPTIONS_MAX + 1) * sizeof(*known));
    size_t n = 0;

    for (; names[n] != NULL; n++)
        known[n] = names[n];
    for (size_t i = 0; game != NULL && i < game->noptions; i++)
        known[n++] = arena_format(arena, "options.%s", game->options[i].name);
    known[n] = NULL;
    return known;
}

bool option_query_read(struct request *request, const struct rules_game *game,
                       struct rules_options *options, struct json_error *error)
{
    struct rules_refusal why;

    for (size_t i = 0; i < game->noptions; i++) {
        const char *name = parameter(request, game, i);
        const char *value = query_text(request, name);

        if (value != NULL && !rules_option_set(game, options, game->options[i].name, value, &why)) {
            *error = (struct json_error){problem_of(why.code),
                                         arena_format(&request->arena, "?%s", name),
                                         options_expectation(&request->arena, &game->options[i])};
            return false;
        }
    }
    return true;
}

bool option_query(struct request *request, const struct rules_game *game,
                  struct rules_options *options)
{
    struct json_error error;
    bool ok = option_query_read(request, game, options, &error);

    if (!ok)
        reply_problem_at(request, error.code, error.pointer, error.detail);
    return ok;
}

static size_t count_given(struct request *request, const struct rules_game *game)
{
    size_t given = 0;

    for (size_t i = 0; i < game->noptions; i++)
        given += query_text(request, parameter(request, game, i)) != NULL;
    return given;
}

bool option_query_game(struct request *request, const struct rules_game **game)
{
    size_t most = 0;

    *game = NULL;
    for (size_t i = 0; i < rules_games(); i++) {
        size_t given = count_given(request, rules_game(i));

        if (given > most)
            *game = rules_game(i);
        else if (given == most)
            *game = NULL;
        most = given > most ? given : most;
    }
    if (*game == NULL && most > 0)
        reply_problem_at(request, PROBLEM_RULE_BAD_OPTION, "?variant",
                         "Several games have these options. Name the game, too: ?variant=shogi.");
    return *game != NULL || most == 0;
}
