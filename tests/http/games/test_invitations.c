/* test_invitations.c - an open seat that is kept for whoever has a code. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/http/house.h"
#include "tests/support/hours.h"

static struct house house;

static void open_house(void)
{
    house_open_on(&house, hours_borrow());
}

static void close_house(void)
{
    house_close_verified(&house);
}

TestSuite(invitations, .init = open_house, .fini = close_house, .timeout = HOUSE_PATIENCE_S);

static struct game open_game(const char *more)
{
    char body[256];

    snprintf(body, sizeof(body),
             "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"open\":true}]%s}", more);
    return new_game(&house, body);
}

/* Makes an invitation and keeps its code. */
static void invite(const struct game *game, const char *body, char code[64])
{
    struct answer made =
        ask_at(&house, game->token, "POST", body, "/v1/games/%s/invitations", game->id);

    assert_status(&made, 201);
    snprintf(code, 64, "%s", text_of(&made, "code"));
}

static struct answer join_with(const struct game *game, const char *code)
{
    char body[128];

    snprintf(body, sizeof(body), "{\"invitation\":\"%s\"}", code);
    return ask_at(&house, NULL, "POST", body, "/v1/games/%s/join", game->id);
}

static void assert_joins(const struct game *game, const char *code)
{
    struct answer joined = join_with(game, code);

    assert_status(&joined, 200);
    cr_assert_eq(number_of(&joined, "seat"), 2);
    cr_assert_str_eq(text_of(&joined, "status"), "active");
    cr_assert_not(has(&joined, "seats.1.invitation_expires_at"));
}

static void assert_refused(const struct game *game, const char *code, int status, const char *why)
{
    struct answer refused = join_with(game, code);

    assert_problem(&refused, status, why);
}

static void assert_cannot_join(const struct game *game, int status, const char *why)
{
    struct answer refused = ask_at(&house, NULL, "POST", "{}", "/v1/games/%s/join", game->id);

    assert_problem(&refused, status, why);
}

/* ---- making one ---- */

Test(invitations, the_answer_shows_a_code_and_an_address_with_the_code_behind_a_hash)
{
    struct game game = open_game("");
    struct answer made = ask_at(&house, game.token, "POST", "{\"seat\":2,\"expires\":\"36h\"}",
                                "/v1/games/%s/invitations", game.id);
    char url[128];

    assert_status(&made, 201);
    snprintf(url, sizeof(url), "http://test/play/%s#invitation=%s", game.id,
             text_of(&made, "code"));
    cr_assert_str_eq(text_of(&made, "url"), url);
    cr_assert_eq(number_of(&made, "seat"), 2);
    cr_assert_str_eq(text_of(&made, "expires_at"),
                     text_of(&made, "game.seats.1.invitation_expires_at"));
    cr_assert_eq(number_of(&made, "game.version"), 2);
}

Test(invitations, it_is_an_event_without_the_code)
{
    struct game game = open_game("");
    struct answer events;
    char code[64];

    invite(&game, "{}", code);
    events = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/events", game.id);
    cr_assert_str_eq(text_of(&events, "items.1.type"), "invited");
    cr_assert_eq(number_of(&events, "items.1.seat"), 2);
    cr_assert_eq(strlen(text_of(&events, "items.1.data.until_at")), 24);
    cr_assert_null(strstr(events.reply.body, code));
    events = ask_at(&house, game.token, "GET", NULL, "/v1/games/%s", game.id);
    cr_assert_null(strstr(events.reply.body, code));
}

Test(invitations, a_text_shows_the_code_too)
{
    struct game game = open_game("");
    char headers[256], path[96];
    struct answer made;

    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\nAccept: text/plain\r\n",
             game.token);
    snprintf(path, sizeof(path), "/v1/games/%s/invitations", game.id);
    made = ask(&house, "POST", path, headers, "");
    assert_status(&made, 201);
    cr_assert_not_null(strstr(made.reply.body, "code   plyd_invitation_"));
    cr_assert_not_null(strstr(made.reply.body, "#invitation=plyd_invitation_"));
}

