/* test_small_boards.c - m,n,k games that can be seen through: from level 4 on nothing that can be
 * held is lost, and nothing that is won is given away, whatever the seed. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <string.h>

#include "player.h"

enum { SEEDS = 3, SQUARES = 9, PLACES = 1 << 14 };

/* Positions by their keys, each with its worth for the side to move: 1 is a win. */
static struct note {
    uint64_t key;
    bool judged, asked;
    int worth;
} notes[PLACES];

static struct note *note_of(const struct player *player)
{
    uint64_t key = player->game->key(&player->state);
    size_t at = (size_t)(key * 0x9e3779b97f4a7c15U >> 50);

    while (notes[at].judged && notes[at].key != key)
        at = (at + 1) % PLACES;
    notes[at].key = key;
    return &notes[at];
}

static int worth_after(const struct player *player, rules_move move);

/* The worth of a position, by going through all that can follow. */
static int worth_of(const struct player *player)
{
    struct rules_outcome outcome = player_outcome(player);
    rules_move moves[SQUARES];
    size_t n;
    int best = -1;

    if (outcome.status != RULES_ONGOING)
        return outcome.status == RULES_DRAWN                             ? 0
               : outcome.winner == player->game->to_move(&player->state) ? 1
                                                                         : -1;
    if (note_of(player)->judged)
        return note_of(player)->worth;
    n = player->game->legal(&player->state, moves, SQUARES);
    for (size_t i = 0; i < n; i++) {
        int worth = worth_after(player, moves[i]);

        best = worth > best ? worth : best;
    }
    *note_of(player) =
        (struct note){.key = player->game->key(&player->state), .judged = true, .worth = best};
    return best;
}

static int worth_after(const struct player *player, rules_move move)
{
    struct player next = *player;

    player_play(&next, move);
    return -worth_of(&next);
}

static void expect_good_choices(const struct player *player, const char *options, unsigned level)
{
    struct engine_task task = player_task(player);
    char position[RULES_POSITION_TEXT];

    player->game->position_text(&player->state, position);
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct engine_choice choice;

        cr_assert_eq(engine_choose(player->engine, &task, level, 77 * seed, &choice), ENGINE_MOVES);
        cr_assert_eq(worth_after(player, choice.move), worth_of(player),
                     "%s: level %u with seed %u plays %s in %s", options, level,
                     77 * (unsigned)seed, player_text(player, choice.move), position);
    }
}

/* Each position that can come up in a game, or be given as its start. */
static void expect_good_choices_from(const struct player *player, const char *options,
                                     unsigned level)
{
    rules_move moves[SQUARES];
    size_t n;

    if (player_outcome(player).status != RULES_ONGOING)
        return;
    worth_of(player);
    if (note_of(player)->asked)
        return;
    note_of(player)->asked = true;
    expect_good_choices(player, options, level);
    n = player->game->legal(&player->state, moves, SQUARES);
    for (size_t i = 0; i < n; i++) {
        struct player next = *player;

        player_play(&next, moves[i]);
        expect_good_choices_from(&next, options, level);
    }
}

ParameterizedTestParameters(small_boards, from_level_4_on_no_3x3_game_is_lost)
{
    static unsigned levels[ENGINE_LEVELS - ENGINE_SURE + 1];

    for (unsigned i = 0; i <= ENGINE_LEVELS - ENGINE_SURE; i++)
        levels[i] = ENGINE_SURE + i;
    return cr_make_param_array(unsigned, levels, sizeof(levels) / sizeof(levels[0]));
}

ParameterizedTest(const unsigned *level, small_boards, from_level_4_on_no_3x3_game_is_lost)
{
    expect_good_choices_from(player_at("tictactoe", "", NULL), "", *level);
}

Test(small_boards, level_4_makes_no_mistake_on_other_boards_either)
{
    static const char *const boards[] = {"k=2", "rows=2 cols=4 k=3", "rows=1 cols=7 k=3"};

    for (size_t i = 0; i < sizeof(boards) / sizeof(boards[0]); i++) {
        memset(notes, 0, sizeof(notes));
        expect_good_choices_from(player_at("tictactoe", boards[i], NULL), boards[i], 4);
    }
}

Test(small_boards, of_a_game_that_the_engine_does_not_know_none_is_lost_either)
{
    static const char *const boards[] = {"", "k=2", "rows=2 cols=4 k=3", "rows=1 cols=7 k=3"};

    for (size_t i = 0; i < sizeof(boards) / sizeof(boards[0]); i++) {
        memset(notes, 0, sizeof(notes));
        expect_good_choices_from(stranger_at("tictactoe", boards[i], NULL), boards[i], 4);
    }
}
