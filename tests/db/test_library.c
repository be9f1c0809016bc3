/* test_library.c - collections of games, searching them, and the games of a position. */
#include <criterion/criterion.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <string.h>

#include "bed.h"
#include "db/library.h"
#include "tests/support/pg.h"

static struct bed bed;
static db_id player;
static struct call done_call;

static void make(void)
{
    bed_make(&bed);
    player = new_id();
}

static void end(void)
{
    bed_remove(&bed);
}

TestSuite(library, .init = make, .fini = end);

static struct db_collection make_collection(const char *name)
{
    struct db_collection collection = {.id = new_id(), .name = name, .created_at = db_now(bed.db)};

    CALL(DB_OK, done, db_set_collection, player, &collection);
    return collection;
}

static struct db_game make_game(const char *name, int16_t status, int16_t winner)
{
    struct db_game game = new_game();

    game.seat[0].name = name;
    game.status = status;
    game.winner = winner;
    create(bed.db, &game);
    return game;
}

static void collect(const struct db_collection *collection, const struct db_game *game)
{
    struct db_collected collected = {player, collection->id, &game->id, 1, db_now(bed.db)};

    CALL(DB_OK, done, db_collect, &collected);
}

static struct db_search search_of(const struct db_collection *collection)
{
    return (struct db_search){.player = player,
                              .collection = collection->id,
                              .winner = -1,
                              .from = DB_NEVER,
                              .to = DB_NEVER,
                              .limit = 10};
}

static void found(const struct db_search *search, size_t count)
{
    CALL(DB_OK, games, db_search, search);
    cr_assert_eq(done_call.count, count, "%zu", done_call.count);
}

Test(library, collections_are_made_renamed_and_deleted)
{
    struct db_collection first = make_collection("B"), second = make_collection("A");
    struct db_game game = make_game("x", 2, 0);

    collect(&first, &game);
    second.name = "C";
    CALL(DB_OK, done, db_set_collection, player, &second);
    CALL(DB_OK, collections, db_get_collections, player);
    cr_assert_eq(done_call.count, 2);
    cr_assert_str_eq(done_call.texts[0], "B");
    cr_assert_eq(done_call.collections[0].games, 1);
    cr_assert_str_eq(done_call.texts[1], "C");
    CALL(DB_OK, done, db_delete_collection, player, first.id);
    CALL(DB_NOT_FOUND, done, db_delete_collection, player, first.id);
    assert_sql(bed.url, "select count(*) from collection_games", "0");
    assert_sql(bed.url, "select count(*) from games", "1");
}

Test(library, a_player_has_a_bounded_number_of_collections)
{
    struct db_collection more = {.id = new_id(), .name = "more", .created_at = db_now(bed.db)};

    for (int i = 0; i < DB_COLLECTIONS_MAX; i++)
        make_collection("x");
    CALL(DB_CONFLICT, done, db_set_collection, player, &more);
}

Test(library, a_collection_has_a_bounded_number_of_games)
{
    struct db_collection full = make_collection("A"), other = make_collection("B");
    struct db_game game = make_game("x", 3, 1);
    struct db_collected collected = {player, full.id, &game.id, 1, db_now(bed.db)};

    sql(bed.url, "update collections set games = 50000 where name = 'A'");
    CALL(DB_CONFLICT, done, db_collect, &collected);
    assert_sql(bed.url, "select count(*) from collection_games", "0");
    collect(&other, &game);
    sql(bed.url, "update collections set games = 49999 where name = 'A'");
    collect(&full, &game);
}

