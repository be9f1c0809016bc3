/* test_lists.c - the list of public games and the lists of players' games. */
#include <criterion/criterion.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bed.h"
#include "db/migrate.h"
#include "tests/support/pg.h"

enum { OPEN = 1, ACTIVE = 2, FINISHED = 3, PUBLIC = 1, UNLISTED = 2, PRIVATE = 3 };

static struct bed bed;

static void make(void)
{
    bed_make(&bed);
}

static void end(void)
{
    bed_remove(&bed);
}

TestSuite(lists, .init = make, .fini = end);

static const db_id ada = {{0xad, 0xa}}, mia = {{0x31, 0xa}};

static const char *const variants[] = {"shogi", "jungle", "tictactoe"};
static const int16_t statuses[] = {OPEN, ACTIVE, FINISHED};

static struct db_list everything(int32_t limit)
{
    return (struct db_list){variants, 3, false, statuses, 3, NULL, limit};
}

static struct call list(const struct db_list *wanted)
{
    struct call call = {.calls = 0};

    db_list_games(bed.db, wanted, on_games, &call);
    run_until_done(bed.db, &call);
    cr_assert_eq(call.outcome, DB_OK, "%s", call.error.text);
    return call;
}

static struct call list_of(const struct db_player_list *wanted)
{
    struct call call = {.calls = 0};

    db_player_games(bed.db, wanted, on_games, &call);
    run_until_done(bed.db, &call);
    cr_assert_eq(call.outcome, DB_OK, "%s", call.error.text);
    return call;
}

/* Stores a game that was last active at that second. */
static struct db_game game_at(int second, const char *variant, int16_t status, int16_t visibility)
{
    struct db_game game = new_game();

    game.variant = variant;
    game.status = status;
    game.visibility = visibility;
    game.updated_at = second * INT64_C(1000000);
    create(bed.db, &game);
    return game;
}

/* Stores such a game with a player on seat 1, perhaps another on seat 2, and one of them to move.
 */
static struct db_game seated(int second, const db_id *first, const db_id *second_seat, int to_move,
                             int16_t status, int16_t visibility)
{
    const db_id *players[] = {first, second_seat};
    struct db_game game = new_game();

    game.status = status;
    game.visibility = visibility;
    game.to_move = (int16_t)to_move;
    game.updated_at = second * INT64_C(1000000);
    for (int i = 0; i < 2; i++)
        if (players[i])
            game.seat[i] = (struct db_seat){.has_player = true, .player = *players[i]};
    create(bed.db, &game);
    return game;
}

static void assert_games(const struct call *call, size_t count, const struct db_game *const games[])
{
    cr_assert_eq(call->count, count, "%zu games, not %zu", call->count, count);
    for (size_t i = 0; i < count; i++)
        cr_assert_arr_eq(&call->ids[i], &games[i]->id, sizeof(db_id), "game %zu is another", i);
}

/* ---- public games ---- */

Test(lists, public_games_come_by_their_last_activity)
{
    struct db_game old = game_at(10, "shogi", ACTIVE, PUBLIC);
    struct db_game new = game_at(30, "jungle", FINISHED, PUBLIC);
    struct db_game middle = game_at(20, "shogi", OPEN, PUBLIC);
    struct db_list wanted = everything(10);
    struct call call = list(&wanted);

    assert_games(&call, 3, (const struct db_game *const[]){&new, &middle, &old});
    cr_assert_not(call.has_next);
}

Test(lists, public_games_of_variants_that_are_not_named_come_if_they_are_wanted)
{
    struct db_game hex = game_at(10, "hex", ACTIVE, PUBLIC);
    struct db_game jungle = game_at(20, "jungle", ACTIVE, PUBLIC);
    struct db_game mill = game_at(30, "mill", ACTIVE, PUBLIC);
    struct db_list wanted = everything(10);
    struct call call = list(&wanted);

    game_at(40, "mill", ACTIVE, PRIVATE);
    assert_games(&call, 1, (const struct db_game *const[]){&jungle});
    wanted.also_others = true;
    call = list(&wanted);
    assert_games(&call, 3, (const struct db_game *const[]){&mill, &jungle, &hex});
    wanted.limit = 2;
    call = list(&wanted);
    assert_games(&call, 2, (const struct db_game *const[]){&mill, &jungle});
    cr_assert(call.has_next);
}

