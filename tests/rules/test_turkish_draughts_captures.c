/*
 * test_turkish_draughts_captures.c - the two searches for the longest captures (T18) find the same,
 * and positions made up so that a king can capture in hundreds of thousands of ways cost little.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "rules/draughts/captures.h"
#include "rules/draughts/text.h"
#include "scene.h"
#include "tests/support/long.h"

extern const struct rules_game rules_turkish_draughts;

static const struct rules_game *const game = &rules_turkish_draughts;

enum { WAYS = 12, MOVES_MAX = 1 << 20 };

/* Positions in which White's kings have thousands of captures. */
static const char *const full_of_captures[] = {
    "W:WKa5:Bc8,g8,d7,h7,a6,e6,c5,g5,b4,f4,a3,e3,h3,d2,Kc1,Kg1",
    "W:WKa8:BKb1,Kg1,Ka2,Kh2,Kd3,Kc4,Kf4,Kd5,Kg5,Ka6,Ke6,Kb7,Kf7,Kh7,Kb8,Kg8",
    "W:WKa1,Kg2,Kh8:BKc1,Kg1,Ke2,Kb3,Kf3,Kc4,Kg4,Ka5,Kd5,Kf5,Kh5,Kc6,Ke6,Kd7,Kg7,Ke8",
    ("W:WKa1,Kb1,Ka2,Ka3,Ka4,Ka5,Kg6,Ka7,Ka8:"
     "BKg1,Kd2,Kg2,Kb3,Kf3,Kh3,Kc4,Kg4,Kg5,Kd6,Ke6,Kh6,Kb7,Kg7,Kc8,Kg8"),
};

enum { FULL = sizeof(full_of_captures) / sizeof(full_of_captures[0]) };

static rules_move walked[MOVES_MAX], swept[MOVES_MAX];

/* Sets one of the ways to play that matter for captures (T16, T17, T21). */
static void set_way(struct draughts *d, unsigned way)
{
    d->promotion = (uint8_t)(way % 3);
    d->turn180 = (uint8_t)(way / 3 % 2);
    d->removal = (uint8_t)(way / 6);
}

static struct draughts at(const char *position, unsigned way)
{
    struct draughts d = {0};
    struct rules_refusal why;

    cr_assert(draughts_read_position(position, &d, &why), "%s", position);
    set_way(&d, way);
    return d;
}

static const char *named(const struct draughts *d)
{
    static char text[RULES_POSITION_TEXT + 64];

    draughts_write_position(d, text);
    sprintf(text + strlen(text), " promotion %d turn180 %d removal %d", d->promotion, d->turn180,
            d->removal);
    return text;
}

/* Compares the searches for captures that end on certain squares. */
static void compare(const struct draughts *d, uint64_t takers, uint64_t ends, size_t cap)
{
    unsigned longest = draughts_longest(d, 0);
    struct draughts_search walk = {
        .d = d, .ends = ends, .moves = walked, .cap = MOVES_MAX, .longest = longest};
    struct draughts_search sweep = {
        .d = d, .ends = ends, .moves = swept, .cap = cap, .longest = longest};

    cr_assert(draughts_walk(&walk, takers, SIZE_MAX));
    draughts_sweep(&sweep, takers);
    if (walk.count <= cap)
        cr_assert_eq(sweep.count, walk.count, "%s", named(d));
    else
        cr_assert_gt(sweep.count, cap, "%s", named(d));
    cr_assert_eq(sweep.differ, walk.differ, "%s", named(d));
    cr_assert_eq(memcmp(walked, swept, (walk.count < cap ? walk.count : cap) * sizeof(*swept)), 0,
                 "%s", named(d));
}

static void compare_longest(const struct draughts *d)
{
    struct draughts_search walk = {.d = d};

    cr_assert(draughts_walk(&walk, draughts_takers(d), SIZE_MAX));
    cr_assert_eq(draughts_sweep_longest(d, draughts_takers(d), 0), walk.longest, "%s", named(d));
    cr_assert_eq(draughts_longest(d, 0), walk.longest, "%s", named(d));
}

Test(turkish_draughts_captures, t18_positions_full_of_captures_are_judged_alike_by_both_searches)
{
    for (unsigned i = 0; i < FULL; i++)
        for (unsigned way = 0; way < WAYS; way += 3) { /* how men are crowned does not matter */
            struct draughts d = at(full_of_captures[i], way);

            compare_longest(&d);
            compare(&d, draughts_takers(&d), UINT64_MAX, MOVES_MAX);
        }
}

