/* test_writes.c - creating games, appending to them, joining them. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bed.h"
#include "db/kinds.h"
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

TestSuite(writes, .init = make, .fini = end);

static struct call append(const struct db_append *request)
{
    struct call call = {.calls = 0};
    db_append(bed.db, request, on_done, &call);
    run_until_done(bed.db, &call);
    return call;
}

static struct call join(const struct db_append *request)
{
    struct call call = {.calls = 0};
    db_join(bed.db, request, on_done, &call);
    run_until_done(bed.db, &call);
    return call;
}

static struct call get_game(db_id id)
{
    struct call call = {.calls = 0};
    db_get_game(bed.db, id, on_game, &call);
    run_until_done(bed.db, &call);
    return call;
}

Test(writes, a_created_game_is_read_as_it_was_written)
{
    struct db_game game = new_game();
    game.position = "any text: \xe6\xad\xa9 'quoted' \\ and so on";
    game.status = -3;
    game.seed = INT64_MIN;
    game.created_at = 946684800000000 - 1; /* the last microsecond of 1999 */
    game.seat[1] = (struct db_seat){.state = 2,
                                    .name = "Mia",
                                    .has_token = true,
                                    .token = {7, 8},
                                    .has_player = true,
                                    .player = {{9}}};
    create(bed.db, &game);
    struct call call = get_game(game.id);
    cr_assert_eq(call.outcome, DB_OK);
    cr_assert_str_eq(call.position, game.position);
    cr_assert_eq(call.game.status, -3);
    cr_assert_eq(call.game.seed, INT64_MIN);
    cr_assert_eq(call.game.created_at, game.created_at);
    cr_assert_null(call.game.reason);
    cr_assert_not(call.game.seat[0].has_token);
    cr_assert(call.game.seat[1].has_token && call.game.seat[1].has_player);
    cr_assert_arr_eq(call.game.seat[1].token, game.seat[1].token, DB_HASH_BYTES);
    cr_assert_arr_eq(&call.game.seat[1].player, &game.seat[1].player, sizeof(db_id));
}

Test(writes, a_second_game_of_the_same_id_is_a_conflict)
{
    struct db_game game = new_game();
    struct db_event first = {.version = 1, .line = 1};
    struct db_create request = {.game = &game, .events = &first, .count = 1};
    struct call call = {.calls = 0};

    create(bed.db, &game);
    db_create(bed.db, &request, on_done, &call);
    run_until_done(bed.db, &call);
    cr_assert_eq(call.outcome, DB_CONFLICT);
    assert_sql(bed.url, "select count(*) from events", "1");
}

Test(writes, an_append_changes_the_game_and_adds_its_events)
{
    struct db_game game = new_game();
    struct turn turn;

    create(bed.db, &game);
    turn_make(&turn, &game, "7g7f");
    cr_assert_eq(append(&turn.append).outcome, DB_OK);
    struct call call = get_game(game.id);
    cr_assert_eq(call.game.version, 2);
    cr_assert_eq(call.game.ply, 1);
    cr_assert_str_eq(call.position, turn.after.position);
    assert_sql(bed.url, "select count(*) from events where version = 2 and move = '7g7f'", "1");
}

Test(writes, several_events_of_one_append_are_all_written)
{
    struct db_game game = new_game(), after;
    static struct db_event events[DB_EVENTS_MAX];

    create(bed.db, &game);
    for (int i = 0; i < DB_EVENTS_MAX; i++)
        events[i] = (struct db_event){.version = 2 + i,
                                      .kind = DB_EVENT_MOVE,
                                      .ply = 1 + i,
                                      .line = 1,
                                      .move = "m",
                                      .position = "p"};
    after = game;
    after.version = 1 + DB_EVENTS_MAX;
    struct db_append request = {
        .after = &after, .expected = 1, .events = events, .count = DB_EVENTS_MAX};
    cr_assert_eq(append(&request).outcome, DB_OK);
    assert_sql(bed.url, "select count(distinct version) from events", "4097");
}