/* What others have collected stays. */
Test(library, a_player_who_leaves_leaves_no_collections_and_no_notes_of_positions)
{
    struct db_player ada = {.id = player,
                            .name = "Ada",
                            .created_at = db_now(bed.db),
                            .left_at = DB_NEVER,
                            .joined = {.at = DB_NEVER}};
    struct db_create_player request = {.player = &ada};
    struct db_collection collection = make_collection("A");
    struct db_game game = make_game("x", 3, 1);
    struct db_reached reached = {.key = 7, .game = game.id, .next = "", .at = db_now(bed.db)};

    CALL(DB_OK, done, db_create_player, &request);
    collect(&collection, &game);
    CALL(DB_OK, done, db_note_reached, player, &reached, 1);
    CALL(DB_OK, done, db_note_reached, new_id(), &reached, 1);
    ada.left_at = db_now(bed.db);
    CALL(DB_OK, done, db_set_player, &(struct db_player_change){.had = &ada, .player = &ada});
    assert_sql(bed.url, "select count(*) from collections", "0");
    assert_sql(bed.url, "select count(*) from collection_games", "0");
    assert_sql(bed.url, "select count(*) from positions", "1");
    assert_sql(bed.url, "select count(*) from games", "1");
}

Test(library, a_game_that_is_collected_is_to_be_looked_at_once)
{
    struct db_collection collection = make_collection("A");
    struct db_game game = make_game("x", 3, 1);

    collect(&collection, &game);
    collect(&collection, &game);
    assert_sql(bed.url, "select count(*) from due where kind = 11", "1");
    assert_sql(bed.url, "select count(*) from collection_games", "1");
    CALL(DB_OK, collectors, db_get_collectors, game.id);
    cr_assert_eq(done_call.count, 1);
    cr_assert_arr_eq(&done_call.ids[0], &player, sizeof(player));
    CALL(DB_OK, done, db_uncollect, player, collection.id, game.id);
    CALL(DB_NOT_FOUND, done, db_uncollect, player, collection.id, game.id);
}

static void has_games(int32_t games)
{
    CALL(DB_OK, collections, db_get_collections, player);
    cr_assert_eq(done_call.collections[0].games, games, "%d", done_call.collections[0].games);
}

Test(library, the_number_of_games_follows_what_is_added_and_taken_out)
{
    struct db_collection collection = make_collection("A");
    struct db_game first = make_game("x", 3, 1), second = make_game("y", 3, 1);

    collect(&collection, &first);
    collect(&collection, &second);
    collect(&collection, &second);
    has_games(2);
    CALL(DB_OK, done, db_uncollect, player, collection.id, first.id);
    CALL(DB_NOT_FOUND, done, db_uncollect, player, collection.id, first.id);
    has_games(1);
    CALL(DB_OK, done, db_set_collection, player, &collection);
    has_games(1);
}

Test(library, a_search_of_a_collection_that_does_not_exist_finds_that_out)
{
    struct db_collection collection = make_collection("A");
    struct db_search search = search_of(&collection);

    found(&search, 0);
    search.collection = new_id();
    CALL(DB_NOT_FOUND, games, db_search, &search);
}

Test(library, a_search_looks_at_a_bounded_number_of_games_and_goes_on_behind_them)
{
    struct db_collection collection = make_collection("A");
    struct db_game game = make_game("x", 3, 1);
    struct db_search search = search_of(&collection);
    struct db_cursor next;

    collect(&collection, &game);
    assert_sql(bed.url,
               "with added as (insert into collection_games"
               " select player_id, id, gen_random_uuid(), now() + interval '1 hour'"
               " from collections, generate_series(1, 2000) returning 1)"
               " select count(*) from added",
               "2000");
    found(&search, 0);
    cr_assert(done_call.has_next);
    next = done_call.next;
    search.after = &next;
    found(&search, 1);
    cr_assert_not(done_call.has_next);
}

Test(library, a_game_of_two_collections_stands_apart_in_one_of_them)
{
    struct db_collection one = make_collection("A"), two = make_collection("B");
    struct db_game game = make_game("x", 3, 1), held = new_game();
    struct db_search in_one = search_of(&one), in_two = search_of(&two);
    size_t both;

    held.seat[1].has_player = true;
    held.seat[1].player = player;
    create(bed.db, &held);
    collect(&one, &held);
    collect(&one, &game);
    collect(&two, &game);
    in_one.apart = in_two.apart = true;
    CALL(DB_OK, games, db_search, &in_one);
    both = done_call.count;
    CALL(DB_OK, games, db_search, &in_two);
    cr_assert_eq(both + done_call.count, 1);
}

