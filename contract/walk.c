/* walk.c - random games of every game under every option. */
#include "contract/walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/promise.h"

enum { LEAST_SETTINGS = 4, RANDOM_SETTINGS = 8, VALUE_TEXT = 16 };

/* ---- settings ---- */

static size_t choices(const struct rules_option *option)
{
    size_t n = 0;

    while (option->choices[n] != NULL)
        n++;
    return n;
}

/* How many values of an option get a setting of their own. */
static size_t interesting_values(const struct rules_option *option)
{
    switch (option->kind) {
    case RULES_OPTION_INT:
        return option->zero_is_off ? 4 : 3;
    case RULES_OPTION_BOOL:
        return 2;
    case RULES_OPTION_CHOICE:
    case RULES_OPTION_START:
        break;
    }
    return choices(option);
}

static const char *interesting_value(const struct rules_option *option, size_t i)
{
    static char text[RULES_OPTIONS_MAX][VALUE_TEXT];
    static size_t used;
    const int32_t numbers[] = {option->min, option->max, option->min + 1, 0};

    if (option->kind == RULES_OPTION_BOOL)
        return i == 0 ? "false" : "true";
    if (option->kind != RULES_OPTION_INT)
        return option->choices[i];
    used = (used + 1) % RULES_OPTIONS_MAX;
    snprintf(text[used], VALUE_TEXT, "%d", (int)numbers[i]);
    return text[used];
}

static void give(const struct rules_game *game, struct rules_options *options, size_t option,
                 size_t value, char setting[WALK_SETTING_TEXT])
{
    const char *name = game->options[option].name;
    const char *text = interesting_value(&game->options[option], value);
    size_t len = strlen(setting);
    struct rules_refusal why;

    snprintf(setting + len, WALK_SETTING_TEXT - len, " %s=%s", name, text);
    PROMISE(rules_option_set(game, options, name, text, &why), "%s:%s is refused", game->name,
            setting);
}

static void give_at_random(const struct rules_game *game, struct rules_options *options,
                           uint64_t seed, char setting[WALK_SETTING_TEXT])
{
    for (size_t i = 0; i < game->noptions; i++)
        if (rules_choose(&seed, 3) > 0)
            give(game, options, i, rules_choose(&seed, interesting_values(&game->options[i])),
                 setting);
}

/* The least of all together makes the smallest boards, on which games come to their rare ends. */
static void give_the_least(const struct rules_game *game, struct rules_options *options,
                           char setting[WALK_SETTING_TEXT])
{
    for (size_t i = 0; i < game->noptions; i++)
        give(game, options, i, 0, setting);
}

size_t walk_settings(const struct rules_game *game)
{
    size_t n = 1 + LEAST_SETTINGS + RANDOM_SETTINGS;

    for (size_t i = 0; i < game->noptions; i++)
        n += interesting_values(&game->options[i]);
    return n;
}

void walk_options(const struct rules_game *game, size_t setting, struct rules_options *options,
                  char text[WALK_SETTING_TEXT])
{
    rules_options_init(options);
    text[0] = '\0';
    if (setting == 0)
        return;
    if (setting <= LEAST_SETTINGS) {
        give_the_least(game, options, text);
        return;
    }
    setting -= LEAST_SETTINGS + 1;
    for (size_t i = 0; i < game->noptions; i++) {
        size_t values = interesting_values(&game->options[i]);

        if (setting < values) {
            give(game, options, i, setting, text);
            return;
        }
        setting -= values;
    }
    give_at_random(game, options, setting, text);
}

/* ---- walking ---- */

uint64_t walk_seed;
char *walk_place;

struct rules_history walk_history(const struct walk *walk)
{
    return (struct rules_history){walk->keys, walk->ply};
}