Test(lists, only_public_games_are_listed)
{
    struct db_game public = game_at(10, "shogi", ACTIVE, PUBLIC);
    struct db_list wanted = everything(10);

    game_at(20, "shogi", ACTIVE, UNLISTED);
    game_at(30, "shogi", ACTIVE, PRIVATE);
    struct call call = list(&wanted);
    assert_games(&call, 1, (const struct db_game *const[]){&public});
}

Test(lists, a_list_is_of_the_variants_and_statuses_that_are_asked_for)
{
    struct db_game wanted_game = game_at(10, "jungle", ACTIVE, PUBLIC);
    struct db_list wanted = {&variants[1], 2, false, &statuses[1], 1, NULL, 10};

    game_at(20, "shogi", ACTIVE, PUBLIC);
    game_at(30, "jungle", OPEN, PUBLIC);
    struct call call = list(&wanted);
    assert_games(&call, 1, (const struct db_game *const[]){&wanted_game});
}

Test(lists, a_list_without_games_is_empty)
{
    struct db_list wanted = everything(10);
    struct call call = list(&wanted);

    assert_games(&call, 0, NULL);
    cr_assert_not(call.has_next);
}

Test(lists, pages_hold_every_game_once_even_where_times_are_equal)
{
    enum { GAMES = 17 };
    struct db_game games[GAMES];
    struct db_list wanted = everything(5);
    struct db_cursor point;
    int seen[GAMES] = {0}, pages = 0;
    struct call call;

    for (int i = 0; i < GAMES; i++)
        games[i] = game_at(10 + i / 6, variants[i % 3], statuses[i % 2], PUBLIC);
    do {
        call = list(&wanted);
        for (size_t i = 0; i < call.count; i++)
            for (int j = 0; j < GAMES; j++)
                seen[j] += memcmp(&call.ids[i], &games[j].id, sizeof(db_id)) == 0;
        point = call.next;
        wanted.after = &point;
        pages++;
    } while (call.has_next);
    for (int j = 0; j < GAMES; j++)
        cr_assert_eq(seen[j], 1, "game %d was seen %d times", j, seen[j]);
    cr_assert_eq(pages, 4);
}

Test(lists, a_move_brings_its_public_game_to_the_front)
{
    struct db_game game = game_at(10, "shogi", ACTIVE, PUBLIC);
    struct db_game other = game_at(20, "shogi", ACTIVE, PUBLIC);
    struct db_list wanted = everything(10);

    game.updated_at = 30 * INT64_C(1000000);
    play(bed.db, &game, "7g7f");
    struct call call = list(&wanted);
    assert_games(&call, 2, (const struct db_game *const[]){&game, &other});
}

Test(lists, a_join_changes_under_which_status_its_game_is_listed)
{
    struct db_game game = game_at(10, "shogi", OPEN, PUBLIC);
    struct db_list wanted = {variants, 3, false, &statuses[1], 1, NULL, 10};
    struct call joined = {.calls = 0};
    struct turn turn;

    turn_make(&turn, &game, NULL);
    turn.after.status = ACTIVE;
    db_join(bed.db, &turn.append, on_done, &joined);
    run_until_done(bed.db, &joined);
    cr_assert_eq(joined.outcome, DB_OK);
    struct call call = list(&wanted);
    assert_games(&call, 1, (const struct db_game *const[]){&game});
}

Test(lists, an_append_that_is_a_conflict_leaves_the_list_alone)
{
    struct db_game game = game_at(10, "shogi", ACTIVE, PUBLIC);
    struct call late = {.calls = 0};
    struct turn turn;

    turn_make(&turn, &game, "7g7f");
    turn.append.expected = 9;
    turn.after.status = FINISHED;
    db_append(bed.db, &turn.append, on_done, &late);
    run_until_done(bed.db, &late);
    cr_assert_eq(late.outcome, DB_CONFLICT);
    char *status = sql_value(bed.url, "select status from public_games");
    cr_assert_str_eq(status, "2");
    free(status);
}

