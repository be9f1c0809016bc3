/* test_players.c - players: making them, reading them, changing them, their vacations. */
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

TestSuite(players, .init = make, .fini = end);

static struct db_player new_player(const char *name)
{
    return (struct db_player){.id = new_id(),
                              .name = name,
                              .token = {1, 2, 3},
                              .created_at = 1234567,
                              .left_at = DB_NEVER};
}

static enum db_outcome store(const struct db_player *player, const struct db_answer *answer)
{
    struct db_create_player create = {player, answer};
    struct call call = {.calls = 0};

    db_create_player(bed.db, &create, on_done, &call);
    run_until_done(bed.db, &call);
    return call.outcome;
}

static struct call get_player(db_id id)
{
    struct call call = {.calls = 0};

    db_get_player(bed.db, id, on_player, &call);
    run_until_done(bed.db, &call);
    return call;
}

Test(players, a_player_is_read_as_it_was_written)
{
    struct db_player player = new_player("Ada \xe6\xad\xa9");

    cr_assert_eq(store(&player, NULL), DB_OK);
    struct call call = get_player(player.id);
    cr_assert_eq(call.outcome, DB_OK);
    cr_assert_str_eq(call.name, player.name);
    cr_assert_arr_eq(&call.player.id, &player.id, sizeof(db_id));
    cr_assert_arr_eq(call.player.token, player.token, DB_HASH_BYTES);
    cr_assert_eq(call.player.created_at, 1234567);
    cr_assert_eq(call.player.left_at, DB_NEVER);
}

Test(players, a_player_that_is_not_there_is_not_found)
{
    cr_assert_eq(get_player(new_id()).outcome, DB_NOT_FOUND);
}

Test(players, a_second_player_of_the_same_id_is_a_conflict_and_changes_nothing)
{
    struct db_player player = new_player("Ada");

    cr_assert_eq(store(&player, NULL), DB_OK);
    player.name = "Eve";
    cr_assert_eq(store(&player, NULL), DB_CONFLICT);
    cr_assert_str_eq(get_player(player.id).name, "Ada");
}

Test(players, an_answer_is_stored_with_its_player)
{
    struct db_answer answer = {.key = {7}, .status = 201, .sealed = "sealed", .sealed_len = 6};
    struct db_player player = new_player("Ada");
    struct call call = {.calls = 0};

    cr_assert_eq(store(&player, &answer), DB_OK);
    db_get_answer(bed.db, player.id, answer.key, on_answer, &call);
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
        db_create_player(bed.db, &creates[i], on_done, &calls[i]);
    }
    run_until_idle(bed.db);
    cr_assert_eq(calls[0].outcome, DB_OK);
    cr_assert_eq(calls[1].outcome, DB_REFUSED);
    cr_assert_eq(calls[2].outcome, DB_OK);
}

/* ---- changing them ---- */

static const uint8_t first_token[DB_HASH_BYTES] = {1, 2, 3};

static enum db_outcome set(const struct db_player *player, const uint8_t token[DB_HASH_BYTES],
                           const struct db_due *due)
{
    struct call call = {.calls = 0};

    db_set_player(bed.db, player, token, 0, due, on_done, &call);
    run_until_done(bed.db, &call);
    return call.outcome;
}

Test(players, a_player_gets_another_name_and_token)
{
    struct db_player player = new_player("Ada");

    store(&player, NULL);
    player.name = "Eve";
    player.token[0] = 9;
    cr_assert_eq(set(&player, first_token, NULL), DB_OK);
    struct call call = get_player(player.id);
    cr_assert_str_eq(call.name, "Eve");
    cr_assert_eq(call.player.token[0], 9);
    cr_assert_eq(call.player.created_at, 1234567);
}

Test(players, the_time_of_a_token_is_that_of_its_change_and_of_no_other_one)
{
    struct db_player player = new_player("Ada");
    int64_t since;

    store(&player, NULL);
    player.name = "Eve";
    cr_assert_eq(set(&player, first_token, NULL), DB_OK);
    cr_assert_eq(get_player(player.id).player.token_at, DB_NEVER);
    player.token[0] = 9;
    cr_assert_eq(set(&player, first_token, NULL), DB_OK);
    since = get_player(player.id).player.token_at;
    cr_assert_neq(since, DB_NEVER);
    player.name = "Mia";
    cr_assert_eq(set(&player, player.token, NULL), DB_OK);
    cr_assert_eq(get_player(player.id).player.token_at, since);
}

