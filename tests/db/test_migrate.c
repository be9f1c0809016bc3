/*
 * test_migrate.c - the schema: made from nothing, repeated, made by several at once; changed, newer
 * and failing files.
 */
#include <criterion/criterion.h>
#include <libpq-fe.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bed.h"
#include "db/migrations.h"
#include "tests/support/backoff.h"
#include "tests/support/pg.h"

static char *url;

static void make(void)
{
    url = pg_test_database_with("template template0");
}

static void drop(void)
{
    pg_test_drop(url);
}

TestSuite(migrate, .init = make, .fini = drop);

static const struct migration three[] = {
    {1, "0001_one", "-- comment; with a semicolon\ncreate table one (i int);\n"},
    {2, "0002_two", "create table two (i int); insert into two values (1), (2);"},
    {3, "0003_three", "-- plyd: no transaction\ncreate index concurrently three on two (i);\n"},
};

Test(migrate, the_programs_own_files_are_numbered_without_gaps)
{
    for (size_t i = 0; i < migrations_count; i++) {
        char prefix[32];
        snprintf(prefix, sizeof(prefix), "%04zu_", i + 1);
        cr_assert_eq(migrations_list[i].number, (int)i + 1);
        cr_assert_eq(strncmp(migrations_list[i].name, prefix, 5), 0, "%s", migrations_list[i].name);
    }
}

Test(migrate, an_empty_database_gets_everything_once)
{
    struct db_migration_report report;

    cr_assert_eq(db_migrate_check(url, NULL, &report), DB_SCHEMA_OLDER);
    cr_assert(db_migrate(url, NULL, &report), "%s", report.error.text);
    cr_assert_eq(report.before, DB_SCHEMA_OLDER);
    cr_assert_eq(report.applied, (int)migrations_count);
    cr_assert_eq(db_migrate_check(url, NULL, &report), DB_SCHEMA_CURRENT);
    cr_assert_eq(report.found, report.wanted);
    cr_assert(db_migrate(url, NULL, &report));
    cr_assert_eq(report.applied, 0);
}

Test(migrate, files_are_applied_in_order_after_the_last_applied_one)
{
    struct db_migration_report report;

    cr_assert(migrate_apply(url, NULL, three, 1, &report), "%s", report.error.text);
    cr_assert(migrate_apply(url, NULL, three, 3, &report), "%s", report.error.text);
    cr_assert_eq(report.found, 1);
    cr_assert_eq(report.applied, 2);
    assert_sql(url, "select string_agg(name, ' ' order by number) from schema_migrations",
               "0001_one 0002_two 0003_three");
    assert_sql(url, "select count(*) from two", "2");
}

Test(migrate, games_in_the_index_of_positions_are_noted_anew_one_after_the_other)
{
    struct db_migration_report report;

    cr_assert(migrate_apply(url, NULL, migrations_list, 7, &report), "%s", report.error.text);
    sql(url, "insert into public_games select gen_random_uuid(), 'shogi', 3, now()"
             " from generate_series(1, 100)");
    sql(url, "insert into public_games select gen_random_uuid(), 'shogi', 2, now()");
    sql(url, "insert into collection_games select gen_random_uuid(), gen_random_uuid(),"
             " game_id, now() from public_games where status = 3 limit 1");
    sql(url, "insert into positions select gen_random_uuid(), 1, game_id, 0, '', 1, now()"
             " from public_games");
    cr_assert(db_migrate(url, NULL, &report), "%s", report.error.text);
    assert_sql(url, "select count(*) from positions", "0");
    assert_sql(url, "select count(*) from due where kind = 11", "100");
    assert_sql(url, "select max(at) - min(at) from due", "00:00:01.98");
}

Test(migrate, positions_that_were_noted_before_options_told_them_apart_say_so)
{
    struct db_migration_report report;

    cr_assert(migrate_apply(url, NULL, migrations_list, 9, &report), "%s", report.error.text);
    sql(url, "insert into positions select gen_random_uuid(), 1, gen_random_uuid(), 0, '', 1,"
             " now() from generate_series(1, 100)");
    cr_assert(db_migrate(url, NULL, &report), "%s", report.error.text);
    assert_sql(url, "select count(*) from positions where made = 1", "100");
}

Test(migrate, a_changed_file_is_refused)
{
    struct migration changed[3];
    struct db_migration_report report;

    cr_assert(migrate_apply(url, NULL, three, 3, &report));
    memcpy(changed, three, sizeof(changed));
    changed[1].sql = "create table two (i int); insert into two values (1), (3);";
    cr_assert_eq(migrate_check(url, NULL, changed, 3, &report), DB_SCHEMA_CHANGED);
    cr_assert(strstr(report.error.text, "0002_two"), "%s", report.error.text);
    cr_assert_not(migrate_apply(url, NULL, changed, 3, &report));
}

