/* check.c - whether what a record tells can be true. */
#include "api/record/record.h"

#include "api/record/ends.h"
#include "api/text/json.h"
#include "rules/rules.h"

static bool fail_check(struct record_error *error, const char *detail)
{
    *error = (struct record_error){.code = PROBLEM_BAD_RECORD, .detail = detail};
    return false;
}

/* Whether a date is possible, and adding RECORD_THOUGHT_MAX to it still gives a possible date. */
static bool is_time(int64_t us)
{
    return us >= JSON_TIME_MIN && us <= JSON_TIME_MAX - RECORD_THOUGHT_MAX;
}

static bool thought_fits(const struct record *record)
{
    int64_t left = RECORD_THOUGHT_MAX;

    if (record->ending.spent_us > left)
        return false;
    left -= record->ending.spent_us > 0 ? record->ending.spent_us : 0;
    for (size_t i = 0; i < record->nmoves; i++) {
        int64_t spent = record->moves[i].spent_us;

        if (spent > left)
            return false;
        left -= spent > 0 ? spent : 0;
    }
    return true;
}

static bool log_fits(const struct record *record)
{
    for (size_t i = 0; i < record->nevents; i++)
        if (!is_time(record->events[i].at) ||
            (record->events[i].data != NULL && record->events[i].data[0] != '{'))
            return false;
    return true;
}

bool record_is_plausible(const struct record *record, struct record_error *error)
{
    if (record->started_at != RECORD_NO_TIME && !is_time(record->started_at))
        return fail_check(error, "The record begins before the year 1 or after the year 9900.");
    if (!thought_fits(record))
        return fail_check(error, "More than thirty years were thought in this game.");
    if (!log_fits(record))
        return fail_check(
            error, "An event of the log has a time beyond the years 1 to 9900, or data that is "
                   "not an object.");
    if (!record_has_winner(&record->ending.outcome))
        return fail_check(error,
                          "A game that ends like this has a winner, and the record names none.");
    return true;
}
