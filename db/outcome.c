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
 * memory or connections. */
static const char *const passing[] = {"40", "55P03", "57014", "53", NULL};

/* Nothing happened, and on this connection nothing will. In this order: its server became
 * read-only; its server ends its sessions, or this one, whose transaction was left open
 * too long; the prepared statements are gone. */
static const char *const elsewhere[] = {"25006", "57P0", "25P03", "26000", NULL};

/* While this connection is well: a server behind this one does not answer. */
static const char behind[] = "08";

/* What a server cannot do has this code too (0A000), but only an outdated statement comes from
 * here: its tables have other columns than when it was prepared. */
static const char outdated[] = "RevalidateCachedQuery";

/* Where warnings come from that leave a commit in doubt: a wait for the standby that was cancelled;
 * and, on Citus, a worker that did not answer to the commit. */
static const char *const doubts[] = {"SyncRepWaitForLSN", "FinishRemoteTransactionCommit", NULL};

/* The same, where Citus has no code for it: a worker that is lost in the middle of a statement or
 * before the commit, which is undone then. */
static const char *const lost_workers[] = {"MarkRemoteTransactionFailed",
                                           "CheckRemoteTransactionsHealth",
                                           "ReportResultError",
                                           "ReportCopyError",
                                           "EndRemoteCopy",
                                           NULL};
static const char *const no_codes[] = {"XX000", "58030", NULL};

static bool is_from(const struct pg_result *result, const char *function)
{
    const char *found = PQresultErrorField(result, PG_DIAG_SOURCE_FUNCTION);

    return found != NULL && strcmp(found, function) == 0;
}

static bool is_from_one_of(const struct pg_result *result, const char *const *functions)
{
    for (; *functions != NULL; functions++)
        if (is_from(result, *functions))
            return true;
    return false;
}

bool outcome_is_doubt(const struct pg_result *notice)
{
    return is_from_one_of(notice, doubts);
}

void outcome_error(struct db_error *error, const struct pg_result *result, const char *otherwise)
{
    const char *sqlstate = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const char *text = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);

    snprintf(error->sqlstate, sizeof(error->sqlstate), "%s", sqlstate != NULL ? sqlstate : "");
    snprintf(error->text, sizeof(error->text), "%s", text != NULL ? text : otherwise);
}

/* Rows that a statement has computed go to a worker of Citus by COPY, and the code of what went
 * wrong there does not come back. That a key is taken is known by the name of its index. */
static void name_taken_key(struct db_error *error, const struct pg_result *result)
{
    if (is_from(result, "ReportCopyError") && strstr(error->text, "_pkey_") != NULL)
        snprintf(error->sqlstate, sizeof(error->sqlstate), "23505");
}

/*
 * What it is hard to tell is whether a write was committed. Four traps:
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
 *
 * If a worker of Citus dies during its commit, there is a warning too, and then an error or none.
 */
struct judgement outcome_judge(const struct pg_conn *pg, const struct pg_result *result,
                               bool answered, bool warned)
{
    struct judgement judgement = {.verdict = VERDICT_LOST};
    bool broken = PQstatus(pg) != CONNECTION_OK;

    judgement.reconnect = broken;
    outcome_error(&judgement.error, result, "the connection was lost before the answer came");
    name_taken_key(&judgement.error, result);
    const char *sqlstate = judgement.error.sqlstate;
    bool ended = broken || starts(sqlstate, "57P0");
    if (ended && (answered || sqlstate[0] == '\0'))
        return judgement;
    if (warned) {
        snprintf(judgement.error.text, sizeof(judgement.error.text),
                 "the commit was not confirmed by the standby or worker");
    } else if (sqlstate[0] == '\0') {
        judgement.verdict = VERDICT_DONE;
    } else if (one_of(sqlstate, elsewhere) || is_from(result, outdated)) {
        judgement.verdict = VERDICT_AGAIN;
        judgement.reconnect = true;
    } else if (broken) {
        judgement.verdict = VERDICT_LOST;
    } else if (starts(sqlstate, behind) ||
               (one_of(sqlstate, no_codes) && is_from_one_of(result, lost_workers))) {
        judgement.verdict = VERDICT_LATER;
    } else {
        judgement.verdict = one_of(sqlstate, passing) ? VERDICT_AGAIN : VERDICT_APART;
    }
    return judgement;
}