Test(writes, an_append_at_another_version_is_a_conflict_and_writes_nothing)
{
    struct db_game game = new_game();
    struct turn turn;

    create(bed.db, &game);
    turn_make(&turn, &game, "7g7f");
    turn.append.expected = 5;
    cr_assert_eq(append(&turn.append).outcome, DB_CONFLICT);
    cr_assert_eq(get_game(game.id).game.version, 1);
    assert_sql(bed.url, "select count(*) from events", "1");
}

Test(writes, an_append_to_a_game_that_is_not_there_is_not_found)
{
    struct db_game game = new_game();
    struct turn turn;

    turn_make(&turn, &game, "7g7f");
    cr_assert_eq(append(&turn.append).outcome, DB_NOT_FOUND);
    assert_sql(bed.url, "select count(*) from events", "0");
}

Test(writes, seats_are_changed_by_a_join_and_not_by_an_append)
{
    struct db_game game = new_game();
    struct turn turn;

    create(bed.db, &game);
    game.seat[0].state = 5;
    play(bed.db, &game, "7g7f");
    cr_assert_eq(get_game(game.id).game.seat[0].state, 0);
    turn_make(&turn, &game, NULL);
    cr_assert_eq(join(&turn.append).outcome, DB_OK);
    cr_assert_eq(get_game(game.id).game.seat[0].state, 5);
}

/* ---- clocks, offers, rematches, invitations ---- */

Test(writes, a_game_without_a_clock_is_read_without_one)
{
    struct db_game game = new_game();

    create(bed.db, &game);
    struct call call = get_game(game.id);
    cr_assert_null(call.game.clock);
    cr_assert_null(call.game.timing);
    cr_assert_null(call.game.offers);
    cr_assert_eq(call.game.deadline_at, DB_NEVER);
    cr_assert_eq(call.game.plans, 0);
    cr_assert_not(call.game.has_next || call.game.seat[0].has_invitation);
    assert_sql(bed.url,
               "select num_nulls(deadline_at, timing, offers, next_game, clock,"
               " seat1_invitation, seat1_invited_until, seat2_invitation,"
               " seat2_invited_until) from games",
               "9");
}

Test(writes, a_created_game_has_its_clock_and_its_invitations)
{
    struct db_game game = new_game();

    game.clock = "{\"per_move_us\":5}";
    game.timing = "{\"left\":5}";
    game.deadline_at = 123456789;
    game.seat[1].has_invitation = true;
    game.seat[1].invitation[31] = 7;
    game.seat[1].invited_until = 4711;
    create(bed.db, &game);
    struct call call = get_game(game.id);
    cr_assert_str_eq(call.clock, game.clock);
    cr_assert_str_eq(call.timing, game.timing);
    cr_assert_eq(call.game.deadline_at, 123456789);
    cr_assert_not(call.game.seat[0].has_invitation);
    cr_assert(call.game.seat[1].has_invitation);
    cr_assert_eq(call.game.seat[1].invitation[31], 7);
    cr_assert_eq(call.game.seat[1].invited_until, 4711);
}

Test(writes, an_append_sets_the_deadline_the_timing_the_offers_the_plans_and_the_rematch)
{
    struct db_game game = new_game();
    struct turn turn;

    create(bed.db, &game);
    turn_make(&turn, &game, "7g7f");
    turn.after.deadline_at = 99;
    turn.after.timing = "timing";
    turn.after.offers = "offers";
    turn.after.plans = 6;
    turn.after.has_next = true;
    turn.after.next = new_id();
    cr_assert_eq(append(&turn.append).outcome, DB_OK);
    struct call call = get_game(game.id);
    cr_assert_eq(call.game.deadline_at, 99);
    cr_assert_str_eq(call.timing, "timing");
    cr_assert_str_eq(call.offers, "offers");
    cr_assert_eq(call.game.plans, 6);
    cr_assert(call.game.has_next);
    cr_assert_arr_eq(&call.game.next, &turn.after.next, sizeof(db_id));
}

