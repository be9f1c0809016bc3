/* test_faults.c - servers that are frozen, killed, gone, read-only or slow, and full queues. */
#include <criterion/criterion.h>
#include <libpq-fe.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bed.h"
#include "db/migrate.h"
#include "tests/support/now.h"
#include "tests/support/pg.h"

enum { DEADLINE_MS = 400 };

static struct call append(struct db *db, const struct turn *turn)
{
    struct call call = {.calls = 0};
    db_append(db, &turn->append, on_done, &call);
    run_until_done(db, &call);
    return call;
}

static struct call get_game(struct db *db, db_id id)
{
    struct call call = {.calls = 0};
    db_get_game(db, id, on_game, &call);
    run_until_done(db, &call);
    return call;
}

/* ---- a server of the test's own ---- */

static struct pg_cluster cluster;
static struct db *db, *hasty; /* which soon gives up: it is asked in the fault */
static struct db_game game;
static struct turn turn;

static struct db *open_hasty(const char *url)
{
    struct db_settings settings = bed_settings(url);

    settings.deadline_ms = DEADLINE_MS;
    return bed_open(&settings);
}

/* Asks for a game until the database answers. */
static struct call get_game_at_last(struct db *asked, db_id id)
{
    struct call call = get_game(asked, id);
    while (call.outcome == DB_UNAVAILABLE)
        call = get_game(asked, id);
    return call;
}

/* Both are connected before there is a fault. */
static void make_server(void)
{
    struct db_migration_report report;
    struct db_settings settings;

    pg_cluster_start(&cluster, NULL);
    cr_assert(db_migrate(cluster.url, NULL, &report), "%s", report.error.text);
    settings = bed_settings(cluster.url);
    db = bed_open(&settings);
    hasty = open_hasty(cluster.url);
    game = new_game();
    create(db, &game);
    turn_make(&turn, &game, "7g7f");
    cr_assert_eq(get_game_at_last(hasty, game.id).outcome, DB_OK);
}

static void remove_server(void)
{
    db_close(hasty);
    db_close(db);
    pg_cluster_remove(&cluster);
}

TestSuite(server, .init = make_server, .fini = remove_server);

Test(server, a_write_that_a_frozen_server_got_is_unknown_at_its_deadline)
{
    pg_cluster_freeze(&cluster);
    int64_t before = db_now(hasty);
    struct call call = append(hasty, &turn);
    int64_t waited = db_now(hasty) - before;
    pg_cluster_thaw(&cluster);

    cr_assert_eq(call.outcome, DB_UNKNOWN, "outcome %d", call.outcome);
    cr_assert_geq(waited, DEADLINE_MS * 1000 - 1000);
}

Test(server, a_read_that_a_frozen_server_got_is_unavailable_at_its_deadline)
{
    pg_cluster_freeze(&cluster);
    struct call call = get_game(hasty, game.id);
    pg_cluster_thaw(&cluster);
    cr_assert_eq(call.outcome, DB_UNAVAILABLE);
}

Test(server, a_frozen_server_that_goes_on_serves_again)
{
    pg_cluster_freeze(&cluster);
    append(hasty, &turn);
    pg_cluster_thaw(&cluster);
    cr_assert_eq(get_game_at_last(hasty, game.id).outcome, DB_OK);
}

Test(server, a_killed_server_that_starts_again_serves_again_and_kept_what_it_acknowledged)
{
    cr_assert_eq(append(db, &turn).outcome, DB_OK);
    pg_cluster_kill9(&cluster);
    cr_assert_eq(get_game(hasty, game.id).outcome, DB_UNAVAILABLE);
    cr_assert_not(db_ready(hasty));
    pg_cluster_restart(&cluster);
    struct call call = get_game_at_last(hasty, game.id);
    cr_assert_eq(call.outcome, DB_OK);
    cr_assert_eq(call.game.version, 2);
}

Test(server, a_session_that_is_ended_by_hand_is_made_again)
{
    struct db_stats stats;

    sql(cluster.url, "select pg_terminate_backend(pid) from pg_stat_activity"
                     " where application_name = 'plyd'");
    cr_assert_eq(get_game_at_last(db, game.id).outcome, DB_OK);
    cr_assert_eq(append(db, &turn).outcome, DB_OK);
    db_stats(db, &stats);
    cr_assert_geq(stats.reconnects, 1);
}

