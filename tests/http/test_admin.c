/* test_admin.c - `plyd admin`: what it finds in a database, and what it does for players. */
#include <criterion/criterion.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "house.h"
#include "tests/support/hours.h"
#include "tests/support/pg.h"
#include "tests/support/plyd.h"
#include "tests/support/ready.h"

static char *made;     /* a database for each test */
static char *database; /* what the program is run on */

static void make(void)
{
    made = ready_borrow();
    database = strdup(made);
}

static void drop(void)
{
    free(database);
    ready_return(made);
}

TestSuite(admin, .init = make, .fini = drop, .timeout = HOUSE_PATIENCE_S);

/* ---- running it ---- */

/* Runs `plyd admin` on the database and returns its exit code; *said is what it printed. Static,
 * overwritten. */
static int admin(const char *arguments, const char **said)
{
    static char text[1 << 16];
    char command[1024];
    FILE *out;

    snprintf(command, sizeof(command), "timeout 50 %s admin --database '%s' %s 2>&1",
             plyd_program(), database, arguments);
    out = popen(command, "r");
    cr_assert_not_null(out);
    text[fread(text, 1, sizeof(text) - 1, out)] = '\0';
    *said = text;
    return WEXITSTATUS(pclose(out));
}

static void says(const char *arguments, int code, const char *wanted)
{
    const char *said;
    int is = admin(arguments, &said);

    cr_assert_eq(is, code, "plyd admin %s: %d\n%s", arguments, is, said);
    cr_assert_not_null(strstr(said, wanted), "plyd admin %s: no '%s' in\n%s", arguments, wanted,
                       said);
}

/* Asserts that one of the findings is of this level, about this, and says this. */
static void finds(const char *level, const char *about, const char *wanted)
{
    const char *said;
    cJSON *json, *finding;
    int found = 0;

    admin("--json", &said);
    json = cJSON_Parse(said);
    cr_assert_not_null(json, "no JSON: %s", said);
    cJSON_ArrayForEach(finding, cJSON_GetObjectItem(json, "findings"))
    {
        const char *sentence = cJSON_GetStringValue(cJSON_GetObjectItem(finding, "says"));

        if (strcmp(cJSON_GetStringValue(cJSON_GetObjectItem(finding, "level")), level) == 0 &&
            strcmp(cJSON_GetStringValue(cJSON_GetObjectItem(finding, "about")), about) == 0 &&
            strstr(sentence, wanted) != NULL)
            found++;
    }
    cr_assert_eq(found, 1, "%d findings: %s %s: %s\n%s", found, level, about, wanted, said);
    cJSON_Delete(json);
}

static void sql(const char *statements)
{
    PGconn *pg = PQconnectdb(database);
    PGresult *result = PQexec(pg, statements);

    cr_assert_leq(PQresultStatus(result), PGRES_TUPLES_OK, "%s", PQerrorMessage(pg));
    PQclear(result);
    PQfinish(pg);
}

static void use(const char *url)
{
    free(database);
    database = strdup(url);
}

/* Opens a house, on whose database `plyd admin` runs from now on. */
static void serve(struct house *house)
{
    house_open(house);
    use(house->database);
}

/* ---- health ---- */

Test(admin, a_database_that_was_just_made_and_is_served_is_well)
{
    struct house house;

    serve(&house);
    finds("ok", "schema", "at migration");
    finds("ok", "daemons", "1 up");
    finds("ok", "tables", "nothing to say");
    finds("ok", "indexes", "nothing to say");
    finds("ok", "due work", "nothing to say");
    finds("ok", "rules", "nothing to say");
    house_close(&house);
}

Test(admin, a_warning_makes_the_exit_code_1)
{
    says("", 1, "warning  daemons            none has ever been up\n");
}

Test(admin, the_schema_of_another_version_is_a_warning_and_nothing_else_is_asked_of_it)
{
    const char *said;

    sql("insert into schema_migrations (number, name, checksum) values (4711, 'later', 'x')");
    finds("warning", "schema", "at migration 4711, and this program needs");
    admin("", &said);
    cr_assert_null(strstr(said, "indexes"), "%s", said);
}

Test(admin, an_index_that_is_missing_is_named)
{
    sql("drop index due_by_time");
    finds("warning", "indexes", "due_by_time is missing");
}

Test(admin, a_primary_key_that_is_missing_is_named)
{
    sql("alter table games drop constraint games_pkey");
    finds("warning", "indexes", "games_pkey is missing");
}

