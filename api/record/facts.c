#include "api/record/facts.h"

#include <stdlib.h>
#include <string.h>

/* Fills in the defaults of options as rules_start() does, without making a start position. */
static void resolve(const struct rules_game *game, struct rules_options *options)
{
    struct rules_refusal why;

    if (game->resolve != NULL)
        game->resolve(options, &why);
    for (size_t i = 0; i < game->noptions; i++)
        if (options->value[i] == RULES_NOT_GIVEN)
            options->value[i] = game->options[i].fallback;
}

/* The default of an option may depend on the options before it. So each option is compared with the
 * default that it has when only the options before it are set. */
const char *record_options_text(struct arena *arena, const struct record *record)
{
    const struct rules_game *game = record->game;
    char *value = arena_alloc(arena, RULES_POSITION_TEXT);
    struct rules_options given, resolved;
    const char *text = "";

    rules_options_init(&given);
    for (size_t i = 0; i < game->noptions; i++) {
        resolved = given;
        resolve(game, &resolved);
        if (game->options[i].kind == RULES_OPTION_START ||
            resolved.value[i] == record->options.value[i])
            continue;
        given.value[i] = record->options.value[i];
        rules_option_text(game, &record->options, i, value);
        text = arena_format(arena, "%s%s%s=%s", text, *text == '\0' ? "" : " ",
                            game->options[i].name, value);
    }
    return text;
}

/* The number of the first move, which stands behind the last blank of a SFEN. Most formats have no
 * place for it. */
static const char *start_number(const struct record *record)
{
    const char *blank = strrchr(record->start, ' ');

    return blank == NULL ? "1" : blank + 1;
}

/* Whether a reader finds the end by playing the moves alone. A declared win is not found that way,
 * so it has to be written. */
static bool follows_from_moves(const struct record_outcome *outcome)
{
    return outcome->confirmed && outcome->reason != RULES_REASON_IMPASSE;
}

const char *record_facts(struct arena *arena, const struct record *record,
                         const struct record_outcome *said)
{
    const struct record_outcome *outcome = &record->ending.outcome;
    const char *text = record_options_text(arena, record);

    if (strcmp(start_number(record), "1") != 0)
        text = arena_format(arena, "%s number=%s", text, start_number(record));
    if (!record_same_end(said, outcome) && !follows_from_moves(outcome))
        text = arena_format(arena, "%s end=%s winner=%u", text,
                            outcome->end == RECORD_OPEN ? "open" : record_end_text(outcome),
                            outcome->winner);
    while (*text == ' ')
        text++;
    return *text == '\0' ? NULL : text;
}

bool record_names_start(const struct rules_game *game, const struct rules_options *options)
{
    for (size_t i = 0; i < game->noptions; i++)
        if (game->options[i].kind == RULES_OPTION_START)
            return (options->given & 1U << i) != 0;
    return false;
}

static bool take_fact(struct record_reading *reading, const char *name, const char *value)
{
    struct rules_refusal why;

    if (strcmp(name, "end") == 0) {
        reading->told_end = true;
        if (strcmp(value, "open") != 0 && !record_set_end(&reading->ending.outcome, value, 0))
            return record_bad(reading, NULL, "That is not a word for the end of a game.");
        return true;
    }
    if (strcmp(name, "winner") == 0) {
        reading->told_winner = true;
        reading->winner = strcmp(value, "1") == 0 ? 1 : strcmp(value, "2") == 0 ? 2 : 0;
        return true;
    }
    if (strcmp(name, "number") == 0) {
        reading->number = (uint32_t)strtoul(value, NULL, 10);
        return true;
    }
    if (rules_option_set(reading->game, &reading->options, name, value, &why))
        return true;
    return record_refused(reading, &why, NULL, NULL);
}

bool record_take_facts(struct record_reading *reading, const char *facts)
{
    char *list = arena_copy(reading->arena, facts, strlen(facts)), *save = NULL;

    for (char *fact = strtok_r(list, " \t", &save); fact != NULL;
         fact = strtok_r(NULL, " \t", &save)) {
        char *equals = strchr(fact, '=');

        if (equals == NULL)
            return record_bad(reading, NULL, "A fact is written as name=value.");
        *equals = '\0';
        if (!take_fact(reading, fact, equals + 1))
            return false;
    }
    return true;
}
