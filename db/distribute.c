/* distribute.c - spreading the tables over the workers of Citus. */
#include "distribute.h"

#include <libpq-fe.h>
#include <stdio.h>

#include "reach.h"

const struct distributed_table distribute_list[] = {{"games", "id"},
                                                    {"events", "game_id"},
                                                    {"answers", "game_id"},
                                                    {"players", "id"},
                                                    {"accounts", "id"},
                                                    {"handovers", "id"},
                                                    {"public_games", "game_id"},
                                                    {"due", "id"},
                                                    {"vacations", "player_id"},
                                                    {"blocks", "player_id"},
                                                    {"plans", "game_id"},
                                                    {"notes", "game_id"},
                                                    {"webhooks", "player_id"},
                                                    {"webhook_games", "player_id"},
                                                    {"deliveries", "player_id"},
                                                    {"tasks", "owner_id"},
                                                    {"task_parts", "owner_id"},
                                                    {"task_items", "owner_id"},
                                                    {"collections", "player_id"},
                                                    {"collection_games", "player_id"},
                                                    {"positions", "scope"}};

const int distribute_count = sizeof(distribute_list) / sizeof(distribute_list[0]);

enum { SQL_MAX = 256 };

static const char citus_sql[] = "select to_regclass('pg_dist_partition') is not null";

static const char reconnect_sql[] =
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'plyd'"
    " and datname = current_database() and pid <> pg_backend_pid()";

bool distribute_can(struct pg_conn *pg, struct db_error *error)
{
    bool citus;

    if (!command_ask(pg, citus_sql, &citus, error))
        return false;
    if (!citus)
        snprintf(error->text, sizeof(error->text),
                 "this database is not one of Citus: 'create extension citus' comes first");
    return citus;
}

/* A table that is distributed is left alone. */
static bool distribute_one(struct pg_conn *pg, const struct distributed_table *table, int *count,
                           struct db_error *error)
{
    char sql[SQL_MAX];

    snprintf(
        sql, sizeof(sql),
        "select create_distributed_table('%s', '%s', colocate_with => '%s')"
        " where not exists (select from pg_dist_partition where logicalrelid = '%s'::regclass)",
        table->name, table->column, table == distribute_list ? "none" : distribute_list[0].name,
        table->name);
    struct pg_result *result = PQexecParams(pg, sql, 0, NULL, NULL, NULL, NULL, 0);
    bool well = command_ran(pg, result, error);
    *count += PQntuples(result);
    PQclear(result);
    return well;
}

/* The rows were copied to the shards. Those of the table itself nobody sees any more. */
static bool drop_copied_rows(struct pg_conn *pg, const struct distributed_table *table,
                             struct db_error *error)
{
    char sql[SQL_MAX];

    snprintf(sql, sizeof(sql), "select truncate_local_data_after_distributing_table('%s')",
             table->name);
    return command_run(pg, sql, error);
}

/* If it fails, the caller closes the connection, and the transaction ends with that. */
bool distribute_tables(struct pg_conn *pg, int *count, struct db_error *error)
{
    bool well = command_run(pg, "begin", error);

    for (int i = 0; well && i < distribute_count; i++)
        well = distribute_one(pg, &distribute_list[i], count, error);
    well = well && command_run(pg, "commit", error);
    for (int i = 0; well && i < distribute_count; i++)
        well = drop_copied_rows(pg, &distribute_list[i], error);
    return well && (*count == 0 || command_run(pg, reconnect_sql, error));
}
