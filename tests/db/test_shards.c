/* test_shards.c - a database in shards, and a part of it that fails: what of that needs no Citus.
 */
#include "db/shards.h"

#include <criterion/criterion.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bed.h"
#include "db/distribute.h"
#include "db/internal.h"
#include "db/migrate.h"
#include "tests/support/pg.h"

static struct bed bed;

static void make(void)
{
    bed_make(&bed);
}

static void drop(void)
{
    bed_remove(&bed);
}

TestSuite(shards, .init = make, .fini = drop);

enum { MANY = 64 };
static struct db_game games[MANY];
static struct turn turns[MANY];
static struct call calls[MANY];

static void make_games(int count)
{
    for (int i = 0; i < count; i++) {
        games[i] = new_game();
        create(bed.db, &games[i]);
        turn_make(&turns[i], &games[i], "7g7f");
    }
}

static void append_all(int count)
{
    for (int i = 0; i < count; i++)
        db_append(bed.db, &turns[i].append, on_done, &calls[i]);
}

/* ---- where an id lives ---- */

Test(shards, the_hash_of_an_id_is_the_servers)
{
    for (int i = 0; i < 50; i++) {
        db_id id = new_id();
        char query[128] = "select uuid_hash('", hash[16];

        for (size_t j = 0; j < sizeof(id.byte); j++)
            snprintf(query + strlen(query), 3, "%02x", id.byte[j]);
        strcat(query, "')");
        snprintf(hash, sizeof(hash), "%d", shards_hash(&id));
        assert_sql(bed.url, query, hash);
    }
}

Test(shards, an_id_lives_in_the_last_range_that_begins_at_its_hash_or_before)
{
    struct shards shards;
    db_id id = new_id();
    char bounds[64];

    shards_read(&shards, NULL, NULL);
    cr_assert_eq(shards_of(&shards, &id), 0);
    shards_read(&shards, "{-2147483648}", NULL);
    cr_assert_eq(shards_of(&shards, &id), 0);
    snprintf(bounds, sizeof(bounds), "{-2147483648,%d,2147483647}", shards_hash(&id));
    shards_read(&shards, bounds, NULL);
    cr_assert_eq(shards.count, 3);
    cr_assert_eq(shards_of(&shards, &id), 1);
    snprintf(bounds, sizeof(bounds), "{-2147483648,%d}", shards_hash(&id) + 1);
    shards_read(&shards, bounds, NULL);
    cr_assert_eq(shards_of(&shards, &id), 0);
}

Test(shards, a_shard_is_on_the_worker_that_stands_at_its_place)
{
    struct shards shards;
    db_id id = new_id();
    char bounds[64];

    snprintf(bounds, sizeof(bounds), "{-2147483648,%d,2147483647}", shards_hash(&id));
    shards_read(&shards, NULL, NULL);
    cr_assert_eq(shards_worker(&shards, &id), 0);
    shards_read(&shards, bounds, "{1,2,1}");
    cr_assert_eq(shards_worker(&shards, &id), 2);
    shards_read(&shards, bounds, "{1,70000,1}");
    cr_assert_eq(shards_worker(&shards, &id), SHARDS_WORKERS);
}

Test(shards, a_batch_has_the_games_of_one_shard)
{
    struct db_stats before, after;

    make_games(MANY);
    shards_read(&bed.db->shards, "{-2147483648,-1073741824,0,1073741824}", NULL);
    db_stats(bed.db, &before);
    append_all(MANY);
    run_until_idle(bed.db);
    db_stats(bed.db, &after);
    for (int i = 0; i < MANY; i++)
        cr_assert_eq(calls[i].outcome, DB_OK, "%s", calls[i].error.text);
    cr_assert_eq(after.statements[KIND_MOVE] + after.statements[KIND_MOVE_ALONE] -
                     before.statements[KIND_MOVE] - before.statements[KIND_MOVE_ALONE],
                 4);
}

/* ---- what cannot be done ---- */

