/* test_challenges.c - a game with a seat kept for a player. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/http/house.h"
#include "tests/support/backoff.h"
#include "tests/support/hours.h"

static struct house house;
static struct player ada, mia, eve;

static void open_house(void)
{
    house_open_on(&house, hours_borrow());
    ada = new_player(&house, "Ada");
    mia = new_player(&house, "Mia");
    eve = new_player(&house, "Eve");
}

static void close_house(void)
{
    house_close_verified(&house);
}

TestSuite(challenges, .init = open_house, .fini = close_house, .timeout = HOUSE_PATIENCE_S);

static struct answer challenge_with(const struct player *by, const char *of, const char *headers,
                                    const char *seat, const char *more)
{
    char body[256], all[512];

    snprintf(body, sizeof(body),
             "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"player\":\"%s\"%s}]%s}", of, seat,
             more);
    snprintf(all, sizeof(all), "Authorization: Bearer %s\r\nContent-Type: application/json\r\n%s",
             by->token, headers);
    return ask(&house, "POST", "/v1/games", all, body);
}

static struct answer challenge(const struct player *by, const struct player *of)
{
    return challenge_with(by, of->id, "", "", "");
}

static struct game challenge_of(const struct player *by, const struct player *of)
{
    struct answer made = challenge(by, of);
    struct game game;

    assert_status(&made, 201);
    snprintf(game.id, sizeof(game.id), "%s", text_of(&made, "id"));
    snprintf(game.token, sizeof(game.token), "%s", text_of(&made, "token"));
    return game;
}

static struct answer at(const struct player *by, const char *method, const char *body,
                        const struct game *game, const char *deed)
{
    return ask_at(&house, by->token, method, body, "/v1/games/%s%s", game->id, deed);
}

static size_t listed(const struct player *of, const char *list, const struct game *game)
{
    struct answer answer = ask_as(&house, of->token, "GET", list, NULL);
    size_t found = 0;

    assert_status(&answer, 200);
    for (const char *is = answer.reply.body; (is = strstr(is, game->id)) != NULL; is++)
        found++;
    return found;
}

/* ---- asking ---- */

Test(challenges, a_seat_is_kept_for_the_player_and_nobody_else)
{
    struct answer made = challenge(&ada, &mia);

    assert_status(&made, 201);
    cr_assert_str_eq(text_of(&made, "status"), "open");
    cr_assert_str_eq(text_of(&made, "seats.1.state"), "challenged");
    cr_assert_str_eq(text_of(&made, "seats.1.player"), mia.id);
    cr_assert_str_eq(text_of(&made, "seats.0.player"), ada.id);
    cr_assert(has(&made, "seats.1.invitation_expires_at"));
    cr_assert_not(has(&made, "seats.1.name"), "the name is the player's to give");
    cr_assert_null(strstr(made.reply.body, "invite"), "%s", made.reply.body);
}

Test(challenges, both_find_it_in_their_lists_until_it_is_answered)
{
    struct game game = challenge_of(&ada, &mia);
    struct answer joined;

    cr_assert_gt(listed(&ada, "/v1/me/challenges", &game), 0);
    cr_assert_gt(listed(&mia, "/v1/me/challenges", &game), 0);
    cr_assert_gt(listed(&mia, "/v1/me/games", &game), 0);
    cr_assert_eq(listed(&eve, "/v1/me/challenges", &game), 0);
    joined = at(&mia, "POST", "{}", &game, "/join");
    assert_status(&joined, 200);
    cr_assert_eq(listed(&ada, "/v1/me/challenges", &game), 0);
    cr_assert_eq(listed(&mia, "/v1/me/challenges", &game), 0);
    cr_assert_gt(listed(&mia, "/v1/me/games", &game), 0);
}

Test(challenges, the_log_says_who_is_asked_and_until_when)
{
    struct game game = challenge_of(&ada, &mia);
    struct answer events = at(&mia, "GET", NULL, &game, "/events");

    cr_assert_str_eq(text_of(&events, "items.1.type"), "challenged");
    cr_assert_eq(number_of(&events, "items.1.seat"), 1);
    cr_assert_str_eq(text_of(&events, "items.1.data.player"), mia.id);
    cr_assert_eq(strlen(text_of(&events, "items.1.data.until_at")), 24);
}

Test(challenges, the_player_is_told_of_it_by_their_stream_of_events)
{
    struct game game = challenge_of(&ada, &mia);
    struct answer events = ask_as(&house, mia.token, "GET", "/v1/me/events?after=0", NULL);

    cr_assert_str_eq(text_of(&events, "items.1.type"), "challenged");
    cr_assert_str_eq(text_of(&events, "items.1.game"), game.id);
}

