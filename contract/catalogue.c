/* catalogue.c - what every game promises of its tables, by which clients are made. */
#include "contract/promise.h"

#include <ctype.h>
#include <regex.h>
#include <string.h>

#include "rules/draw/page.h"
#include "rules/sound.h"

static void the_module_is_sound(const struct rules_game *game)
{
    char text[RULES_FAULT_TEXT];
    struct text fault = text_open(text, sizeof(text));

    PROMISE(rules_is_sound(rules_module_of(game), &fault), "%s %s", game->name, text);
}

/* Whether a text has a number, and not only within a longer one. */
static bool has_number(const char *text, const char *number)
{
    size_t len = strlen(number);

    for (const char *at = text; (at = strstr(at, number)) != NULL; at++)
        if ((at == text || !isalnum((unsigned char)at[-1])) && !isalnum((unsigned char)at[len]))
            return true;
    return false;
}

static void the_rulebook_has_the_number_of_each_law(const struct rules_game *game)
{
    for (size_t i = 0; i < game->nlaws; i++)
        PROMISE(has_number(rules_module_of(game)->rulebook, game->laws[i].number),
                "%s: the rulebook has no number %s", game->laws[i].id, game->laws[i].number);
}

/* ---- pieces and zones ---- */

static void what_stands_for_a_man_is_at_most_two_cells_wide(const struct rules_game *game)
{

    for (size_t i = 0; i < game->npieces * RULES_SEATS; i++)
        PROMISE(page_width(game->pieces[i / 2].symbol[i % 2]) <= 2, "%s", game->pieces[i / 2].name);
    if (game->drawing.facing != NULL)
        PROMISE(page_width(game->drawing.facing) == 1, "%s", game->name);
}

static void every_zone_has_squares(const struct rules_game *game)
{
    struct rules_options options;
    struct rules_state state;
    struct rules_refusal why;
    struct rules_board board;

    rules_options_init(&options);
    PROMISE(rules_start(game, &options, NULL, &state, &why), "%s", game->name);
    board = game->board(&state);
    for (size_t i = 0; i < game->nzones; i++) {
        unsigned squares = 0;

        for (unsigned square = 0; square < board.width * board.height; square++)
            squares += game->zones[i].has(&state, square);
        PROMISE(squares > 0 && squares < board.width * board.height, "%s", game->zones[i].name);
    }
}

/* ---- options ---- */

static void options_that_are_not_given_become_the_defaults(const struct rules_game *game)
{
    struct rules_options options;
    struct rules_state state;
    struct rules_refusal why;

    rules_options_init(&options);
    PROMISE(rules_start(game, &options, NULL, &state, &why), "%s", game->name);
    for (size_t i = 0; i < game->noptions; i++)
        PROMISE(options.value[i] == game->options[i].fallback, "%s", game->options[i].name);
}

static void settings_start_or_are_refused_by_the_name_of_an_option(const struct rules_game *game)
{

    for (size_t i = 0; i < walk_settings(game); i++) {
        struct rules_options options, given;
        struct rules_state state;
        struct rules_refusal why;
        char setting[WALK_SETTING_TEXT];

        walk_options(game, i, &options, setting);
        given = options;
        if (!rules_start(game, &options, NULL, &state, &why)) {
            PROMISE(why.code == RULES_BAD_OPTION, "%s", setting);
            PROMISE(why.option != NULL, "%s", setting);
            continue;
        }
        for (size_t k = 0; k < game->noptions; k++)
            if (given.given & 1U << k)
                PROMISE(options.value[k] == given.value[k], "%s is changed", setting);
            else
                PROMISE(options.value[k] != RULES_NOT_GIVEN, "%s leaves one open", setting);
    }
}

/* ---- grammars ---- */

/* Compiles a pattern with POSIX. All that our patterns use beyond that is "(?:". */
static regex_t compile(const char *pattern)
{
    char posix[1024];
    size_t len = 0;
    regex_t compiled;

    for (; *pattern != '\0'; pattern++) {
        PROMISE(len + 1 < sizeof(posix), "no more room");
        posix[len++] = *pattern;
        if (strncmp(pattern, "(?:", 3) == 0)
            pattern += 2;
    }
    posix[len] = '\0';
    PROMISE(posix[0] == '^' && posix[len - 1] == '$', "%s is not anchored", posix);
    PROMISE((regcomp(&compiled, posix, REG_EXTENDED | REG_NOSUB)) == 0, "%s", posix);
    return compiled;
}

static regex_t move_pattern, position_pattern;

static void look_at_patterns(struct walk *walk)
{
    char text[RULES_POSITION_TEXT];
    rules_move move;

    contract_position_text(walk, &walk->state, text);
    PROMISE(regexec(&position_pattern, text, 0, NULL, 0) == 0, "%s", walk_where(walk));
    for (size_t i = 0; walk_pick(walk, 16, i, &move); i++) {
        contract_move_text(walk, &walk->state, move, text);
        PROMISE(regexec(&move_pattern, text, 0, NULL, 0) == 0, "%s: %s", walk_where(walk), text);
    }
}

static void every_canonical_text_matches_its_pattern(const struct rules_game *game)
{
    move_pattern = compile(game->move.pattern);
    position_pattern = compile(game->position.pattern);
    walk_all(game, CONTRACT_PLIES, false, look_at_patterns);
    regfree(&move_pattern);
    regfree(&position_pattern);
}

static void grammars_are_explained_with_examples_that_match(const struct rules_game *game)
{
    const struct rules_grammar *grammars[] = {&game->move, &game->position};

    for (size_t i = 0; i < 2; i++) {
        regex_t pattern = compile(grammars[i]->pattern);

        for (size_t k = 0; grammars[i]->examples[k] != NULL; k++)
            PROMISE(regexec(&pattern, grammars[i]->examples[k], 0, NULL, 0) == 0, "%s",
                    grammars[i]->examples[k]);
        regfree(&pattern);
    }
}

static void example_positions_are_canonical(const struct rules_game *game)
{

    for (size_t i = 0; game->position.examples[i] != NULL; i++) {
        const char *example = game->position.examples[i];
        char text[RULES_POSITION_TEXT];
        struct rules_options options;
        struct rules_state state;
        struct rules_refusal why;

        rules_options_init(&options);
        PROMISE(rules_start(game, &options, example, &state, &why), "%s", example);
        game->position_text(&state, text);
        PROMISE(strcmp(text, example) == 0, "%s", game->name);
    }
}

const struct contract_promise contract_catalogue[] = {
    {"the module is sound", the_module_is_sound},
    {"the rulebook has the number of each law", the_rulebook_has_the_number_of_each_law},
    {"what stands for a man is at most two cells wide",
     what_stands_for_a_man_is_at_most_two_cells_wide},
    {"every zone has squares", every_zone_has_squares},
    {"options that are not given become the defaults",
     options_that_are_not_given_become_the_defaults},
    {"settings start or are refused by the name of an option",
     settings_start_or_are_refused_by_the_name_of_an_option},
    {"every canonical text matches its pattern", every_canonical_text_matches_its_pattern},
    {"grammars are explained with examples that match",
     grammars_are_explained_with_examples_that_match},
    {"example positions are canonical", example_positions_are_canonical},
    {NULL, NULL},
};
