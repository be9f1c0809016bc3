/*
 * games.c - the registry: the games of games.def, by number and by name.
 *
 * It is a file of its own so that nothing a game needs leads back to all the other games.
 */
#include "rules/rules.h"

#include <string.h>

#define RULES_GAME(name, folder) extern const struct rules_game rules_##name;
#include "rules/games.def"
#undef RULES_GAME

static const struct rules_game *const games[] = {
#define RULES_GAME(name, folder) &rules_##name,
#include "rules/games.def"
#undef RULES_GAME
};

size_t rules_games(void)
{
    return sizeof(games) / sizeof(games[0]);
}

const struct rules_game *rules_game(size_t i)
{
    return i < rules_games() ? games[i] : NULL;
}

const struct rules_game *rules_find(const char *name)
{
    for (size_t i = 0; i < rules_games(); i++)
        if (strcmp(games[i]->name, name) == 0)
            return games[i];
    return NULL;
}
