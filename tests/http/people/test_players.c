/* test_players.c - players: becoming one, playing as one, being known by a token. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/http/house.h"
#include "tests/support/backoff.h"

HOUSE_SUITE(players, house_share, HOUSE_PATIENCE_S);

static const char json_type[] = "Content-Type: application/json\r\n";
static const char form_type[] = "Content-Type: application/x-www-form-urlencoded\r\n";

/* ---- becoming a player ---- */

Test(players, a_name_makes_a_player_with_a_token)
{
    struct answer made = ask(&house, "POST", "/v1/players", json_type, "{\"name\":\"Ada\"}"), seen;
    char place[256];

    assert_status(&made, 201);
    cr_assert_str_eq(text_of(&made, "name"), "Ada");
    cr_assert_str_eq(http_header(&made.reply, "Location", place), text_of(&made, "links.self"));
    seen = ask(&house, "GET", place, NULL, NULL);
    assert_status(&seen, 200);
    cr_assert_str_eq(text_of(&seen, "id"), text_of(&made, "id"));
    cr_assert_str_eq(text_of(&seen, "name"), "Ada");
    cr_assert_not(has(&seen, "token"));
}

Test(players, a_name_may_come_as_a_form_and_loses_the_blanks_around_it)
{
    struct answer answer = ask(&house, "POST", "/v1/players", form_type, "name=+Ada+L.%20");

    assert_status(&answer, 201);
    cr_assert_str_eq(text_of(&answer, "name"), "Ada L.");
}

static const char *const bad_names[] = {
    "{}",
    "{\"name\":\"\"}",
    "{\"name\":\"  \"}",
    "{\"name\":7}",
    "{\"name\":\"line\\nbreak\"}",
    "{\"name\":\"del\\u007f\"}",
    "{\"name\":\"next line\\u0085\"}",
    "{\"name\":\"turned \\u202e around\"}",
    "{\"name\":\"zero\\u200bwidth\"}",
    "{\"name\":\"12345678901234567890123456789012345678901234567890123456789012345\"}"};

Test(players, a_name_that_would_disturb_is_refused_for_players_and_for_seats)
{
    for (size_t i = 0; i < sizeof(bad_names) / sizeof(bad_names[0]); i++) {
        struct answer answer = ask(&house, "POST", "/v1/players", json_type, bad_names[i]);

        assert_problem(&answer, 400, "bad-parameter");
        cr_assert_str_eq(text_of(&answer, "pointer"), "/name");
    }
    /* The first three are no name at all, which a seat may have. */
    for (size_t i = 3; i < sizeof(bad_names) / sizeof(bad_names[0]); i++) {
        struct game open =
            new_game(&house, "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"open\":true}]}");
        struct answer answer =
            ask_at(&house, NULL, "POST", bad_names[i], "/v1/games/%s/join", open.id);

        assert_problem(&answer, 400, "bad-parameter");
    }
}

Test(players, a_name_may_be_64_bytes_of_any_script)
{
    struct answer answer = ask(&house, "POST", "/v1/players", json_type,
                               "{\"name\":\"\xe7\xbe\xbd\xe7\x94\x9f\xe5\x96\x84\xe6\xb2\xbb "
                               "123456789 123456789 123456789 123456789 123456789 1\"}");

    assert_status(&answer, 201);
    cr_assert_eq(strlen(text_of(&answer, "name")), 64);
}

Test(players, an_unknown_field_is_refused)
{
    struct answer answer =
        ask(&house, "POST", "/v1/players", json_type, "{\"name\":\"Ada\",\"email\":\"a@b\"}");

    assert_problem(&answer, 422, "unknown-field");
}

Test(players, the_same_key_makes_one_player_and_shows_the_same_token)
{
    static const char keyed[] =
        "Content-Type: application/json\r\nIdempotency-Key: ada-makes-a-name\r\n";
    struct answer first = ask(&house, "POST", "/v1/players", keyed, "{\"name\":\"Ada\"}");
    struct answer again = ask(&house, "POST", "/v1/players", keyed, "{\"name\":\"Ada\"}");
    struct answer other = ask(&house, "POST", "/v1/players", keyed, "{\"name\":\"Eve\"}");
    char value[256], place[256];

    assert_status(&first, 201);
    assert_status(&again, 201);
    cr_assert_str_eq(again.reply.body, first.reply.body);
    cr_assert_str_eq(http_header(&again.reply, "Idempotent-Replayed", value), "true");
    cr_assert_str_eq(http_header(&again.reply, "Location", value),
                     http_header(&first.reply, "Location", place));
    assert_problem(&other, 422, "idempotency-key-reused");
}

Test(players, one_key_may_make_a_player_and_a_game)
{
    static const char keyed[] =
        "Content-Type: application/json\r\nIdempotency-Key: of both, a game and a player\r\n";
    struct answer player = ask(&house, "POST", "/v1/players", keyed, "{\"name\":\"Ada\"}");
    struct answer game = ask(&house, "POST", "/v1/games", keyed, "{\"variant\":\"shogi\"}");

    assert_status(&player, 201);
    assert_status(&game, 201);
}

