/*
 * test_oracle_lines.c - shogi's repetition (4.7) on lines that no game plays. Positions follow one
 * another by chance, so that every pattern of checks occurs, even both sides checking all the time.
 * Only outcome() is asked, which knows the past by its keys alone.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "rules/rules.h"
#include "tests/reference/reference.h"

enum { LINES = 2000, LINE_LEN = 40, POOL = 2 };

/* [in check][seat to move]: positions to choose from. The high move number leaves room for a past.
 */
static const char *const pool[2][RULES_SEATS][POOL] = {
    {
        {"4k4/9/9/9/9/9/9/9/4K4 b R 90", "4k4/9/9/9/9/9/9/9/4K4 b G 90"},
        {"4k4/9/9/9/9/9/9/9/4K4 w r 90", "4k4/9/9/9/9/9/9/9/4K4 w g 90"},
    },
    {
        {"4k4/9/9/9/4r4/9/9/9/4K4 b - 90", "4k4/9/9/9/9/9/9/4+p4/4K4 b - 90"},
        {"4k4/9/9/9/4R4/9/9/9/4K4 w - 90", "4k4/4+P4/9/9/9/9/9/9/4K4 w - 90"},
    },
};

struct line {
    const struct rules_game *game;
    struct rules_options options;
    const char *position[LINE_LEN];
    uint64_t key[LINE_LEN];
    size_t len;
    struct rules_state state; /* the last one */
};

static void begin(struct line *line, const char *repetition)
{
    struct rules_refusal why;

    line->game = rules_find("shogi");
    line->len = 0;
    rules_options_init(&line->options);
    cr_assert(rules_option_set(line->game, &line->options, "repetition", repetition, &why));
}

static void add(struct line *line, const char *position)
{
    struct rules_options options = line->options;
    struct rules_refusal why;

    cr_assert(rules_start(line->game, &options, position, &line->state, &why), "%s", position);
    line->position[line->len] = position;
    line->key[line->len] = line->game->key(&line->state);
    line->len++;
}

static struct reference_outcome expected(const struct line *line, const char *repetition)
{
    const struct reference_option option[] = {{"rules", "standard"},
                                              {"impasse", "declare"},
                                              {"repetition", repetition},
                                              {"max_plies", "0"}};

    return reference_shogi.outcome(&(struct reference_options){option, 4},
                                   &(struct reference_line){line->position, line->len});
}

/* Compares the last position. Returns whether the game is over there. */
static bool compare(const struct line *line, const char *repetition)
{
    struct rules_outcome outcome =
        line->game->outcome(&line->state, &(struct rules_history){line->key, line->len - 1});
    struct reference_outcome reference = expected(line, repetition);
    const char *reason = reference.reason == NULL ? "none" : reference.reason;
    bool agree = strcmp(rules_reason_text(outcome.reason), reason) == 0 &&
                 outcome.winner == reference.winner;

    for (size_t i = 0; i < line->len && !agree; i++)
        fprintf(stderr, "%s\n", line->position[i]);
    cr_assert(agree, "%s, winner %d, instead of %s, winner %d", rules_reason_text(outcome.reason),
              outcome.winner, reason, reference.winner);
    return reference.reason != NULL;
}

/* Each side is in check never, at times, or always. */
Test(oracle, shogi_4_7_agrees_on_lines_that_are_made_up)
{
    static const char *const repetitions[] = {"2", "3", "4"};
    static const size_t percents[] = {0, 50, 90, 100, 100};
    static struct line line;
    uint64_t seed = 1;

    for (int i = 0; i < LINES; i++) {
        const char *repetition = repetitions[rules_choose(&seed, 3)];
        size_t percent[RULES_SEATS] = {percents[rules_choose(&seed, 5)],
                                       percents[rules_choose(&seed, 5)]};
        size_t seat = rules_choose(&seed, RULES_SEATS);

        begin(&line, repetition);
        do {
            bool check = rules_choose(&seed, 100) < percent[seat];

            add(&line, pool[check][seat][rules_choose(&seed, POOL)]);
            seat = 1 - seat;
        } while (!compare(&line, repetition) && line.len < LINE_LEN);
    }
}
