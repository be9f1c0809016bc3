/* test_due.c - promises to look at games and players again: made, claimed, settled. */
#include <criterion/criterion.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bed.h"
#include "db/due.h"
#include "db/kinds.h"
#include "tests/support/pg.h"

static struct bed bed;

static const int64_t second = 1000 * 1000;

/* Daemons that were not heard since then are silent. It stays, however long a test takes. */
static int64_t quiet_since;

static void make(void)
{
    bed_make(&bed);
    quiet_since = db_now(bed.db) - 10 * second;
}

static void end(void)
{
    bed_remove(&bed);
}

TestSuite(due, .init = make, .fini = end);

enum { CLOCK = 1, PLAYER = 2 };

/* Times around now: promises are claimed by the clock. */
static int64_t ago(int64_t us)
{
    return db_now(bed.db) - us;
}

static const int64_t minute = INT64_C(60) * 1000 * 1000;

static void promise(db_id id, int64_t at)
{
    struct db_game game = new_game();
    struct db_event first = {.version = 1, .line = 1};
    struct db_due due = {id, CLOCK, at};
    struct db_create request = {
        .game = &game, .events = &first, .count = 1, .dues = &due, .ndues = 1};
    struct call call = {.calls = 0};

    game.id = id;
    db_create(bed.db, &request, on_done, &call);
    run_until_done(bed.db, &call);
    cr_assert_eq(call.outcome, DB_OK, "%s", call.error.text);
}

static const db_id me = {{1}}, other_daemon = {{2}};

static struct db_claim claim_of(db_id daemon, int64_t lease)
{
    return (struct db_claim){daemon, lease, quiet_since, DB_NEVER, INT32_MAX};
}

static struct call claim_by(db_id daemon, int64_t lease)
{
    struct db_claim wanted = claim_of(daemon, lease);
    struct call call = {.calls = 0};

    db_claim_due(bed.db, &wanted, on_claimed, &call);
    run_until_done(bed.db, &call);
    cr_assert_eq(call.outcome, DB_OK, "%s", call.error.text);
    return call;
}

static struct call claim(void)
{
    return claim_by(me, ago(-minute));
}

static void settle(db_id id, int64_t claimed_at, int64_t at)
{
    struct db_due due = {id, CLOCK, at};
    struct call call = {.calls = 0};

    db_settle_due(bed.db, &due, claimed_at, on_done, &call);
    run_until_done(bed.db, &call);
    cr_assert_eq(call.outcome, DB_OK, "%s", call.error.text);
}

static enum db_outcome append_due(struct db_game *game, const struct db_due *due, int32_t expected)
{
    struct call call = {.calls = 0};
    struct turn turn;

    turn_make(&turn, game, "7g7f");
    turn.append.dues = due;
    turn.append.ndues = due != NULL;
    turn.append.expected = expected;
    db_append(bed.db, &turn.append, on_done, &call);
    run_until_done(bed.db, &call);
    if (call.outcome == DB_OK)
        *game = turn.after;
    return call.outcome;
}

/* ---- making them ---- */

Test(due, a_new_game_makes_its_promise)
{
    int64_t at = ago(1);
    db_id id = new_id();

    promise(id, at);
    struct call call = claim();
    cr_assert_eq(call.count, 1);
    cr_assert_arr_eq(&call.due[0].id, &id, sizeof(id));
    cr_assert_eq(call.due[0].kind, CLOCK);
    cr_assert_eq(call.due[0].at, at);
}

Test(due, a_game_that_is_not_made_makes_no_promise)
{
    struct db_game game = new_game();
    struct db_event first = {.version = 1, .line = 1};
    struct db_due due = {game.id, CLOCK, 1};
    struct db_create request = {
        .game = &game, .events = &first, .count = 1, .dues = &due, .ndues = 1};
    struct call call = {.calls = 0};

    create(bed.db, &game);
    db_create(bed.db, &request, on_done, &call);
    run_until_done(bed.db, &call);
    cr_assert_eq(call.outcome, DB_CONFLICT);
    assert_sql(bed.url, "select count(*) from due", "0");
}

