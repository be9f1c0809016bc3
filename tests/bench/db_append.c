/*
 * db_append.c - how many durable moves a second go through struct db, beside pgbench doing the same
 * one-move transaction on the same server in the same run; and what a move costs the server.
 *
 *     bench-db_append [seconds of each measurement]
 *
 * The games are shogi-sized. Each outstanding request plays a game of its own: the next move is
 * made when the last one was answered. pgbench plays random ones of the same games.
 */
#include <dirent.h>
#include <libpq-fe.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "db/db.h"
#include "db/migrate.h"
#include "tests/support/pg.h"

enum { GAMES = 4096, SECONDS = 3 };

static const char position[] =
    "ln1gk2nl/1r1s1sgb1/p1pppp1pp/6p2/1p7/2P4P1/PPSPPPP1P/1B5R1/LN1GKGSNL w - 14";

static _Noreturn void fail(const char *what, const char *why)
{
    fprintf(stderr, "db_append: %s: %s\n", what, why);
    exit(1);
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* ---- what the server spends ---- */

static pid_t postmaster(const struct pg_cluster *cluster)
{
    char path[128], line[32];
    snprintf(path, sizeof(path), "%s/data/postmaster.pid", cluster->dir);
    FILE *file = fopen(path, "r");
    if (!file || !fgets(line, sizeof(line), file))
        fail(path, "cannot be read");
    fclose(file);
    return (pid_t)atoi(line);
}

/* Seconds that a process of the server has run, 0 for any other process. Of the postmaster, also
 * those of its children that are gone. */
static double process_seconds(const char *pid, pid_t server)
{
    char path[300], stat[1024];
    long parent = 0;
    unsigned long user = 0, kernel = 0;
    long children_user = 0, children_kernel = 0;

    snprintf(path, sizeof(path), "/proc/%s/stat", pid);
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    const char *after_name = fgets(stat, sizeof(stat), file) ? strrchr(stat, ')') : NULL;
    fclose(file);
    if (!after_name ||
        sscanf(after_name, ") %*c %ld %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %ld %ld", &parent,
               &user, &kernel, &children_user, &children_kernel) != 5)
        return 0;
    if (atol(pid) == server)
        user += (unsigned long)(children_user + children_kernel);
    else if (parent != server)
        return 0;
    return (double)(user + kernel) / (double)sysconf(_SC_CLK_TCK);
}

static double server_seconds(pid_t server)
{
    double sum = 0;
    DIR *proc = opendir("/proc");
    for (struct dirent *entry; (entry = readdir(proc));)
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9')
            sum += process_seconds(entry->d_name, server);
    closedir(proc);
    return sum;
}

static double query_number(PGconn *admin, const char *sql)
{
    PGresult *result = PQexec(admin, sql);
    if (PQresultStatus(result) != PGRES_TUPLES_OK)
        fail(sql, PQerrorMessage(admin));
    double number = atof(PQgetvalue(result, 0, 0));
    PQclear(result);
    return number;
}

struct usage {
    double at, cpu, wal, moves;
};

static struct usage usage_now(PGconn *admin, pid_t server)
{
    return (struct usage){
        .at = seconds_now(),
        .cpu = server_seconds(server),
        .wal = query_number(admin, "select pg_current_wal_lsn() - '0/0'"),
        .moves = query_number(admin, "select coalesce(sum(version - 1), 0) from games"),
    };
}

/* What was spent since `before`, a second or a move. */
struct rates {
    double moves, cpu_us, wal_bytes;
};

static struct rates rates_since(const struct usage *before, PGconn *admin, pid_t server)
{
    struct usage now = usage_now(admin, server);
    double moves = now.moves - before->moves;
    return (struct rates){.moves = moves / (now.at - before->at),
                          .cpu_us = (now.cpu - before->cpu) * 1e6 / moves,
                          .wal_bytes = (now.wal - before->wal) / moves};
}

/* ---- moves through struct db ---- */

struct player {
    struct bench *bench;
    struct db_game game;
    struct db_event event;
    double sent_at;
};

struct bench {
    struct db *db;
    struct player players[GAMES];
    double until;
    double *waits; /* seconds from the request to its answer */
    size_t moves, waits_size;
};

static void play(struct player *player);

static void on_played(void *context, const struct db_reply *reply)
{
    struct player *player = context;
    struct bench *bench = player->bench;
    double now = seconds_now();

    if (reply->outcome != DB_OK)
        fail("append", reply->error.text);
    if (bench->moves < bench->waits_size)
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
    game->ply++;
    game->tip++;
    game->to_move = (int16_t)(3 - game->to_move);
    game->last_at = game->updated_at = db_now(player->bench->db);
    player->event = (struct db_event){.version = game->version,
                                      .kind = DB_EVENT_MOVE,
                                      .seat = 1,
                                      .line = 1,
                                      .ply = game->ply,
                                      .move = "7g7f",
                                      .position = position,
                                      .key = INT64_C(0x0123456789abcdef) + game->ply,
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

static void on_created(void *context, const struct db_reply *reply)
{
    (void)context;
    if (reply->outcome != DB_OK)
        fail("create", reply->error.text);
}

static void create_games(struct bench *bench)
{
    for (int i = 0; i < GAMES; i++) {
        struct player *player = &bench->players[i];
        player->bench = bench;
        player->game = (struct db_game){.version = 1,
                                        .line = 1,
                                        .lines = 1,
                                        .to_move = 1,
                                        .status = 1,
                                        .position = position,
                                        .last_move = "3c3d",
                                        .variant = "shogi",
                                        .rules_version = 1,
                                        .start = position,
                                        .options = "{\"rules\":\"standard\",\"impasse\":\"27\"}"};
        player->game.id.byte[0] = (uint8_t)(i * 151); /* spread over the index */
        player->game.id.byte[14] = (uint8_t)(i >> 8);
        player->game.id.byte[15] = (uint8_t)i;
        player->event = (struct db_event){.version = 1, .line = 1, .position = position};
        struct db_create create = {.game = &player->game, .events = &player->event, .count = 1};
        db_create(bench->db, &create, on_created, NULL);
    }
    run_until_idle(bench->db);
}

static int by_time(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Prints a row; returns the moves a second. */
static double measure(struct bench *bench, int outstanding, double seconds, PGconn *admin,
                      pid_t server)
{
    struct db_stats before, after;
    struct usage usage = usage_now(admin, server);

    db_stats(bench->db, &before);
    bench->moves = 0;
    bench->until = seconds_now() + seconds;
    for (int i = 0; i < outstanding; i++)
        play(&bench->players[i]);
    run_until_idle(bench->db);
    struct rates rates = rates_since(&usage, admin, server);
    db_stats(bench->db, &after);

    size_t waits = bench->moves < bench->waits_size ? bench->moves : bench->waits_size;
    qsort(bench->waits, waits, sizeof(bench->waits[0]), by_time);
    printf("  plyd %5d outstanding %8.0f moves/s %7.2f us of server CPU %6.0f bytes of WAL"
           " %6.1f moves a commit   p50 %6.2f ms  p99 %6.2f ms\n",
           outstanding, rates.moves, rates.cpu_us, rates.wal_bytes,
           (double)bench->moves / (double)(after.statements[0] - before.statements[0]),
           bench->waits[waits / 2] * 1e3, bench->waits[waits * 99 / 100] * 1e3);
    fflush(stdout);
    return rates.moves;
}

/* ---- the same moves by pgbench ---- */

static const char script[] =
    "\\set game random(0, %d)\n"
    "begin;\n"
    "update games set version = version + 1, ply = ply + 1, tip = tip + 1, to_move = 3 - to_move,"
    " last_at = now(), updated_at = now(), position = '%s', last_move = '7g7f'"
    " where id = (lpad(to_hex(:game::int * 151 %% 256), 2, '0') || lpad(to_hex(:game::int), 30, "
    "'0'))::uuid"
    " returning version \\gset\n"
    "insert into events (game_id, version, kind, seat, line, ply, key, at, move, position)"
    " values ((lpad(to_hex(:game::int * 151 %% 256), 2, '0') || lpad(to_hex(:game::int), 30, "
    "'0'))::uuid,"
    " :version, 1, 1, 1, :version - 1, 81985529216486895, now(), '7g7f', '%s');\n"
    "commit;\n";

static double measure_pgbench(const char *url, int clients, int seconds, PGconn *admin,
                              pid_t server)
{
    char command[2048];
    struct usage usage = usage_now(admin, server);

    snprintf(command, sizeof(command),
             "$(scripts/postgres.sh programs)/pgbench -n -M prepared -c %d -j %d -T %d"
             " -f /dev/stdin '%s' >/dev/null",
             clients, clients > 1 ? 2 : 1, seconds, url);
    FILE *pgbench = popen(command, "w");
    if (!pgbench || fprintf(pgbench, script, GAMES - 1, position, position) < 0 ||
        pclose(pgbench) != 0)
        fail(command, "failed");
    struct rates rates = rates_since(&usage, admin, server);
    printf("  pgbench %2d clients     %8.0f moves/s %7.2f us of server CPU %6.0f bytes of WAL"
           " %6.1f moves a commit\n",
           clients, rates.moves, rates.cpu_us, rates.wal_bytes, 1.0);
    fflush(stdout);
    return rates.moves;
}

int main(int argc, char **argv)
{
    static const int clients[] = {1, 8, 32, 64}, outstanding[] = {1, 8, 64, 256, 1024};
    int seconds = argc > 1 ? atoi(argv[1]) : SECONDS;
    struct pg_cluster cluster;
    struct db_migration_report report;
    struct bench *bench = calloc(1, sizeof(*bench));
    double best_pgbench = 0, best = 0;

    pg_cluster_start(&cluster, NULL);
    if (!db_migrate(cluster.url, &report))
        fail("migrate", report.error.text);
    struct db_settings settings = {.url = cluster.url,
                                   .connections = 4,
                                   .queue_max = GAMES,
                                   .batch_max = 128,
                                   .deadline_ms = 10000};
    bench->db = db_open(&settings);
    bench->waits_size = 1 << 20;
    bench->waits = calloc(bench->waits_size, sizeof(bench->waits[0]));
    create_games(bench);

    PGconn *admin = PQconnectdb(cluster.url);
    pid_t server = postmaster(&cluster);
    query_number(admin, "select count(*) from games");
    PQclear(PQexec(admin, "vacuum analyze"));
    for (size_t i = 0; i < sizeof(outstanding) / sizeof(outstanding[0]); i++) {
        double rate = measure(bench, outstanding[i], seconds, admin, server);
        best = rate > best ? rate : best;
    }
    for (size_t i = 0; i < sizeof(clients) / sizeof(clients[0]); i++) {
        double rate = measure_pgbench(cluster.url, clients[i], seconds, admin, server);
        best_pgbench = rate > best_pgbench ? rate : best_pgbench;
    }
    printf("  plyd's best is %.1f x pgbench's best\n", best / best_pgbench);
    PQfinish(admin);
    db_close(bench->db);
    free(bench->waits);
    free(bench);
    pg_cluster_remove(&cluster);
    return 0;
}
