/* inspect.c - what an operator wants to know of a database. */
#include "inspect.h"

#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>

#include "migrations.h"
#include "outcome.h"
#include "reach.h"
#include "wire.h"

enum { COLUMNS_MAX = 8 };

static const char *const questions[] = {
#define DB_QUESTION(name, sql) sql,
#include "embed/db/inspect.def"
#undef DB_QUESTION
};

/* JIT would take longer than these statements. */
static const char settings_sql[] = "select set_config('statement_timeout', '20s', false),"
                                   " set_config('application_name', 'plyd admin', false),"
                                   " set_config('jit', 'off', false)";

struct db_inspection {
    struct pg_conn *pg;
    struct wire_params migrations; /* the parameters of DB_ASK_INDEXES */
};

static struct pg_result *ask_for_inspection(struct db_inspection *inspection, const char *sql,
                                            const struct wire_params *params,
                                            struct db_error *error)
{
    struct pg_result *result = PQexecParams(inspection->pg, sql, params->count, NULL,
                                            params->values, params->lengths, params->formats, 0);

    if (PQresultStatus(result) == PGRES_TUPLES_OK)
        return result;
    outcome_error(error, result, PQerrorMessage(inspection->pg));
    PQclear(result);
    return NULL;
}

struct db_inspection *db_inspect_open(const char *url, struct db_error *error)
{
    struct db_inspection *inspection = calloc(1, sizeof(*inspection));
    const struct wire_params none = {.count = 0};
    struct pg_result *result;

    if (inspection == NULL ||
        !migrations_bind(&inspection->migrations, migrations_list, migrations_count)) {
        snprintf(error->text, sizeof(error->text), "memory is out");
        free(inspection);
        return NULL;
    }
    inspection->pg = reach_server(url, NULL, error);
    result =
        inspection->pg != NULL ? ask_for_inspection(inspection, settings_sql, &none, error) : NULL;
    if (result == NULL) {
        db_inspect_close(inspection);
        return NULL;
    }
    PQclear(result);
    return inspection;
}

bool db_inspect(struct db_inspection *inspection, enum db_question question,
                void (*row)(void *context, const char *const *fields), void *context,
                struct db_error *error)
{
    const struct wire_params none = {.count = 0};
    struct pg_result *result =
        ask_for_inspection(inspection, questions[question],
                           question == DB_ASK_INDEXES ? &inspection->migrations : &none, error);

    if (result == NULL)
        return false;
    for (int r = 0; r < PQntuples(result); r++) {
        const char *fields[COLUMNS_MAX] = {NULL};

        for (int c = 0; c < PQnfields(result) && c < COLUMNS_MAX; c++)
            fields[c] = PQgetisnull(result, r, c) ? NULL : PQgetvalue(result, r, c);
        row(context, fields);
    }
    PQclear(result);
    return true;
}

void db_inspect_close(struct db_inspection *inspection)
{
    PQfinish(inspection->pg);
    wire_free(&inspection->migrations);
    free(inspection);
}
