/* test_clients.c - connections in the order in which the loop's patience with them ends. */
#include <criterion/criterion.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "api/net/clients.h"
#include "rules/rules.h"
#include "tests/unit/requests.h"

TestSuite(clients, .fini = requests_free);

/* ---- order ---- */

enum { CLIENTS = 12 };

/* The clients of a list, from the one whose stage began first to the last. */
struct model {
    size_t order[CLIENTS];
    size_t count;
};

static void model_remove(struct model *model, size_t client)
{
    size_t at = 0;

    for (size_t i = 0; i < model->count; i++)
        if (model->order[i] != client)
            model->order[at++] = model->order[i];
    model->count = at;
}

static bool model_has(const struct model *model, size_t client)
{
    for (size_t i = 0; i < model->count; i++)
        if (model->order[i] == client)
            return true;
    return false;
}

static void assert_same(const struct client_list *list, const struct client *client,
                        const struct model *model)
{
    const struct client *at = list->first, *before = NULL;

    for (size_t i = 0; i < model->count; i++, before = at, at = at->later) {
        cr_assert_eq(at, &client[model->order[i]]);
        cr_assert_eq(at->earlier, before);
        cr_assert(before == NULL || before->since <= at->since);
    }
    cr_assert_null(at);
    cr_assert_eq(list->last, before);
}

Test(clients, stand_in_the_order_in_which_their_stages_began_whether_they_rest_or_not)
{
    struct clients clients = {.idle = {NULL, NULL, 0}};
    struct client client[CLIENTS] = {{.fd = -1}};
    struct model idle = {.count = 0}, busy = {.count = 0}, resting = {.count = 0};
    uint64_t seed = 1;

    for (int64_t now = 1; now < 5000; now++) {
        size_t i = rules_choose(&seed, CLIENTS), deed = rules_choose(&seed, 5);
        bool there = model_has(&idle, i) || model_has(&busy, i) || model_has(&resting, i);
        struct model *to = !there || deed == 3 ? &idle
                           : deed < 2          ? &busy
                           : deed == 2         ? &resting
                                               : NULL;

        if (!there)
            clients_add(&clients, &client[i], now);
        else if (to == &idle)
            clients_idle(&clients, &client[i], now);
        else if (to == &busy)
            clients_touch(&clients, &client[i], now);
        else if (to == &resting)
            clients_rest(&clients, &client[i], now);
        else
            clients_remove(&clients, &client[i]);
        model_remove(&idle, i);
        model_remove(&busy, i);
        model_remove(&resting, i);
        if (to != NULL) {
            to->order[to->count++] = i;
            cr_assert_eq(client[i].since, now);
        }
        assert_same(&clients.idle, client, &idle);
        assert_same(&clients.busy, client, &busy);
        assert_same(&clients.resting, client, &resting);
        cr_assert_eq(clients.busy.count, busy.count);
        cr_assert_eq(clients.resting.count, resting.count);
        cr_assert_eq(clients_count(&clients), idle.count + busy.count + resting.count);
    }
}

/* ---- cutting ---- */

static void read_bytes(struct client *client, const char *bytes, size_t len)
{
    char copy[64];

    framing_read(&client->framing, memcpy(copy, bytes, len), len);
}

/* A connection, and its other end. */
struct line {
    struct client client;
    int other;
};

static void connect_line(struct clients *clients, struct line *line, int64_t since)
{
    int ends[2];

    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    line->client = (struct client){.fd = ends[0]};
    line->other = ends[1];
    clients_add(clients, &line->client, since);
}

static void hang_up(struct line *line)
{
    close(line->client.fd);
    close(line->other);
}

Test(clients, the_one_whose_stage_began_first_is_late_if_that_is_too_long_ago)
{
    struct clients clients = {.idle = {NULL, NULL, 0}};
    struct line old, older, young;

    connect_line(&clients, &older, 10);
    connect_line(&clients, &old, 19);
    connect_line(&clients, &young, 20);
    cr_assert_eq(clients_late(&clients, 20, 100), &older.client);
    clients_touch(&clients, &older.client, 100);
    cr_assert_eq(clients_late(&clients, 20, 100), &old.client);
    clients_remove(&clients, &old.client);
    cr_assert_null(clients_late(&clients, 20, 100));
    cr_assert_eq(clients_late(&clients, 21, 100), &young.client);
    hang_up(&old);
    hang_up(&older);
    hang_up(&young);
}