Test(library, nothing_is_added_to_a_collection_of_somebody_else)
{
    struct db_collection collection = make_collection("A");
    struct db_game game = make_game("x", 3, 1);
    struct db_collected collected = {new_id(), collection.id, &game.id, 1, db_now(bed.db)};

    CALL(DB_NOT_FOUND, done, db_collect, &collected);
    assert_sql(bed.url, "select count(*) from collection_games", "0");
}

Test(library, games_are_found_by_name_result_and_variant)
{
    struct db_collection collection = make_collection("A");
    struct db_game won = make_game("Habu Yoshiharu", 3, 1), drawn = make_game("Ada", 3, 0);
    struct db_search search = search_of(&collection);

    collect(&collection, &won);
    collect(&collection, &drawn);
    found(&search, 2);
    search.name = "habu";
    found(&search, 1);
    cr_assert_arr_eq(&done_call.ids[0], &won.id, sizeof(won.id));
    search.name = NULL;
    search.winner = 0;
    found(&search, 1);
    cr_assert_arr_eq(&done_call.ids[0], &drawn.id, sizeof(drawn.id));
}

Test(library, games_are_found_by_any_of_several_variants)
{
    static const char *const names[] = {"none", "jungle", "shogi"};
    struct db_collection collection = make_collection("A");
    struct db_search search = search_of(&collection);

    for (size_t i = 1; i < 3; i++) {
        struct db_game game = new_game();

        game.variant = names[i];
        create(bed.db, &game);
        collect(&collection, &game);
    }
    search.variants = names;
    search.nvariants = 1;
    found(&search, 0);
    search.nvariants = 2;
    found(&search, 1);
    search.nvariants = 3;
    found(&search, 2);
    search.nvariants = 0;
    found(&search, 2);
}

Test(library, games_are_found_by_when_they_began)
{
    struct db_collection collection = make_collection("A");
    struct db_game game = make_game("x", 3, 1);
    struct db_search search = search_of(&collection);

    collect(&collection, &game);
    search.from = 0;
    search.to = db_now(bed.db) + 1000000;
    found(&search, 1);
    search.from = search.to;
    search.to = DB_NEVER;
    found(&search, 0);
}

Test(library, a_game_that_began_when_a_search_ends_is_not_found)
{
    struct db_collection collection = make_collection("A");
    struct db_game game = make_game("x", 3, 1);
    struct db_search search = search_of(&collection);

    collect(&collection, &game);
    search.to = 0; /* when its first event is from */
    found(&search, 0);
    search.to++;
    found(&search, 1);
}

Test(library, pages_of_a_search_go_on_where_the_one_before_ended)
{
    struct db_collection collection = make_collection("A");
    struct db_search search = search_of(&collection);
    struct db_cursor after;

    for (int i = 0; i < 5; i++) {
        struct db_game game = make_game("x", 3, 1);

        collect(&collection, &game);
    }
    search.limit = 3;
    found(&search, 3);
    cr_assert(done_call.has_next);
    after = done_call.next;
    search.after = &after;
    found(&search, 2);
    cr_assert_not(done_call.has_next);
}

Test(library, games_of_a_position_are_counted_by_the_move_that_followed)
{
    struct db_reached reached[3];

    for (int i = 0; i < 3; i++)
        reached[i] = (struct db_reached){
            7, new_id(), 1, i < 2 ? "7g7f" : "2g2f", (int16_t)(i % 2), db_now(bed.db) + i};
    CALL(DB_OK, done, db_note_reached, player, reached, 3);
    CALL(DB_OK, done, db_note_reached, player, reached, 3);
    CALL(DB_OK, reached_moves, db_count_reached, player, 7, false);
    cr_assert_eq(done_call.count, 2);
    cr_assert_str_eq(done_call.texts[0], "7g7f");
    cr_assert_eq(done_call.reached_by[0].wins[0], 1);
    cr_assert_eq(done_call.reached_by[0].draws, 1);
    CALL(DB_OK, reached_games, db_get_reached, player, 7, false, 2);
    cr_assert_eq(done_call.count, 2);
    cr_assert_arr_eq(&done_call.reached[0].game, &reached[2].game, sizeof(db_id));
    CALL(DB_OK, reached_moves, db_count_reached, player, 7, true);
    cr_assert_eq(done_call.count, 0, "none of them is in a collection");
}