Test(challenges, whoever_is_no_player_challenges_nobody)
{
    struct player nobody = {.token = ""};
    struct answer refused = challenge(&nobody, &mia);

    assert_problem(&refused, 401, "token-missing");
}

Test(challenges, nobody_challenges_themselves_or_somebody_who_is_not_there)
{
    struct answer refused = challenge(&ada, &ada);

    assert_problem(&refused, 400, "bad-parameter");
    cr_assert_str_eq(text_of(&refused, "pointer"), "/seats/1/player");
    refused = challenge_with(&ada, "00000000000000000000000000", "", "", "");
    assert_problem(&refused, 404, "no-such-player");
    ask_as(&house, mia.token, "DELETE", "/v1/me", NULL);
    refused = challenge(&ada, &mia);
    assert_problem(&refused, 404, "no-such-player");
}

Test(challenges, three_to_one_player_may_be_open)
{
    struct game first = challenge_of(&ada, &mia);
    struct answer refused;

    challenge_of(&ada, &mia);
    challenge_of(&ada, &mia);
    refused = challenge(&ada, &mia);
    assert_problem(&refused, 409, "too-many-challenges");
    challenge_of(&ada, &eve);
    at(&mia, "POST", "{}", &first, "/decline");
    challenge_of(&ada, &mia);
}

Test(challenges, a_player_has_thirty_two_open_at_most)
{
    struct answer refused;

    for (int i = 0; i < 32; i++) {
        char name[8];
        struct player other;

        snprintf(name, sizeof(name), "P%d", i);
        other = new_player(&house, name);
        challenge_of(&ada, &other);
    }
    refused = challenge(&ada, &mia);
    assert_problem(&refused, 409, "too-many-challenges");
    challenge_of(&mia, &ada);
}

Test(challenges, whoever_has_fifty_waiting_hears_of_no_further_one_and_its_maker_sees_no_difference)
{
    struct game last;
    struct answer made;

    for (int i = 0; i < 50; i++) {
        char name[8];
        struct player other;

        snprintf(name, sizeof(name), "P%d", i);
        other = new_player(&house, name);
        last = challenge_of(&other, &mia);
    }
    cr_assert_gt(listed(&mia, "/v1/me/challenges?limit=200", &last), 0);
    made = challenge(&ada, &mia);
    assert_status(&made, 201);
    cr_assert_str_eq(text_of(&made, "seats.1.player"), mia.id);
    snprintf(last.id, sizeof(last.id), "%s", text_of(&made, "id"));
    cr_assert_eq(listed(&mia, "/v1/me/challenges?limit=200", &last), 0);
    cr_assert_eq(listed(&mia, "/v1/me/games?limit=200", &last), 0);
    cr_assert_gt(listed(&ada, "/v1/me/challenges", &last), 0);
}

Test(challenges, nobody_is_challenged_to_a_game_whose_moves_have_ended_it)
{
    char body[256];
    struct answer refused;

    snprintf(body, sizeof(body),
             "{\"variant\":\"tictactoe\",\"moves\":[\"a1\",\"b1\",\"a2\",\"b2\",\"a3\"],"
             "\"seats\":[{\"me\":true},{\"player\":\"%s\"}]}",
             mia.id);
    refused = ask_as(&house, ada.token, "POST", "/v1/games", body);
    assert_problem(&refused, 422, "position-already-over");
    cr_assert_str_eq(text_of(&refused, "pointer"), "/moves");
    refused = ask_as(&house, mia.token, "GET", "/v1/me/games", NULL);
    cr_assert_not(has(&refused, "items.0"));
}

Test(challenges, the_same_request_again_challenges_once_also_when_it_is_over)
{
    static const char key[] = "Idempotency-Key: a challenge to Mia\r\n";
    struct answer first = challenge_with(&ada, mia.id, key, "", ""), again;
    struct game game;

    assert_status(&first, 201);
    snprintf(game.id, sizeof(game.id), "%s", text_of(&first, "id"));
    at(&mia, "POST", "{}", &game, "/decline");
    for (int i = 0; i < 3; i++)
        challenge_of(&ada, &mia);
    again = challenge_with(&ada, mia.id, key, "", "");
    assert_status(&again, 201);
    cr_assert_str_eq(again.reply.body, first.reply.body);
}

/* ---- who sees it ---- */