Test(due, an_append_makes_a_promise_and_the_next_one_moves_it)
{
    struct db_game game = new_game();
    struct db_due due = {game.id, CLOCK, 1000};

    create(bed.db, &game);
    cr_assert_eq(append_due(&game, &due, 1), DB_OK);
    due.at = 2000;
    cr_assert_eq(append_due(&game, &due, 2), DB_OK);
    cr_assert_eq(append_due(&game, NULL, 3), DB_OK);
    struct call call = claim();
    cr_assert_eq(call.count, 1);
    cr_assert_eq(call.due[0].at, 2000);
}

Test(due, an_append_that_is_a_conflict_moves_no_promise)
{
    struct db_game game = new_game();
    struct db_due due = {game.id, CLOCK, 1000};

    create(bed.db, &game);
    cr_assert_eq(append_due(&game, &due, 1), DB_OK);
    due.at = 2000;
    cr_assert_eq(append_due(&game, &due, 1), DB_CONFLICT);
    due.at = DB_NEVER;
    cr_assert_eq(append_due(&game, &due, 1), DB_CONFLICT);
    cr_assert_eq(claim().due[0].at, 1000);
}

Test(due, an_append_can_delete_a_promise)
{
    struct db_game game = new_game();
    struct db_due due = {game.id, CLOCK, 1000}, other = {game.id, PLAYER, 1000};

    create(bed.db, &game);
    append_due(&game, &due, 1);
    append_due(&game, &other, 2);
    due.at = DB_NEVER;
    cr_assert_eq(append_due(&game, &due, 3), DB_OK);
    struct call call = claim();
    cr_assert_eq(call.count, 1);
    cr_assert_eq(call.due[0].kind, PLAYER);
}

Test(due, appends_of_one_statement_each_have_their_own_promise_or_none)
{
    struct db_game games[3] = {new_game(), new_game(), new_game()};
    struct db_due dues[3] = {
        {games[0].id, CLOCK, 1000}, {games[1].id, CLOCK, DB_NEVER}, {games[2].id, CLOCK, 1000}};
    struct call calls[3] = {{.calls = 0}};
    struct turn turns[3];

    for (int i = 0; i < 3; i++) {
        create(bed.db, &games[i]);
        cr_assert_eq(append_due(&games[i], &dues[2 * (i / 2)], 1), DB_OK);
        turn_make(&turns[i], &games[i], "3c3d");
    }
    dues[0].at = 5000;
    turns[0].append.dues = &dues[0];
    turns[1].append.dues = &dues[1];
    turns[0].append.ndues = turns[1].append.ndues = 1;
    for (int i = 0; i < 3; i++)
        db_append(bed.db, &turns[i].append, on_done, &calls[i]);
    run_until_idle(bed.db);
    assert_sql(bed.url,
               "select string_agg(extract(microseconds from at)::text, ' ' order by at) from due",
               "1000 5000");
}

/* ---- claiming them ---- */

Test(due, a_promise_whose_time_has_not_come_is_claimed_by_nobody)
{
    promise(new_id(), ago(-minute));
    cr_assert_eq(claim().count, 0);
}

Test(due, a_claimed_promise_is_given_to_nobody_else)
{
    promise(new_id(), ago(1));
    cr_assert_eq(claim().count, 1);
    cr_assert_eq(claim().count, 0);
}

Test(due, a_promise_is_claimed_again_when_its_lease_is_over)
{
    int64_t at = ago(10 * minute);

    promise(new_id(), at);
    cr_assert_eq(claim_by(me, ago(minute)).count, 1);
    struct call call = claim();
    cr_assert_eq(call.count, 1);
    cr_assert_eq(call.due[0].at, at);
}

Test(due, the_oldest_promises_are_claimed_first_and_not_too_many)
{
    sql(bed.url, "insert into due select gen_random_uuid(), 1, t, t from generate_series(1, 300)"
                 " as n, lateral (select now() - n * interval '1 second' as t) as t");
    cr_assert_eq(claim().count, DB_DUE_MAX);
    assert_sql(bed.url,
               "select max(at) filter (where leased_until > at)"
               " < min(at) filter (where leased_until = at) from due",
               "t");
    cr_assert_eq(claim().count, 300 - DB_DUE_MAX);
}