Test(migrate, a_newer_database_is_left_alone)
{
    struct db_migration_report report;

    cr_assert(migrate_apply(url, NULL, three, 3, &report));
    cr_assert_not(migrate_apply(url, NULL, three, 2, &report));
    cr_assert_eq(report.before, DB_SCHEMA_NEWER);
    cr_assert_eq(report.found, 3);
    cr_assert_eq(report.wanted, 2);
}

/* What a later program may add: two files that let a program of 3 run, and one that does not. */
static const struct migration later[] = {
    {1, "0001_one", "-- comment; with a semicolon\ncreate table one (i int);\n"},
    {2, "0002_two", "create table two (i int); insert into two values (1), (2);"},
    {3, "0003_three", "-- plyd: no transaction\ncreate index concurrently three on two (i);\n"},
    {4, "0004_four", "-- plyd: oldest 3\ncreate table four (i int);\n"},
    {5, "0005_five", "-- plyd: no transaction\n-- plyd: oldest 2\ncreate table five (i int);\n"},
    {6, "0006_six", "create table six (i int);\n"},
};

Test(migrate, a_newer_database_that_lets_a_program_run_is_left_alone_and_served)
{
    struct db_migration_report report;

    cr_assert(migrate_apply(url, NULL, later, 5, &report), "%s", report.error.text);
    cr_assert_eq(migrate_check(url, NULL, later, 3, &report), DB_SCHEMA_COMPATIBLE);
    cr_assert_eq(report.found, 5);
    cr_assert_eq(report.oldest, 3);
    cr_assert(migrate_apply(url, NULL, later, 3, &report), "%s", report.error.text);
    cr_assert_eq(report.applied, 0);
    assert_sql(url, "select count(*) from schema_migrations", "5");
}

Test(migrate, the_strictest_of_all_newer_files_says_which_programs_may_run)
{
    struct db_migration_report report;

    cr_assert(migrate_apply(url, NULL, later, 5, &report), "%s", report.error.text);
    cr_assert_eq(migrate_check(url, NULL, later, 2, &report), DB_SCHEMA_NEWER);
    cr_assert(migrate_apply(url, NULL, later, 6, &report), "%s", report.error.text);
    cr_assert_eq(migrate_check(url, NULL, later, 5, &report), DB_SCHEMA_NEWER);
    cr_assert_eq(report.oldest, 6);
    cr_assert_not(migrate_apply(url, NULL, later, 5, &report));
}

Test(migrate, a_database_of_a_program_that_knew_of_no_older_ones_learns_to_keep_their_number)
{
    struct db_migration_report report;

    cr_assert(migrate_apply(url, NULL, later, 3, &report), "%s", report.error.text);
    sql(url, "alter table schema_migrations drop column oldest");
    cr_assert_eq(migrate_check(url, NULL, later, 2, &report), DB_SCHEMA_NEWER);
    cr_assert_eq(report.oldest, 3);
    cr_assert_eq(migrate_check(url, NULL, later, 3, &report), DB_SCHEMA_CURRENT);
    cr_assert(migrate_apply(url, NULL, later, 4, &report), "%s", report.error.text);
    cr_assert_eq(migrate_check(url, NULL, later, 3, &report), DB_SCHEMA_COMPATIBLE);
}

Test(migrate, a_failing_statement_leaves_nothing_of_its_file_and_all_of_those_before)
{
    static const struct migration failing[] = {
        {1, "0001_one", "create table one (i int);"},
        {2, "0002_two", "create table two (i int); insert into nowhere values (1);"},
    };
    struct db_migration_report report;

    cr_assert_not(migrate_apply(url, NULL, failing, 2, &report));
    cr_assert_eq(report.applied, 1);
    cr_assert_str_eq(report.error.sqlstate, "42P01");
    cr_assert(strstr(report.error.text, "0002_two"), "%s", report.error.text);
    assert_sql(url, "select to_regclass('two') is null", "t");
    assert_sql(url, "select string_agg(name, ' ') from schema_migrations", "0001_one");
}

static const struct migration patient[] = {
    {1, "0001_one", "create table one (i int);"},
    {2, "0002_two",
     "create table two (i int); set lock_timeout = '300ms';\n"
     "alter table one add column j int; reset lock_timeout;"},
    {3, "0003_three",
     "-- plyd: no transaction\nset lock_timeout = '300ms';\n"
     "alter table one add column if not exists k int; reset lock_timeout;\n"},
};

static const char waiters_sql[] =
    "select count(*) from pg_locks where not granted and database ="
    " (select oid from pg_database where datname = current_database())";

