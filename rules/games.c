/*
 * games.c - the list of the games: those of games.def, and those that were added (module.h).
 *
 * It is a file of its own so that nothing a game needs leads back to all the other games.
 */
#include "rules/module.h"

#include <string.h>

#include "rules/sound.h"
#include "rules/text.h"

#define RULES_GAME(name, folder) extern const struct rules_module rules_##folder##_module;
#include "rules/games.def"
#undef RULES_GAME

/* The one variable of rules/. */
static const struct rules_module *modules[RULES_GAMES_MAX + 1] = {
#define RULES_GAME(name, folder) &rules_##folder##_module,
#include "rules/games.def"
#undef RULES_GAME
};

size_t rules_games(void)
{
    size_t n = 0;

    while (modules[n] != NULL)
        n++;
    return n;
}

const struct rules_module *rules_module(size_t i)
{
    return i < rules_games() ? modules[i] : NULL;
}

const struct rules_module *rules_module_of(const struct rules_game *game)
{
    for (size_t i = 0; modules[i] != NULL; i++)
        if (modules[i]->game == game)
            return modules[i];
    return NULL;
}

const struct rules_game *rules_game(size_t i)
{
    const struct rules_module *module = rules_module(i);

    return module != NULL ? module->game : NULL;
}

const struct rules_game *rules_find(const char *name)
{
    for (size_t i = 0; modules[i] != NULL; i++)
        if (strcmp(modules[i]->game->name, name) == 0)
            return modules[i]->game;
    return NULL;
}

/* ---- ends and roles as texts, those of the games included ---- */

static const struct {
    const char *text, *meaning;
} reasons[] = {
#define RULES_REASON(id, text, meaning) {text, meaning},
#include "rules/reasons.def"
#undef RULES_REASON
};

static const char *const roles[] = {
#define RULES_ROLE(id, text) text,
#include "rules/roles.def"
#undef RULES_ROLE
};

/* Of a list that may be NULL, what has the number, or the text. */
static const struct rules_own *find_own(const struct rules_own *list, unsigned number,
                                        const char *text)
{
    for (; list != NULL && list->text != NULL; list++)
        if (list->number == number || (text != NULL && strcmp(list->text, text) == 0))
            return list;
    return NULL;
}

static const struct rules_own *find_end(unsigned number, const char *text)
{
    const struct rules_own *end = NULL;

    for (size_t i = 0; modules[i] != NULL && end == NULL; i++)
        end = find_own(modules[i]->game->ends, number, text);
    return end;
}

const char *rules_reason_text(enum rules_reason reason)
{
    const struct rules_own *end = find_end(reason, NULL);

    if (reason < RULES_REASONS)
        return reasons[reason].text;
    return end != NULL ? end->text : NULL;
}

const char *rules_reason_meaning(enum rules_reason reason)
{
    const struct rules_own *end = find_end(reason, NULL);

    if (reason < RULES_REASONS)
        return reasons[reason].meaning;
    return end != NULL ? end->meaning : NULL;
}

enum rules_reason rules_reason_find(const char *text)
{
    const struct rules_own *end = find_end(0, text);

    for (unsigned reason = RULES_REASON_NONE + 1; reason < RULES_REASONS; reason++)
        if (strcmp(reasons[reason].text, text) == 0)
            return (enum rules_reason)reason;
    return end != NULL ? (enum rules_reason)end->number : RULES_REASON_NONE;
}

const char *rules_role_text(enum rules_role role)
{
    const struct rules_own *own = NULL;

    if (role < RULES_ROLES)
        return roles[role];
    for (size_t i = 0; modules[i] != NULL && own == NULL; i++)
        own = find_own(modules[i]->game->roles, role, NULL);
    return own != NULL ? own->text : NULL;
}

/* ---- adding ---- */

static bool is_taken(const struct rules_own *own, const char *by, struct text *fault)
{
    text_string(fault, "gives the number ");
    text_number(fault, own->number);
    text_string(fault, " to ");
    text_string(fault, own->text);
    text_string(fault, ", and another game has it for ");
    text_string(fault, by);
    return true;
}

/* Whether what a game brings along is called, or numbered, as something else is that is there. */
static bool has_taken(const struct rules_game *game, struct text *fault)
{
    for (const struct rules_own *end = game->ends; end != NULL && end->text != NULL; end++) {
        enum rules_reason found = rules_reason_find(end->text);
        const char *known = rules_reason_text((enum rules_reason)end->number);

        if (known != NULL && strcmp(known, end->text) != 0)
            return is_taken(end, known, fault);
        if (found != RULES_REASON_NONE && found != end->number) {
            text_string(fault, "has an end of its own by the name ");
            text_string(fault, end->text);
            text_string(fault, ", which is number ");
            text_number(fault, found);
            return true;
        }
    }
    for (const struct rules_own *role = game->roles; role != NULL && role->text != NULL; role++) {
        const char *known = rules_role_text((enum rules_role)role->number);

        if (known != NULL && strcmp(known, role->text) != 0)
            return is_taken(role, known, fault);
    }
    return false;
}

bool rules_add(const struct rules_module *module, char fault[RULES_FAULT_TEXT])
{
    struct text out = text_open(fault, RULES_FAULT_TEXT);
    size_t n = rules_games();

    if (!rules_is_sound(module, &out) || has_taken(module->game, &out))
        return false;
    if (rules_find(module->game->name) != NULL) {
        text_string(&out, "is a game by the name ");
        text_string(&out, module->game->name);
        text_string(&out, ", and there is one already");
        return false;
    }
    if (n == RULES_GAMES_MAX) {
        text_string(&out, "is one game more than plyd can have");
        return false;
    }
    modules[n] = module;
    return true;
}
