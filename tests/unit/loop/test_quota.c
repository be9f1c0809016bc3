/* test_quota.c - quotas as time passes, and whose requests count. */
#include <criterion/criterion.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "api/loop/quota.h"

static const int64_t s = 1000000; /* a second */

static struct quota_account metering_of(const struct quota *quota, const char *address,
                                        const char *token)
{
    struct quota_subject subject = {.bytes = {address, token}};

    subject.len[QUOTA_OF_ADDRESS] = address == NULL ? 0 : strlen(address);
    subject.len[QUOTA_OF_TOKEN] = token == NULL ? 0 : strlen(token);
    return quota_account(quota, &subject);
}

static bool take(struct quota *quota, const char *address, const char *token, int64_t now)
{
    struct quota_account account = metering_of(quota, address, token);
    struct quota_state states[QUOTA_OWNERS];

    return quota_take(quota, &account, QUOTA_REQUESTS, now, states);
}

/* Charges an address; how it stands then. */
static struct quota_state charge(struct quota *quota, const char *address, int64_t units,
                                 int64_t now)
{
    struct quota_account account = metering_of(quota, address, NULL);
    struct quota_state states[QUOTA_OWNERS];

    quota_charge(quota, &account, QUOTA_REQUESTS, units, now, states);
    return states[QUOTA_OF_ADDRESS];
}

static struct quota *quota_of(uint32_t address, uint32_t token)
{
    const struct quota_limit limits[QUOTA_THINGS][QUOTA_OWNERS] = {
        [QUOTA_REQUESTS] = {{address, 60}, {token, 60}}};

    return quota_open(limits);
}

Test(quota, a_whole_quota_may_be_used_at_once_and_comes_back_evenly)
{
    struct quota *quota = quota_of(6, 0);

    for (int i = 0; i < 6; i++)
        cr_assert(take(quota, "a", NULL, 100 * s));
    cr_assert_not(take(quota, "a", NULL, 100 * s));
    cr_assert_not(take(quota, "a", NULL, 109 * s));
    cr_assert(take(quota, "a", NULL, 110 * s), "one came back after 60 s / 6");
    cr_assert_not(take(quota, "a", NULL, 110 * s));
    for (int i = 0; i < 6; i++)
        cr_assert(take(quota, "a", NULL, 200 * s));
    cr_assert_not(take(quota, "a", NULL, 200 * s));
    quota_close(quota);
}

Test(quota, what_is_left_and_when_there_is_more_are_told)
{
    struct quota *quota = quota_of(6, 3);
    struct quota_account account = metering_of(quota, "a", "t");
    struct quota_state states[QUOTA_OWNERS];

    cr_assert(quota_take(quota, &account, QUOTA_REQUESTS, 0, states));
    cr_assert_eq(states[QUOTA_OF_ADDRESS].left, 5);
    cr_assert_eq(states[QUOTA_OF_ADDRESS].wait_s, 10);
    cr_assert_eq(states[QUOTA_OF_TOKEN].left, 2);
    cr_assert_eq(states[QUOTA_OF_TOKEN].wait_s, 20);
    cr_assert(quota_take(quota, &account, QUOTA_REQUESTS, 4 * s, states));
    cr_assert_eq(states[QUOTA_OF_ADDRESS].left, 4);
    cr_assert_eq(states[QUOTA_OF_ADDRESS].wait_s, 6);
    quota_close(quota);
}

Test(quota, a_refused_request_counts_against_no_quota)
{
    struct quota *quota = quota_of(100, 1);
    struct quota_account account = metering_of(quota, "a", "t");
    struct quota_state states[QUOTA_OWNERS];

    cr_assert(quota_take(quota, &account, QUOTA_REQUESTS, 0, states));
    for (int i = 0; i < 50; i++) {
        cr_assert_not(quota_take(quota, &account, QUOTA_REQUESTS, 0, states));
        cr_assert(states[QUOTA_OF_TOKEN].exceeded);
        cr_assert_not(states[QUOTA_OF_ADDRESS].exceeded);
        cr_assert_eq(states[QUOTA_OF_ADDRESS].left, 99);
    }
    quota_close(quota);
}

Test(quota, addresses_and_tokens_are_counted_apart)
{
    struct quota *quota = quota_of(1, 1);

    cr_assert(take(quota, "same", "same", 0));
    cr_assert(take(quota, "other", "another", 0));
    cr_assert_not(take(quota, "same", "fresh", 0));
    cr_assert_not(take(quota, "fresh", "same", 0));
    quota_close(quota);
}

