/*
 * size.c - what a move costs where many games are stored: moves a second, and bytes of WAL a move,
 * most of which are images of pages that a move is the first to change after a checkpoint.
 *
 *     bench-size [GAMES [SECONDS]]
 *
 * The games have random ids, or ids that begin with their time. Moves are made in the newest 5 % of
 * the games, as in real life, or in any of them. A million games take some 4 GB of disk while they
 * are measured, one kind of ids after the other.
 */
#include <libpq-fe.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/db.h"
#include "db/migrate.h"
#include "tests/support/die.h"
#include "tests/support/many.h"
#include "tests/support/now.h"
#include "tests/support/pg.h"
#include "tests/support/pgbench.h"
#include "tests/support/usage.h"

enum { OUTSTANDING = 256, RECENT_SHARE = 20 };

struct stored {
    db_id id;
    int32_t version;
    bool busy;
};

struct bench {
    struct db *db;
    PGconn *admin;
    const char *url;
    pid_t server;
    struct stored *games; /* the oldest first */
    size_t ngames;
    double seconds, until;
    uint64_t random;
    size_t first; /* of the games in which moves are made */
    size_t moves;
};

struct mover {
    struct bench *bench;
    struct stored *stored;
    struct db_game game;
    struct db_event event;
};

static void run_sql(PGconn *admin, const char *sql)
{
    PGresult *result = PQexec(admin, sql);

    if (PQresultStatus(result) != PGRES_COMMAND_OK)
        die("%s: %s", sql, PQerrorMessage(admin));
    PQclear(result);
}

/* ---- the games ---- */

static void read_ids(struct bench *bench)
{
    PGresult *result = PQexecParams(bench->admin, "select id from games order by created_at", 0,
                                    NULL, NULL, NULL, NULL, 1);

    if (PQresultStatus(result) != PGRES_TUPLES_OK || PQntuples(result) != (int)bench->ngames)
        die("ids: %s", PQerrorMessage(bench->admin));
    for (size_t i = 0; i < bench->ngames; i++) {
        memcpy(&bench->games[i].id, PQgetvalue(result, (int)i, 0), sizeof(db_id));
        bench->games[i].version = MANY_EVENTS;
    }
    PQclear(result);
}

/* ---- moves ---- */

/* A game in which no move is outstanding. */
static struct stored *draw(struct bench *bench)
{
    struct stored *stored;

    do {
        bench->random = bench->random * 6364136223846793005U + 1442695040888963407U;
        stored =
            &bench->games[bench->first + (bench->random >> 33) % (bench->ngames - bench->first)];
    } while (stored->busy);
    return stored;
}

static void move(struct mover *mover);

static void on_moved(void *context, const struct db_reply *reply)
{
    struct mover *mover = context;

    if (reply->outcome != DB_OK)
        die("append: %s", reply->error.text);
    mover->stored->busy = false;
    mover->stored->version++;
    mover->bench->moves++;
    if (seconds_now() < mover->bench->until)
        move(mover);
}

static void move(struct mover *mover)
{
    struct db *db = mover->bench->db;
    struct stored *stored = mover->stored = draw(mover->bench);
    struct db_game *game = &mover->game;
    struct db_append append = {
        .after = game, .expected = stored->version, .events = &mover->event, .count = 1};

    stored->busy = true;
    *game = (struct db_game){.id = stored->id,
                             .version = stored->version + 1,
                             .ply = stored->version,
                             .tip = stored->version,
                             .line = 1,
                             .lines = 1,
                             .status = 2,
                             .to_move = (int16_t)(1 + stored->version % 2),
                             .last_seat = (int16_t)(2 - stored->version % 2),
                             .last_at = db_now(db),
                             .updated_at = db_now(db),
                             .position = MANY_POSITION,
                             .deadline_at = DB_NEVER,
                             .last_move = "7g7f"};
    mover->event = (struct db_event){.version = game->version,
                                     .kind = DB_EVENT_MOVE,
                                     .seat = game->last_seat,
                                     .line = 1,
                                     .ply = game->ply,
                                     .move = "7g7f",
                                     .position = MANY_POSITION,
                                     .key = (int64_t)mover->bench->random,
                                     .at = game->last_at};
    db_append(db, &append, on_moved, mover);
}

static double wal_bytes(const struct bench *bench)
{
    return pgbench_number(bench->url, "select pg_current_wal_lsn() - '0/0'");
}

static void measure(struct bench *bench, const char *ids, bool recent)
{
    static struct mover movers[OUTSTANDING];
    double began, cpu, wal, moves;

    run_sql(bench->admin, "checkpoint");
    bench->first = recent ? bench->ngames - bench->ngames / RECENT_SHARE : 0;
    bench->moves = 0;
    wal = wal_bytes(bench);
    cpu = usage_cpu(bench->server);
    began = seconds_now();
    bench->until = began + bench->seconds;
    for (int i = 0; i < OUTSTANDING; i++) {
        movers[i].bench = bench;
        move(&movers[i]);
    }
    for (db_run(bench->db); !db_idle(bench->db); db_run(bench->db)) {
        struct pollfd ready = {.fd = db_fd(bench->db), .events = POLLIN};

        poll(&ready, 1, db_timeout_ms(bench->db));
    }
    moves = (double)bench->moves;
    printf("  %-12s  %-16s  %8.0f moves/s  %6.1f us of server CPU  %6.0f bytes of WAL\n", ids,
           recent ? "the newest 5 %" : "any game", moves / (seconds_now() - began),
           (usage_cpu(bench->server) - cpu) * 1e6 / moves, (wal_bytes(bench) - wal) / moves);
    fflush(stdout);
}

static void measure_ids(struct bench *bench, const char *ids, bool by_time)
{
    char *url = pg_test_database();
    struct db_settings settings = {.url = url,
                                   .connections = 4,
                                   .queue_max = OUTSTANDING,
                                   .batch_max = 256,
                                   .deadline_ms = 60000};
    struct db_migration_report report;

    if (!db_migrate(url, NULL, &report))
        die("migrate: %s", report.error.text);
    bench->url = url;
    bench->admin = PQconnectdb(url);
    bench->server = pgbench_server(url);
    many_fill(bench->admin, bench->ngames, by_time);
    read_ids(bench);
    bench->db = db_open(&settings);
    measure(bench, ids, true);
    measure(bench, ids, false);
    db_close(bench->db);
    PQfinish(bench->admin);
    pg_test_drop(url);
}

int main(int argc, char **argv)
{
    static struct bench bench;

    bench.ngames = argc > 1 && atoi(argv[1]) > 0 ? (size_t)atoi(argv[1]) : 200000;
    bench.seconds = argc > 2 ? atof(argv[2]) : 10;
    bench.random = 1;
    bench.games = calloc(bench.ngames, sizeof(*bench.games));
    if (bench.games == NULL || bench.ngames < 20 * OUTSTANDING * 2)
        die("usage: bench-size [GAMES [SECONDS]]: at least 10240 games");
    printf("size: %zu games with %d events each\n", bench.ngames, MANY_EVENTS);
    measure_ids(&bench, "random ids", false);
    measure_ids(&bench, "ids by time", true);
    free(bench.games);
    return 0;
}
