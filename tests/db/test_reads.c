/* test_reads.c - games, versions, events, the moves and keys of lines. */
#include <criterion/criterion.h>

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

TestSuite(reads, .init = make, .fini = end);

static struct call get_events_of(db_id id, int16_t kind, int32_t after, int32_t limit)
{
    struct call call = {.calls = 0};
    db_get_events(bed.db, id, kind, after, limit, on_events, &call);
    run_until_done(bed.db, &call);
    return call;
}

static struct call get_events(db_id id, int32_t after, int32_t limit)
{
    return get_events_of(id, 0, after, limit);
}

static struct call get_moves(db_id id, int32_t line, int32_t from, int32_t to)
{
    struct call call = {.calls = 0};
    db_get_moves(bed.db, id, line, from, to, on_events, &call);
    run_until_done(bed.db, &call);
    cr_assert_eq(call.outcome, DB_OK, "%s", call.error.text);
    return call;
}

static struct call get_keys(db_id id, int32_t line, int32_t from, int32_t to)
{
    struct call call = {.calls = 0};
    db_get_keys(bed.db, id, line, from, to, on_keys, &call);
    run_until_done(bed.db, &call);
    cr_assert_eq(call.outcome, DB_OK, "%s", call.error.text);
    return call;
}

static void assert_moves(const struct call *call, size_t count, const char *const moves[])
{
    cr_assert_eq(call->count, count, "%zu moves, not %zu", call->count, count);
    for (size_t i = 0; i < count; i++)
        cr_assert_str_eq(call->moves[i], moves[i]);
}

/* Line 1: a b c d. Undone to ply 2, line 2: e f g. Undone to ply 3, line 3: h. */
static struct db_game branched_game(void)
{
    struct db_game game = new_game();

    create(bed.db, &game);
    for (const char *const *move = (const char *const[]){"a", "b", "c", "d", NULL}; *move; move++)
        play(bed.db, &game, *move);
    set_back(bed.db, &game, 2);
    for (const char *const *move = (const char *const[]){"e", "f", "g", NULL}; *move; move++)
        play(bed.db, &game, *move);
    set_back(bed.db, &game, 3);
    play(bed.db, &game, "h");
    return game;
}

/* ---- games and versions ---- */

Test(reads, a_game_that_is_not_there_is_not_found)
{
    struct db_game game = new_game();
    struct call call = {.calls = 0}, version = {.calls = 0};

    db_get_game(bed.db, game.id, on_game, &call);
    db_get_version(bed.db, game.id, on_version, &version);
    run_until_idle(bed.db);
    cr_assert_eq(call.outcome, DB_NOT_FOUND);
    cr_assert_eq(version.outcome, DB_NOT_FOUND);
}

Test(reads, many_readers_of_few_games_share_one_query)
{
    enum { READERS = 128 }; /* as many as a batch has */
    struct db_game games[2] = {new_game(), new_game()};
    static struct call calls[READERS];
    struct db_stats before, after;

    PG_PLAIN_ONLY("the games are of several shards");
    create(bed.db, &games[0]);
    create(bed.db, &games[1]);
    play(bed.db, &games[1], "a");
    db_stats(bed.db, &before);
    for (int i = 0; i < READERS; i++)
        db_get_game(bed.db, games[i % 2].id, on_game, &calls[i]);
    run_until_idle(bed.db);
    db_stats(bed.db, &after);
    for (int i = 0; i < READERS; i++) {
        cr_assert_eq(calls[i].outcome, DB_OK);
        cr_assert_eq(calls[i].game.version, games[i % 2].version);
    }
    cr_assert_str_eq(db_stat_name(KIND_GAME), "game");
    cr_assert_eq(after.statements[KIND_GAME] - before.statements[KIND_GAME], 1);
    cr_assert_eq(after.members[KIND_GAME] - before.members[KIND_GAME], READERS);
}

Test(reads, the_version_of_a_game_is_that_of_its_last_event)
{
    struct db_game game = branched_game();
    struct call call = {.calls = 0};

    db_get_version(bed.db, game.id, on_version, &call);
    run_until_done(bed.db, &call);
    cr_assert_eq(call.outcome, DB_OK);
    cr_assert_eq(call.version, game.version);
}

/* ---- events ---- */

