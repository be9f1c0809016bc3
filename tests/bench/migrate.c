/*
 * migrate.c - how long moves wait while a large database is migrated.
 *
 *     bench-migrate [GAMES [FROM]]
 *
 * Fills a database whose schema is that of migration FROM [2], plays as a program of that time did,
 * and applies the migrations behind FROM meanwhile. Then the same moves without a migration.
 */
#include <libpq-fe.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "db/migrations.h"
#include "tests/support/die.h"
#include "tests/support/many.h"
#include "tests/support/now.h"
#include "tests/support/pg.h"

enum { PLAYERS = 4, QUIET_S = 10 };

/* All columns that a move needs are those of migrations/0001. */
static const char move_sql[] =
    "with written as (update games set version = $2::int4, ply = $2::int4 - 1, tip = $2::int4 - 1,"
    " updated_at = now(), last_at = now() where id = $1::uuid and version = $2::int4 - 1"
    " returning id) insert into events (game_id, version, kind, seat, line, ply, key, at, move,"
    " position) select id, $2::int4, 1, 1, 1, $2::int4 - 1, $2::int4, now(), '7g7f', "
    "'" MANY_POSITION "' from written";

struct player {
    pthread_t thread;
    const char *url;
    int number;
    atomic_bool *stop;
    unsigned long moves;
    double worst; /* seconds that a move took */
};

static void expect(const PGconn *conn, PGresult *result, ExecStatusType status, const char *what)
{
    if (PQresultStatus(result) != status)
        die("%s: %s", what, PQerrorMessage(conn));
}

/* Moves in one game after the other, each player in games of their own. */
static void *play(void *cls)
{
    struct player *player = cls;
    PGconn *conn = PQconnectdb(player->url);
    PGresult *ids;
    char sql[200], version[16];

    snprintf(
        sql, sizeof(sql),
        "select id, version + 1 from games tablesample system (1) where hashtext(id::text) %% %d"
        " in (%d, -%d) limit 20000",
        PLAYERS, player->number, player->number);
    ids = PQexec(conn, sql);
    expect(conn, ids, PGRES_TUPLES_OK, "games");
    for (int i = 0, round = 0; !*player->stop; i++) {
        const char *values[] = {PQgetvalue(ids, i, 0), version};
        double began;

        snprintf(version, sizeof(version), "%d", atoi(PQgetvalue(ids, i, 1)) + round);
        began = seconds_now();
        PGresult *moved = PQexecParams(conn, move_sql, 2, NULL, values, NULL, NULL, 0);
        expect(conn, moved, PGRES_COMMAND_OK, "move");
        if (strcmp(PQcmdTuples(moved), "1") != 0)
            die("move: it is not stored");
        PQclear(moved);
        player->moves++;
        if (seconds_now() - began > player->worst)
            player->worst = seconds_now() - began;
        if (i + 1 == PQntuples(ids)) {
            i = -1;
            round++;
        }
    }
    PQclear(ids);
    PQfinish(conn);
    return NULL;
}

static void migrate(const char *url)
{
    struct db_migration_report report;

    if (!migrate_apply(url, NULL, migrations_list, migrations_count, &report))
        die("migrate: %s", report.error.text);
    printf("  %d migrations", report.applied);
}

static void rest(const char *url)
{
    (void)url;
    nanosleep(&(struct timespec){QUIET_S, 0}, NULL);
    printf("  nothing     ");
}

/* Plays while something is done, and prints how long the moves waited. */
static void play_beside(const char *url, void (*deed)(const char *url))
{
    struct player players[PLAYERS];
    atomic_bool stop = false;
    double began = seconds_now(), worst = 0;
    unsigned long moves = 0;

    for (int i = 0; i < PLAYERS; i++) {
        players[i] = (struct player){.url = url, .number = i, .stop = &stop};
        if (pthread_create(&players[i].thread, NULL, play, &players[i]) != 0)
            die("thread: it does not start");
    }
    nanosleep(&(struct timespec){1, 0}, NULL);
    deed(url);
    stop = true;
    for (int i = 0; i < PLAYERS; i++) {
        pthread_join(players[i].thread, NULL);
        moves += players[i].moves;
        worst = players[i].worst > worst ? players[i].worst : worst;
    }
    printf(" in %6.1f s  %8.0f moves/s beside it, of which the slowest took %6.0f ms%s\n",
           seconds_now() - began, (double)moves / (seconds_now() - began), worst * 1e3,
           worst < 1 ? "" : "  (goal: 1000)  NOT MET");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    size_t games = argc > 1 ? strtoul(argv[1], NULL, 10) : 200000;
    size_t from = argc > 2 ? strtoul(argv[2], NULL, 10) : 2;
    char *url = pg_test_database();
    struct db_migration_report report;
    PGconn *admin;

    if (games < 10000 || from < 1 || from > migrations_count)
        die("usage: bench-migrate [GAMES [FROM]], from 10000 games on");
    if (!migrate_apply(url, NULL, migrations_list, from, &report))
        die("migrate: %s", report.error.text);
    admin = PQconnectdb(url);
    printf("migrate: %zu games with %d events each, schema %zu\n", games, MANY_EVENTS, from);
    many_fill(admin, games, true);
    play_beside(url, migrate);
    play_beside(url, rest);
    PQfinish(admin);
    pg_test_drop(url);
    return 0;
}