Test(due, a_kind_may_be_left_to_others)
{
    struct db_claim wanted = claim_of(me, ago(-minute));
    struct call call = {.calls = 0};

    promise(new_id(), ago(minute));
    wanted.kinds &= ~(1 << CLOCK);
    db_claim_due(bed.db, &wanted, on_claimed, &call);
    run_until_done(bed.db, &call);
    cr_assert_eq(call.count, 0);
    cr_assert_eq(claim().count, 1);
}

Test(due, a_kind_that_only_a_newer_program_knows_is_left_to_it)
{
    sql(bed.url, "insert into due select gen_random_uuid(), kind, now(), now()"
                 " from unnest(array[31, 32, 33, 64, 999]) as k(kind)");
    cr_assert_eq(claim().count, 0);
    assert_sql(bed.url, "select count(*) from due where leased_until = at", "5");
}

/* Lets two programs claim while somebody holds the promise, so that both wait for it. Returns how
 * many promises they get. */
static size_t claimed_at_once(const struct db_claim *mine, const struct db_claim *theirs)
{
    struct db_settings settings = bed_settings(bed.url);
    struct db *other = bed_open(&settings);
    PGconn *first = PQconnectdb(bed.url);
    struct call calls[2] = {{.calls = 0}};

    PQclear(PQexec(first, "begin"));
    PQclear(PQexec(first, "select * from due for update"));
    db_claim_due(bed.db, mine, on_claimed, &calls[0]);
    db_claim_due(other, theirs, on_claimed, &calls[1]);
    run_until_sent(bed.db);
    run_until_sent(other);
    wait_for_locks(bed.url, "2");
    PQclear(PQexec(first, "commit"));
    run_until_done(bed.db, &calls[0]);
    run_until_done(other, &calls[1]);
    PQfinish(first);
    db_close(other);
    return calls[0].count + calls[1].count;
}

Test(due, of_two_programs_that_claim_at_once_only_one_gets_the_promise)
{
    struct db_claim mine = claim_of(me, ago(-minute)), theirs = claim_of(other_daemon, mine.lease);

    PG_PLAIN_ONLY("it looks at the locks of one server");
    promise(new_id(), ago(minute));
    cr_assert_eq(claimed_at_once(&mine, &theirs), 1);
}

Test(due, a_promise_that_is_moved_meanwhile_is_not_claimed)
{
    PGconn *mover = PQconnectdb(bed.url);
    struct db_claim wanted = claim_of(me, ago(-minute));
    struct call call = {.calls = 0};

    PG_PLAIN_ONLY("it looks at the locks of one server");
    promise(new_id(), ago(minute));
    PQclear(PQexec(mover, "begin"));
    PQclear(PQexec(mover, "update due set at = now() + interval '1 hour',"
                          " leased_until = now() + interval '1 hour'"));
    db_claim_due(bed.db, &wanted, on_claimed, &call);
    run_until_sent(bed.db);
    wait_for_locks(bed.url, "1");
    PQclear(PQexec(mover, "commit"));
    run_until_done(bed.db, &call);
    cr_assert_eq(call.count, 0);
    PQfinish(mover);
}

/* ---- daemons that are gone ---- */

/* A daemon's last heartbeat is so many seconds before those of daemons that are not silent. */
static void fall_silent(db_id daemon, int seconds)
{
    struct call call = {.calls = 0};
    char text[160];

    db_beat(bed.db, daemon, 15 * second, on_beat, &call);
    run_until_done(bed.db, &call);
    cr_assert_eq(call.outcome, DB_OK, "%s", call.error.text);
    snprintf(text, sizeof(text),
             "update daemons set at = to_timestamp(%lld / 1e6) where id = '%02x%030d'",
             (long long)(quiet_since - seconds * second), daemon.byte[0], 0);
    sql(bed.url, text);
}

