/* test_verdict.c - when a move was a mistake, and how scores are written. */
#include <criterion/criterion.h>

#include "api/game/rights.h"
#include "api/game/verdict.h"
#include "api/game/words.h"
#include "api/view/view.h"

Test(verdict, chances_grow_with_the_score_and_are_the_same_for_both_sides)
{
    for (int32_t score = 1; score <= 30000; score++) {
        cr_assert_geq(verdict_chance(score), verdict_chance(score - 1));
        cr_assert_eq(verdict_chance(score), 1000 - verdict_chance(-score));
    }
    cr_assert_eq(verdict_chance(0), 500);
    cr_assert_eq(verdict_chance(400), 750);
}

Test(verdict, only_an_end_that_is_proved_is_certain)
{
    cr_assert_lt(verdict_chance(29000), 1000);
    cr_assert_gt(verdict_chance(-29000), 0);
    cr_assert_eq(verdict_chance(29001), 1000);
    cr_assert_eq(verdict_chance(-29001), 0);
}

Test(verdict, a_move_is_the_worse_the_more_it_gives_away)
{
    static const struct {
        int32_t before, after;
        enum verdict verdict;
    } cases[] = {{0, 0, VERDICT_GOOD},
                 {0, -44, VERDICT_GOOD},
                 {0, -45, VERDICT_INACCURACY},
                 {0, -99, VERDICT_INACCURACY},
                 {0, -100, VERDICT_MISTAKE},
                 {0, -215, VERDICT_MISTAKE},
                 {0, -216, VERDICT_BLUNDER},
                 {-100, 50, VERDICT_GOOD},
                 {29990, 1500, VERDICT_GOOD},
                 {29990, 0, VERDICT_BLUNDER},
                 {-1500, -29990, VERDICT_GOOD},
                 {1000, 900, VERDICT_GOOD},
                 {30000, -30000, VERDICT_BLUNDER}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        cr_assert_eq(verdict_of(cases[i].before, cases[i].after), cases[i].verdict, "%d to %d: %s",
                     cases[i].before, cases[i].after,
                     verdict_name(verdict_of(cases[i].before, cases[i].after)));
}

Test(verdict, scores_are_written_as_men_or_as_plies_to_the_end)
{
    static const struct {
        int32_t score;
        const char *text;
    } cases[] = {{0, "+0.00"},
                 {35, "+0.35"},
                 {-7, "-0.07"},
                 {1205, "+12.05"},
                 {29999, "win in 1 ply"},
                 {29997, "win in 3 plies"},
                 {-29996, "loss in 4 plies"},
                 {30000, "won"},
                 {-30000, "lost"}};
    struct arena arena = {0};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        cr_assert_str_eq(view_score_text(&arena, cases[i].score), cases[i].text);
    arena_free(&arena);
}

/* ---- who gets hints ---- */

static struct db_game game_of(int status, int first, int second)
{
    struct db_game row = {.status = (int16_t)status};

    row.seat[0].state = (int16_t)first;
    row.seat[1].state = (int16_t)second;
    return row;
}

Test(may, hints_are_refused_only_while_two_people_play)
{
    struct db_game people = game_of(STATUS_ACTIVE, SEAT_TAKEN, SEAT_TAKEN);
    struct db_game engine = game_of(STATUS_ACTIVE, SEAT_TAKEN, SEAT_ENGINE);
    struct db_game open = game_of(STATUS_OPEN, SEAT_TAKEN, SEAT_OPEN);
    struct db_game over = game_of(STATUS_FINISHED, SEAT_TAKEN, SEAT_TAKEN);

    cr_assert_eq(may_not_hint(&people, 0), PROBLEM_NO_HINTS);
    cr_assert_eq(may_not_hint(&people, seat_bit(1)), PROBLEM_NO_HINTS);
    cr_assert_eq(may_not_hint(&people, SEATS_BOTH), PROBLEM_NONE);
    cr_assert_eq(may_not_hint(&open, seat_bit(1)), PROBLEM_NO_HINTS);
    cr_assert_eq(may_not_hint(&engine, seat_bit(1)), PROBLEM_NONE);
    cr_assert_eq(may_not_hint(&over, 0), PROBLEM_NONE);
}