Test(server, that_became_read_only_is_left_until_it_is_writable_again)
{
    sql(cluster.url, "alter system set default_transaction_read_only = on");
    sql(cluster.url, "select pg_reload_conf()");
    for (int i = 0; i < 1000 && append(db, &turn).outcome == DB_OK; i++) {
        game = turn.after; /* the session has not read the new setting yet */
        turn_make(&turn, &game, "7g7f");
    }
    cr_assert_eq(append(db, &turn).outcome, DB_UNAVAILABLE);
    sql(cluster.url, "alter system set default_transaction_read_only = off");
    sql(cluster.url, "select pg_reload_conf()");
    cr_assert_eq(get_game_at_last(db, game.id).outcome, DB_OK);
    cr_assert_eq(append(db, &turn).outcome, DB_OK);
}

static void run_until(struct db *other, bool ready)
{
    while (db_ready(other) != ready) {
        poll(&(struct pollfd){.fd = db_fd(other), .events = POLLIN}, 1, 50);
        db_run(other);
    }
}

Test(server, that_became_read_only_is_noticed_without_a_write)
{
    sql(cluster.url, "alter system set default_transaction_read_only = on");
    sql(cluster.url, "select pg_reload_conf()");
    run_until(db, false);
    sql(cluster.url, "alter system set default_transaction_read_only = off");
    sql(cluster.url, "select pg_reload_conf()");
    run_until(db, true);
}

static char *host_of(const char *url)
{
    PQconninfoOption *options = PQconninfoParse(url, NULL), *option = options;

    while (strcmp(option->keyword, "host") != 0)
        option++;
    char *host = strdup(option->val);
    PQconninfoFree(options);
    return host;
}

static int warnings;

static void count_warnings(void *context, enum db_log_level level, const char *event,
                           const char *detail)
{
    (void)context;
    warnings += level >= DB_LOG_WARN;
    fprintf(stderr, "%s: %s\n", event, detail);
}

/* Two locks hold the statements of two tables up, one after the other: together for longer than the
 * server may be silent, and for longer than a statement may take. */
Test(server, that_is_slow_but_goes_on_is_waited_for)
{
    PGconn *holders[2] = {PQconnectdb(cluster.url), PQconnectdb(cluster.url)};
    struct db_settings settings;
    struct db *patient;
    char url[1024], *host = host_of(cluster.url);
    double begun = seconds_now();

    PQclear(PQexec(holders[0], "begin; lock table accounts in access exclusive mode"));
    PQclear(PQexec(holders[1], "begin; lock table tasks in access exclusive mode"));
    snprintf(url, sizeof(url), "host=%s port=5432 user=plyd dbname=plyd connect_timeout=6", host);
    settings = bed_settings(url);
    settings.deadline_ms = 5000;
    settings.log = count_warnings;
    patient = db_open(&settings);
    for (int i = 0; i < 2; i++) {
        run_until_time(patient, begun + 4 * (i + 1));
        PQfinish(holders[i]);
    }
    run_until_ready(patient);
    cr_assert_eq(get_game(patient, game.id).outcome, DB_OK);
    cr_assert_eq(warnings, 0);
    db_close(patient);
    free(host);
}

Test(server, that_is_frozen_is_passed_over_for_the_next_of_the_list)
{
    struct pg_cluster frozen;
    char url[1024];

    pg_cluster_start(&frozen, NULL);
    char *first = host_of(frozen.url), *second = host_of(cluster.url);
    snprintf(url, sizeof(url), "host=%s,%s port=5432 user=plyd dbname=plyd connect_timeout=1",
             first, second);
    pg_cluster_freeze(&frozen);
    struct db_settings settings = bed_settings(url);
    struct db *other = bed_open(&settings);
    cr_assert_eq(get_game(other, game.id).outcome, DB_OK);
    db_close(other);
    pg_cluster_thaw(&frozen);
    pg_cluster_remove(&frozen);
    free(first);
    free(second);
}

/* ---- a primary that was cut off, and the server that has taken over ---- */

/* The first takes writes, and nobody confirms them. The second was promoted, so its timeline is a
 * later one. Both have the same game. */
static struct pg_cluster cut_off;

static void promote(struct pg_cluster *standby)
{
    char path[128];

    pg_cluster_stop(standby);
    snprintf(path, sizeof(path), "%s/data/standby.signal", standby->dir);
    FILE *signal = fopen(path, "w");
    cr_assert_not_null(signal, "%s", path);
    fclose(signal);
    pg_cluster_restart(standby);
    sql(standby->url, "select pg_promote()");
}

