/* test_unread.c - how far players have read their games, what is new to them there, and when games
 * end. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "bed.h"
#include "tests/support/pg.h"

enum { ACTIVE = 2, FINISHED = 3 };

static struct bed bed;
static struct call done_call;
static const db_id ada = {{0xad, 0xa}}, mia = {{0x31, 0xa}}, eve = {{0xee}};

static void make(void)
{
    bed_make(&bed);
}

static void end(void)
{
    bed_remove(&bed);
}

TestSuite(unread, .init = make, .fini = end);

/* A game of two, in which seat 1 has moved so often. */
static struct db_game game_of(const db_id *first, const db_id *second, int moves)
{
    const db_id *players[] = {first, second};
    struct db_game game = new_game();

    game.status = ACTIVE;
    for (int i = 0; i < DB_SEATS; i++)
        if (players[i] != NULL)
            game.seat[i] = (struct db_seat){.has_player = true, .player = *players[i]};
    create(bed.db, &game);
    for (int i = 0; i < moves; i++)
        play(bed.db, &game, "x");
    return game;
}

static void read_up_to(const struct db_game *game, db_id player, int32_t version)
{
    CALL(DB_OK, done, db_set_read, game->id, player, version);
}

/* The marks of both seats of the only game. */
static void assert_marks(const char *marks)
{
    assert_sql(bed.url,
               "select coalesce(seat1_read, 0) || ' ' || coalesce(seat2_read, 0) from games",
               marks);
}

/* ---- marks ---- */

Test(unread, a_player_marks_how_far_they_have_read_a_game)
{
    struct db_game game = game_of(&ada, &mia, 3);

    read_up_to(&game, mia, 3);
    assert_marks("0 3");
    read_up_to(&game, ada, 4);
    assert_marks("4 3");
}

Test(unread, a_mark_never_goes_back)
{
    struct db_game game = game_of(&ada, &mia, 3);

    read_up_to(&game, mia, 3);
    read_up_to(&game, mia, 2);
    assert_marks("0 3");
}

Test(unread, a_mark_goes_no_further_than_the_game)
{
    struct db_game game = game_of(&ada, &mia, 3);

    read_up_to(&game, mia, 999999999);
    assert_marks("0 4");
}

Test(unread, whoever_holds_no_seat_marks_nothing_and_is_answered_as_anybody)
{
    struct db_game game = game_of(&ada, NULL, 3);

    read_up_to(&game, eve, 3);
    assert_marks("0 0");
    CALL(DB_OK, done, db_set_read, new_id(), eve, 3);
}

Test(unread, whoever_holds_both_seats_has_one_mark)
{
    struct db_game game = game_of(&ada, &ada, 3);

    read_up_to(&game, ada, 3);
    assert_marks("3 3");
}

Test(unread, marks_of_several_at_once_are_all_kept)
{
    struct db_game game = game_of(&ada, &mia, 3);
    struct call calls[3] = {{.calls = 0}, {.calls = 0}, {.calls = 0}};

    db_set_read(bed.db, game.id, ada, 2, on_done, &calls[0]);
    db_set_read(bed.db, game.id, mia, 3, on_done, &calls[1]);
    db_set_read(bed.db, game.id, mia, 1, on_done, &calls[2]);
    run_until_idle(bed.db);
    for (int i = 0; i < 3; i++)
        cr_assert_eq(calls[i].outcome, DB_OK);
    assert_marks("2 3");
}

Test(unread, a_move_leaves_the_marks_as_they_are)
{
    struct db_game game = game_of(&ada, &mia, 3);

    read_up_to(&game, mia, 3);
    play(bed.db, &game, "x");
    assert_marks("0 3");
}

Test(unread, whoever_takes_a_seat_has_read_nothing)
{
    struct db_game game = game_of(&ada, &mia, 3);
    struct turn turn;

    read_up_to(&game, ada, 2);
    read_up_to(&game, mia, 3);
    turn_make(&turn, &game, "x");
    turn.after.seat[1].player = eve;
    CALL(DB_OK, done, db_join, &turn.append);
    assert_marks("2 0");
}

/* ---- what is new ---- */

static int32_t unread_of(const struct db_unread_from *from, size_t count, db_id game)
{
    CALL(DB_OK, unread, db_count_unread, ada, from, count);
    for (size_t i = 0; i < done_call.count; i++)
        if (memcmp(&done_call.unread[i].game, &game, sizeof(game)) == 0)
            return done_call.unread[i].events;
    return 0;
}