Test(writes, an_append_without_them_takes_them_back)
{
    struct db_game game = new_game(), plain = game;
    struct turn turn;

    game.deadline_at = 99;
    game.timing = game.offers = "text";
    game.has_next = true;
    create(bed.db, &game);
    turn_make(&turn, &plain, "7g7f");
    cr_assert_eq(append(&turn.append).outcome, DB_OK);
    assert_sql(bed.url, "select num_nulls(deadline_at, timing, offers, next_game) from games", "4");
}

/* How many statements of a kind a turn took. */
static uint64_t statements_of(const struct turn *turn, enum db_kind kind)
{
    struct db_stats before, after;

    db_stats(bed.db, &before);
    cr_assert_eq(append(&turn->append).outcome, DB_OK);
    db_stats(bed.db, &after);
    return after.statements[kind] - before.statements[kind];
}

Test(writes, a_move_alone_is_a_statement_of_its_own)
{
    struct db_game game = new_game();
    struct turn turn;

    create(bed.db, &game);
    game.offers = game.timing = "text";
    game.deadline_at = 99;
    turn_make(&turn, &game, "7g7f");
    cr_assert_eq(statements_of(&turn, KIND_MOVE_ALONE), 1);
    struct call call = get_game(game.id);
    cr_assert_eq(call.game.ply, 1);
    cr_assert_eq(call.game.tip, 1);
    cr_assert_eq(call.game.last_seat, 1);
    cr_assert_eq(call.game.deadline_at, 99);
    cr_assert_str_eq(call.offers, "text");
}

/* One whose place in the list says that nothing was ever done. */
static struct db_game new_public_game(void)
{
    struct db_game game = new_game();

    game.visibility = DB_VISIBILITY_PUBLIC;
    create(bed.db, &game);
    sql(bed.url, "update public_games set active_at = '-infinity'");
    return game;
}

static void assert_shown(void)
{
    assert_sql(bed.url, "select count(*) from public_games where isfinite(active_at)", "1");
}

Test(writes, a_move_of_a_public_game_is_a_statement_that_shows_it)
{
    struct db_game game = new_public_game();
    struct turn turn;

    turn_make(&turn, &game, "7g7f");
    cr_assert_eq(statements_of(&turn, KIND_SHOWN_MOVE_ALONE), 1);
    assert_shown();
}

Test(writes, a_move_that_ends_a_game_is_a_statement_that_shows_it)
{
    struct db_game game = new_game();
    struct turn turn;

    create(bed.db, &game);
    turn_make(&turn, &game, "7g7f");
    turn.after.status = DB_STATUS_FINISHED;
    cr_assert_eq(statements_of(&turn, KIND_SHOWN_MOVE_ALONE), 1);
    assert_sql(bed.url, "select kind from due", "11");
}

Test(writes, a_move_of_a_game_that_is_public_unknown_to_the_writer_is_shown_all_the_same)
{
    struct db_game game = new_public_game();
    struct turn turn;

    game.visibility = 2;
    turn_make(&turn, &game, "7g7f");
    cr_assert_eq(append(&turn.append).outcome, DB_OK);
    assert_shown();
}

Test(writes, a_move_with_a_promise_is_a_whole_append)
{
    struct db_game game = new_game();
    struct db_due due = {game.id, 1, 99};
    struct turn turn;

    create(bed.db, &game);
    turn_make(&turn, &game, "7g7f");
    turn.append.dues = &due;
    turn.append.ndues = 1;
    cr_assert_eq(statements_of(&turn, KIND_APPEND), 1);
    assert_sql(bed.url, "select count(*) from due", "1");
}

Test(writes, a_move_that_says_less_than_the_game_is_a_whole_append)
{
    struct db_game game = new_game();
    struct turn turn;

    create(bed.db, &game);
    turn_make(&turn, &game, "7g7f");
    turn.after.tip = 9;
    cr_assert_eq(statements_of(&turn, KIND_APPEND), 1);
    assert_sql(bed.url, "select tip from games", "9");
}

