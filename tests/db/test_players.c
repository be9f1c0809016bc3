/* test_players.c - players: making them, reading them. */
#include <criterion/criterion.h>
#include <string.h>
#include <sys/random.h>

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

TestSuite(players, .init = make, .fini = end);

static struct db_player new_player(const char *name)
{
    struct db_player player = {.name = name, .token = {1, 2, 3}, .created_at = 1234567};

    cr_assert_eq(getrandom(&player.id, sizeof(player.id), 0), sizeof(player.id));
    return player;
}

static enum db_outcome store(const struct db_player *player, const struct db_answer *answer)
{
    struct db_create_player create = {player, answer};
    struct call call = {.calls = 0};

    db_create_player(bed.db, &create, on_reply, &call);
    run_until_done(bed.db, &call);
    return call.outcome;
}

Test(players, a_player_is_read_as_it_was_written)
{
    struct db_player player = new_player("Ada \xe6\xad\xa9");
    struct call call = {.calls = 0};

    cr_assert_eq(store(&player, NULL), DB_OK);
    db_get_player(bed.db, player.id, on_reply, &call);
    run_until_done(bed.db, &call);
    cr_assert_eq(call.outcome, DB_OK);
    cr_assert_str_eq(call.name, player.name);
    cr_assert_arr_eq(&call.player.id, &player.id, sizeof(db_id));
    cr_assert_arr_eq(call.player.token, player.token, DB_HASH_BYTES);
    cr_assert_eq(call.player.created_at, 1234567);
}

Test(players, a_player_that_is_not_there_is_not_found)
{
    struct call call = {.calls = 0};

    db_get_player(bed.db, new_player("").id, on_reply, &call);
    run_until_done(bed.db, &call);
    cr_assert_eq(call.outcome, DB_NOT_FOUND);
}

Test(players, a_second_player_of_the_same_id_is_a_conflict_and_changes_nothing)
{
    struct db_player player = new_player("Ada");
    struct call call = {.calls = 0};

    cr_assert_eq(store(&player, NULL), DB_OK);
    player.name = "Eve";
    cr_assert_eq(store(&player, NULL), DB_CONFLICT);
    db_get_player(bed.db, player.id, on_reply, &call);
    run_until_done(bed.db, &call);
    cr_assert_str_eq(call.name, "Ada");
}

Test(players, an_answer_is_stored_with_its_player)
{
    struct db_answer answer = {.key = {7}, .status = 201, .sealed = "sealed", .sealed_len = 6};
    struct db_player player = new_player("Ada");
    struct call call = {.calls = 0};

    cr_assert_eq(store(&player, &answer), DB_OK);
    db_get_answer(bed.db, player.id, answer.key, on_reply, &call);
    run_until_done(bed.db, &call);
    cr_assert_eq(call.outcome, DB_OK);
    cr_assert_str_eq(call.sealed, "sealed");
}

Test(players, a_poisoned_player_is_refused_alone)
{
    struct db_player players[3] = {new_player("Ada"), new_player("\xff"), new_player("Mia")};
    struct db_create_player creates[3];
    struct call calls[3] = {{.calls = 0}};

    for (int i = 0; i < 3; i++) {
        creates[i] = (struct db_create_player){&players[i], NULL};
        db_create_player(bed.db, &creates[i], on_reply, &calls[i]);
    }
    run_until_idle(bed.db);
    cr_assert_eq(calls[0].outcome, DB_OK);
    cr_assert_eq(calls[1].outcome, DB_REFUSED);
    cr_assert_eq(calls[2].outcome, DB_OK);
}
