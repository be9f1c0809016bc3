/* test_outside.c - connections outside libmicrohttpd: what they are sent there, and when they end.
 */
#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "api/http/reply.h"
#include "api/loop/admission.h"
#include "api/loop/config.h"
#include "api/loop/loop.h"
#include "api/loop/quota.h"
#include "api/net/net.h"
#include "api/net/parts.h"

enum { IDLE_S = 60, LARGE = 1000000 };

#define SECOND INT64_C(1000000)
#define GET    "GET / HTTP/1.1\r\nHost: x\r\n"

static struct loop loop;
static struct request *waiting; /* the last one that was parked */
static const char *answer;      /* what `back` answers */
static int theirs;              /* the client's end of a connection */
static int64_t arrived;         /* of the last request with a body, when it was handled */

static size_t body_max(const struct loop *of, const char *url)
{
    (void)of;
    (void)url;
    return 1024;
}

static void closed(struct request *request, void *args)
{
    (void)args;
    request_unpark(request);
}

static void back(struct request *request, void *args)
{
    (void)args;
    reply_text(request, 200, answer);
}

/* One with a body cannot be parked. */
static void handle(struct request *request)
{
    if (request->body_len > 0) {
        arrived = request->arrived;
        reply_text(request, 200, "taken\n");
        return;
    }
    waiting = request;
    cr_assert(request_park(request, (struct request_parking){closed, back, NULL}));
}

static void connect_client(void)
{
    int ends[2];

    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
    theirs = ends[0];
    outside_add(loop.net, ends[1], &(struct sockaddr_storage){.ss_family = AF_UNIX});
}

static void open_net(void)
{
    static const struct config config = {.idle_s = IDLE_S, .connections = 4, .request_memory = 64};
    static const struct net_service service = {body_max, NULL, handle};

    loop = (struct loop){.config = &config, .now = 1000 * SECOND};
    loop.quota = admission_open(&config, 1);
    loop.net = net_open(&loop, -1, &service);
    cr_assert_not_null(loop.net);
    connect_client();
}

static void close_net(void)
{
    net_close(loop.net);
    quota_close(loop.quota);
    close(theirs);
}

TestSuite(outside, .init = open_net, .fini = close_net);

static void run(void)
{
    for (int i = 0; i < 3; i++) {
        net_cut_idle(loop.net);
        net_wait(loop.net, 0);
        net_run(loop.net);
    }
}

static void say(const char *text)
{
    cr_assert_eq(send(theirs, text, strlen(text), 0), (ssize_t)strlen(text));
    run();
}

/* What comes until nothing more does. The caller frees it. */
static char *hear(void)
{
    char *text = calloc(1, 2 * LARGE);
    size_t len = 0;
    ssize_t n;

    while ((n = recv(theirs, text + len, 2 * LARGE - len - 1, 0)) > 0) {
        len += (size_t)n;
        run();
    }
    return text;
}

static bool is_closed(void)
{
    char byte;

    return recv(theirs, &byte, 1, MSG_PEEK) == 0;
}

/* Makes a request wait, and go on with this answer. */
static void ask_and_wake(const char *head, const char *text)
{
    answer = text;
    say(head);
    request_unpark(waiting);
    run();
}

static char *large_text(void)
{
    char *text = malloc(LARGE + 1);

    memset(text, 'x', LARGE);
    text[LARGE] = '\0';
    return text;
}

Test(outside, a_large_answer_is_sent_as_its_client_takes_it_and_the_connection_goes_on)
{
    char *large = large_text(), *heard;

    ask_and_wake(GET "\r\n", large);
    heard = hear();
    cr_assert_str_eq(strstr(heard, "\r\n\r\n") + 4, large);
    free(heard);
    ask_and_wake(GET "\r\n", "again\n");
    heard = hear();
    cr_assert_str_eq(strstr(heard, "\r\n\r\n") + 4, "again\n");
    free(heard);
    free(large);
}

Test(outside, a_client_that_does_not_take_its_answer_is_cut)
{
    char *large = large_text();

    ask_and_wake(GET "\r\n", large);
    loop.now += IDLE_S * SECOND;
    run();
    cr_assert_eq(net_connections(loop.net), 1);
    loop.now += SECOND;
    run();
    cr_assert_eq(net_connections(loop.net), 0);
    free(large);
}

Test(outside, a_client_that_waits_for_its_answer_is_not_cut)
{
    char *heard;

    answer = "late\n";
    say(GET "\r\n");
    loop.now += 2 * IDLE_S * SECOND;
    run();
    request_unpark(waiting);
    run();
    heard = hear();
    cr_assert_not_null(strstr(heard, "late"));
    free(heard);
}

