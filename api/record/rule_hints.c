/* rule_hints.c - suggests the option that would allow a refused start or move. */
#include "api/record/reader.h"

#include <string.h>

#include "api/text/arena.h"
#include "rules/rules.h"

/* Whether another value of one option would allow the start or, if `text` is not NULL, this move of
 * the present position. A move is not allowed if that value ends the game before it. */
static bool would_allow(const struct record_reading *reading, size_t option, int32_t value,
                        const char *position, const char *text)
{
    struct rules_options options = reading->record->options;
    struct rules_state *state = arena_alloc(reading->arena, sizeof(*state));
    struct rules_refusal why;
    rules_move move;

    options.value[option] = value;
    if (!rules_load(reading->game, &options, position, state, &why))
        return false;
    if (text == NULL)
        return true;
    return reading->game
                   ->outcome(state, &(struct rules_history){reading->keys, reading->record->nmoves})
                   .status == RULES_ONGOING &&
           reading->game->read_move(state, text, &move, &why);
}

static bool has_option(const struct rules_game *game, const char *name)
{
    for (size_t i = 0; i < game->noptions; i++)
        if (strcmp(game->options[i].name, name) == 0)
            return true;
    return false;
}

/* An option as the query of an import has it, with the variant if several games have that option.
 */
static const char *in_query(const struct record_reading *reading, const char *name,
                            const char *value)
{
    size_t games = 0;

    for (size_t i = 0; i < rules_games(); i++)
        games += has_option(rules_game(i), name);
    return games == 1 ? arena_format(reading->arena, "options.%s=%s", name, value)
                      : arena_format(reading->arena, "variant=%s&options.%s=%s",
                                     reading->game->name, name, value);
}

const char *record_other_rules(const struct record_reading *reading, const char *position,
                               const char *text)
{
    const struct rules_game *game = reading->game;

    for (size_t i = 0; i < game->noptions; i++) {
        const struct rules_option *option = &game->options[i];

        for (int32_t j = 0; option->kind == RULES_OPTION_CHOICE && option->choices[j] != NULL; j++)
            if (would_allow(reading, i, j, position, text))
                return in_query(reading, option->name, option->choices[j]);
        if (option->zero_is_off && would_allow(reading, i, 0, position, text))
            return in_query(reading, option->name, "0");
    }
    return NULL;
}
