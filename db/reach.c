/* reach.c - the first connection of a program. */
#include "reach.h"

#include <libpq-fe.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "dial.h"
#include "internal.h"
#include "outcome.h"

enum { PAUSE_MS = 250 }; /* between two attempts */

static const char no_memory[] = "memory is out";

static const char *const defaults[][2] = {{"target_session_attrs", "read-write"},
                                          {"connect_timeout", "5"},
                                          {"application_name", "plyd migrate"},
                                          {"client_encoding", "UTF8"},
                                          {NULL, NULL}};

/* "Already exists, skipping" is no news. */
static void silent(void *context, const struct pg_result *notice)
{
    (void)context;
    (void)notice;
}

/* One line, and behind what other hosts have said. */
static void add_error(struct db_error *error, const char *text)
{
    size_t before = strlen(error->text), length;

    snprintf(error->text + before, sizeof(error->text) - before, "%s%s", before > 0 ? "; " : "",
             text);
    for (char *at = error->text; *at != '\0'; at++)
        if (*at == '\n' || *at == '\t')
            *at = ' ';
    length = strlen(error->text);
    while (length > 0 && error->text[length - 1] == ' ')
        error->text[--length] = '\0';
}

/* What became of an attempt. */
struct attempt {
    struct pg_conn *pg; /* NULL: there is no such server */
    bool may_come_up;   /* one of the hosts that have failed */
};

/* The ping goes by the codes of the server's answers, whose texts may be in any language. That a
 * session is read-only is libpq's own finding, in English. */
static bool may_come_up(const struct dial *dial, const char *why)
{
    PGPing ping = PQpingParams(dial->keys, dial->values, 0);

    return ping == PQPING_NO_RESPONSE || ping == PQPING_REJECT ||
           strstr(why, "session is read-only") != NULL;
}

static void try_host(struct attempt *attempt, const struct dial *dial, bool pings,
                     struct db_error *error)
{
    struct pg_conn *pg = PQconnectdbParams(dial->keys, dial->values, 0);

    if (PQstatus(pg) == CONNECTION_OK) {
        attempt->pg = pg;
        return;
    }
    const char *why = pg != NULL ? PQerrorMessage(pg) : no_memory;
    add_error(error, why);
    attempt->may_come_up |= pings && may_come_up(dial, why);
    PQfinish(pg);
}

/* A host that answers that it will not have the session says nothing about the hosts behind it. */
static struct attempt try_all(const char *url, const char *const settings[][2], bool pings,
                              struct db_error *error)
{
    struct attempt attempt = {.pg = NULL};
    unsigned hosts = dial_hosts(url);

    error->text[0] = '\0';
    for (unsigned n = 0; n < hosts && attempt.pg == NULL; n++) {
        struct dial dial;

        if (dial_begin(&dial, url, settings, n))
            try_host(&attempt, &dial, pings, error);
        else
            add_error(error, dial.why != NULL ? dial.why : no_memory);
        dial_end(&dial);
    }
    if (attempt.pg != NULL)
        PQsetNoticeReceiver(attempt.pg, silent, NULL);
    return attempt;
}

static void set_late(struct db_error *error, unsigned seconds)
{
    struct db_error last = *error;

    snprintf(error->text, sizeof(error->text), "not up after %u s: %.160s", seconds, last.text);
}

/* A server that is up when it is pinged may not have been up at the attempt before. So there is one
 * more attempt, and its answer counts. */
struct pg_conn *reach_server(const char *url, const struct db_patience *patience,
                             struct db_error *error)
{
    unsigned seconds = patience != NULL ? patience->seconds : 0;
    int64_t end = db_monotonic_us() + seconds * INT64_C(1000000);

    for (bool told = false;; told = true) {
        struct attempt attempt = try_all(url, defaults, seconds > 0, error);
        if (attempt.pg != NULL || seconds == 0)
            return attempt.pg;
        if (!attempt.may_come_up)
            return try_all(url, defaults, false, error).pg;
        if (db_monotonic_us() >= end) {
            set_late(error, seconds);
            return NULL;
        }
        if (!told)
            patience->waits(seconds, error->text);
        poll(NULL, 0, PAUSE_MS);
    }
}

struct pg_conn *reach_any(const char *url, struct db_error *error)
{
    static const char *const none[][2] = {{NULL, NULL}};

    return try_all(url, none, false, error).pg;
}

/* ---- one statement at a time on a connection that blocks ---- */

bool command_ran(const struct pg_conn *pg, const struct pg_result *result, struct db_error *error)
{
    ExecStatusType status = PQresultStatus(result);

    if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK)
        return true;
    outcome_error(error, result, PQerrorMessage(pg));
    return false;
}

/* PQexec() would take several statements at once; this is strict. */
static struct pg_result *execute(struct pg_conn *pg, const char *sql)
{
    return PQexecParams(pg, sql, 0, NULL, NULL, NULL, NULL, 0);
}

bool command_run(struct pg_conn *pg, const char *sql, struct db_error *error)
{
    struct pg_result *result = execute(pg, sql);
    bool well = command_ran(pg, result, error);
    PQclear(result);
    return well;
}

bool command_ask(struct pg_conn *pg, const char *sql, bool *answer, struct db_error *error)
{
    struct pg_result *result = execute(pg, sql);
    bool well = command_ran(pg, result, error);
    *answer = well && *PQgetvalue(result, 0, 0) == 't';
    PQclear(result);
    return well;
}
