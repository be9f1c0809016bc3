/* test_answers.c - what is kept of the answers to requests with keys, and how it is forgotten. */
#include <criterion/criterion.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bed.h"
#include "tests/support/pg.h"

static struct bed bed;

static void make(void)
{
    bed_make(&bed);
}

static void end(void)
{
    bed_remove(&bed);
}

TestSuite(answers, .init = make, .fini = end);

static long number(const char *query)
{
    char *text = sql_value(bed.url, query);
    long value = atol(text);

    free(text);
    return value;
}

/* ---- marks ---- */

static const struct db_answer mark = {.key = {1, 2, 3, 4, 5, 6, 7, 8, 9},
                                      .fingerprint = {11, 12, 13, 14, 15, 16, 17, 18, 19}};

static struct call look_up(db_id id, const uint8_t key[DB_HASH_BYTES])
{
    struct call call = {.calls = 0};

    db_get_answer(bed.db, id, key, on_answer, &call);
    run_until_done(bed.db, &call);
    return call;
}

static enum db_outcome append(const struct db_append *append)
{
    struct call call = {.calls = 0};

    db_append(bed.db, append, on_done, &call);
    run_until_done(bed.db, &call);
    return call.outcome;
}

/* A game with one move that has left its mark. */
static struct turn marked_move(void)
{
    struct db_game game = new_game();
    struct turn turn;

    create(bed.db, &game);
    turn_make(&turn, &game, "7g7f");
    turn.append.answer = &mark;
    cr_assert_eq(append(&turn.append), DB_OK);
    return turn;
}

Test(answers, a_mark_is_found_with_the_event_that_has_it)
{
    struct turn turn = marked_move();
    struct call call = look_up(turn.after.id, mark.key);

    cr_assert_eq(call.outcome, DB_OK);
    cr_assert_null(call.answer.sealed);
    cr_assert_arr_eq(call.answer.fingerprint, mark.fingerprint, DB_MARK_BYTES);
    cr_assert_eq(call.answer.version, turn.event.version);
    cr_assert_eq(call.answer.kind, turn.event.kind);
    cr_assert_eq(call.answer.seat, turn.event.seat);
    cr_assert_eq(call.answer.line, turn.event.line);
    cr_assert_eq(call.answer.ply, turn.event.ply);
}

Test(answers, a_mark_takes_sixteen_bytes_and_no_row)
{
    struct turn turn = marked_move();

    play(bed.db, &turn.after, "3c3d");
    cr_assert_eq(number("select count(*) from answers"), 0);
    cr_assert_eq(number("select count(*) from events where mark is not null"), 1);
    cr_assert_eq(number("select sum(coalesce(pg_column_size(mark), 0) +"
                        " coalesce(pg_column_size(request), 0)) from events"),
                 16);
}

Test(answers, only_the_last_event_of_a_request_has_its_mark)
{
    struct db_game game = new_game();
    struct turn first, second;
    struct db_event events[2];

    create(bed.db, &game);
    turn_make(&first, &game, "7g7f");
    turn_make(&second, &first.after, "3c3d");
    events[0] = first.event;
    events[1] = second.event;
    second.append.events = events;
    second.append.count = 2;
    second.append.expected = game.version;
    second.append.answer = &mark;
    cr_assert_eq(append(&second.append), DB_OK);
    cr_assert_eq(number("select count(mark) from events"), 1);
    cr_assert_eq(look_up(game.id, mark.key).answer.version, second.event.version);
}

Test(answers, a_mark_is_that_of_its_game_and_key)
{
    struct turn turn = marked_move();
    struct db_game other = new_game();
    uint8_t key[DB_HASH_BYTES] = {1, 2, 3, 4, 5, 6, 7, 9};

    create(bed.db, &other);
    cr_assert_eq(look_up(other.id, mark.key).outcome, DB_NOT_FOUND);
    cr_assert_eq(look_up(turn.after.id, key).outcome, DB_NOT_FOUND);
}

