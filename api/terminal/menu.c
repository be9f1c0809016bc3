#include "api/terminal/menu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/terminal/advisor.h"
#include "api/terminal/cells.h"
#include "api/terminal/tty.h"
#include "api/text/options.h"
#include "api/text/problem.h"

/* What a question led to. */
enum answer { ANSWERED, BACK, LEFT };

static const char *word(const struct menu *menu, const char *key)
{
    return lang_word(show_lang(menu->style), key);
}

/* ---- asking ---- */

/* Whether a person reads, who would miss what scrolls away. */
static bool has_pages(const struct menu *menu)
{
    return !menu->input->echo && isatty(STDOUT_FILENO);
}

static const char *folded(const struct menu *menu, const char *text)
{
    struct out out;

    out_init(&out, menu->arena);
    cells_fold(&out, text, tty_size().columns, SIZE_MAX);
    return out.text;
}

static void tell_menu(const struct menu *menu, const char *text)
{
    fputs(folded(menu, text), stdout);
}

/* Prints as many lines as the terminal has above a prompt, and returns the rest. */
static const char *print_page(const struct menu *menu, const char *lines)
{
    unsigned rows = tty_size().rows;
    const char *rest = lines;

    for (unsigned row = 1; *rest != '\0' && (row < rows || !has_pages(menu)); row++)
        rest = strchr(rest, '\n') + 1;
    printf("%.*s", (int)(rest - lines), lines);
    return rest;
}

/* Shows a text, page by page where it is longer than the terminal, and reads the answer. That may
 * be typed before the last page. NULL: the person leaves. */
static char *ask_menu(const struct menu *menu, const char *text)
{
    const char *rest = print_page(menu, folded(menu, text));

    while (*rest != '\0') {
        char *line = terminal_input_line(menu->input, word(menu, "play-more-lines"));

        if (line == NULL || *line != '\0')
            return line;
        rest = print_page(menu, rest);
    }
    return terminal_input_line(menu->input, word(menu, "play-choose"));
}

static void begin_menu(struct out *text, const struct menu *menu, const char *question)
{
    out_init(text, menu->arena);
    out_format(text, "%s\n", word(menu, question));
}

/* A sentence of one line, to be shown by ask_menu(). */
static const char *sentence(const struct menu *menu, const char *key)
{
    return arena_format(menu->arena, "%s\n", word(menu, key));
}

/* Reads a number from 1 to n, or 0 for going back. An empty line is `usual`. */
static enum answer ask_number(const struct menu *menu, const char *text, unsigned n, unsigned usual,
                              unsigned *number)
{
    for (;; text = sentence(menu, "play-wrong-choice")) {
        char *end, *line = ask_menu(menu, text);
        unsigned long value;

        if (line == NULL)
            return LEFT;
        value = strtoul(line, &end, 10);
        if (line[0] == '\0')
            value = usual;
        *number = (unsigned)value;
        if (*end == '\0' && value <= n && (end != line || usual != 0))
            return value == 0 ? BACK : ANSWERED;
    }
}

/* ---- the questions ---- */

static enum answer ask_file(const struct menu *menu, struct menu_choice *choice)
{
    char *line = ask_menu(menu, sentence(menu, "play-which-file"));

    if (line == NULL)
        return LEFT;
    choice->file = arena_copy(menu->arena, line, strlen(line));
    return *line == '\0' ? BACK : ANSWERED;
}

static const char *games_text(const struct menu *menu)
{
    struct out text;

    begin_menu(&text, menu, "play-which-game");
    for (size_t i = 0; i < rules_games(); i++)
        out_format(&text, "  %zu  %s\n", i + 1, show_title(rules_game(i), menu->style));
    if (menu->kept_text != NULL)
        out_format(&text, "  r  %s\n", menu->kept_text);
    out_format(&text, "  l  %s\n", word(menu, "play-file"));
    out_format(&text, "  0  %s\n", word(menu, "play-exit"));
    return text.text;
}