Test(reads, events_come_in_pages)
{
    struct db_game game = branched_game(); /* 11 events */
    struct call page = get_events(game.id, 0, 4);

    cr_assert_eq(page.count, 4);
    cr_assert_eq(page.events[0].version, 1);
    cr_assert_eq(page.events[3].version, 4);
    page = get_events(game.id, 8, 4);
    cr_assert_eq(page.count, 3);
    cr_assert_eq(page.events[2].version, 11);
    cr_assert_str_eq(page.moves[2], "h");
}

Test(reads, events_of_one_kind_come_alone)
{
    struct db_game game = branched_game();
    struct call all = get_events(game.id, 0, 11);
    struct call moves = get_events_of(game.id, DB_EVENT_MOVE, 0, 11);

    cr_assert_eq(all.count, 11);
    cr_assert_eq(moves.count, 8);
    cr_assert_str_eq(moves.moves[0], "a");
    cr_assert_str_eq(moves.moves[7], "h");
    cr_assert_eq(get_events_of(game.id, DB_EVENT_MOVE, 8, 2).count, 1);
    cr_assert_eq(get_events_of(game.id, 99, 0, 11).count, 0);
    cr_assert_eq(get_events_of(new_game().id, DB_EVENT_MOVE, 0, 11).outcome, DB_NOT_FOUND);
}

Test(reads, events_after_the_last_one_are_none)
{
    struct db_game game = branched_game();
    struct call page = get_events(game.id, game.version, 10);

    cr_assert_eq(page.outcome, DB_OK);
    cr_assert_eq(page.count, 0);
    page = get_events(game.id, INT32_MAX, INT32_MAX);
    cr_assert_eq(page.outcome, DB_OK);
    cr_assert_eq(page.count, 0);
}

Test(reads, a_log_has_all_events_without_their_positions)
{
    struct db_game game = branched_game();
    struct call log = {.calls = 0};

    db_get_log(bed.db, game.id, 7, 9, on_events, &log);
    run_until_done(bed.db, &log);
    cr_assert_eq(log.count, 4);
    cr_assert_eq(log.events[3].version, 11);
    cr_assert_str_eq(log.moves[3], "h");
    for (size_t i = 0; i < log.count; i++)
        cr_assert_null(log.events[i].position);
}

Test(reads, events_of_a_game_that_is_not_there_are_not_found)
{
    cr_assert_eq(get_events(new_game().id, 0, 10).outcome, DB_NOT_FOUND);
}

Test(reads, different_pages_of_different_games_share_one_query)
{
    struct db_game games[2] = {branched_game(), branched_game()};
    struct call calls[4] = {{.calls = 0}};

    db_get_events(bed.db, games[0].id, 0, 0, 3, on_events, &calls[0]);
    db_get_events(bed.db, games[0].id, 0, 9, 9, on_events, &calls[1]);
    db_get_events(bed.db, new_game().id, 0, 0, 9, on_events, &calls[2]);
    db_get_events(bed.db, games[1].id, 0, 5, 1, on_events, &calls[3]);
    run_until_idle(bed.db);
    cr_assert_eq(calls[0].count, 3);
    cr_assert_eq(calls[1].count, 2);
    cr_assert_eq(calls[1].events[0].version, 10);
    cr_assert_eq(calls[2].outcome, DB_NOT_FOUND);
    cr_assert_eq(calls[3].count, 1);
    cr_assert_eq(calls[3].events[0].version, 6);
}

Test(reads, stretches_that_may_be_long_have_a_query_each)
{
    struct db_game game = branched_game();
    struct call calls[2] = {{.calls = 0}};
    struct db_stats before, after;

    db_stats(bed.db, &before);
    for (int i = 0; i < 2; i++)
        db_get_events(bed.db, game.id, 0, 0, 4000, on_events, &calls[i]);
    run_until_idle(bed.db);
    db_stats(bed.db, &after);
    cr_assert_eq(after.statements[KIND_EVENTS] - before.statements[KIND_EVENTS], 2);
    for (int i = 0; i < 2; i++)
        cr_assert_eq(calls[i].count, 11);
}

/* ---- lines ---- */

