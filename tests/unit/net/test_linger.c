/* test_linger.c - connections that stay open until the other end has every byte. */
#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "api/net/linger.h"

/* Two ends of a connection. The second has room for few bytes. */
static void make_ends(int *sender, int *receiver)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof(address);
    int listener = socket(AF_INET, SOCK_STREAM, 0), bytes = 2048;

    cr_assert_eq(bind(listener, (struct sockaddr *)&address, len), 0);
    cr_assert_eq(listen(listener, 1), 0);
    getsockname(listener, (struct sockaddr *)&address, &len);
    *receiver = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(*receiver, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes));
    cr_assert_eq(connect(*receiver, (struct sockaddr *)&address, len), 0);
    *sender = accept(listener, NULL, NULL);
    close(listener);
}

/* Sends more than the other end has room for. Returns how much. */
static size_t fill(int fd)
{
    char bytes[4096] = "";
    size_t sent = 0;

    for (ssize_t n; sent < (1 << 20) && (n = send(fd, bytes, sizeof(bytes), MSG_DONTWAIT)) > 0;)
        sent += (size_t)n;
    return sent;
}

static size_t receive_all(int fd)
{
    char bytes[4096];
    size_t received = 0;

    for (ssize_t n; (n = recv(fd, bytes, sizeof(bytes), 0)) > 0;)
        received += (size_t)n;
    return received;
}

Test(linger, a_connection_is_open_until_the_other_end_has_the_last_byte)
{
    struct linger_list list = {NULL, 0, 0};
    int sender, receiver;
    size_t sent;

    make_ends(&sender, &receiver);
    cr_assert_not(linger_is_sending(sender));
    sent = fill(sender);
    cr_assert(linger_is_sending(sender));
    linger_add(&list, sender);
    close(sender);
    cr_assert_not(linger_done(&list));
    cr_assert_eq(send(receiver, "more", 4, 0), 4, "what the client still sends does no harm");
    cr_assert_not(linger_done(&list));
    cr_assert_eq(receive_all(receiver), sent);
    while (!linger_done(&list))
        poll(NULL, 0, 1);
    linger_close(&list);
    close(receiver);
}

Test(linger, a_connection_that_breaks_is_not_waited_for)
{
    struct linger_list list = {NULL, 0, 0};
    struct linger reset = {1, 0};
    int sender, receiver;

    make_ends(&sender, &receiver);
    fill(sender);
    linger_add(&list, sender);
    close(sender);
    setsockopt(receiver, SOL_SOCKET, SO_LINGER, &reset, sizeof(reset));
    close(receiver);
    while (!linger_done(&list))
        poll(NULL, 0, 1);
    linger_close(&list);
}

Test(linger, at_the_end_all_are_closed)
{
    struct linger_list list = {NULL, 0, 0};
    int sender[20], receiver[20];

    for (int i = 0; i < 20; i++) {
        make_ends(&sender[i], &receiver[i]);
        fill(sender[i]);
        linger_add(&list, sender[i]);
        close(sender[i]);
    }
    cr_assert_not(linger_done(&list));
    cr_assert_eq(list.count, (size_t)20);
    linger_close(&list);
    cr_assert(linger_done(&list));
    for (int i = 0; i < 20; i++)
        close(receiver[i]);
}
