/* test_send_queue.c - whose turn it is to be sent, and what becomes of who gets none. */
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>

#include "api/hooks/send_queue.h"
#include "api/loop/loop.h"
#include "tests/support/receiver.h"

static int given_up;

static void done(struct parcel *parcel, bool tried)
{
    (void)parcel;
    given_up += !tried;
}

Test(send_queue, what_gets_no_turn_in_its_time_is_told_so_though_there_still_is_none)
{
    static struct loop loop = {.now = 1};
    struct parcel parcels[SEND_QUEUE_OF_HOST + 1];
    struct send_queue *queue = send_queue_open(&loop, true);
    static struct receiver receiver;
    char url[64];

    receiver_start(&receiver);
    receiver_falls_silent(&receiver);
    snprintf(url, sizeof(url), "http://127.0.0.1:%d/", receiver.port);
    for (int i = 0; i <= SEND_QUEUE_OF_HOST; i++) {
        parcels[i] = (struct parcel){.transfer = {.url = url, .body = "{}", .header = {"A: b"}},
                                     .host = "127.0.0.1",
                                     .until = 10,
                                     .done = done};
        send_queue_send(queue, &parcels[i]);
    }
    loop.now = 9;
    send_queue_run(queue);
    cr_assert_eq(given_up, 0);
    loop.now = 10;
    send_queue_run(queue);
    cr_assert_eq(given_up, 1, "those that are under way go on");
    send_queue_close(queue);
    receiver_stop(&receiver);
}