Test(invitations, only_somebody_who_plays_a_seat_can_invite)
{
    struct game game = open_game(""), other = open_game("");
    struct answer refused = ask_at(&house, NULL, "POST", "{}", "/v1/games/%s/invitations", game.id);

    assert_problem(&refused, 401, "token-missing");
    refused = ask_at(&house, other.token, "POST", "{}", "/v1/games/%s/invitations", game.id);
    assert_problem(&refused, 401, "token-unknown");
    refused = ask_at(&house, other.token, "DELETE", NULL, "/v1/games/%s/invitations/2", game.id);
    assert_problem(&refused, 401, "token-unknown");
}

Test(invitations, nobody_is_invited_to_a_seat_that_is_taken)
{
    struct game game = open_game(""), whole = new_game(&house, "{\"variant\":\"jungle\"}");
    struct answer refused = ask_at(&house, game.token, "POST", "{\"seat\":\"red\"}",
                                   "/v1/games/%s/invitations", game.id);

    assert_problem(&refused, 409, "seat-taken");
    refused =
        ask_at(&house, game.token, "POST", "{\"seat\":3}", "/v1/games/%s/invitations", game.id);
    assert_problem(&refused, 400, "bad-parameter");
    refused = ask_at(&house, whole.token, "POST", "{}", "/v1/games/%s/invitations", whole.id);
    assert_problem(&refused, 409, "seat-taken");
    refused = ask_at(&house, whole.token, "POST", "{}", "/v1/games/%s/abort", whole.id);
    refused = ask_at(&house, whole.token, "POST", "{}", "/v1/games/%s/invitations", whole.id);
    assert_problem(&refused, 409, "game-over");
}

Test(invitations, they_last_from_a_minute_to_a_year)
{
    static const struct {
        const char *body;
        int status;
    } spans[] = {{"{\"expires\":59}", 400},       {"{\"expires\":60}", 201},
                 {"{\"expires\":\"365d\"}", 201}, {"{\"expires\":\"366d\"}", 400},
                 {"{\"expires\":\"soon\"}", 400}, {"{\"expire\":\"7d\"}", 422}};
    struct game game = open_game("");

    for (size_t i = 0; i < sizeof(spans) / sizeof(spans[0]); i++) {
        struct answer answer =
            ask_at(&house, game.token, "POST", spans[i].body, "/v1/games/%s/invitations", game.id);

        assert_status(&answer, spans[i].status);
    }
}

/* ---- joining ---- */

Test(invitations, the_code_takes_the_seat_once)
{
    struct game game = open_game("");
    char code[64];

    invite(&game, "{}", code);
    assert_cannot_join(&game, 409, "seat-reserved");
    assert_joins(&game, code);
    assert_refused(&game, code, 409, "invitation-void");
    assert_cannot_join(&game, 409, "seat-taken");
}

Test(invitations, a_wrong_code_takes_no_seat)
{
    struct game game = open_game(""), other = open_game("");
    char code[64], others[64];

    invite(&game, "{}", code);
    invite(&other, "{}", others);
    assert_refused(&game, others, 409, "invitation-void");
    assert_refused(&game, "", 409, "invitation-void");
    code[strlen(code) - 1] = code[strlen(code) - 1] == '0' ? '1' : '0';
    assert_refused(&game, code, 409, "invitation-void");
}

Test(invitations, a_code_is_for_its_seat)
{
    struct game game = open_game("");
    struct answer refused;
    char code[64], body[128];

    invite(&game, "{}", code);
    snprintf(body, sizeof(body), "{\"invitation\":\"%s\",\"seat\":1}", code);
    refused = ask_at(&house, NULL, "POST", body, "/v1/games/%s/join", game.id);
    assert_problem(&refused, 409, "invitation-void");
    assert_joins(&game, code);
}

Test(invitations, a_new_one_replaces_the_old_one)
{
    struct game game = open_game("");
    char first[64], second[64];

    invite(&game, "{}", first);
    invite(&game, "{}", second);
    cr_assert_str_neq(first, second);
    assert_refused(&game, first, 409, "invitation-void");
    assert_joins(&game, second);
}

Test(invitations, one_that_was_withdrawn_is_void_and_anybody_may_join)
{
    struct game game = open_game("");
    struct answer answer;
    char code[64];

    invite(&game, "{}", code);
    for (int i = 0; i < 2; i++) { /* the second time there is nothing to do */
        answer =
            ask_at(&house, game.token, "DELETE", NULL, "/v1/games/%s/invitations/blue", game.id);
        assert_status(&answer, 200);
        cr_assert_eq(number_of(&answer, "version"), 3);
        cr_assert_not(has(&answer, "seats.1.invitation_expires_at"));
    }
    assert_refused(&game, code, 409, "invitation-void");
    answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/events?after=2", game.id);
    cr_assert(cJSON_IsNull(member(&answer, "items.0.data.until_at")));
    answer = ask_at(&house, NULL, "POST", "{}", "/v1/games/%s/join", game.id);
    assert_status(&answer, 200);
}

