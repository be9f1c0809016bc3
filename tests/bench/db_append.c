/*
 * db_append.c - how many durable moves a second go through struct db alone, beside pgbench that
 * stores the same moves in the same tables in the same run; and what a move costs the server.
 *
 *     bench-db_append [--quick] [--mixed]
 *
 * Each outstanding request plays a game of its own: the next move is made when the last one was
 * answered. The two are measured in turns, so that whatever else the machine does affects both.
 *
 * On Citus (scripts/citus.sh) plyd is measured alone. --mixed: batches hold games of all shards.
 */
#include <libpq-fe.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/internal.h"
#include "db/migrate.h"
#include "tests/support/die.h"
#include "tests/support/now.h"
#include "tests/support/numbers.h"
#include "tests/support/pg.h"
#include "tests/support/pgbench.h"
#include "tests/support/usage.h"

enum { PLAYERS = 1024, WAITS = 1 << 20, TURNS = 2 };

static const char position[] =
    "ln1gk2nl/1r1s1sgb1/p1pppp1pp/6p2/1p7/2P4P1/PPSPPPP1P/1B5R1/LN1GKGSNL w Pp 14";

struct player {
    struct bench *bench;
    struct db_game game;
    struct db_event event;
    double sent_at;
};

struct bench {
    struct db *db;
    PGconn *admin;
    pid_t server;
    const char *url;
    double seconds; /* of one measurement */
    double until;
    struct player players[PLAYERS];
    double waits[WAITS]; /* seconds from a request to its answer */
    size_t moves;
};

static PGresult *query(PGconn *admin, const char *sql)
{
    PGresult *result = PQexec(admin, sql);
    if (PQresultStatus(result) != PGRES_TUPLES_OK)
        die("%s: %s", sql, PQerrorMessage(admin));
    return result;
}

static double wal_bytes(PGconn *admin)
{
    PGresult *result = query(admin, "select pg_current_wal_lsn() - '0/0'");
    double bytes = atof(PQgetvalue(result, 0, 0));
    PQclear(result);
    return bytes;
}

/* ---- moves through struct db ---- */

static void play(struct player *player);

static void on_played(void *context, const struct db_reply *reply)
{
    struct player *player = context;
    struct bench *bench = player->bench;
    double now = seconds_now();

    if (reply->outcome != DB_OK)
        die("append: %s", reply->error.text);
    if (bench->moves < WAITS)
        bench->waits[bench->moves] = now - player->sent_at;
    bench->moves++;
    if (now < bench->until)
        play(player);
}

static void play(struct player *player)
{
    struct db_game *game = &player->game;
    struct db_append append = {
        .after = game, .expected = game->version, .events = &player->event, .count = 1};

    game->version++;
    game->ply = game->tip = game->version - 1;
    game->to_move = (int16_t)(1 + game->ply % 2);
    game->last_seat = (int16_t)(3 - game->to_move);
    game->last_at = game->updated_at = db_now(player->bench->db);
    player->event = (struct db_event){.version = game->version,
                                      .kind = DB_EVENT_MOVE,
                                      .seat = game->last_seat,
                                      .line = 1,
                                      .ply = game->ply,
                                      .move = "7g7f",
                                      .position = position,
                                      .key = INT64_C(0x0123456789abcdef) * game->ply,
                                      .at = game->last_at};
    player->sent_at = seconds_now();
    db_append(player->bench->db, &append, on_played, player);
}

static void run_until_idle(struct db *db)
{
    for (db_run(db); !db_idle(db); db_run(db)) {
        struct pollfd ready = {.fd = db_fd(db), .events = POLLIN};
        poll(&ready, 1, db_timeout_ms(db));
    }
}

/* Gives each player a game that is stored, at its version. */
static void seat_players(struct bench *bench)
{
    PGresult *games = query(bench->admin, "select encode(uuid_send(id), 'hex'), version from games"
                                          " order by id limit 1024");
    for (int i = 0; i < PLAYERS; i++) {
        struct player *player = &bench->players[i];
        *player = (struct player){.bench = bench,
                                  .game = {.version = atoi(PQgetvalue(games, i, 1)),
                                           .line = 1,
                                           .lines = 1,
                                           .status = 2,
                                           .position = position,
                                           .deadline_at = DB_NEVER,
                                           .last_move = "7g7f"}};
        for (int j = 0; j < 16; j++)
            sscanf(PQgetvalue(games, i, 0) + 2 * j, "%2hhx", &player->game.id.byte[j]);
    }
    PQclear(games);
}

