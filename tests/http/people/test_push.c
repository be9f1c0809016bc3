/* test_push.c - subscriptions to Web Push: who has them, and when they end. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/http/house.h"

HOUSE_SUITE(push, house_share, HOUSE_PATIENCE_S);

static const char p256dh[] =
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZ"
    "GH6SRpkNtoIAiw4";

/* `more` are further members: ",\"lang\":\"ja\"". */
static struct answer subscribe(const struct player *player, const char *endpoint, const char *more)
{
    char body[512];

    snprintf(body, sizeof(body),
             "{\"endpoint\":\"%s\",\"expirationTime\":null,\"keys\":{\"p256dh\":\"%s\",\"auth\":"
             "\"BTBZMqHH6r4Tts7J_aSIgg\"}%s}",
             endpoint, p256dh, more);
    return ask_as(&house, player->token, "POST", "/v1/me/subscriptions", body);
}

static void subscribe_ok(const struct player *player, const char *endpoint, const char *more,
                         char id[32])
{
    struct answer answer = subscribe(player, endpoint, more);

    assert_status(&answer, 201);
    snprintf(id, 32, "%s", text_of(&answer, "id"));
}

static struct answer list_of(const struct player *player)
{
    struct answer answer = ask_as(&house, player->token, "GET", "/v1/me/subscriptions", NULL);

    assert_status(&answer, 200);
    return answer;
}

static int count_of(const struct player *player)
{
    struct answer answer = list_of(player);
    int count = cJSON_GetArraySize(member(&answer, "items"));

    return count;
}

/* ---- the key ---- */

Test(push, all_daemons_tell_the_same_key)
{
    struct http_reply first, second;

    http_request(house.plyd.port, &first, "GET", "/v1/push", NULL, NULL);
    http_request(house.second.port, &second, "GET", "/v1/push", NULL, NULL);
    cr_assert_eq(first.status, 200, "%s", first.body);
    cr_assert_str_eq(first.body, second.body);
    http_free(&first);
    http_free(&second);
}

/* ---- subscriptions ---- */

Test(push, the_same_endpoint_again_is_the_same_subscription)
{
    struct player ada = new_player(&house, "Ada");
    struct answer answer;
    char first[32], second[32];

    subscribe_ok(&ada, "https://push.invalid/1", "", first);
    subscribe_ok(&ada, "https://push.invalid/1",
                 ",\"lang\":\"ja-JP\",\"events\":[\"move\"],\"quiet\":{\"from\":\"22:00\",\"to\":"
                 "\"07:15\",\"offset\":\"-03:30\"}",
                 second);
    cr_assert_str_eq(first, second);
    answer = list_of(&ada);
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 1);
    cr_assert_str_eq(text_of(&answer, "items.0.id"), first);
    cr_assert_str_eq(text_of(&answer, "items.0.lang"), "ja");
    cr_assert_str_eq(text_of(&answer, "items.0.events.0"), "move");
    cr_assert_str_eq(text_of(&answer, "items.0.quiet.from"), "22:00");
    cr_assert_str_eq(text_of(&answer, "items.0.quiet.to"), "07:15");
    cr_assert_str_eq(text_of(&answer, "items.0.quiet.offset"), "-03:30");
}

Test(push, what_is_left_out_again_is_gone)
{
    struct player ada = new_player(&house, "Ada");
    struct answer answer;
    char id[32];

    subscribe_ok(&ada, "https://push.invalid/1",
                 ",\"lang\":\"tr\",\"quiet\":{\"from\":\"22:00\",\"to\":\"07:00\"}", id);
    subscribe_ok(&ada, "https://push.invalid/1", "", id);
    answer = list_of(&ada);
    cr_assert_not(has(&answer, "items.0.quiet"));
    cr_assert_str_eq(text_of(&answer, "items.0.lang"), "en");
}

Test(push, whoever_reads_another_language_is_told_in_english)
{
    struct player ada = new_player(&house, "Ada");
    struct answer answer;
    char id[32];

    subscribe_ok(&ada, "https://push.invalid/1", ",\"lang\":\"de-AT\"", id);
    answer = list_of(&ada);
    cr_assert_str_eq(text_of(&answer, "items.0.lang"), "en");
}

Test(push, of_an_endpoint_nothing_is_shown_but_its_host)
{
    struct player ada = new_player(&house, "Ada");
    struct answer answer;
    char id[32];

    subscribe_ok(&ada, "https://push.invalid/a-secret", "", id);
    answer = list_of(&ada);
    cr_assert_str_eq(text_of(&answer, "items.0.service"), "push.invalid:443");
    cr_assert_null(strstr(answer.reply.body, "a-secret"));
    cr_assert_null(strstr(answer.reply.body, p256dh));
}