Test(writes, the_terms_of_a_clock_are_changed_by_nothing)
{
    struct db_game game = new_game();
    struct turn turn;

    game.clock = "terms";
    create(bed.db, &game);
    game.clock = "others";
    play(bed.db, &game, "7g7f");
    turn_make(&turn, &game, NULL);
    cr_assert_eq(join(&turn.append).outcome, DB_OK);
    cr_assert_str_eq(get_game(game.id).clock, "terms");
}

Test(writes, a_join_sets_the_invitations_and_takes_them_back)
{
    struct db_game game = new_game();
    struct turn turn;

    create(bed.db, &game);
    turn_make(&turn, &game, NULL);
    turn.after.seat[0].has_invitation = true;
    turn.after.seat[0].invited_until = 5;
    cr_assert_eq(join(&turn.append).outcome, DB_OK);
    game = turn.after;
    struct call call = get_game(game.id);
    cr_assert(call.game.seat[0].has_invitation);
    cr_assert_eq(call.game.seat[0].invited_until, 5);
    turn_make(&turn, &game, NULL);
    turn.after.seat[0].has_invitation = false;
    cr_assert_eq(join(&turn.append).outcome, DB_OK);
    cr_assert_not(get_game(game.id).game.seat[0].has_invitation);
}

Test(writes, an_append_that_does_not_know_of_a_plan_is_a_conflict)
{
    struct db_game game = new_game();
    struct turn turn;

    game.plans = 5;
    create(bed.db, &game);
    turn_make(&turn, &game, "7g7f");
    turn.append.expected_plans = 1;
    cr_assert_eq(append(&turn.append).outcome, DB_CONFLICT);
    cr_assert_eq(join(&turn.append).outcome, DB_CONFLICT);
    turn.append.expected_plans = turn.after.plans = 0;
    cr_assert_eq(append(&turn.append).outcome, DB_CONFLICT);
    turn.append.expected_plans = 5;
    cr_assert_eq(append(&turn.append).outcome, DB_OK);
}

/* ---- answers ---- */

static const struct db_answer answer = {.key = {1, 2, 3},
                                        .fingerprint = {4, 5},
                                        .status = 201,
                                        .sealed = "sealed",
                                        .sealed_len = 6,
                                        .at = 1000};

static struct call get_answer(db_id id)
{
    struct call call = {.calls = 0};
    db_get_answer(bed.db, id, answer.key, on_answer, &call);
    run_until_done(bed.db, &call);
    return call;
}

Test(writes, an_answer_is_stored_with_its_append)
{
    struct db_game game = new_game();
    struct turn turn;

    create(bed.db, &game);
    turn_make(&turn, &game, "7g7f");
    turn.append.answer = &answer;
    cr_assert_eq(append(&turn.append).outcome, DB_OK);
    struct call call = get_answer(game.id);
    cr_assert_eq(call.outcome, DB_OK);
    cr_assert_eq(call.answer.status, 201);
    cr_assert_eq(call.answer.at, 1000);
    cr_assert_arr_eq(call.answer.fingerprint, answer.fingerprint, DB_HASH_BYTES);
    cr_assert_str_eq(call.sealed, "sealed");
}

Test(writes, an_answer_is_not_stored_when_its_append_is_a_conflict)
{
    struct db_game game = new_game();
    struct turn turn;

    create(bed.db, &game);
    turn_make(&turn, &game, "7g7f");
    turn.append.answer = &answer;
    turn.append.expected = 5;
    cr_assert_eq(append(&turn.append).outcome, DB_CONFLICT);
    cr_assert_eq(get_answer(game.id).outcome, DB_NOT_FOUND);
}

