/* import_terms.c - how records are to be read. */
#include "api/endpoints/games/import_terms.h"

#include <string.h>

#include "api/endpoints/input.h"
#include "api/http/query.h"
#include "api/http/reply_problem.h"
#include "api/text/arena.h"

static bool read_format(struct request *request, const struct record_format **format)
{
    const char *name = query_text(request, "format");

    if (name == NULL)
        return true;
    *format = record_find_format(name);
    if (*format == NULL)
        reply_problem_at(request, PROBLEM_NO_SUCH_FORMAT, "?format", NULL);
    return *format != NULL;
}

/* The only game that a format serves. NULL: there are several, or no format is named. */
static const struct rules_game *game_of_format(const char *name)
{
    const struct record_format *format = name == NULL ? NULL : record_find_format(name);
    const struct rules_game *game = NULL;

    for (size_t i = 0; format != NULL && i < rules_games(); i++) {
        if (!record_serves(format, rules_game(i)))
            continue;
        if (game != NULL)
            return NULL;
        game = rules_game(i);
    }
    return game;
}

/* Without a name the format tells which game it is, or the options. */
static bool find_unnamed_game(struct request *request, const struct rules_game **game)
{
    *game = game_of_format(query_text(request, "format"));
    return *game != NULL || input_options_game(request, game);
}

static bool read_import_game(struct request *request, const struct rules_game **game)
{
    const char *variant = query_text(request, "variant");

    if (variant == NULL)
        return find_unnamed_game(request, game);
    *game = rules_find(variant);
    if (*game != NULL)
        return true;
    reply_problem_at(request, PROBLEM_NO_SUCH_VARIANT, "?variant", NULL);
    return false;
}

bool import_terms_read(struct request *request, const char *const *others,
                       struct import_terms *terms)
{
    *terms = (struct import_terms){.format = NULL};
    rules_options_init(&terms->options);
    return read_import_game(request, &terms->game) &&
           query_ok(request, input_option_names(&request->arena, terms->game, others)) &&
           read_format(request, &terms->format) &&
           (terms->game == NULL || input_options(request, terms->game, &terms->options));
}

static bool parameter_begins_with(const char *text, size_t len, const char *with)
{
    return len >= strlen(with) && memcmp(text, with, strlen(with)) == 0;
}

const char *import_terms_query(struct request *request)
{
    const char *query = "", *at = request->query;

    while (*at != '\0') {
        size_t len = strcspn(at, "&");

        if (parameter_begins_with(at, len, "format=") ||
            parameter_begins_with(at, len, "variant=") ||
            parameter_begins_with(at, len, "options."))
            query = arena_format(&request->arena, "%s%s%.*s", query, *query == '\0' ? "" : "&",
                                 (int)len, at);
        at += len + (at[len] == '&');
    }
    return query;
}