static void lease_to(db_id daemon)
{
    promise(new_id(), ago(minute));
    cr_assert_eq(claim_by(daemon, ago(-minute)).count, 1);
}

Test(due, what_a_daemon_holds_is_claimed_once_it_is_silent)
{
    lease_to(other_daemon);
    fall_silent(other_daemon, 3);
    cr_assert_eq(claim().count, 1);
    cr_assert_eq(claim().count, 0, "it is ours now");
    assert_sql(bed.url, "select bool_and(holder = '01000000-0000-0000-0000-000000000000') from due",
               "t");
}

Test(due, what_a_daemon_holds_stays_with_it_while_it_beats)
{
    lease_to(other_daemon);
    fall_silent(other_daemon, -1);
    cr_assert_eq(claim().count, 0);
}

/* What it was sending it has given up by then. */
Test(due, the_lease_to_send_webhooks_is_claimed_after_two_seconds_more)
{
    lease_to(other_daemon);
    sql(bed.url, "update due set kind = 6");
    fall_silent(other_daemon, 1);
    cr_assert_eq(claim().count, 0);
    fall_silent(other_daemon, 3);
    cr_assert_eq(claim().count, 1);
}

Test(due, what_a_daemon_holds_stays_with_it_where_it_was_never_heard)
{
    lease_to(other_daemon);
    cr_assert_eq(claim().count, 0);
}

Test(due, a_daemon_whose_own_heart_is_late_claims_nothing_twice)
{
    lease_to(me);
    fall_silent(me, 3);
    cr_assert_eq(claim().count, 0);
}

Test(due, what_a_silent_daemon_has_settled_is_not_claimed_before_its_time)
{
    db_id id = new_id();
    int64_t at = ago(minute);

    promise(id, at);
    cr_assert_eq(claim_by(other_daemon, ago(-minute)).count, 1);
    settle(id, at, ago(-minute));
    fall_silent(other_daemon, 3);
    cr_assert_eq(claim().count, 0);
}

Test(due, what_a_silent_daemon_holds_goes_to_one_of_two_that_claim_it_at_once)
{
    PG_PLAIN_ONLY("it looks at the locks of one server");
    struct db_claim mine, theirs;

    lease_to(other_daemon);
    fall_silent(other_daemon, 3);
    mine = claim_of(me, ago(-minute));
    theirs = claim_of((db_id){{3}}, mine.lease);
    cr_assert_eq(claimed_at_once(&mine, &theirs), 1);
}

/* ---- answers that were lost ---- */

/* What a claim may bring of those before it, whose leases are until `unheard` or later. */
static size_t claimed_anew(int64_t unheard)
{
    struct db_claim wanted = claim_of(me, ago(-minute));
    struct call call = {.calls = 0};

    wanted.unheard = unheard;
    db_claim_due(bed.db, &wanted, on_claimed, &call);
    run_until_done(bed.db, &call);
    cr_assert_eq(call.outcome, DB_OK, "%s", call.error.text);
    return call.count;
}

Test(due, what_a_daemon_has_leased_without_knowing_is_given_to_it_again)
{
    int64_t lease = ago(-minute);

    promise(new_id(), ago(minute));
    cr_assert_eq(claim_by(me, lease).count, 1);
    cr_assert_eq(claimed_anew(lease + 1), 0);
    cr_assert_eq(claimed_anew(lease), 1);
}

Test(due, what_another_daemon_has_leased_without_knowing_stays_with_that)
{
    int64_t lease = ago(-minute);

    promise(new_id(), ago(minute));
    cr_assert_eq(claim_by(other_daemon, lease).count, 1);
    cr_assert_eq(claimed_anew(lease), 0);
}

Test(due, what_was_leased_without_knowing_comes_first)
{
    int64_t lease = ago(-minute);

    sql(bed.url, "insert into due select gen_random_uuid(), 1, t, t"
                 " from (select now() - interval '1 minute' as t) as t, generate_series(1, 256)");
    cr_assert_eq(claim_by(me, lease).count, DB_DUE_MAX);
    sql(bed.url, "insert into due select gen_random_uuid(), 1, t, t"
                 " from (select now() - interval '1 hour' as t) as t, generate_series(1, 256)");
    cr_assert_eq(claimed_anew(lease), DB_DUE_MAX);
    assert_sql(bed.url, "select count(*) from due where leased_until > at", "256");
}

