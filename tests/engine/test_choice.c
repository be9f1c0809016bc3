/* test_choice.c - what holds of every choice in every game: it is legal, it can be repeated, and it
 * ends in time. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdlib.h>
#include <string.h>

#include "contract/walk.h"
#include "player.h"

#define EACH_GAME(name)                                           \
    ParameterizedTestParameters(engine, name)                     \
    {                                                             \
        static size_t games[16];                                  \
        for (size_t i = 0; i < rules_games(); i++)                \
            games[i] = i;                                         \
        return cr_make_param_array(size_t, games, rules_games()); \
    }                                                             \
    ParameterizedTest(size_t *which, engine, name)

/* ---- legal moves only ---- */

static void choose_here(struct walk *walk)
{
    static struct engine *engine;
    struct engine_task task = {walk->game, &walk->state, walk_history(walk), NULL,
                               (uint32_t)walk->ply};
    struct engine_choice choice;
    unsigned level = 1 + (unsigned)walk->ply % 4;
    enum engine_answer answer;

    if (engine == NULL)
        engine = player_engine(1 << 16);
    answer = engine_choose(engine, &task, level, walk->seed, &choice);
    if (walk->outcome.status != RULES_ONGOING) {
        cr_assert_eq(answer, ENGINE_OVER, "%s: a move after the end", walk_where(walk));
        return;
    }
    if (answer == ENGINE_DECLARES)
        return;
    cr_assert_eq(answer, ENGINE_MOVES, "%s", walk_where(walk));
    for (size_t i = 0; i < walk->nmoves; i++)
        if (rules_same_move(walk->moves[i], choice.move))
            return;
    cr_assert_fail("%s: level %u plays no legal move", walk_where(walk), level);
}

EACH_GAME(plays_legal_moves_alone_under_every_option)
{
    walk_all(rules_game(*which), 12, false, choose_here);
}

/* ---- the same again ---- */

EACH_GAME(answers_the_same_task_in_the_same_way)
{
    struct player *player = player_at(rules_game(*which)->name, "", NULL);
    struct engine_task task = player_task(player);
    struct engine_choice first, second, other;

    engine_choose(player->engine, &task, 4, 7, &first);
    engine_choose(player->engine, &task, 3, 8, &other);
    engine_choose(player->engine, &task, 4, 7, &second);
    cr_assert_eq(memcmp(&first, &second, sizeof(first)), 0);
}

/* These sums change whenever the engine plays differently; then ENGINE_VERSION is raised. They are
 * the same with every compiler, with sanitizers and without. */
Test(engine, plays_the_same_games_on_every_machine)
{
    static const struct {
        const char *game, *options;
        uint64_t sum;
    } known[] = {{"tictactoe", "rows=15 cols=15 k=5", 0x4f9c2b7c96c06497},
                 {"stackchess", "", 0x3a6c532ebec22a72},
                 {"jungle", "", 0x8bfc6cb960d63118},
                 {"turkish-draughts", "", 0xf9d14c3f9a4fb0a2},
                 {"shogi", "", 0xff6eabc4449dcccd}};

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        struct player *player = player_at(known[i].game, known[i].options, NULL);
        uint64_t sum = 0;

        for (uint64_t ply = 0; ply < 12 && player_outcome(player).status == RULES_ONGOING; ply++) {
            struct engine_task task = player_task(player);
            struct engine_choice choice;

            engine_choose(player->engine, &task, 3 + (unsigned)ply % 3, ply, &choice);
            sum = sum * 31 + choice.nodes + (uint64_t)(int64_t)choice.line.score;
            player_play(player, choice.move);
        }
        cr_expect_eq(sum, known[i].sum, "%s: %#lx", known[i].game, (unsigned long)sum);
    }
}

/* ---- bounds ---- */

EACH_GAME(visits_hardly_more_nodes_than_it_may)
{
    struct player *player = player_at(rules_game(*which)->name, "", NULL);
    uint64_t seed = 3;

    for (int ply = 0; ply < 10 && player_outcome(player).status == RULES_ONGOING; ply++) {
        struct engine_choice choice = player_think(player, 5000);

        cr_assert_leq(choice.nodes, 5010);
        player_play(player, player_random(player, &seed));
    }
}

/* In this position one capture can be made in hundreds of thousands of ways. To list them counts as
 * many nodes. */
Test(engine, takes_few_looks_at_a_heavy_position)
{
    struct player *player =
        player_at("turkish-draughts", "",
                  "W:WKa8:BKb1,Kg1,Ka2,Kh2,Kd3,Kc4,Kf4,Kd5,Kg5,Ka6,Ke6,Kb7,Kf7,Kh7,Kb8,Kg8");
    struct engine_task task = player_task(player);
    struct engine_choice choice;
    struct rules_refusal why;
    rules_move read;

    cr_assert(rules_is_heavy(player->game, &player->state));
    cr_assert_eq(engine_choose(player->engine, &task, 5, 1, &choice), ENGINE_MOVES);
    cr_assert(
        player->game->read_move(&player->state, player_text(player, choice.move), &read, &why));
}