/* Which game, by its number or name; or a file instead. BACK: nothing was chosen. */
static enum answer ask_game(const struct menu *menu, struct menu_choice *choice)
{
    char *line = ask_menu(menu, games_text(menu)), *end;
    unsigned long number;

    if (line == NULL || strcmp(line, "0") == 0 || strcmp(line, "q") == 0)
        return LEFT;
    if (strcmp(line, "l") == 0)
        return ask_file(menu, choice);
    if (menu->kept_text != NULL && strcmp(line, "r") == 0) {
        choice->file = menu->kept;
        return ANSWERED;
    }
    number = strtoul(line, &end, 10);
    choice->game = *end == '\0' && number >= 1 && number <= rules_games() ? rules_game(number - 1)
                                                                          : rules_find(line);
    if (choice->game != NULL)
        return ANSWERED;
    tell_menu(menu, sentence(menu, "play-wrong-choice"));
    return BACK;
}

static const char *players_text(const struct menu *menu, const struct rules_game *game)
{
    const struct lang *lang = show_lang(menu->style);
    struct out text;

    begin_menu(&text, menu, "play-who");
    for (int i = 0; i < RULES_SEATS; i++) {
        const char *name = game->seat[i].name, *side = lang_say(lang, LANG_SIDE, name, name);

        out_format(&text, "  %d  %s\n", i + 1,
                   lang_fill(menu->arena, lang, "play-against", "side", side, NULL));
    }
    out_format(&text, "  3  %s\n", word(menu, "play-two-people"));
    out_format(&text, "  4  %s\n", word(menu, "play-engine-alone"));
    out_format(&text, "  0  %s\n", word(menu, "play-back"));
    return text.text;
}

static const char *levels_text(const struct menu *menu)
{
    struct out text;

    out_init(&text, menu->arena);
    show_say(&text, menu->style, "play-which-level", "max", show_number(menu->arena, ENGINE_LEVELS),
             "usual",
             menu->level == ADVISOR_RANDOM ? "random" : show_number(menu->arena, menu->level),
             NULL);
    return text.text;
}

/* Reads a level from 1 to ENGINE_LEVELS, "random", or 0 for going back. An empty line is the usual
 * level. */
static enum answer ask_level(const struct menu *menu, unsigned *level)
{
    for (const char *text = levels_text(menu);; text = sentence(menu, "play-wrong-choice")) {
        char *end, *line = ask_menu(menu, text);
        unsigned long value;

        if (line == NULL)
            return LEFT;
        value = strtoul(line, &end, 10);
        *level = *line == '\0' ? menu->level : ADVISOR_RANDOM;
        if (*line == '\0' || strcmp(line, "random") == 0)
            return ANSWERED;
        *level = (unsigned)value;
        if (*end == '\0' && value <= ENGINE_LEVELS)
            return value == 0 ? BACK : ANSWERED;
    }
}

static enum answer ask_players(const struct menu *menu, struct menu_choice *choice)
{
    unsigned who, level = menu->level;
    enum answer answer;

    answer = ask_number(menu, players_text(menu, choice->game), 4, 1, &who);
    choice->level[0] = choice->level[1] = 0;
    if (answer != ANSWERED || who == 3)
        return answer;
    answer = ask_level(menu, &level);
    if (who != 1)
        choice->level[0] = level;
    if (who != 2)
        choice->level[1] = level;
    return answer;
}

/* ---- options ---- */

/* Whether the game can begin with its options; if not, says why not. */
static bool can_begin(const struct menu *menu, const struct menu_choice *choice)
{
    struct rules_options options = choice->options;
    struct rules_refusal why;
    struct rules_state state;
    struct out said;

    if (rules_start(choice->game, &options, NULL, &state, &why))
        return true;
    out_init(&said, menu->arena);
    show_bad_start(&said, choice->game, &choice->options, NULL, &why, menu->style);
    tell_menu(menu, said.text);
    return false;
}

