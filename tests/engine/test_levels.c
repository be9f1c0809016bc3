/* test_levels.c - levels: how they differ, and what even the weak ones never do. */
#include <criterion/criterion.h>
#include <string.h>

#include "player.h"
#include "tactics.h"

/* Plays a game of two players, a level each; level 0 plays at random. Returns the winner's seat. */
static unsigned play(struct player *player, const unsigned level[RULES_SEATS], uint64_t seed)
{
    while (player_outcome(player).status == RULES_ONGOING && player->ply < 300) {
        unsigned plays = level[player->game->to_move(&player->state) - 1];
        struct engine_task task = player_task(player);
        struct engine_choice choice = {0};

        if (plays == 0)
            choice.move = player_random(player, &seed);
        else if (engine_choose(player->engine, &task, plays, seed, &choice) != ENGINE_MOVES)
            break;
        player_play(player, choice.move);
    }
    return player_outcome(player).winner;
}

Test(levels, each_has_more_nodes_and_fewer_errors_than_the_one_beneath)
{
    for (size_t game = 0; game < rules_games(); game++) {
        for (unsigned i = 2; i <= ENGINE_LEVELS; i++) {
            struct engine_level below = engine_level(rules_game(game), i - 1);
            struct engine_level above = engine_level(rules_game(game), i);

            cr_assert_gt(above.nodes, below.nodes);
            cr_assert_leq(above.noise, below.noise);
            cr_assert_leq(above.hidden, below.hidden);
            cr_assert_eq(above.careless > 0, i == 2);
        }
        cr_assert_eq(engine_level(rules_game(game), ENGINE_LEVELS).noise, 0);
        cr_assert_eq(engine_level(rules_game(game), ENGINE_LEVELS).hidden, 0);
    }
}

Test(levels, level_3_beats_chance_in_every_game)
{
    static const struct {
        const char *game, *options;
    } games[] = {{"shogi", ""},
                 {"turkish-draughts", ""},
                 {"jungle", ""},
                 {"stackchess", ""},
                 {"tictactoe", "rows=15 cols=15 k=5"}};

    for (size_t i = 0; i < sizeof(games) / sizeof(games[0]); i++)
        for (unsigned seat = 1; seat <= RULES_SEATS; seat++) {
            struct player *player = player_at(games[i].game, games[i].options, NULL);
            const unsigned level[RULES_SEATS] = {seat == 1 ? 3 : 0, seat == 2 ? 3 : 0};

            cr_assert_eq(play(player, level, 11 * i + seat), seat, "%s: seat %u does not win",
                         games[i].game, seat);
        }
}

Test(levels, a_weak_level_plays_differently_with_another_seed)
{
    struct player *player = player_at("shogi", "", NULL);
    struct engine_task task = player_task(player);
    struct engine_choice first, other;
    unsigned differ = 0;

    engine_choose(player->engine, &task, 1, 0, &first);
    for (uint64_t seed = 1; seed <= 10; seed++) {
        engine_choose(player->engine, &task, 1, seed, &other);
        differ += !rules_same_move(first.move, other.move);
    }
    cr_assert_gt(differ, 0);
}

Test(levels, a_level_without_a_look_plays_any_legal_move)
{
    struct player *player = player_at("jungle", "", NULL);
    struct engine_task task = player_task(player);
    struct engine_level level = engine_level(player->game, 1);
    rules_move moves[RULES_MOVES_ORDINARY];
    size_t n = player->game->legal(&player->state, moves, RULES_MOVES_ORDINARY), played = 0;
    bool seen[RULES_MOVES_ORDINARY] = {false};

    level.careless = 1000;
    for (uint64_t seed = 0; seed < 1000; seed++) {
        struct engine_choice choice;
        size_t i = 0;

        engine_choose_as(player->engine, &task, &level, seed, &choice);
        cr_assert_eq(choice.nodes, 0);
        while (i < n && !rules_same_move(moves[i], choice.move))
            i++;
        cr_assert_lt(i, n);
        played += !seen[i];
        seen[i] = true;
    }
    cr_assert_eq(played, n);
}

/* A child may be mated in one, and must be able to get away with it. */
Test(levels, the_lowest_plays_about_half_of_the_mates_in_one)
{
    unsigned tried = 0, played = 0;

    for (size_t i = 0; tactics_mates[i].plies == 1; i++) {
        struct player *player = player_at("shogi", "", tactics_mates[i].position);
        struct engine_task task = player_task(player);

        for (uint64_t seed = 0; seed < 50; seed++, tried++) {
            struct engine_choice choice;
            struct player next = *player;

            engine_choose(player->engine, &task, 1, seed, &choice);
            player_play(&next, choice.move);
            played += player_outcome(&next).status == RULES_WON;
        }
    }
    cr_assert(played > tried / 4 && played < tried * 2 / 3, "%u of %u", played, tried);
}

static bool is_taken_there(struct player *player, rules_move move)
{
    struct rules_state next, after;
    rules_move replies[RULES_MOVES_ORDINARY];
    size_t n;

    player->game->play(&player->state, move, &next);
    n = player->game->legal(&next, replies, RULES_MOVES_ORDINARY);
    for (size_t i = 0; i < n; i++) {
        player->game->play(&next, replies[i], &after);
        if (player->game->outcome(&after, &(struct rules_history){NULL, 0}).status == RULES_WON)
            return true;
    }
    return false;
}

/* Two queens flee from three, which take them with all three men alone, and from four, which take
 * them with three or with four. */
Test(levels, a_stack_is_overlooked_with_any_number_of_its_men)
{
    static const char *const from[] = {"3(ddd)2/6/6/6/6/(DD)5 w - 0 1",
                                       "3(dddd)2/6/6/6/6/(DD)5 w - 0 1"};
    unsigned caught[2] = {0};

    for (size_t i = 0; i < 2; i++) {
        struct player *player = player_at("stackchess", "", from[i]);
        struct engine_task task = player_task(player);
        struct engine_level level = engine_level(player->game, 4);

        level.noise = 0;
        level.hidden = 200;
        for (uint64_t seed = 1; seed <= 300; seed++) {
            struct engine_choice choice;

            engine_choose_as(player->engine, &task, &level, seed, &choice);
            caught[i] += is_taken_there(player, choice.move);
        }
    }
    cr_assert_gt(caught[0], 10);
    cr_assert_gt(2 * caught[1], caught[0], "caught by three %u times, by four %u times", caught[0],
                 caught[1]);
}

Test(levels, behind_the_opening_the_highest_level_plays_the_same_with_every_seed)
{
    struct player *player = player_at("jungle", "", NULL);
    struct engine_task task = player_task(player);
    struct engine_level level = engine_level(player->game, ENGINE_LEVELS);
    struct engine_choice first, other;

    level.nodes = 5000;
    task.ply = ENGINE_OPENING;
    engine_choose_as(player->engine, &task, &level, 1, &first);
    for (uint64_t seed = 2; seed <= 20; seed++) {
        engine_choose_as(player->engine, &task, &level, seed, &other);
        cr_assert(rules_same_move(first.move, other.move));
    }
}
