#include "pgbench.h"

#include <libpq-fe.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "die.h"
#include "tests/support/now.h"
#include "usage.h"

enum { START_MS = 10000 };

#define START    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
#define POSITION "ln1gk2nl/1r1s1sgb1/p1pppp1pp/6p2/1p7/2P4P1/PPSPPPP1P/1B5R1/LN1GKGSNL w Pp 14"

/* ---- the scripts ---- */

/* A client finds its game the first time. */
#define KNOW_STATE                                                                 \
    "\\if :version = 0\n"                                                          \
    "select id, version from games order by id limit 1 offset :client_id \\gset\n" \
    "\\endif\n"                                                                    \
    "\\set version :version + 1\n"                                                 \
    "\\set ply :version - 1\n"                                                     \
    "\\set to_move 1 + :ply % 2\n"                                                 \
    "\\set seat 3 - :to_move\n"                                                    \
    "\\set key random(1, 9000000000000000000)\n"
#define UPDATE                                                                          \
    "update games set version = :version, ply = :ply, line = 1, lines = 1, tip = :ply," \
    " status = 2, to_move = :to_move, winner = 0, last_seat = :seat, last_at = now(),"  \
    " updated_at = now(), reason = null, position = '" POSITION "', last_move = '7g7f'" \
    " where id = :id and version = :version - 1"
#define INSERT \
    "insert into events (game_id, version, kind, seat, line, ply, key, at, move, position, data) "
#define EVENT                                                                                    \
    ":version::int4, 1, :seat::int2, 1, :ply::int4, :key::int8, now(), '7g7f', '" POSITION "', " \
    "null"

static const char *const scripts[] = {
    [PGBENCH_TRANSACTION] =
        KNOW_STATE "begin;\n" UPDATE ";\n" INSERT "values (:id, " EVENT ");\ncommit;\n",
    [PGBENCH_STATEMENT] = KNOW_STATE "with written as (" UPDATE " returning id) " INSERT
                                     "select id, " EVENT " from written;\n",
};

static const char *const filling[] = {
    "insert into games (id, version, ply, line, lines, tip, status, to_move, winner, last_seat,"
    " last_at, updated_at, position, last_move, seat1_state, seat1_token, seat2_state,"
    " seat2_token, variant, rules_version, options, start, undo, visibility, seed, created_at)"
    " select id, 3, 2, 1, 1, 2, 2, 1, 0, 2, now(), now(), '" POSITION "', '3c3d',"
    " 2, decode(repeat('5a', 32), 'hex'), 2, decode(repeat('5a', 32), 'hex'), 'shogi', 1,"
    " '{\"rules\":\"standard\",\"impasse\":\"declare\",\"repetition\":4,\"max_plies\":0,"
    "\"start\":\"hirate\"}', '" START "', 1, 2, 0, now()"
    " from (select gen_random_uuid() as id from generate_series(1, $1::int8) order by 1) as ids",
    "insert into events (game_id, version, kind, seat, line, ply, key, at, move, position)"
    " select id, v, case when v = 1 then 2 else 1 end, v - 1, 1, v - 1, seed + v, now(),"
    " case when v > 1 then '7g7f' end, '" POSITION "'"
    " from games, generate_series(1, 3) as v where $1::int8 > 0",
};

/* ---- the database ---- */

static PGconn *connect_to(const char *url)
{
    PGconn *conn = PQconnectdb(url);

    if (PQstatus(conn) != CONNECTION_OK)
        die("connection: %s", PQerrorMessage(conn));
    return conn;
}

static double run_sql(PGconn *conn, const char *sql, int count, const char *value)
{
    PGresult *result = PQexecParams(conn, sql, count, NULL, &value, NULL, NULL, 0);
    double number = 0;

    if (PQresultStatus(result) == PGRES_TUPLES_OK)
        number = atof(PQgetvalue(result, 0, 0));
    else if (PQresultStatus(result) != PGRES_COMMAND_OK)
        die("%s: %s", sql, PQerrorMessage(conn));
    PQclear(result);
    return number;
}

double pgbench_number(const char *url, const char *query)
{
    PGconn *conn = connect_to(url);
    double number = run_sql(conn, query, 0, NULL);

    PQfinish(conn);
    return number;
}

