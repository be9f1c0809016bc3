/* test_tickets.c - tickets whose minute is over, on a database whose time passes. */
#include <criterion/criterion.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/http/house.h"
#include "tests/support/hours.h"

static struct house house;

static void open_house(void)
{
    house_open_on(&house, hours_borrow());
}

static void close_house(void)
{
    house_close(&house);
}

TestSuite(tickets, .init = open_house, .fini = close_house, .timeout = HOUSE_PATIENCE_S);

static const int64_t second = 1000000;

static int stored(void)
{
    PGconn *pg = PQconnectdb(house.database);
    PGresult *result = PQexec(pg, "select count(*) from due where kind = 4");
    int count = atoi(PQgetvalue(result, 0, 0));

    PQclear(result);
    PQfinish(pg);
    return count;
}

static void make_ticket(const struct game *game, char path[256])
{
    struct answer answer =
        ask_at(&house, game->token, "POST", NULL, "/v1/games/%s/ticket", game->id);

    assert_status(&answer, 201);
    snprintf(path, 256, "/v1/games/%s/events?ticket=%s", game->id, text_of(&answer, "ticket"));
}

Test(tickets, a_ticket_that_nobody_has_used_in_its_minute_is_deleted)
{
    struct game game =
        new_game(&house, "{\"variant\":\"jungle\",\"clock\":{\"kind\":\"days\",\"days\":3}}");
    char path[64], stream[256];
    struct answer answer;

    snprintf(path, sizeof(path), "/v1/games/%s", game.id);
    make_ticket(&game, stream);
    cr_assert_eq(stored(), 1);
    hours_pass(house.database, 61 * second, false);
    hours_seen(house.database, house.plyd.port, path);
    answer = ask(&house, "GET", stream, "Accept: text/event-stream\r\n", NULL);
    assert_problem(&answer, 401, "token-unknown");
    while (stored() > 0) {
    }
}
