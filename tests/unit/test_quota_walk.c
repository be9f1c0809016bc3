/* test_quota_walk.c - quotas of addresses and tokens together, held against a simple model. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "api/loop/quota.h"
#include "rules/rules.h"

enum { WINDOW = 60, ADDRESSES = 3, TOKENS = 3 };

static const uint32_t allowed[QUOTA_KINDS] = {[QUOTA_ADDRESS] = 6, [QUOTA_TOKEN] = 4};

/* What a subject has saved up, in milliseconds: a request costs its share of the window. */
struct purse {
    int saved;
};

static int price_of(int kind)
{
    return WINDOW * 1000 / (int)allowed[kind];
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
                      struct purse *purse[QUOTA_KINDS])
{
    purse[QUOTA_ADDRESS] = &model->address[address];
    purse[QUOTA_TOKEN] = token < TOKENS ? &model->token[token] : NULL;
}

static bool can_pay(const struct purse *purse, int kind)
{
    return purse == NULL || purse->saved >= price_of(kind);
}

/* Both purses pay, or none does. */
static bool pay(struct purse *purse[QUOTA_KINDS])
{
    for (int kind = 0; kind < QUOTA_KINDS; kind++)
        if (!can_pay(purse[kind], kind))
            return false;
    for (int kind = 0; kind < QUOTA_KINDS; kind++)
        if (purse[kind] != NULL)
            purse[kind]->saved -= price_of(kind);
    return true;
}

static void assert_told(const struct quota_state *state, const struct purse *purse, int kind)
{
    int left, over;

    cr_assert_eq(state->counted, purse != NULL);
    if (purse == NULL)
        return;
    left = purse->saved / price_of(kind);
    over = purse->saved % price_of(kind);
    cr_assert_eq((int)state->left, left, "%u and not %d", state->left, left);
    cr_assert_eq((int)state->wait_s, (price_of(kind) - over + 999) / 1000);
}

static struct quota_subject subject_of(size_t address, size_t token)
{
    static const char *const names[] = {"0", "1", "2"};
    struct quota_subject subject = {.bytes = {names[address], NULL}, .len = {1, 0}};

    if (token < TOKENS) {
        subject.bytes[QUOTA_TOKEN] = names[token];
        subject.len[QUOTA_TOKEN] = 1;
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

static void ask(struct walk *walk)
{
    size_t address = rules_choose(&walk->seed, ADDRESSES);
    size_t token = rules_choose(&walk->seed, TOKENS + 1);
    struct quota_subject subject = subject_of(address, token);
    struct quota_state states[QUOTA_KINDS];
    struct purse *purse[QUOTA_KINDS];
    bool could[QUOTA_KINDS], paid;

    purses_of(&walk->model, address, token, purse);
    for (int kind = 0; kind < QUOTA_KINDS; kind++)
        could[kind] = can_pay(purse[kind], kind);
    paid = pay(purse);
    cr_assert_eq(quota_take(walk->quota, &subject, walk->now, states), paid);
    for (int kind = 0; kind < QUOTA_KINDS; kind++) {
        assert_told(&states[kind], purse[kind], kind);
        cr_assert_eq(states[kind].exceeded, purse[kind] != NULL && !could[kind]);
    }
    walk->refused += !paid;
}

Test(quota_walk, each_request_is_taken_and_told_of_as_if_two_purses_paid_for_it)
{
    enum { REQUESTS = 20000 };
    struct walk walk = {.quota = quota_open(allowed, WINDOW), .now = 1000000000, .seed = 3};

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
    struct quota *quota = quota_open(allowed, WINDOW);

    cr_assert_eq(quota_allowed(quota, QUOTA_ADDRESS), 6);
    cr_assert_eq(quota_allowed(quota, QUOTA_TOKEN), 4);
    cr_assert_eq(quota_window_s(quota), WINDOW);
    cr_assert_str_eq(quota_name(QUOTA_ADDRESS), "address");
    cr_assert_str_eq(quota_name(QUOTA_TOKEN), "token");
    quota_close(quota);
}