/* The daemon goes by the database's time, which it shows with a clock. */
static void let_pass(int64_t us)
{
    struct game clocked =
        new_game(&house, "{\"variant\":\"jungle\",\"clock\":{\"kind\":\"days\",\"days\":99}}");
    char path[64];

    snprintf(path, sizeof(path), "/v1/games/%s", clocked.id);
    hours_pass(house.database, us, false);
    hours_seen(house.database, house.plyd.port, path);
}

Test(invitations, when_it_has_expired_the_code_is_void_and_anybody_may_join)
{
    struct game game = open_game("");
    struct answer joined;
    char code[64];

    invite(&game, "{\"expires\":\"2d\"}", code);
    let_pass(INT64_C(47) * 3600 * 1000000);
    assert_cannot_join(&game, 409, "seat-reserved");
    let_pass(INT64_C(2) * 3600 * 1000000);
    assert_refused(&game, code, 409, "invitation-void");
    joined = ask_at(&house, NULL, "POST", "{}", "/v1/games/%s/join", game.id);
    assert_status(&joined, 200);
}

Test(invitations, another_daemon_takes_the_code_too)
{
    struct game game = open_game("");
    struct http_reply reply;
    char code[64], body[128], path[64];

    invite(&game, "{}", code);
    house_open_second(&house);
    snprintf(body, sizeof(body), "{\"invitation\":\"%s\"}", code);
    snprintf(path, sizeof(path), "/v1/games/%s/join", game.id);
    http_request(house.second.port, &reply, "POST", path, "Content-Type: application/json\r\n",
                 body);
    cr_assert_eq(reply.status, 200, "%s", reply.body);
    http_free(&reply);
}

/* ---- keys ---- */

Test(invitations, a_repeated_request_gets_the_same_code)
{
    struct game game = open_game("");
    char headers[256], path[64], value[256];
    struct answer first, again;

    snprintf(headers, sizeof(headers),
             "Authorization: Bearer %s\r\nContent-Type: application/json\r\n"
             "Idempotency-Key: invite my friend\r\n",
             game.token);
    snprintf(path, sizeof(path), "/v1/games/%s/invitations", game.id);
    first = ask(&house, "POST", path, headers, "{}");
    again = ask(&house, "POST", path, headers, "{}");
    assert_status(&first, 201);
    cr_assert_str_eq(again.reply.body, first.reply.body);
    cr_assert_str_eq(http_header(&again.reply, "Idempotent-Replayed", value), "true");
}

Test(invitations, a_repeated_join_gets_the_same_token)
{
    static const char keyed[] =
        "Content-Type: application/json\r\nIdempotency-Key: the friend's own key\r\n";
    struct game game = open_game("");
    char code[64], body[128], path[64];
    struct answer first, again;

    invite(&game, "{}", code);
    snprintf(body, sizeof(body), "{\"invitation\":\"%s\"}", code);
    snprintf(path, sizeof(path), "/v1/games/%s/join", game.id);
    first = ask(&house, "POST", path, keyed, body);
    again = ask(&house, "POST", path, keyed, body);
    assert_status(&first, 200);
    cr_assert_str_eq(again.reply.body, first.reply.body);
}

/* ---- private games ---- */

Test(invitations, the_code_of_a_private_game_shows_nothing_before_joining)
{
    struct game game = open_game(",\"visibility\":\"private\"");
    struct answer hidden;
    char code[64], path[160];

    invite(&game, "{}", code);
    assert_cannot_join(&game, 404, "no-such-game");
    assert_refused(&game, "plyd_invitation_00000000000000000000000000000000", 404, "no-such-game");
    snprintf(path, sizeof(path), "/v1/games/%s", game.id);
    hidden = ask_as(&house, code, "GET", path, NULL);
    assert_problem(&hidden, 404, "no-such-game");
    assert_joins(&game, code);
    assert_refused(&game, code, 404, "no-such-game");
}

