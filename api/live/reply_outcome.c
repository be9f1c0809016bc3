#include "api/live/reply_outcome.h"

#include <string.h>

#include "api/http/reply_problem.h"
#include "api/loop/log.h"
#include "db/db.h"

void reply_outcome(struct request *request, const struct db_reply *reply)
{
    switch (reply->outcome) {
    case DB_NOT_FOUND:
        reply_problem(request, PROBLEM_NO_SUCH_GAME, NULL);
        return;
    case DB_UNAVAILABLE:
        if (strcmp(reply->error.sqlstate, DB_SQLSTATE_FULL) == 0)
            reply_problem(request, PROBLEM_OVERLOADED, NULL);
        else
            reply_problem(request, PROBLEM_DATABASE_DOWN,
                          "The database does not answer; nothing was done. Try again.");
        return;
    case DB_UNKNOWN:
        reply_problem(request, PROBLEM_DATABASE_DOWN,
                      "The connection to the database broke before its answer came. It is not "
                      "known whether this was done. Repeat it with the same Idempotency-Key, or "
                      "as the same PUT; it will not be done twice.");
        return;
    case DB_CONFLICT: /* rare: op.c tries a write that came too late again */
        reply_problem(request, PROBLEM_OVERLOADED, "The game changes too fast. Try again.");
        return;
    case DB_OK: /* no failure: a mistake of ours */
    case DB_REFUSED:
        break;
    }
    log_event(LOG_ERROR, "database-refused", "request_id", request->id, "sqlstate",
              reply->error.sqlstate, "text", reply->error.text, NULL);
    reply_problem(request, PROBLEM_INTERNAL, NULL);
}
