/* outcome.c - what an answer of the server means for those who asked. */
#include "outcome.h"

#include <libpq-fe.h>
#include <stdio.h>
#include <string.h>

static bool starts(const char *sqlstate, const char *with)
{
    return strncmp(sqlstate, with, strlen(with)) == 0;
}

static bool one_of(const char *sqlstate, const char *const *list)
{
    for (; *list != NULL; list++)
        if (starts(sqlstate, *list))
            return true;
    return false;
}

/* Nothing happened and no request is to blame. In this order: a deadlock or a serialization
 * failure; a lock that was not to be had; a statement that took too long; a server that lacks disk,
 * memory or connections; and, while this connection is well, a server behind this one that does not
 * answer. */
static const char *const passing[] = {"40", "55P03", "57014", "53", "08", NULL};

/* Nothing happened, and on this connection nothing will. In this order: its server became
 * read-only; its server ends its sessions, or this one, whose transaction was left open too long;
 * the prepared statements are gone, or they are outdated. */
static const char *const elsewhere[] = {"25006", "57P0", "25P03", "26000", "0A000", NULL};

void outcome_error(struct db_error *error, const struct pg_result *result, const char *otherwise)
{
    const char *sqlstate = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const char *text = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);

    snprintf(error->sqlstate, sizeof(error->sqlstate), "%s", sqlstate != NULL ? sqlstate : "");
    snprintf(error->text, sizeof(error->text), "%s", text != NULL ? text : otherwise);
}

/*
 * What it is hard to tell is whether a write was committed. Three traps:
 *
 * The server may send a statement's rows before it commits. So rows alone prove nothing until the
 * server says that it is ready again. If the connection ends between the two (`answered`), nobody
 * knows.
 *
 * A server that is told to stop says so (57P0x) to a session that has not committed. But a session
 * that crashes, or that waits for its standby, just closes: silence may be a commit.
 *
 * A wait for the standby that was cancelled ends in a commit with a warning. It is durable on one
 * machine only, and a failover would lose it: that is no success.
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
    } else if (broken) {
        judgement.verdict = VERDICT_LOST;
    } else {
        judgement.verdict = one_of(sqlstate, passing) ? VERDICT_AGAIN : VERDICT_APART;
    }
    return judgement;
}
