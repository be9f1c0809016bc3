/* test_admission.c - whose requests are counted, and what a client is told of its quotas. */
#include <criterion/criterion.h>
#include <string.h>

#include "api/loop/admission.h"
#include "api/loop/config.h"
#include "api/loop/loop.h"
#include "api/loop/metering.h"
#include "api/loop/quota.h"
#include "tests/unit/requests.h"
#include "tests/unit/seen.h"

static struct config config;
static struct loop loop = {.config = &config};

static void close_loop(void)
{
    requests_free();
    quota_close(loop.quota);
}

TestSuite(admission, .fini = close_loop);

static void allow(long address, long token)
{
    config.quota_address = address;
    config.quota_token = token;
    config.quota_window_s = 60;
    config.quota_address_games = config.quota_token_games = 0;
    quota_close(loop.quota);
    loop.quota = admission_open(&config, 1);
    loop.now = 0;
}

static void allow_games(long address, long token)
{
    allow(100, 100);
    config.quota_address_games = address;
    config.quota_token_games = token;
    quota_close(loop.quota);
    loop.quota = admission_open(&config, 1);
}

struct asker {
    const char *peer;      /* the other end of the connection; NULL: not known */
    const char *forwarded; /* X-Forwarded-For, or NULL */
    const char *forwarded_too;
    const char *token;
    const char *url;
};

static struct request *ask(const struct asker *asker)
{
    struct request *request = requests_new(&loop);

    if (asker->url != NULL)
        requests_url(request, asker->url);
    if (asker->peer != NULL)
        requests_peer(request, asker->peer);
    if (asker->forwarded != NULL)
        requests_header(request, "X-Forwarded-For", asker->forwarded);
    if (asker->forwarded_too != NULL)
        requests_header(request, "X-Forwarded-For", asker->forwarded_too);
    if (asker->token != NULL)
        requests_header(request, "Authorization",
                        arena_format(&request->arena, "Bearer %s", asker->token));
    return request;
}

/* Asks; whether the request is admitted. One that is not was answered. */
static bool admitted(const struct asker *asker)
{
    struct request *request = ask(asker);
    bool ok = admission_ok(request);

    cr_assert_eq(requests_answers(request), !ok);
    admission_settle(request);
    return ok;
}

static bool is_counted(const struct asker *asker)
{
    struct request *request;

    allow(2, 0);
    request = ask(asker);
    cr_assert(admission_ok(request));
    admission_settle(request);
    return requests_answer_header(request, "RateLimit") != NULL;
}

/* Whether two askers are one client: the second one finds the quota used up by the first. */
static bool same_client(const struct asker *a, const struct asker *b)
{
    allow(1, 0);
    cr_assert(admitted(a));
    return !admitted(b);
}

/* ---- who asks ---- */

#define PEER(address)         (&(struct asker){.peer = (address)})
#define BEHIND(address, list) (&(struct asker){.peer = (address), .forwarded = (list)})

Test(admission, without_trusted_proxies_the_connection_says_who_asks)
{
    cr_assert(same_client(PEER("203.0.113.7"), PEER("203.0.113.7")));
    cr_assert_not(same_client(PEER("203.0.113.7"), PEER("203.0.113.8")));
    cr_assert(same_client(BEHIND("203.0.113.7", "1.1.1.1"), BEHIND("203.0.113.7", "2.2.2.2")));
    cr_assert_not(same_client(BEHIND("203.0.113.7", "1.1.1.1"), BEHIND("203.0.113.8", "1.1.1.1")));
}

Test(admission, a_trusted_proxy_says_who_asks)
{
    config.trusted_proxies = 1;
    cr_assert(same_client(BEHIND("127.0.0.1", "1.1.1.1"), BEHIND("127.0.0.1", "1.1.1.1")));
    cr_assert_not(same_client(BEHIND("127.0.0.1", "1.1.1.1"), BEHIND("127.0.0.1", "2.2.2.2")));
    cr_assert(same_client(BEHIND("10.0.0.1", "1.1.1.1"), BEHIND("10.0.0.2", "6.6.6.6, 1.1.1.1")));
    cr_assert(same_client(BEHIND("10.0.0.1", "unknown"), PEER("10.0.0.1")));
    cr_assert(same_client(PEER("203.0.113.7"), PEER("203.0.113.7")));
}