Test(unread, what_others_did_behind_a_version_is_counted_and_not_what_one_did_oneself)
{
    struct db_game game = game_of(&ada, &mia, 5); /* versions 2 to 6, by seat 1 */

    cr_assert_eq(unread_of(&(struct db_unread_from){game.id, 3, 1 << 2}, 1, game.id), 3);
    cr_assert_eq(unread_of(&(struct db_unread_from){game.id, 6, 1 << 2}, 1, game.id), 0);
    cr_assert_eq(unread_of(&(struct db_unread_from){game.id, 3, 1 << 1}, 1, game.id), 0);
}

Test(unread, of_several_games_each_has_its_number)
{
    struct db_game one = game_of(&ada, &mia, 5), two = game_of(&ada, &mia, 2),
                   three = game_of(&ada, &mia, 1);
    struct db_unread_from from[] = {
        {one.id, 4, 1 << 2}, {two.id, 3, 1 << 2}, {three.id, 1, 1 << 2}};

    cr_assert_eq(unread_of(from, 3, one.id), 2);
    cr_assert_eq(unread_of(from, 3, two.id), 0);
    cr_assert_eq(unread_of(from, 3, three.id), 1);
}

Test(unread, that_ones_own_time_ran_out_is_news)
{
    struct db_game game = game_of(&ada, &mia, 1);
    struct turn turn;

    turn_make(&turn, &game, NULL);
    turn.event.kind = DB_EVENT_TIMEOUT;
    CALL(DB_OK, done, db_append, &turn.append);
    cr_assert_eq(unread_of(&(struct db_unread_from){game.id, 1, 1 << 1}, 1, game.id), 1);
}

/* ---- the state of all of a player's games ---- */

static struct call state(db_id player)
{
    CALL(DB_OK, player_state, db_get_player_state, player);
    return done_call;
}

Test(unread, a_players_state_says_how_far_they_have_read_and_where_it_is_their_turn)
{
    struct db_game game = game_of(&ada, &mia, 3), other = game_of(&mia, &ada, 1);

    read_up_to(&game, mia, 3);
    read_up_to(&other, mia, 1);
    cr_assert_eq(state(mia).read, 4);
    cr_assert_eq(state(mia).waiting, 1);
    cr_assert_eq(state(ada).read, 0);
    cr_assert_eq(state(ada).waiting, 1);
    cr_assert_eq(state(eve).waiting, 0);
}

Test(unread, a_game_whose_both_sides_one_plays_waits_once_and_not_once_it_is_over)
{
    struct db_game game = game_of(&ada, &ada, 1);
    struct turn turn;

    cr_assert_eq(state(ada).waiting, 1);
    turn_make(&turn, &game, "x");
    turn.after.status = FINISHED;
    CALL(DB_OK, done, db_append, &turn.append);
    cr_assert_eq(state(ada).waiting, 0);
}

/* ---- ends ---- */

static struct db_game finish(struct db_game game)
{
    struct turn turn;

    turn_make(&turn, &game, "x");
    turn.after.status = FINISHED;
    CALL(DB_OK, done, db_append, &turn.append);
    return turn.after;
}

Test(unread, a_game_has_an_end_once_it_is_over_and_what_follows_does_not_move_it)
{
    struct db_game game = game_of(&ada, &mia, 1);

    assert_sql(bed.url, "select ended_at is null from games", "t");
    game = finish(game);
    assert_sql(bed.url, "select now() - ended_at between '0' and '1 hour' from games", "t");
    sql(bed.url, "update games set ended_at = '2020-01-01Z'");
    play(bed.db, &game, "x");
    assert_sql(bed.url, "select ended_at = '2020-01-01Z' from games", "t");
}

Test(unread, a_game_that_goes_on_again_has_no_end)
{
    struct db_game game = finish(game_of(&ada, &mia, 1));

    game.status = ACTIVE;
    set_back(bed.db, &game, 0);
    assert_sql(bed.url, "select ended_at is null from games", "t");
}

Test(unread, a_game_that_is_over_when_it_is_made_has_an_end)
{
    struct db_game game = new_game();

    game.status = FINISHED;
    create(bed.db, &game);
    assert_sql(bed.url, "select now() - ended_at between '0' and '1 hour' from games", "t");
}

static size_t ended_after(int64_t at)
{
    static const struct db_list all = {.limit = 10};

    CALL(DB_OK, games, db_player_games,
         (&(struct db_player_list){.list = all, .player = ada, .ended_after = at}));
    return done_call.count;
}