Test(answers, a_mark_is_not_stored_when_its_append_is_a_conflict)
{
    struct db_game game = new_game();
    struct turn turn;

    create(bed.db, &game);
    turn_make(&turn, &game, "7g7f");
    turn.append.answer = &mark;
    turn.append.expected = 5;
    cr_assert_eq(append(&turn.append), DB_CONFLICT);
    cr_assert_eq(look_up(game.id, mark.key).outcome, DB_NOT_FOUND);
}

/* Daemons from before there were marks stored whole answers. */
Test(answers, a_whole_answer_is_found_beside_marks)
{
    struct turn turn = marked_move();
    static const struct db_answer whole = {
        .key = {7}, .fingerprint = {8}, .status = 201, .sealed = "sealed", .sealed_len = 6};
    struct turn next;

    turn_make(&next, &turn.after, "3c3d");
    next.append.answer = &whole;
    cr_assert_eq(append(&next.append), DB_OK);
    cr_assert_str_eq(look_up(turn.after.id, whole.key).sealed, "sealed");
    cr_assert_null(look_up(turn.after.id, mark.key).answer.sealed);
}

Test(answers, an_answer_by_itself_is_kept_once_and_found)
{
    struct db_answer answer = {.key = {1},
                               .fingerprint = {2},
                               .status = 200,
                               .sealed = "one",
                               .sealed_len = 3,
                               .at = 1000};
    struct call calls[2] = {{.calls = 0}, {.calls = 0}}, found;
    db_id id = new_id();

    db_keep_answer(bed.db, id, &answer, on_done, &calls[0]);
    run_until_done(bed.db, &calls[0]);
    answer.sealed = "two";
    db_keep_answer(bed.db, id, &answer, on_done, &calls[1]);
    run_until_done(bed.db, &calls[1]);
    cr_assert_eq(calls[0].outcome, DB_OK);
    cr_assert_eq(calls[1].outcome, DB_CONFLICT);
    found = look_up(id, answer.key);
    cr_assert_eq(found.outcome, DB_OK);
    cr_assert_str_eq(found.sealed, "one");
    cr_assert_eq(look_up(new_id(), answer.key).outcome, DB_NOT_FOUND);
}

Test(answers, of_those_by_themselves_the_latest_are_kept_and_those_of_others_stay)
{
    enum { MORE = 3 };
    struct db_answer answer = {.status = 200, .sealed = "one", .sealed_len = 3};
    db_id id = new_id(), other = new_id();

    for (int i = 0; i < DB_KEPT_MAX + MORE; i++) {
        struct call call = {.calls = 0};

        answer.key[0] = (uint8_t)i;
        answer.at = 1000 + i;
        db_keep_answer(bed.db, i == 0 ? other : id, &answer, on_done, &call);
        run_until_done(bed.db, &call);
        cr_assert_eq(call.outcome, DB_OK);
    }
    assert_sql(bed.url,
               "select count(*) || ' from ' || extract(microseconds from min(at))"
               " from answers group by game_id order by count(*) desc limit 1",
               "128 from 1003");
    answer.key[0] = 0;
    cr_assert_eq(look_up(other, answer.key).outcome, DB_OK);
}

Test(answers, a_key_is_looked_up_by_an_index)
{
    char *plan;

    PG_PLAIN_ONLY("it reads a plan");
    sql(bed.url, "insert into events (game_id, version, kind, seat, line, ply, key, at, mark,"
                 " request) select '00000000-0000-0000-0000-000000000001', n, 1, 1, 1, n, n,"
                 " now(), n, n from generate_series(1, 5000) n; analyze events");
    plan = sql_value(bed.url, "explain (format json) select e.version from unnest(array["
                              "'00000000-0000-0000-0000-000000000001'::uuid], array[77::int8])"
                              " as r(id, mark) cross join lateral (select * from events e where"
                              " e.game_id = r.id and e.mark = r.mark limit 1) e");
    cr_assert_not_null(strstr(plan, "events_by_mark"), "%s", plan);
    free(plan);
}