Test(admission, of_two_trusted_proxies_the_first_one_says_who_asks)
{
    struct asker two = {
        .peer = "10.0.0.1", .forwarded = "6.6.6.6, 1.1.1.1", .forwarded_too = "10.0.0.2"};

    config.trusted_proxies = 2;
    cr_assert(same_client(&two, BEHIND("10.0.0.9", "1.1.1.1, 10.0.0.3")));
    cr_assert_not(same_client(&two, BEHIND("10.0.0.1", "6.6.6.6, 10.0.0.2")));
}

Test(admission, the_machine_itself_is_not_counted_unless_a_trusted_proxy_speaks_for_somebody)
{
    static const struct asker unknown = {.peer = NULL};

    cr_assert(is_counted(PEER("203.0.113.7")));
    cr_assert_not(is_counted(PEER("127.0.0.1")));
    cr_assert_not(is_counted(PEER("::1")));
    cr_assert_not(is_counted(BEHIND("127.0.0.1", "1.1.1.1")));
    cr_assert_not(is_counted(&unknown));
    config.trusted_proxies = 1;
    cr_assert_not(is_counted(PEER("127.0.0.1")));
    cr_assert(is_counted(BEHIND("127.0.0.1", "1.1.1.1")));
    cr_assert(is_counted(BEHIND("127.0.0.1", "127.0.0.1")));
    cr_assert(is_counted(BEHIND("127.0.0.1", "unknown")));
}

Test(admission, what_watches_over_the_daemon_is_not_counted)
{
    static const struct {
        const char *url;
        bool counted;
    } rows[] = {{"/healthz", false},   {"/readyz", false},   {"/metrics", false},
                {"/healthz?x", false}, {"/healthzz", true},  {"/v1/games", true},
                {"/", true},           {"/v1/healthz", true}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct asker asker = {.peer = "203.0.113.7", .url = rows[i].url};

        cr_assert_eq(is_counted(&asker), rows[i].counted, "%s", rows[i].url);
    }
}

Test(admission, a_token_is_one_client_whatever_address_it_comes_from)
{
    struct asker here = {.peer = "203.0.113.7", .token = "t"};
    struct asker there = {.peer = "203.0.113.8", .token = "t"};
    struct asker other = {.peer = "203.0.113.7", .token = "u"};

    allow(0, 1);
    cr_assert(admitted(&here));
    cr_assert_not(admitted(&there));
    cr_assert(admitted(&other));
    cr_assert(admitted(PEER("203.0.113.7")), "no token has no quota");
}

/* ---- what is told ---- */

Test(admission, each_answer_tells_the_quotas_and_what_is_left_of_them)
{
    struct asker asker = {.peer = "203.0.113.7", .token = "t"};
    struct request *request = ask(&asker);

    allow(6, 3);
    cr_assert(admission_ok(request));
    cr_assert_eq(requests_answers(request), 0);
    admission_settle(request);
    cr_assert_str_eq(requests_answer_header(request, "RateLimit-Policy"),
                     "\"address\";q=6;w=60, \"token\";q=3;w=60");
    cr_assert_str_eq(requests_answer_header(request, "RateLimit"),
                     "\"address\";r=5;t=10, \"token\";r=2;t=20");
    request = ask(PEER("203.0.113.7"));
    loop.now = 4000000;
    cr_assert(admission_ok(request));
    admission_settle(request);
    cr_assert_str_eq(requests_answer_header(request, "RateLimit-Policy"), "\"address\";q=6;w=60");
    cr_assert_str_eq(requests_answer_header(request, "RateLimit"), "\"address\";r=4;t=6");
}

Test(admission, where_nothing_is_limited_nothing_is_told)
{
    struct asker asker = {.peer = "203.0.113.7", .token = "t"};
    struct request *request = ask(&asker);

    allow(0, 0);
    cr_assert(admission_ok(request));
    admission_settle(request);
    cr_assert_eq(request->reply.headers, 0);
}

static struct request *refused(const struct asker *asker)
{
    struct request *request = ask(asker);

    cr_assert_not(admission_ok(request));
    admission_settle(request);
    requests_assert_problem(request, PROBLEM_QUOTA_EXCEEDED, NULL);
    return request;
}