Test(outside, a_client_that_sends_nothing_is_cut)
{
    loop.now += IDLE_S * SECOND + 1;
    run();
    cr_assert(is_closed());
    cr_assert_eq(net_connections(loop.net), 0);
}

Test(outside, a_client_that_wants_no_more_answers_gets_the_end_with_its_answer)
{
    static const char *const heads[] = {GET "Connection: close\r\n\r\n", "GET / HTTP/1.0\r\n\r\n"};

    for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
        char *heard;

        ask_and_wake(heads[i], "last\n");
        heard = hear();
        cr_assert_not_null(strstr(heard, "\r\nConnection: close\r\n"), "%s", heard);
        cr_assert_not_null(strstr(heard, "last"));
        cr_assert(is_closed());
        free(heard);
        close(theirs);
        connect_client();
    }
}

Test(outside, head_gets_the_length_of_the_body_that_it_leaves_out)
{
    char *heard;

    ask_and_wake("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n", "12345");
    heard = hear();
    cr_assert_not_null(strstr(heard, "\r\nContent-Length: 5\r\n"), "%s", heard);
    cr_assert_str_eq(strstr(heard, "\r\n\r\n"), "\r\n\r\n");
    free(heard);
}

/* It has two ends to tell of: its wait is over, and it is gone. */
Test(outside, a_client_that_leaves_while_it_waits_is_given_up)
{
    answer = "to nobody\n";
    say(GET "\r\n");
    close(theirs);
    run();
    run();
    cr_assert_eq(net_connections(loop.net), 0);
    connect_client();
}

/* What was sent during the wait is read after it. */
Test(outside, a_request_that_comes_during_a_wait_is_answered_after_it)
{
    char *heard;

    answer = "one\n";
    say(GET "\r\n");
    say(GET "\r\n");
    request_unpark(waiting);
    run();
    heard = hear();
    cr_assert_not_null(strstr(heard, "one"));
    free(heard);
    request_unpark(waiting);
    run();
    heard = hear();
    cr_assert_not_null(strstr(heard, "one"));
    free(heard);
}

/* ---- bodies ---- */

/* Sends so many bytes, which are read as they come. */
static void pour(size_t bytes)
{
    static const char some[64 << 10];

    while (bytes > 0) {
        ssize_t len = send(theirs, some, bytes < sizeof(some) ? bytes : sizeof(some), MSG_NOSIGNAL);

        cr_assert(len > 0 || errno == EAGAIN);
        bytes -= len > 0 ? (size_t)len : 0;
        run();
    }
}

/* Its client may hear of the refusal only when all is sent; but nobody sends for ever. */
Test(outside, of_what_follows_a_refused_request_two_mebibytes_are_read)
{
    char *heard;

    say("POST / HTTP/1.1\r\nHost : x\r\n\r\n");
    heard = hear();
    cr_assert_not_null(strstr(heard, " 400 "), "%s", heard);
    pour(2 << 20);
    cr_assert_eq(net_connections(loop.net), 1);
    pour(1);
    cr_assert_eq(net_connections(loop.net), 0);
    free(heard);
}

/* Else the wait for memory would be counted as a wait for the game, which is patient for so long
 * only. */
Test(outside, a_request_that_has_waited_for_memory_has_arrived_when_its_turn_comes)
{
    struct memory_budget *budget;
    struct request working = {.suspended = true};
    struct budget_place all = {.inside = false};
    char *heard;

    loop.now = loop_clock_us(); /* by which waits for memory go */
    close(theirs);
    connect_client();
    budget = &loop.net->large_queue.small;
    budget_wait(budget, &all, &working, 0, budget->limit, loop.now);
    cr_assert_eq(budget_let_in(budget, loop.now), &all);
    say("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 600\r\n\r\n");
    pour(600);
    cr_assert_eq(arrived, 0, "it waits");
    loop.now += SECOND;
    budget_leave(&all);
    run();
    cr_assert_eq(arrived, loop.now);
    heard = hear();
    cr_assert_not_null(strstr(heard, "taken"), "%s", heard);
    free(heard);
}

/* ---- too many ---- */

