/* sound_words.c - whether the words of a module in other languages are for what is there (sound.h).
 */
#include <string.h>

#include "rules/draw/art.h"
#include "rules/sound.h"

/* Whether a key is this name, with the name of the game and a dot before it. */
static bool is_key(const struct rules_game *game, const char *key, const char *name)
{
    size_t len = strlen(game->name);

    return strncmp(key, game->name, len) == 0 && key[len] == '.' &&
           strcmp(key + len + 1, name) == 0;
}

static bool is_piece(const struct rules_game *game, const char *key)
{
    for (size_t i = 0; i < game->npieces; i++)
        if (is_key(game, key, game->pieces[i].name))
            return true;
    return false;
}

static bool is_zone(const struct rules_game *game, const char *key)
{
    for (size_t i = 0; i < game->nzones; i++)
        if (is_key(game, key, game->zones[i].name))
            return true;
    return false;
}

static bool is_choice(const struct rules_game *game, const char *key)
{
    for (const struct rules_choice *at = game->choices; at != NULL && at->click != NULL; at++)
        if (is_key(game, key, at->click))
            return true;
    return false;
}

/* Games at odds have other names for the sides. */
static bool is_side(const struct rules_game *game, const char *key)
{
    for (size_t i = 0; i < RULES_SEATS; i++) {
        size_t len = strlen(game->seat[i].name);

        if (strncmp(key, game->seat[i].name, len) == 0 &&
            (key[len] == '\0' || (game->at_odds != NULL && strcmp(key + len, "-odds") == 0)))
            return true;
    }
    return false;
}

static bool is_law(const struct rules_game *game, const char *key)
{
    for (size_t i = 0; i < game->nlaws; i++)
        if (strcmp(key, game->laws[i].id) == 0)
            return true;
    return false;
}

/* An end of the game's own: the others have their words in plyd. */
static bool is_own_end(const struct rules_game *game, const char *key)
{
    for (const struct rules_own *end = game->ends; end != NULL && end->text != NULL; end++)
        if (strcmp(key, end->text) == 0)
            return true;
    return false;
}

static bool is_option(const struct rules_game *game, const char *key)
{
    for (size_t i = 0; i < game->noptions; i++)
        if (is_key(game, key, game->options[i].name))
            return true;
    return false;
}

/* An option, or a set of men: "shogi.men.letters". */
static bool has_name(const struct rules_game *game, const char *key)
{
    size_t len = strlen(game->name);

    if (is_option(game, key))
        return true;
    if (strncmp(key, game->name, len) != 0 || strncmp(key + len, ".men.", 5) != 0)
        return false;
    for (const struct rules_set *set = game->art->sets; set != NULL && set->name != NULL; set++)
        if (strcmp(key + len + 5, set->name) == 0)
            return true;
    return false;
}

/* "shogi.rules.casual" */
static bool is_value(const struct rules_game *game, const char *key)
{
    const char *dot = strrchr(key, '.');

    for (size_t i = 0; dot != NULL && i < game->noptions; i++) {
        const struct rules_option *option = &game->options[i];
        size_t len = strlen(game->name), name = strlen(option->name);

        if (strncmp(key, game->name, len) != 0 || key[len] != '.' || key + len + 1 + name != dot ||
            strncmp(key + len + 1, option->name, name) != 0)
            continue;
        for (size_t k = 0; option->choices != NULL && option->choices[k] != NULL; k++)
            if (strcmp(dot + 1, option->choices[k]) == 0)
                return true;
    }
    return false;
}

static bool is_there(const struct rules_game *game, const struct lang_text *word)
{
    switch (word->kind) {
    case LANG_GAME:
    case LANG_MOVES:
    case LANG_DOC:
        return strcmp(word->key, game->name) == 0;
    case LANG_PIECE:
        return is_piece(game, word->key);
    case LANG_SIDE:
        return is_side(game, word->key);
    case LANG_REASON:
    case LANG_MEANING:
        return is_own_end(game, word->key);
    case LANG_LAW:
        return is_law(game, word->key);
    case LANG_OPTION:
        return is_option(game, word->key);
    case LANG_NAME:
        return has_name(game, word->key);
    case LANG_VALUE:
        return is_value(game, word->key);
    case LANG_CHOICE:
        return is_choice(game, word->key);
    case LANG_ZONE:
        return is_zone(game, word->key);
    default:
        return false; /* a word of plyd's own */
    }
}

bool rules_has_sound_words(const struct rules_module *module, struct text *fault)
{
    const struct rules_translation *in = module->translations;

    for (; in != NULL && in->language != NULL; in++)
        for (size_t i = 0; i < in->n; i++) {
            const struct lang_text *word = &in->texts[i];

            if (word->key != NULL && word->text != NULL && is_there(module->game, word))
                continue;
            text_string(fault, "has a word in ");
            text_string(fault, in->language);
            text_string(fault, " for what is not there: ");
            text_string(fault, word->key != NULL ? word->key : "a key that is NULL");
            return false;
        }
    return true;
}