static void assert_violated(const struct request *request, const char *policies,
                            const char *retry_after)
{
    struct seen *seen = seen_read(request->reply.body);

    cr_assert_str_eq(seen_list(seen, "violated-policies"), policies);
    seen_free(seen);
    cr_assert_str_eq(requests_answer_header(request, "Retry-After"), retry_after);
    cr_assert_not_null(requests_answer_header(request, "RateLimit"));
}

Test(admission, a_refusal_names_the_quotas_that_were_exceeded_and_when_to_come_again)
{
    struct asker asker = {.peer = "203.0.113.7", .token = "t"};

    allow(2, 1);
    cr_assert(admitted(&asker));
    assert_violated(refused(&asker), "token", "60");
    cr_assert(admitted(PEER("203.0.113.7")));
    assert_violated(refused(PEER("203.0.113.7")), "address", "30");
    assert_violated(refused(&asker), "address token", "60");
    loop.now = 30000000;
    assert_violated(refused(&asker), "token", "30");
    cr_assert_eq(loop.metrics.quota_exceeded[QUOTA_REQUESTS][QUOTA_OF_ADDRESS], 2);
    cr_assert_eq(loop.metrics.quota_exceeded[QUOTA_REQUESTS][QUOTA_OF_TOKEN], 3);
}

Test(admission, each_loop_has_its_share_rounded_up)
{
    static const struct {
        long allowed;
        size_t loops;
        uint32_t share;
    } rows[] = {{100, 1, 100}, {100, 4, 25}, {100, 3, 34}, {1, 8, 1}, {0, 8, 0}, {9, 8, 2}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct quota_limit limit;
        struct quota *quota;

        config.quota_address = rows[i].allowed;
        config.quota_token = 2 * rows[i].allowed;
        config.quota_token_games = rows[i].allowed;
        config.quota_window_s = 30;
        quota = admission_open(&config, rows[i].loops);
        limit = quota_limit(quota, QUOTA_REQUESTS, QUOTA_OF_ADDRESS);
        cr_assert_eq(limit.allowed, rows[i].share);
        cr_assert_eq(limit.window_s, 30);
        limit = quota_limit(quota, QUOTA_GAMES, QUOTA_OF_TOKEN);
        cr_assert_eq(limit.allowed, rows[i].share);
        cr_assert_eq(limit.window_s, 3600);
        quota_close(quota);
    }
}

/* ---- what a request costs ---- */

Test(admission, a_request_costs_one_for_each_part_of_time_and_bytes_that_it_began)
{
    static const struct {
        int64_t us;
        size_t out, stored;
        enum method method;
        int64_t cost;
    } rows[] = {
        {0, 0, 0, METHOD_GET, 1},
        {METERING_WORK_US, METERING_OUT_BYTES, METERING_STORED_BYTES, METHOD_GET, 1},
        {METERING_WORK_US + 1, 0, 0, METHOD_GET, 2},
        {2 * METERING_WORK_US, 0, 0, METHOD_GET, 2},
        {240000, 0, 0, METHOD_GET, 120},
        {0, METERING_OUT_BYTES + 1, 0, METHOD_GET, 2},
        {0, 50 * METERING_OUT_BYTES, 0, METHOD_GET, 50},
        {0, 50 * METERING_OUT_BYTES, 0, METHOD_HEAD, 1},
        {0, 0, 3 * METERING_STORED_BYTES + 1, METHOD_POST, 4},
        {3 * METERING_WORK_US, 4 * METERING_OUT_BYTES, 5 * METERING_STORED_BYTES, METHOD_POST, 10},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct request request = {.method = rows[i].method,
                                  .cost_us = rows[i].us,
                                  .stored = rows[i].stored,
                                  .reply.len = rows[i].out};

        cr_assert_eq(metering_cost(&request), rows[i].cost, "row %zu: %lld", i,
                     (long long)metering_cost(&request));
    }
}

/* A request that is admitted, has cost some time, and is settled. */
static struct request *settled(const struct asker *asker, int64_t us)
{
    struct request *request = ask(asker);

    cr_assert(admission_ok(request));
    request->cost_us = us;
    admission_settle(request);
    return request;
}

