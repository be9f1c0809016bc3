/* options_schema.c - the options of a variant as JSON Schema, by which a client can make a form. */
#include "api/view/catalogue.h"

#include <ctype.h>
#include <string.h>

#include "api/text/lang.h"

static void write_choices(struct json *json, const struct rules_option *option)
{
    json_key(json, "enum");
    json_open(json, '[');
    for (size_t i = 0; option->choices[i] != NULL; i++)
        json_string(json, option->choices[i]);
    json_close(json, ']');
}

static void write_range(struct json *json, const struct rules_option *option)
{
    json_member_int(json, "minimum", option->min);
    json_member_int(json, "maximum", option->max);
}

/* Where 0 turns an option off, there is a gap between 0 and its least value. */
static void write_int(struct json *json, const struct rules_option *option)
{
    json_member(json, "type", "integer");
    if (!option->zero_is_off) {
        write_range(json, option);
        return;
    }
    json_key(json, "anyOf");
    json_open(json, '[');
    json_open(json, '{');
    json_member_int(json, "const", 0);
    json_close(json, '}');
    json_open(json, '{');
    write_range(json, option);
    json_close(json, '}');
    json_close(json, ']');
}

/* A start is one of its names, or a position. */
static void write_schema_start(struct json *json, const struct rules_game *game,
                               const struct rules_option *option)
{
    json_member(json, "type", "string");
    json_key(json, "anyOf");
    json_open(json, '[');
    json_open(json, '{');
    write_choices(json, option);
    json_close(json, '}');
    json_open(json, '{');
    json_member(json, "pattern", game->position.pattern);
    json_close(json, '}');
    json_close(json, ']');
}

static void write_kind(struct json *json, const struct rules_game *game,
                       const struct rules_option *option)
{
    switch (option->kind) {
    case RULES_OPTION_INT:
        write_int(json, option);
        break;
    case RULES_OPTION_BOOL:
        json_member(json, "type", "boolean");
        break;
    case RULES_OPTION_CHOICE:
        json_member(json, "type", "string");
        write_choices(json, option);
        break;
    case RULES_OPTION_START:
        write_schema_start(json, game, option);
        break;
    }
}

static void write_default(struct json *json, const struct rules_option *option)
{
    json_key(json, "default");
    if (option->kind == RULES_OPTION_INT)
        json_int(json, option->fallback);
    else if (option->kind == RULES_OPTION_BOOL)
        json_bool(json, option->fallback != 0);
    else
        json_string(json, option->choices[option->fallback]);
}

/* A name for programs as people read it: "no_progress", "No progress". */
static const char *title_of_name(struct arena *arena, const char *name)
{
    char *title = arena_copy(arena, name, strlen(name));

    *title = (char)toupper((unsigned char)*title);
    for (char *blank = title; (blank = strpbrk(blank, "-_")) != NULL;)
        *blank = ' ';
    return title;
}

static const char *title_of_schema(struct arena *arena, const struct rules_option *option)
{
    return option->title != NULL ? option->title : title_of_name(arena, option->name);
}

void view_options_schema(struct json *json, const struct lang *lang, const struct rules_game *game)
{
    struct arena *arena = json->out.arena;

    json_open(json, '{');
    json_member(json, "$schema", "https://json-schema.org/draft/2020-12/schema");
    json_member(json, "type", "object");
    json_key(json, "properties");
    json_open(json, '{');
    for (size_t i = 0; i < game->noptions; i++) {
        const struct rules_option *option = &game->options[i];
        const char *key = arena_format(arena, "%s.%s", game->name, option->name);

        json_key(json, option->name);
        json_open(json, '{');
        json_member(json, "title", lang_say(lang, LANG_NAME, key, title_of_schema(arena, option)));
        write_kind(json, game, option);
        write_default(json, option);
        json_member(json, "description", lang_say(lang, LANG_OPTION, key, option->doc));
        json_close(json, '}');
    }
    json_close(json, '}');
    json_member_bool(json, "additionalProperties", false);
    json_close(json, '}');
}

void view_option_values(struct json *json, const struct lang *lang, const struct rules_game *game)
{
    struct arena *arena = json->out.arena;

    json_open(json, '{');
    for (size_t i = 0; i < game->noptions; i++) {
        const struct rules_option *option = &game->options[i];

        if (option->choices == NULL)
            continue;
        json_key(json, option->name);
        json_open(json, '{');
        for (const char *const *value = option->choices; *value != NULL; value++)
            json_member(json, *value,
                        lang_say(lang, LANG_VALUE,
                                 arena_format(arena, "%s.%s.%s", game->name, option->name, *value),
                                 title_of_name(arena, *value)));
        json_close(json, '}');
    }
    json_close(json, '}');
}