Test(players, a_player_that_does_not_exist_is_404)
{
    static const char *const ids[] = {"00000000000000000000000000", "Ada", "0"};

    for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
        struct answer answer = ask_at(&house, NULL, "GET", NULL, "/v1/players/%s", ids[i]);

        assert_problem(&answer, 404, "no-such-player");
    }
}

/* ---- being known ---- */

Test(players, me_is_the_player_whose_token_it_is)
{
    struct player ada = new_player(&house, "Ada");
    struct answer me = ask_as(&house, ada.token, "GET", "/v1/me", NULL);

    assert_status(&me, 200);
    cr_assert_str_eq(text_of(&me, "id"), ada.id);
    cr_assert_str_eq(text_of(&me, "name"), "Ada");
    cr_assert_str_eq(text_of(&me, "links.games"), "/v1/me/games");
}

Test(players, another_daemon_knows_the_player_too)
{
    struct player ada = new_player(&house, "Ada");
    struct http_reply reply;
    char headers[200];

    house_open_second(&house);
    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\n", ada.token);
    http_request(house.second.port, &reply, "GET", "/v1/me", headers, NULL);
    cr_assert_eq(reply.status, 200, "%s", reply.body);
    http_free(&reply);
}

Test(players, no_token_but_the_players_own_is_taken)
{
    struct player ada = new_player(&house, "Ada");
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    const char *wrong[] = {game.token, "plyd_player_", "plyd_player_xyz", NULL, NULL};
    char forged[96], nobody[96];

    snprintf(forged, sizeof(forged), "%s", ada.token);
    forged[strlen(forged) - 1] = forged[strlen(forged) - 1] == '0' ? '1' : '0';
    snprintf(nobody, sizeof(nobody), "plyd_player_00000000000000000000000000%s", ada.token + 38);
    wrong[3] = forged;
    wrong[4] = nobody;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        struct answer answer = ask_as(&house, wrong[i], "GET", "/v1/me", NULL);

        assert_problem(&answer, 401, "token-unknown");
        cr_assert_not_null(strstr(text_of(&answer, "detail"), "A player's token"));
    }
}

Test(players, me_without_a_token_is_401)
{
    static const char *const paths[] = {"/v1/me", "/v1/me/games"};

    for (size_t i = 0; i < 2; i++) {
        struct answer answer = ask_as(&house, NULL, "GET", paths[i], NULL);

        assert_problem(&answer, 401, "token-missing");
    }
}

/* How many players the daemon has looked up. */
static int looked_up(int fd)
{
    static const char line[] = "\nplyd_db_batch_members_sum{kind=\"player\"} ";
    struct http_reply reply;
    const char *at;
    int count;

    http_send(fd, "GET", "/metrics", NULL, NULL, 0);
    http_receive(fd, "GET", &reply);
    at = strstr(reply.body, line);
    cr_assert_not_null(at);
    count = atoi(at + strlen(line));
    http_free(&reply);
    return count;
}

static void ask_who_i_am(int fd, const char *token, int status)
{
    struct http_reply reply;
    char headers[200];

    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\n", token);
    http_send(fd, "GET", "/v1/me", headers, NULL, 0);
    http_receive(fd, "GET", &reply);
    cr_assert_eq(reply.status, status, "%s", reply.body);
    http_free(&reply);
}

/* A token that is not the one in memory may be a newer one, so that is looked up. */
Test(players, a_player_who_is_known_is_not_looked_up_again)
{
    struct player ada;
    int fd, before;

    house_move_out(&house);
    ada = new_player(&house, "Ada");
    fd = http_connect(house.plyd.port);
    before = looked_up(fd);
    for (int i = 0; i < 3; i++)
        ask_who_i_am(fd, ada.token, 200);
    cr_assert_eq(looked_up(fd), before + 1);
    ada.token[strlen(ada.token) - 1] ^= 1; /* the wrong token of a known player */
    ask_who_i_am(fd, ada.token, 401);
    cr_assert_eq(looked_up(fd), before + 2);
}

Test(players, a_player_is_a_text_for_people)
{
    struct answer made =
        ask(&house, "POST", "/v1/players", "Accept: text/plain\r\n", "{\"name\":\"Ada\"}");
    char headers[200], token[96] = "";

    assert_status(&made, 201);
    cr_assert_eq(sscanf(made.reply.body, "id %*s name Ada token %95s", token), 1, "%s",
                 made.reply.body);
    snprintf(headers, sizeof(headers), "Accept: text/plain\r\nAuthorization: Bearer %s\r\n", token);
    made = ask(&house, "GET", "/v1/me", headers, NULL);
    assert_status(&made, 200);
    cr_assert_not_null(strstr(made.reply.body, "name   Ada\n"));
    cr_assert_null(strstr(made.reply.body, "token"));
}

/* ---- playing as a player ---- */

static const char open_game[] =
    "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"open\":true}],\"visibility\":\"private\"}";

