/* test_blocks.c - whom players have blocked; and that nobody is looked for without an index. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "bed.h"
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

TestSuite(blocks, .init = make, .fini = end);

static db_id block(void)
{
    db_id other = new_id();

    CALL(DB_OK, done, db_set_block, player, other, 7);
    return other;
}

static size_t blocked(db_id by, db_id other)
{
    CALL(DB_OK, blocks, db_get_block, by, other);
    return done_call.count;
}

Test(blocks, a_player_has_blocked_another_one_until_they_let_go)
{
    db_id other = block();

    cr_assert_eq(blocked(player, other), 1);
    cr_assert_arr_eq(&done_call.blocks[0].player, &other, sizeof(other));
    cr_assert_eq(done_call.blocks[0].at, 7);
    cr_assert_eq(blocked(other, player), 0);
    CALL(DB_OK, done, db_delete_block, player, other);
    cr_assert_eq(blocked(player, other), 0);
    CALL(DB_NOT_FOUND, done, db_delete_block, player, other);
}

Test(blocks, blocking_again_changes_nothing)
{
    db_id other = block();

    CALL(DB_OK, done, db_set_block, player, other, 8);
    cr_assert_eq(blocked(player, other), 1);
    cr_assert_eq(done_call.blocks[0].at, 7);
}

Test(blocks, questions_of_several_at_once_are_answered_each)
{
    struct call calls[3] = {{.calls = 0}, {.calls = 0}, {.calls = 0}};
    db_id one = block(), two = block();

    db_get_block(bed.db, player, one, on_blocks, &calls[0]);
    db_get_block(bed.db, player, new_id(), on_blocks, &calls[1]);
    db_get_block(bed.db, player, two, on_blocks, &calls[2]);
    run_until_idle(bed.db);
    cr_assert(calls[0].count == 1 && calls[1].count == 0 && calls[2].count == 1);
    cr_assert_arr_eq(&calls[2].blocks[0].player, &two, sizeof(two));
}

Test(blocks, a_player_blocks_a_bounded_number_of_others_and_those_again)
{
    db_id first = block();

    for (int i = 1; i < DB_BLOCKS_MAX; i++)
        block();
    CALL(DB_CONFLICT, done, db_set_block, player, new_id(), 7);
    CALL(DB_OK, done, db_set_block, player, first, 7);
    CALL(DB_OK, done, db_delete_block, player, first);
    block();
}

static struct db_player make_player(const char *name)
{
    struct db_player made = {.id = new_id(),
                             .name = name,
                             .created_at = 1,
                             .left_at = DB_NEVER,
                             .joined = {.at = DB_NEVER}};
    struct db_create_player create = {.player = &made};

    CALL(DB_OK, done, db_create_player, &create);
    return made;
}

static void leave(const struct db_player *had)
{
    struct db_player gone = *had;

    gone.left_at = 2;
    CALL(DB_OK, done, db_set_player, &(struct db_player_change){.had = had, .player = &gone});
}

Test(blocks, they_are_listed_page_by_page_with_their_names_but_for_those_who_have_left)
{
    struct db_player ada = make_player("Ada"), mia = make_player("Mia");
    bool ada_first = memcmp(&ada.id, &mia.id, sizeof(db_id)) < 0;

    CALL(DB_OK, done, db_set_block, player, ada.id, 7);
    CALL(DB_OK, done, db_set_block, player, mia.id, 7);
    leave(&mia);
    CALL(DB_OK, blocks, db_get_blocks, player, ((db_id){{0}}), 1);
    cr_assert_eq(done_call.count, 1);
    cr_assert_str_eq(done_call.texts[0], ada_first ? "Ada" : "");
    CALL(DB_OK, blocks, db_get_blocks, player, ada_first ? ada.id : mia.id, 10);
    cr_assert_eq(done_call.count, 1);
    cr_assert_str_eq(done_call.texts[0], ada_first ? "" : "Ada");
    CALL(DB_OK, blocks, db_get_blocks, ada.id, ((db_id){{0}}), 10);
    cr_assert_eq(done_call.count, 0);
}

Test(blocks, whoever_leaves_blocks_nobody)
{
    struct db_player ada = make_player("Ada");

    block();
    CALL(DB_OK, done, db_set_block, ada.id, player, 7);
    leave(&ada);
    assert_sql(bed.url, "select count(*) from blocks", "1");
}

/* ---- plans ---- */

static void assert_indexed(PGconn *pg, enum db_kind kind, const char *arguments, const char *index)
{
    const char *plan = plan_of(pg, kind, arguments);

    cr_assert_null(strstr(plan, "Seq Scan"), "%s", plan);
    cr_assert_not_null(strstr(plan, index), "%s", plan);
    cr_assert_lt(plan_pages(plan), 300, "%s", plan);
}

static void assert_all_indexed(PGconn *pg)
{
    assert_indexed(pg, KIND_FIND_PLAYERS, "'{player 77}', '{20}'", "players_by_name");
    assert_indexed(pg, KIND_BLOCK, "array[md5('7')::uuid], array[md5('1')::uuid]", "blocks_pkey");
    assert_indexed(pg, KIND_BLOCKS,
                   "array[md5('7')::uuid], '{00000000-0000-0000-0000-000000000000}', '{51}'",
                   "blocks_pkey");
    assert_indexed(pg, KIND_SET_BLOCK,
                   "array[md5('7')::uuid], array[md5('1')::uuid], '{2026-01-01}'", "blocks_pkey");
    assert_indexed(pg, KIND_DELETE_BLOCK, "array[md5('7')::uuid], array[md5('1')::uuid]",
                   "blocks_pkey");
}

Test(blocks, a_hundred_thousand_players_and_as_many_blocks_are_found_by_index)
{
    static const enum db_kind kinds[] = {KIND_FIND_PLAYERS, KIND_BLOCK, KIND_BLOCKS, KIND_SET_BLOCK,
                                         KIND_DELETE_BLOCK};
    PGconn *pg = PQconnectdb(bed.url);

    PG_PLAIN_ONLY("it reads plans");
    plan_fill(bed.url, "players",
              "insert into players (id, name, token, created_at) select md5(n::text)::uuid,"
              " 'Player ' || n, '', now() from generate_series(1, 100000) n");
    plan_fill(bed.url, "blocks",
              "insert into blocks (player_id, blocked, at) select md5((n % 1000)::text)::uuid,"
              " md5(n::text)::uuid, now() from generate_series(1, 100000) n");
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        plan_prepare(pg, kinds[i]);
    assert_all_indexed(pg); /* before the server knows anything of the tables */
    sql(bed.url, "analyze players");
    sql(bed.url, "analyze blocks");
    assert_all_indexed(pg);
    PQfinish(pg);
}
