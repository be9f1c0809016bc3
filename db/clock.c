/* clock.c - the database's clock. The tests of time have another one in its place (tests/still/).
 */
#include "internal.h"

/* The server read its clock at some moment between the question and now, however long the answer
 * lay here unread. Every offset within these bounds is as good as any other. So the old one is kept
 * if it lies there, and otherwise moves no further than it must: the clock of games does not
 * jitter with the network. */
void clock_told(struct db *db, const struct db_time *time)
{
    int64_t least = time->told - db_monotonic_us(), most = time->told - time->asked_at;

    if (db->clock < least)
        db->clock = least;
    else if (db->clock > most)
        db->clock = most;
}

int64_t db_now(const struct db *db)
{
    return db_monotonic_us() + db->clock;
}
