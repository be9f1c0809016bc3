/* clock.c - the database's clock. The tests of time have another one in its place (tests/still/).
 */
#include "internal.h"

/* The server read its clock at some moment between the question and now, however long the answer
 * lay here unread. Every offset within these bounds is as good as any other. So the old one is kept
 * if it lies there, and otherwise moves no further than it must: the clock of games does not
 * jitter with the network. */
void clock_told(struct db *db, int64_t asked_at, int64_t server)
{
    int64_t least = server - db_monotonic_us(), most = server - asked_at;

    if (db->clock < least)
        db->clock = least;
    else if (db->clock > most)
        db->clock = most;
    db->knows_clock = true;
}

int64_t db_now(const struct db *db)
{
    return db_monotonic_us() + db->clock;
}