/* From now on, each event with the move "fail" ends as this says. */
static void make_fail(const char *statement)
{
    char text[512];

    PG_PLAIN_ONLY("a trigger stands for the worker that fails");
    sql(bed.url, "drop trigger if exists failing on events");
    snprintf(text, sizeof(text),
             "create or replace function failing() returns trigger language plpgsql as"
             " $$ begin if new.move = 'fail' then %s end if; return new; end $$",
             statement);
    sql(bed.url, text);
    sql(bed.url, "create trigger failing before insert on events for each row"
                 " execute function failing()");
}

Test(shards, what_the_server_cannot_do_is_refused_alone_and_the_session_stays)
{
    struct db_stats stats;

    make_fail("raise exception using errcode = '0A000';");
    make_games(8);
    turn_make(&turns[5], &games[5], "fail");
    append_all(8);
    run_until_idle(bed.db);
    for (int i = 0; i < 8; i++)
        cr_assert_eq(calls[i].outcome, i == 5 ? DB_REFUSED : DB_OK, "%d", i);
    cr_assert_str_eq(calls[5].error.sqlstate, "0A000");
    db_stats(bed.db, &stats);
    cr_assert_eq(stats.reconnects, 0);
}

Test(shards, while_a_part_of_the_database_is_away_its_games_wait_and_others_go_on)
{
    struct db_stats stats;

    make_fail("raise exception using errcode = '08006';");
    make_games(8);
    turn_make(&turns[0], &games[0], "fail");
    append_all(1);
    run_until_sent(bed.db);
    for (int i = 1; i < 8; i++) {
        db_append(bed.db, &turns[i].append, on_done, &calls[i]);
        run_until_done(bed.db, &calls[i]);
        cr_assert_eq(calls[i].outcome, DB_OK, "%s", calls[i].error.text);
    }
    cr_assert_eq(calls[0].calls, 0);
    sql(bed.url, "drop trigger failing on events");
    run_until_done(bed.db, &calls[0]);
    cr_assert_eq(calls[0].outcome, DB_OK, "%s", calls[0].error.text);
    db_stats(bed.db, &stats);
    cr_assert_eq(stats.reconnects, 0);
}

static void run_until_all_connected(struct db *db, unsigned connections)
{
    struct db_stats stats;

    do {
        run_until_ready(db);
        db_stats(db, &stats);
    } while (stats.connected < connections);
}

/* The worker has seven of eight shards. Somebody has locked the rows of its games. */
Test(shards, a_worker_that_stands_still_leaves_connections_to_the_games_of_others)
{
    struct db_settings settings = bed_settings(bed.url);
    int others = 0;
    struct db *db;
    PGconn *still;

    PG_PLAIN_ONLY("a lock stands for the worker that does not answer");
    make_games(MANY);
    settings.connections = 4;
    db = bed_open(&settings);
    run_until_all_connected(db, 4);
    shards_read(&db->shards,
                "{-2147483648,-1610612736,-1073741824,-536870912,0,536870912,1073741824,"
                "1610612736}",
                "{1,1,1,1,1,1,1,2}");
    still = PQconnectdb(bed.url);
    PQclear(PQexec(still, "begin"));
    PQclear(PQexec(still, "select from games where uuid_hash(id) < 1610612736 for update"));
    for (int i = 0; i < MANY; i++)
        db_append(db, &turns[i].append, on_done, &calls[i]);
    for (int i = 0; i < MANY; i++) {
        if (shards_worker(&db->shards, &games[i].id) == 1)
            continue;
        run_until_done(db, &calls[i]);
        cr_assert_eq(calls[i].outcome, DB_OK, "%s", calls[i].error.text);
        others++;
    }
    cr_assert_gt(others, 0);
    PQfinish(still);
    run_until_idle(db);
    for (int i = 0; i < MANY; i++)
        cr_assert_eq(calls[i].outcome, DB_OK, "%s", calls[i].error.text);
    db_close(db);
}

