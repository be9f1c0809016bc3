/* test_hooks.c - the pure parts of webhooks: signatures, addresses, times between attempts, what is
 * sent; and which URLs are refused. */
#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <netinet/in.h>
#include <string.h>

#include "api/game/words.h"
#include "api/hooks/address.h"
#include "api/hooks/deliver_game.h"
#include "api/hooks/http_client.h"
#include "api/hooks/webhook_message.h"
#include "db/hooks.h"

/* ---- signatures ---- */

/* The example of the Standard Webhooks libraries, whose secret is
 * whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw. */
static const uint8_t published[DB_SECRET_BYTES] = {0x31, 0xf2, 0x90, 0xf6, 0xbf, 0x06, 0x29, 0x8a,
                                                   0xab, 0x4f, 0x08, 0xd4, 0x3c, 0x3f, 0x08, 0x2c,
                                                   0xf6, 0x48, 0xa3, 0x62, 0xda, 0x2d, 0xa4, 0xb0};

Test(signature, it_is_the_published_one)
{
    char text[WEBHOOK_MESSAGE_SIGNATURE_TEXT];

    webhook_message_sign(published, "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330",
                         "{\"test\": 2432232314}", text);
    cr_assert_str_eq(text, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
}

Test(signature, a_secret_is_shown_as_the_standard_writes_it)
{
    char text[WEBHOOK_MESSAGE_SECRET_TEXT];

    webhook_message_secret_text(published, text);
    cr_assert_str_eq(text, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
}

/* ---- addresses ---- */

static bool is_public(const char *text)
{
    struct sockaddr_in in = {.sin_family = AF_INET};
    struct sockaddr_in6 in6 = {.sin6_family = AF_INET6};
    bool found;

    if (inet_pton(AF_INET, text, &in.sin_addr) == 1) {
        found = address_is_public((const struct sockaddr *)&in);
    } else {
        cr_assert_eq(inet_pton(AF_INET6, text, &in6.sin6_addr), 1, "%s", text);
        found = address_is_public((const struct sockaddr *)&in6);
    }
    cr_assert_eq(address_text_is_public(text), found, "%s", text);
    return found;
}

Test(address, ranges_end_where_they_end)
{
    static const struct {
        const char *before, *first, *last, *after; /* NULL: no address, or another range */
    } ranges[] = {{NULL, "0.0.0.0", "0.255.255.255", "1.0.0.0"},
                  {"9.255.255.255", "10.0.0.0", "10.255.255.255", "11.0.0.0"},
                  {"100.63.255.255", "100.64.0.0", "100.127.255.255", "100.128.0.0"},
                  {"126.255.255.255", "127.0.0.0", "127.255.255.255", "128.0.0.0"},
                  {"169.253.255.255", "169.254.0.0", "169.254.255.255", "169.255.0.0"},
                  {"172.15.255.255", "172.16.0.0", "172.31.255.255", "172.32.0.0"},
                  {"191.255.255.255", "192.0.0.0", "192.0.0.255", "192.0.1.0"},
                  {"192.0.1.255", "192.0.2.0", "192.0.2.255", "192.0.3.0"},
                  {"192.88.98.255", "192.88.99.0", "192.88.99.255", "192.88.100.0"},
                  {"192.167.255.255", "192.168.0.0", "192.168.255.255", "192.169.0.0"},
                  {"198.17.255.255", "198.18.0.0", "198.19.255.255", "198.20.0.0"},
                  {"198.51.99.255", "198.51.100.0", "198.51.100.255", "198.51.101.0"},
                  {"203.0.112.255", "203.0.113.0", "203.0.113.255", "203.0.114.0"},
                  {"223.255.255.255", "224.0.0.0", "239.255.255.255", NULL},
                  {NULL, "240.0.0.0", "255.255.255.255", NULL},
                  {NULL, "::", "1fff:ffff::", "2000::"},
                  {"2000:ffff::", "2001::", "2001:1ff:ffff::", "2001:200::"},
                  {"2001:db7:ffff::", "2001:db8::", "2001:db8:ffff::", "2001:db9::"},
                  {"2001:ffff::", "2002::", "2002:ffff::", "2003::"},
                  {"3ffe:ffff::", "3fff::", "3fff:fff:ffff::", "3fff:1000::"},
                  {"3fff:ffff::", "4000::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", NULL}};

    for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
        cr_assert_not(is_public(ranges[i].first), "%s", ranges[i].first);
        cr_assert_not(is_public(ranges[i].last), "%s", ranges[i].last);
        if (ranges[i].before != NULL)
            cr_assert(is_public(ranges[i].before), "%s", ranges[i].before);
        if (ranges[i].after != NULL)
            cr_assert(is_public(ranges[i].after), "%s", ranges[i].after);
    }
}

Test(address, those_that_an_attacker_would_name_are_refused)
{
    static const char *const refused[] = {
        "::1",         "fe80::1",          "fc00::1",         "fd12:3456::",
        "ff02::1",     "::ffff:127.0.0.1", "::ffff:10.1.2.3", "64:ff9b::7f00:1",
        "::127.0.0.1", "169.254.169.254"};

    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
        cr_assert_not(is_public(refused[i]), "%s", refused[i]);
    cr_assert(is_public("::ffff:9.9.9.9"));
    cr_assert(is_public("::ffff:193.0.14.129"));
    cr_assert(is_public("64:ff9b::909:909"));
    cr_assert(is_public("64:ff9b::c100:e81"));
    cr_assert(is_public("2606:4700::1111"));
}

Test(address, a_socket_of_another_kind_is_refused)
{
    struct sockaddr address = {.sa_family = AF_UNIX};

    cr_assert_not(address_is_public(&address));
}

Test(address, a_name_is_left_to_the_connection)
{
    cr_assert(address_text_is_public("localhost.example"));
    cr_assert(address_text_is_public("notlocalhost"));
    cr_assert_not(address_text_is_public("[::1]"));
    cr_assert(address_text_is_public("[2606:4700::1111]"));
}

Test(address, the_names_of_this_machine_are_not_public)
{
    static const char *const names[] = {"localhost", "LocalHost.", "a.localhost", "b.a.localhost."};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        cr_assert_not(address_text_is_public(names[i]), "%s", names[i]);
}

/* ---- times between attempts ---- */

Test(backoff, the_times_are_those_of_the_standard_and_up_to_a_tenth_more)
{
    static const int64_t seconds[] = {5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400};

    for (int i = 0; i < DELIVERY_FAILURES - 1; i++) {
        cr_assert_eq(game_delivery_backoff_us(i + 1, 0), seconds[i] * 1000000);
        for (uint32_t chance = 0; chance < 5000; chance += 7) {
            int64_t us = game_delivery_backoff_us(i + 1, chance);

            cr_assert(us >= seconds[i] * 1000000 && us < seconds[i] * 1100000);
        }
    }
    cr_assert_eq(game_delivery_backoff_us(DELIVERY_FAILURES, 0), -1);
}

/* ---- messages ---- */

static const db_id hook = {{1}}, game = {{2}}, other = {{3}};

Test(message, an_id_is_the_same_for_the_same_event_and_no_other)
{
    char first[WEBHOOK_MESSAGE_ID_TEXT], second[WEBHOOK_MESSAGE_ID_TEXT];

    webhook_message_id(&hook, &game, 17, first);
    webhook_message_id(&hook, &game, 17, second);
    cr_assert_str_eq(first, second);
    cr_assert_eq(strlen(first), WEBHOOK_MESSAGE_ID_TEXT - 1);
    cr_assert_eq(strncmp(first, "msg_", 4), 0);
    webhook_message_id(&hook, &game, 18, second);
    cr_assert_str_neq(first, second);
    webhook_message_id(&hook, &other, 17, second);
    cr_assert_str_neq(first, second);
    webhook_message_id(&other, &game, 17, second);
    cr_assert_str_neq(first, second);
    webhook_message_id(&hook, NULL, 17, second);
    cr_assert_str_neq(first, second);
}

Test(message, an_event_is_told_as_in_the_list_with_its_game)
{
    struct arena arena = {NULL, NULL, NULL};
    struct db_event event = {.version = 3,
                             .kind = EVENT_MOVE,
                             .seat = 1,
                             .line = 1,
                             .ply = 2,
                             .move = "b2",
                             .position = "p",
                             .at = 1600000000123000};

    cr_assert_str_eq(webhook_message_event(&arena, game, NULL, &event),
                     "{\"type\":\"move\",\"timestamp\":\"2020-09-13T12:26:40.123Z\",\"data\":{"
                     "\"game\":\"08000000000000000000000000\",\"version\":3,\"type\":\"move\","
                     "\"seat\":1,\"line\":1,\"ply\":2,\"move\":\"b2\",\"position\":\"p\","
                     "\"at\":\"2020-09-13T12:26:40.123Z\"}}");
    arena_free(&arena);
}

Test(message, it_has_the_metadata_of_its_game)
{
    struct db_event event = {.version = 1, .kind = EVENT_ABORTED};
    struct arena arena = {NULL, NULL, NULL};
    const char *text = webhook_message_event(&arena, (db_id){{0}}, "{\"table\":\"5\"}", &event);

    cr_assert_not_null(strstr(text, "\"data\":{\"game\":\"00000000000000000000000000\","
                                    "\"metadata\":{\"table\":\"5\"},\"version\":1,"),
                       "%s", text);
    arena_free(&arena);
}

Test(message, a_test_names_its_webhook)
{
    struct arena arena = {NULL, NULL, NULL};

    cr_assert_str_eq(webhook_message_test(&arena, hook, 1600000000123000),
                     "{\"type\":\"test\",\"timestamp\":\"2020-09-13T12:26:40.123Z\",\"data\":{"
                     "\"webhook\":\"04000000000000000000000000\"}}");
    arena_free(&arena);
}

Test(message, what_is_wanted_is_chosen_by_bits_and_nothing_means_all)
{
    cr_assert(webhook_message_is_wanted(0, EVENT_MESSAGE));
    cr_assert(webhook_message_is_wanted(INT64_C(1) << EVENT_MESSAGE, EVENT_MESSAGE));
    cr_assert_not(webhook_message_is_wanted(INT64_C(1) << EVENT_MESSAGE, EVENT_MOVE));
    cr_assert_not(webhook_message_is_wanted(INT64_C(1) << EVENT_MOVE, 64 + EVENT_MOVE),
                  "a newer one");
}

/* ---- URLs ---- */

static const char *host_of(const char *url)
{
    static char host[HTTP_CLIENT_HOST_TEXT];
    const char *fault = http_client_url_fault(url, false, host);

    return fault == NULL ? host : NULL;
}

Test(hook_url, receivers_are_told_apart_by_name_and_port)
{
    cr_assert_str_eq(host_of("https://Example.COM/a?b=c"), "example.com:443");
    cr_assert_str_eq(host_of("http://example.com"), "example.com:80");
    cr_assert_str_eq(host_of("https://example.com:8443/"), "example.com:8443");
    cr_assert_str_eq(host_of("https://9.9.9.9/"), "9.9.9.9:443");
}

Test(hook_url, what_is_no_plain_url_of_http_is_refused)
{
    static const char *const refused[] = {
        "",
        "example.com",
        "/hook",
        "ftp://example.com/",
        "file:///etc/passwd",
        "gopher://example.com/",
        "https://user@example.com/",
        "https://user:secret@example.com/",
        "https://:secret@example.com/",
        "https://example.com/#part",
        "https://exam ple.com/",
        "https://example.com/\r\nX: y",
        "https://example.com:99999/",
    };

    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
        cr_assert_null(host_of(refused[i]), "%s", refused[i]);
}

Test(hook_url, an_address_that_is_not_public_is_refused_unless_all_are_allowed)
{
    static const char *const private[] = {"http://127.0.0.1/",  "http://127.1/",
                                          "http://2130706433/", "http://0x7f.1/",
                                          "http://[::1]/",      "http://10.0.0.1/",
                                          "http://0177.0.0.1/", "http://169.254.169.254/",
                                          "http://[fe80::1]/",  "http://[::ffff:127.0.0.1]/"};
    char host[HTTP_CLIENT_HOST_TEXT];

    for (size_t i = 0; i < sizeof(private) / sizeof(private[0]); i++) {
        cr_assert_null(host_of(private[i]), "%s", private[i]);
        cr_assert_null(http_client_url_fault(private[i], true, host), "%s", private[i]);
    }
}