Test(challenges, to_strangers_it_is_as_if_it_were_not_there_though_it_will_be_public)
{
    struct answer made = challenge_with(&ada, mia.id, "", "", ",\"visibility\":\"public\""), seen;
    struct game game, none = {.id = "00000000000000000000000000"};
    static const char *const places[] = {"",        "/events",      "/moves",      "/board.svg",
                                         "/export", "/positions/0", "/legal-moves"};

    assert_status(&made, 201);
    snprintf(game.id, sizeof(game.id), "%s", text_of(&made, "id"));
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        seen = at(&eve, "GET", NULL, &game, places[i]);
        assert_problem(&seen, 404, "no-such-game");
    }
    seen = at(&eve, "POST", "{}", &game, "/join");
    assert_problem(&seen, 404, "no-such-game");
    seen = at(&eve, "POST", "{}", &game, "/decline");
    assert_problem(&seen, 404, "no-such-game");
    seen = at(&eve, "POST", "{}", &none, "/decline");
    assert_problem(&seen, 404, "no-such-game");
    cr_assert_eq(listed(&eve, "/v1/games", &game), 0);
    seen = ask_at(&house, eve.token, "GET", NULL, "/v1/games?player=%s", mia.id);
    cr_assert_null(strstr(seen.reply.body, game.id));
    seen = at(&mia, "GET", NULL, &game, "");
    assert_status(&seen, 200);
}

Test(challenges, once_it_is_accepted_its_visibility_says_who_sees_it)
{
    struct answer made = challenge_with(&ada, mia.id, "", "", ",\"visibility\":\"public\"");
    struct game game;

    snprintf(game.id, sizeof(game.id), "%s", text_of(&made, "id"));
    at(&mia, "POST", "{}", &game, "/join");
    cr_assert_gt(listed(&eve, "/v1/games", &game), 0);
    made = at(&eve, "GET", NULL, &game, "");
    assert_status(&made, 200);
}

Test(challenges, once_it_is_declined_strangers_still_do_not_see_it)
{
    struct answer made = challenge_with(&ada, mia.id, "", "", ",\"visibility\":\"public\"");
    struct game game;

    snprintf(game.id, sizeof(game.id), "%s", text_of(&made, "id"));
    at(&mia, "POST", "{}", &game, "/decline");
    made = at(&eve, "GET", NULL, &game, "");
    assert_problem(&made, 404, "no-such-game");
    cr_assert_eq(listed(&eve, "/v1/games", &game), 0);
}

Test(challenges, a_public_game_that_follows_on_one_does_not_tell_its_id)
{
    struct answer made = challenge_with(&ada, mia.id, "", "", ",\"visibility\":\"public\""), events;
    struct game game, fork;

    snprintf(game.id, sizeof(game.id), "%s", text_of(&made, "id"));
    made = at(&mia, "POST", "{\"visibility\":\"public\"}", &game, "/fork");
    assert_status(&made, 201);
    snprintf(fork.id, sizeof(fork.id), "%s", text_of(&made, "id"));
    events = at(&eve, "GET", NULL, &fork, "/events");
    assert_status(&events, 200);
    cr_assert_null(strstr(events.reply.body, game.id), "%s", events.reply.body);
}

Test(challenges, in_a_text_its_seat_is_kept_and_not_open)
{
    struct game game = challenge_of(&ada, &mia);
    char path[64], headers[200];
    struct answer answer;

    snprintf(path, sizeof(path), "/v1/games/%s", game.id);
    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\nAccept: text/plain\r\n",
             mia.token);
    answer = ask(&house, "GET", path, headers, NULL);
    cr_assert_not_null(strstr(answer.reply.body, ": kept for a player"), "%s", answer.reply.body);
    answer = ask(&house, "GET", "/v1/me/challenges", headers, NULL);
    cr_assert_not_null(strstr(answer.reply.body, "Ada - (kept for a player)\n"), "%s",
                       answer.reply.body);
}

/* ---- answering ---- */

Test(challenges, whoever_joins_has_the_seat_and_their_name)
{
    struct game game = challenge_of(&ada, &mia);
    struct answer joined = at(&mia, "POST", "{}", &game, "/join");

    assert_status(&joined, 200);
    cr_assert_str_eq(text_of(&joined, "status"), "active");
    cr_assert_str_eq(text_of(&joined, "seats.1.state"), "taken");
    cr_assert_str_eq(text_of(&joined, "seats.1.name"), "Mia");
    cr_assert_not(has(&joined, "seats.1.invitation_expires_at"));
}