/* A knight gives check, and one gold can take it. */
Test(engine, the_only_move_is_played_without_a_search)
{
    struct player *player = player_at("shogi", "", "7gk/7gl/7N1/9/9/9/9/9/4K4 w 2R2B2G4S3N3L18P 2");
    struct engine_task task = player_task(player);
    struct engine_choice choice;

    cr_assert_eq(player->game->count(&player->state), 1);
    cr_assert_eq(engine_choose(player->engine, &task, ENGINE_LEVELS, 1, &choice), ENGINE_MOVES);
    cr_assert_str_eq(player_text(player, choice.move), "2b2c");
    cr_assert_leq(choice.nodes, ENGINE_FORCED_NODES + 10);
}

EACH_GAME(ends_when_it_is_cancelled)
{
    struct player *player = player_at(rules_game(*which)->name, "", NULL);
    struct engine_task task = player_task(player);
    struct engine_level endless = engine_level(player->game, ENGINE_LEVELS);
    struct engine_choice choice;
    atomic_bool cancel = true;

    if (strcmp(player->game->name, "tictactoe") == 0)
        player = player_at("tictactoe", "rows=15 cols=15 k=5", NULL);
    endless.nodes = UINT64_MAX;
    task.cancel = &cancel;
    cr_assert_eq(engine_choose_as(player->engine, &task, &endless, 0, &choice), ENGINE_CANCELLED);
    cr_assert_leq(choice.nodes, 2048);
}

/* ---- analysis ---- */

/* Each move of a line can be played. */
static void follow(const struct player *player, const struct engine_line *line)
{
    struct player there = *player;

    for (size_t i = 0; i < line->len; i++)
        player_play(&there, line->move[i]);
}

EACH_GAME(analyses_into_lines_that_begin_differently_and_can_be_played)
{
    struct player *player = player_at(rules_game(*which)->name, "", NULL);
    struct engine_task task = player_task(player);
    struct engine_analysis found;

    cr_assert_eq(engine_analyse(player->engine, &task, 20000, 3, NULL, &found), ENGINE_MOVES);
    cr_assert_eq(found.n, 3);
    for (size_t i = 0; i < found.n; i++) {
        cr_assert_gt(found.line[i].len, 0);
        cr_assert(i == 0 || found.line[i].score <= found.line[i - 1].score);
        follow(player, &found.line[i]);
        for (size_t j = 0; j < i; j++)
            cr_assert_not(rules_same_move(found.line[i].move[0], found.line[j].move[0]));
    }
}

struct heard {
    size_t times;
    uint64_t nodes;
    unsigned depth;
    size_t lines;
};

static void hear(void *context, const struct engine_analysis *analysis)
{
    struct heard *heard = context;
    const struct engine_line *line = &analysis->line[analysis->n - 1];

    cr_assert_geq(analysis->n, heard->lines);
    cr_assert(analysis->n > heard->lines || line->depth == heard->depth + 1);
    cr_assert_gt(analysis->nodes, heard->nodes);
    cr_assert_gt(line->len, 0);
    heard->times++;
    heard->nodes = analysis->nodes;
    heard->depth = line->depth;
    heard->lines = analysis->n;
}

EACH_GAME(tells_of_each_depth_that_a_line_has_reached)
{
    struct player *player = player_at(rules_game(*which)->name, "", NULL);
    struct engine_task task = player_task(player);
    struct heard heard = {.times = 0};
    struct engine_listener listener = {hear, &heard};
    struct engine_analysis found;

    engine_analyse(player->engine, &task, 5000, 2, &listener, &found);
    cr_assert_gt(heard.times, 2);
    cr_assert_eq(heard.lines, found.n);
    cr_assert(heard.depth == found.line[0].depth || heard.depth == found.line[1].depth);
}

Test(engine, analyses_no_more_lines_than_there_are_moves)
{
    struct player *player = player_at("tictactoe", "", "xxo/oox/x2 o 3");
    struct engine_task task = player_task(player);
    struct engine_analysis found;

    cr_assert_eq(engine_analyse(player->engine, &task, 1000, 3, NULL, &found), ENGINE_MOVES);
    cr_assert_eq(found.n, 2);
}

/* ---- the end of a game ---- */

Test(engine, has_no_move_in_a_game_that_is_over)
{
    struct player *player = player_at("tictactoe", "", "xxx/oo1/3 o 3");
    struct engine_task task = player_task(player);
    struct engine_choice choice;
    struct engine_analysis found;

    cr_assert_eq(engine_choose(player->engine, &task, 8, 0, &choice), ENGINE_OVER);
    cr_assert_eq(engine_analyse(player->engine, &task, 1000, 1, NULL, &found), ENGINE_OVER);
}

