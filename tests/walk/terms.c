#include "chance.h"

#include <stdlib.h>
#include <string.h>

const char *chance_name(struct walk *walk)
{
    static const char *const names[] = {"", "", "Ada", "Grace H.", "Édouard"};

    return names[chance_of(walk, sizeof(names) / sizeof(names[0]))];
}

void chance_terms(struct walk *walk, struct model_terms *terms)
{
    static const char *const undos[] = {NULL, NULL, NULL, "free", "free", "consent", "never"};
    static const char *const visibilities[] = {NULL, "public", "unlisted", "private"};
    int mine = chance_between(walk, 0, 1);

    terms->undo = undos[chance_of(walk, sizeof(undos) / sizeof(undos[0]))];
    terms->visibility = visibilities[chance_of(walk, 4)];
    terms->seats_given = chance_percent(walk, 75);
    if (!terms->seats_given)
        return;
    terms->seat[mine].sitter = STORY_PERSON;
    terms->seat[1 - mine].sitter = chance_percent(walk, 65) ? STORY_OPEN_SEAT : STORY_COMPUTER;
    terms->seed = chance_of(walk, 9007199254740991U);
    for (int i = 0; i < STORY_SEATS; i++)
        strcpy(terms->seat[i].name, chance_name(walk));
}

/* How often the same position ends a game: not often, so that it happens. */
static bool is_repetition(const struct rules_option *option)
{
    return strcmp(option->name, "repetition") == 0;
}

/* Small boards and short games; now and then a number that no option has. */
static int some_number(struct walk *walk, const struct rules_option *option)
{
    if (chance_percent(walk, 2))
        return -1;
    if (option->zero_is_off && chance_percent(walk, 8))
        return 0;
    if (is_repetition(option))
        return option->min + (chance_percent(walk, 60) ? 0 : chance_between(walk, 0, 2));
    return option->min + chance_between(walk, 0, option->zero_is_off ? 20 : 3);
}

static void choose_option(struct walk *walk, const struct rules_option *option, char value[24])
{
    size_t n = 0;

    switch (option->kind) {
    case RULES_OPTION_INT:
        snprintf(value, 24, "%d", some_number(walk, option));
        return;
    case RULES_OPTION_BOOL:
        strcpy(value, chance_percent(walk, 50) ? "true" : "false");
        return;
    case RULES_OPTION_CHOICE:
    case RULES_OPTION_START:
        while (option->choices[n] != NULL)
            n++;
        snprintf(value, 24, "%s", option->choices[chance_of(walk, n)]);
        return;
    }
}

static void choose_options(struct walk *walk, struct model_terms *terms)
{
    for (size_t i = 0; i < terms->rules->noptions; i++) {
        const struct rules_option *option = &terms->rules->options[i];

        if (!chance_percent(walk, is_repetition(option) ? 85 : 35))
            continue;
        terms->option[terms->noptions].name = option->name;
        choose_option(walk, option, terms->option[terms->noptions++].value);
    }
}

/* A story that is not told: the game with these terms, to see what might be played in it. */
static struct story *untold(const struct model_terms *terms)
{
    struct story *story = calloc(1, sizeof(*story));
    struct rules_state state;
    struct rules_refusal why;
    bool fine = true;

    if (story == NULL)
        abort();
    story->rules = terms->rules;
    rules_options_init(&story->options);
    for (size_t i = 0; i < terms->noptions; i++)
        fine = fine && rules_option_set(story->rules, &story->options, terms->option[i].name,
                                        terms->option[i].value, &why);
    if (!fine || !rules_start(story->rules, &story->options,
                              terms->position[0] == '\0' ? NULL : terms->position, &state, &why)) {
        free(story);
        return NULL;
    }
    story->options.position = NULL;
    story->rules->position_text(&state, story->start);
    return story;
}

/* Plays at random until the game is over, or for that many plies. Returns how many they were. */
static int play_on(struct walk *walk, const struct story *story, struct story_point *point,
                   story_text *moves, int plies)
{
    struct rules_refusal why;
    int n = 0;

    story_begin(story, point);
    while (n < plies && rules_outcome_now(story->rules, &point->state).status == RULES_ONGOING &&
           chance_legal_move(walk, story, point, moves[n]) &&
           story_step(story, point, moves[n], &why))
        n++;
    return n;
}

/* Begins shortly before an end, so that ends are reached. */
static void choose_position(struct walk *walk, struct model_terms *terms)
{
    enum { PLIES = 300 };
    struct story *story = untold(terms);
    story_text *moves = calloc(PLIES, sizeof(*moves));
    struct story_point *point = malloc(sizeof(*point));
    struct rules_refusal why;
    int n;

    if (moves == NULL || point == NULL)
        abort();
    if (story != NULL) {
        n = play_on(walk, story, point, moves, PLIES) - chance_between(walk, 1, 8);
        story_begin(story, point);
        for (int i = 0; i < n; i++)
            story_step(story, point, moves[i], &why);
        story->rules->position_text(&point->state, terms->position);
        story_free(story);
    }
    free(moves);
    free(point);
}

static void choose_first_moves(struct walk *walk, struct model_request *request)
{
    struct story *story = untold(&request->terms);
    struct story_point *point = malloc(sizeof(*point));

    if (point == NULL)
        abort();
    if (story != NULL) {
        request->list = true;
        request->nmoves =
            (size_t)play_on(walk, story, point, request->move, chance_between(walk, 1, 8));
        if (chance_percent(walk, 10))
            strcpy(request->move[request->nmoves++], "a1");
        story_free(story);
    }
    free(point);
}

/* In these shogi positions a win can be declared, or nearly. */
static void choose_impasse(struct walk *walk, struct model_terms *terms)
{
    static const char *const positions[] = {"K8/+P+P+P+P+P+P+P+P+P/R8/9/9/9/9/9/4k4 b 2B4G 1",
                                            "K8/+P+P+P+P+P+P+P+P+P/R8/9/9/9/9/9/4k4 w 2B4G 1",
                                            "K8/+P+P+P+P+P+P+P+P+P/R8/9/9/9/9/9/4k4 b 2B3G 1",
                                            "9/+P+P+P+P+P+P+P+P+P/R8/K8/9/9/9/9/4k4 b 2B4G 1"};

    strcpy(terms->position, positions[chance_of(walk, 4)]);
}

void chance_new_game(struct walk *walk, struct model_request *request)
{
    struct model_terms *terms = &request->terms;

    terms->rules = rules_game(chance_of(walk, rules_games()));
    choose_options(walk, terms);
    chance_terms(walk, terms);
    if (terms->rules->declare != NULL && chance_percent(walk, 35))
        choose_impasse(walk, terms);
    else if (chance_percent(walk, 50))
        choose_position(walk, terms);
    if (chance_percent(walk, 30))
        choose_first_moves(walk, request);
    else
        terms->clock = chance_percent(walk, 35);
}