/* What the daemon owes an answer is not idle, be it a minute or the time of a frozen database. */
Test(clients, those_who_wait_for_an_answer_are_not_late_and_begin_anew)
{
    struct clients clients = {.idle = {NULL, NULL, 0}};
    struct request *waiting = requests_new(NULL), *dawdling = requests_new(NULL);
    struct line waits, dawdles;

    waiting->suspended = true;
    connect_line(&clients, &waits, 10);
    connect_line(&clients, &dawdles, 10);
    waits.client.request = waiting;
    dawdles.client.request = dawdling;
    clients_touch(&clients, &waits.client, 10);
    clients_touch(&clients, &dawdles.client, 10);
    cr_assert_eq(clients_late(&clients, 20, 100), &dawdles.client, "its request is not complete");
    cr_assert_eq(waits.client.since, 100);
    clients_remove(&clients, &dawdles.client);
    cr_assert_null(clients_late(&clients, 20, 100));
    waiting->suspended = false;
    cr_assert_eq(clients_late(&clients, 101, 200), &waits.client, "it does not take its answer");
    hang_up(&waits);
    hang_up(&dawdles);
}

Test(clients, those_who_rest_are_never_late)
{
    struct clients clients = {.idle = {NULL, NULL, 0}};
    struct line line;

    cr_assert_null(clients_late(&clients, 20, 100));
    connect_line(&clients, &line, 5);
    clients_rest(&clients, &line.client, 10);
    cr_assert_null(clients_late(&clients, 20, 100));
    hang_up(&line);
}

/* Then libmicrohttpd has nothing to do for them. */
Test(clients, are_quiet_when_all_that_they_have_sent_is_answered)
{
    struct client client = {.fd = -1};
    struct request *request = requests_new(NULL);

    cr_assert(clients_is_quiet(&client));
    read_bytes(&client, "G", 1);
    cr_assert_not(clients_is_quiet(&client), "a request has begun");
    read_bytes(&client, "ET / HTTP/1.1\r\nHost: x\r\n\r\n", 26);
    cr_assert_not(clients_is_quiet(&client), "libmicrohttpd has not looked at it");
    client.begun = 1;
    client.request = request;
    cr_assert_not(clients_is_quiet(&client), "it is not answered");
    client.request = NULL;
    cr_assert(clients_is_quiet(&client));
    read_bytes(&client, "\0", 1);
    cr_assert_not(clients_is_quiet(&client), "what it sends is no request");
}

/* ---- draining ---- */

static void read_text(struct line *line, const char *text)
{
    read_bytes(&line->client, text, strlen(text));
}

Test(clients, those_who_wait_send_or_have_not_received_everything_are_busy)
{
    static const char request[] = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    struct clients clients = {.idle = {NULL, NULL, 0}};
    struct line line, idle;
    char byte;

    connect_line(&clients, &line, 1);
    connect_line(&clients, &idle, 2);
    cr_assert_not(clients_any_busy(&clients));
    cr_assert_eq(send(line.other, "G", 1, 0), 1);
    cr_assert(clients_any_busy(&clients), "it sent what nobody has read yet");
    cr_assert_eq(recv(line.client.fd, &byte, 1, 0), 1);
    read_text(&line, "G");
    cr_assert(clients_any_busy(&clients), "it still sends");
    read_text(&line, request + 1);
    cr_assert(clients_any_busy(&clients), "libmicrohttpd has not read what came");
    line.client.begun = 1;
    cr_assert(clients_any_busy(&clients), "it waits");
    cr_assert_not(clients_has_more(&line.client));
    line.client.answered = 1;
    cr_assert_not(clients_any_busy(&clients));
    cr_assert_eq(send(line.client.fd, "HTTP", 4, 0), 4);
    cr_assert(clients_any_busy(&clients), "it has not received everything");
    hang_up(&line);
    hang_up(&idle);
}