Test(quota, none_means_any_number)
{
    struct quota *quota = quota_of(0, 0);

    for (int i = 0; i < 10000; i++)
        cr_assert(take(quota, "a", "t", 0));
    quota_close(quota);
}

Test(quota, a_flood_of_other_clients_does_not_renew_a_quota_that_is_used_up)
{
    struct quota *quota = quota_of(10, 0);
    char stranger[16];

    for (int i = 0; i < 10; i++)
        cr_assert(take(quota, "glutton", NULL, 0));
    for (int i = 0; i < 200000; i++) {
        snprintf(stranger, sizeof(stranger), "%d", i);
        cr_assert(take(quota, stranger, NULL, 0));
    }
    cr_assert_not(take(quota, "glutton", NULL, 0));
    quota_close(quota);
}

/* ---- what costs more than one ---- */

Test(quota, what_was_charged_on_top_is_missing_afterwards)
{
    struct quota *quota = quota_of(6, 0);

    cr_assert(take(quota, "a", NULL, 0));
    cr_assert_eq(charge(quota, "a", 3, 0).left, 2);
    cr_assert(take(quota, "a", NULL, 0));
    cr_assert(take(quota, "a", NULL, 0));
    cr_assert_not(take(quota, "a", NULL, 0));
    cr_assert(take(quota, "a", NULL, 10 * s));
    quota_close(quota);
}

Test(quota, a_client_in_debt_is_told_how_long_it_takes_and_that_holds)
{
    struct quota *quota = quota_of(6, 0);
    struct quota_state state;

    cr_assert(take(quota, "a", NULL, 0));
    state = charge(quota, "a", 8, 0); /* three too many: 30 s, and 10 s for the next one */
    cr_assert_eq(state.left, 0);
    cr_assert_eq(state.wait_s, 40);
    state = charge(quota, "a", 0, 25 * s);
    cr_assert_eq(state.left, 0);
    cr_assert_eq(state.wait_s, 15);
    cr_assert_not(take(quota, "a", NULL, 40 * s - 1));
    cr_assert(take(quota, "a", NULL, 40 * s));
    cr_assert_not(take(quota, "a", NULL, 40 * s));
    quota_close(quota);
}

Test(quota, a_debt_is_two_windows_at_most)
{
    static const int64_t units[] = {18, 19, 1000, 1000000, INT64_MAX};

    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        struct quota *quota = quota_of(6, 0);

        cr_assert_eq(charge(quota, "a", units[i], 0).wait_s, 130, "%zu", i);
        cr_assert_eq(charge(quota, "a", units[i], 70 * s).wait_s, 130, "%zu", i);
        cr_assert_not(take(quota, "a", NULL, 199 * s));
        cr_assert(take(quota, "a", NULL, 200 * s));
        quota_close(quota);
    }
}

Test(quota, what_is_given_back_may_be_taken_again_and_no_more)
{
    struct quota *quota = quota_of(2, 0);

    cr_assert(take(quota, "a", NULL, 0));
    cr_assert(take(quota, "a", NULL, 0));
    cr_assert_eq(charge(quota, "a", -1, 0).left, 1);
    cr_assert(take(quota, "a", NULL, 0));
    cr_assert_not(take(quota, "a", NULL, 0));
    cr_assert_eq(charge(quota, "b", -5, 0).left, 2);
    quota_close(quota);
}

Test(quota, a_charge_counts_for_the_address_and_for_the_token)
{
    struct quota *quota = quota_of(10, 5);
    struct quota_account account = metering_of(quota, "a", "t");
    struct quota_state states[QUOTA_OWNERS];

    quota_charge(quota, &account, QUOTA_REQUESTS, 4, 0, states);
    cr_assert_eq(states[QUOTA_OF_ADDRESS].left, 6);
    cr_assert_eq(states[QUOTA_OF_TOKEN].left, 1);
    quota_close(quota);
}

/* ---- games ---- */