Test(engine, declares_a_win_that_the_rules_let_it_declare)
{
    struct player *player =
        player_at("shogi", "", "1+R+B1K1+P+P1/+P+P+P+P+P+P+P+P+P/9/9/9/9/9/9/4k4 b RB2G2S2N2L2P 1");
    struct engine_task task = player_task(player);
    struct engine_choice choice;

    cr_assert_eq(engine_choose(player->engine, &task, 8, 0, &choice), ENGINE_DECLARES);
}

/* ---- repetition ---- */

Test(engine, does_not_repeat_a_position_when_it_is_winning)
{
    struct player *player = player_at("turkish-draughts", "", "W:WKa1,Kb1,Kc1:BKh8");
    struct engine_choice choice;
    size_t before;

    player_play_text(player, "a1-a2");
    player_play_text(player, "h8-h7");
    player_play_text(player, "a2-a1");
    player_play_text(player, "h7-h8");
    choice = player_think(player, 2000);
    player_play(player, choice.move);
    before = rules_occurrences(&(struct rules_history){player->keys, player->ply},
                               player->game->key(&player->state));
    cr_assert_eq(before, 0, "it repeats a position");
}

/* Black's rook has become a dragon and stands where the king's bishop takes it. White's king may
 * also go back to where it has stood, after which the game goes on. */
static struct player *beside_a_loose_dragon(const char *options)
{
    static const char *const moves[] = {"9i9a+", "5a5b", "9a9b", "5b5a", "9b9a"};
    struct player *player = player_at("shogi", options, "4k4/9/9/9/4b4/9/9/9/R3K4 b - 1");

    for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]); i++)
        player_play_text(player, moves[i]);
    return player;
}

Test(engine, takes_what_hangs_rather_than_going_back_in_check)
{
    struct player *player = beside_a_loose_dragon("");

    cr_assert_str_eq(player_text(player, player_think(player, 20000).move), "5e9a");
}

Test(engine, sees_no_mate_in_a_position_that_stood_before)
{
    static const char *const options[] = {"", "repetition=0", "rules=casual"};

    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
        struct player *player = beside_a_loose_dragon(options[i]);
        struct engine_task task = player_task(player);
        struct engine_analysis found;

        engine_analyse(player->engine, &task, 20000, 1, NULL, &found);
        cr_expect_eq(found.line[0].mate, 0, "with %s", options[i]);
        cr_expect_str_eq(player_text(player, found.line[0].move[0]), "5e9a", "with %s", options[i]);
    }
}

/* What an analysis says of the position now. */
static int32_t worth_now(struct player *player)
{
    struct engine_task task = player_task(player);
    struct engine_analysis found;

    engine_analyse(player->engine, &task, 3000, 1, NULL, &found);
    return found.line[0].score;
}

Test(engine, analysis_takes_no_draw_for_granted_before_the_rules_do)
{
    static const char *const moves[] = {"a1-a2", "h8-h7", "a2-a1", "h7-h8", "a1-a2"};
    struct player *player = player_at("turkish-draughts", "", "W:WKa1,Kc1,Kb3:BKh8");

    for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]); i++)
        player_play_text(player, moves[i]);
    cr_assert_lt(worth_now(player), -100, "three kings against one are worth %d",
                 worth_now(player));
}

Test(engine, analysis_sees_the_draw_that_the_rules_give)
{
    struct player *player = player_at("shogi", "repetition=2", "4k4/9/9/9/9/9/9/9/RB2K4 b - 1");
    struct engine_task task = player_task(player);
    struct engine_analysis found;

    player_play_text(player, "5i5h");
    player_play_text(player, "5a5b");
    player_play_text(player, "5h5i");
    task = player_task(player);
    engine_analyse(player->engine, &task, 3000, 1, NULL, &found);
    cr_assert_str_eq(player_text(player, found.line[0].move[0]), "5b5a");
    cr_assert_eq(found.line[0].score, 0);
}

/* ---- lines ---- */

/* The moves that are not worth a look come last, but they come. */
Test(engine, analyses_as_many_lines_as_are_wanted)
{
    static const struct {
        const char *game, *options, *position;
        uint64_t nodes;
    } wanted[] = {
        {"tictactoe", "rows=19 cols=19 k=5", NULL, 20000},
        {"tictactoe", "", "xx1/oo1/3 x 3", 2000},
    };

    for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
        struct player *player = player_at(wanted[i].game, wanted[i].options, wanted[i].position);
        struct engine_task task = player_task(player);
        struct engine_analysis found;

        engine_analyse(player->engine, &task, wanted[i].nodes, 3, NULL, &found);
        cr_expect_eq(found.n, 3, "%s %s: %zu lines", wanted[i].game, wanted[i].options, found.n);
    }
}