Test(lists, different_lists_share_one_query)
{
    struct db_game shogi = game_at(10, "shogi", ACTIVE, PUBLIC);
    struct db_game jungle = game_at(20, "jungle", ACTIVE, PUBLIC);
    struct db_list wanted[] = {
        everything(1), {variants, 1, false, statuses, 3, NULL, 9}, everything(9)};
    struct call calls[3] = {{.calls = 0}};
    struct db_stats before, after;

    PG_PLAIN_ONLY("there each is a query of its own");
    db_stats(bed.db, &before);
    for (int i = 0; i < 3; i++)
        db_list_games(bed.db, &wanted[i], on_games, &calls[i]);
    run_until_idle(bed.db);
    db_stats(bed.db, &after);
    cr_assert_eq(after.statements[KIND_PUBLIC_GAMES] - before.statements[KIND_PUBLIC_GAMES], 1);
    assert_games(&calls[0], 1, (const struct db_game *const[]){&jungle});
    cr_assert(calls[0].has_next);
    assert_games(&calls[1], 1, (const struct db_game *const[]){&shogi});
    assert_games(&calls[2], 2, (const struct db_game *const[]){&jungle, &shogi});
}

Test(lists, games_from_before_the_list_are_in_it)
{
    struct db_migration_report report;
    char *url = bed.url;

    PG_PLAIN_ONLY("the schema is made anew");
    db_close(bed.db);
    sql(url, "select pg_terminate_backend(pid, 60000) from pg_stat_activity" /* may be preparing */
             " where datname = current_database() and pid <> pg_backend_pid()");
    sql(url, "drop table public_games, players");
    sql(url, "drop index games_by_seat1_player, games_by_seat2_player");
    sql(url, "delete from schema_migrations where number > 1");
    sql(url, "insert into games (id, version, ply, line, lines, tip, status, to_move, winner,"
             " last_seat, last_at, updated_at, position, seat1_state, seat2_state, variant,"
             " rules_version, options, start, undo, visibility, seed, created_at)"
             " select gen_random_uuid(), 1, 0, 1, 1, 0, 2, 1, 0, 0, now(), now(), '', 2, 2,"
             " 'shogi', 1, '{}', '', 1, n, 0, now() from generate_series(1, 3) as n");
    cr_assert(db_migrate(url, NULL, &report), "%s", report.error.text);
    struct db_settings settings = bed_settings(url);
    bed.db = bed_open(&settings);
    struct db_list wanted = everything(10);
    cr_assert_eq(list(&wanted).count, 1);
}

/* ---- a player's games ---- */

Test(lists, a_player_sees_the_games_of_both_seats_once_each)
{
    struct db_game both = seated(10, &ada, &ada, 1, ACTIVE, PRIVATE);
    struct db_game first = seated(20, &ada, &mia, 1, FINISHED, PUBLIC);
    struct db_game second = seated(30, &mia, &ada, 1, OPEN, UNLISTED);
    struct db_player_list wanted = {.list = everything(10), .player = ada};

    seated(40, &mia, NULL, 1, ACTIVE, PUBLIC);
    struct call call = list_of(&wanted);
    assert_games(&call, 3, (const struct db_game *const[]){&second, &first, &both});
}

Test(lists, strangers_see_only_the_public_games_of_a_player)
{
    struct db_game public = seated(10, &ada, &mia, 1, ACTIVE, PUBLIC);
    struct db_player_list wanted = {.list = everything(10), .player = ada, .public_only = true};

    seated(20, &ada, &mia, 1, ACTIVE, UNLISTED);
    seated(30, &ada, &mia, 1, ACTIVE, PRIVATE);
    struct call call = list_of(&wanted);
    assert_games(&call, 1, (const struct db_game *const[]){&public});
}