Test(admission, what_a_request_has_cost_is_charged_and_told_once)
{
    struct asker asker = {.peer = "203.0.113.7", .token = "t"};
    struct request *request;

    allow(60, 30);
    request = settled(&asker, 10 * METERING_WORK_US);
    cr_assert_str_eq(requests_answer_header(request, "RateLimit"),
                     "\"address\";r=50;t=1, \"token\";r=20;t=2");
    cr_assert_str_eq(requests_answer_header(request, "RateLimit-Cost"), "10");
    admission_settle(request);
    cr_assert_eq(request->reply.headers, 3);
    request = settled(&asker, METERING_WORK_US);
    cr_assert_str_eq(requests_answer_header(request, "RateLimit"),
                     "\"address\";r=49;t=1, \"token\";r=19;t=2");
    cr_assert_null(requests_answer_header(request, "RateLimit-Cost"));
}

Test(admission, a_client_that_overdrew_waits_until_its_debt_has_come_back)
{
    struct request *request;

    allow(60, 0);
    request = settled(PEER("203.0.113.7"), 90 * METERING_WORK_US);
    cr_assert_str_eq(requests_answer_header(request, "RateLimit"), "\"address\";r=0;t=31");
    assert_violated(refused(PEER("203.0.113.7")), "address", "31");
    loop.now = 30999999;
    assert_violated(refused(PEER("203.0.113.7")), "address", "1");
    loop.now = 31000000;
    cr_assert(admitted(PEER("203.0.113.7")));
}

Test(admission, a_refusal_costs_nothing_however_long_it_took)
{
    struct request *request;

    allow(1, 0);
    cr_assert(admitted(PEER("203.0.113.7")));
    request = ask(PEER("203.0.113.7"));
    cr_assert_not(admission_ok(request));
    request->cost_us = 1000000;
    admission_settle(request);
    cr_assert_str_eq(requests_answer_header(request, "RateLimit"), "\"address\";r=0;t=60");
    cr_assert_null(requests_answer_header(request, "RateLimit-Cost"));
}

Test(admission, the_machine_itself_is_charged_nothing)
{
    struct request *request = ask(PEER("127.0.0.1"));

    allow(1, 1);
    cr_assert(admission_ok(request));
    cr_assert(admission_may_make(request));
    request->cost_us = 1000000;
    admission_settle(request);
    cr_assert_eq(request->reply.headers, 0);
}

/* ---- games ---- */

/* Asks to make a game, and makes it or does not. */
static struct request *make(const struct asker *asker, bool made)
{
    struct request *request = ask(asker);

    cr_assert(admission_ok(request));
    request->made = admission_may_make(request) && made;
    admission_settle(request);
    return request;
}

Test(admission, games_have_quotas_of_their_own_which_their_answers_tell)
{
    struct asker asker = {.peer = "203.0.113.7", .token = "t"};
    struct request *request;

    allow_games(3, 2);
    request = make(&asker, true);
    cr_assert_str_eq(requests_answer_header(request, "RateLimit-Policy"),
                     "\"address\";q=100;w=60, \"token\";q=100;w=60, "
                     "\"address-games\";q=3;w=3600, \"token-games\";q=2;w=3600");
    cr_assert_str_eq(requests_answer_header(request, "RateLimit"),
                     "\"address\";r=99;t=1, \"token\";r=99;t=1, "
                     "\"address-games\";r=2;t=1200, \"token-games\";r=1;t=1800");
    make(&asker, true);
    request = make(&asker, true);
    requests_assert_problem(request, PROBLEM_QUOTA_EXCEEDED, NULL);
    assert_violated(request, "token-games", "1800");
    make(PEER("203.0.113.7"), true);
    request = make(PEER("203.0.113.7"), true);
    assert_violated(request, "address-games", "1200");
    cr_assert_eq(loop.metrics.quota_exceeded[QUOTA_GAMES][QUOTA_OF_ADDRESS], 1);
    cr_assert_eq(loop.metrics.quota_exceeded[QUOTA_GAMES][QUOTA_OF_TOKEN], 1);
    cr_assert(admitted(&asker), "other requests go on");
}

Test(admission, a_game_that_was_not_made_does_not_count)
{
    struct request *request;

    allow_games(1, 0);
    for (int i = 0; i < 5; i++) {
        request = make(PEER("203.0.113.7"), false);
        cr_assert_eq(requests_answers(request), 0);
    }
    make(PEER("203.0.113.7"), true);
    request = make(PEER("203.0.113.7"), false);
    assert_violated(request, "address-games", "3600");
    request = make(PEER("203.0.113.7"), false);
    assert_violated(request, "address-games", "3600");
}
