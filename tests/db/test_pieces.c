/* test_pieces.c - large writes that go in pieces: seen whole or not at all, whatever happens
 * between two pieces. */
#include <criterion/criterion.h>
#include <libpq-fe.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bed.h"
#include "db/kinds.h"
#include "db/migrate.h"
#include "tests/support/now.h"
#include "tests/support/pg.h"

enum { EVENTS = 120, EVENT_BYTES = 8 << 10 };

static struct bed bed;

static void make_bed(void)
{
    bed_make(&bed);
}

static void remove_bed(void)
{
    bed_remove(&bed);
}

TestSuite(pieces, .init = make_bed, .fini = remove_bed);

/* ---- a write in pieces ---- */

/* A megabyte of events: those of a new game, or of one that is carried on. */
struct story {
    struct db_game game;
    struct db_event events[EVENTS];
    struct db_create create;
    struct db_append append;
    struct call call;
};

static void tell(struct story *story, const struct db_game *game)
{
    static char data[EVENT_BYTES];

    memset(data, '7', sizeof(data) - 1);
    story->game = *game;
    story->call = (struct call){.calls = 0};
    for (int32_t i = 0; i < EVENTS; i++)
        story->events[i] =
            (struct db_event){.version = game->version + 1 + i, .line = 1, .data = data};
    story->game.version += EVENTS;
}

static void begin_create(struct db *db, struct story *story)
{
    struct db_game game = new_game();

    game.version = 0;
    tell(story, &game);
    story->create =
        (struct db_create){.game = &story->game, .events = story->events, .count = EVENTS};
    db_create(db, &story->create, on_done, &story->call);
}

static void begin_append(struct db *db, struct story *story, const struct db_game *game,
                         int32_t expected_plans)
{
    tell(story, game);
    story->append = (struct db_append){.after = &story->game,
                                       .expected = game->version,
                                       .expected_plans = expected_plans,
                                       .events = story->events,
                                       .count = EVENTS};
    db_append(db, &story->append, on_done, &story->call);
}

static uint64_t pieces_sent(struct db *db)
{
    struct db_stats stats;

    db_stats(db, &stats);
    return stats.statements[KIND_TELL];
}

static void run_until_pieces(struct db *db, const struct story *story, uint64_t pieces)
{
    while (pieces_sent(db) < pieces && story->call.calls == 0)
        db_run(db);
    cr_assert_eq(story->call.calls, 0, "it was over before: %s", story->call.error.text);
}

static void expect(struct db *db, struct story *story, enum db_outcome outcome)
{
    if (story->call.calls == 0)
        run_until_done(db, &story->call);
    cr_assert_eq(story->call.outcome, outcome, "outcome %d: %s", story->call.outcome,
                 story->call.error.text);
}

static void assert_nothing_is_left(void)
{
    assert_sql(bed.url, "select count(*) from events where data is not null", "0");
}

static uint32_t reconnects(struct db *db)
{
    struct db_stats stats;

    db_stats(db, &stats);
    return (uint32_t)stats.reconnects;
}

/* ---- whole or not at all ---- */

Test(pieces, a_write_of_many_events_goes_in_pieces_and_is_whole)
{
    struct story story;

    begin_create(bed.db, &story);
    expect(bed.db, &story, DB_OK);
    cr_assert_gt(pieces_sent(bed.db), 10);
    assert_sql(bed.url, "select count(*) || ' ' || max(version) from events", "120 120");
    assert_sql(bed.url, "select version from games", "120");
}

Test(pieces, nobody_sees_a_part_of_it)
{
    struct story story;

    begin_create(bed.db, &story);
    run_until_pieces(bed.db, &story, 3);
    assert_sql(bed.url, "select (select count(*) from games) + (select count(*) from events)", "0");
    expect(bed.db, &story, DB_OK);
    assert_sql(bed.url, "select count(*) from events", "120");
}

/* Somebody else has the row of the game, so the large write cannot end before they let go of it. */
Test(pieces, a_game_is_carried_on_and_small_writes_do_not_wait_for_it)
{
    PG_PLAIN_ONLY("there the rows of all shards cannot be held by one statement");
    PGconn *holder = PQconnectdb(bed.url);
    struct db_game game = new_game(), other = new_game();
    struct story story;

    create(bed.db, &game);
    PQclear(PQexec(holder, "begin"));
    PQclear(PQexec(holder, "select from games for update"));
    begin_append(bed.db, &story, &game, 0);
    run_until_pieces(bed.db, &story, 3);
    create(bed.db, &other);
    play(bed.db, &other, "7g7f");
    cr_assert_eq(story.call.calls, 0, "it has ended while its game was held");
    PQfinish(holder);
    expect(bed.db, &story, DB_OK);
    assert_sql(bed.url, "select max(version) from games", "121");
}

Test(pieces, a_write_that_comes_too_late_is_a_conflict_and_leaves_nothing)
{
    struct db_game game = new_game(), old;
    struct story story;

    create(bed.db, &game);
    old = game;
    play(bed.db, &game, "7g7f");
    begin_append(bed.db, &story, &old, 0);
    expect(bed.db, &story, DB_CONFLICT);
    assert_nothing_is_left();
}

Test(pieces, a_write_whose_own_statement_does_nothing_is_rolled_back)
{
    struct db_game game = new_game();
    struct story story;

    create(bed.db, &game);
    begin_append(bed.db, &story, &game, 8);
    expect(bed.db, &story, DB_CONFLICT);
    cr_assert_gt(pieces_sent(bed.db), 10);
    assert_nothing_is_left();
    play(bed.db, &game, "7g7f");
    cr_assert_eq(reconnects(bed.db), 0);
}