Test(challenges, before_they_join_they_do_nothing_else_in_the_game)
{
    static const struct {
        const char *method, *deed, *body;
    } deeds[] = {{"POST", "/moves", "a3a4"},  {"POST", "/abort", "{}"},
                 {"POST", "/messages", "hi"}, {"POST", "/token", "{}"},
                 {"POST", "/resign", "{}"},   {"POST", "/invitations", "{}"},
                 {"GET", "/notes", NULL},     {"PUT", "/notes/0", "hi"}};
    struct game game = challenge_of(&ada, &mia);

    for (size_t i = 0; i < sizeof(deeds) / sizeof(deeds[0]); i++) {
        struct answer refused = at(&mia, deeds[i].method, deeds[i].body, &game, deeds[i].deed);

        cr_expect_eq(refused.status, 403, "%s: %s", deeds[i].deed, refused.reply.body);
        cr_expect_not_null(strstr(refused.reply.body, "accept the challenge by POST"), "%s: %s",
                           deeds[i].deed, refused.reply.body);
    }
}

Test(challenges, the_challenger_writes_nothing_in_it_unless_it_is_accepted)
{
    struct game game = challenge_of(&ada, &mia), other = challenge_of(&ada, &mia);
    struct answer answer = at(&ada, "POST", "Well?", &game, "/messages");

    assert_problem(&answer, 409, "game-not-started");
    answer = at(&ada, "GET", NULL, &game, "");
    cr_assert_null(strstr(answer.reply.body, "\"message\""), "%s", answer.reply.body);
    at(&mia, "POST", "{}", &game, "/decline");
    answer = at(&ada, "POST", "Why?", &game, "/messages");
    assert_problem(&answer, 409, "game-over");
    at(&mia, "POST", "{}", &other, "/join");
    answer = at(&ada, "POST", "Hello!", &other, "/messages");
    assert_status(&answer, 201);
}

Test(challenges, its_moves_stay_as_they_were_asked_for)
{
    struct answer made =
        challenge_with(&ada, mia.id, "", "", ",\"undo\":\"free\",\"moves\":[\"g3g4\",\"a7a6\"]");
    struct game game;

    assert_status(&made, 201);
    cr_assert_null(strstr(made.reply.body, "\"undo\",\""), "%s", made.reply.body);
    snprintf(game.id, sizeof(game.id), "%s", text_of(&made, "id"));
    made = at(&ada, "POST", "{}", &game, "/undo");
    assert_problem(&made, 409, "game-not-started");
    at(&mia, "POST", "{}", &game, "/join");
    made = at(&ada, "POST", "{}", &game, "/undo");
    assert_status(&made, 200);
}

Test(challenges, whoever_declines_may_say_a_word_which_the_challenger_reads)
{
    struct game game = challenge_of(&ada, &mia);
    struct answer declined = at(&mia, "POST", "{\"text\":\"Not this week.\"}", &game, "/decline");
    struct answer events;

    assert_status(&declined, 200);
    cr_assert_str_eq(text_of(&declined, "status"), "aborted");
    cr_assert_str_eq(text_of(&declined, "outcome.reason"), "declined");
    events = ask_as(&house, ada.token, "GET", "/v1/me/events?after=0", NULL);
    cr_assert_str_eq(text_of(&events, "items.2.type"), "aborted");
    cr_assert_eq(number_of(&events, "items.2.seat"), 2);
    cr_assert_str_eq(text_of(&events, "items.2.data.text"), "Not this week.");
    cr_assert_eq(listed(&ada, "/v1/me/challenges", &game), 0);
}

Test(challenges, a_word_is_short)
{
    struct game game = challenge_of(&ada, &mia);
    char body[300] = "{\"text\":\"";
    struct answer refused;

    memset(body + strlen(body), 'a', 201);
    strcat(body, "\"}");
    refused = at(&mia, "POST", body, &game, "/decline");
    assert_problem(&refused, 400, "bad-parameter");
}

Test(challenges, declining_twice_with_a_key_is_declining_once)
{
    struct game game = challenge_of(&ada, &mia);
    char headers[256], path[96];
    struct answer first, again;

    snprintf(headers, sizeof(headers),
             "Authorization: Bearer %s\r\nContent-Type: application/json\r\n"
             "Idempotency-Key: no\r\n",
             mia.token);
    snprintf(path, sizeof(path), "/v1/games/%s/decline", game.id);
    first = ask(&house, "POST", path, headers, "{}");
    assert_status(&first, 200);
    again = ask(&house, "POST", path, headers, "{}");
    assert_status(&again, 200);
    cr_assert_eq(number_of(&again, "version"), number_of(&first, "version"));
    again = at(&mia, "POST", "{}", &game, "/decline");
    assert_problem(&again, 409, "game-over");
    cr_assert_str_eq(text_of(&again, "detail"),
                     "The challenge was declined or withdrawn, or has run out.");
}