Test(admin, an_index_that_was_not_built_to_its_end_is_named)
{
    sql("update pg_index set indisvalid = false where indexrelid = 'due_by_time'::regclass");
    finds("warning", "indexes", "due_by_time was not built to its end");
}

Test(admin, an_index_that_no_migration_made_is_named)
{
    sql("create index mine on games (ply)");
    finds("advice", "indexes", "mine on games is not plyd's: it was used 0 times");
}

Test(admin, updates_that_cost_every_index_an_entry_are_noticed)
{
    struct house house;

    PG_PLAIN_ONLY("it reads the counters of one server");
    serve(&house);
    new_game(&house, "{\"variant\":\"jungle\"}");
    sql("create index mine on games (seed)");
    sql("do $$ begin for i in 1 .. 1100 loop update games set seed = i; end loop; end $$;"
        " select pg_stat_force_next_flush()");
    finds("advice", "games", "0 % of the updates stayed on their page");
    house_close(&house);
}

Test(admin, a_table_without_autovacuum_is_a_warning)
{
    sql("alter table games set (autovacuum_enabled = off)");
    finds("warning", "games", "autovacuum is off for this table");
}

Test(admin, a_large_table_is_advised_to_be_vacuumed_sooner)
{
    sql("update pg_class set reltuples = 10000000 where oid = 'games'::regclass");
    finds("advice", "games", "autovacuum waits for 2000050 dead rows");
    sql("alter table games set (autovacuum_vacuum_scale_factor = 0.01)");
    finds("ok", "tables", "nothing to say");
}

Test(admin, dead_rows_are_noticed)
{
    sql("alter table outages set (autovacuum_vacuum_threshold = 900000,"
        " autovacuum_vacuum_insert_threshold = -1);"
        " insert into outages select n, now(), now() from generate_series(1, 11000) as n;"
        " delete from outages; select pg_stat_force_next_flush()");
    finds("advice", "outages", "11000 dead ones");
}

Test(admin, a_promise_that_nobody_keeps_is_a_warning)
{
    sql("insert into due values (gen_random_uuid(), 1, now() - interval '1 hour', now())");
    finds("warning", "due work", "1 promises of kind clock wait, the oldest for 36");
}

Test(admin, running_games_of_newer_rules_are_a_warning_and_those_of_older_rules_are_not)
{
    struct house house;

    serve(&house);
    new_game(&house, "{\"variant\":\"jungle\"}");
    sql("update games set rules_version = 99");
    finds("warning", "rules", "1 running games of jungle have version 99 of the rules");
    sql("update games set rules_version = 0");
    finds("advice", "rules", "1 running games of jungle began under version 0 of the rules");
    sql("update games set variant = 'chess'");
    finds("warning", "rules", "1 games of chess, which is not loaded here");
    sql("update games set status = 3");
    finds("ok", "rules", "nothing to say");
    house_close(&house);
}

Test(admin, a_transaction_that_is_open_for_more_than_a_minute_is_a_warning)
{
    char *later = hours_borrow();
    PGconn *idle;

    hours_pass(later, INT64_C(3600000000), false);
    idle = PQconnectdb(later);
    PQclear(PQexec(idle, "begin"));
    use(later);
    finds("warning", "transactions", "s (idle in transaction): VACUUM keeps");
    PQfinish(idle);
    ready_return(later);
}

Test(admin, slow_statements_are_shown_where_the_server_counts_them)
{
    struct pg_cluster cluster = {.dir = ""};

    finds("note", "statements", "pg_stat_statements is not there");
    pg_cluster_start(&cluster, "shared_preload_libraries=pg_stat_statements", NULL);
    use(cluster.url);
    sql("create extension pg_stat_statements");
    for (int i = 0; i < 10; i++)
        sql("select pg_sleep(0.06)");
    finds("advice", "statements", "10 calls: select pg_sleep($1)");
    pg_cluster_remove(&cluster);
}

Test(admin, an_archive_that_fails_and_a_standby_that_is_gone_are_warnings)
{
    struct pg_cluster cluster = {.dir = ""};

    pg_cluster_start(&cluster, "archive_mode=on", "archive_command=false", NULL);
    use(cluster.url);
    sql("create table t (); select pg_switch_wal()");
    sql("do $$ begin while (select failed_count from pg_stat_archiver) = 0 loop"
        " perform pg_sleep(0.01), pg_stat_clear_snapshot(); end loop; end $$");
    finds("warning", "archive", "the last attempt to archive WAL has failed");
    sql("alter system set synchronous_standby_names = nobody");
    sql("select pg_reload_conf()");
    finds("warning", "standbys", "commits wait for a synchronous standby, and there is none");
    pg_cluster_remove(&cluster);
}