Test(lists, a_players_list_that_names_no_variants_and_statuses_is_of_all)
{
    struct db_game aborted = seated(10, &ada, &mia, 1, 4, PRIVATE);
    struct db_game active = seated(20, &mia, &ada, 1, ACTIVE, PUBLIC);
    struct db_player_list wanted = {.list = {.limit = 10}, .player = ada};
    struct db_game strange = new_game();
    struct call call;

    strange.variant = "hex";
    strange.updated_at = 30 * INT64_C(1000000);
    strange.seat[0] = (struct db_seat){.has_player = true, .player = ada};
    create(bed.db, &strange);
    call = list_of(&wanted);
    assert_games(&call, 3, (const struct db_game *const[]){&strange, &active, &aborted});
    wanted.list.statuses = statuses;
    wanted.list.nstatuses = 2;
    call = list_of(&wanted);
    assert_games(&call, 2, (const struct db_game *const[]){&strange, &active});
}

Test(lists, by_turns_the_longest_wait_comes_first_and_what_is_over_comes_last)
{
    struct db_game over = seated(50, &ada, &mia, 1, FINISHED, PUBLIC);
    struct db_game waits_short = seated(20, &mia, &ada, 2, ACTIVE, PRIVATE);
    struct db_game waits_long = seated(10, &ada, &mia, 1, ACTIVE, PUBLIC);
    struct db_game theirs = seated(30, &ada, &mia, 2, ACTIVE, PUBLIC);
    struct db_game open = seated(40, &ada, NULL, 1, OPEN, PUBLIC);
    const struct db_game *const order[] = {&waits_long, &waits_short, &open, &theirs, &over};
    struct db_player_list wanted = {.list = everything(10), .player = ada, .by_turn = true};
    struct call call = list_of(&wanted);
    struct db_cursor point;

    assert_games(&call, 5, order);
    wanted.list.limit = 1;
    for (size_t i = 0; i < 5; i++) {
        call = list_of(&wanted);
        assert_games(&call, 1, &order[i]);
        cr_assert_eq(call.has_next, i < 4);
        point = call.next;
        wanted.list.after = &point;
    }
}

Test(lists, by_turns_the_soonest_deadline_comes_before_all_games_without_one)
{
    struct db_game games[] = {new_game(), new_game(), new_game(), new_game(), new_game()};
    const int64_t deadlines[] = {DB_NEVER, 900, 800, 700, DB_NEVER};
    const int16_t to_move[] = {1, 1, 1, 2, 2};
    const struct db_game *const order[] = {&games[2], &games[1], &games[0], &games[4], &games[3]};
    struct db_player_list wanted = {.list = everything(1), .player = ada, .by_turn = true};
    struct db_cursor point;
    struct call call;

    for (int i = 0; i < 5; i++) {
        games[i].status = ACTIVE;
        games[i].to_move = to_move[i];
        games[i].deadline_at = deadlines[i];
        games[i].updated_at = 1 + i % 4;
        games[i].seat[0] = (struct db_seat){.has_player = true, .player = ada};
        create(bed.db, &games[i]);
    }
    games[4].updated_at = 5;
    play(bed.db, &games[4], "7g7f");
    for (size_t i = 0; i < 5; i++) {
        call = list_of(&wanted);
        assert_games(&call, 1, &order[i]);
        cr_assert_eq(call.has_next, i < 4);
        if (i < 2)
            cr_assert_eq(call.next.at, order[i]->deadline_at);
        point = call.next;
        wanted.list.after = &point;
    }
}

Test(lists, a_player_may_ask_for_only_the_games_in_which_it_is_their_turn)
{
    struct db_game mine = seated(10, &ada, &mia, 1, ACTIVE, PUBLIC);
    struct db_player_list wanted = {
        .list = everything(10), .player = ada, .by_turn = true, .turn_only = true};

    seated(20, &ada, &mia, 2, ACTIVE, PUBLIC);
    seated(30, &ada, NULL, 1, OPEN, PUBLIC);
    struct call call = list_of(&wanted);
    assert_games(&call, 1, (const struct db_game *const[]){&mine});
}

