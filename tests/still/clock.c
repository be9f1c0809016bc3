/*
 * clock.c - in place of db/clock.c, in the program `plyd-still`: between two answers of the
 * database its clock stands still. So a test of time sets the time that is seen, however long its
 * requests take (tests/support/hours.h).
 */
#include "db/internal.h"

void clock_told(struct db *db, const struct db_time *time)
{
    db->clock = time->told;
}

int64_t db_now(const struct db *db)
{
    return db->clock;
}