/* On plain PostgreSQL both questions are the same, and both wait for the lock. */
Test(shards, a_question_of_all_workers_that_is_late_is_asked_of_those_that_answer)
{
    static struct call call;
    struct db_settings settings = bed_settings(bed.url);
    struct db_stats stats;
    struct db *db;
    PGconn *still;

    PG_PLAIN_ONLY("a lock stands for the worker that does not answer");
    settings.deadline_ms = 1000;
    db = bed_open(&settings);
    run_until_all_connected(db, settings.connections);
    shards_read(&db->shards, "{-2147483648}", "{1}");
    still = PQconnectdb(bed.url);
    PQclear(PQexec(still, "begin"));
    PQclear(PQexec(still, "lock table games in access exclusive mode"));
    db_get_player_state(db, new_id(), on_player_state, &call);
    run_until_done(db, &call);
    PQfinish(still);
    db_stats(db, &stats);
    cr_assert_eq(stats.statements[KIND_PLAYER_STATE], 1);
    cr_assert_eq(stats.statements[KIND_PLAYER_STATE_THERE], 1);
    db_close(db);
}

Test(shards, a_warning_is_no_doubt_about_a_commit)
{
    make_fail("raise warning 'no more than that';");
    make_games(1);
    turn_make(&turns[0], &games[0], "fail");
    append_all(1);
    run_until_done(bed.db, &calls[0]);
    cr_assert_eq(calls[0].outcome, DB_OK);
}

Test(shards, a_statement_whose_table_has_changed_is_prepared_anew)
{
    static struct call done_call;
    struct db_player player = {.id = new_id(), .name = "Ada"};
    struct db_create_player request = {.player = &player};

    PG_PLAIN_ONLY("Citus plans anew each time");
    CALL(DB_OK, done, db_create_player, &request);
    CALL(DB_OK, player, db_get_player, player.id);
    sql(bed.url, "alter table players alter column name type varchar(80)");
    CALL(DB_OK, player, db_get_player, player.id);
    cr_assert_str_eq(done_call.name, "Ada");
}

/* ---- distributing ---- */

Test(shards, what_is_not_citus_is_not_distributed_and_not_migrated)
{
    struct db_migration_report report;
    char *url = pg_test_database_with("template template0");

    cr_assert_not(db_migrate_distributed(url, NULL, &report));
    cr_assert_not_null(strstr(report.error.text, "create extension citus"), "%s",
                       report.error.text);
    assert_sql(url, "select to_regclass('games') is null", "t");
    pg_test_drop(url);
}

Test(shards, migrations_change_tables_that_are_distributed_and_filled)
{
    struct db_game game = new_game();
    struct db_migration_report report;

    create(bed.db, &game);
    sql(bed.url, "insert into public_games (game_id, variant, status, active_at)"
                 " select id, variant, 3, now() from games on conflict do nothing");
    sql(bed.url, "insert into positions (scope, key, game_id, ply, next, winner, at)"
                 " select id, 1, id, 1, '', 1, now() from games");
    sql(bed.url, "alter table due drop column holder");
    sql(bed.url, "delete from schema_migrations where number >= 8");
    cr_assert((pg_on_citus() ? db_migrate_distributed : db_migrate)(bed.url, NULL, &report), "%s",
              report.error.text);
    assert_sql(bed.url, "select count(*) from due where kind = 11 and holder is null", "1");
    assert_sql(bed.url, "select count(*) from positions", "0");
}

Test(shards, every_table_is_distributed_or_known_to_stay)
{
    PG_PLAIN_ONLY("the list is the same there");
    for (int i = 0; i < distribute_count; i++) {
        char query[128];

        snprintf(query, sizeof(query), "drop table %s", distribute_list[i].name);
        sql(bed.url, query);
    }
    assert_sql(bed.url,
               "select string_agg(relname, ' ' order by relname) from pg_class where relkind = 'r'"
               " and relnamespace = 'public'::regnamespace",
               "daemons outages pulse push_key schema_migrations");
}