Test(reads, the_first_line_keeps_the_moves_that_were_undone)
{
    struct call call = get_moves(branched_game().id, 1, 1, 4);
    assert_moves(&call, 4, (const char *const[]){"a", "b", "c", "d"});
}

Test(reads, a_later_line_begins_with_the_moves_of_earlier_ones)
{
    struct call call = get_moves(branched_game().id, 2, 1, 5);
    assert_moves(&call, 5, (const char *const[]){"a", "b", "e", "f", "g"});
}

Test(reads, the_present_line_takes_each_ply_from_the_latest_line_that_has_it)
{
    struct call call = get_moves(branched_game().id, 3, 1, 4);
    assert_moves(&call, 4, (const char *const[]){"a", "b", "e", "h"});
}

Test(reads, what_was_played_on_a_line_is_read_without_positions)
{
    struct db_game game = branched_game();
    struct call call = {.calls = 0};

    db_get_played(bed.db, game.id, 3, 2, 4, on_events, &call);
    run_until_done(bed.db, &call);
    assert_moves(&call, 3, (const char *const[]){"b", "e", "h"});
    cr_assert_null(call.events[0].position);
}

Test(reads, a_stretch_of_a_line_is_read_alone)
{
    struct call call = get_moves(branched_game().id, 3, 2, 3);
    assert_moves(&call, 2, (const char *const[]){"b", "e"});
    cr_assert_eq(call.events[0].ply, 2);
    call = get_moves(branched_game().id, 3, 4, INT32_MAX);
    cr_assert_str_eq(call.moves[0], "h");
}

Test(reads, moves_that_were_undone_can_be_redone_and_read)
{
    struct db_game game = new_game();

    create(bed.db, &game);
    for (const char *const *move = (const char *const[]){"a", "b", "c", NULL}; *move; move++)
        play(bed.db, &game, *move);
    struct turn undo;
    turn_make(&undo, &game, NULL);
    undo.event.kind = 7;
    undo.after.ply = 1; /* the tip stays at 3 */
    undo.after.tip = 3;
    struct call done = {.calls = 0};
    db_append(bed.db, &undo.append, on_done, &done);
    run_until_done(bed.db, &done);
    struct call call = get_moves(game.id, 1, 1, 3);
    assert_moves(&call, 3, (const char *const[]){"a", "b", "c"});
    call = get_moves(game.id, 1, 2, 2);
    assert_moves(&call, 1, (const char *const[]){"b"});
}

Test(reads, keys_are_those_of_the_moves_and_of_the_first_position)
{
    struct call call = get_keys(branched_game().id, 3, 0, 4);
    static const int64_t keys[] = {1000, 1001, 1002, 2003, 3004};

    cr_assert_eq(call.count, 5);
    cr_assert_arr_eq(call.keys, keys, sizeof(keys));
    call = get_keys(branched_game().id, 1, 3, 4);
    cr_assert_eq(call.count, 2);
    cr_assert_eq(call.keys[0], 1003);
}

static struct call get_line_end(db_id id, int32_t line)
{
    struct call call = {.calls = 0};
    db_get_line_end(bed.db, id, line, on_line_end, &call);
    run_until_done(bed.db, &call);
    return call;
}

Test(reads, a_line_ends_with_the_last_move_that_is_its_own)
{
    struct db_game game = branched_game();

    cr_assert_eq(get_line_end(game.id, 1).ply, 4);
    cr_assert_eq(get_line_end(game.id, 2).ply, 5);
    cr_assert_eq(get_line_end(game.id, 3).ply, 4);
    cr_assert_eq(get_line_end(game.id, 4).ply, 0, "there is no such line");
    cr_assert_eq(get_line_end(game.id, 4).outcome, DB_OK);
}

Test(reads, moves_of_a_game_that_is_not_there_are_not_found)
{
    struct call moves = {.calls = 0}, keys = {.calls = 0};

    db_get_moves(bed.db, new_game().id, 1, 1, 9, on_events, &moves);
    db_get_keys(bed.db, new_game().id, 1, 0, 9, on_keys, &keys);
    run_until_idle(bed.db);
    cr_assert_eq(moves.outcome, DB_NOT_FOUND);
    cr_assert_eq(keys.outcome, DB_NOT_FOUND);
    cr_assert_eq(get_line_end(new_game().id, 1).outcome, DB_NOT_FOUND);
}
