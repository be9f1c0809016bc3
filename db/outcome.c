/* outcome.c - what an answer means for those who asked. */
#include <libpq-fe.h>
#include <stdio.h>
#include <string.h>

#include "internal.h"

static bool starts(const char *sqlstate, const char *with)
{
    return strncmp(sqlstate, with, strlen(with)) == 0;
}

static bool one_of(const char *sqlstate, const char *const *list)
{
    for (; *list; list++)
        if (starts(sqlstate, *list))
            return true;
    return false;
}

/* Nothing happened and no request is to blame: a deadlock or a serialization failure, a lock or a
 * statement's time that ran out, a server that lacks disk, memory or connections, or, where the
 * connection is well, another server behind this one that cannot be reached. */
static const char *const passing[] = {"40", "55P03", "57014", "53", "08", NULL};

/* Nothing happened and this connection will not do it: its server became read-only or ends its
 * sessions, or the statements that were prepared here are gone or outdated. */
static const char *const elsewhere[] = {"25006", "57P0", "26000", "0A000", NULL};

void outcome_error(struct db_error *error, const struct pg_result *result, const char *otherwise)
{
    const char *sqlstate = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const char *text = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);

    snprintf(error->sqlstate, sizeof(error->sqlstate), "%s", sqlstate ? sqlstate : "");
    snprintf(error->text, sizeof(error->text), "%s", text ? text : otherwise);
}

/*
 * Three traps. The server may send a statement's result before it commits, so a result alone proves
 * nothing until the server said that it is ready again; when the connection ends between the two
 * (`answered`), nobody knows. A server that is told to stop says so (57P0x) to a session that has
 * not committed, but a session that crashes or waits for its standby just closes. And a wait for
 * the standby that was cancelled is a commit with a warning, durable on one machine only.
 */
struct judgement outcome_judge(const struct pg_conn *pg, const struct pg_result *result,
                               bool answered, bool warned)
{
    struct judgement judgement = {.verdict = VERDICT_LOST};
    bool broken = PQstatus(pg) != CONNECTION_OK;

    judgement.reconnect = broken;
    outcome_error(&judgement.error, result, "the connection was lost before the answer came");
    const char *sqlstate = judgement.error.sqlstate;
    bool ended = broken || starts(sqlstate, "57P0");
    if (ended && (answered || sqlstate[0] == '\0'))
        return judgement;
    if (sqlstate[0] == '\0') {
        judgement.verdict = warned ? VERDICT_LOST : VERDICT_DONE;
        if (warned)
            snprintf(judgement.error.text, sizeof(judgement.error.text),
                     "the commit was not confirmed by the standby");
    } else if (one_of(sqlstate, elsewhere)) {
        judgement.verdict = VERDICT_AGAIN;
        judgement.reconnect = true;
    } else if (one_of(sqlstate, passing)) {
        judgement.verdict = broken ? VERDICT_LOST : VERDICT_AGAIN;
    } else {
        judgement.verdict = broken ? VERDICT_LOST : VERDICT_APART;
    }
    return judgement;
}
