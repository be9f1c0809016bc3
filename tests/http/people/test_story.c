/* test_story.c - two players who never exchanged a link, from the first look for a name to the
 * last. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/http/house.h"

static struct house house;

static void open_house(void)
{
    house_share(&house);
}

static void close_house(void)
{
    house_close(&house);
}

TestSuite(story, .init = open_house, .fini = close_house, .timeout = HOUSE_PATIENCE_S);

/* A player with two devices, each of which has a token of its own. */
struct person {
    struct player player;
    char second[100];
};

static struct person new_person(const char *name)
{
    struct person person = {.player = new_player(&house, name)};
    struct answer made =
        ask_as(&house, person.player.token, "POST", "/v1/me/tokens", "{\"name\":\"Telephone\"}");

    assert_status(&made, 201);
    snprintf(person.second, sizeof(person.second), "%s", text_of(&made, "token"));
    return person;
}

static struct game challenge(const struct person *by, const char *of)
{
    char body[200];

    snprintf(body, sizeof(body),
             "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"player\":\"%s\"}]}", of);
    return new_game_of(&house, by->player.token, body);
}

static void act(const char *token, const struct game *game, const char *deed, const char *body,
                int status)
{
    struct answer answer = ask_at(&house, token, "POST", body, "/v1/games/%s/%s", game->id, deed);

    assert_status(&answer, status);
}

static void assert_challenges(const struct person *person, int count)
{
    struct answer answer = ask_as(&house, person->second, "GET", "/v1/me/challenges", NULL);

    assert_status(&answer, 200);
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), count, "%s", answer.reply.body);
}

/* On both devices: how many events of the newest game are new to the person, and in how many games
 * it is their turn. */
static void assert_new(const struct person *person, int unread, int waiting)
{
    const char *const devices[] = {person->player.token, person->second};

    for (size_t i = 0; i < 2; i++) {
        struct answer answer =
            ask_as(&house, devices[i], "GET", "/v1/me/games?status=active", NULL);

        assert_status(&answer, 200);
        cr_assert_eq(number_of(&answer, "items.0.unread"), unread, "%s", answer.reply.body);
        cr_assert_eq(number_of(&answer, "waiting"), waiting, "%s", answer.reply.body);
    }
}

static void read_all(const char *token, const struct game *game)
{
    struct answer seen = ask_at(&house, token, "GET", NULL, "/v1/games/%s", game->id), marked;
    char body[100];

    assert_status(&seen, 200);
    snprintf(body, sizeof(body), "{\"games\":{\"%s\":%d}}", game->id,
             (int)number_of(&seen, "version"));
    marked = ask_as(&house, token, "PUT", "/v1/me/read", body);
    assert_status(&marked, 204);
}

Test(story, two_who_find_each_other_are_declined_accepted_up_to_date_on_each_device_and_blocked)
{
    struct person ada = new_person("Ada of the story"), mia = new_person("Mia of the story");
    struct answer answer =
        ask_as(&house, ada.player.token, "GET", "/v1/players?name=mia%20of%20the%20s", NULL);
    struct game game;
    char found[40];

    /* Found, challenged, declined, and challenged again. */
    assert_status(&answer, 200);
    snprintf(found, sizeof(found), "%s", text_of(&answer, "items.0.id"));
    cr_assert_str_eq(found, mia.player.id);
    game = challenge(&ada, found);
    assert_challenges(&mia, 1);
    act(mia.second, &game, "decline", "{\"text\":\"Not this week.\"}", 200);
    assert_challenges(&mia, 0);
    answer = ask_at(&house, ada.second, "GET", NULL, "/v1/games/%s/events", game.id);
    cr_assert_not_null(strstr(answer.reply.body, "Not this week."));
    game = challenge(&ada, found);
    act(mia.player.token, &game, "join", "{}", 200);

    /* Played, and what is new is the same on each device. */
    read_all(ada.player.token, &game);
    read_all(mia.player.token, &game);
    act(ada.player.token, &game, "moves", "{\"move\":\"a3a4\"}", 201);
    act(ada.second, &game, "messages", "{\"text\":\"Hello!\"}", 201);
    assert_new(&ada, 0, 0);
    assert_new(&mia, 2, 1);
    read_all(mia.second, &game);
    assert_new(&mia, 0, 1);
    act(mia.player.token, &game, "moves", "{\"move\":\"g7g6\"}", 201);
    assert_new(&mia, 0, 0);
    assert_new(&ada, 1, 1);

    /* Blocked: the game goes on, and nothing else of Ada's reaches Mia. */
    answer = ask_at(&house, mia.second, "PUT", NULL, "/v1/me/blocks/%s", ada.player.id);
    assert_status(&answer, 204);
    challenge(&ada, found);
    assert_challenges(&mia, 0);
    assert_challenges(&ada, 1);
    act(ada.player.token, &game, "messages", "{\"text\":\"Answer me!\"}", 201);
    assert_new(&mia, 0, 0);
    answer = ask_as(&house, mia.second, "GET", "/v1/me/events?after=0&limit=200", NULL);
    cr_assert_null(strstr(answer.reply.body, "Answer me!"));
    act(ada.player.token, &game, "moves", "{\"move\":\"a4a5\"}", 201);
    assert_new(&mia, 1, 1);
}