static void make_pair(void)
{
    struct db_migration_report report;

    pg_cluster_start(&cut_off, "synchronous_standby_names=nobody", "synchronous_commit=local",
                     NULL);
    pg_cluster_start(&cluster, NULL);
    cr_assert(db_migrate(cluster.url, NULL, &report), "%s", report.error.text);
    cr_assert(db_migrate(cut_off.url, NULL, &report), "%s", report.error.text);
    promote(&cluster);
}

static void remove_pair(void)
{
    db_close(db);
    pg_cluster_remove(&cut_off);
    pg_cluster_remove(&cluster);
}

TestSuite(failover, .init = make_pair, .fini = remove_pair);

enum { COMMIT_MS = 3000 }; /* longer than a commit that nobody must confirm, on any machine */

static struct db *open_pair(unsigned connections, _Atomic uint32_t *timeline)
{
    static char url[1024];
    char *first = host_of(cut_off.url), *second = host_of(cluster.url);

    snprintf(url, sizeof(url), "host=%s,%s port=5432 user=plyd dbname=plyd", first, second);
    free(first);
    free(second);
    struct db_settings settings = bed_settings(url);
    settings.deadline_ms = COMMIT_MS;
    settings.connections = connections;
    settings.timeline = timeline;
    return bed_open(&settings);
}

static enum db_outcome create_in(struct db *other)
{
    struct call call = {.calls = 0};
    struct db_event first = {.version = 1};
    struct db_create request = {.game = &game, .events = &first, .count = 1};

    game = new_game();
    db_create(other, &request, on_done, &call);
    run_until_done(other, &call);
    return call.outcome;
}

static int sessions_at(const struct pg_cluster *server)
{
    char *count = sql_value(server->url, "select count(*) from pg_stat_activity"
                                         " where application_name = 'plyd' and wait_event is"
                                         " distinct from 'SyncRep'");
    int n = atoi(count);
    free(count);
    return n;
}

/* Runs the loops until the server that was cut off has none of their sessions. */
static void run_until_left(struct db *one, struct db *other)
{
    while (sessions_at(&cut_off) > 0) {
        poll(&(struct pollfd){.fd = db_fd(one), .events = POLLIN}, 1, 100);
        db_run(one);
        db_run(other);
    }
}

Test(failover, a_server_that_left_a_write_open_is_not_taken_again_at_once)
{
    db = open_pair(1, NULL);
    cr_assert_eq(create_in(db), DB_UNKNOWN);
    run_until(db, true);
    cr_assert_eq(create_in(db), DB_OK);
}

Test(failover, when_one_connection_finds_the_new_primary_all_leave_the_old_one)
{
    db = open_pair(3, NULL);
    cr_assert_eq(create_in(db), DB_UNKNOWN);
    run_until_left(db, db);
    run_until(db, true);
    cr_assert_eq(create_in(db), DB_OK);
}

Test(failover, loops_that_share_a_timeline_leave_the_old_primary_together)
{
    _Atomic uint32_t timeline = 0;
    struct db *reader = open_pair(2, &timeline);

    db = open_pair(1, &timeline);
    cr_assert_eq(create_in(db), DB_UNKNOWN);
    run_until_left(reader, db);
    run_until(reader, true);
    cr_assert_eq(create_in(reader), DB_OK);
    db_close(reader);
}

Test(failover, an_old_primary_is_refused_once_the_new_one_was_seen)
{
    _Atomic uint32_t timeline = 2;

    db = open_pair(1, &timeline);
    cr_assert_eq(create_in(db), DB_OK);
}

/* Cancelling the wait for a standby commits the write. Only a warning tells that it was not
 * confirmed. */
Test(standby, a_commit_that_it_did_not_confirm_is_unknown)
{
    struct db_migration_report report;
    struct call call = {.calls = 0};
    struct db_event first = {.version = 1};
    struct db_create request = {.game = &game, .events = &first, .count = 1};

    pg_cluster_start(&cluster, "synchronous_standby_names=nobody", "synchronous_commit=local",
                     NULL);
    cr_assert(db_migrate(cluster.url, NULL, &report), "%s", report.error.text);
    struct db_settings settings = bed_settings(cluster.url);
    db = bed_open(&settings);
    game = new_game();
    db_create(db, &request, on_done, &call);
    run_until_sent(db);
    sql(cluster.url, "do $$ begin loop"
                     " perform pg_cancel_backend(pid) from pg_stat_activity"
                     " where wait_event = 'SyncRep';"
                     " exit when found; perform pg_sleep(0.001);"
                     " perform pg_stat_clear_snapshot(); end loop; end $$");
    run_until_done(db, &call);
    cr_assert_eq(call.outcome, DB_UNKNOWN);
    cr_assert_eq(get_game_at_last(db, game.id).outcome, DB_OK, "it was committed all the same");
    db_close(db);
    pg_cluster_remove(&cluster);
}

