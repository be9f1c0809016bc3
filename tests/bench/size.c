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
#include <time.h>

#include "db/db.h"
#include "db/migrate.h"
#include "tests/support/pg.h"
#include "tests/support/pgbench.h"
#include "tests/support/usage.h"

enum { OUTSTANDING = 256, RECENT_SHARE = 20 };

#define POSITION      "ln1gk2nl/1r1s1sgb1/p1pppp1pp/6p2/1p7/2P4P1/PPSPPPP1P/1B5R1/LN1GKGSNL w Pp 14"
#define EVENTS_A_GAME "10"

/* A game is made each second; its moves come a day after each other, between those of others. */
#define RANDOM_ID "gen_random_uuid()"
#define TIMED_ID                                               \
    "(lpad(to_hex((1700000000 + n) * 1000::int8), 12, '0') ||" \
    " right(replace(gen_random_uuid()::text, '-', ''), 20))::uuid"
#define GAMES_FROM(id)                                                                             \
    "insert into games (id, version, ply, line, lines, tip, status, to_move, winner, last_seat,"   \
    " last_at, updated_at, position, last_move, seat1_state, seat1_token, seat2_state,"            \
    " seat2_token, variant, rules_version, options, start, undo, visibility, seed, created_at)"    \
    " select " id ", " EVENTS_A_GAME ", " EVENTS_A_GAME " - 1, 1, 1, " EVENTS_A_GAME " - 1, 2, 2," \
    " 0, 1, now(), now(), '" POSITION "', '7g7f', 2, decode(repeat('5a', 32), 'hex'), 2,"          \
    " decode(repeat('5a', 32), 'hex'), 'shogi', 1,"                                                \
    " '{\"rules\":\"standard\",\"impasse\":\"declare\",\"repetition\":4,\"max_plies\":0,"          \
    "\"start\":\"hirate\"}', '" POSITION "', 1, 2, 0, to_timestamp(1700000000 + n)"                \
    " from generate_series(1, %ld) as n order by n"

static const char events_sql[] =
    "insert into events (game_id, version, kind, seat, line, ply, key, at, move, position)"
    " select id, v, case v when 1 then 2 else 1 end, v % 2 + 1, 1, v - 1, hashtext(id::text),"
    " created_at + v * interval '1 day', case when v > 1 then '7g7f' end, '" POSITION "'"
    " from games, generate_series(1, " EVENTS_A_GAME ") as v"
    " order by created_at + v * interval '1 day'";

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

static _Noreturn void fail(const char *what, const char *why)
{
    fprintf(stderr, "size: %s: %s\n", what, why);
    exit(1);
}

static double seconds_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void run_sql(PGconn *admin, const char *sql)
{
    PGresult *result = PQexec(admin, sql);

    if (PQresultStatus(result) != PGRES_COMMAND_OK)
        fail(sql, PQerrorMessage(admin));
    PQclear(result);
}

/* ---- the games ---- */

static void fill(struct bench *bench, const char *games_sql)
{
    char sql[2048];

    run_sql(bench->admin, "alter table events drop constraint events_pkey");
    run_sql(bench->admin, "alter table games drop constraint games_pkey");
    snprintf(sql, sizeof(sql), games_sql, (long)bench->ngames);
    run_sql(bench->admin, sql);
    run_sql(bench->admin, events_sql);
    run_sql(bench->admin, "alter table games add primary key (id)");
    run_sql(bench->admin, "alter table events add primary key (game_id, version)");
    run_sql(bench->admin, "vacuum analyze");
}

static void read_ids(struct bench *bench)
{
    PGresult *result = PQexecParams(bench->admin, "select id from games order by created_at", 0,
                                    NULL, NULL, NULL, NULL, 1);

    if (PQresultStatus(result) != PGRES_TUPLES_OK || PQntuples(result) != (int)bench->ngames)
        fail("ids", PQerrorMessage(bench->admin));
    for (size_t i = 0; i < bench->ngames; i++) {
        memcpy(&bench->games[i].id, PQgetvalue(result, (int)i, 0), sizeof(db_id));
        bench->games[i].version = atoi(EVENTS_A_GAME);
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
        fail("append", reply->error.text);
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
                             .position = POSITION,
                             .deadline_at = DB_NEVER,
                             .last_move = "7g7f"};
    mover->event = (struct db_event){.version = game->version,
                                     .kind = DB_EVENT_MOVE,
                                     .seat = game->last_seat,
                                     .line = 1,
                                     .ply = game->ply,
                                     .move = "7g7f",
                                     .position = POSITION,
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

static void measure_ids(struct bench *bench, const char *ids, const char *games_sql)
{
    char *url = pg_test_database();
    struct db_settings settings = {.url = url,
                                   .connections = 4,
                                   .queue_max = OUTSTANDING,
                                   .batch_max = 256,
                                   .deadline_ms = 60000};
    struct db_migration_report report;

    if (!db_migrate(url, NULL, &report))
        fail("migrate", report.error.text);
    bench->url = url;
    bench->admin = PQconnectdb(url);
    bench->server = pgbench_server(url);
    fill(bench, games_sql);
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
        fail("usage: bench-size [GAMES [SECONDS]]", "at least 10240 games");
    printf("size: %zu games with " EVENTS_A_GAME " events each\n", bench.ngames);
    measure_ids(&bench, "random ids", GAMES_FROM(RANDOM_ID));
    measure_ids(&bench, "ids by time", GAMES_FROM(TIMED_ID));
    free(bench.games);
    return 0;
}
