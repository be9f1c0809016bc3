#include "api/endpoints/input.h"

#include <stdlib.h>
#include <string.h>

#include "api/game/ids.h"
#include "api/game/name.h"
#include "api/http/body.h"
#include "api/http/page.h"
#include "api/http/query.h"
#include "api/http/reply_problem.h"
#include "api/text/arena.h"
#include "api/text/chars.h"
#include "api/text/options.h"
#include "api/text/problem.h"
#include "api/text/suggest.h"
#include "api/view/game.h"
#include "api/view/view.h"

bool input_id(struct request *request, db_id *id)
{
    if (ids_read(request->param[0], id))
        return true;
    reply_problem(
        request, PROBLEM_NO_SUCH_GAME,
        "That is not the id of a game: ids have 26 small letters and digits. POST /v1/games "
        "makes a game and tells its id.");
    return false;
}

/* The names of all games, and NULL behind them. */
static const char **names_of_games(struct arena *arena)
{
    const char **names = arena_zero(arena, (rules_games() + 1) * sizeof(*names));

    for (size_t i = 0; i < rules_games(); i++)
        names[i] = rules_game(i)->name;
    return names;
}

const char *input_variants(struct arena *arena, const char *word)
{
    const char **names = names_of_games(arena);

    if (word == NULL)
        return arena_format(arena, "Name the game: %s.", options_in_words(arena, names, " or "));
    return arena_format(arena, "No game has that name.%s",
                        suggest_text(arena, word, names, rules_games()));
}

const struct rules_game *input_variant(struct request *request)
{
    const struct rules_game *game = rules_find(request->param[0]);

    if (game == NULL)
        reply_problem(request, PROBLEM_NO_SUCH_VARIANT,
                      input_variants(&request->arena, request->param[0]));
    return game;
}

bool input_choice(struct request *request)
{
    struct view_choice *choice = arena_zero(&request->arena, sizeof(*choice));

    request->choice = choice;
    return query_words(request, "fields", view_members, &choice->fields) &&
           query_words(request, "include", view_extra_members, &choice->include);
}

bool input_no_query(struct request *request)
{
    static const char *const known[] = {NULL};

    return query_ok(request, known);
}

bool input_page(struct request *request)
{
    static const char *const known[] = {"lang", NULL};

    if (!query_ok(request, known))
        return false;
    page_speak(request);
    return true;
}

bool input_no_body(struct request *request)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_value *body = body_read(request, NULL);
    struct json_fields fields;

    if (body == NULL)
        return false;
    json_fields(&fields, &request->arena, body, &error);
    return body_done(request, body, &fields);
}

bool input_only_choice(struct request *request)
{
    static const char *const known[] = {"include", "lang", NULL};

    return query_ok(request, known) && input_choice(request);
}

bool input_name(struct json_fields *fields, bool needed, const char **name)
{
    const char *text, *detail;

    if (!json_take_string(fields, "name", REQUEST_BODY_MAX, &text))
        return false;
    text = name_trim(fields->arena, text);
    if (*text == '\0' && !needed)
        return false;
    detail = name_refusal(fields->arena, text);
    if (detail != NULL) {
        json_refuse(fields, PROBLEM_BAD_PARAMETER, "name", detail);
        return false;
    }
    *name = text;
    return true;
}

/* Forms end their lines as HTTP does. */
static char *usual_lines(struct arena *arena, const char *text)
{
    char *copy = arena_copy(arena, text, strlen(text)), *to = copy;

    for (const char *from = copy; *from != '\0'; from++)
        if (from[0] != '\r' || from[1] != '\n')
            *to++ = *from;
    *to = '\0';
    return copy;
}

bool input_text(struct json_fields *fields, size_t most, const char **text)
{
    const char *given, *detail = NULL;
    uint32_t unfit;

    if (!json_take_string(fields, "text", REQUEST_BODY_MAX, &given))
        return false;
    given = name_trim(fields->arena, usual_lines(fields->arena, given));
    unfit = name_unfit_text(given);
    if (chars_count(given) > most)
        detail = arena_format(fields->arena, "At most %zu characters are expected.", most);
    else if (unfit != 0)
        detail = arena_format(fields->arena,
                              "The character U+%04X may not stand there: it cannot be seen, or it "
                              "disturbs the text around it.",
                              unfit);
    if (detail != NULL) {
        json_refuse(fields, PROBLEM_BAD_PARAMETER, "text", detail);
        return false;
    }
    *text = given;
    return true;
}

/* strtol() would take blanks and a plus sign too; an address has one form for a ply. */
bool input_ply(struct request *request, int32_t least, int32_t *ply)
{
    const char *text = request->param[1];
    char *end;
    long number = strtol(text, &end, 10);

    *ply = (int32_t)number;
    if (strchr("-0123456789", *text) != NULL && *end == '\0' && number >= least &&
        number <= INT32_MAX)
        return true;
    reply_problem(request, PROBLEM_NO_SUCH_PLY,
                  arena_format(&request->arena,
                               "A ply is a whole number from %d on, in decimal digits.", least));
    return false;
}

/* ---- a game's options as parameters of a query: ?options.rules=casual ---- */

enum { NAMES_MAX = 12 };

static const char *parameter(struct request *request, const struct rules_game *game, size_t i)
{
    return arena_format(&request->arena, "options.%s", game->options[i].name);
}

const char *const *input_option_names(struct arena *arena, const struct rules_game *game,
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

bool input_options_read(struct request *request, const struct rules_game *game,
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

bool input_options(struct request *request, const struct rules_game *game,
                   struct rules_options *options)
{
    struct json_error error;
    bool ok = input_options_read(request, game, options, &error);

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

bool input_options_game(struct request *request, const struct rules_game **game)
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
