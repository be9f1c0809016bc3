/*
 * clock.c - in place of db/clock.c, in the program `plyd-still`: between two answers of the
 * database its clock stands still. So a test of time sets the time that is seen, however long its
 * requests take (tests/support/hours.h).
 */
#include "db/internal.h"

void clock_told(struct db *db, int64_t asked_at, int64_t server)
{
    (void)asked_at;
    db->clock = server;
    db->knows_clock = true;
}

/* Until then it is the machine's own, as in the other program. */
int64_t db_now(const struct db *db)
{
    return db->knows_clock ? db->clock : db_realtime_us();
}