static uint64_t statements(const struct db_stats *stats)
{
    uint64_t sum = 0;

    for (size_t kind = 0; kind < DB_KINDS; kind++)
        sum += stats->statements[kind];
    return sum;
}

static double measure(struct bench *bench, int outstanding)
{
    struct db_stats before, after;
    double started = seconds_now(), cpu = usage_cpu(bench->server), wal = wal_bytes(bench->admin);

    db_stats(bench->db, &before);
    bench->moves = 0;
    bench->until = started + bench->seconds;
    for (int i = 0; i < outstanding; i++)
        play(&bench->players[i]);
    run_until_idle(bench->db);
    double moves = (double)bench->moves, rate = moves / (seconds_now() - started);
    cpu = usage_cpu(bench->server) - cpu;
    wal = wal_bytes(bench->admin) - wal;
    db_stats(bench->db, &after);

    size_t waits = bench->moves < WAITS ? bench->moves : WAITS;
    numbers_sort(bench->waits, waits);
    printf("  plyd, %4d outstanding  %8.0f moves/s  %6.1f us of server CPU  %6.1f moves a commit"
           "  %4.0f bytes of WAL  p50 %6.2f ms  p99 %6.2f ms\n",
           outstanding, rate, cpu * 1e6 / moves,
           moves / (double)(statements(&after) - statements(&before)), wal / moves,
           bench->waits[waits / 2] * 1e3, bench->waits[waits * 99 / 100] * 1e3);
    fflush(stdout);
    return rate;
}

static double measure_pgbench(const struct bench *bench, unsigned clients)
{
    struct pgbench_plan plan = {.url = bench->url,
                                .server = bench->server,
                                .move = PGBENCH_TRANSACTION,
                                .clients = clients,
                                .warm_up = bench->seconds / 4,
                                .seconds = bench->seconds};
    struct pgbench_result result;

    pgbench_run(&plan, &result);
    printf(
        "  pgbench, %2u clients     %8.0f moves/s  %6.1f us of server CPU  %6.1f moves a commit\n",
        clients, result.per_second, result.cpu_us, 1.0);
    fflush(stdout);
    return result.per_second;
}

static void mix_shards(struct db *db)
{
    struct db_stats stats;

    do {
        db_run(db);
        db_stats(db, &stats);
    } while (stats.down > 0);
    shards_read(&db->shards, "{0}", NULL);
}

static void open_bench(struct bench *bench, const char *url)
{
    struct db_settings settings = {
        .url = url, .connections = 4, .queue_max = PLAYERS, .batch_max = 256, .deadline_ms = 10000};
    struct db_migration_report report;

    if (!db_migrate(url, NULL, &report))
        die("migrate: %s", report.error.text);
    pgbench_fill(url, PLAYERS);
    bench->url = url;
    bench->admin = PQconnectdb(url);
    bench->server = pgbench_server(url);
    bench->db = db_open(&settings);
    seat_players(bench);
}

int main(int argc, char **argv)
{
    static const int outstanding[] = {1, 8, 64, 256, 1024};
    static const unsigned clients[] = {1, 8, 32, 64};
    double best = 0, best_pgbench = 0;
    struct bench *bench = calloc(1, sizeof(*bench));
    char *url = pg_test_database();

    open_bench(bench, url);
    bench->seconds = 3;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--quick") == 0)
            bench->seconds = 0.5;
        else if (strcmp(argv[i], "--mixed") == 0)
            mix_shards(bench->db);
    for (int turn = 0; turn < TURNS; turn++) {
        for (size_t i = 0; i < sizeof(outstanding) / sizeof(outstanding[0]); i++) {
            double rate = measure(bench, outstanding[i]);
            best = rate > best ? rate : best;
        }
        for (size_t i = 0; !pg_on_citus() && i < sizeof(clients) / sizeof(clients[0]); i++) {
            double rate = measure_pgbench(bench, clients[i]);
            best_pgbench = rate > best_pgbench ? rate : best_pgbench;
        }
        seat_players(bench);
    }
    if (!pg_on_citus())
        printf("  the best of plyd is %.1f x the best of pgbench\n", best / best_pgbench);
    PQfinish(bench->admin);
    db_close(bench->db);
    free(bench);
    pg_test_drop(url);
    return 0;
}