/* ---- forgetting ---- */

static const int64_t day_us = INT64_C(86400) * 1000000;

/* Stores so many answers that are `days` days old. */
static void store(int count, int days)
{
    char text[256];

    snprintf(text, sizeof(text),
             "insert into answers select gen_random_uuid(), 'key', 'fingerprint', 201,"
             " convert_to(repeat('s', 900), 'UTF8'), now() - interval '%d days'"
             " from generate_series(1, %d)",
             days, count);
    sql(bed.url, text);
}

/* Forgets answers that are older than so many days, as of now or in the future. */
static size_t forget(int64_t days)
{
    struct call call = {.calls = 0};

    db_forget_answers(bed.db, db_now(bed.db) - days * day_us, on_forgotten, &call);
    run_until_done(bed.db, &call);
    cr_assert_eq(call.outcome, DB_OK, "%s", call.error.text);
    return call.forgotten;
}

Test(answers, those_that_are_too_old_are_forgotten_and_no_others)
{
    store(3, 8);
    store(2, 6);
    cr_assert_eq(forget(7), 3);
    cr_assert_eq(forget(7), 0);
    cr_assert_eq(number("select count(*) from answers"), 2);
}

Test(answers, a_step_forgets_the_oldest_and_no_more_than_its_bound)
{
    store(DB_FORGET_MAX, 8);
    store(1, 9);
    cr_assert_eq(forget(7), DB_FORGET_MAX);
    cr_assert_eq(number("select count(*) from answers where at < now() - interval '8.5 days'"), 0);
    cr_assert_eq(forget(7), 1);
}

Test(answers, two_that_forget_at_once_do_not_wait_for_each_other)
{
    PGconn *other = PQconnectdb(bed.url);

    PG_PLAIN_ONLY("Citus skips no locked rows");
    store(5, 9);
    store(4, 8);
    PQclear(PQexec(other, "begin"));
    PQclear(PQexec(other, "delete from answers where at < now() - interval '8.5 days'"));
    cr_assert_eq(forget(7), 4, "what the other one deletes is left to it");
    PQclear(PQexec(other, "commit"));
    PQfinish(other);
    cr_assert_eq(number("select count(*) from answers"), 0);
}

Test(answers, marks_are_never_forgotten)
{
    struct turn turn = marked_move();

    cr_assert_eq(forget(-100000), 0);
    cr_assert_eq(look_up(turn.after.id, mark.key).outcome, DB_OK);
}

/* Each week is one of rows that were dated back, and of the clock that goes on by a week.
 * Autovacuum does by and by what is done here at each week's end. */
Test(answers, the_table_does_not_grow_over_the_weeks)
{
    enum { WEEKS = 12, WARM = 3, ROWS = 1200 };
    long warm = 0;

    PG_PLAIN_ONLY("it measures a table");
    for (int week = 0; week < WEEKS; week++) {
        for (int day = 0; day < 7; day++)
            store(ROWS / 7, -7 * week - day);
        while (forget(7 - 7 * (week + 1)) > 0)
            continue;
        sql(bed.url, "vacuum answers");
        cr_assert_leq(number("select count(*) from answers"), ROWS);
        if (week == WARM)
            warm = number("select pg_total_relation_size('answers')");
    }
    cr_assert_leq(number("select pg_total_relation_size('answers')"), warm + warm / 10);
}

Test(answers, the_oldest_are_found_by_an_index)
{
    char *plan;

    PG_PLAIN_ONLY("it reads a plan");
    store(5000, 3);
    sql(bed.url, "analyze answers");
    plan = sql_value(bed.url, "explain (format json) select ctid from answers where at < now()"
                              " order by at limit 500 for update skip locked");
    cr_assert_not_null(strstr(plan, "answers_by_age"), "%s", plan);
    free(plan);
}