Test(challenges, the_challenger_declines_nothing_and_withdraws_by_calling_the_game_off)
{
    struct game game = challenge_of(&ada, &mia);
    struct answer answer = at(&ada, "POST", "{}", &game, "/decline");

    assert_problem(&answer, 409, "not-challenged");
    answer = at(&ada, "POST", "{}", &game, "/abort");
    assert_status(&answer, 200);
    answer = at(&mia, "POST", "{}", &game, "/join");
    assert_problem(&answer, 409, "game-over");
    cr_assert_str_eq(text_of(&answer, "detail"),
                     "The challenge was declined or withdrawn, or has run out.");
    answer = ask_as(&house, mia.token, "GET", "/v1/me/events?after=0", NULL);
    cr_assert_str_eq(text_of(&answer, "items.2.type"), "aborted");
}

Test(challenges, a_game_that_is_no_challenge_is_declined_by_nobody)
{
    struct game game = new_game_of(
        &house, ada.token, "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"open\":true}]}");
    struct answer refused = at(&mia, "POST", "{}", &game, "/decline");

    assert_problem(&refused, 403, "not-your-seat");
    refused = at(&ada, "POST", "{}", &game, "/decline");
    assert_problem(&refused, 409, "not-challenged");
}

/* ---- running out ---- */

static void let_pass(int64_t us)
{
    struct game clocked =
        new_game(&house, "{\"variant\":\"jungle\",\"clock\":{\"kind\":\"days\",\"days\":9}}");
    char path[64];

    snprintf(path, sizeof(path), "/v1/games/%s", clocked.id);
    hours_pass(house.database, us, false);
    hours_seen(house.database, house.plyd.port, path);
}

static void await_over(const struct game *game)
{
    struct answer answer = at(&ada, "GET", NULL, game, "");

    for (int looks = 0; strcmp(text_of(&answer, "status"), "aborted") != 0; looks++) {
        back_off(looks);
        answer = at(&ada, "GET", NULL, game, "");
    }
}

Test(challenges, when_its_time_is_over_the_game_is_called_off_and_both_are_told)
{
    struct answer made = challenge_with(&ada, mia.id, "", ",\"expires\":\"2h\"", ""), answer;
    struct game game;

    assert_status(&made, 201);
    snprintf(game.id, sizeof(game.id), "%s", text_of(&made, "id"));
    let_pass(INT64_C(7201) * 1000000);
    await_over(&game);
    answer = at(&ada, "GET", NULL, &game, "");
    cr_assert_str_eq(text_of(&answer, "outcome.reason"), "expired");
    answer = at(&mia, "POST", "{}", &game, "/join");
    assert_problem(&answer, 409, "game-over");
    answer = ask_as(&house, mia.token, "GET", "/v1/me/events?after=0", NULL);
    cr_assert_str_eq(text_of(&answer, "items.2.type"), "aborted");
    cr_assert_str_eq(text_of(&answer, "items.2.data.reason"), "expired");
    cr_assert_not(has(&answer, "items.2.seat"));
}

Test(challenges, its_time_is_a_minute_at_least_and_thirty_days_at_most)
{
    struct answer answer = challenge_with(&ada, mia.id, "", ",\"expires\":\"59s\"", "");

    assert_problem(&answer, 400, "bad-parameter");
    answer = challenge_with(&ada, mia.id, "", ",\"expires\":\"31d\"", "");
    assert_problem(&answer, 400, "bad-parameter");
    answer = challenge_with(&ada, mia.id, "", ",\"expires\":\"30d\"", "");
    assert_status(&answer, 201);
}

/* ---- players who change ---- */

Test(challenges, whoever_leaves_withdraws_what_they_have_asked)
{
    struct game game = challenge_of(&ada, &mia);
    struct answer left = ask_as(&house, ada.token, "DELETE", "/v1/me", NULL), seen;

    assert_status(&left, 204);
    seen = at(&mia, "GET", NULL, &game, "");
    for (int looks = 0; strcmp(text_of(&seen, "status"), "aborted") != 0; looks++) {
        back_off(looks);
        seen = at(&mia, "GET", NULL, &game, "");
    }
    cr_assert_null(strstr(seen.reply.body, "Ada"));
}
