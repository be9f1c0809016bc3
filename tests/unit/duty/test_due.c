/* test_due.c - when due work is claimed, for how long, and what becomes of what is not kept. */
#include <criterion/criterion.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "api/duty/due.h"
#include "api/duty/heartbeat.h"
#include "api/game/words.h"
#include "api/http/reply.h"
#include "db/due.h"
#include "tests/unit/desk.h"

enum { KEPT_MAX = 4 * DB_DUE_MAX, SECOND = 1000 * 1000, LEASE = 30 * SECOND };

/* ---- what this suite answers in place of the database (the linker puts it there) ---- */

static bool here; /* the suite runs */
static bool ready;
static int claims;
static struct db_claim claim; /* the last one */
static db_claimed_callback *claim_done;
static void *claim_context;

bool __real_db_ready(const struct db *db);
bool __wrap_db_ready(const struct db *db);

bool __wrap_db_ready(const struct db *db)
{
    return here ? ready : __real_db_ready(db);
}

int64_t __real_db_now(const struct db *db);
int64_t __wrap_db_now(const struct db *db);

int64_t __wrap_db_now(const struct db *db)
{
    return here ? desk_loop.now : __real_db_now(db);
}

void __real_db_claim_due(struct db *db, const struct db_claim *wanted, db_claimed_callback *done,
                         void *context);
void __wrap_db_claim_due(struct db *db, const struct db_claim *wanted, db_claimed_callback *done,
                         void *context);

void __wrap_db_claim_due(struct db *db, const struct db_claim *wanted, db_claimed_callback *done,
                         void *context)
{
    if (!here) {
        __real_db_claim_due(db, wanted, done, context);
        return;
    }
    claims++;
    claim = *wanted;
    claim_done = done;
    claim_context = context;
}

/* ---- promises ---- */

static struct request *kept[KEPT_MAX]; /* those that are being kept, in order */
static int keeps;

static void keep(struct request *request, const struct db_due *due)
{
    (void)due;
    cr_assert_lt(keeps, KEPT_MAX);
    kept[keeps++] = request;
}

static const struct due_keeper keepers[] = {{DUE_CLOCK, keep, false},
                                            {DUE_HOOKS, keep, true},
                                            {DUE_OPPONENT, keep, true},
                                            {0, NULL, false}};

/* A promise of the game with this number. */
static struct db_due promise(int number, int kind)
{
    struct db_due due = {.kind = (int16_t)kind, .at = 1};

    due.id.byte[0] = (uint8_t)number;
    due.id.byte[1] = (uint8_t)(number >> 8);
    return due;
}

static void open_all(void)
{
    desk_open();
    here = ready = true;
    desk_loop.own[PART_due] = due_open(&desk_loop, keepers, 0);
    cr_assert_not_null(due_of(&desk_loop));
}

static void close_all(void)
{
    due_close(&desk_loop);
    here = false;
    desk_close();
}

TestSuite(due, .init = open_all, .fini = close_all);

/* The loop passes after this time. */
static void pass(int64_t us)
{
    desk_loop.now += us;
    due_run(&desk_loop);
}

static void fail_claim(enum db_outcome outcome)
{
    claim_done(claim_context, &(struct db_reply){.outcome = outcome}, NULL);
}

static void answer_claim(const struct db_due *dues, size_t count)
{
    claim_done(claim_context, &(struct db_reply){.outcome = DB_OK},
               &(struct db_claimed){dues, count});
}

/* Claims, and is given so many short promises from this number on. */
static void claim_many(int from, int count)
{
    struct db_due dues[DB_DUE_MAX];

    pass(0);
    for (int i = 0; i < count; i++)
        dues[i] = promise(from + i, DUE_CLOCK);
    answer_claim(dues, (size_t)count);
}

/* Claims, and is given one. */
static void claim_one(int kind)
{
    struct db_due due = promise(1, kind);

    pass(0);
    answer_claim(&due, 1);
}

/* ---- when ---- */

Test(due, it_is_looked_for_at_once_and_then_once_a_second)
{
    cr_assert_eq(due_timeout_ms(&desk_loop), 0);
    pass(0);
    cr_assert_eq(claims, 1);
    answer_claim(NULL, 0);
    cr_assert_eq(due_timeout_ms(&desk_loop), 1000);
    pass(SECOND - 1);
    cr_assert_eq(claims, 1);
    pass(1);
    cr_assert_eq(claims, 2);
}