Test(players, a_player_is_changed_only_with_the_token_that_they_have)
{
    struct db_player player = new_player("Ada");
    struct db_due due = {player.id, 2, 1000};

    store(&player, NULL);
    player.name = "Eve";
    cr_assert_eq(set(&player, (const uint8_t[DB_HASH_BYTES]){4}, &due), DB_CONFLICT);
    cr_assert_str_eq(get_player(player.id).name, "Ada");
    assert_sql(bed.url, "select count(*) from due", "0");
}

static enum db_outcome join(const struct db_player *player, const struct db_joined *joined)
{
    struct call call = {.calls = 0};

    db_set_joined(bed.db, player, joined, on_done, &call);
    run_until_done(bed.db, &call);
    return call.outcome;
}

static enum db_outcome set_by_account(const struct db_player *player)
{
    struct call call = {.calls = 0};

    db_set_player(bed.db, player, first_token, DB_KEEP_ACCOUNT | DB_BY_ACCOUNT, NULL, on_done,
                  &call);
    run_until_done(bed.db, &call);
    return call.outcome;
}

Test(players, an_account_changes_its_player_as_long_as_it_is_joined)
{
    struct db_joined joined = {.has_account = true, .account = new_id(), .at = 5}, none = {.at = 6};
    struct db_player player = new_player("Ada"), eve;

    player.joined.at = DB_NEVER;
    store(&player, NULL);
    eve = player;
    eve.name = "Eve";
    cr_assert_eq(set_by_account(&eve), DB_CONFLICT);
    cr_assert_eq(join(&player, &joined), DB_OK);
    cr_assert_eq(set_by_account(&eve), DB_OK);
    player.joined = joined;
    cr_assert_eq(join(&player, &none), DB_OK);
    cr_assert_eq(set_by_account(&player), DB_CONFLICT);
    cr_assert_str_eq(get_player(player.id).name, "Eve");
}

Test(players, with_another_token_an_account_ends_and_no_later_one_brings_it_back)
{
    struct db_joined joined = {.has_account = true, .account = new_id(), .at = 5};
    struct db_player player = new_player("Ada"), later;
    struct call call = {.calls = 0};

    player.joined.at = DB_NEVER;
    store(&player, NULL);
    cr_assert_eq(join(&player, &joined), DB_OK);
    cr_assert(get_player(player.id).player.joined.is);
    player.token[0] = 8;
    cr_assert_eq(set(&player, first_token, NULL), DB_OK);
    cr_assert_not(get_player(player.id).player.joined.is);
    cr_assert_eq(get_player(player.id).player.joined.at, 5);
    later = player;
    later.token[0] = 9;
    db_set_player(bed.db, &later, player.token, DB_KEEP_ACCOUNT, NULL, on_done, &call);
    run_until_done(bed.db, &call);
    cr_assert_eq(call.outcome, DB_OK);
    cr_assert_not(get_player(player.id).player.joined.is);
}

/* It was ended and joined anew since it was read. */
Test(players, an_account_that_was_joined_at_another_time_is_not_ended)
{
    struct db_joined joined = {.has_account = true, .account = new_id(), .at = 5}, none = {.at = 6};
    struct db_player player = new_player("Ada");

    player.joined.at = DB_NEVER;
    store(&player, NULL);
    cr_assert_eq(join(&player, &joined), DB_OK);
    player.joined = joined;
    player.joined.at = 4;
    cr_assert_eq(join(&player, &none), DB_CONFLICT);
    player.joined.at = 5;
    cr_assert_eq(join(&player, &none), DB_OK);
}

Test(players, a_player_that_is_not_there_is_not_changed)
{
    struct db_player player = new_player("Ada");

    cr_assert_eq(set(&player, first_token, NULL), DB_NOT_FOUND);
}

