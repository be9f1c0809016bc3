/* reach.c - the first connection of a program. */
#include "reach.h"

#include <libpq-fe.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "internal.h"

enum { PAUSE_MS = 250 }; /* between two attempts */

/* The connection string comes last, so that it has the last word. */
static const char *const keys[] = {"target_session_attrs", "connect_timeout", "application_name",
                                   "client_encoding",      "dbname",          NULL};

/* "Already exists, skipping" is no news. */
static void silent(void *context, const struct pg_result *notice)
{
    (void)context;
    (void)notice;
}

/* libpq has a line for each host that it tried. */
static void set_error(struct db_error *error, const char *text)
{
    size_t length;

    snprintf(error->text, sizeof(error->text), "%s", text);
    for (char *at = error->text; *at != '\0'; at++)
        if (*at == '\n' || *at == '\t')
            *at = ' ';
    length = strlen(error->text);
    while (length > 0 && error->text[length - 1] == ' ')
        error->text[--length] = '\0';
}

static struct pg_conn *try_once(const char *const values[], struct db_error *error)
{
    struct pg_conn *pg = PQconnectdbParams(keys, values, 1);

    if (PQstatus(pg) == CONNECTION_OK) {
        PQsetNoticeReceiver(pg, silent, NULL);
        return pg;
    }
    set_error(error, pg != NULL ? PQerrorMessage(pg) : "memory is out");
    PQfinish(pg);
    return NULL;
}

/* The ping goes by the codes of the server's answers, whose texts may be in any language. That a
 * session is read-only is libpq's own finding, in English. */
static bool may_come_up(const char *const values[], const struct db_error *error)
{
    PGPing ping = PQpingParams(keys, values, 1);

    return ping == PQPING_NO_RESPONSE || ping == PQPING_REJECT ||
           strstr(error->text, "session is read-only") != NULL;
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
    const char *const values[] = {"read-write", "5", "plyd migrate", "UTF8", url, NULL};
    unsigned seconds = patience != NULL ? patience->seconds : 0;
    int64_t end = db_monotonic_us() + seconds * INT64_C(1000000);

    for (bool told = false;; told = true) {
        struct pg_conn *pg = try_once(values, error);
        if (pg != NULL || seconds == 0)
            return pg;
        if (!may_come_up(values, error))
            return try_once(values, error);
        if (db_monotonic_us() >= end) {
            set_late(error, seconds);
            return NULL;
        }
        if (!told)
            patience->waits(seconds, error->text);
        poll(NULL, 0, PAUSE_MS);
    }
}
