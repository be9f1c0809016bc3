#include "api/terminal/menu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/terminal/adviser.h"
#include "api/terminal/texts.h"
#include "api/text/options.h"
#include "api/text/problem.h"

/* What a question led to. */
enum answer { ANSWERED, BACK, LEFT };

static char *ask(struct typing *typing)
{
    return typing_line(typing, "choose");
}

/* Reads a number from 1 to n, or 0 for going back. An empty line is `usual`. */
static enum answer ask_number(struct typing *typing, unsigned n, unsigned usual, unsigned *number)
{
    for (;;) {
        char *end, *line = ask(typing);
        unsigned long value;

        if (line == NULL)
            return LEFT;
        value = strtoul(line, &end, 10);
        if (line[0] == '\0')
            value = usual;
        *number = (unsigned)value;
        if (*end == '\0' && value <= n && (end != line || usual != 0))
            return value == 0 ? BACK : ANSWERED;
        fputs(SAY_WRONG_CHOICE, stdout);
    }
}

static enum answer ask_file(struct arena *arena, struct typing *typing, struct menu_choice *choice)
{
    char *line;

    fputs(SAY_WHICH_FILE, stdout);
    line = ask(typing);
    if (line == NULL)
        return LEFT;
    choice->file = arena_copy(arena, line, strlen(line));
    return *line == '\0' ? BACK : ANSWERED;
}

static void print_games(const char *kept_text)
{
    fputs(SAY_WHICH_GAME, stdout);
    for (size_t i = 0; i < rules_games(); i++)
        printf("  %zu  %s\n", i + 1, rules_game(i)->title);
    if (kept_text != NULL)
        fputs(kept_text, stdout);
    fputs(SAY_FILE SAY_EXIT, stdout);
}

/* Which game, by its number or name; or a file instead. BACK: nothing was chosen. */
static enum answer ask_game(struct arena *arena, struct typing *typing, const char *kept,
                            const char *kept_text, struct menu_choice *choice)
{
    char *line, *end;
    unsigned long number;

    print_games(kept_text);
    line = ask(typing);
    if (line == NULL || strcmp(line, "0") == 0 || strcmp(line, "q") == 0)
        return LEFT;
    if (strcmp(line, "l") == 0)
        return ask_file(arena, typing, choice);
    if (kept_text != NULL && strcmp(line, "r") == 0) {
        choice->file = kept;
        return ANSWERED;
    }
    number = strtoul(line, &end, 10);
    choice->game = *end == '\0' && number >= 1 && number <= rules_games() ? rules_game(number - 1)
                                                                          : rules_find(line);
    if (choice->game != NULL)
        return ANSWERED;
    fputs(SAY_WRONG_CHOICE, stdout);
    return BACK;
}

static enum answer ask_players(struct typing *typing, struct menu_choice *choice)
{
    unsigned who, level = ADVISER_USUAL_LEVEL;
    enum answer answer;

    printf(SAY_WHO, choice->game->seat[0].name, choice->game->seat[1].name);
    answer = ask_number(typing, 4, 1, &who);
    choice->level[0] = choice->level[1] = 0;
    if (answer != ANSWERED || who == 3)
        return answer;
    printf(SAY_LEVEL, ENGINE_LEVELS, ADVISER_USUAL_LEVEL);
    answer = ask_number(typing, ENGINE_LEVELS, ADVISER_USUAL_LEVEL, &level);
    if (who != 1)
        choice->level[0] = level;
    if (who != 2)
        choice->level[1] = level;
    return answer;
}

/* Gives "size=8 rules=casual" to the game's options. */
static bool set_options(struct arena *arena, char *line, struct menu_choice *choice)
{
    char *save = NULL;

    rules_options_init(&choice->options);
    for (char *word = strtok_r(line, " ", &save); word != NULL; word = strtok_r(NULL, " ", &save)) {
        char *equals = strchr(word, '=');
        struct options_wish wish = {word, equals == NULL ? "" : equals + 1};
        const char *detail;
        enum problem problem;

        if (equals != NULL)
            *equals = '\0';
        if (!options_grant(arena, choice->game, &wish, &choice->options, &problem, &detail)) {
            printf("%s\n", detail);
            return false;
        }
    }
    return true;
}

static void print_options(const struct rules_game *game)
{
    fputs(SAY_OPTIONS, stdout);
    for (size_t i = 0; i < game->noptions; i++)
        printf("  %-12s %s\n", game->options[i].name, game->options[i].doc);
}

static enum answer ask_options(struct arena *arena, struct typing *typing,
                               struct menu_choice *choice)
{
    char *line;

    do {
        print_options(choice->game);
        line = ask(typing);
        if (line == NULL)
            return LEFT;
    } while (!set_options(arena, arena_copy(arena, line, strlen(line)), choice));
    return ANSWERED;
}

bool menu_ask(struct arena *arena, struct typing *typing, const char *kept, const char *kept_text,
              struct menu_choice *choice)
{
    enum answer answer = BACK;

    while (answer == BACK) {
        *choice = (struct menu_choice){.file = NULL};
        answer = ask_game(arena, typing, kept, kept_text, choice);
        if (answer == ANSWERED && choice->file == NULL)
            answer = ask_players(typing, choice);
        if (answer == ANSWERED && choice->file == NULL)
            answer = ask_options(arena, typing, choice);
    }
    return answer == ANSWERED;
}