/* ---- what it costs ---- */

Test(lists, a_move_touches_no_index_of_its_game)
{
    enum { MOVES = 20 };
    time_t since = time(NULL);
    struct db_game game;
    char *count = NULL;

    PG_PLAIN_ONLY("it reads the counters of one server");
    sql(bed.url, "truncate games"); /* what other tests have deleted takes up the first page */
    game = seated(10, &ada, &mia, 1, ACTIVE, PUBLIC);
    for (int i = 0; i < MOVES; i++) {
        game.updated_at++;
        play(bed.db, &game, "7g7f");
    }
    db_close(bed.db); /* a session tells what it counted when it ends */
    do {
        free(count);
        cr_assert(time(NULL) - since < 240, "the server counts no updates");
        count = sql_value(bed.url, "select n_tup_upd || ' ' || n_tup_hot_upd"
                                   " from pg_stat_user_tables where relname = 'games'");
    } while (atoi(count) < MOVES);
    cr_assert_str_eq(count, "20 20");
    free(count);
    struct db_settings settings = bed_settings(bed.url);
    bed.db = bed_open(&settings);
}

static const char fill[] =
    "insert into games (id, version, ply, line, lines, tip, status, to_move, winner, last_seat,"
    " last_at, updated_at, position, seat1_state, seat1_player, seat2_state, seat2_player, variant,"
    " rules_version, options, start, undo, visibility, seed, created_at)"
    " select md5(n::text)::uuid, 1, 0, 1, 1, 0, 1 + n % 3, 1, 0, 0, now(),"
    " now() - n * interval '1 second', '', 2, md5((n % 5000)::text)::uuid, 2,"
    " md5((n % 4999)::text)::uuid, (array['shogi', 'jungle', 'tictactoe'])[1 + n / 3 % 3], 1, '{}',"
    " '', 1, 1, 0, now() from generate_series(1, 100000) as n";

static void assert_bounded(PGconn *pg)
{
    const char *plan =
        plan_of(pg, KIND_PUBLIC_GAMES,
                "array_fill(1, array[9]), array_fill(51, array[9]),"
                " array_fill(now() - interval '7 hours', array[9]),"
                " array_fill('ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid, array[9]),"
                " '{shogi,shogi,shogi,jungle,jungle,jungle,null,null,null}', /* tictactoe */"
                " '{1,2,3,1,2,3,1,2,3}'");
    cr_assert_null(strstr(plan, "Seq Scan"), "%s", plan);
    cr_assert_not_null(strstr(plan, "public_games_by_activity"), "%s", plan);
    cr_assert_lt(plan_pages(plan), 1000, "%s", plan);
    plan = plan_of(pg, KIND_PLAYER_GAMES,
                   "array[md5('77')::uuid], '{1}', '{0}', '{0}', '{-2}', '{2000-01-01}',"
                   " '{00000000-0000-0000-0000-000000000000}', '{51}',"
                   " '{shogi,jungle,tictactoe}', '{1,2,3}', '{null}', '{0}', '{null}'");
    cr_assert_null(strstr(plan, "Seq Scan"), "%s", plan);
    cr_assert_not_null(strstr(plan, "games_by_seat2_player"), "%s", plan);
    cr_assert_lt(plan_pages(plan), 300, "%s", plan);
}

Test(lists, pages_of_a_hundred_thousand_games_are_found_by_index)
{
    PGconn *pg = PQconnectdb(bed.url);

    PG_PLAIN_ONLY("it reads plans");
    plan_fill(bed.url, "games", fill);
    plan_fill(bed.url, "public_games",
              "insert into public_games select id, variant, status, updated_at from games");
    plan_prepare(pg, KIND_PUBLIC_GAMES);
    plan_prepare(pg, KIND_PLAYER_GAMES);
    assert_bounded(pg); /* before the server knows anything of the tables */
    sql(bed.url, "analyze games");
    sql(bed.url, "analyze public_games");
    assert_bounded(pg);
    PQfinish(pg);
}