Test(clients, a_request_behind_the_present_one_is_seen_from_its_first_byte)
{
    struct clients clients = {.idle = {NULL, NULL, 0}};
    struct line line;

    connect_line(&clients, &line, 1);
    read_text(&line, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    line.client.begun = 1;
    cr_assert_not(clients_has_more(&line.client));
    read_text(&line, "G");
    cr_assert(clients_has_more(&line.client));
    read_text(&line, "ET / HTTP/1.1\r\nHost: x\r\n\r\n");
    cr_assert(clients_has_more(&line.client));
    line.client.begun = 2;
    cr_assert_not(clients_has_more(&line.client));
    hang_up(&line);
}

/* ---- giving way ---- */

/* A client whose request is under way, the head of which was read. */
static void connect_busy(struct clients *clients, struct line *line, struct request *request,
                         int64_t since)
{
    connect_line(clients, line, since);
    line->client.request = request;
    line->client.begun = 1;
    clients_touch(clients, &line->client, since);
}

/* This one gives way first. It is gone then. */
static void expect_least(struct clients *clients, struct line *line, const char *why)
{
    cr_assert_eq(clients_least(clients, 100), &line->client, "%s", why);
    clients_remove(clients, &line->client);
    hang_up(line);
}

Test(clients, give_way_by_how_little_they_lose_and_then_by_how_long_they_are_at_it)
{
    struct clients clients = {.idle = {NULL, NULL, 0}};
    struct request request = {.suspended = false};
    struct line old, young, rests, sends, takes_nothing;

    connect_busy(&clients, &takes_nothing, &request, 1);
    takes_nothing.client.framing.requests = 1;
    cr_assert_eq(send(takes_nothing.client.fd, "HTTP", 4, 0), 4);
    connect_busy(&clients, &sends, &request, 2);
    connect_line(&clients, &rests, 3);
    clients_rest(&clients, &rests.client, 3);
    connect_line(&clients, &old, 4);
    connect_line(&clients, &young, 5);
    expect_least(&clients, &old, "it is idle for longest");
    expect_least(&clients, &young, "it is idle");
    expect_least(&clients, &rests, "it has nothing to do");
    expect_least(&clients, &sends, "its body is not complete");
    expect_least(&clients, &takes_nothing, "it does not take its answer");
    cr_assert_null(clients_least(&clients, 100));
}

Test(clients, that_drip_a_head_give_way_although_something_has_just_come)
{
    struct clients clients = {.idle = {NULL, NULL, 0}};
    struct line asks, drips;

    connect_line(&clients, &asks, 1);
    connect_line(&clients, &drips, 2);
    cr_assert_eq(send(asks.other, "x", 1, 0), 1); /* it may be a whole request */
    read_bytes(&drips.client, "G", 1);
    cr_assert_eq(send(drips.other, "E", 1, 0), 1);
    expect_least(&clients, &drips, "it sends a byte now and then");
    cr_assert_null(clients_least(&clients, 100));
    hang_up(&asks);
}

Test(clients, that_wait_for_our_answer_do_not_give_way_and_hide_nobody_who_does)
{
    struct clients clients = {.idle = {NULL, NULL, 0}};
    struct request sent = {.suspended = false}, waiting = {.suspended = true};
    static struct line waits[CLIENTS_LOOKED_AT];
    struct line sends;

    for (int i = 0; i < CLIENTS_LOOKED_AT; i++)
        connect_busy(&clients, &waits[i], &waiting, 1);
    connect_busy(&clients, &sends, &sent, 2);
    cr_assert_null(clients_least(&clients, 50), "as many as are looked at stand before it");
    expect_least(&clients, &sends, "they stand behind it now");
    cr_assert_null(clients_least(&clients, 100));
    for (int i = 0; i < CLIENTS_LOOKED_AT; i++)
        hang_up(&waits[i]);
}

Test(clients, that_were_cut_do_not_give_way_again)
{
    struct clients clients = {.idle = {NULL, NULL, 0}};
    struct line line;

    connect_line(&clients, &line, 1);
    line.client.cut = true;
    cr_assert_null(clients_least(&clients, 100));
    hang_up(&line);
}