/* ---- the shared server ---- */

static struct bed bed;

static void make_bed(void)
{
    bed_make(&bed);
    db = bed.db;
    game = new_game();
    create(db, &game);
    turn_make(&turn, &game, "7g7f");
}

static void remove_bed(void)
{
    bed_remove(&bed);
}

TestSuite(store, .init = make_bed, .fini = remove_bed);

/* A session that has all games locked, until PQfinish(). */
static PGconn *lock_games(void)
{
    PGconn *other = PQconnectdb(bed.url);
    PQclear(PQexec(other, "begin"));
    PGresult *result = PQexec(other, "update games set status = status");
    cr_assert_eq(PQresultStatus(result), PGRES_COMMAND_OK, "%s", PQerrorMessage(other));
    PQclear(result);
    return other;
}

#define WAITING                                                                           \
    " from pg_stat_activity where application_name = 'plyd' and wait_event_type = 'Lock'" \
    " and datname = current_database()"

static void wait_for_lock(void)
{
    bool waits = false;
    while (!waits) {
        char *count = sql_value(bed.url, "select count(*)" WAITING);
        waits = *count != '0';
        free(count);
    }
}

Test(store, a_write_that_waits_for_a_lock_past_its_deadline_is_unknown)
{
    PGconn *other;

    hasty = open_hasty(bed.url);
    other = lock_games();
    cr_assert_eq(append(hasty, &turn).outcome, DB_UNKNOWN);
    PQfinish(other);
    db_close(hasty);
}

/* Ends the session of a write that waits for what another one holds, and then the other one. */
static enum db_outcome append_cut_off(PGconn *other)
{
    struct call call = {.calls = 0};

    db_append(db, &turn.append, on_done, &call);
    run_until_sent(db);
    wait_for_lock();
    sql(bed.url, "select pg_terminate_backend(pid)" WAITING);
    PQfinish(other);
    run_until_done(db, &call);
    return call.outcome;
}

Test(store, a_write_whose_session_is_ended_before_it_commits_is_tried_again)
{
    PG_PLAIN_ONLY("it looks at the locks of one server");
    cr_assert_eq(append_cut_off(lock_games()), DB_OK);
}

/* A session that holds up all commits of events, until PQfinish(). */
static PGconn *hold_commits(void)
{
    PGconn *other = PQconnectdb(bed.url);

    sql(bed.url, "create function hold() returns trigger language plpgsql as"
                 " 'begin perform pg_advisory_xact_lock(1); return null; end';"
                 " create constraint trigger held after insert on events"
                 " deferrable initially deferred for each row execute function hold()");
    PQclear(PQexec(other, "select pg_advisory_lock(1)"));
    return other;
}

/* Its rows come all the same, so it could have been committed. */
Test(store, a_write_whose_session_is_ended_while_it_commits_is_unknown)
{
    PG_PLAIN_ONLY("it looks at the locks of one server");
    cr_assert_eq(append_cut_off(hold_commits()), DB_UNKNOWN);
}

Test(store, closing_ends_what_was_sent_and_what_waits)
{
    struct db_settings settings = bed_settings(bed.url);
    settings.connections = 1;
    struct db *closing = bed_open(&settings);
    struct call sent = {.calls = 0}, waiting = {.calls = 0}, reading = {.calls = 0};
    PGconn *other = lock_games();

    db_append(closing, &turn.append, on_done, &sent);
    run_until_sent(closing);
    db_append(closing, &turn.append, on_done, &waiting);
    db_get_game(closing, game.id, on_game, &reading);
    db_close(closing);
    PQfinish(other);
    cr_assert_eq(sent.outcome, DB_UNKNOWN);
    cr_assert_eq(waiting.outcome, DB_UNAVAILABLE);
    cr_assert_eq(reading.outcome, DB_UNAVAILABLE);
    cr_assert_eq(sent.calls + waiting.calls + reading.calls, 3);
}