Test(library, of_a_players_games_those_count_that_are_still_collected)
{
    struct db_collection collection = make_collection("A");
    struct db_game game = make_game("x", 3, 1);
    struct db_reached reached = {7, game.id, 1, "7g7f", 1, db_now(bed.db)};
    struct db_search search = search_of(&collection);

    collect(&collection, &game);
    CALL(DB_OK, done, db_note_reached, player, &reached, 1);
    CALL(DB_OK, reached_moves, db_count_reached, player, 7, true);
    cr_assert_eq(done_call.count, 1);
    search.key = 7;
    found(&search, 1);
    search.key = 8;
    found(&search, 0);
    CALL(DB_OK, done, db_uncollect, player, collection.id, game.id);
    CALL(DB_OK, reached_moves, db_count_reached, player, 7, true);
    cr_assert_eq(done_call.count, 0);
}

/* ---- notes of older programs ---- */

/* As programs did before `made` was there. */
static void note_as_before(const char *games, const char *notes_each)
{
    char query[512];

    snprintf(query, sizeof(query),
             "insert into positions (scope, key, game_id, ply, next, winner, at)"
             " select gen_random_uuid(), k, g.id, 0, '', 1, now()"
             " from (select gen_random_uuid() as id from generate_series(1, %s)) g,"
             " generate_series(1, %s) k",
             games, notes_each);
    sql(bed.url, query);
}

static void renews(size_t games)
{
    memset(&done_call, 0, sizeof(done_call));
    db_renew_positions(bed.db, on_renewed, &done_call);
    run_until_done(bed.db, &done_call);
    cr_assert_eq(done_call.outcome, DB_OK, "%s", done_call.error.text);
    cr_assert_eq(done_call.renewed, games, "%zu", done_call.renewed);
}

Test(library, notes_of_older_programs_are_deleted_and_their_games_noted_again_one_after_the_other)
{
    struct db_reached reached = {7, new_id(), 1, "7g7f", 1, db_now(bed.db)};

    CALL(DB_OK, done, db_note_reached, player, &reached, 1);
    note_as_before("20", "3");
    renews(20);
    assert_sql(bed.url, "select count(*) from positions", "1");
    assert_sql(bed.url, "select count(*) from due where kind = 11", "20");
    assert_sql(bed.url, "select max(at) - min(at) from due", "00:00:00.38");
    renews(0);
    assert_sql(bed.url, "select count(*) from due", "20");
}

Test(library, a_step_of_renewing_is_bounded_and_the_next_one_goes_on_behind_it)
{
    note_as_before("50", "80");
    renews(25);
    assert_sql(bed.url, "select count(*) from positions", "2000");
    renews(25);
    assert_sql(bed.url, "select count(*) from positions", "0");
    assert_sql(bed.url, "select count(*) from due", "50");
}

Test(library, a_game_that_is_promised_already_is_promised_once)
{
    note_as_before("1", "3");
    sql(bed.url, "insert into due (id, kind, at, leased_until)"
                 " select game_id, 11, timestamptz '2000-01-01', now() from positions"
                 " on conflict (id, kind) do nothing");
    renews(1);
    assert_sql(bed.url, "select extract(year from at) from due", "2000");
}

Test(library, notes_that_another_daemon_is_renewing_are_left_to_it)
{
    PGconn *other = PQconnectdb(bed.url);

    PG_PLAIN_ONLY("Citus waits for it");
    note_as_before("2", "3");
    PQclear(PQexec(other, "begin"));
    PQclear(PQexec(other, "delete from positions"
                          " where game_id = (select min(game_id::text)::uuid from positions)"));
    renews(1);
    PQclear(PQexec(other, "rollback"));
    PQfinish(other);
    renews(1);
}