Test(admin, a_database_that_cannot_be_reached_is_an_error)
{
    use("host=/nowhere");
    says("", 1, "plyd: cannot reach the database: ");
    says("token 00000000000000000000000000", 1, "plyd: the database cannot be used");
}

Test(admin, it_reads_its_command_line_strictly)
{
    says("--help", 0, "usage: plyd admin");
    says("sing", 2, "plyd: admin: no such command: 'sing'; --help shows the usage\n");
    says("--sing", 2, "no such setting, or no value for '--sing'");
    says("token", 2, "no player for 'token'");
    says("token Ada", 2, "not the id of a player: 'Ada'");
    says("token 00000000000000000000000000 x", 2, "one word too many: 'x'");
    says("rename 00000000000000000000000000 x y", 2, "one word too many: 'y'");
    says("rename 00000000000000000000000000 ' '", 2, "A name of 1 to 64 characters is expected");
    says("rename 00000000000000000000000000 \"$(printf 'a\\377')\"", 2, "not UTF-8");
}

/* ---- players ---- */

Test(admin, nobody_is_helped_who_is_not_there)
{
    says("token 00000000000000000000000000", 1, "plyd: there is no such player\n");
    says("rename 00000000000000000000000000", 1, "plyd: there is no such player\n");
}

/* Runs a command about a player and gives a member of its JSON. Static, overwritten. */
static const char *told(const char *command, const struct player *player, const char *member)
{
    static char text[128];
    char arguments[256];
    const char *said;
    cJSON *json;

    snprintf(arguments, sizeof(arguments), command, player->id);
    cr_assert_eq(admin(arguments, &said), 0, "%s", said);
    json = cJSON_Parse(said);
    cr_assert_not_null(json, "no JSON: %s", said);
    cr_assert_str_eq(cJSON_GetStringValue(cJSON_GetObjectItem(json, "id")), player->id);
    snprintf(text, sizeof(text), "%s", cJSON_GetStringValue(cJSON_GetObjectItem(json, member)));
    cJSON_Delete(json);
    return text;
}

static int status_of(struct house *house, const char *token)
{
    struct answer answer = ask_as(house, token, "GET", "/v1/me", NULL);

    return answer.status;
}

Test(admin, a_player_who_lost_their_token_gets_a_new_one_and_the_old_one_ends)
{
    struct player player;
    struct house house;

    serve(&house);
    player = new_player(&house, "Ada");
    cr_assert_eq(status_of(&house, told("token %s --json", &player, "token")), 200);
    while (status_of(&house, player.token) != 401)
        ;
    house_close(&house);
}

/* The name at the first seat once it is no longer the old one. */
static void assert_renamed(struct house *house, const struct game *game, const char *old,
                           const char *wanted)
{
    for (;;) {
        struct answer answer = ask_at(house, NULL, "GET", NULL, "/v1/games/%s", game->id);
        int learned = strcmp(text_of(&answer, "seats.0.name"), old) != 0;

        if (learned)
            cr_assert_str_eq(text_of(&answer, "seats.0.name"), wanted);
        if (learned)
            return;
    }
}

Test(admin, a_name_is_taken_down_in_all_games_and_the_token_stays)
{
    struct player player;
    struct house house;
    struct game game;
    char neutral[128];

    serve(&house);
    player = new_player(&house, "Rude");
    game = new_game_of(&house, player.token,
                       "{\"variant\":\"jungle\",\"visibility\":\"public\","
                       "\"seats\":[{\"me\":true},{\"me\":true}]}");
    snprintf(neutral, sizeof(neutral), "Player %s", player.id + 20);
    cr_assert_str_eq(told("rename %s --json", &player, "name"), neutral);
    assert_renamed(&house, &game, "Rude", neutral);
    cr_assert_str_eq(told("rename %s ' Ada  B ' --json", &player, "name"), "Ada  B");
    assert_renamed(&house, &game, neutral, "Ada  B");
    cr_assert_eq(status_of(&house, player.token), 200);
    house_close_verified(&house);
}
