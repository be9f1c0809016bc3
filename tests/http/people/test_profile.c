/* test_profile.c - what a player shows of themself beside their name. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/http/house.h"

static struct house house;
static struct player ada, mia;

static void open_house(void)
{
    house_share(&house);
    ada = new_player(&house, "Adalbert");
    mia = new_player(&house, "Mia");
}

static void close_house(void)
{
    house_close(&house);
}

TestSuite(profile, .init = open_house, .fini = close_house, .timeout = HOUSE_PATIENCE_S);

static struct answer change(const struct player *player, const char *body)
{
    struct answer answer = ask_as(&house, player->token, "PATCH", "/v1/me", body);

    assert_status(&answer, 200);
    return answer;
}

static struct answer seen_by_others(const struct player *player)
{
    return ask_at(&house, NULL, "GET", NULL, "/v1/players/%s", player->id);
}

static const char both[] = "{\"about\":\" A line. \",\"picture\":\"https://example.org/ada.png\"}";

static void assert_both(const struct answer *answer)
{
    assert_status(answer, 200);
    cr_assert_str_eq(text_of(answer, "about"), "A line.");
    cr_assert_str_eq(text_of(answer, "picture"), "https://example.org/ada.png");
}

Test(profile, a_line_and_a_picture_are_shown_wherever_a_player_is)
{
    struct answer answer = change(&ada, both);

    assert_both(&answer);
    for (int i = 0; i < 8; i++) { /* read, and then from memory */
        answer = ask_as(&house, ada.token, "GET", "/v1/me", NULL);
        assert_both(&answer);
    }
    answer = seen_by_others(&ada);
    assert_both(&answer);
    answer = ask_as(&house, mia.token, "GET", "/v1/players?name=adalbert", NULL);
    for (int i = 0; i < cJSON_GetArraySize(member(&answer, "items")); i++) {
        char path[32];

        snprintf(path, sizeof(path), "items.%d.id", i);
        if (strcmp(text_of(&answer, path), ada.id) != 0)
            continue;
        snprintf(path, sizeof(path), "items.%d.about", i);
        cr_assert_str_eq(text_of(&answer, path), "A line.");
        return;
    }
    cr_assert_fail("she is not found");
}

Test(profile, a_player_shows_neither_at_first)
{
    struct answer answer = seen_by_others(&ada);

    cr_assert_not(has(&answer, "about") || has(&answer, "picture"));
}

Test(profile, what_is_left_out_stays_and_an_empty_one_is_none)
{
    struct answer answer;

    change(&ada, both);
    change(&ada, "{\"findable\":true}");
    answer = change(&ada, "{\"name\":\"Ada L.\"}");
    assert_both(&answer);
    answer = change(&ada, "{\"about\":\"\"}");
    cr_assert_not(has(&answer, "about"));
    cr_assert(has(&answer, "picture"));
    answer = change(&ada, "{\"picture\":\"\"}");
    cr_assert_not(has(&answer, "picture"));
    cr_assert_str_eq(text_of(&answer, "name"), "Ada L.");
}

Test(profile, a_player_who_is_not_renamed_says_something_about_themself_as_often_as_they_like)
{
    for (int i = 0; i < 20; i++)
        change(&ada, both);
}

Test(profile, a_terminal_shows_the_line)
{
    char headers[200];
    struct answer answer;

    change(&ada, both);
    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\nAccept: text/plain\r\n",
             ada.token);
    answer = ask(&house, "GET", "/v1/me", headers, NULL);
    cr_assert_not_null(strstr(answer.reply.body, "about  A line.\n"));
}

Test(profile, everybody_sees_the_same_colours_of_a_player)
{
    struct answer own = ask_as(&house, ada.token, "GET", "/v1/me", NULL);
    struct answer others = seen_by_others(&ada);

    cr_assert_str_eq(text_of(&own, "colours.dark"), text_of(&others, "colours.dark"));
    cr_assert_str_eq(text_of(&own, "colours.light"), text_of(&others, "colours.light"));
}

Test(profile, of_whoever_leaves_nothing_of_it_is_kept)
{
    struct answer answer;
    char *value;

    change(&ada, both);
    answer = ask_as(&house, ada.token, "DELETE", "/v1/me", NULL);
    assert_status(&answer, 204);
    answer = seen_by_others(&ada);
    assert_status(&answer, 404);
    value = house_value(&house, "select count(*) from players where left_at is not null and"
                                " coalesce(about, picture) is not null");
    cr_assert_str_eq(value, "0");
    free(value);
}