Test(unread, a_list_of_games_that_ended_after_a_time_has_no_others)
{
    game_of(&ada, &mia, 1);
    finish(game_of(&ada, &mia, 1));
    sql(bed.url, "update games set ended_at = to_timestamp(50) where status = 3");
    cr_assert_eq(ended_after(0), 2);
    cr_assert_eq(ended_after(49000000), 1);
    cr_assert_eq(done_call.game.ended_at, 50000000);
    cr_assert_eq(ended_after(50000000), 0);
}

Test(unread, a_game_that_an_older_program_ended_counts_by_its_last_activity)
{
    finish(game_of(&ada, &mia, 1));
    sql(bed.url, "update games set ended_at = null, updated_at = to_timestamp(50)");
    cr_assert_eq(ended_after(49000000), 1);
    cr_assert_eq(done_call.game.ended_at, 50000000);
    cr_assert_eq(ended_after(50000000), 0);
}

Test(unread, a_players_list_says_how_far_both_seats_have_read)
{
    struct db_game game = game_of(&ada, &mia, 3);

    read_up_to(&game, ada, 2);
    cr_assert_eq(ended_after(0), 1);
    cr_assert_eq(done_call.game.read[0], 2);
    cr_assert_eq(done_call.game.read[1], 0);
    cr_assert_eq(done_call.game.ended_at, DB_NEVER);
}

/* ---- plans ---- */

static const char fill_games[] =
    "insert into games (id, version, ply, line, lines, tip, status, to_move, winner, last_seat,"
    " last_at, updated_at, position, seat1_state, seat1_player, seat2_state, seat2_player, variant,"
    " rules_version, options, start, undo, visibility, seed, created_at, ended_at)"
    " select md5(n::text)::uuid, 10, 9, 1, 1, 0, 2 + n % 2, 1, 0, 0, now(),"
    " now() - n * interval '1 second', '', 2, md5((n % 5000)::text)::uuid, 2,"
    " md5((n % 4999)::text)::uuid, 'shogi', 1, '{}', '', 1, 1, 0, now(),"
    " case n % 2 when 1 then now() - n * interval '1 second' end"
    " from generate_series(1, 100000) as n";

static const char fill_events[] =
    "insert into events (game_id, version, kind, seat, line, ply, key, at, move, position)"
    " select md5(n::text)::uuid, v, 1, 1 + v % 2, 1, v, 0, now(), 'x', 'y'"
    " from generate_series(1, 10000) as n, generate_series(1, 10) as v";

static void assert_indexed(PGconn *pg, enum db_kind kind, const char *arguments, const char *index)
{
    const char *plan = plan_of(pg, kind, arguments);

    cr_assert_null(strstr(plan, "Seq Scan"), "%s", plan);
    cr_assert_not_null(strstr(plan, index), "%s", plan);
    cr_assert_lt(plan_pages(plan), 1000, "%s", plan);
}

static void assert_all_indexed(PGconn *pg)
{
    assert_indexed(pg, KIND_SET_READ, "array[md5('7')::uuid], array[md5('7')::uuid], '{10}'",
                   "games_pkey");
    assert_indexed(pg, KIND_UNREAD,
                   "fifty_games(), array_fill(1, array[50]), array_fill(4::int2, array[50])",
                   "events_pkey");
    assert_indexed(pg, KIND_PLAYER_STATE, "array[md5('77')::uuid]", "games_by_seat2_player");
    assert_indexed(pg, KIND_PLAYER_GAMES,
                   "array[md5('77')::uuid], '{1}', '{0}', '{0}', '{-2}', '{2000-01-01}',"
                   " '{00000000-0000-0000-0000-000000000000}', '{51}', '{}', '{3}', '{null}',"
                   " '{0}', array[now() - interval '7 hours']",
                   "games_by_seat2_player");
}

Test(unread, marks_and_news_of_a_hundred_thousand_games_are_found_by_index)
{
    static const enum db_kind kinds[] = {KIND_SET_READ, KIND_UNREAD, KIND_PLAYER_STATE,
                                         KIND_PLAYER_GAMES};
    PGconn *pg = PQconnectdb(bed.url);

    PG_PLAIN_ONLY("it reads plans");
    plan_fill(bed.url, "games", fill_games);
    plan_fill(bed.url, "events", fill_events);
    sql(bed.url, "create function fifty_games() returns uuid[] language sql as"
                 " 'select array_agg(md5(n::text)::uuid) from generate_series(1, 50) n'");
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        plan_prepare(pg, kinds[i]);
    assert_all_indexed(pg); /* before the server knows anything of the tables */
    sql(bed.url, "analyze games");
    sql(bed.url, "analyze events");
    assert_all_indexed(pg);
    PQfinish(pg);
}
