/* test_send_queue.c - whose turn it is to be sent, and what becomes of who gets none. */
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>

#include "api/hooks/send_queue.h"
#include "api/loop/loop.h"
#include "tests/support/backoff.h"
#include "tests/support/receiver.h"

static int given_up;

static void done(struct parcel *parcel, bool tried)
{
    (void)parcel;
    given_up += !tried;
}

enum { QUICK = 0, PARCELS = 64 };

static struct loop busy = {.now = 1};
static struct receiver silent;
static struct send_queue *queue;
static struct parcel parcel[PARCELS];
static size_t parcels;
static char silent_url[64];

static void open_silent(void)
{
    receiver_start(&silent);
    receiver_falls_silent(&silent);
    snprintf(silent_url, sizeof(silent_url), "http://127.0.0.1:%d/", silent.port);
    queue = send_queue_open(&busy, true);
}

static void close_silent(void)
{
    send_queue_close(queue);
    receiver_stop(&silent);
}

TestSuite(send_queue, .init = open_silent, .fini = close_silent);

static void send_parcel(const char *host, int32_t took_ms, bool to_service)
{
    struct parcel *next = &parcel[parcels++];

    *next = (struct parcel){.transfer = {.url = silent_url, .body = "{}", .header = {"A: b"}},
                            .host = host,
                            .took_ms = took_ms,
                            .to_service = to_service,
                            .until = INT64_MAX,
                            .done = done};
    send_queue_send(queue, next);
}

/* One more, to a receiver of this name that took so long the last time; -1: nothing is known. */
static void send_to(const char *host, int32_t took_ms)
{
    send_parcel(host, took_ms, false);
}

static void send_to_many(size_t count, int32_t took_ms)
{
    static char host[PARCELS][16];

    for (size_t i = 0; i < count; i++) {
        snprintf(host[parcels], sizeof(host[0]), "host %zu", parcels);
        send_to(host[parcels], took_ms);
    }
}

static void assert_turns(uint64_t at_work, uint64_t waiting)
{
    cr_expect_eq(busy.metrics.webhooks_at_work, at_work);
    cr_expect_eq(busy.metrics.webhooks_waiting, waiting);
}

Test(send_queue, one_receiver_has_two_at_once_and_holds_up_no_other)
{
    for (int i = 0; i < 3; i++)
        send_to("one", QUICK);
    assert_turns(2, 1);
    send_to("other", QUICK);
    assert_turns(3, 1);
}

Test(send_queue, a_push_service_has_as_many_of_those_that_it_took_quickly_as_others_leave_room_for)
{
    for (int i = 0; i < SEND_QUEUE_OF_SERVICE + 1; i++)
        send_parcel("service", QUICK, true);
    assert_turns(SEND_QUEUE_OF_SERVICE, 1);
    send_to("other", QUICK);
    assert_turns(SEND_QUEUE_OF_SERVICE + 1, 1);
}

Test(send_queue, a_push_service_of_which_nothing_is_known_or_that_is_slow_has_two)
{
    for (int i = 0; i < 3; i++)
        send_parcel("new", -1, true);
    assert_turns(2, 1);
    for (int i = 0; i < 3; i++)
        send_parcel("slow", SEND_QUEUE_QUICK_MS + 1, true);
    assert_turns(4, 2);
}

Test(send_queue, slow_receivers_and_new_ones_share_places_and_leave_the_others_to_quick_ones)
{
    send_to_many(SEND_QUEUE_SLOW - 1, SEND_QUEUE_QUICK_MS + 1);
    send_to_many(2, -1);
    assert_turns(SEND_QUEUE_SLOW, 1);
    send_to_many(1, SEND_QUEUE_QUICK_MS);
    assert_turns(SEND_QUEUE_SLOW + 1, 1);
}

Test(send_queue, a_slow_receiver_keeps_its_place_and_a_quick_one_leaves_it_after_a_while)
{
    send_to_many(SEND_QUEUE_SLOW + 1, -1);
    send_to_many(SEND_QUEUE_QUICK + 1, QUICK);
    assert_turns(SEND_QUEUE_SLOW + SEND_QUEUE_QUICK, 2);
    busy.now += SEND_QUEUE_HOLD_US - 1;
    send_queue_run(queue);
    assert_turns(SEND_QUEUE_SLOW + SEND_QUEUE_QUICK, 2);
    busy.now++;
    send_queue_run(queue);
    assert_turns(SEND_QUEUE_SLOW + SEND_QUEUE_QUICK + 1, 1);
}

static void send_mail(const char *url)
{
    static const struct transfer_mail mail = {.from = "a@example.org", .to = "b@example.org"};
    struct parcel *next = &parcel[parcels++];

    *next = (struct parcel){.transfer = {.url = url, .body = "", .mail = &mail},
                            .host = "mail server",
                            .took_ms = -1,
                            .until = INT64_MAX,
                            .done = done};
    send_queue_send(queue, next);
}

/* The mail server is one receiver for everybody, of whom each new address would be slow. */
Test(send_queue, silent_receivers_hold_up_no_mail)
{
    send_to_many(SEND_QUEUE_SLOW + 1, -1);
    assert_turns(SEND_QUEUE_SLOW, 1);
    send_mail(silent_url);
    assert_turns(SEND_QUEUE_SLOW + 1, 1);
}

static void await_under_way(uint64_t count)
{
    for (int looks = 0; busy.metrics.webhooks_at_work > count; looks++) {
        back_off(looks);
        send_queue_run(queue);
    }
}

Test(send_queue, while_the_mail_server_is_down_one_mail_tries_it_and_nothing_else_waits)
{
    static const char down[] = "smtp://127.0.0.1:1/example.org"; /* nobody listens there */

    for (int i = 0; i < 4; i++)
        send_mail(down);
    await_under_way(0);
    cr_assert_eq(given_up, 2, "of those that waited; two were sent at once");
    cr_assert_eq(busy.metrics.mail_server_down, 1);
    send_mail(down);
    cr_assert_eq(given_up, 3);
    send_to("one", QUICK);
    assert_turns(1, 0);
    busy.now += send_queue_mails_rest_us(queue);
    for (int i = 0; i < 4; i++)
        send_mail(down);
    cr_assert_eq(given_up, 6, "all but one");
    assert_turns(2, 0);
    await_under_way(1);
    cr_assert_gt(send_queue_mails_rest_us(queue), 5 * 1000 * 1000);
}

/* Another daemon may be about to send the same. */
Test(send_queue, what_waits_when_nothing_may_be_sent_any_more_is_given_up)
{
    for (int i = 0; i < 3; i++)
        send_to("one", QUICK);
    send_queue_hold(queue, busy.now + 1);
    send_queue_run(queue);
    cr_expect_eq(given_up, 0);
    busy.now++;
    send_queue_run(queue);
    cr_expect_eq(given_up, 1);
}

Test(send_queue, what_gets_no_turn_in_its_time_is_told_so_though_there_still_is_none)
{
    for (int i = 0; i < 3; i++)
        send_to("one", QUICK);
    for (size_t i = 0; i < parcels; i++)
        parcel[i].until = busy.now + 2;
    busy.now++;
    send_queue_run(queue);
    cr_assert_eq(given_up, 0);
    busy.now++;
    send_queue_run(queue);
    cr_assert_eq(given_up, 1, "those that are under way go on");
}