pid_t pgbench_server(const char *url)
{
    PGconn *conn = connect_to(url);
    pid_t server = usage_parent(PQbackendPID(conn));

    PQfinish(conn);
    return server;
}

void pgbench_fill(const char *url, long games)
{
    PGconn *conn = connect_to(url);
    char count[24];

    snprintf(count, sizeof(count), "%ld", games);
    for (size_t i = 0; i < sizeof(filling) / sizeof(filling[0]); i++)
        run_sql(conn, filling[i], 1, count);
    run_sql(conn, "vacuum analyze", 0, NULL);
    run_sql(conn, "checkpoint", 0, NULL);
    PQfinish(conn);
}

/* ---- the program ---- */

static const char *program(void)
{
    static char path[300];
    FILE *programs;

    if (*path != '\0')
        return path;
    programs = popen("scripts/postgres.sh programs", "r");
    if (programs == NULL || fgets(path, sizeof(path) - 16, programs) == NULL ||
        pclose(programs) != 0)
        die("scripts/postgres.sh programs: failed");
    strcpy(path + strcspn(path, "\n"), "/pgbench");
    return path;
}

/* Starts pgbench, which reads its script from a pipe, plays until it is stopped, and dies with this
 * process. */
static pid_t start(const struct pgbench_plan *plan)
{
    const char *path = program(), *script = scripts[plan->move];
    char clients[16];
    pid_t parent = getpid(), pid;
    int ends[2];

    snprintf(clients, sizeof(clients), "%u", plan->clients);
    if (pipe(ends) != 0 || (pid = fork()) < 0)
        die("start: %m");
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        dup2(ends[0], STDIN_FILENO);
        close(ends[1]);
        if (getppid() != parent || freopen("/dev/null", "w", stdout) == NULL)
            _exit(1);
        execl(path, path, "--no-vacuum", "--protocol=prepared", "--time=3600", "--client", clients,
              "--jobs", plan->clients > 1 ? "2" : "1", "--define=version=0", "--define=id=none",
              "--file=/dev/stdin", plan->url, NULL);
        _exit(127);
    }
    close(ends[0]);
    if (write(ends[1], script, strlen(script)) != (ssize_t)strlen(script))
        die("script: %m");
    close(ends[1]);
    return pid;
}

static void pause_for(double seconds)
{
    nanosleep(
        &(struct timespec){(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)},
        NULL);
}

/* The server still commits what pgbench had sent, so its last moves are awaited, too. */
static void stop(PGconn *conn, pid_t pid)
{
    static const char sessions[] = "select count(*) from pg_stat_activity"
                                   " where datname = current_database()"
                                   " and application_name = 'pgbench'";

    kill(pid, SIGTERM);
    waitpid(pid, NULL, 0);
    while (run_sql(conn, sessions, 0, NULL) > 0)
        pause_for(0.005);
}

/* ---- a run ---- */

struct reading {
    double at, moves, cpu;
};

static struct reading read_now(PGconn *conn, pid_t server)
{
    return (struct reading){.at = seconds_now(),
                            .moves = run_sql(conn, "select sum(version) from games", 0, NULL),
                            .cpu = usage_cpu(server)};
}

/* Waits until its clients are connected and play. */
static void await_moves(PGconn *conn, const struct pgbench_plan *plan, pid_t pid)
{
    double before = read_now(conn, plan->server).moves;

    for (int ms = 0; read_now(conn, plan->server).moves < before + 2 * plan->clients; ms += 20) {
        if (waitpid(pid, NULL, WNOHANG) != 0 || ms > START_MS)
            die("%s: %s", program(), "it plays no moves");
        pause_for(0.02);
    }
}

void pgbench_run(const struct pgbench_plan *plan, struct pgbench_result *result)
{
    PGconn *conn = connect_to(plan->url);
    pid_t pid = start(plan);
    struct reading from, to;

    await_moves(conn, plan, pid);
    pause_for(plan->warm_up);
    from = read_now(conn, plan->server);
    pause_for(plan->seconds);
    to = read_now(conn, plan->server);
    stop(conn, pid);
    PQfinish(conn);
    result->per_second = (to.moves - from.moves) / (to.at - from.at);
    result->cpu_us = (to.cpu - from.cpu) * 1e6 / (to.moves - from.moves);
}
