/* test_pulse.c - the heartbeat of all programs, and the outages that it shows. */
#include <criterion/criterion.h>
#include <libpq-fe.h>
#include <stdio.h>

#include "bed.h"
#include "db/due.h"

static struct bed bed;

static void make(void)
{
    bed_make(&bed);
}

static void end(void)
{
    bed_remove(&bed);
}

TestSuite(pulse, .init = make, .fini = end);

/* Between two beats without an outage. A slow machine takes seconds for what takes none here. */
static const int64_t minute = INT64_C(60) * 1000 * 1000, longest = INT64_C(3600) * 1000 * 1000;
static const db_id me = {{1}}, other_daemon = {{2}};

static int32_t beat(void)
{
    struct call call = {.calls = 0};

    db_beat(bed.db, me, longest, on_beat, &call);
    run_until_done(bed.db, &call);
    cr_assert_eq(call.outcome, DB_OK, "%s", call.error.text);
    return call.outages;
}

static struct call outages(int32_t after)
{
    struct call call = {.calls = 0};

    db_get_outages(bed.db, after, on_spans, &call);
    run_until_done(bed.db, &call);
    cr_assert_eq(call.outcome, DB_OK, "%s", call.error.text);
    return call;
}

static void silence(const char *minutes)
{
    char text[100];

    snprintf(text, sizeof(text), "update pulse set at = at - %s * interval '1 minute'", minutes);
    sql(bed.url, text);
}

Test(pulse, the_first_beat_ends_no_outage)
{
    cr_assert_eq(beat(), 0);
    cr_assert_eq(outages(0).count, 0);
    assert_sql(bed.url, "select count(*) from pulse", "1");
}

Test(pulse, beats_that_follow_each_other_make_no_outage)
{
    beat();
    silence("50");
    cr_assert_eq(beat(), 0);
    cr_assert_eq(outages(0).count, 0);
}

Test(pulse, the_time_between_two_beats_that_are_far_apart_is_an_outage)
{
    beat();
    silence("70");
    cr_assert_eq(beat(), 1);
    cr_assert_eq(beat(), 1);
    struct call call = outages(0);
    cr_assert_eq(call.count, 1);
    cr_assert_geq(call.spans[0].to - call.spans[0].from, 70 * minute);
    cr_assert_leq(call.spans[0].to - call.spans[0].from, 80 * minute);
    assert_sql(bed.url, "select at >= to_at and before_at >= to_at from pulse, outages", "t");
}

Test(pulse, outages_are_counted_and_read_behind_those_that_are_known)
{
    beat();
    for (int i = 1; i <= 3; i++) {
        silence("70");
        cr_assert_eq(beat(), i);
    }
    cr_assert_eq(outages(0).count, 3);
    struct call call = outages(1);
    cr_assert_eq(call.count, 2);
    cr_assert_lt(call.spans[0].from, call.spans[1].from);
    cr_assert_eq(outages(3).count, 0);
}

Test(pulse, a_beat_never_goes_back)
{
    beat();
    silence("-60");
    cr_assert_eq(beat(), 0);
    assert_sql(bed.url, "select at > now() + interval '50 minutes' from pulse", "t");
}

Test(pulse, two_programs_that_beat_at_once_after_an_outage_record_it_once)
{
    struct db_settings settings = bed_settings(bed.url);
    struct db *other = bed_open(&settings);
    PGconn *holder = PQconnectdb(bed.url);
    struct call calls[2] = {{.calls = 0}};

    beat();
    silence("70");
    PQclear(PQexec(holder, "begin"));
    PQclear(PQexec(holder, "select * from pulse for update"));
    db_beat(bed.db, me, longest, on_beat, &calls[0]);
    db_beat(other, me, longest, on_beat, &calls[1]);
    run_until_sent(bed.db);
    run_until_sent(other);
    wait_for_locks(bed.url, "2");
    PQclear(PQexec(holder, "commit"));
    run_until_done(bed.db, &calls[0]);
    run_until_done(other, &calls[1]);
    cr_assert_eq(calls[0].outages, 1);
    cr_assert_eq(calls[1].outages, 1);
    cr_assert_eq(outages(0).count, 1);
    PQfinish(holder);
    db_close(other);
}

/* ---- which daemons are up ---- */

static size_t others(db_id daemon)
{
    struct call call = {.calls = 0};

    db_get_daemons(bed.db, daemon, db_now(bed.db) - longest, on_daemons, &call);
    run_until_done(bed.db, &call);
    cr_assert_eq(call.outcome, DB_OK, "%s", call.error.text);
    return call.count;
}

Test(pulse, a_daemon_that_has_beaten_is_up_for_the_others)
{
    beat();
    beat();
    cr_assert_eq(others(me), 0);
    cr_assert_eq(others(other_daemon), 1);
}

Test(pulse, a_daemon_that_is_silent_is_not_up_and_is_forgotten_after_a_day)
{
    beat();
    sql(bed.url, "update daemons set at = at - interval '61 minutes'");
    cr_assert_eq(others(other_daemon), 0);
    sql(bed.url, "insert into daemons values (gen_random_uuid(), now() - interval '25 hours')");
    beat();
    assert_sql(bed.url, "select count(*) from daemons", "1");
    cr_assert_eq(others(other_daemon), 1);
}
