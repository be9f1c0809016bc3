/* contract_catalogue.c - what every game promises of its tables, by which clients are made. */
#include "contract.h"

#include <regex.h>
#include <string.h>

#include "rules/draw/page.h"
#include "rules/sound.h"

CONTRACT(the_module_is_sound)
{
    char text[RULES_FAULT_TEXT];
    struct text fault = text_open(text, sizeof(text));

    cr_assert(rules_is_sound(rules_module(*game), &fault), "%s %s", rules_game(*game)->name, text);
}

/* ---- pieces and zones ---- */

CONTRACT(what_stands_for_a_man_is_at_most_two_cells_wide)
{
    const struct rules_game *this = rules_game(*game);

    for (size_t i = 0; i < this->npieces * RULES_SEATS; i++)
        cr_assert_leq(page_width(this->pieces[i / 2].symbol[i % 2]), 2, "%s",
                      this->pieces[i / 2].name);
    if (this->drawing.facing != NULL)
        cr_assert_eq(page_width(this->drawing.facing), 1);
}

CONTRACT(every_zone_has_squares)
{
    const struct rules_game *this = rules_game(*game);
    struct rules_options options;
    struct rules_state state;
    struct rules_refusal why;
    struct rules_board board;

    rules_options_init(&options);
    cr_assert(rules_start(this, &options, NULL, &state, &why));
    board = this->board(&state);
    for (size_t i = 0; i < this->nzones; i++) {
        unsigned squares = 0;

        for (unsigned square = 0; square < board.width * board.height; square++)
            squares += this->zones[i].has(&state, square);
        cr_assert(squares > 0 && squares < board.width * board.height, "%s", this->zones[i].name);
    }
}

/* ---- options ---- */

CONTRACT(options_that_are_not_given_become_the_defaults)
{
    const struct rules_game *this = rules_game(*game);
    struct rules_options options;
    struct rules_state state;
    struct rules_refusal why;

    rules_options_init(&options);
    cr_assert(rules_start(this, &options, NULL, &state, &why));
    for (size_t i = 0; i < this->noptions; i++)
        cr_assert_eq(options.value[i], this->options[i].fallback, "%s", this->options[i].name);
}

CONTRACT(settings_start_or_are_refused_by_the_name_of_an_option)
{
    const struct rules_game *this = rules_game(*game);

    for (size_t i = 0; i < walk_settings(this); i++) {
        struct rules_options options, given;
        struct rules_state state;
        struct rules_refusal why;
        char setting[WALK_SETTING_TEXT];

        walk_options(this, i, &options, setting);
        given = options;
        if (!rules_start(this, &options, NULL, &state, &why)) {
            cr_assert_eq(why.code, RULES_BAD_OPTION, "%s", setting);
            cr_assert_not_null(why.option, "%s", setting);
            continue;
        }
        for (size_t k = 0; k < this->noptions; k++)
            if (given.given & 1U << k)
                cr_assert_eq(options.value[k], given.value[k], "%s is changed", setting);
            else
                cr_assert_neq(options.value[k], RULES_NOT_GIVEN, "%s leaves one open", setting);
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
        cr_assert_lt(len + 1, sizeof(posix));
        posix[len++] = *pattern;
        if (strncmp(pattern, "(?:", 3) == 0)
            pattern += 2;
    }
    posix[len] = '\0';
    cr_assert(posix[0] == '^' && posix[len - 1] == '$', "%s is not anchored", posix);
    cr_assert_eq(regcomp(&compiled, posix, REG_EXTENDED | REG_NOSUB), 0, "%s", posix);
    return compiled;
}

static regex_t move_pattern, position_pattern;

static void look_at_patterns(struct walk *walk)
{
    char text[RULES_POSITION_TEXT];
    rules_move move;

    contract_position_text(walk, &walk->state, text);
    cr_assert_eq(regexec(&position_pattern, text, 0, NULL, 0), 0, "%s", walk_where(walk));
    for (size_t i = 0; walk_pick(walk, 16, i, &move); i++) {
        contract_move_text(walk, &walk->state, move, text);
        cr_assert_eq(regexec(&move_pattern, text, 0, NULL, 0), 0, "%s: %s", walk_where(walk), text);
    }
}

CONTRACT(every_canonical_text_matches_its_pattern)
{
    move_pattern = compile(rules_game(*game)->move.pattern);
    position_pattern = compile(rules_game(*game)->position.pattern);
    walk_all(*game, CONTRACT_PLIES, false, look_at_patterns);
    regfree(&move_pattern);
    regfree(&position_pattern);
}

CONTRACT(grammars_are_explained_with_examples_that_match)
{
    const struct rules_game *this = rules_game(*game);
    const struct rules_grammar *grammars[] = {&this->move, &this->position};

    for (size_t i = 0; i < 2; i++) {
        regex_t pattern = compile(grammars[i]->pattern);

        for (size_t k = 0; grammars[i]->examples[k] != NULL; k++)
            cr_assert_eq(regexec(&pattern, grammars[i]->examples[k], 0, NULL, 0), 0, "%s",
                         grammars[i]->examples[k]);
        regfree(&pattern);
    }
}

CONTRACT(example_positions_are_canonical)
{
    const struct rules_game *this = rules_game(*game);

    for (size_t i = 0; this->position.examples[i] != NULL; i++) {
        const char *example = this->position.examples[i];
        char text[RULES_POSITION_TEXT];
        struct rules_options options;
        struct rules_state state;
        struct rules_refusal why;

        rules_options_init(&options);
        cr_assert(rules_start(this, &options, example, &state, &why), "%s", example);
        this->position_text(&state, text);
        cr_assert_str_eq(text, example);
    }
}