/* Gives "size=8 rules=casual" to the game's options. */
static bool set_menu_options(const struct menu *menu, const char *typed, struct menu_choice *choice)
{
    char *line = arena_copy(menu->arena, typed, strlen(typed)), *save = NULL;

    rules_options_init(&choice->options);
    for (char *word = strtok_r(line, " ", &save); word != NULL; word = strtok_r(NULL, " ", &save)) {
        char *equals = strchr(word, '=');
        struct options_wish wish = {word, equals == NULL ? "" : equals + 1};
        const char *detail;
        enum problem problem;

        if (equals != NULL)
            *equals = '\0';
        if (!options_grant(menu->arena, choice->game, &wish, &choice->options, &problem, &detail)) {
            tell_menu(menu, arena_format(menu->arena, "%s\n", detail));
            return false;
        }
    }
    return can_begin(menu, choice);
}

static const char *option_doc(const struct menu *menu, const struct rules_game *game,
                              const struct rules_option *option)
{
    const char *key = arena_format(menu->arena, "%s.%s", game->name, option->name);

    return lang_say(show_lang(menu->style), LANG_OPTION, key, option->doc);
}

/* The values that an option takes: "standard, casual". */
static const char *option_values(const struct menu *menu, const struct rules_option *option)
{
    const struct lang *lang = show_lang(menu->style);
    struct arena *arena = menu->arena;
    const char *range;

    if (option->kind == RULES_OPTION_BOOL)
        return "true, false";
    if (option->kind == RULES_OPTION_CHOICE)
        return options_in_words(arena, option->choices, ", ");
    if (option->kind == RULES_OPTION_START)
        return lang_fill(arena, lang, "play-option-start", "names",
                         options_in_words(arena, option->choices, ", "), NULL);
    range =
        lang_fill(arena, lang, option->max == INT32_MAX ? "play-option-least" : "play-option-range",
                  "min", arena_format(arena, "%d", option->min), "max",
                  arena_format(arena, "%d", option->max), NULL);
    return option->zero_is_off && option->min > 0 ? arena_format(arena, "0, %s", range) : range;
}

/* What the game takes where nothing is given. */
static struct rules_options usual_options(const struct rules_game *game)
{
    struct rules_options options;
    struct rules_refusal why;
    struct rules_state state;

    rules_options_init(&options);
    rules_start(game, &options, NULL, &state, &why);
    return options;
}

static int widest_name(const struct rules_game *game)
{
    size_t widest = 0;

    for (size_t i = 0; i < game->noptions; i++)
        if (strlen(game->options[i].name) > widest)
            widest = strlen(game->options[i].name);
    return (int)widest;
}

/* Each option with what it decides, and below that its values and the one it has otherwise. */
static const char *options_text(const struct menu *menu, const struct rules_game *game)
{
    struct rules_options usual = usual_options(game);
    int width = widest_name(game);
    struct out text;

    begin_menu(&text, menu, "play-options");
    for (size_t i = 0; i < game->noptions; i++) {
        const struct rules_option *option = &game->options[i];
        char value[RULES_POSITION_TEXT];

        rules_option_text(game, &usual, i, value);
        out_format(&text, "  %-*s  %s\n", width, option->name, option_doc(menu, game, option));
        out_format(&text, "  %*s  %s\n", width, "",
                   lang_fill(menu->arena, show_lang(menu->style), "play-option-values", "values",
                             option_values(menu, option), "usual", value, NULL));
    }
    return text.text;
}

static enum answer ask_options(const struct menu *menu, struct menu_choice *choice)
{
    char *line;

    do {
        line = ask_menu(menu, options_text(menu, choice->game));
        if (line == NULL)
            return LEFT;
    } while (!set_menu_options(menu, line, choice));
    return ANSWERED;
}

bool menu_ask(const struct menu *menu, struct menu_choice *choice)
{
    enum answer answer = BACK;

    while (answer == BACK) {
        *choice = (struct menu_choice){.file = NULL};
        answer = ask_game(menu, choice);
        if (answer == ANSWERED && choice->file == NULL)
            answer = ask_players(menu, choice);
        if (answer == ANSWERED && choice->file == NULL)
            answer = ask_options(menu, choice);
    }
    return answer == ANSWERED;
}
