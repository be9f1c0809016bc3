/* test_large.c - writes of many bytes: their lane, the bounds of batches and queues, and memory. */
#include <criterion/criterion.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bed.h"
#include "tests/support/pg.h"

enum { KIB = 1 << 10, MIB = 1 << 20, WRITES = 16 };

static struct bed bed;

static void make_bed(void)
{
    bed_make(&bed);
}

static void remove_bed(void)
{
    bed_remove(&bed);
}

TestSuite(large, .init = make_bed, .fini = remove_bed);

/* ---- writes of any size ---- */

/* A new game that sends so many bytes, and the call that stores it. */
struct making {
    struct db_game game;
    struct db_event first;
    struct db_create create;
    struct call call;
    char *data;
};

static void make(struct db *db, struct making *making, size_t bytes)
{
    making->data = malloc(bytes + 1);
    memset(making->data, '7', bytes);
    making->data[bytes] = '\0';
    making->game = new_game();
    making->first = (struct db_event){.version = 1, .line = 1, .data = making->data};
    making->create =
        (struct db_create){.game = &making->game, .events = &making->first, .count = 1};
    making->call = (struct call){.calls = 0};
    db_create(db, &making->create, on_done, &making->call);
}

static void expect_made(struct db *db, struct making *making)
{
    if (making->call.calls == 0)
        run_until_done(db, &making->call);
    cr_assert_eq(making->call.outcome, DB_OK, "%s", making->call.error.text);
    free(making->data);
}

/* A move with so many bytes in its data. */
static void turn_fill(struct turn *turn, const struct db_game *game, size_t bytes)
{
    char *data = malloc(bytes + 1);

    memset(data, '7', bytes);
    data[bytes] = '\0';
    turn_make(turn, game, "7g7f");
    turn->event.data = data;
}

static uint64_t statements(struct db *db)
{
    struct db_stats stats;
    uint64_t sum = 0;

    db_stats(db, &stats);
    for (size_t i = 0; i < DB_KINDS; i++)
        sum += stats.statements[i];
    return sum;
}

static struct db *open_wide(unsigned connections)
{
    struct db_settings settings = bed_settings(bed.url);
    struct db *db;
    struct db_stats stats;

    settings.connections = connections;
    db = bed_open(&settings);
    do
        db_run(db), db_stats(db, &stats);
    while (stats.connected < connections);
    return db;
}

/* ---- the lane ---- */

/* A session that has a game locked, until PQfinish(). */
static PGconn *lock_game(void)
{
    PGconn *other = PQconnectdb(bed.url);

    PQclear(PQexec(other, "begin"));
    PGresult *result = PQexec(other, "update games set status = status");
    cr_assert_eq(PQresultStatus(result), PGRES_COMMAND_OK, "%s", PQerrorMessage(other));
    PQclear(result);
    return other;
}

/* A large move in a game that somebody has locked. */
struct stuck {
    struct db_game game;
    struct turn turn;
    struct call call;
    PGconn *lock;
};

static void get_stuck(struct db *db, struct stuck *stuck)
{
    stuck->game = new_game();
    create(db, &stuck->game);
    turn_fill(&stuck->turn, &stuck->game, 300 * KIB);
    stuck->lock = lock_game();
    stuck->call = (struct call){.calls = 0};
    db_append(db, &stuck->turn.append, on_done, &stuck->call);
    run_until_sent(db);
}

static void get_free(struct db *db, struct stuck *stuck)
{
    cr_assert_eq(stuck->call.calls, 0, "it did not wait for its lock");
    PQfinish(stuck->lock);
    run_until_done(db, &stuck->call);
    cr_assert_eq(stuck->call.outcome, DB_OK, "%s", stuck->call.error.text);
    free((char *)(uintptr_t)stuck->turn.event.data);
}

Test(large, a_write_that_is_held_up_delays_no_small_ones_and_no_reads)
{
    struct db *db = open_wide(2);
    struct stuck stuck;
    struct db_game game = new_game();
    struct call read = {.calls = 0};

    get_stuck(db, &stuck);
    create(db, &game);
    for (int i = 0; i < 10; i++)
        play(db, &game, "7g7f");
    db_get_game(db, game.id, on_game, &read);
    run_until_done(db, &read);
    cr_assert_eq(read.version, 11);
    get_free(db, &stuck);
    db_close(db);
}