Test(due, one_claim_is_under_way_at_a_time)
{
    pass(0);
    pass(10 * SECOND);
    cr_assert_eq(claims, 1);
    cr_assert_eq(due_timeout_ms(&desk_loop), -1);
}

Test(due, a_claim_that_failed_is_made_again_after_a_second)
{
    pass(0);
    fail_claim(DB_UNAVAILABLE);
    cr_assert_eq(due_timeout_ms(&desk_loop), 1000);
}

Test(due, what_becomes_due_is_claimed_at_once)
{
    pass(0);
    answer_claim(NULL, 0);
    due_soon(due_of(&desk_loop));
    cr_assert_eq(due_timeout_ms(&desk_loop), 0);
    pass(0);
    cr_assert_eq(claims, 2);
    answer_claim(NULL, 0);
    cr_assert_eq(due_timeout_ms(&desk_loop), 1000);
}

/* The claim may have looked before. */
Test(due, what_becomes_due_during_a_claim_is_claimed_right_after_it)
{
    pass(0);
    due_soon(due_of(&desk_loop));
    cr_assert_eq(due_timeout_ms(&desk_loop), -1);
    answer_claim(NULL, 0);
    cr_assert_eq(due_timeout_ms(&desk_loop), 0);
    pass(0);
    cr_assert_eq(claims, 2);
    answer_claim(NULL, 0);
    cr_assert_eq(due_timeout_ms(&desk_loop), 1000, "once is enough");
}

Test(due, promises_of_a_write_are_claimed_at_once_if_they_are_due)
{
    struct db_due dues[] = {{.at = 101}, {.at = 102}};

    pass(0);
    answer_claim(NULL, 0);
    due_stored(&desk_loop, dues, 2, 100);
    cr_assert_eq(due_timeout_ms(&desk_loop), 1000);
    due_stored(&desk_loop, dues, 2, 101);
    cr_assert_eq(due_timeout_ms(&desk_loop), 0);
}

Test(due, the_first_loop_is_told_of_what_other_loops_have_promised)
{
    struct loop other = {.due_fd = eventfd(0, EFD_NONBLOCK)};

    pass(0);
    answer_claim(NULL, 0);
    due_stored(&other, &(struct db_due){.at = 1}, 1, 1);
    desk_loop.due_fd = other.due_fd;
    due_told(&desk_loop);
    cr_assert_eq(due_timeout_ms(&desk_loop), 0);
    cr_assert_lt(eventfd_read(other.due_fd, &(eventfd_t){0}), 0, "it was told, and heard it");
    desk_loop.due_fd = 0;
    close(other.due_fd);
}

Test(due, where_a_claim_brings_as_much_as_it_may_there_is_more)
{
    claim_many(0, DB_DUE_MAX);
    cr_assert_eq(due_timeout_ms(&desk_loop), 0);
}

Test(due, where_a_claim_brings_less_than_it_may_there_is_no_more)
{
    claim_many(0, DB_DUE_MAX - 1);
    cr_assert_eq(due_timeout_ms(&desk_loop), 1000);
}

Test(due, no_more_is_claimed_while_more_is_kept_than_a_claim_brings)
{
    claim_many(0, DB_DUE_MAX);
    claim_many(DB_DUE_MAX, 1);
    cr_assert_eq(claims, 2);
    pass(10 * SECOND);
    cr_assert_eq(claims, 2);
    cr_assert_eq(due_timeout_ms(&desk_loop), -1);
    reply_empty(kept[0], 204);
    cr_assert_eq(due_timeout_ms(&desk_loop), 0);
    pass(0);
    cr_assert_eq(claims, 3);
}

Test(due, what_takes_long_keeps_nothing_else_from_being_claimed)
{
    struct db_due dues[DB_DUE_MAX];

    for (int i = 0; i < DB_DUE_MAX; i++)
        dues[i] = promise(i, DUE_OPPONENT);
    pass(0);
    answer_claim(dues, DB_DUE_MAX);
    pass(0);
    dues[0] = promise(DB_DUE_MAX, DUE_HOOKS);
    answer_claim(dues, 1);
    pass(SECOND);
    cr_assert_eq(claims, 3);
}

Test(due, nothing_is_claimed_without_a_connection_or_while_the_daemon_drains)
{
    ready = false;
    pass(0);
    cr_assert_eq(due_timeout_ms(&desk_loop), -1);
    ready = desk_loop.draining = true;
    pass(0);
    cr_assert_eq(due_timeout_ms(&desk_loop), -1);
    cr_assert_eq(claims, 0);
    desk_loop.draining = false;
    pass(0);
    cr_assert_eq(claims, 1);
}