Test(due, what_was_settled_since_is_not_claimed_before_its_time)
{
    int64_t at = ago(minute), lease = ago(-minute);
    db_id id = new_id();

    promise(id, at);
    cr_assert_eq(claim_by(me, lease).count, 1);
    settle(id, at, lease);
    cr_assert_eq(claimed_anew(lease), 0);
}

Test(due, a_claim_that_is_still_under_way_may_be_made_again)
{
    struct db_claim lost = claim_of(me, ago(-minute));

    PG_PLAIN_ONLY("it looks at the locks of one server");
    promise(new_id(), ago(minute));
    lost.unheard = lost.lease;
    cr_assert_eq(claimed_at_once(&lost, &lost), 2);
}

/* ---- settling them ---- */

Test(due, a_settled_promise_is_gone)
{
    db_id id = new_id();
    int64_t at = ago(minute);

    promise(id, at);
    claim();
    settle(id, at, DB_NEVER);
    assert_sql(bed.url, "select count(*) from due", "0");
}

Test(due, a_settled_promise_can_be_for_another_time)
{
    db_id id = new_id();
    int64_t at = ago(minute);

    promise(id, at);
    claim();
    settle(id, at, at + 1);
    struct call call = claim();
    cr_assert_eq(call.count, 1);
    cr_assert_eq(call.due[0].at, at + 1);
}

/* Even for the same time: what was settled then is not what was promised now. */
Test(due, a_promise_that_was_made_anew_is_not_settled)
{
    struct db_game game = new_game();
    struct db_due due = {game.id, CLOCK, 1000};

    create(bed.db, &game);
    for (int64_t at = 1000; at <= 1001; at++) {
        due.at = 1000;
        append_due(&game, &due, game.version);
        cr_assert_eq(claim().count, 1);
        due.at = at;
        append_due(&game, &due, game.version);
        settle(game.id, 1000, DB_NEVER);
        settle(game.id, 1000, 5000);
        struct call call = claim();
        cr_assert_eq(call.count, 1);
        cr_assert_eq(call.due[0].at, at);
    }
}

Test(due, settling_what_is_gone_is_no_fault)
{
    settle(new_id(), 1000, DB_NEVER);
    settle(new_id(), 1000, 2000);
    assert_sql(bed.url, "select count(*) from due", "0");
}

/* ---- what it costs ---- */

Test(due, promises_are_found_by_index)
{
    enum { SAMPLE = 1 << 14 };
    static char plan[SAMPLE];
    PGconn *pg = PQconnectdb(bed.url);

    PG_PLAIN_ONLY("it reads a plan");
    plan_fill(bed.url, "due",
              "insert into due select gen_random_uuid(), 1, t, t"
              " from generate_series(1, 100000) as n,"
              " lateral (select now() + (n - 20000) * interval '1 second' as t) as t");
    PQclear(PQexec(pg, "set plan_cache_mode = force_generic_plan"));
    PQclear(PQexec(pg, "set enable_seqscan = off"));
    PQclear(PQprepare(pg, "claim_due", kinds_table[KIND_CLAIM_DUE].sql, 0, NULL));
    PGresult *result = PQexec(pg, "explain (analyze, buffers, timing off)"
                                  " execute claim_due(array[now()], array[now() + '1 minute'],"
                                  " array[now() - '2 s'::interval], array[gen_random_uuid()],"
                                  " array[8], array[now()])");
    plan[0] = '\0';
    for (int row = 0; row < PQntuples(result); row++) {
        strncat(plan, PQgetvalue(result, row, 0), sizeof(plan) - strlen(plan) - 2);
        strcat(plan, "\n");
    }
    cr_assert_not_null(strstr(plan, "due_by_time"), "%s", plan);
    cr_assert_not_null(strstr(plan, "due_by_holder"), "%s", plan);
    cr_assert_not_null(strstr(plan, "due_pkey"), "%s", plan);
    cr_assert_null(strstr(plan, "Seq Scan on due"), "%s", plan);
    PQclear(result);
    PQfinish(pg);
}

