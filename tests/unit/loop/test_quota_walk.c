/* test_quota_walk.c - quotas of addresses and tokens together, held against a simple model. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "api/loop/quota.h"
#include "rules/rules.h"

enum { WINDOW = 60, ADDRESSES = 3, TOKENS = 3 };

static const struct quota_limit limits[QUOTA_THINGS][QUOTA_OWNERS] = {
    [QUOTA_REQUESTS] = {{6, WINDOW}, {4, WINDOW}}, [QUOTA_GAMES] = {{3, 100}, {2, 100}}};

/* What a subject has saved up, in milliseconds: a request costs its share of the window. Below 0 is
 * a debt. */
struct purse {
    int saved;
};

static int price_of(int owner)
{
    return WINDOW * 1000 / (int)limits[QUOTA_REQUESTS][owner].allowed;
}

static void pass_time(struct purse *purses, size_t n, int ms)
{
    for (size_t i = 0; i < n; i++) {
        purses[i].saved += ms;
        if (purses[i].saved > WINDOW * 1000)
            purses[i].saved = WINDOW * 1000;
    }
}

struct model {
    struct purse address[ADDRESSES], token[TOKENS];
};

/* The purses that a request pays from; NULL: it shows no token. */
static void purses_of(struct model *model, size_t address, size_t token,
                      struct purse *purse[QUOTA_OWNERS])
{
    purse[QUOTA_OF_ADDRESS] = &model->address[address];
    purse[QUOTA_OF_TOKEN] = token < TOKENS ? &model->token[token] : NULL;
}

static bool can_pay(const struct purse *purse, int owner)
{
    return purse == NULL || purse->saved >= price_of(owner);
}

static void spend(struct purse *purse[QUOTA_OWNERS], int units)
{
    for (int owner = 0; owner < QUOTA_OWNERS; owner++) {
        if (purse[owner] == NULL)
            continue;
        purse[owner]->saved -= units * price_of(owner);
        if (purse[owner]->saved < -2 * WINDOW * 1000)
            purse[owner]->saved = -2 * WINDOW * 1000;
    }
}

/* Both purses pay, or none does. */
static bool pay(struct purse *purse[QUOTA_OWNERS])
{
    for (int owner = 0; owner < QUOTA_OWNERS; owner++)
        if (!can_pay(purse[owner], owner))
            return false;
    spend(purse, 1);
    return true;
}

static void assert_told(const struct quota_state *state, const struct purse *purse, int owner)
{
    int left, over;

    cr_assert_eq(state->counted, purse != NULL);
    if (purse == NULL)
        return;
    left = purse->saved < 0 ? 0 : purse->saved / price_of(owner);
    over = purse->saved - left * price_of(owner);
    cr_assert_eq((int)state->left, left, "%u and not %d", state->left, left);
    cr_assert_eq((int)state->wait_s, (price_of(owner) - over + 999) / 1000);
}

static struct quota_subject subject_of(size_t address, size_t token)
{
    static const char *const names[] = {"0", "1", "2"};
    struct quota_subject subject = {.bytes = {names[address], NULL}, .len = {1, 0}};

    if (token < TOKENS) {
        subject.bytes[QUOTA_OF_TOKEN] = names[token];
        subject.len[QUOTA_OF_TOKEN] = 1;
    }
    return subject;
}

struct walk {
    struct quota *quota;
    struct model model;
    int64_t now;
    uint64_t seed;
    int refused;
};

/* Mostly a moment, sometimes so long that purses fill up. */
static void pause_a_while(struct walk *walk)
{
    int ms = (int)rules_choose(&walk->seed, rules_choose(&walk->seed, 50) == 0 ? 90000 : 5000);

    walk->now += ms * INT64_C(1000);
    pass_time(walk->model.address, ADDRESSES, ms);
    pass_time(walk->model.token, TOKENS, ms);
}

/* A request has cost more, sometimes far more than there is. */
static void ask_more(struct walk *walk, const struct quota_account *account,
                     struct purse *purse[QUOTA_OWNERS])
{
    int units = (int)rules_choose(&walk->seed, rules_choose(&walk->seed, 20) == 0 ? 40 : 5);
    struct quota_state states[QUOTA_OWNERS];

    spend(purse, units);
    quota_charge(walk->quota, account, QUOTA_REQUESTS, units, walk->now, states);
    for (int owner = 0; owner < QUOTA_OWNERS; owner++)
        assert_told(&states[owner], purse[owner], owner);
}

static void ask(struct walk *walk)
{
    size_t address = rules_choose(&walk->seed, ADDRESSES);
    size_t token = rules_choose(&walk->seed, TOKENS + 1);
    struct quota_subject subject = subject_of(address, token);
    struct quota_account account = quota_account(walk->quota, &subject);
    struct quota_state states[QUOTA_OWNERS];
    struct purse *purse[QUOTA_OWNERS];
    bool could[QUOTA_OWNERS], paid;

    purses_of(&walk->model, address, token, purse);
    for (int owner = 0; owner < QUOTA_OWNERS; owner++)
        could[owner] = can_pay(purse[owner], owner);
    paid = pay(purse);
    cr_assert_eq(quota_take(walk->quota, &account, QUOTA_REQUESTS, walk->now, states), paid);
    for (int owner = 0; owner < QUOTA_OWNERS; owner++) {
        assert_told(&states[owner], purse[owner], owner);
        cr_assert_eq(states[owner].exceeded, purse[owner] != NULL && !could[owner]);
    }
    walk->refused += !paid;
    if (paid && rules_choose(&walk->seed, 8) == 0)
        ask_more(walk, &account, purse);
}

Test(quota_walk,
     each_request_is_taken_and_told_of_as_if_two_purses_paid_for_it_and_for_what_it_cost)
{
    enum { REQUESTS = 20000 };
    struct walk walk = {.quota = quota_open(limits), .now = 1000000000, .seed = 3};

    pass_time(walk.model.address, ADDRESSES, WINDOW * 1000);
    pass_time(walk.model.token, TOKENS, WINDOW * 1000);
    for (int i = 0; i < REQUESTS; i++) {
        pause_a_while(&walk);
        ask(&walk);
    }
    cr_assert_gt(walk.refused, REQUESTS / 20, "the walk meets both");
    cr_assert_lt(walk.refused, REQUESTS - REQUESTS / 20);
    quota_close(walk.quota);
}

Test(quota_walk, what_was_opened_is_known_and_has_names)
{
    struct quota *quota = quota_open(limits);

    for (int thing = 0; thing < QUOTA_THINGS; thing++)
        for (int owner = 0; owner < QUOTA_OWNERS; owner++) {
            struct quota_limit limit =
                quota_limit(quota, (enum quota_thing)thing, (enum quota_owner)owner);

            cr_assert_eq(limit.allowed, limits[thing][owner].allowed);
            cr_assert_eq(limit.window_s, limits[thing][owner].window_s);
        }
    cr_assert_str_eq(quota_name(QUOTA_REQUESTS, QUOTA_OF_ADDRESS), "address");
    cr_assert_str_eq(quota_name(QUOTA_REQUESTS, QUOTA_OF_TOKEN), "token");
    cr_assert_str_eq(quota_name(QUOTA_GAMES, QUOTA_OF_ADDRESS), "address-games");
    cr_assert_str_eq(quota_name(QUOTA_GAMES, QUOTA_OF_TOKEN), "token-games");
    quota_close(quota);
}
