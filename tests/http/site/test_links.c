/* test_links.c - links that lead to an application with pages of its own (--links). Mails are in
 * test_mail.c. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/http/house.h"

static struct house house;

static void open_house(void)
{
    setenv("PLYD_LINKS", "chess-app://g/{game}?from=plyd", 1);
    house_open(&house);
}

static void close_house(void)
{
    house_close(&house);
}

TestSuite(links, .init = open_house, .fini = close_house, .timeout = HOUSE_PATIENCE_S);

static struct player ada;

static struct game waiting_game(void)
{
    ada = new_player(&house, "Ada");
    return new_game_of(&house, ada.token,
                       "{\"variant\":\"tictactoe\",\"clock\":{\"kind\":\"days\",\"days\":3},"
                       "\"seats\":[{\"me\":true},{\"open\":true}]}");
}

Test(links, an_invitation_leads_to_the_application_with_its_code_behind_a_hash)
{
    struct game game = waiting_game();
    struct answer made =
        ask_at(&house, ada.token, "POST", "{\"seat\":2}", "/v1/games/%s/invitations", game.id);
    char url[160];

    assert_status(&made, 201);
    snprintf(url, sizeof(url), "chess-app://g/%s?from=plyd#invitation=%s", game.id,
             text_of(&made, "code"));
    cr_assert_str_eq(text_of(&made, "url"), url);
}

Test(links, calendars_and_feeds_lead_there)
{
    struct game game = waiting_game();
    struct answer answer = ask_at(&house, NULL, "POST", "{}", "/v1/games/%s/join", game.id);
    char url[96];

    assert_status(&answer, 200);
    snprintf(url, sizeof(url), "chess-app://g/%s?from=plyd", game.id);
    answer = ask_as(&house, ada.token, "GET", "/v1/me/games.atom", NULL);
    cr_assert_not_null(strstr(answer.reply.body, url), "%s", answer.reply.body);
    answer = ask_as(&house, ada.token, "GET", "/v1/me/deadlines.ics", NULL);
    cr_assert_not_null(strstr(answer.reply.body, url), "%s", answer.reply.body);
}

Test(links, the_daemons_own_pages_stay)
{
    struct game game = waiting_game();
    char path[64];
    struct answer answer;

    snprintf(path, sizeof(path), "/play/%s", game.id);
    answer = ask(&house, "GET", path, "Accept: text/html\r\n", NULL);
    assert_status(&answer, 200);
}
