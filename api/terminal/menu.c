#include "api/terminal/menu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/terminal/advisor.h"
#include "api/text/options.h"
#include "api/text/problem.h"

/* What a question led to. */
enum answer { ANSWERED, BACK, LEFT };

static const char *word(const struct menu *menu, const char *key)
{
    return lang_word(show_lang(menu->style), key);
}

static char *ask(const struct menu *menu)
{
    return terminal_input_line(menu->input, word(menu, "play-choose"));
}

/* Reads a number from 1 to n, or 0 for going back. An empty line is `usual`. */
static enum answer ask_number(const struct menu *menu, unsigned n, unsigned usual, unsigned *number)
{
    for (;;) {
        char *end, *line = ask(menu);
        unsigned long value;

        if (line == NULL)
            return LEFT;
        value = strtoul(line, &end, 10);
        if (line[0] == '\0')
            value = usual;
        *number = (unsigned)value;
        if (*end == '\0' && value <= n && (end != line || usual != 0))
            return value == 0 ? BACK : ANSWERED;
        puts(word(menu, "play-wrong-choice"));
    }
}

static enum answer ask_file(const struct menu *menu, struct menu_choice *choice)
{
    char *line;

    puts(word(menu, "play-which-file"));
    line = ask(menu);
    if (line == NULL)
        return LEFT;
    choice->file = arena_copy(menu->arena, line, strlen(line));
    return *line == '\0' ? BACK : ANSWERED;
}

static void print_games(const struct menu *menu)
{
    puts(word(menu, "play-which-game"));
    for (size_t i = 0; i < rules_games(); i++)
        printf("  %zu  %s\n", i + 1, show_title(rules_game(i), menu->style));
    if (menu->kept_text != NULL)
        printf("  r  %s\n", menu->kept_text);
    printf("  l  %s\n", word(menu, "play-file"));
    printf("  0  %s\n", word(menu, "play-exit"));
}

/* Which game, by its number or name; or a file instead. BACK: nothing was chosen. */
static enum answer ask_game(const struct menu *menu, struct menu_choice *choice)
{
    char *line, *end;
    unsigned long number;

    print_games(menu);
    line = ask(menu);
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
    puts(word(menu, "play-wrong-choice"));
    return BACK;
}

static void print_players(const struct menu *menu, const struct rules_game *game)
{
    const struct lang *lang = show_lang(menu->style);

    puts(word(menu, "play-who"));
    for (int i = 0; i < RULES_SEATS; i++) {
        const char *name = game->seat[i].name, *side = lang_say(lang, LANG_SIDE, name, name);

        printf("  %d  %s\n", i + 1,
               lang_fill(menu->arena, lang, "play-against", "side", side, NULL));
    }
    printf("  3  %s\n", word(menu, "play-two-people"));
    printf("  4  %s\n", word(menu, "play-engine-alone"));
    printf("  0  %s\n", word(menu, "play-back"));
}

static void print_levels(const struct menu *menu)
{
    puts(lang_fill(menu->arena, show_lang(menu->style), "play-which-level", "max",
                   show_number(menu->arena, ENGINE_LEVELS), "usual",
                   menu->level == ADVISOR_RANDOM ? "random" : show_number(menu->arena, menu->level),
                   NULL));
}

/* Reads a level from 1 to ENGINE_LEVELS, "random", or 0 for going back. An empty line is the usual
 * level. */
static enum answer ask_level(const struct menu *menu, unsigned *level)
{
    for (;;) {
        char *end, *line = ask(menu);
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
        puts(word(menu, "play-wrong-choice"));
    }
}

static enum answer ask_players(const struct menu *menu, struct menu_choice *choice)
{
    unsigned who, level = menu->level;
    enum answer answer;

    print_players(menu, choice->game);
    answer = ask_number(menu, 4, 1, &who);
    choice->level[0] = choice->level[1] = 0;
    if (answer != ANSWERED || who == 3)
        return answer;
    print_levels(menu);
    answer = ask_level(menu, &level);
    if (who != 1)
        choice->level[0] = level;
    if (who != 2)
        choice->level[1] = level;
    return answer;
}

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
    fputs(said.text, stdout);
    return false;
}

/* Gives "size=8 rules=casual" to the game's options. */
static bool set_options(const struct menu *menu, const char *typed, struct menu_choice *choice)
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
            printf("%s\n", detail);
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

static void print_options(const struct menu *menu, const struct rules_game *game)
{
    puts(word(menu, "play-options"));
    for (size_t i = 0; i < game->noptions; i++)
        printf("  %-14s %s\n", game->options[i].name, option_doc(menu, game, &game->options[i]));
}

static enum answer ask_options(const struct menu *menu, struct menu_choice *choice)
{
    char *line;

    do {
        print_options(menu, choice->game);
        line = ask(menu);
        if (line == NULL)
            return LEFT;
    } while (!set_options(menu, line, choice));
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
