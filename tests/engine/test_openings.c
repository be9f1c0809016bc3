/* test_openings.c - a game that was won once is not won by rote: in the opening the upper levels
 * vary their moves by the seed, and give little away for it. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <string.h>

#include "player.h"
#include "tactics.h"

enum { SEEDS = 16, LINE_TEXT = ENGINE_OPENING * RULES_MOVE_TEXT };

static const struct variant {
    const char *game, *options;
    int32_t man; /* what it is worth to the engine */
} variants[] = {{"shogi", "", 100},
                {"turkish-draughts", "", 100},
                {"jungle", "", 450},
                {"stackchess", "", 100},
                {"tictactoe", "rows=15 cols=15 k=5", 250},
                {"tictactoe", "", 250}};

enum { VARIANTS = sizeof(variants) / sizeof(variants[0]) };

#define EACH_VARIANT(name)                                 \
    ParameterizedTestParameters(openings, name)            \
    {                                                      \
        static size_t all[VARIANTS];                       \
        for (size_t i = 0; i < VARIANTS; i++)              \
            all[i] = i;                                    \
        return cr_make_param_array(size_t, all, VARIANTS); \
    }                                                      \
    ParameterizedTest(const size_t *which, openings, name)

/* The highest level, which errs nowhere, with as few nodes as a test has time for. */
static struct engine_level quick_level(const struct rules_game *game)
{
    struct engine_level level = engine_level(game, ENGINE_LEVELS);

    level.nodes = 4000;
    return level;
}

/* As a daemon has it, each ply has a seed of its own. */
static struct engine_choice choose(struct player *player, const struct engine_level *level,
                                   uint64_t seed)
{
    struct engine_task task = player_task(player);
    struct engine_choice choice;

    cr_assert_eq(engine_choose_as(player->engine, &task, level, seed * 1000 + player->ply, &choice),
                 ENGINE_MOVES);
    return choice;
}

static void play_opening(const struct variant *variant, const struct engine_level *level,
                         uint64_t seed, char line[LINE_TEXT])
{
    struct player *player = player_at(variant->game, variant->options, NULL);

    *line = '\0';
    while (player->ply < ENGINE_OPENING && player_outcome(player).status == RULES_ONGOING) {
        rules_move move = choose(player, level, seed).move;

        strcat(line, player_text(player, move));
        strcat(line, " ");
        player_play(player, move);
    }
}

static unsigned different(char lines[SEEDS][LINE_TEXT])
{
    unsigned n = 0;

    for (size_t i = 0; i < SEEDS; i++) {
        size_t first = 0;

        while (strcmp(lines[first], lines[i]) != 0)
            first++;
        n += first == i;
    }
    return n;
}

EACH_VARIANT(differ_with_the_seed)
{
    const struct variant *variant = &variants[*which];
    static char lines[SEEDS][LINE_TEXT];
    struct engine_level level = quick_level(rules_find(variant->game));

    for (uint64_t seed = 0; seed < SEEDS; seed++)
        play_opening(variant, &level, seed, lines[seed]);
    cr_assert_geq(different(lines), SEEDS / 2, "%s %s: %u lines", variant->game, variant->options,
                  different(lines));
}

/* How often the most frequent first move of shogi is played with as many seeds. */
static unsigned most_frequent(const struct engine_level *level)
{
    struct player *player = player_at("shogi", "", NULL);
    rules_move first[SEEDS];
    unsigned most = 0;

    for (uint64_t seed = 0; seed < SEEDS; seed++)
        first[seed] = choose(player, level, seed).move;
    for (size_t i = 0; i < SEEDS; i++) {
        unsigned same = 0;

        for (size_t j = 0; j < SEEDS; j++)
            same += rules_same_move(first[i], first[j]);
        most = same > most ? same : most;
    }
    return most;
}

Test(openings, no_first_move_of_shogi_is_played_more_often_than_all_others)
{
    for (unsigned number = 5; number <= ENGINE_LEVELS; number += 3) {
        struct engine_level level = engine_level(rules_find("shogi"), number);

        level.nodes = 20000; /* those of level 5 */
        cr_expect_leq(most_frequent(&level), SEEDS / 2, "level %u", number);
    }
}

/* What a search with more nodes says that a move loses of what the best one has. */
static int32_t loss_of(const struct player *player, rules_move move)
{
    struct engine_task task = player_task(player);
    struct engine_analysis best, after;
    struct player next = *player;

    engine_analyse(player->engine, &task, 20000, 1, NULL, &best);
    player_play(&next, move);
    task = player_task(&next);
    engine_analyse(player->engine, &task, 20000, 1, NULL, &after);
    return best.line[0].score + after.line[0].score;
}

/* A deeper search has a doubt of its own about either move: that of a man. */
EACH_VARIANT(give_away_no_more_than_the_level_may)
{
    const struct variant *variant = &variants[*which];
    struct engine_level level = quick_level(rules_find(variant->game)), best = level;
    int32_t most = (level.variety + 100) * variant->man / 100;

    best.variety = 0;
    for (uint64_t seed = 0; seed < 2; seed++) {
        struct player *player = player_at(variant->game, variant->options, NULL);

        while (player->ply < ENGINE_OPENING && player_outcome(player).status == RULES_ONGOING) {
            rules_move move = choose(player, &level, seed).move;
            rules_move other = choose(player, &best, seed).move;

            cr_expect_leq(loss_of(player, move) - loss_of(player, other), most, "%s %s, ply %zu",
                          variant->game, variant->options, player->ply);
            player_play(player, move);
        }
    }
}

/* A win that is seen is played, whatever the seed. */
Test(openings, give_no_win_away)
{
    for (size_t i = 0; i < sizeof(tactics_mates) / sizeof(tactics_mates[0]); i++) {
        struct player *player = player_at("shogi", "", tactics_mates[i].position);
        struct engine_level level = quick_level(player->game);

        for (uint64_t seed = 0; seed < 4 && tactics_mates[i].plies <= 5; seed++) {
            struct engine_choice choice = choose(player, &level, seed);

            cr_assert(choice.line.mate > 0 && choice.line.mate <= (int32_t)tactics_mates[i].plies,
                      "%s: %s", tactics_mates[i].position, player_text(player, choice.move));
        }
    }
}