Test(quota, games_are_counted_apart_from_requests_and_in_a_window_of_their_own)
{
    const struct quota_limit limits[QUOTA_THINGS][QUOTA_OWNERS] = {
        [QUOTA_REQUESTS] = {{6, 60}, {6, 60}}, [QUOTA_GAMES] = {{2, 3600}, {1, 3600}}};
    struct quota *quota = quota_open(limits);
    struct quota_account account = metering_of(quota, "a", "t"),
                         nobody = metering_of(quota, "a", NULL);
    struct quota_state states[QUOTA_OWNERS];

    cr_assert(quota_take(quota, &account, QUOTA_GAMES, 0, states));
    cr_assert_eq(states[QUOTA_OF_ADDRESS].left, 1);
    cr_assert_eq(states[QUOTA_OF_ADDRESS].wait_s, 1800);
    cr_assert_eq(states[QUOTA_OF_TOKEN].left, 0);
    cr_assert_not(quota_take(quota, &account, QUOTA_GAMES, 0, states));
    cr_assert(states[QUOTA_OF_TOKEN].exceeded && !states[QUOTA_OF_ADDRESS].exceeded);
    cr_assert(quota_take(quota, &nobody, QUOTA_GAMES, 0, states));
    cr_assert_not(quota_take(quota, &nobody, QUOTA_GAMES, 1799 * s, states));
    cr_assert(quota_take(quota, &nobody, QUOTA_GAMES, 1800 * s, states));
    for (int i = 0; i < 6; i++)
        cr_assert(take(quota, "a", "t", 1800 * s));
    cr_assert_not(take(quota, "a", "t", 1800 * s));
    quota_close(quota);
}

/* ---- addresses ---- */

static bool same(const char *a, const char *b)
{
    struct quota_address one, two;

    return quota_address_read(a, strlen(a), &one) && quota_address_read(b, strlen(b), &two) &&
           one.len == two.len && memcmp(one.bytes, two.bytes, one.len) == 0;
}

Test(quota, an_address_is_one_client_with_or_without_port_and_ipv6_by_its_first_64_bits)
{
    cr_assert(same("203.0.113.7", " 203.0.113.7:4711\t"));
    cr_assert(same("203.0.113.7", "::ffff:203.0.113.7"));
    cr_assert(same("2001:db8:1:2::7", "2001:db8:1:2:ffff::1"));
    cr_assert(same("2001:db8:1:2::7", "[2001:db8:1:2::7]:4711"));
    cr_assert(same("2001:db8:1:2::7", "[2001:db8:1:2::7]"));
    cr_assert_not(same("2001:db8:1:2::7", "2001:db8:1:3::7"));
    cr_assert_not(same("203.0.113.7", "203.0.113.8"));
}

Test(quota, texts_that_are_not_addresses_are_not_taken_for_one)
{
    static const char *const bad[] = {
        "",
        "unknown",
        "203.0.113.256",
        "203.0.113.7:",
        "203.0.113.7:x",
        "203.0.113.7:123456",
        "[203.0.113.7]:1",
        "[2001:db8::1",
        "[2001:db8::1]x",
        "2001:db8::1::2",
        "0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0000"};
    struct quota_address address;

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        cr_assert_not(quota_address_read(bad[i], strlen(bad[i]), &address), "%s", bad[i]);
}

Test(quota, what_trusted_proxies_wrote_is_believed_and_no_more)
{
    static const char list[] = "6.6.6.6, 203.0.113.7 , 198.51.100.2";
    struct quota_address address;

    cr_assert(quota_address_forwarded(list, 1, &address));
    cr_assert_arr_eq(address.bytes, ((uint8_t[]){198, 51, 100, 2}), 4);
    cr_assert(quota_address_forwarded(list, 2, &address));
    cr_assert_arr_eq(address.bytes, ((uint8_t[]){203, 0, 113, 7}), 4);
    cr_assert(quota_address_forwarded("203.0.113.7", 2, &address), "who came in by the second");
    cr_assert_arr_eq(address.bytes, ((uint8_t[]){203, 0, 113, 7}), 4);
    cr_assert_not(quota_address_forwarded("", 1, &address));
    cr_assert_not(quota_address_forwarded("203.0.113.7,", 1, &address));
}

Test(quota, the_machine_itself_is_known_by_its_address)
{
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    struct sockaddr other = {.sa_family = AF_UNIX};
    struct quota_address address;

    cr_assert(quota_address_peer((struct sockaddr *)&v4, &address) && address.loopback);
    cr_assert(quota_address_peer((struct sockaddr *)&v6, &address) && address.loopback);
    v4.sin_addr.s_addr = htonl(0xcb007107);
    cr_assert(quota_address_peer((struct sockaddr *)&v4, &address) && !address.loopback);
    cr_assert_not(quota_address_peer(&other, &address));
}