Test(players, a_seat_belongs_to_the_player_who_created_it_and_bears_their_name)
{
    struct player ada = new_player(&house, "Ada");
    struct game game = new_game_of(&house, ada.token, open_game);
    struct answer answer = ask_at(&house, game.token, "GET", NULL, "/v1/games/%s", game.id);

    assert_status(&answer, 200);
    cr_assert_str_eq(text_of(&answer, "seats.0.player"), ada.id);
    cr_assert_str_eq(text_of(&answer, "seats.0.name"), "Ada");
    cr_assert_not(has(&answer, "seats.1.player"));
}

Test(players, a_seat_may_bear_another_name_than_its_player)
{
    struct player ada = new_player(&house, "Ada");
    struct game game = new_game_of(&house, ada.token,
                                   "{\"variant\":\"jungle\",\"seats\":[{\"me\":true,\"name\":"
                                   "\"The Countess\"},{\"open\":true}]}");
    struct answer answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s", game.id);

    cr_assert_str_eq(text_of(&answer, "seats.0.name"), "The Countess");
    cr_assert_str_eq(text_of(&answer, "seats.0.player"), ada.id);
}

Test(players, two_players_play_a_private_game_with_their_own_tokens)
{
    struct player ada = new_player(&house, "Ada"), mia = new_player(&house, "Mia");
    struct game game = new_game_of(&house, ada.token, open_game);
    struct answer answer = ask_at(&house, mia.token, "POST", "", "/v1/games/%s/join", game.id);

    assert_status(&answer, 200);
    cr_assert_str_eq(text_of(&answer, "seats.1.player"), mia.id);
    cr_assert_str_eq(text_of(&answer, "seats.1.name"), "Mia");
    answer = ask_at(&house, ada.token, "POST", "g3g4", "/v1/games/%s/moves", game.id);
    assert_status(&answer, 201);
    answer = ask_at(&house, ada.token, "POST", "a7a6", "/v1/games/%s/moves", game.id);
    assert_problem(&answer, 409, "not-your-turn");
    answer = ask_at(&house, mia.token, "POST", "a7a6", "/v1/games/%s/moves", game.id);
    assert_status(&answer, 201);
}

Test(players, the_seats_own_token_plays_it_as_well)
{
    struct player ada = new_player(&house, "Ada");
    struct game game = new_game_of(&house, ada.token, "{\"variant\":\"jungle\"}");

    play(&house, &game, "g3g4 a7a6");
}

Test(players, a_player_may_hold_both_seats)
{
    struct player ada = new_player(&house, "Ada");
    struct game game = new_game_of(&house, ada.token, open_game);
    struct answer answer = ask_at(&house, ada.token, "POST", "", "/v1/games/%s/join", game.id);

    assert_status(&answer, 200);
    for (int i = 0; i < 2; i++) {
        answer = ask_at(&house, ada.token, "POST", i == 0 ? "g3g4" : "a7a6", "/v1/games/%s/moves",
                        game.id);
        assert_status(&answer, 201);
    }
}

Test(players, a_player_without_a_seat_may_not_move)
{
    struct player eve = new_player(&house, "Eve");
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    struct answer answer = ask_at(&house, eve.token, "POST", "g3g4", "/v1/games/%s/moves", game.id);

    assert_problem(&answer, 403, "not-your-seat");
}

Test(players, a_token_of_no_player_is_refused_even_where_nobody_needs_one)
{
    static const char *const token = "plyd_player_nobody";
    struct game game =
        new_game(&house, "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"open\":true}]}");
    struct answer answer = ask_as(&house, token, "POST", "/v1/games", "{\"variant\":\"shogi\"}");

    assert_problem(&answer, 401, "token-unknown");
    answer = ask_at(&house, token, "POST", "", "/v1/games/%s/join", game.id);
    assert_problem(&answer, 401, "token-unknown");
    answer = ask_at(&house, token, "POST", "g3g4", "/v1/games/%s/moves", game.id);
    assert_problem(&answer, 401, "token-unknown");
    answer = ask_at(&house, token, "GET", NULL, "/v1/games/%s", game.id);
    assert_problem(&answer, 401, "token-unknown");
}

Test(players, games_of_players_replay)
{
    struct player ada = new_player(&house, "Ada");
    struct game game = new_game_of(&house, ada.token, "{\"variant\":\"jungle\"}");

    play(&house, &game, "g3g4 a7a6");
    cr_assert(plyd_verified(house.database));
}

/* That one remembers the player for some seconds. */
Test(players, a_token_that_was_replaced_is_soon_good_at_no_other_daemon)
{
    struct player ada = new_player(&house, "Ada");
    struct http_reply reply;
    char headers[200];
    int status, looks = 0;

    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\n", ada.token);
    http_request(house.second.port, &reply, "GET", "/v1/me", headers, NULL);
    cr_assert_eq(reply.status, 200);
    http_free(&reply);
    replace_player_token(&house, &ada);
    do {
        back_off(looks++);
        http_request(house.second.port, &reply, "GET", "/v1/me", headers, NULL);
        status = reply.status;
        http_free(&reply);
    } while (status == 200);
    cr_assert_eq(status, 401);
}