Test(pieces, a_game_that_is_not_there_gets_none)
{
    struct db_game game = new_game();
    struct story story;

    begin_append(bed.db, &story, &game, 0);
    expect(bed.db, &story, DB_NOT_FOUND);
    assert_nothing_is_left();
}

/* Its text is no UTF-8. */
Test(pieces, a_write_that_the_server_refuses_leaves_nothing)
{
    struct story story;

    begin_create(bed.db, &story);
    story.events[EVENTS - 20].data = "\xff";
    expect(bed.db, &story, DB_REFUSED);
    assert_nothing_is_left();
    begin_create(bed.db, &story);
    expect(bed.db, &story, DB_OK);
}

/* ---- faults between two pieces ---- */

static void end_its_session(void)
{
    assert_sql(
        bed.url,
        "select count(pg_terminate_backend(pid)) from pg_stat_activity where application_name ="
        " 'plyd' and state like 'idle in%' and datname = current_database()",
        "1");
}

Test(pieces, a_write_whose_session_ends_on_the_way_is_done_anew)
{
    struct story story;

    begin_create(bed.db, &story);
    run_until_pieces(bed.db, &story, 3);
    end_its_session();
    expect(bed.db, &story, DB_OK);
    cr_assert_gt(reconnects(bed.db), 0);
    assert_sql(bed.url, "select count(*) from events", "120");
}

/* How long a write of many pieces takes here, with the connection that it needs. */
static unsigned time_a_write(const struct db_settings *settings)
{
    double begin = seconds_now();
    struct db *db = bed_open(settings);
    struct story story;

    begin_create(db, &story);
    expect(db, &story, DB_OK);
    db_close(db);
    return (unsigned)((seconds_now() - begin) * 1000);
}

/* The deadline is short, and yet long enough for what is done before the fault. One game is there.
 */
static void make_server(struct pg_cluster *cluster)
{
    struct db_migration_report report;
    struct db_settings settings;

    bed_remove(&bed);
    pg_cluster_start(cluster, NULL);
    cr_assert(db_migrate(cluster->url, NULL, &report), "%s", report.error.text);
    settings = bed_settings(cluster->url);
    settings.deadline_ms = 1000 + 5 * time_a_write(&settings);
    bed = (struct bed){cluster->url, bed_open(&settings)};
}

static void remove_server(struct pg_cluster *cluster)
{
    db_close(bed.db);
    pg_cluster_remove(cluster);
    bed_make(&bed);
}

/* Three pieces are there, and the commit is not sent. */
static void create_but_for_the_commit(struct story *story)
{
    begin_create(bed.db, story);
    run_until_pieces(bed.db, story, 3);
}

Test(pieces, a_write_that_a_server_freezes_before_its_commit_is_known_not_to_be_done)
{
    struct pg_cluster cluster;
    struct story story;

    make_server(&cluster);
    create_but_for_the_commit(&story);
    pg_cluster_freeze(&cluster);
    expect(bed.db, &story, DB_UNAVAILABLE);
    pg_cluster_thaw(&cluster);
    assert_sql(bed.url, "select count(*) from games", "1");
    remove_server(&cluster);
}

Test(pieces, a_transaction_that_a_frozen_loop_leaves_open_is_ended_by_the_server)
{
    struct pg_cluster cluster;
    struct story story;

    make_server(&cluster);
    create_but_for_the_commit(&story);
    for (char *open = NULL; open == NULL || strcmp(open, "0") != 0;) {
        free(open);
        open = sql_value(bed.url, "select count(*) from pg_stat_activity where backend_xid is not"
                                  " null and pid <> pg_backend_pid()");
    }
    expect(bed.db, &story, DB_UNAVAILABLE);
    remove_server(&cluster);
}

#ifdef PLYD_FAULTS
static void create_in_a_child_that_dies(const char *point)
{
    int status;
    pid_t child = fork();

    if (child == 0) {
        struct db_settings settings = bed_settings(bed.url);
        struct story story;
        struct db *db;

        setenv("PLYD_FAULT", point, 1);
        db = bed_open(&settings);
        begin_create(db, &story);
        run_until_done(db, &story.call);
        _exit(0);
    }
    waitpid(child, &status, 0);
    cr_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL, "it did not die at %s", point);
}

/* The session of the dead ends by itself, soon. */
static void wait_for_sessions(void)
{
    for (char *open = NULL; open == NULL || strcmp(open, "0") != 0;) {
        free(open);
        open = sql_value(bed.url, "select count(*) from pg_stat_activity where backend_xid is not"
                                  " null and datname = current_database() and pid <>"
                                  " pg_backend_pid()");
    }
}

Test(pieces, a_loop_that_dies_between_two_pieces_leaves_nothing)
{
    create_in_a_child_that_dies("tell:sent:4");
    wait_for_sessions();
    assert_nothing_is_left();
}

Test(pieces, a_loop_that_dies_before_the_commit_leaves_nothing)
{
    create_in_a_child_that_dies("create:answered");
    wait_for_sessions();
    assert_nothing_is_left();
}

Test(pieces, a_loop_that_dies_after_the_commit_has_written_all)
{
    create_in_a_child_that_dies("commit:answered");
    assert_sql(bed.url, "select count(*) || ' ' || max(version) from events", "120 120");
}
#endif
