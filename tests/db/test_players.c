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
                              .left_at = DB_NEVER,
                              .joined = {.at = DB_NEVER}};
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

static enum db_outcome set(const struct db_player *had, const struct db_player *player,
                           const struct db_due *due)
{
    const struct db_player_change change = {.had = had, .player = player, .due = due};
    struct call call = {.calls = 0};

    db_set_player(bed.db, &change, on_done, &call);
    run_until_done(bed.db, &call);
    return call.outcome;
}

/* Stores a player, and makes a copy that is to be changed. */
static struct db_player store_and_copy(const struct db_player *player)
{
    cr_assert_eq(store(player, NULL), DB_OK);
    return *player;
}

Test(players, a_player_gets_another_name_and_token)
{
    struct db_player ada = new_player("Ada"), eve = store_and_copy(&ada);

    eve.name = "Eve";
    eve.token[0] = 9;
    cr_assert_eq(set(&ada, &eve, NULL), DB_OK);
    struct call call = get_player(ada.id);
    cr_assert_str_eq(call.name, "Eve");
    cr_assert_eq(call.player.token[0], 9);
    cr_assert_eq(call.player.created_at, 1234567);
}

Test(players, the_time_of_a_token_is_that_of_its_change_and_of_no_other_one)
{
    struct db_player ada = new_player("Ada"), eve = store_and_copy(&ada), mia, zoe;
    int64_t since;

    eve.name = "Eve";
    cr_assert_eq(set(&ada, &eve, NULL), DB_OK);
    cr_assert_eq(get_player(ada.id).player.token_at, DB_NEVER);
    mia = eve;
    mia.token[0] = 9;
    cr_assert_eq(set(&eve, &mia, NULL), DB_OK);
    since = get_player(ada.id).player.token_at;
    cr_assert_neq(since, DB_NEVER);
    zoe = mia;
    zoe.name = "Zoe";
    cr_assert_eq(set(&mia, &zoe, NULL), DB_OK);
    cr_assert_eq(get_player(ada.id).player.token_at, since);
}

Test(players, a_player_is_changed_only_with_the_token_that_they_have)
{
    struct db_player ada = new_player("Ada"), eve = store_and_copy(&ada), other = ada;
    struct db_due due = {ada.id, 2, 1000};

    eve.name = "Eve";
    other.token[0] = 4;
    cr_assert_eq(set(&other, &eve, &due), DB_CONFLICT);
    cr_assert_str_eq(get_player(ada.id).name, "Ada");
    assert_sql(bed.url, "select count(*) from due", "0");
}

Test(players, a_change_beside_one_of_being_found_does_not_undo_that)
{
    struct db_player ada = new_player("Ada"), hidden = store_and_copy(&ada), eve = ada;

    hidden.unfound = true;
    eve.name = "Eve";
    cr_assert_eq(set(&ada, &hidden, NULL), DB_OK);
    cr_assert_eq(set(&ada, &eve, NULL), DB_CONFLICT);
    cr_assert(get_player(ada.id).player.unfound);
}

Test(players, what_one_shows_of_oneself_is_read_as_it_was_set_and_taken_off)
{
    struct db_player ada = new_player("Ada"), shown = store_and_copy(&ada);
    struct call call = get_player(ada.id);

    cr_assert(call.player.about == NULL && call.player.picture == NULL);
    shown.about = "A line.";
    shown.picture = "https://example.org/";
    cr_assert_eq(set(&ada, &shown, NULL), DB_OK);
    call = get_player(ada.id);
    cr_assert_str_eq(call.about, "A line.");
    cr_assert_str_eq(call.picture, "https://example.org/");
    cr_assert_eq(set(&shown, &ada, NULL), DB_OK);
    cr_assert_null(get_player(ada.id).player.about);
}

Test(players, a_change_beside_one_of_what_one_shows_does_not_undo_that)
{
    struct db_player ada = new_player("Ada"), shown = store_and_copy(&ada), eve = ada;

    shown.about = "A line.";
    eve.name = "Eve";
    cr_assert_eq(set(&ada, &shown, NULL), DB_OK);
    cr_assert_eq(set(&ada, &eve, NULL), DB_CONFLICT);
    eve = shown;
    eve.picture = "https://example.org/";
    cr_assert_eq(set(&shown, &eve, NULL), DB_OK);
    cr_assert_eq(set(&shown, &ada, NULL), DB_CONFLICT);
}

Test(players, an_account_is_read_as_it_was_joined_and_ends)
{
    struct db_player ada = new_player("Ada"), joined = store_and_copy(&ada), ended;
    struct db_player read;

    joined.joined = (struct db_joined){
        .is = true, .has_account = true, .account = new_id(), .at = 5, .secret = {7}};
    cr_assert_eq(set(&ada, &joined, NULL), DB_OK);
    read = get_player(ada.id).player;
    cr_assert(read.joined.is && read.joined.at == 5 && read.joined.secret[0] == 7);
    ended = joined;
    ended.joined = (struct db_joined){.at = 6};
    cr_assert_eq(set(&joined, &ended, NULL), DB_OK);
    read = get_player(ada.id).player;
    cr_assert(!read.joined.is && !read.joined.has_account && read.joined.at == 6);
}

