/* test_accounts.c - which players the accounts of an identity provider are. */
#include <criterion/criterion.h>

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

TestSuite(accounts, .init = make, .fini = end);

static enum db_outcome create_account(const struct db_account *account)
{
    struct call call = {.calls = 0};

    db_create_account(bed.db, account, 1234567, on_done, &call);
    run_until_done(bed.db, &call);
    return call.outcome;
}

static enum db_outcome set(db_id id, db_id player, db_id expected)
{
    struct db_account account = {id, player};
    struct call call = {.calls = 0};

    db_set_account(bed.db, &account, expected, on_done, &call);
    run_until_done(bed.db, &call);
    return call.outcome;
}

static struct call get(db_id id)
{
    struct call call = {.calls = 0};

    db_get_account(bed.db, id, on_account, &call);
    run_until_done(bed.db, &call);
    return call;
}

static void assert_is(db_id id, db_id player)
{
    struct call call = get(id);

    cr_assert_eq(call.outcome, DB_OK);
    cr_assert_arr_eq(&call.account.id, &id, sizeof(id));
    cr_assert_arr_eq(&call.account.player, &player, sizeof(player));
}

Test(accounts, an_account_is_the_player_with_which_it_was_made_first)
{
    struct db_account account = {new_id(), new_id()}, again = {account.id, new_id()};

    cr_assert_eq(get(account.id).outcome, DB_NOT_FOUND);
    cr_assert_eq(create_account(&account), DB_OK);
    cr_assert_eq(create_account(&again), DB_CONFLICT);
    assert_is(account.id, account.player);
    assert_sql(bed.url, "select extract(epoch from created_at) from accounts", "1.234567");
}

Test(accounts, another_player_takes_the_place_of_the_one_that_was_expected_alone)
{
    struct db_account account = {new_id(), new_id()}, other = {new_id(), new_id()};
    db_id ada = new_id(), eve = new_id();

    create_account(&account);
    create_account(&other);
    cr_assert_eq(set(account.id, ada, eve), DB_CONFLICT);
    cr_assert_eq(set(account.id, ada, account.player), DB_OK);
    cr_assert_eq(set(account.id, eve, account.player), DB_CONFLICT);
    assert_is(account.id, ada);
    assert_is(other.id, other.player);
    cr_assert_eq(set(new_id(), ada, eve), DB_CONFLICT);
}
