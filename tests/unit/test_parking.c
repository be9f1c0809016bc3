/* test_parking.c - sockets that are parked, and clients that close them. */
#include <criterion/criterion.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "api/net/parking.h"
#include "requests.h"

static struct parking parking;
static int ours, theirs;

static void open_parking(void)
{
    int pair[2];

    cr_assert(parking_open(&parking));
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    ours = pair[0];
    theirs = pair[1];
}

static void end_parking(void)
{
    parking_close(&parking);
    requests_free();
}

TestSuite(parking, .init = open_parking, .fini = end_parking);

/* Parks our socket and closes the descriptor that it had. Returns the one that it has now. */
static int park(struct request *request)
{
    int fd = parking_add(&parking, ours, request);

    cr_assert_geq(fd, 0);
    cr_assert_neq(fd, ours);
    close(ours);
    return fd;
}

Test(parking, a_parked_socket_stays_open)
{
    char byte = 0;
    int fd = park(requests_new(NULL));

    cr_assert_eq(send(fd, "x", 1, 0), 1);
    cr_assert_eq(recv(theirs, &byte, 1, 0), 1);
    cr_assert_eq(byte, 'x');
}

Test(parking, a_client_that_sends_something_is_left_alone)
{
    park(requests_new(NULL));
    cr_assert_eq(send(theirs, "x", 1, 0), 1);
    cr_assert_null(parking_closed(&parking));
}

Test(parking, a_client_that_shuts_its_side_is_noticed_until_it_is_taken_out)
{
    struct request *request = requests_new(NULL);
    int fd = park(request);

    cr_assert_null(parking_closed(&parking));
    shutdown(theirs, SHUT_WR);
    cr_assert_eq(parking_closed(&parking), request);
    cr_assert_eq(parking_closed(&parking), request);
    parking_remove(&parking, fd);
    cr_assert_null(parking_closed(&parking));
    cr_assert_eq(send(fd, "x", 1, 0), 1, "the socket is still there");
}

Test(parking, a_client_that_closes_its_connection_is_noticed)
{
    struct request *request = requests_new(NULL);

    park(request);
    close(theirs);
    cr_assert_eq(parking_closed(&parking), request);
}

Test(parking, without_a_descriptor_nothing_is_parked)
{
    struct rlimit limit;

    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = 0;
    cr_assert_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
    cr_assert_eq(parking_add(&parking, ours, requests_new(NULL)), -1);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    cr_assert_eq(send(ours, "x", 1, 0), 1, "the socket is still there");
}
