#include "api/text/options.h"

#include <string.h>

#include "api/text/json.h"

const char *options_in_words(struct arena *arena, const char *const *words, const char *last)
{
    const char *text = words[0];

    for (size_t i = 1; words[i] != NULL; i++)
        text = arena_format(arena, "%s%s%s", text, words[i + 1] == NULL ? last : ", ", words[i]);
    return text;
}

const char *options_expectation(struct arena *arena, const struct rules_option *option)
{
    const char *off = option->zero_is_off && option->min > 0 ? ", or 0 for never," : "";

    switch (option->kind) {
    case RULES_OPTION_INT:
        return arena_format(arena, "A whole number from %d to %d%s is expected.", option->min,
                            option->max, off);
    case RULES_OPTION_BOOL:
        return "true or false is expected.";
    case RULES_OPTION_CHOICE:
        return arena_format(arena, "%s is expected.",
                            options_in_words(arena, option->choices, " or "));
    case RULES_OPTION_START:
        return arena_format(arena, "%s or a position is expected.",
                            options_in_words(arena, option->choices, " or "));
    }
    return "";
}

const char *options_no_such_start(struct arena *arena, const struct rules_game *game,
                                  const struct rules_options *options, const char *position)
{
    const char *start = options->position;

    if (position != NULL || start == NULL || strchr(start, '/') != NULL)
        return NULL;
    for (size_t i = 0; i < game->noptions; i++)
        if (game->options[i].kind == RULES_OPTION_START)
            return options_expectation(arena, &game->options[i]);
    return NULL;
}

/* Why an option was not set: the game has none of that name, or it does not take the value. */
static const char *why_not(struct arena *arena, const struct rules_game *game, const char *name)
{
    const char *names[RULES_OPTIONS_MAX + 1] = {NULL};

    for (size_t i = 0; i < game->noptions; i++) {
        names[i] = game->options[i].name;
        if (strcmp(names[i], name) == 0)
            return options_expectation(arena, &game->options[i]);
    }
    return arena_format(arena, "The options of %s are %s.", game->name,
                        options_in_words(arena, names, " and "));
}

bool options_from_fields(const struct rules_game *game, struct json_fields *fields,
                         struct rules_options *options)
{
    const char *key, *value;
    struct rules_refusal why;

    for (size_t i = 0; json_each_scalar(fields, i, &key, &value); i++)
        if (value == NULL || !rules_option_set(game, options, key, value, &why)) {
            json_refuse(fields, value == NULL ? PROBLEM_RULE_BAD_OPTION : problem_of(why.code), key,
                        why_not(fields->arena, game, key));
            return false;
        }
    return fields->error->code == PROBLEM_NONE;
}

bool options_wish(struct json_fields *fields, struct options_wish *wishes, size_t *n)
{
    struct options_wish wish;

    for (*n = 0; json_each_scalar(fields, *n, &wish.name, &wish.value); (*n)++) {
        if (*n == RULES_OPTIONS_MAX) {
            json_refuse(fields, PROBLEM_RULE_BAD_OPTION, wish.name, "No game has so many options.");
            return false;
        }
        if (wish.value == NULL) {
            json_refuse(fields, PROBLEM_RULE_BAD_OPTION, wish.name,
                        "A text, a number, true or false is expected.");
            return false;
        }
        wishes[*n] =
            (struct options_wish){arena_copy(fields->arena, wish.name, strlen(wish.name)),
                                  arena_copy(fields->arena, wish.value, strlen(wish.value))};
    }
    return fields->error->code == PROBLEM_NONE;
}

bool options_grant(struct arena *arena, const struct rules_game *game,
                   const struct options_wish *wish, struct rules_options *options,
                   enum problem *problem, const char **detail)
{
    struct rules_refusal why;

    if (rules_option_set(game, options, wish->name, wish->value, &why))
        return true;
    *problem = problem_of(why.code);
    *detail = why_not(arena, game, wish->name);
    return false;
}

bool options_from_json(const struct rules_game *game, struct arena *arena, const char *text,
                       struct rules_options *options, struct json_error *error)
{
    struct json_value *object = json_read(arena, text, strlen(text), error);
    struct json_fields fields;
    bool ok;

    rules_options_init(options);
    if (object == NULL)
        return false;
    json_fields(&fields, arena, object, error);
    ok = options_from_fields(game, &fields, options);
    if (ok && options->position != NULL) /* it points into the object, which goes */
        options->position = arena_copy(arena, options->position, strlen(options->position));
    json_free(object);
    return ok;
}

const char *options_to_json(const struct rules_game *game, struct arena *arena,
                            const struct rules_options *options, const char *start)
{
    struct rules_options shown = *options;
    char *text = arena_alloc(arena, RULES_POSITION_TEXT);
    struct json json;

    shown.position = start; /* instead of the text that was sent */
    json_init(&json, arena);
    json_open(&json, '{');
    for (size_t i = 0; i < game->noptions; i++) {
        bool is_text = game->options[i].kind == RULES_OPTION_CHOICE ||
                       game->options[i].kind == RULES_OPTION_START;

        rules_option_text(game, &shown, i, text);
        json_key(&json, game->options[i].name);
        if (is_text)
            json_string(&json, text);
        else
            json_raw(&json, text); /* a number, true or false */
    }
    json_close(&json, '}');
    return json.out.text;
}