Test(store, a_write_that_waits_for_a_lock_does_not_hold_up_reads)
{
    PG_PLAIN_ONLY("it looks at the locks of one server");
    struct call call = {.calls = 0};
    PGconn *other = lock_games();

    db_append(db, &turn.append, on_done, &call);
    run_until_sent(db);
    wait_for_lock();
    cr_assert_eq(get_game(db, game.id).outcome, DB_OK);
    cr_assert_eq(call.calls, 0);
    PQfinish(other);
    run_until_done(db, &call);
    cr_assert_eq(call.outcome, DB_OK);
}

Test(store, a_write_that_waits_for_a_lock_does_not_hold_up_other_games)
{
    struct db_settings settings = bed_settings(bed.url);
    settings.connections = 3;
    struct db *wide = bed_open(&settings);
    struct call call = {.calls = 0};
    PGconn *other = lock_games();

    db_append(wide, &turn.append, on_done, &call);
    run_until_sent(wide);
    struct db_game unlocked = new_game();
    struct turn free_turn;
    create(db, &unlocked);
    turn_make(&free_turn, &unlocked, "7g7f");
    cr_assert_eq(append(wide, &free_turn).outcome, DB_OK);
    cr_assert_eq(call.calls, 0);
    PQfinish(other);
    run_until_done(wide, &call);
    db_close(wide);
}

Test(store, a_newer_schema_that_lets_this_program_run_is_served)
{
    struct db_settings settings = bed_settings(bed.url);
    char newer[160];

    snprintf(newer, sizeof(newer),
             "alter table schema_migrations add column if not exists oldest integer;"
             "insert into schema_migrations values (9999, '9999_later', '', now(), %d)",
             db_schema_of_program());
    sql(bed.url, newer);
    struct db *early = bed_open(&settings);
    cr_assert_eq(get_game(early, game.id).outcome, DB_OK);
    cr_assert_eq(db_schema_of_database(early), 9999);
    db_close(early);
}

Test(store, a_schema_that_does_not_let_this_program_run_is_not_ready)
{
    struct db_settings settings = bed_settings(bed.url);
    settings.deadline_ms = DEADLINE_MS;

    sql(bed.url, "insert into schema_migrations values (9999, '9999_later', '')");
    struct db *early = db_open(&settings);
    cr_assert_eq(get_game(early, game.id).outcome, DB_UNAVAILABLE);
    cr_assert_not(db_ready(early));
    db_close(early);
}

Test(store, a_database_that_was_never_migrated_is_not_ready)
{
    struct db_settings settings = bed_settings(bed.url);
    settings.deadline_ms = DEADLINE_MS;

    sql(bed.url, "drop table schema_migrations");
    struct db *early = db_open(&settings);
    cr_assert_eq(get_game(early, game.id).outcome, DB_UNAVAILABLE);
    cr_assert_not(db_ready(early));
    db_close(early);
}

Test(store, the_clock_is_the_servers)
{
    char *server = sql_value(bed.url, "select (extract(epoch from clock_timestamp()) * 1e6)::int8");
    int64_t difference = db_now(db) - atoll(server);
    free(server);
    cr_assert(difference > -1000000 && difference < 1000000, "%lld us", (long long)difference);
}

/* ---- dying at a chosen point: in builds with PLYD_FAULTS ---- */

#ifdef PLYD_FAULTS
static void append_in_a_child_that_dies(const char *point)
{
    int status;
    pid_t child = fork();

    if (child == 0) {
        struct db_settings settings = bed_settings(bed.url);
        setenv("PLYD_FAULT", point, 1);
        append(bed_open(&settings), &turn);
        _exit(0);
    }
    waitpid(child, &status, 0);
    cr_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL, "it did not die at %s", point);
}

Test(store, a_loop_that_dies_before_it_sends_has_written_nothing)
{
    append_in_a_child_that_dies("move_alone:taken");
    cr_assert_eq(get_game(db, game.id).game.version, 1);
}

Test(store, what_was_committed_is_there_though_nobody_heard_the_answer)
{
    append_in_a_child_that_dies("move_alone:answered");
    cr_assert_eq(get_game(db, game.id).game.version, 2);
}
#endif

/* ---- no server ---- */

static const char nowhere[] = "host=/nonexistent dbname=plyd";