Test(push, a_player_has_eight_and_may_set_them_and_put_another_in_the_place_of_one)
{
    struct player ada = new_player(&house, "Ada");
    struct answer answer;
    char id[32], endpoint[64];

    for (int i = 0; i < 8; i++) {
        snprintf(endpoint, sizeof(endpoint), "https://push.invalid/%d", i);
        subscribe_ok(&ada, endpoint, "", id);
    }
    answer = subscribe(&ada, "https://push.invalid/8", "");
    assert_problem(&answer, 409, "too-many-subscriptions");
    subscribe_ok(&ada, "https://push.invalid/3", ",\"lang\":\"ja\"", id);
    answer = ask_at(&house, ada.token, "DELETE", NULL, "/v1/me/subscriptions/%s", id);
    assert_status(&answer, 204);
    subscribe_ok(&ada, "https://push.invalid/8", "", id);
    cr_assert_eq(count_of(&ada), 8);
}

Test(push, webhooks_and_subscriptions_are_apart)
{
    struct player ada = new_player(&house, "Ada");
    struct answer answer;
    char id[32];

    subscribe_ok(&ada, "https://push.invalid/1", "", id);
    answer = ask_as(&house, ada.token, "GET", "/v1/webhooks", NULL);
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 0, "%s", answer.reply.body);
    answer = ask_at(&house, ada.token, "PATCH", "{\"enabled\":true}", "/v1/webhooks/%s", id);
    assert_problem(&answer, 404, "no-such-webhook");
    answer = ask_at(&house, ada.token, "DELETE", NULL, "/v1/webhooks/%s", id);
    assert_status(&answer, 204);
    cr_assert_eq(count_of(&ada), 1);
    for (int i = 0; i < 5; i++) {
        char body[96];

        snprintf(body, sizeof(body), "{\"url\":\"https://receiver.invalid/%d\"}", i);
        answer = ask_as(&house, ada.token, "POST", "/v1/webhooks", body);
        assert_status(&answer, 201);
    }
    cr_assert_eq(count_of(&ada), 1);
}

Test(push, one_endpoint_of_two_players_is_two_subscriptions)
{
    struct player ada = new_player(&house, "Ada"), bo = new_player(&house, "Bo");
    struct answer answer;
    char hers[32], his[32];

    subscribe_ok(&ada, "https://push.invalid/1", "", hers);
    subscribe_ok(&bo, "https://push.invalid/1", "", his);
    cr_assert_str_neq(hers, his);
    answer = ask_at(&house, bo.token, "DELETE", NULL, "/v1/me/subscriptions/%s", hers);
    assert_status(&answer, 204);
    cr_assert_eq(count_of(&ada), 1);
    cr_assert_eq(count_of(&bo), 1);
}

/* ---- their end ---- */

Test(push, another_token_ends_those_of_whoever_had_the_old_one)
{
    struct player ada = new_player(&house, "Ada");
    char id[32];

    subscribe_ok(&ada, "https://push.invalid/1", "", id);
    replace_player_token(&house, &ada);
    cr_assert_eq(count_of(&ada), 0);
}

/* The second daemon knows the old token for some seconds after the first has replaced it. */
Test(push, an_old_token_makes_none_at_a_daemon_that_has_not_heard_of_the_new_one)
{
    struct player ada = new_player(&house, "Ada");
    char headers[200], body[512];
    struct http_reply reply;

    snprintf(headers, sizeof(headers),
             "Authorization: Bearer %s\r\nContent-Type: application/json\r\n", ada.token);
    snprintf(body, sizeof(body),
             "{\"endpoint\":\"https://push.invalid/1\",\"keys\":{\"p256dh\":\"%s\",\"auth\":"
             "\"BTBZMqHH6r4Tts7J_aSIgg\"}}",
             p256dh);
    http_request(house.second.port, &reply, "GET", "/v1/me", headers, NULL);
    cr_assert_eq(reply.status, 200);
    http_free(&reply);
    replace_player_token(&house, &ada);
    http_request(house.second.port, &reply, "POST", "/v1/me/subscriptions", headers, body);
    cr_assert_eq(reply.status, 401, "%s", reply.body);
    http_free(&reply);
    cr_assert_eq(count_of(&ada), 0);
}