/* ---- for how long, and what ---- */

/* What a daemon holds that is up may take longer than any search does, and stays with it. */
Test(due, a_claim_is_for_half_a_minute_and_takes_from_those_that_are_silent_for_two_seconds)
{
    memset(&desk_loop.daemon, 7, sizeof(desk_loop.daemon));
    pass(0);
    cr_assert_eq(claim.lease, desk_loop.now + LEASE);
    cr_assert_eq(claim.silent, desk_loop.now - HEARTBEAT_SILENT_US);
    cr_assert_eq(memcmp(&claim.daemon, &desk_loop.daemon, sizeof(claim.daemon)), 0);
    cr_assert_eq(claim.unheard, DB_NEVER);
}

Test(due, what_a_claim_of_unknown_outcome_may_have_leased_is_asked_for_until_one_is_answered)
{
    int64_t first;

    pass(0);
    first = claim.lease;
    fail_claim(DB_UNKNOWN);
    pass(SECOND);
    cr_assert_eq(claim.unheard, first);
    fail_claim(DB_UNKNOWN);
    pass(SECOND);
    cr_assert_eq(claim.unheard, first, "the later one does not hide the earlier one");
    fail_claim(DB_UNAVAILABLE);
    pass(SECOND);
    cr_assert_eq(claim.unheard, first);
    answer_claim(NULL, 0);
    pass(SECOND);
    cr_assert_eq(claim.unheard, DB_NEVER);
}

Test(due, a_claim_that_was_not_sent_has_leased_nothing)
{
    pass(0);
    fail_claim(DB_UNAVAILABLE);
    pass(SECOND);
    cr_assert_eq(claim.unheard, DB_NEVER);
}

Test(due, only_kinds_are_claimed_that_are_kept_here_and_have_room)
{
    struct due *due = due_of(&desk_loop);

    pass(0);
    cr_assert_eq(claim.kinds, 1 << DUE_CLOCK | 1 << DUE_HOOKS | 1 << DUE_OPPONENT);
    answer_claim(NULL, 0);
    due_leave_out(due, DUE_HOOKS, true);
    cr_assert_eq(due_timeout_ms(&desk_loop), 1000);
    pass(SECOND);
    cr_assert_eq(claim.kinds, 1 << DUE_CLOCK | 1 << DUE_OPPONENT);
    answer_claim(NULL, 0);
    due_leave_out(due, DUE_HOOKS, false);
    cr_assert_eq(due_timeout_ms(&desk_loop), 0, "there is room again");
    pass(0);
    cr_assert_eq(claim.kinds, 1 << DUE_CLOCK | 1 << DUE_HOOKS | 1 << DUE_OPPONENT);
    answer_claim(NULL, 0);
    due_leave_out(due, DUE_HOOKS, false);
    cr_assert_eq(due_timeout_ms(&desk_loop), 1000, "there was");
}

Test(due, a_kind_may_be_left_to_other_daemons)
{
    due_close(&desk_loop);
    desk_loop.own[PART_due] = due_open(&desk_loop, keepers, DUE_OPPONENT);
    pass(0);
    cr_assert_eq(claim.kinds, 1 << DUE_CLOCK | 1 << DUE_HOOKS);
}

/* ---- what is not kept ---- */

/* How often a promise of a kind has been begun to be kept by the look after it was answered so. */
static int keeps_after(int kind, unsigned status)
{
    claim_one(kind);
    cr_assert_eq(keeps, 1);
    reply_empty(kept[0], status);
    pass(SECOND);
    answer_claim(NULL, 0);
    return keeps;
}

Test(due, what_the_database_did_not_take_is_tried_again_at_the_next_look)
{
    cr_assert_eq(keeps_after(DUE_CLOCK, 503), 2);
    reply_empty(kept[1], 503);
    pass(SECOND);
    cr_assert_eq(keeps, 3);
    reply_empty(kept[2], 204);
    pass(SECOND);
    cr_assert_eq(keeps, 3);
}

Test(due, a_computers_move_that_was_not_taken_is_tried_again)
{
    cr_assert_eq(keeps_after(DUE_OPPONENT, 503), 2);
}

/* Another daemon may send them by now. */
Test(due, webhooks_that_were_not_sent_wait_until_they_are_leased_again)
{
    cr_assert_eq(keeps_after(DUE_HOOKS, 503), 1);
}