Test(no_server, requests_are_unavailable_at_their_deadline)
{
    struct db_settings settings = bed_settings(nowhere);
    settings.deadline_ms = DEADLINE_MS;
    db = db_open(&settings);
    game = new_game();
    turn_make(&turn, &game, "7g7f");
    int64_t before = db_now(db);
    cr_assert_eq(append(db, &turn).outcome, DB_UNAVAILABLE);
    cr_assert_geq(db_now(db) - before, DEADLINE_MS * 1000 - 1000);
    cr_assert_not(db_ready(db));
    db_close(db);
}

/* The next attempt to connect is later. */
Test(no_server, the_loop_sleeps_no_longer_than_a_request_may_wait)
{
    struct call call = {.calls = 0};
    struct db_settings settings = bed_settings(nowhere);
    settings.deadline_ms = 1;
    db = db_open(&settings);
    db_run(db);
    cr_assert_gt(db_timeout_ms(db), 1);
    db_get_game(db, new_game().id, on_game, &call);
    cr_assert_leq(db_timeout_ms(db), 1);
    db_close(db);
}

Test(no_server, one_request_more_than_the_queue_holds_is_unavailable_at_once)
{
    struct call calls[4] = {{.calls = 0}};
    struct db_settings settings = bed_settings(nowhere);
    settings.queue_max = 3;
    db = db_open(&settings);
    game = new_game();
    for (int i = 0; i < 4; i++)
        db_get_game(db, game.id, on_game, &calls[i]);
    cr_assert_eq(calls[3].calls, 0, "no callback from the requesting function");
    db_run(db);
    cr_assert_eq(calls[3].calls, 1);
    cr_assert_eq(calls[3].outcome, DB_UNAVAILABLE);
    cr_assert_eq(calls[0].calls + calls[1].calls + calls[2].calls, 0);
    db_close(db);
    cr_assert_eq(calls[0].calls + calls[1].calls + calls[2].calls, 3);
}

Test(no_server, a_connection_string_that_makes_no_sense_is_unavailable)
{
    struct db_settings settings = bed_settings("host=/tmp nonsense");
    settings.deadline_ms = DEADLINE_MS;
    db = db_open(&settings);
    cr_assert_eq(get_game(db, new_game().id).outcome, DB_UNAVAILABLE);
    db_close(db);
}

/* ---- races ---- */

enum { ROUNDS = 50, RACERS = 3 };

struct racer {
    pthread_t thread;
    struct db_game game;
    int done;
};

/* Plays on from wherever the game is, until all racers together have played ROUNDS moves. */
static void *race(void *context)
{
    struct racer *racer = context;
    struct db_settings settings = bed_settings(bed.url);
    struct db *own = bed_open(&settings);

    while (racer->game.version <= ROUNDS) {
        struct turn mine;
        turn_make(&mine, &racer->game, "7g7f");
        racer->done += append(own, &mine).outcome == DB_OK;
        struct call call = get_game(own, racer->game.id);
        racer->game.version = call.game.version;
        racer->game.ply = call.game.ply;
    }
    db_close(own);
    return NULL;
}

Test(store, loops_that_race_for_the_same_versions_get_each_of_them_once)
{
    struct racer racers[RACERS];
    int done = 0;

    for (int i = 0; i < RACERS; i++) {
        racers[i] = (struct racer){.game = game};
        cr_assert_eq(pthread_create(&racers[i].thread, NULL, race, &racers[i]), 0);
    }
    for (int i = 0; i < RACERS; i++) {
        pthread_join(racers[i].thread, NULL);
        done += racers[i].done;
    }
    char *events = sql_value(bed.url, "select count(*) || ' ' || max(version) from events");
    char expected[32];
    snprintf(expected, sizeof(expected), "%d %d", done + 1, done + 1);
    cr_assert_str_eq(events, expected);
    free(events);
}

Test(store, of_two_that_append_at_the_same_version_exactly_one_is_done)
{
    struct db_settings settings = bed_settings(bed.url);
    struct db *second = bed_open(&settings);

    for (int i = 0; i < ROUNDS; i++) {
        struct call calls[2] = {{.calls = 0}};
        db_append(db, &turn.append, on_done, &calls[0]);
        db_append(second, &turn.append, on_done, &calls[1]);
        db_run(i % 2 ? db : second);
        run_until_idle(i % 2 ? second : db);
        run_until_idle(i % 2 ? db : second);
        cr_assert_eq(calls[0].calls + calls[1].calls, 2);
        cr_assert_eq(calls[0].outcome + calls[1].outcome, DB_OK + DB_CONFLICT);
        game = turn.after;
        turn_make(&turn, &game, "7g7f");
    }
    db_close(second);
}
