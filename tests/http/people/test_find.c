/* test_find.c - finding players by the beginning of their name. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/http/house.h"

HOUSE_SUITE(find, house_open, HOUSE_PATIENCE_S);

static struct answer find(const struct player *by, const char *name)
{
    return ask_at(&house, by->token, "GET", NULL, "/v1/players?name=%s", name);
}

/* Asserts that these are found, in this order; "" stands for nobody. */
static void assert_found(const struct player *by, const char *name, const char *expected)
{
    struct answer answer = find(by, name);
    char names[1024] = "";
    const cJSON *item;

    assert_status(&answer, 200);
    cJSON_ArrayForEach(item, member(&answer, "items"))
    {
        strcat(names, names[0] == '\0' ? "" : ",");
        strcat(names, cJSON_GetObjectItem(item, "name")->valuestring);
    }
    cr_assert_str_eq(names, expected);
}

static void change(const struct player *player, const char *body)
{
    struct answer answer = ask_as(&house, player->token, "PATCH", "/v1/me", body);

    assert_status(&answer, 200);
}

Test(find, those_whose_name_begins_so_are_listed_by_their_names_and_capitals_make_no_difference)
{
    struct player ada = new_player(&house, "Ada");

    new_player(&house, "adam");
    new_player(&house, "Bo Ada");
    new_player(&house, "ACE");
    new_player(&house, "Adda");
    assert_found(&ada, "aD", "Ada,adam,Adda");
    assert_found(&ada, "ada", "Ada,adam");
    assert_found(&ada, "adamant", "");
}

Test(find, letters_of_any_script_and_signs_of_patterns_are_letters_like_others)
{
    struct player ada = new_player(&house, "100%");

    new_player(&house, "\xe5\x8a\xa0\xe8\x97\xa4");
    assert_found(&ada, "%25%25", "");
    assert_found(&ada, "__", "");
    assert_found(&ada, "%E5%8A%A0%E8%97%A4", "\xe5\x8a\xa0\xe8\x97\xa4");
    assert_found(&ada, "100%25", "100%");
}

Test(find, twenty_are_told_at_most)
{
    struct player first = new_player(&house, "Player 00");
    struct answer answer;

    for (int i = 1; i < 25; i++) {
        char name[16];

        snprintf(name, sizeof(name), "Player %02d", i);
        new_player(&house, name);
    }
    answer = find(&first, "player");
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 20);
    cr_assert_str_eq(text_of(&answer, "items.19.name"), "Player 19");
}

Test(find, whoever_turns_it_off_is_as_if_they_were_not_there)
{
    struct player ada = new_player(&house, "Ada"), adam = new_player(&house, "Adam");
    struct answer hidden, nobody;

    change(&adam, "{\"findable\":false}");
    assert_found(&ada, "ad", "Ada");
    hidden = find(&ada, "adam");
    nobody = find(&ada, "adax");
    cr_assert_str_eq(hidden.reply.body, nobody.reply.body);
    assert_found(&adam, "adam", "");
    change(&adam, "{\"findable\":true}");
    assert_found(&ada, "ad", "Ada,Adam");
}

Test(find, only_they_themselves_see_whether_they_are_found)
{
    struct player ada = new_player(&house, "Ada");
    struct answer seen = ask_as(&house, ada.token, "GET", "/v1/me", NULL);

    cr_assert(cJSON_IsTrue(member(&seen, "findable")));
    change(&ada, "{\"findable\":false}");
    seen = ask_as(&house, ada.token, "GET", "/v1/me", NULL);
    cr_assert(cJSON_IsFalse(member(&seen, "findable")));
    seen = ask_at(&house, NULL, "GET", NULL, "/v1/players/%s", ada.id);
    assert_status(&seen, 200);
    cr_assert_not(has(&seen, "findable"));
}

Test(find, another_name_and_whether_one_is_found_by_it_are_changed_together_or_alone)
{
    struct player ada = new_player(&house, "Ada");

    change(&ada, "{\"name\":\"Zoe\"}");
    assert_found(&ada, "ada", "");
    assert_found(&ada, "zo", "Zoe");
    change(&ada, "{\"name\":\"Zora\",\"findable\":false}");
    assert_found(&ada, "zo", "");
    change(&ada, "{\"name\":\"Zuse\"}");
    assert_found(&ada, "zu", "");
    change(&ada, "{\"findable\":true}");
    assert_found(&ada, "zu", "Zuse");
}

Test(find, whoever_has_left_is_not_found)
{
    struct player ada = new_player(&house, "Ada"), adam = new_player(&house, "Adam");

    ask_as(&house, adam.token, "DELETE", "/v1/me", NULL);
    assert_found(&ada, "ad", "Ada");
}
