/* test_plans.c - what seats have in mind: plans and notes. */
#include <criterion/criterion.h>
#include <string.h>

#include "bed.h"

static struct bed bed;

static void make(void)
{
    bed_make(&bed);
}

static void end(void)
{
    bed_remove(&bed);
}

static struct db_game game;

static void make_game(void)
{
    make();
    game = new_game();
    game.updated_at = 4711;
    create(bed.db, &game);
}

TestSuite(plans, .init = make_game, .fini = end);
TestSuite(notes, .init = make_game, .fini = end);

/* ---- plans ---- */

static enum db_outcome set_plan(int32_t version, int32_t expected, int32_t plans,
                                const struct db_plan *plan)
{
    struct db_set_plan set = {game.id, version, expected, plans, plan};
    struct call call = {.calls = 0};

    db_set_plan(bed.db, &set, on_done, &call);
    run_until_done(bed.db, &call);
    return call.outcome;
}

static struct call get_plan(int16_t seat)
{
    struct call call = {.calls = 0};

    db_get_plan(bed.db, game.id, seat, on_plan, &call);
    run_until_done(bed.db, &call);
    return call;
}

Test(plans, a_plan_is_read_as_it_was_set)
{
    cr_assert_eq(set_plan(1, 0, 5, &(struct db_plan){1, 3, 17, "{\"7g7f\":1}"}), DB_OK);
    struct call call = get_plan(1);
    cr_assert_eq(call.outcome, DB_OK);
    cr_assert_eq(call.plan.seat, 1);
    cr_assert_eq(call.plan.line, 3);
    cr_assert_eq(call.plan.ply, 17);
    cr_assert_str_eq(call.tree, "{\"7g7f\":1}");
    cr_assert_eq(get_plan(2).outcome, DB_NOT_FOUND);
}

Test(plans, a_plan_takes_the_place_of_the_one_before_and_leaves_the_other_seats_alone)
{
    cr_assert_eq(set_plan(1, 0, 5, &(struct db_plan){1, 1, 0, "a"}), DB_OK);
    cr_assert_eq(set_plan(1, 5, 11, &(struct db_plan){2, 1, 0, "b"}), DB_OK);
    cr_assert_eq(set_plan(1, 11, 15, &(struct db_plan){1, 2, 3, "c"}), DB_OK);
    struct call call = get_plan(1);
    cr_assert(call.plan.line == 2 && call.plan.ply == 3);
    cr_assert_str_eq(call.tree, "c");
    cr_assert_str_eq(get_plan(2).tree, "b");
}

Test(plans, a_plan_can_be_deleted)
{
    cr_assert_eq(set_plan(1, 0, 5, &(struct db_plan){1, 1, 0, "a"}), DB_OK);
    cr_assert_eq(set_plan(1, 5, 8, &(struct db_plan){1, 1, 0, NULL}), DB_OK);
    cr_assert_eq(get_plan(1).outcome, DB_NOT_FOUND);
    assert_sql(bed.url, "select plans from games", "8");
}

Test(plans, a_plan_is_counted_and_is_no_news)
{
    struct call call = {.calls = 0};

    cr_assert_eq(set_plan(1, 0, 5, &(struct db_plan){1, 1, 0, "a"}), DB_OK);
    db_get_game(bed.db, game.id, on_game, &call);
    run_until_done(bed.db, &call);
    cr_assert_eq(call.game.plans, 5);
    cr_assert_eq(call.game.version, 1);
    cr_assert_eq(call.game.updated_at, 4711);
}

Test(plans, a_plan_for_another_version_or_another_count_is_a_conflict)
{
    cr_assert_eq(set_plan(2, 0, 5, &(struct db_plan){1, 1, 0, "a"}), DB_CONFLICT);
    cr_assert_eq(set_plan(1, 1, 5, &(struct db_plan){1, 1, 0, "a"}), DB_CONFLICT);
    cr_assert_eq(get_plan(1).outcome, DB_NOT_FOUND);
    assert_sql(bed.url, "select plans from games", "0");
}

Test(plans, a_plan_of_a_game_that_is_not_there_is_not_found)
{
    game.id = new_id();
    cr_assert_eq(set_plan(1, 0, 5, &(struct db_plan){1, 1, 0, "a"}), DB_NOT_FOUND);
}

