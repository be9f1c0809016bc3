/* test_tap.c - when a socket of libmicrohttpd is read, and when it need not be. */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "api/net/clients.h"
#include "api/net/tap.h"

static struct client client;
static int watched, own, theirs;

static void on_malformed(void *args, struct client *found)
{
    (void)args;
    (void)found;
}

/* The kernel watches, and libmicrohttpd awaits what comes. */
static void open_tap(void)
{
    struct epoll_event awaited = {.events = EPOLLIN | EPOLLET};
    int pair[2];

    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair), 0);
    own = pair[0];
    theirs = pair[1];
    watched = epoll_create1(0);
    tap_open(own, &client, (struct tap_owner){on_malformed, NULL, watched});
    cr_assert_eq(tap_epoll_ctl(-1, EPOLL_CTL_ADD, own, &awaited), 0);
}

static void close_tap(void)
{
    tap_forget(own);
    tap_close();
    close(own);
    close(theirs);
    close(watched);
}

TestSuite(tap, .init = open_tap, .fini = close_tap);

static void say(const char *text)
{
    cr_assert_eq(send(theirs, text, strlen(text), 0), (ssize_t)strlen(text));
}

/* The loop asks what there is, as net_wait() does. */
static void look(void)
{
    struct epoll_event event;

    while (epoll_wait(watched, &event, 1, 0) == 1)
        tap_event(TAP_SOCKET(event.data.u64), event.events);
}

/* What libmicrohttpd is told when it looks. */
static int take_events(void)
{
    struct epoll_event events[4];

    return tap_epoll_wait(-1, events, 4, 0);
}

/* The bytes that a reading gets; -1: there are none. */
static int read_up_to(size_t size)
{
    char bytes[64];

    errno = 0;
    return (int)tap_recv(own, bytes, size, 0);
}

#define HEAD "GET / HTTP/1.1\r\n"

Test(tap, what_was_read_to_its_end_is_read_again_when_the_kernel_has_told_of_more)
{
    say(HEAD);
    look();
    cr_expect_eq(read_up_to(64), 16);
    say("Host: x\r\n");
    cr_expect_eq(read_up_to(64), -1);
    cr_expect_eq(errno, EAGAIN);
    look();
    cr_expect_eq(read_up_to(64), 9);
}

Test(tap, what_did_not_fit_is_read_at_once)
{
    say(HEAD "Host: x\r\n");
    look();
    cr_expect_eq(read_up_to(16), 16);
    cr_expect_eq(read_up_to(16), 9);
}

Test(tap, an_end_that_was_told_with_the_bytes_before_it_is_read_behind_them)
{
    say(HEAD);
    shutdown(theirs, SHUT_WR);
    look();
    take_events();
    cr_expect_eq(read_up_to(64), 16);
    cr_expect(tap_has_events(), "nobody would read the end");
    cr_expect_eq(take_events(), 1);
    cr_expect_eq(read_up_to(64), 0);
    cr_expect_not(tap_has_events());
}

Test(tap, an_end_that_comes_later_is_told_and_read)
{
    say(HEAD);
    look();
    cr_expect_eq(read_up_to(64), 16);
    shutdown(theirs, SHUT_WR);
    look();
    cr_expect_eq(read_up_to(64), 0);
}

Test(tap, bytes_that_are_there_before_the_kernel_watches_are_read)
{
    say(HEAD);
    cr_expect_eq(read_up_to(64), 16);
    say("Host: x\r\n");
    look();
    cr_expect_eq(read_up_to(64), 9);
}

/* The extension is taken out, so the reading seems to be the last one. */
Test(tap, what_lies_behind_a_complete_request_and_an_extension_is_told_again)
{
    static char request;

    say("POST / HTTP/1.1\r\n");
    look();
    cr_expect_eq(read_up_to(64), 17);
    client.request = (struct request *)&request;
    client.begun = 1;
    say("Host: x\r\nTransfer-Encoding: chunked\r\n\r\n"
        "1;a\r\nx\r\n0\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n");
    look();
    take_events();
    cr_expect_eq(read_up_to(64), 62);
    cr_expect(tap_has_events(), "nobody would read the rest");
    client.request = NULL;
    cr_expect_eq(take_events(), 1);
    cr_expect_gt(read_up_to(64), 0);
}