Test(writes, an_append_whose_key_was_answered_before_is_a_conflict_and_writes_nothing)
{
    struct db_game game = new_game();
    struct turn turn;

    create(bed.db, &game);
    turn_make(&turn, &game, "7g7f");
    turn.append.answer = &answer;
    cr_assert_eq(append(&turn.append).outcome, DB_OK);
    game = turn.after;
    turn_make(&turn, &game, "3c3d");
    turn.append.answer = &answer;
    cr_assert_eq(append(&turn.append).outcome, DB_CONFLICT);
    cr_assert_eq(get_game(game.id).game.version, 2);
}

/* ---- batches ---- */

enum { MANY = 64 };

Test(writes, writes_that_wait_together_go_out_as_one_statement)
{
    static struct db_game games[MANY];
    static struct turn turns[MANY];
    static struct call calls[MANY];
    struct db_stats before, after;

    PG_PLAIN_ONLY("the games are of several shards");
    for (int i = 0; i < MANY; i++) {
        games[i] = new_game();
        create(bed.db, &games[i]);
        turn_make(&turns[i], &games[i], "7g7f");
    }
    db_stats(bed.db, &before);
    for (int i = 0; i < MANY; i++)
        db_append(bed.db, &turns[i].append, on_done, &calls[i]);
    run_until_idle(bed.db);
    db_stats(bed.db, &after);
    for (int i = 0; i < MANY; i++)
        cr_assert_eq(calls[i].outcome, DB_OK);
    cr_assert_str_eq(db_stat_name(KIND_MOVE), "move");
    cr_assert_eq(after.statements[KIND_MOVE] - before.statements[KIND_MOVE], 1);
    cr_assert_eq(after.members[KIND_MOVE] - before.members[KIND_MOVE], MANY);
}

Test(writes, a_poisoned_append_is_refused_alone)
{
    static struct db_game games[MANY];
    static struct turn turns[MANY];
    static struct call calls[MANY];
    enum { POISONED = 37 };

    for (int i = 0; i < MANY; i++) {
        games[i] = new_game();
        create(bed.db, &games[i]);
        turn_make(&turns[i], &games[i], "7g7f");
    }
    turns[POISONED].after.position = "\xff is no UTF-8";
    for (int i = 0; i < MANY; i++)
        db_append(bed.db, &turns[i].append, on_done, &calls[i]);
    run_until_idle(bed.db);
    for (int i = 0; i < MANY; i++)
        cr_assert_eq(calls[i].outcome, i == POISONED ? DB_REFUSED : DB_OK, "%d: %s", i,
                     calls[i].error.text);
    cr_assert_str_eq(calls[POISONED].error.sqlstate, "22021");
}

Test(writes, of_two_appends_at_once_to_one_game_one_is_done_and_one_is_a_conflict)
{
    struct db_game game = new_game();
    struct call calls[2] = {{.calls = 0}};
    struct turn turns[2];

    create(bed.db, &game);
    for (int i = 0; i < 2; i++) {
        turn_make(&turns[i], &game, "7g7f");
        db_append(bed.db, &turns[i].append, on_done, &calls[i]);
    }
    run_until_idle(bed.db);
    cr_assert_eq(calls[0].outcome + calls[1].outcome, DB_OK + DB_CONFLICT);
    assert_sql(bed.url, "select count(*) from events", "2");
}

Test(writes, a_batch_tells_its_good_conflicting_and_unknown_members_apart)
{
    struct db_game games[3] = {new_game(), new_game(), new_game()};
    struct call calls[3] = {{.calls = 0}};
    struct turn turns[3];

    create(bed.db, &games[0]);
    create(bed.db, &games[1]);
    for (int i = 0; i < 3; i++)
        turn_make(&turns[i], &games[i], "7g7f");
    turns[1].append.expected = 9;
    for (int i = 0; i < 3; i++)
        db_append(bed.db, &turns[i].append, on_done, &calls[i]);
    run_until_idle(bed.db);
    cr_assert_eq(calls[0].outcome, DB_OK);
    cr_assert_eq(calls[1].outcome, DB_CONFLICT);
    cr_assert_eq(calls[2].outcome, DB_NOT_FOUND);
}
