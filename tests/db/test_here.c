/* test_here.c - which seats have their game before them. */
#include <criterion/criterion.h>

#include "bed.h"

enum { FIRST = 2, SECOND = 4 };

static struct bed bed;
static struct call done_call;

static void make(void)
{
    bed_make(&bed);
}

static void end(void)
{
    bed_remove(&bed);
}

TestSuite(here, .init = make, .fini = end);

static void assert_told(const struct db_game *game, unsigned seats, int64_t at, int64_t first,
                        int64_t second)
{
    CALL(DB_OK, here, db_set_here, game->id, seats, at);
    cr_assert_eq(done_call.here.at[0], first);
    cr_assert_eq(done_call.here.at[1], second);
}

Test(here, each_seat_has_a_time_of_its_own_until_it_has_gone)
{
    struct db_game game = new_game(), other = new_game();

    create(bed.db, &game);
    create(bed.db, &other);
    assert_told(&game, FIRST, 100, 100, 0);
    assert_told(&game, SECOND, 200, 100, 200);
    assert_told(&game, FIRST, 300, 300, 200);
    assert_told(&game, FIRST, 0, 0, 200);
    assert_told(&game, FIRST | SECOND, 400, 400, 400);
    assert_told(&other, FIRST, 500, 500, 0);
}

Test(here, of_a_game_that_does_not_exist_nothing_is_told)
{
    CALL(DB_NOT_FOUND, here, db_set_here, new_id(), FIRST, 100);
}

Test(here, changes_no_version)
{
    struct db_game game = new_game();

    create(bed.db, &game);
    assert_told(&game, FIRST, 100, 100, 0);
    assert_sql(bed.url, "select version::text from games", "1");
    play(bed.db, &game, "x");
    assert_told(&game, SECOND, 200, 100, 200);
}