/* ---- by themselves ---- */

static enum db_outcome call_with(void (*make_call)(struct db *, const struct db_due *,
                                                   db_done_callback *, void *),
                                 struct db *db, db_id id, int64_t at)
{
    struct db_due due = {id, PLAYER, at};
    struct call call = {.calls = 0};

    make_call(db, &due, on_done, &call);
    run_until_done(db, &call);
    return call.outcome;
}

Test(due, a_promise_by_itself_is_made_once_and_claimed_like_others)
{
    int64_t at = ago(1);
    db_id id = new_id();

    cr_assert_eq(call_with(db_promise, bed.db, id, at), DB_OK);
    cr_assert_eq(call_with(db_promise, bed.db, id, at + 5), DB_CONFLICT);
    struct call call = claim();
    cr_assert_eq(call.count, 1);
    cr_assert_eq(call.due[0].kind, PLAYER);
    cr_assert_eq(call.due[0].at, at);
}

Test(due, a_promise_is_taken_once_and_only_at_its_time)
{
    int64_t at = ago(-minute);
    db_id id = new_id();

    cr_assert_eq(call_with(db_take_due, bed.db, id, at), DB_NOT_FOUND);
    cr_assert_eq(call_with(db_promise, bed.db, id, at), DB_OK);
    cr_assert_eq(call_with(db_take_due, bed.db, id, at + 1), DB_NOT_FOUND);
    cr_assert_eq(call_with(db_take_due, bed.db, id, at), DB_OK);
    cr_assert_eq(call_with(db_take_due, bed.db, id, at), DB_NOT_FOUND);
}

Test(due, of_two_who_take_a_promise_at_once_one_has_it)
{
    enum { ROUNDS = 20 };
    struct db_settings settings = bed_settings(bed.url);
    struct db *other = bed_open(&settings);
    int64_t at = ago(-minute);

    for (int i = 0; i < ROUNDS; i++) {
        struct call call[2] = {{.calls = 0}, {.calls = 0}};
        struct db_due due = {new_id(), PLAYER, at};

        cr_assert_eq(call_with(db_promise, bed.db, due.id, at), DB_OK);
        db_take_due(bed.db, &due, on_done, &call[0]);
        db_take_due(other, &due, on_done, &call[1]);
        while (call[0].calls + call[1].calls < 2) {
            db_run(bed.db);
            db_run(other);
        }
        cr_assert_eq((call[0].outcome == DB_OK) + (call[1].outcome == DB_OK), 1);
        cr_assert_eq((call[0].outcome == DB_NOT_FOUND) + (call[1].outcome == DB_NOT_FOUND), 1);
    }
    db_close(other);
}

/* Two may ask about the same one. */
Test(due, whether_a_promise_is_there_is_told_whatever_its_time)
{
    struct db_due due = {new_id(), PLAYER, DB_NEVER}, other = {due.id, CLOCK, DB_NEVER};
    struct call call[3] = {{.calls = 0}, {.calls = 0}, {.calls = 0}};

    cr_assert_eq(call_with(db_look_due, bed.db, due.id, DB_NEVER), DB_NOT_FOUND);
    cr_assert_eq(call_with(db_promise, bed.db, due.id, ago(-minute)), DB_OK);
    db_look_due(bed.db, &due, on_done, &call[0]);
    db_look_due(bed.db, &other, on_done, &call[1]);
    db_look_due(bed.db, &due, on_done, &call[2]);
    for (int i = 0; i < 3; i++)
        run_until_done(bed.db, &call[i]);
    cr_assert_eq(call[0].outcome, DB_OK);
    cr_assert_eq(call[1].outcome, DB_NOT_FOUND);
    cr_assert_eq(call[2].outcome, DB_OK);
}