Test(players, a_player_who_leaves_has_no_name_and_no_token)
{
    struct db_player player = new_player("Ada");

    store(&player, NULL);
    player.name = "";
    memset(player.token, 0, sizeof(player.token));
    player.left_at = 4711;
    cr_assert_eq(set(&player, first_token, NULL), DB_OK);
    struct call call = get_player(player.id);
    cr_assert_str_eq(call.name, "");
    cr_assert_eq(call.player.token[0], 0);
    cr_assert_eq(call.player.left_at, 4711);
}

Test(players, a_change_makes_its_promise)
{
    struct db_player player = new_player("Ada");
    struct db_due due = {player.id, 2, 1000};

    store(&player, NULL);
    cr_assert_eq(set(&player, first_token, &due), DB_OK);
    assert_sql(bed.url,
               "select count(*) from due join players using (id)"
               " where due.kind = 2 and due.at = 'epoch'::timestamptz + '1 ms'",
               "1");
}

/* ---- vacations ---- */

static enum db_outcome vacation(db_id player, int64_t from, int64_t to, const struct db_due *due)
{
    const struct db_span span = {from, to};
    struct call call = {.calls = 0};

    db_set_vacation(bed.db, player, &span, due, on_done, &call);
    run_until_done(bed.db, &call);
    return call.outcome;
}

static struct call vacations(db_id player, int64_t since)
{
    struct call call = {.calls = 0};

    db_get_vacations(bed.db, player, since, on_spans, &call);
    run_until_done(bed.db, &call);
    cr_assert_eq(call.outcome, DB_OK);
    return call;
}

Test(players, vacations_are_read_in_order_from_the_one_that_ends_after_a_time)
{
    struct db_player ada = new_player("Ada"), mia = new_player("Mia");

    store(&ada, NULL);
    store(&mia, NULL);
    vacation(ada.id, 50, 60, NULL);
    vacation(ada.id, 10, 20, NULL);
    vacation(ada.id, 30, 40, NULL);
    vacation(mia.id, 35, 45, NULL);
    struct call call = vacations(ada.id, 20);
    cr_assert_eq(call.count, 2);
    cr_assert(call.spans[0].from == 30 && call.spans[0].to == 40);
    cr_assert(call.spans[1].from == 50 && call.spans[1].to == 60);
    cr_assert_eq(vacations(ada.id, 60).count, 0);
}

Test(players, of_vacations_that_overlap_the_last_one_is_read)
{
    struct db_player ada = new_player("Ada"), mia = new_player("Mia");

    store(&ada, NULL);
    store(&mia, NULL);
    vacation(ada.id, 10, 20, NULL);
    vacation(ada.id, 20, 90, NULL);
    vacation(ada.id, 21, 80, NULL);
    vacation(ada.id, 22, 25, NULL);
    vacation(mia.id, 15, 95, NULL);
    struct call call = vacations(ada.id, 0);
    cr_assert_eq(call.count, 2);
    cr_assert(call.spans[0].from == 10 && call.spans[0].to == 20);
    cr_assert(call.spans[1].from == 22 && call.spans[1].to == 25);
    cr_assert_eq(vacations(ada.id, 30).count, 0);
}

Test(players, the_end_of_a_vacation_can_be_set_again)
{
    struct db_player player = new_player("Ada");
    struct db_due due = {player.id, 2, 40};

    store(&player, NULL);
    cr_assert_eq(vacation(player.id, 30, 40, &due), DB_OK);
    cr_assert_eq(vacation(player.id, 30, 35, &due), DB_OK);
    struct call call = vacations(player.id, 0);
    cr_assert_eq(call.count, 1);
    cr_assert_eq(call.spans[0].to, 35);
    assert_sql(bed.url, "select count(*) from due", "1");
}

Test(players, nobody_has_no_vacation)
{
    struct db_due due = {new_id(), 2, 40};

    cr_assert_eq(vacation(due.id, 30, 40, &due), DB_NOT_FOUND);
    assert_sql(bed.url, "select count(*) from vacations", "0");
    assert_sql(bed.url, "select count(*) from due", "0");
}
