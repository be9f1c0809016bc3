/* view_options.c - options of games, from JSON and back (view.h). */
#include <string.h>

#include "view.h"

bool options_from_fields(const struct rules_game *game, struct json_fields *fields,
                         struct rules_options *options)
{
    const char *key, *value;
    struct rules_refusal why;

    for (size_t i = 0; json_each_scalar(fields, i, &key, &value); i++)
        if (!rules_option_set(game, options, key, value, &why)) {
            json_refuse(fields, rules_code_text(why.code), key,
                        refusal_text(fields->arena, game, NULL, NULL, &why));
            return false;
        }
    return fields->error->code == NULL;
}

bool options_from_json(const struct rules_game *game, struct arena *arena, const char *text,
                       struct rules_options *options, struct json_error *error)
{
    struct cJSON *object = json_read(arena, text, strlen(text), error);
    struct json_fields fields;
    bool ok;

    rules_options_init(options);
    if (object == NULL)
        return false;
    json_fields(&fields, arena, object, error);
    ok = options_from_fields(game, &fields, options);
    if (ok && options->position != NULL) /* it lies in the object */
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

    shown.position = start;
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
            json_raw(&json, text);
    }
    json_close(&json, '}');
    return json.text;
}