/* Somebody connects from an address. */
static int connect_from(const char *address)
{
    struct sockaddr_storage from = {.ss_family = AF_UNSPEC};
    struct sockaddr_in v4 = {.sin_family = AF_INET};
    int ends[2];

    cr_assert_eq(inet_pton(AF_INET, address, &v4.sin_addr), 1);
    memcpy(&from, &v4, sizeof(v4));
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
    outside_add(loop.net, ends[1], &from);
    return ends[0];
}

static bool is_open(int fd)
{
    char byte;

    return recv(fd, &byte, 1, MSG_PEEK) < 0;
}

static const struct config two_of_address = {
    .idle_s = IDLE_S, .connections = 100, .connections_address = 2, .request_memory = 64};

/* Other settings hold from now on. */
static void settle(const struct config *config)
{
    loop.config = config;
    loop.net->places = net_places(config);
}

/* Whoever has that address, too, would find no place while somebody holds all of them. */
Test(outside, an_address_has_no_more_connections_than_it_may_and_its_own_idle_ones_give_way)
{
    int one, other, third, elsewhere;

    settle(&two_of_address);
    one = connect_from("203.0.113.7");
    other = connect_from("203.0.113.7");
    third = connect_from("203.0.113.7");
    elsewhere = connect_from("203.0.113.8");
    run();
    cr_expect_not(is_open(one));
    cr_expect(is_open(other) && is_open(third) && is_open(elsewhere));
    cr_expect_eq(loop.metrics.connections_cut[NET_CUT_ADDRESS], 1);
}

Test(outside, an_address_all_of_whose_connections_wait_for_answers_has_no_other)
{
    struct request *asked[2];

    settle(&two_of_address);
    close(theirs);
    for (int i = 0; i < 2; i++) {
        theirs = connect_from("203.0.113.7");
        say(GET "\r\n");
        asked[i] = waiting;
    }
    cr_expect_not(is_open(connect_from("203.0.113.7")));
    cr_expect_eq(loop.metrics.connections_cut[NET_CUT_ADDRESS], 1);
    answer = "here";
    for (int i = 0; i < 2; i++)
        request_unpark(asked[i]);
    run();
    cr_expect_not(is_closed());
}

Test(outside, connections_leave_a_quarter_of_the_descriptors_to_all_else)
{
    static const struct config many = {.connections = 1000, .loops = 2},
                               few = {.connections = 100, .loops = 2};
    struct rlimit limit;

    cr_assert_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
    limit.rlim_cur = 800;
    cr_assert_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
    cr_expect_eq(net_places(&many), 300);
    cr_expect_eq(net_places(&few), 100);
}

Test(outside, an_address_has_a_quarter_of_the_connections_if_nothing_else_is_said)
{
    static const struct config quarter = {.idle_s = IDLE_S, .connections = 8, .request_memory = 64};
    int last = -1;

    settle(&quarter);
    for (int i = 0; i < 2; i++)
        last = connect_from("203.0.113.7");
    cr_expect(is_open(last));
    cr_expect_eq(loop.metrics.connections_cut[NET_CUT_ADDRESS], 0);
    connect_from("203.0.113.7");
    cr_expect_eq(loop.metrics.connections_cut[NET_CUT_ADDRESS], 1);
}

/* It may be a proxy, which carries many clients. */
Test(outside, the_machine_itself_and_trusted_proxies_have_as_many_connections_as_there_are)
{
    static const struct config one = {
        .idle_s = IDLE_S, .connections = 100, .connections_address = 1, .request_memory = 64};
    static const struct config proxies = {.idle_s = IDLE_S,
                                          .connections = 100,
                                          .connections_address = 1,
                                          .request_memory = 64,
                                          .trusted_proxies = 1};

    settle(&one);
    for (int i = 0; i < 3; i++)
        cr_expect(is_open(connect_from("127.0.0.1")));
    settle(&proxies);
    for (int i = 0; i < 3; i++)
        cr_expect(is_open(connect_from("203.0.113.7")));
}

Test(outside, where_all_places_are_taken_the_one_that_is_idle_for_longest_gives_way)
{
    int second, third, fourth, fifth;

    say(GET "\r\n"); /* waits for its answer, and gives no way */
    second = connect_from("203.0.113.2");
    third = connect_from("203.0.113.3");
    fourth = connect_from("203.0.113.4");
    fifth = connect_from("203.0.113.5");
    run();
    cr_expect_not(is_open(second));
    cr_expect(is_open(third) && is_open(fourth) && is_open(fifth));
    cr_expect_eq(loop.metrics.connections_cut[NET_CUT_IDLE], 1);
    answer = "here";
    request_unpark(waiting);
    run();
    cr_expect_not(is_closed());
}
