/*
 * outcome.h - what an answer of the server means: the six outcomes.
 */
#ifndef PLYD_DB_OUTCOME_H
#define PLYD_DB_OUTCOME_H

#include "db.h"

struct pg_conn;   /* libpq's PGconn */
struct pg_result; /* and PGresult */

enum verdict {
    VERDICT_DONE,
    VERDICT_AGAIN, /* nothing happened, and no request is to blame: try the same again */
    VERDICT_LATER, /* the same, but only a part of the database is to blame: others may go on */
    VERDICT_APART, /* nothing happened, and one of the requests may be to blame */
    VERDICT_LOST   /* a write may have happened or not */
};

struct judgement {
    enum verdict verdict;
    bool reconnect; /* the connection is of no more use */
    struct db_error error;
};

/* Whether a notice says that a commit may not be what it seems. */
bool outcome_is_doubt(const struct pg_result *notice);

/* Judges a complete answer: `result` is its first error, or the rows if there is none, or NULL.
 * `answered` says that there were rows, `warned` that there was such a doubt. */
struct judgement outcome_judge(const struct pg_conn *pg, const struct pg_result *result,
                               bool answered, bool warned);

/* What the server said of a failure, or `otherwise` if it said nothing. */
void outcome_error(struct db_error *error, const struct pg_result *result, const char *otherwise);

#endif