static void await_waiters(PGconn *admin, const char *count)
{
    bool there = false;

    for (int looks = 0; !there; looks++) {
        PGresult *result = PQexec(admin, waiters_sql);

        there = strcmp(PQgetvalue(result, 0, 0), count) == 0;
        PQclear(result);
        back_off(looks);
    }
}

/* The table is let go when the migration has waited for it in vain. */
static void migrate_beside_a_holder(size_t count)
{
    struct db_migration_report report;
    PGconn *holder;
    pid_t migration;
    int status;

    cr_assert(migrate_apply(url, NULL, patient, count - 1, &report), "%s", report.error.text);
    holder = PQconnectdb(url);
    PQclear(PQexec(holder, "begin"));
    PQclear(PQexec(holder, "lock table one in access share mode"));
    migration = fork();
    if (migration == 0)
        _exit(migrate_apply(url, NULL, patient, count, &report) ? 0 : 1);
    await_waiters(holder, "1");
    await_waiters(holder, "0");
    PQfinish(holder);
    cr_assert_eq(waitpid(migration, &status, 0), migration);
    cr_assert_eq(status, 0, "the migration did not try again");
}

Test(migrate, a_file_is_tried_again_that_did_not_get_its_table_in_time)
{
    migrate_beside_a_holder(2);
    assert_sql(url, "select count(*) from two", "0");
    assert_sql(url, "select count(j) from one", "0");
}

Test(migrate, a_file_without_a_transaction_is_tried_again_that_did_not_get_its_table_in_time)
{
    migrate_beside_a_holder(3);
    assert_sql(url, "select count(k) from one", "0");
}

Test(migrate, processes_that_start_at_once_apply_each_file_once)
{
    enum { PROCESSES = 4, FAILED = 99 };
    pid_t children[PROCESSES];
    int applied = 0;

    for (int i = 0; i < PROCESSES; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            struct db_migration_report report;
            _exit(migrate_apply(url, NULL, three, 3, &report) ? report.applied : FAILED);
        }
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status;
        waitpid(children[i], &status, 0);
        cr_assert(WIFEXITED(status) && WEXITSTATUS(status) != FAILED);
        applied += WEXITSTATUS(status);
    }
    cr_assert_eq(applied, 3);
    assert_sql(url, "select count(*) from two", "2");
}

Test(migrate, an_unreachable_server_is_reported_as_such)
{
    struct db_migration_report report;

    cr_assert_eq(db_migrate_check("host=/nonexistent", NULL, &report), DB_SCHEMA_UNREACHABLE);
    cr_assert_neq(report.error.text[0], '\0');
    cr_assert_not(db_migrate("host=/nonexistent", NULL, &report));
}

/* ---- splitting: no server ---- */

static void assert_split(const char *text, const char *const statements[])
{
    for (; *statements; statements++) {
        size_t length = split_statement(&text);
        cr_assert_eq(length, strlen(*statements), "%.*s", (int)length, text);
        cr_assert_eq(memcmp(text, *statements, length), 0, "%.*s", (int)length, text);
        text += length;
    }
    cr_assert_eq(split_statement(&text), 0, "more than expected: %s", text);
}

Test(split, statements_end_at_semicolons)
{
    assert_split(" a b; c\n;; d ", (const char *const[]){"a b", "c\n", "d ", NULL});
    assert_split("", (const char *const[]){NULL});
    assert_split(" ; -- nothing\n /* at all */ ", (const char *const[]){NULL});
}

Test(split, semicolons_in_quotes_end_nothing)
{
    assert_split("a 'x;''y;' b; c", (const char *const[]){"a 'x;''y;' b", "c", NULL});
    assert_split("a \"x;y\" b; c", (const char *const[]){"a \"x;y\" b", "c", NULL});
    assert_split("E'it\\';s' b; c", (const char *const[]){"E'it\\';s' b", "c", NULL});
    assert_split("'back\\'; c", (const char *const[]){"'back\\'", "c", NULL});
    assert_split("(a; b); c", (const char *const[]){"(a; b)", "c", NULL});
}

Test(split, semicolons_in_comments_end_nothing)
{
    assert_split("a -- x; y\n b; c", (const char *const[]){"a -- x; y\n b", "c", NULL});
    assert_split("a /* ; /* ; */ ; */ b; c",
                 (const char *const[]){"a /* ; /* ; */ ; */ b", "c", NULL});
    assert_split("a --", (const char *const[]){"a --", NULL});
}

Test(split, semicolons_between_dollars_end_nothing)
{
    assert_split("f $$ a; b $$ x; c", (const char *const[]){"f $$ a; b $$ x", "c", NULL});
    assert_split("f $a_1$ ; $$ ; $a_1$; c",
                 (const char *const[]){"f $a_1$ ; $$ ; $a_1$", "c", NULL});
    assert_split("x $1; y a$b$c; d", (const char *const[]){"x $1", "y a$b$c", "d", NULL});
}