/* As when the token is replaced by an old daemon: it knows of nothing else. */
Test(players, what_was_written_under_another_token_does_not_act)
{
    struct db_player ada = new_player("Ada"), full = store_and_copy(&ada), read;

    full.joined = (struct db_joined){.is = true, .has_account = true, .account = new_id(), .at = 5};
    full.ntokens = 2;
    full.tokens[1][0] = 8;
    full.tokens_about = "both";
    full.has_handover = true;
    full.handover = new_id();
    cr_assert_eq(set(&ada, &full, NULL), DB_OK);
    read = get_player(ada.id).player;
    cr_assert(read.joined.is && read.ntokens == 2 && read.tokens[1][0] == 8 && read.has_handover);
    cr_assert_arr_eq(&read.handover, &full.handover, sizeof(db_id));
    sql(bed.url, "update players set token = decode(repeat('09', 32), 'hex')");
    read = get_player(ada.id).player;
    cr_assert(!read.joined.is && read.ntokens == 0 && !read.has_handover);
    cr_assert_null(read.tokens_about);
}

/* All is compared: whatever acts as them may be what asks, and the rest would be as it was before.
 */
Test(players, nothing_is_written_if_anything_has_changed)
{
    struct db_player ada = new_player("Ada"), full = store_and_copy(&ada), old[8];

    full.joined = (struct db_joined){.is = true, .has_account = true, .account = new_id(), .at = 5};
    full.ntokens = 1;
    full.tokens[0][0] = 8;
    full.tokens_about = "phone";
    full.has_handover = true;
    full.handover = new_id();
    cr_assert_eq(set(&ada, &full, NULL), DB_OK);
    for (int i = 0; i < 8; i++)
        old[i] = full;
    old[0].joined.at = 4;
    old[1].joined.account = new_id();
    old[2].tokens[0][0] = 7;
    old[3].ntokens = 0;
    old[4].tokens_about = "watch";
    old[5].name = "Eve";
    old[6].handover = new_id();
    old[7].has_handover = false;
    for (int i = 0; i < 8; i++)
        cr_assert_eq(set(&old[i], &full, NULL), DB_CONFLICT, "%d", i);
    cr_assert_eq(set(&full, &full, NULL), DB_OK);
}

Test(players, a_player_that_is_not_there_is_not_changed)
{
    struct db_player player = new_player("Ada");

    cr_assert_eq(set(&player, &player, NULL), DB_NOT_FOUND);
}

Test(players, a_player_who_leaves_has_no_name_and_no_token)
{
    struct db_player ada = new_player("Ada"), left = store_and_copy(&ada);

    left.name = "";
    memset(left.token, 0, sizeof(left.token));
    left.left_at = 4711;
    cr_assert_eq(set(&ada, &left, NULL), DB_OK);
    struct call call = get_player(ada.id);
    cr_assert_str_eq(call.name, "");
    cr_assert_eq(call.player.token[0], 0);
    cr_assert_eq(call.player.left_at, 4711);
}

Test(players, a_change_makes_its_promise)
{
    struct db_player player = new_player("Ada");
    struct db_due due = {player.id, 2, 1000};

    store(&player, NULL);
    cr_assert_eq(set(&player, &player, &due), DB_OK);
    assert_sql(bed.url,
               "select count(*) from due join players using (id)"
               " where due.kind = 2 and due.at = 'epoch'::timestamptz + '1 ms'",
               "1");
}

/* ---- handovers ---- */

static struct call get_handover(db_id id)
{
    struct call call = {.calls = 0};

    db_get_handover(bed.db, id, on_handover, &call);
    run_until_done(bed.db, &call);
    return call;
}

Test(players, a_code_is_for_a_player_until_it_is_deleted)
{
    struct db_handover handover = {new_id(), new_id(), 1234567};
    struct call call = {.calls = 0};

    cr_assert_eq(get_handover(handover.id).outcome, DB_NOT_FOUND);
    db_create_handover(bed.db, &handover, 13, on_done, &call);
    run_until_done(bed.db, &call);
    cr_assert_eq(call.outcome, DB_OK);
    call = get_handover(handover.id);
    cr_assert_arr_eq(&call.handover.player, &handover.player, sizeof(db_id));
    cr_assert_eq(call.handover.until, 1234567);
    assert_sql(bed.url,
               "select count(*) from due join handovers using (id)"
               " where due.kind = 13 and due.at = handovers.until",
               "1");
    call = (struct call){.calls = 0};
    db_delete_handover(bed.db, handover.id, on_done, &call);
    run_until_done(bed.db, &call);
    cr_assert_eq(get_handover(handover.id).outcome, DB_NOT_FOUND);
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
