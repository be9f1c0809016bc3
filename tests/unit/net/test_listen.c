/* test_listen.c - the sockets that clients connect to: where, how many, and how they are set. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "api/net/listen.h"

enum { SOCKETS = 3 };

static void close_all(const int *sockets, size_t n)
{
    for (size_t i = 0; i < n; i++)
        close(sockets[i]);
}

static int option(int fd, int level, int name)
{
    int value = -1;
    socklen_t len = sizeof(value);

    cr_assert_eq(getsockopt(fd, level, name, &value, &len), 0);
    return value;
}

static int port_of(int fd)
{
    struct sockaddr_in address = {.sin_port = 0};
    socklen_t len = sizeof(address);

    cr_assert_eq(getsockname(fd, (struct sockaddr *)&address, &len), 0);
    return ntohs(address.sin_port);
}

Test(listen, the_address_says_which_free_port_was_taken)
{
    char address[LISTEN_ADDRESS], wanted[LISTEN_ADDRESS];
    int fd;

    cr_assert(listen_all("127.0.0.1:0", &fd, 1, address));
    cr_assert_gt(port_of(fd), 0);
    snprintf(wanted, sizeof(wanted), "127.0.0.1:%d", port_of(fd));
    cr_assert_str_eq(address, wanted);
    close(fd);
}

Test(listen, an_ipv6_address_stands_in_brackets)
{
    char address[LISTEN_ADDRESS];
    int fd;

    if (!listen_all("[::1]:0", &fd, 1, address))
        cr_skip_test("no IPv6 here");
    cr_assert_eq(strncmp(address, "[::1]:", 6), 0, "%s", address);
    cr_assert_str_neq(address, "[::1]:0");
    close(fd);
}

Test(listen, each_loop_has_a_socket_at_the_same_port)
{
    char address[LISTEN_ADDRESS];
    int sockets[SOCKETS];

    cr_assert(listen_all("127.0.0.1:0", sockets, SOCKETS, address));
    for (size_t i = 0; i < SOCKETS; i++) {
        cr_assert_eq(port_of(sockets[i]), port_of(sockets[0]));
        cr_assert(option(sockets[i], SOL_SOCKET, SO_ACCEPTCONN));
        for (size_t j = 0; j < i; j++)
            cr_assert_neq(sockets[i], sockets[j]);
    }
    close_all(sockets, SOCKETS);
}

Test(listen, answers_are_sent_at_once_and_no_call_waits)
{
    char address[LISTEN_ADDRESS];
    int sockets[SOCKETS];

    for (size_t n = 1; n <= SOCKETS; n += 2) {
        cr_assert(listen_all("127.0.0.1:0", sockets, n, address));
        for (size_t i = 0; i < n; i++) {
            cr_assert(option(sockets[i], IPPROTO_TCP, TCP_NODELAY));
            cr_assert(option(sockets[i], SOL_SOCKET, SO_REUSEADDR));
            cr_assert(fcntl(sockets[i], F_GETFL) & O_NONBLOCK);
            cr_assert(fcntl(sockets[i], F_GETFD) & FD_CLOEXEC);
        }
        close_all(sockets, n);
    }
}

Test(listen, a_port_that_another_daemon_has_is_refused_however_many_loops_there_are)
{
    char address[LISTEN_ADDRESS], other[LISTEN_ADDRESS];
    int sockets[SOCKETS], more[SOCKETS];

    for (size_t n = 1; n <= SOCKETS; n += 2) {
        cr_assert(listen_all("127.0.0.1:0", sockets, n, address));
        cr_assert_not(listen_all(address, more, 1, other));
        cr_assert_eq(errno, EADDRINUSE);
        cr_assert_not(listen_all(address, more, SOCKETS, other));
        close_all(sockets, n);
    }
}

Test(listen, an_address_that_is_not_here_is_refused_and_leaves_nothing_open)
{
    char address[LISTEN_ADDRESS];
    int fd, next = dup(STDIN_FILENO), after;

    close(next);
    cr_assert_not(listen_all("192.0.2.1:0", &fd, 1, address));
    after = dup(STDIN_FILENO);
    close(after);
    cr_assert_eq(after, next);
    cr_assert_not(listen_all("no.such.host.invalid:0", &fd, 1, address));
}
