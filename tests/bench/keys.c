/*
 * keys.c - what an Idempotency-Key costs: bytes of rows and of write-ahead log for a move with a
 * key beside one without, and how many of either go through in a second.
 *
 *     bench-keys [--quick]
 *
 * The two are measured in turns, so that whatever else the machine does affects both. For the bytes
 * 1,000 moves go over one connection, one after the other, in one game; of several turns the
 * smallest counts, since a checkpoint in between adds whole pages.
 */
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/support/http.h"
#include "tests/support/load.h"
#include "tests/support/pg.h"
#include "tests/support/pgbench.h"
#include "tests/support/plyd.h"
#include "tests/support/ratios.h"

enum { MOVES = 1000, TURNS = 3, TEXT = 64 };

static struct bench {
    char *url;
    struct plyd plyd;
    double seconds;
} bench = {.seconds = 3};

/* ---- bytes ---- */

struct bytes {
    double row, wal; /* of a move */
};

static const char stored_sql[] = "select (select sum(pg_column_size(e.*)) from events e) +"
                                 " (select coalesce(sum(pg_column_size(a.*)), 0) from answers a)";
static const char wal_sql[] = "select pg_current_wal_lsn() - '0/0'";

/* Copies the text member of an answer. */
static void take(const struct http_reply *reply, const char *name, char *value, size_t size)
{
    const char *at = strstr(reply->body, name);

    if (at == NULL) {
        fprintf(stderr, "keys: %s: %.300s\n", name, reply->body);
        exit(1);
    }
    snprintf(value, size, "%.*s", (int)strcspn(at + strlen(name), "\""), at + strlen(name));
}

/* Rooks go to and fro. */
static void play(int fd, const char *id, const char *token, const char *query, bool keyed, int ply)
{
    static const char *const moves[] = {"2h3h", "8b7b", "3h2h", "7b8b"};
    static unsigned long keys;
    char path[128], headers[300], key[80] = "";
    struct http_reply reply;

    if (keyed)
        snprintf(key, sizeof(key), "Idempotency-Key: 0f8fad5b-d9cb-469f-a165-%012lx\r\n", keys++);
    snprintf(path, sizeof(path), "/v1/games/%s/moves/%d%s", id, ply, query);
    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\nContent-Type: text/plain\r\n%s",
             token, key);
    http_send(fd, "PUT", path, headers, moves[(ply - 1) % 4], 4);
    http_receive(fd, "PUT", &reply);
    if (reply.status != 201) {
        fprintf(stderr, "keys: %d: %.300s\n", reply.status, reply.body);
        exit(1);
    }
    http_free(&reply);
}

static void keep_least(double *least, double value)
{
    if (*least == 0 || value < *least)
        *least = value;
}

static void measure(const char *query, bool keyed, struct bytes *least)
{
    char id[32], token[64];
    struct http_reply reply;
    double row, wal;
    int fd = http_connect(bench.plyd.port);

    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int)); /* head and body are two */
    http_request(bench.plyd.port, &reply, "POST", "/v1/games", "Content-Type: application/json\r\n",
                 "{\"variant\":\"shogi\",\"options\":{\"repetition\":1000000}}");
    take(&reply, "\"id\":\"", id, sizeof(id));
    take(&reply, "\"token\":\"", token, sizeof(token));
    http_free(&reply);
    row = pgbench_number(bench.url, stored_sql);
    wal = pgbench_number(bench.url, wal_sql);
    for (int ply = 1; ply <= MOVES; ply++)
        play(fd, id, token, query, keyed, ply);
    keep_least(&least->wal, (pgbench_number(bench.url, wal_sql) - wal) / MOVES);
    keep_least(&least->row, (pgbench_number(bench.url, stored_sql) - row) / MOVES);
    close(fd);
}

static void compare_bytes(const char *what, const char *query)
{
    struct bytes with = {0, 0}, without = {0, 0};
    char row[TEXT], keyed[TEXT], unkeyed[TEXT];

    for (int turn = 0; turn < TURNS; turn++) {
        measure(query, false, &without);
        measure(query, true, &with);
    }
    snprintf(row, sizeof(row), "bytes of rows a move%s", what);
    snprintf(keyed, sizeof(keyed), "%.0f with a key", with.row);
    snprintf(unkeyed, sizeof(unkeyed), "%.0f without", without.row);
    ratios_row(row, keyed, unkeyed, with.row / without.row);
    snprintf(row, sizeof(row), "bytes of WAL a move%s", what);
    snprintf(keyed, sizeof(keyed), "%.0f with a key", with.wal);
    snprintf(unkeyed, sizeof(unkeyed), "%.0f without", without.wal);
    ratios_at_most(row, keyed, unkeyed, with.wal / without.wal, 1.4);
}

/* ---- speed ---- */

static double rate(unsigned connections, bool keyed)
{
    struct load_plan plan = {.port = bench.plyd.port,
                             .kind = LOAD_MOVES,
                             .connections = connections,
                             .keyed = keyed,
                             .warm_up = bench.seconds / 4,
                             .seconds = bench.seconds,
                             .seed = 1};
    struct load_result result;

    load_run(&plan, &result);
    if (result.wrong > 0) {
        fprintf(stderr, "keys: some answers were wrong\n");
        exit(1);
    }
    return result.per_second;
}

static void compare_rates(unsigned connections)
{
    double with = 0, without = 0;
    char what[TEXT], keyed[TEXT], unkeyed[TEXT];

    for (int turn = 0; turn < TURNS; turn++) {
        double rate_without = rate(connections, false), rate_with = rate(connections, true);

        without = rate_without > without ? rate_without : without;
        with = rate_with > with ? rate_with : with;
    }
    snprintf(what, sizeof(what), "moves/s, %u connections", connections);
    snprintf(keyed, sizeof(keyed), "%.0f with a key", with);
    snprintf(unkeyed, sizeof(unkeyed), "%.0f without", without);
    ratios_row(what, keyed, unkeyed, with / without);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--quick") == 0)
        bench.seconds = 1;
    bench.url = pg_test_database();
    plyd_migrate(bench.url);
    plyd_start(&bench.plyd, bench.url, "--db-deadline-ms", "60000", NULL);
    ratios_head();
    compare_bytes("", "");
    compare_bytes(", board and tree shown", "?include=board,legal_tree");
    compare_rates(1);
    compare_rates(32);
    compare_rates(256);
    plyd_stop(&bench.plyd);
    pg_test_drop(bench.url);
    return 0;
}
