/*
 * test_private.c - strangers get the same bytes of a private game as if it did not exist, in the
 * same time.
 */
#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/http/accept.h"
#include "api/routes.h"
#include "tests/http/house.h"
#include "tests/support/now.h"
#include "tests/support/numbers.h"

enum { ROUNDS = 300 };

static struct house house;
static struct game hidden, invited; /* a seat of the latter is kept for somebody */
static struct player eve;

static void open_house(void)
{
    struct answer invitation;

    house_share(&house);
    hidden = new_game(&house, "{\"variant\":\"jungle\",\"visibility\":\"private\"}");
    play(&house, &hidden, "g3g4 a7a6");
    invited = new_game(&house, "{\"variant\":\"jungle\",\"visibility\":\"private\","
                               "\"clock\":{\"kind\":\"days\",\"days\":3},"
                               "\"seats\":[{\"me\":true},{\"open\":true}]}");
    invitation =
        ask_at(&house, invited.token, "POST", "{}", "/v1/games/%s/invitations", invited.id);
    assert_status(&invitation, 201);
    eve = new_player(&house, "Eve");
}

static void close_house(void)
{
    house_close(&house);
}

TestSuite(private, .init = open_house, .fini = close_house, .timeout = HOUSE_PATIENCE_S);

/* An id that could be of a game and is not. */
static const char nobodys[] = "0123456789abcdefghjkmnpqr0";

static const char *method_name(const struct route *route)
{
    return route->method == METHOD_GET      ? "GET"
           : route->method == METHOD_PUT    ? "PUT"
           : route->method == METHOD_DELETE ? "DELETE"
                                            : "POST";
}

/* Fills in the address of a route for a game. Its other places become 1. */
static void fill(char path[256], const char *pattern, const char *id)
{
    size_t len = 0;

    while (*pattern != '\0' && len < 200) {
        if (*pattern != '{') {
            path[len++] = *pattern++;
            continue;
        }
        len += (size_t)sprintf(path + len, "%s", strncmp(pattern, "{id}", 4) == 0 ? id : "1");
        pattern += strcspn(pattern, "}") + 1;
    }
    path[len] = '\0';
}

static struct http_reply ask_about(const struct route *route, const char *id, const char *headers,
                                   const char *body)
{
    struct http_reply reply;
    char path[256];

    fill(path, route->pattern, id);
    http_request(house.plyd.port, &reply, method_name(route), path, headers,
                 route->method == METHOD_GET ? NULL : body);
    return reply;
}

/* The headers without the one that differs from answer to answer in any case. */
static char *without_date(const char *headers)
{
    char *copy = strdup(headers), *date = strstr(copy, "Date: ");

    if (date != NULL)
        memmove(date, strchr(date, '\n') + 1, strlen(strchr(date, '\n') + 1) + 1);
    return copy;
}

/* Asserts that the two answers are the same. Returns their status. */
static int same_answer(const struct route *route, const struct game *game, const char *headers,
                       const char *body)
{
    struct http_reply one = ask_about(route, game->id, headers, body);
    struct http_reply none = ask_about(route, nobodys, headers, body);
    char *its = without_date(one.headers), *nobody = without_date(none.headers);
    int status = one.status;

    cr_assert_eq(one.status, none.status, "%s", route->pattern);
    cr_assert_str_eq(one.body, none.body, "%s", route->pattern);
    cr_assert_str_eq(its, nobody, "%s", route->pattern);
    free(its);
    free(nobody);
    http_free(&one);
    http_free(&none);
    return status;
}

/* Each route takes one of these bodies, and refuses the others before it looks at a game. */
static const char *const bodies[] = {
    "{}",
    "{\"invitation\":\"plyd_invitation_kjz6zrn0q39bsh4b35tr9zr9ar2ks2pq\"}",
    "{\"token\":\"plyd_seat_kjz6zrn0q39bsh4b35tr9zr9ar2ks2pq\"}",
    "{\"move\":\"a7a6\"}",
    "{\"kind\":\"draw\"}",
    "{\"kind\":\"timeout\"}",
    "{\"text\":\"hello\"}",
    "{\"after_ply\":2,\"tree\":[{\"if\":\"a\",\"then\":\"b\"}]}"};

static void assert_same(const struct route *route, const char *headers)
{
    bool looked = false;

    for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++)
        looked |= same_answer(route, &hidden, headers, bodies[i]) == 404 &&
                  same_answer(route, &invited, headers, bodies[i]) == 404;
    /* A page asks for none: its script does. Nor does a route that has no text, where one is
     * wanted, or one for players that nobody knows. */
    cr_assert(
        looked || route->forms == FORM_PAGE ||
            (strncmp(route->pattern, "/v1/me/", 7) == 0 && strstr(headers, eve.token) == NULL) ||
            (route->forms == FORM_NDJSON && strstr(headers, "text/plain") != NULL),
        "%s %s asks for no game", method_name(route), route->pattern);
}

Test(private, a_stranger_gets_the_same_bytes_as_for_a_game_that_does_not_exist)
{
    static const char types[] = "Request-Id: same\r\nContent-Type: application/json\r\n";
    const struct route *route;
    char keyed[300], as_eve[300], as_text[300];
    int routes = 0;

    snprintf(keyed, sizeof(keyed),
             "%sIdempotency-Key: the key of a stranger\r\nIf-Match: \"1\"\r\n", types);
    snprintf(as_eve, sizeof(as_eve), "%sAuthorization: Bearer %s\r\nIf-None-Match: \"3\"\r\n",
             types, eve.token);
    snprintf(as_text, sizeof(as_text), "%sAccept: text/plain\r\nAuthorization: Bearer x\r\n",
             types);
    for (size_t i = 0; (route = &routes_all[i])->handle != NULL; i++) {
        if (strstr(route->pattern, "{id}") == NULL)
            continue;
        assert_same(route, types);
        assert_same(route, keyed);
        assert_same(route, as_eve);
        assert_same(route, as_text);
        routes++;
    }
    cr_assert_gt(routes, 10);
}

static double ask_and_time(int fd, const char *id)
{
    struct http_reply reply;
    char path[64];
    double from;

    snprintf(path, sizeof(path), "/v1/games/%s", id);
    from = seconds_now();
    http_send(fd, "GET", path, NULL, NULL, 0);
    http_receive(fd, "GET", &reply);
    from = seconds_now() - from;
    cr_assert_eq(reply.status, 404);
    http_free(&reply);
    return from * 1e6;
}

/* The bound is wide. What it must catch is one more question to the database, in the fastest answer
 * of many: other work of the machine delays some, or most. */
Test(private, a_stranger_waits_as_long_as_for_a_game_that_does_not_exist)
{
    static const char unasked[] = "0123456789abcdefghjkmnpqs0"; /* by tests that run beside */
    static double one[ROUNDS], none[ROUNDS];
    int fd = http_connect(house.plyd.port);

    for (int i = 0; i < ROUNDS; i++) {
        one[i] = ask_and_time(fd, hidden.id);
        none[i] = ask_and_time(fd, unasked);
    }
    numbers_sort(one, ROUNDS);
    numbers_sort(none, ROUNDS);
    cr_assert_lt(one[0], 1.5 * none[0] + 50);
    cr_assert_lt(none[0], 1.5 * one[0] + 50);
}