Test(large, writes_go_one_at_a_time_in_the_order_in_which_they_came)
{
    struct db *db = open_wide(4);
    struct making second, third;
    struct db_stats stats;
    struct stuck first;
    struct db_game game = new_game();

    get_stuck(db, &first);
    make(db, &second, 100 * KIB);
    make(db, &third, 100 * KIB);
    create(db, &game);
    db_stats(db, &stats);
    cr_assert_eq(stats.queued, 2, "%d wait", (int)stats.queued);
    get_free(db, &first);
    cr_assert_eq(third.call.calls, 0);
    expect_made(db, &second);
    cr_assert_eq(third.call.calls, 0);
    expect_made(db, &third);
    db_close(db);
}

Test(large, a_write_shares_no_statement_with_small_ones)
{
    struct making big, small[2];
    uint64_t before = statements(bed.db);

    PG_PLAIN_ONLY("the games are of several shards");
    make(bed.db, &small[0], 10);
    make(bed.db, &big, 100 * KIB);
    make(bed.db, &small[1], 10);
    expect_made(bed.db, &big);
    expect_made(bed.db, &small[0]);
    expect_made(bed.db, &small[1]);
    cr_assert_eq(statements(bed.db) - before, 2);
}

Test(large, writes_and_small_ones_are_done_on_a_single_connection)
{
    struct db *db = open_wide(1);
    struct making makings[WRITES];

    for (int i = 0; i < WRITES; i++)
        make(db, &makings[i], i % 2 == 0 ? 200 * KIB : 10);
    for (int i = 0; i < WRITES; i++)
        expect_made(db, &makings[i]);
    db_close(db);
}

/* ---- batches ---- */

Test(large, a_batch_carries_256_KiB_and_no_more)
{
    struct making makings[WRITES];
    uint64_t before = statements(bed.db);

    PG_PLAIN_ONLY("the games are of several shards");
    for (int i = 0; i < WRITES; i++)
        make(bed.db, &makings[i], 50 * KIB);
    for (int i = 0; i < WRITES; i++)
        expect_made(bed.db, &makings[i]);
    cr_assert_eq(statements(bed.db) - before, 4, "five fit into one");
}

Test(large, a_write_of_more_than_any_batch_may_have_is_done)
{
    struct making making;

    make(bed.db, &making, 6 * MIB);
    expect_made(bed.db, &making);
}

/* ---- queues ---- */

Test(large, writes_beyond_what_may_wait_are_unavailable_at_once_and_small_ones_are_not)
{
    struct db_settings settings = bed_settings("host=/nonexistent dbname=plyd");
    struct db *db = db_open(&settings);
    struct making fits, too_much, small;

    make(db, &fits, 15 * MIB);
    make(db, &too_much, 2 * MIB);
    make(db, &small, 10);
    db_run(db);
    cr_expect_eq(too_much.call.calls, 1);
    cr_expect_eq(too_much.call.outcome, DB_UNAVAILABLE);
    cr_expect_str_eq(too_much.call.error.sqlstate, DB_SQLSTATE_FULL);
    cr_expect_eq(fits.call.calls + small.call.calls, 0);
    db_close(db);
    free(fits.data);
    free(too_much.data);
    free(small.data);
}

Test(large, a_single_write_may_wait_however_large_it_is)
{
    struct db_settings settings = bed_settings("host=/nonexistent dbname=plyd");
    struct db *db = db_open(&settings);
    struct making making;

    make(db, &making, 20 * MIB);
    db_run(db);
    cr_expect_eq(making.call.calls, 0);
    db_close(db);
    free(making.data);
}

/* ---- memory ---- */

static char *session(void)
{
    return sql_value(bed.url, "select min(pid) from pg_stat_activity where application_name ="
                              " 'plyd' and datname = current_database() and pid <>"
                              " pg_backend_pid() and state = 'idle'");
}

Test(large, a_connection_that_a_write_made_grow_is_made_anew_and_nothing_is_lost)
{
    struct db_stats stats;
    struct making making;
    struct db_game game = new_game();
    struct db *db;
    char *before, *now;
    bool same = true;

    db_close(bed.db);
    db = bed.db = open_wide(1);
    before = session();
    make(db, &making, 6 * MIB);
    expect_made(db, &making);
    create(db, &game);
    while (same) {
        play(db, &game, "7g7f");
        now = session();
        same = *now == '\0' || strcmp(before, now) == 0;
        free(now);
    }
    db_stats(db, &stats);
    cr_assert_eq(stats.reconnects, 0, "it counts as lost");
    free(before);
}
