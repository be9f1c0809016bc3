#include "many.h"

#include <stdio.h>
#include <stdlib.h>

/* A column that a later migration added is null, as it is in an old game. */
static const char games_sql[] =
    "insert into games (id, version, ply, line, lines, tip, status, to_move, winner, last_seat,"
    " last_at, updated_at, position, last_move, seat1_state, seat1_token, seat2_state,"
    " seat2_token, variant, rules_version, options, start, undo, visibility, seed, created_at)"
    " select %s, %d, %d, 1, 1, %d, 2, 2, 0, 1, now(), now(), '" MANY_POSITION "', '7g7f',"
    " 2, decode(repeat('5a', 32), 'hex'), 2, decode(repeat('5a', 32), 'hex'), 'shogi', 1,"
    " '{\"rules\":\"standard\",\"impasse\":\"declare\",\"repetition\":4,\"max_plies\":0,"
    "\"start\":\"hirate\"}', '" MANY_POSITION "', 1, 2, 0, to_timestamp(1700000000 + n)"
    " from generate_series(1, %zu) as n order by n";

static const char timed_id[] = "(lpad(to_hex((1700000000 + n) * 1000::int8), 12, '0') ||"
                               " right(replace(gen_random_uuid()::text, '-', ''), 20))::uuid";

static const char events_sql[] =
    "insert into events (game_id, version, kind, seat, line, ply, key, at, move, position)"
    " select id, v, case v when 1 then 2 else 1 end, v %% 2 + 1, 1, v - 1, hashtext(id::text),"
    " created_at + v * interval '1 day', case when v > 1 then '7g7f' end, '" MANY_POSITION "'"
    " from games, generate_series(1, %d) as v order by created_at + v * interval '1 day'";

static void run_sql(PGconn *admin, const char *sql)
{
    PGresult *result = PQexec(admin, sql);

    if (PQresultStatus(result) != PGRES_COMMAND_OK) {
        fprintf(stderr, "many: %s: %s\n", sql, PQerrorMessage(admin));
        exit(1);
    }
    PQclear(result);
}

/* The keys are made afterwards, which is much faster. */
void many_fill(PGconn *admin, size_t games, bool by_time)
{
    char sql[4096];

    run_sql(admin, "alter table events drop constraint events_pkey");
    run_sql(admin, "alter table games drop constraint games_pkey");
    snprintf(sql, sizeof(sql), games_sql, by_time ? timed_id : "gen_random_uuid()", MANY_EVENTS,
             MANY_EVENTS - 1, MANY_EVENTS - 1, games);
    run_sql(admin, sql);
    snprintf(sql, sizeof(sql), events_sql, MANY_EVENTS);
    run_sql(admin, sql);
    run_sql(admin, "alter table games add primary key (id)");
    run_sql(admin, "alter table events add primary key (game_id, version)");
    run_sql(admin, "vacuum analyze");
}