Test(invitations, may_lists_them_while_a_seat_is_open)
{
    struct game game = open_game("");
    struct answer answer = ask_at(&house, game.token, "GET", NULL, "/v1/games/%s", game.id);
    char code[64];

    cr_assert_not_null(strstr(answer.reply.body, "\"may\":[\"abort\",\"invite\""));
    invite(&game, "{}", code);
    assert_joins(&game, code);
    answer = ask_at(&house, game.token, "GET", NULL, "/v1/games/%s", game.id);
    cr_assert_null(strstr(answer.reply.body, "\"invite\""));
}

/* ---- who comes with one ---- */

static struct answer join_as(const char *token, const struct game *game, const char *code,
                             const char *more)
{
    char body[160];

    snprintf(body, sizeof(body), "{\"invitation\":\"%s\"%s}", code, more);
    return ask_at(&house, token, "POST", body, "/v1/games/%s/join", game->id);
}

Test(invitations, nobody_takes_up_their_own_unless_they_play_both_sides)
{
    struct player ada = new_player(&house, "Ada");
    struct game game = new_game_of(
        &house, ada.token, "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"open\":true}]}");
    const char *const tokens[] = {game.token, ada.token};
    struct answer answer;
    char code[64];

    invite(&game, "{}", code);
    for (int i = 0; i < 2; i++) {
        answer = join_as(tokens[i], &game, code, "");
        assert_problem(&answer, 409, "own-invitation");
    }
    answer = join_as(ada.token, &game, code, ",\"hot_seat\":true");
    assert_status(&answer, 200);
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "you.seats")), 2);
}

Test(invitations, a_friend_who_comes_again_gets_the_game_once_more)
{
    struct player mia = new_player(&house, "Mia");
    struct game game = open_game(",\"visibility\":\"private\"");
    struct answer answer;
    char code[64];

    invite(&game, "{}", code);
    answer = join_as(mia.token, &game, code, "");
    assert_status(&answer, 200);
    answer = join_as(mia.token, &game, code, "");
    assert_status(&answer, 200);
    cr_assert_str_eq(text_of(&answer, "token"), "");
    cr_assert_eq(number_of(&answer, "seat"), 2);
    cr_assert_eq(number_of(&answer, "game.version"), 3);
    answer = join_as(mia.token, &game, code, ",\"seat\":1");
    assert_problem(&answer, 409, "invitation-void");
    answer = join_as(new_player(&house, "Eve").token, &game, code, "");
    assert_problem(&answer, 404, "no-such-game");
}

Test(invitations, who_takes_an_open_seat_a_second_time_gets_the_game_once_more)
{
    struct player mia = new_player(&house, "Mia"), eve = new_player(&house, "Eve");
    struct game game = open_game("");
    struct answer answer;

    for (int i = 0; i < 2; i++) {
        answer = ask_at(&house, mia.token, "POST", "{}", "/v1/games/%s/join", game.id);
        assert_status(&answer, 200);
        cr_assert_eq(number_of(&answer, "seat"), 2);
        cr_assert_eq(*text_of(&answer, "token") == '\0', i == 1);
        cr_assert_eq(number_of(&answer, "game.version"), 2);
    }
    answer = ask_at(&house, mia.token, "POST", "{\"seat\":1}", "/v1/games/%s/join", game.id);
    assert_problem(&answer, 409, "seat-taken");
    answer = ask_at(&house, eve.token, "POST", "{}", "/v1/games/%s/join", game.id);
    assert_problem(&answer, 409, "seat-taken");
}

Test(invitations, a_friend_who_comes_again_reads_the_game_as_a_text)
{
    struct player mia = new_player(&house, "Mia");
    struct game game = open_game("");
    char code[64], headers[256], path[96], body[128];
    struct answer answer;

    invite(&game, "{}", code);
    answer = join_as(mia.token, &game, code, "");
    snprintf(headers, sizeof(headers),
             "Authorization: Bearer %s\r\nAccept: text/plain\r\n"
             "Content-Type: application/json\r\n",
             mia.token);
    snprintf(path, sizeof(path), "/v1/games/%s/join", game.id);
    snprintf(body, sizeof(body), "{\"invitation\":\"%s\"}", code);
    answer = ask(&house, "POST", path, headers, body);
    assert_status(&answer, 200);
    cr_assert_null(strstr(answer.reply.body, "token"), "%s", answer.reply.body);
}