Test(plans, of_a_move_and_a_plan_at_once_only_one_is_done)
{
    struct db_set_plan set = {game.id, 1, 0, 5, &(struct db_plan){1, 1, 0, "a"}};
    struct call calls[2] = {{.calls = 0}};
    struct turn turn;

    turn_make(&turn, &game, "7g7f");
    db_append(bed.db, &turn.append, on_done, &calls[0]);
    db_set_plan(bed.db, &set, on_done, &calls[1]);
    run_until_idle(bed.db);
    cr_assert_eq(calls[0].outcome + calls[1].outcome, DB_OK + DB_CONFLICT);
}

/* ---- notes ---- */

static enum db_outcome set_note(int16_t seat, int32_t ply, const char *text)
{
    struct db_note note = {ply, text, 100 + ply};
    struct call call = {.calls = 0};

    db_set_note(bed.db, game.id, seat, &note, on_done, &call);
    run_until_done(bed.db, &call);
    return call.outcome;
}

static struct call get_some_notes(int16_t seat, int32_t after, int32_t limit)
{
    struct call call = {.calls = 0};

    db_get_notes(bed.db, game.id, seat, after, limit, on_notes, &call);
    run_until_done(bed.db, &call);
    cr_assert_eq(call.outcome, DB_OK);
    return call;
}

static struct call get_notes(int16_t seat)
{
    return get_some_notes(seat, -1, DB_NOTES_MAX);
}

Test(notes, notes_are_read_by_their_plies)
{
    cr_assert_eq(set_note(1, 7, "seven"), DB_OK);
    cr_assert_eq(set_note(1, 3, "three"), DB_OK);
    cr_assert_eq(set_note(2, 5, "theirs"), DB_OK);
    struct call call = get_notes(1);
    cr_assert_eq(call.count, 2);
    cr_assert_eq(call.notes[0].ply, 3);
    cr_assert_eq(call.notes[0].at, 103);
    cr_assert_str_eq(call.texts[0], "three");
    cr_assert_str_eq(call.texts[1], "seven");
}

Test(notes, notes_are_read_in_pages)
{
    for (int32_t ply = 0; ply < 5; ply++)
        cr_assert_eq(set_note(1, ply, "note"), DB_OK);
    struct call call = get_some_notes(1, -1, 2);
    cr_assert_eq(call.count, 2);
    cr_assert_eq(call.notes[0].ply, 0);
    call = get_some_notes(1, 2, 9);
    cr_assert_eq(call.count, 2);
    cr_assert_eq(call.notes[0].ply, 3);
    cr_assert_eq(get_some_notes(1, 4, 9).count, 0);
}

Test(notes, a_game_without_notes_has_none)
{
    cr_assert_eq(get_notes(1).count, 0);
}

Test(notes, a_note_takes_the_place_of_the_one_before)
{
    cr_assert_eq(set_note(1, 7, "seven"), DB_OK);
    cr_assert_eq(set_note(1, 7, "better"), DB_OK);
    struct call call = get_notes(1);
    cr_assert_eq(call.count, 1);
    cr_assert_str_eq(call.texts[0], "better");
}

Test(notes, a_note_can_be_deleted)
{
    cr_assert_eq(set_note(1, 7, "seven"), DB_OK);
    cr_assert_eq(set_note(1, 8, "eight"), DB_OK);
    cr_assert_eq(set_note(1, 7, NULL), DB_OK);
    cr_assert_eq(set_note(1, 9, NULL), DB_OK);
    struct call call = get_notes(1);
    cr_assert_eq(call.count, 1);
    cr_assert_eq(call.notes[0].ply, 8);
}

Test(notes, a_seat_has_so_many_notes_at_most)
{
    sql(bed.url, "insert into notes select id, 1, n, 'note', now()"
                 " from games, generate_series(1, 1000) as n");
    cr_assert_eq(set_note(1, 1001, "one more"), DB_CONFLICT);
    cr_assert_eq(set_note(1, 1000, "another text"), DB_OK);
    cr_assert_eq(set_note(2, 1001, "of another seat"), DB_OK);
    cr_assert_eq(set_note(1, 5, NULL), DB_OK);
    cr_assert_eq(set_note(1, 1001, "one more"), DB_OK);
    assert_sql(bed.url, "select count(*) from notes where seat = 1", "1000");
}