Test(turkish_draughts_captures,
     t21_a_man_that_is_crowned_on_the_way_is_judged_alike_by_both_searches)
{
    for (unsigned way = 0; way < WAYS; way++) {
        struct draughts d = at("W:Wa6:Bc8,g8,a7,d7,h7,e6,c5,g5,b4,f4,e3,h3,d2,c2,g2", way);

        compare_longest(&d);
        compare(&d, draughts_takers(&d), UINT64_MAX, MOVES_MAX);
        compare(&d, draughts_takers(&d), UINT64_MAX, 8);
    }
}

Test(turkish_draughts_captures, t30_short_notations_there_are_judged_alike_by_both_searches)
{
    for (unsigned i = 0; i < FULL; i++) {
        struct draughts d = at(full_of_captures[i], i);

        for (uint64_t takers = draughts_takers(&d); takers != 0; takers &= takers - 1)
            for (unsigned to = i; to < 64; to += long_or_short(7, 21))
                compare(&d, takers & -takers, draughts_bit(to), 8);
    }
}

static void put_pieces(struct draughts *d, unsigned side, size_t n, uint64_t *seed)
{
    while (n > 0) {
        uint64_t bit = draughts_bit((unsigned)rules_choose(seed, 64));
        bool king = rules_choose(seed, 2) == 0;

        if ((draughts_occupied(d) & bit) != 0 || (!king && (draughts_last_rank(side) & bit) != 0))
            continue;
        d->side[side] |= bit;
        d->kings |= king ? bit : 0;
        n--;
    }
}

Test(turkish_draughts_captures, t18_random_positions_are_judged_alike_by_both_searches)
{
    uint64_t seed = 1;

    for (unsigned i = 0; i < long_or_short(20000, 10000); i++) {
        struct draughts d = {.turn = i % 2};

        set_way(&d, i % WAYS);
        put_pieces(&d, d.turn, 1 + rules_choose(&seed, 6), &seed);
        put_pieces(&d, !d.turn, 1 + rules_choose(&seed, 14), &seed);
        compare_longest(&d);
        compare(&d, draughts_takers(&d), UINT64_MAX, MOVES_MAX);
        compare(&d, draughts_takers(&d), draughts_bit((unsigned)rules_choose(&seed, 64)), 1);
    }
}

/* ---- what such positions cost ---- */

Test(turkish_draughts_captures, following_every_path_is_given_up_where_there_are_too_many)
{
    for (unsigned i = 0; i < FULL; i++) {
        struct scene scene;

        scene_open(&scene, game, "", full_of_captures[i]);
        cr_expect(rules_is_heavy(game, &scene.state), "%s", full_of_captures[i]);
    }
}

Test(turkish_draughts_captures, the_list_of_captures_ends_where_there_is_no_more_room)
{
    struct scene scene;
    size_t n;

    scene_open(&scene, game, "", full_of_captures[0]);
    n = game->legal(&scene.state, swept, 100);
    cr_expect_gt(n, 100);
    cr_expect_lt(n, 200); /* of 314,278 */
}

Test(turkish_draughts_captures, one_of_very_many_captures_is_read_and_played)
{
    struct scene scene;
    struct rules_refusal why;

    scene_open(&scene, game, "", full_of_captures[0]);
    cr_assert(rules_play(game, &scene.state, "a5xa1xd1xd3xd8xa8xa1xh1xh4xc4xc6xg6xg3xb3xb8xh8xh1",
                         NULL, &why));
    cr_assert_eq(rules_outcome_now(game, &scene.state).reason, RULES_REASON_NO_PIECES);
}

Test(turkish_draughts_captures, a_capture_that_takes_too_few_of_very_many_is_refused)
{
    struct scene scene;
    rules_move move;
    struct rules_refusal why;

    scene_open(&scene, game, "", full_of_captures[0]);
    cr_assert_not(game->read_move(&scene.state, "a5xa1xd1xd3xd8xa8xa1xh1xh4xc4xc6xg6xg3xb3xb8xh8",
                                  &move, &why));
    cr_assert_eq(why.code, RULES_MUST_CAPTURE_MORE);
    cr_assert_eq(why.yours, 15);
    cr_assert_eq(why.required, 16);
    cr_assert_eq(why.examples, RULES_EXAMPLES_MAX);
}
