/* test_results.c - how players have done in the games that whoever asks may see. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "bed.h"
#include "tests/support/pg.h"

enum { ACTIVE = 2, FINISHED = 3, ABORTED = 4, PUBLIC = 1, UNLISTED = 2, PRIVATE = 3 };

static struct bed bed;
static struct call done_call;
static const db_id ada = {{0xad, 0xa}}, mia = {{0x31, 0xa}}, eve = {{0xee}};

static void make(void)
{
    bed_make(&bed);
}

static void end(void)
{
    bed_remove(&bed);
}

TestSuite(results, .init = make, .fini = end);

static void game_of(const db_id *first, const db_id *second, int winner, int16_t status,
                    int16_t visibility)
{
    const db_id *players[] = {first, second};
    struct db_game game = new_game();

    game.status = status;
    game.winner = (int16_t)winner;
    game.visibility = visibility;
    for (int i = 0; i < DB_SEATS; i++)
        if (players[i] != NULL)
            game.seat[i] = (struct db_seat){.has_player = true, .player = *players[i]};
    create(bed.db, &game);
}

/* "won drawn lost" of the variants, in order; asker and against may be NULL. */
static void assert_results(const db_id *player, const db_id *against, const db_id *asker,
                           const char *expected)
{
    struct db_results_of wanted = {.player = *player,
                                   .has_against = against != NULL,
                                   .has_asker = asker != NULL,
                                   .against = against == NULL ? ada : *against,
                                   .asker = asker == NULL ? ada : *asker};
    char told[256] = "";

    CALL(DB_OK, results, db_get_results, &wanted);
    for (size_t i = 0; i < done_call.count; i++) {
        const struct db_result *result = &done_call.results[i];

        sprintf(told + strlen(told), "%s%d %d %d", i == 0 ? "" : ", ", result->won, result->drawn,
                result->lost);
    }
    cr_assert_str_eq(told, expected);
}

Test(results, wins_draws_and_losses_are_counted_on_either_seat)
{
    game_of(&ada, &mia, 1, FINISHED, PUBLIC);
    game_of(&mia, &ada, 2, FINISHED, PUBLIC);
    game_of(&mia, &ada, 0, FINISHED, PUBLIC);
    game_of(&ada, &mia, 2, FINISHED, PUBLIC);
    assert_results(&ada, NULL, NULL, "2 1 1");
    assert_results(&mia, NULL, NULL, "1 1 2");
    assert_results(&eve, NULL, NULL, "");
}

Test(results, only_games_that_are_over_and_of_two_players_are_counted)
{
    game_of(&ada, &mia, 1, ACTIVE, PUBLIC);
    game_of(&ada, &mia, 0, ABORTED, PUBLIC);
    game_of(&ada, &ada, 1, FINISHED, PUBLIC);
    game_of(&ada, NULL, 1, FINISHED, PUBLIC);
    assert_results(&ada, NULL, &ada, "");
}

Test(results, against_a_player_others_are_left_out)
{
    game_of(&ada, &mia, 1, FINISHED, PUBLIC);
    game_of(&eve, &ada, 1, FINISHED, PUBLIC);
    assert_results(&ada, &mia, NULL, "1 0 0");
    assert_results(&ada, &eve, NULL, "0 0 1");
    assert_results(&mia, &eve, NULL, "");
}

Test(results, what_is_not_public_is_counted_for_those_who_sit_in_it_alone)
{
    game_of(&ada, &mia, 1, FINISHED, PRIVATE);
    game_of(&ada, &mia, 1, FINISHED, UNLISTED);
    assert_results(&ada, NULL, NULL, "");
    assert_results(&ada, &mia, NULL, "");
    assert_results(&ada, NULL, &eve, "");
    assert_results(&ada, NULL, &mia, "2 0 0");
    assert_results(&ada, &eve, &mia, "");
    assert_results(&ada, &mia, &mia, "2 0 0");
    assert_results(&ada, &mia, &ada, "2 0 0");
    assert_results(&ada, NULL, &ada, "2 0 0");
    assert_results(&mia, NULL, &mia, "0 0 2");
}

/* ---- plans ---- */

static const char fill[] =
    "insert into games (id, version, ply, line, lines, tip, status, to_move, winner, last_seat,"
    " last_at, updated_at, position, seat1_state, seat1_player, seat2_state, seat2_player, variant,"
    " rules_version, options, start, undo, visibility, seed, created_at)"
    " select md5(n::text)::uuid, 1, 0, 1, 1, 0, 2 + n % 2, 1, n % 3, 0, now(), now(), '', 2,"
    " md5((n % 5000)::text)::uuid, 2, md5((n % 4999)::text)::uuid, 'shogi', 1, '{}', '', 1,"
    " 1 + n % 3, 0, now() from generate_series(1, 100000) as n";

static void assert_indexed(PGconn *pg, const char *arguments)
{
    const char *plan = plan_of(pg, KIND_RESULTS, arguments);

    cr_assert_null(strstr(plan, "Seq Scan"), "%s", plan);
    cr_assert_null(strstr(plan, "Rows Removed"), "%s", plan);
    cr_assert_lt(plan_pages(plan), 100, "%s", plan);
}

Test(results, of_a_hundred_thousand_games_those_of_a_player_are_counted_by_index)
{
    PGconn *pg = PQconnectdb(bed.url);

    PG_PLAIN_ONLY("it reads plans");
    plan_fill(bed.url, "games", fill);
    plan_prepare(pg, KIND_RESULTS);
    for (int i = 0; i < 2; i++) {
        assert_indexed(pg, "array[md5('77')::uuid], '{null}', '{null}'");
        assert_indexed(pg, "array[md5('77')::uuid], array[md5('78')::uuid],"
                           " array[md5('78')::uuid]");
        sql(bed.url, "analyze games"); /* before, and once the server knows the table */
    }
    PQfinish(pg);
}

/* Nearly all games are those of one player, and none of them is public. */
Test(results, games_that_whoever_asks_may_not_see_are_not_looked_at)
{
    PGconn *pg = PQconnectdb(bed.url);

    PG_PLAIN_ONLY("it reads plans");
    plan_fill(bed.url, "games", fill);
    sql(bed.url, "update games set visibility = 3,"
                 " seat1_player = case when id::text < 'f' then md5('77')::uuid"
                 " else seat1_player end");
    sql(bed.url, "vacuum analyze games");
    plan_prepare(pg, KIND_RESULTS);
    assert_indexed(pg, "array[md5('77')::uuid], '{null}', '{null}'");
    assert_indexed(pg, "array[md5('77')::uuid], '{null}', array[md5('78')::uuid]");
    assert_indexed(pg, "array[md5('77')::uuid], array[md5('78')::uuid], array[md5('79')::uuid]");
    PQfinish(pg);
}