Test(due, what_was_kept_or_cannot_be_is_not_tried_again)
{
    static const unsigned statuses[] = {204, 404, 500};

    for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
        keeps = 0;
        cr_assert_eq(keeps_after(DUE_CLOCK, statuses[i]), 1, "%u", statuses[i]);
        due_soon(due_of(&desk_loop));
    }
}

Test(due, of_all_that_fail_at_once_as_many_are_tried_again_as_a_claim_brings)
{
    claim_many(0, DB_DUE_MAX);
    claim_many(DB_DUE_MAX, DB_DUE_MAX);
    for (int i = 0; i < 2 * DB_DUE_MAX; i++)
        reply_empty(kept[i], 503);
    pass(SECOND);
    cr_assert_eq(keeps, 3 * DB_DUE_MAX);
}

/* ---- what is claimed twice ---- */

Test(due, what_is_claimed_again_while_it_is_kept_is_kept_once_more_when_that_is_over)
{
    claim_one(DUE_OPPONENT);
    pass(SECOND);
    answer_claim(&(struct db_due){.id = promise(1, 0).id, .kind = DUE_OPPONENT, .at = 2}, 1);
    cr_assert_eq(keeps, 1);
    reply_empty(kept[0], 503);
    pass(0);
    cr_assert_eq(keeps, 2);
    reply_empty(kept[1], 204);
    pass(SECOND);
    cr_assert_eq(keeps, 2, "it has failed as the older one alone");
}

Test(due, promises_of_other_games_and_of_other_kinds_are_others)
{
    struct db_due dues[] = {promise(1, DUE_OPPONENT), promise(2, DUE_OPPONENT),
                            promise(1, DUE_CLOCK)};

    pass(0);
    answer_claim(dues, 3);
    cr_assert_eq(keeps, 3);
}

/* ---- parts of what is kept ---- */

static struct request *told; /* the part that was told to be over */

static void on_part(void *context, struct request *request)
{
    *(int *)context += 1;
    told = request;
}

Test(due, a_part_that_was_answered_is_over_in_the_next_pass)
{
    struct request *part;
    int parts = 0;

    claim_one(DUE_CLOCK);
    part = due_request(kept[0], on_part, &parts);
    reply_empty(part, 204);
    cr_assert_eq(parts, 0, "who answers still reads it");
    cr_assert_eq(due_timeout_ms(&desk_loop), 0);
    pass(0);
    cr_assert_eq(parts, 1);
    cr_assert_eq(told, part);
    cr_assert_eq(due_timeout_ms(&desk_loop), 1000);
    cr_assert_eq(desk_loop.metrics.due_kept[0], 0, "the promise is not");
}

Test(due, nobody_is_told_of_a_part_once_the_loop_ends)
{
    int parts = 0;

    claim_one(DUE_CLOCK);
    reply_empty(due_request(kept[0], on_part, &parts), 204);
    due_close(&desk_loop);
    desk_loop.own[PART_due] = NULL;
    cr_assert_eq(parts, 0);
}

/* ---- what is told of it ---- */

Test(due, how_much_is_due_and_since_when_is_told_but_for_what_takes_long)
{
    struct db_due dues[] = {promise(1, DUE_CLOCK), promise(2, DUE_CLOCK), promise(3, DUE_CLOCK),
                            promise(4, DUE_OPPONENT)};

    dues[0].at = 300;
    dues[1].at = 200;
    dues[2].at = 400;
    dues[3].at = 100;
    pass(0);
    answer_claim(dues, 4);
    cr_assert_eq(desk_loop.metrics.due, 3);
    cr_assert_eq(desk_loop.metrics.due_since_us, 200);
    reply_empty(kept[1], 204);
    pass(0);
    cr_assert_eq(desk_loop.metrics.due, 2);
    cr_assert_eq(desk_loop.metrics.due_since_us, 300);
    reply_empty(kept[0], 204);
    reply_empty(kept[2], 204);
    pass(0);
    cr_assert_eq(desk_loop.metrics.due, 0);
    cr_assert_eq(desk_loop.metrics.due_since_us, 0);
}

Test(due, what_was_kept_and_what_failed_is_counted)
{
    claim_many(0, 3);
    reply_empty(kept[0], 204);
    reply_empty(kept[1], 399);
    reply_empty(kept[2], 400);
    pass(0);
    cr_assert_eq(desk_loop.metrics.due_kept[0], 2);
    cr_assert_eq(desk_loop.metrics.due_kept[1], 1);
}