static void arrive(struct walk *walk)
{
    struct rules_history history = walk_history(walk);

    PROMISE(walk->state.bytes >= 1 && walk->state.bytes <= sizeof(walk->state.w),
            "%s%s at ply %zu: %u bytes", walk->game->name, walk->setting, walk->ply,
            (unsigned)walk->state.bytes);
    walk->nmoves = walk->game->legal(&walk->state, walk->moves, WALK_MOVES_MAX);
    walk->outcome = walk->game->outcome(&walk->state, &history);
    PROMISE(walk->nmoves <= WALK_MOVES_MAX, "%s", walk_where(walk));
}

/* A move that leads back to an earlier position; else the one that was chosen. */
static rules_move homing_move(const struct walk *walk, rules_move chosen)
{
    struct rules_history history = walk_history(walk);
    struct rules_state next;

    for (size_t i = 0; i < walk->nmoves; i++) {
        walk->game->play(&walk->state, walk->moves[i], &next);
        if (rules_occurrences(&history, walk->game->key(&next)) > 0)
            return walk->moves[i];
    }
    return chosen;
}

static void choose(struct walk *walk, bool homing)
{
    walk->next = walk->moves[rules_choose(&walk->seed, walk->nmoves)];
    if (homing && rules_choose(&walk->seed, 2) == 0)
        walk->next = homing_move(walk, walk->next);
}

static void step(struct walk *walk)
{
    struct rules_state next;

    walk->game->play(&walk->state, walk->next, &next);
    walk->keys[walk->ply++] = walk->game->key(&walk->state);
    walk->state = next;
    walk->last = walk->next;
    walk->next = (rules_move){{0, 0}};
    arrive(walk);
}

/* Says where the walk is, for whoever finds that a look did not come back. */
static void look_at(struct walk *walk, void (*look)(struct walk *walk))
{
    if (walk_place != NULL)
        snprintf(walk_place, WALK_WHERE_TEXT, "%s", walk_where(walk));
    look(walk);
}

static void walk_one(struct walk *walk, size_t plies, bool homing, void (*look)(struct walk *walk))
{
    arrive(walk);
    while (walk->ply < plies && walk->nmoves > 0 && walk->outcome.status == RULES_ONGOING) {
        choose(walk, homing);
        look_at(walk, look);
        step(walk);
    }
    look_at(walk, look);
}

/* How many rounds, each with other seeds: CONTRACT_ROUNDS in the environment. */
static size_t rounds(void)
{
    const char *value = getenv("CONTRACT_ROUNDS");

    return value != NULL ? (size_t)strtoul(value, NULL, 10) : 1;
}

void walk_all(const struct rules_game *game, size_t plies, bool homing,
              void (*look)(struct walk *walk))
{
    static rules_move moves[WALK_MOVES_MAX];
    static uint64_t keys[WALK_PLIES_MAX];
    struct walk walk = {.game = game};

    PROMISE(plies < WALK_PLIES_MAX, "%s", game->name);
    for (size_t round = 0; round < rounds(); round++)
        for (size_t setting = 0; setting < walk_settings(game); setting++) {
            struct rules_refusal why;

            walk = (struct walk){.game = game, .moves = moves, .keys = keys};
            walk.seed = setting + 1000 * (round + walk_seed);
            walk_options(game, setting, &walk.options, walk.setting);
            if (rules_start(game, &walk.options, NULL, &walk.state, &why))
                walk_one(&walk, plies, homing, look);
            else
                PROMISE(why.code == RULES_BAD_OPTION, "%s:%s", walk.game->name, walk.setting);
        }
}

bool walk_pick(const struct walk *walk, size_t most, size_t i, rules_move *move)
{
    size_t n = walk->nmoves < most ? walk->nmoves : most;

    if (i >= n)
        return false;
    *move = walk->moves[(i * walk->nmoves + walk->ply % walk->nmoves) / n % walk->nmoves];
    return true;
}

const char *walk_where(const struct walk *walk)
{
    static char where[WALK_WHERE_TEXT];
    char position[RULES_POSITION_TEXT];

    walk->game->position_text(&walk->state, position);
    snprintf(where, sizeof(where), "%s%s at ply %zu, %s", walk->game->name, walk->setting,
             walk->ply, position);
    return where;
}
