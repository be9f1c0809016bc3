/* test_asked_rematch.c - of two players, one asks for a rematch and the other one accepts it. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/game/words.h"
#include "tests/http/house.h"
#include "tests/http/mask.h"
#include "tests/http/race.h"
#include "tests/support/awaited.h"
#include "tests/support/backoff.h"
#include "tests/support/hours.h"
#include "tests/support/stream.h"

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

TestSuite(asked_rematch, .init = open_house, .fini = close_house, .timeout = HOUSE_PATIENCE_S);

/* A game of two players, with the tokens of their seats. */
struct match {
    struct game one, two;
};

static struct match begin(const struct player *by, const struct player *of, const char *more)
{
    char body[300];
    struct match match;
    struct answer joined;

    snprintf(body, sizeof(body),
             "{\"variant\":\"tictactoe\",\"seats\":[{\"me\":true},{\"open\":true}]%s}", more);
    match.one = match.two = new_game_of(&house, by->token, body);
    joined = ask_at(&house, of->token, "POST", "{}", "/v1/games/%s/join", match.one.id);
    assert_status(&joined, 200);
    snprintf(match.two.token, sizeof(match.two.token), "%s", text_of(&joined, "token"));
    return match;
}

static struct match finished(const struct player *by, const struct player *of, const char *more)
{
    struct match match = begin(by, of, more);
    struct answer answer =
        ask_at(&house, match.two.token, "POST", "{}", "/v1/games/%s/resign", match.one.id);

    assert_status(&answer, 200);
    return match;
}

static struct answer at(const char *token, const char *method, const char *body,
                        const struct game *game, const char *deed)
{
    return ask_at(&house, token, method, body, "/v1/games/%s%s", game->id, deed);
}

static struct answer ask_rematch(const char *token, const struct match *match)
{
    return at(token, "POST", "{}", &match->one, "/rematch");
}

static struct game game_of(const struct answer *answer)
{
    struct game game = {.token = ""};

    snprintf(game.id, sizeof(game.id), "%s", text_of(answer, "id"));
    return game;
}

/* The rematch that a player asks for. */
static struct game asked(const char *token, const struct match *match)
{
    struct answer answer = ask_rematch(token, match);

    assert_status(&answer, 201);
    cr_assert_str_eq(text_of(&answer, "status"), "open");
    return game_of(&answer);
}

static bool names(const struct player *of, const char *list, const struct game *game)
{
    struct answer answer = ask_as(&house, of->token, "GET", list, NULL);

    assert_status(&answer, 200);
    return strstr(answer.reply.body, game->id) != NULL;
}

static void await_member(const struct game *game, const char *path, const char *value)
{
    struct answer answer = at(ada.token, "GET", NULL, game, "");

    for (int looks = 0; !has(&answer, path) || strcmp(text_of(&answer, path), value) != 0;
         looks++) {
        back_off(looks);
        answer = at(ada.token, "GET", NULL, game, "");
    }
}

/* The old game names the next one, by one event, which is the deed of a seat. */
static void assert_follows(const struct match *match, const struct game *next, int seat)
{
    struct answer events;

    await_member(&match->one, "next", next->id);
    events = at(ada.token, "GET", NULL, &match->one, "/events?type=rematch");
    cr_assert_eq(cJSON_GetArraySize(member(&events, "items")), 1);
    cr_assert_str_eq(text_of(&events, "items.0.data.game"), next->id);
    cr_assert_eq(number_of(&events, "items.0.seat"), seat);
}

/* ---- asking ---- */

Test(asked_rematch, the_next_game_keeps_the_other_ones_seat_and_the_old_one_learns_nothing)
{
    struct match match = finished(&ada, &mia, ",\"visibility\":\"public\"");
    struct answer before = at(ada.token, "GET", NULL, &match.one, ""), after, next;
    struct game game;

    next = ask_rematch(ada.token, &match);
    assert_status(&next, 201);
    cr_assert_str_eq(text_of(&next, "status"), "open");
    cr_assert_str_eq(text_of(&next, "seats.0.state"), "challenged");
    cr_assert_str_eq(text_of(&next, "seats.0.player"), mia.id);
    cr_assert_str_eq(text_of(&next, "seats.1.player"), ada.id);
    cr_assert_eq(number_of(&next, "you.seats.0"), 2);
    cr_assert(has(&next, "seats.0.invitation_expires_at"));
    game = game_of(&next);
    after = at(ada.token, "GET", NULL, &match.one, "");
    cr_assert_str_eq(after.reply.body, before.reply.body);
    cr_assert(names(&mia, "/v1/me/challenges", &game));
    cr_assert(names(&mia, "/v1/me/events?after=0", &game));
    cr_assert(names(&ada, "/v1/me/challenges", &game));
    after = at(ada.token, "GET", NULL, &game, "/events");
    cr_assert_str_eq(text_of(&after, "items.0.data.rematch_of"), match.one.id);
}

Test(asked_rematch, to_strangers_neither_is_there_until_it_is_accepted)
{
    struct match match = finished(&ada, &mia, ",\"visibility\":\"public\"");
    struct game game = asked(ada.token, &match);
    struct answer seen = at(eve.token, "GET", NULL, &game, "");

    assert_problem(&seen, 404, "no-such-game");
    seen = at(NULL, "GET", NULL, &game, "/events");
    assert_problem(&seen, 404, "no-such-game");
    seen = at(NULL, "GET", NULL, &match.one, "/events");
    cr_assert_null(strstr(seen.reply.body, game.id), "%s", seen.reply.body);
    seen = ask_rematch(eve.token, &match);
    assert_problem(&seen, 403, "not-your-seat");
    at(mia.token, "POST", "{}", &game, "/join");
    seen = at(eve.token, "GET", NULL, &game, "");
    assert_status(&seen, 200);
}

Test(asked_rematch, the_token_of_a_seat_asks_as_the_player_of_the_seat)
{
    struct match match = finished(&ada, &mia, "");
    struct answer next = ask_rematch(match.two.token, &match);

    assert_status(&next, 201);
    cr_assert_str_eq(text_of(&next, "token"), match.two.token);
    cr_assert_str_eq(text_of(&next, "seats.0.player"), mia.id);
    cr_assert_str_eq(text_of(&next, "seats.1.player"), ada.id);
    cr_assert_str_eq(text_of(&next, "seats.1.state"), "challenged");
}

Test(asked_rematch, whoever_asks_again_is_answered_with_the_same_game)
{
    struct match match = finished(&ada, &mia, "");
    struct game game = asked(ada.token, &match);
    const char *const tokens[] = {ada.token, match.one.token};

    for (size_t i = 0; i < 2; i++) {
        struct answer again = ask_rematch(tokens[i], &match);

        assert_status(&again, 200);
        cr_assert_str_eq(text_of(&again, "id"), game.id);
        cr_assert_str_eq(text_of(&again, "status"), "open");
    }
}

Test(asked_rematch, the_bounds_of_challenges_hold)
{
    struct match match[4];
    struct answer refused;

    for (int i = 0; i < 4; i++)
        match[i] = finished(&ada, &mia, "");
    for (int i = 0; i < 3; i++)
        asked(ada.token, &match[i]);
    refused = ask_rematch(match[3].one.token, &match[3]);
    assert_problem(&refused, 409, "too-many-challenges");
    asked(mia.token, &match[3]);
}

Test(asked_rematch, where_not_both_seats_are_of_different_players_it_begins_at_once)
{
    struct player nobody = {.token = ""};
    struct match half = finished(&ada, &nobody, ""), none = finished(&nobody, &nobody, "");
    struct game alone = new_game_of(&house, ada.token, "{\"variant\":\"tictactoe\"}");
    struct answer next = ask_rematch(ada.token, &half);

    assert_status(&next, 201);
    cr_assert_str_eq(text_of(&next, "status"), "active");
    next = ask_rematch(none.two.token, &none);
    assert_status(&next, 201);
    cr_assert_str_eq(text_of(&next, "status"), "active");
    at(ada.token, "POST", "{}", &alone, "/resign");
    next = at(ada.token, "POST", "{}", &alone, "/rematch");
    assert_status(&next, 201);
    cr_assert_str_eq(text_of(&next, "status"), "active");
}

Test(asked_rematch, whoever_has_left_is_asked_nothing_and_their_seat_is_open)
{
    struct match match = finished(&ada, &mia, "");
    struct answer next = ask_as(&house, mia.token, "DELETE", "/v1/me", NULL);

    assert_status(&next, 204);
    next = at(ada.token, "GET", NULL, &match.one, "");
    for (int looks = 0; has(&next, "seats.1.player"); looks++) {
        back_off(looks);
        next = at(ada.token, "GET", NULL, &match.one, "");
    }
    next = ask_rematch(ada.token, &match);
    assert_status(&next, 201);
    cr_assert_str_eq(text_of(&next, "seats.0.state"), "open");
}

/* ---- accepting ---- */

Test(asked_rematch, whoever_is_asked_accepts_by_joining_and_the_old_game_names_the_next)
{
    struct match match = finished(&ada, &mia, "");
    struct game game = asked(ada.token, &match);
    struct answer joined = at(mia.token, "POST", "{}", &game, "/join");

    assert_status(&joined, 200);
    cr_assert_str_eq(text_of(&joined, "status"), "active");
    cr_assert_str_eq(text_of(&joined, "seats.0.name"), "Mia");
    assert_follows(&match, &game, 2);
}

Test(asked_rematch, the_old_token_of_whoever_joins_plays_the_next_game)
{
    struct match match = finished(&ada, &mia, "");
    struct game game = asked(ada.token, &match);
    struct answer joined = at(mia.token, "POST", "{}", &game, "/join");

    assert_status(&joined, 200);
    cr_assert_str_eq(text_of(&joined, "token"), "");
    memcpy(game.token, match.two.token, sizeof(game.token));
    play(&house, &game, "b2");
    memcpy(game.token, match.one.token, sizeof(game.token));
    play(&house, &game, "a1");
}

Test(asked_rematch, a_token_that_has_ended_since_does_not_come_along)
{
    struct match match = finished(&ada, &mia, "");
    struct game game = asked(ada.token, &match);
    char token[64], headers[256], path[96];
    struct answer answer;

    snprintf(headers, sizeof(headers),
             "Authorization: Bearer %s\r\nIdempotency-Key: another token of Mia\r\n",
             match.two.token);
    snprintf(path, sizeof(path), "/v1/games/%s/token", match.two.id);
    answer = ask(&house, "POST", path, headers, "");
    assert_status(&answer, 200);
    snprintf(token, sizeof(token), "%s", text_of(&answer, "token"));
    at(mia.token, "POST", "{}", &game, "/join");
    answer = at(match.two.token, "POST", "b2", &game, "/moves");
    assert_problem(&answer, 401, "token-unknown");
    answer = at(token, "POST", "b2", &game, "/moves");
    assert_status(&answer, 201);
}

Test(asked_rematch, whoever_is_asked_accepts_by_asking_for_one_too)
{
    struct match match = finished(&ada, &mia, "");
    struct game game = asked(mia.token, &match);
    struct answer answer = ask_rematch(ada.token, &match), old;

    assert_status(&answer, 200);
    cr_assert_str_eq(text_of(&answer, "id"), game.id);
    cr_assert_str_eq(text_of(&answer, "status"), "active");
    cr_assert_eq(number_of(&answer, "you.seats.0"), 2);
    old = at(NULL, "GET", NULL, &match.one, "");
    cr_assert_str_eq(text_of(&old, "next"), game.id);
    assert_follows(&match, &game, 1);
    answer = ask_rematch(mia.token, &match);
    assert_status(&answer, 200);
    cr_assert_str_eq(text_of(&answer, "id"), game.id);
}

Test(asked_rematch, the_old_token_alone_accepts_and_plays_the_next_game)
{
    struct match match = finished(&ada, &mia, ",\"visibility\":\"private\"");
    struct game game = asked(ada.token, &match);
    struct answer answer = ask_rematch(match.two.token, &match);

    assert_status(&answer, 200);
    cr_assert_str_eq(text_of(&answer, "token"), match.two.token);
    cr_assert_str_eq(text_of(&answer, "status"), "active");
    cr_assert_str_eq(text_of(&answer, "seats.0.player"), mia.id);
    cr_assert_str_eq(text_of(&answer, "seats.0.name"), "Mia");
    memcpy(game.token, match.two.token, sizeof(game.token));
    play(&house, &game, "b2");
    assert_follows(&match, &game, 2);
}

Test(asked_rematch, it_is_accepted_also_if_the_end_was_taken_back)
{
    struct match match = finished(&ada, &mia, ",\"undo\":\"free\"");
    struct game game = asked(ada.token, &match);
    struct answer answer = at(ada.token, "POST", "{}", &match.one, "/undo");

    assert_status(&answer, 200);
    answer = ask_rematch(mia.token, &match);
    assert_problem(&answer, 409, "game-not-over");
    at(mia.token, "POST", "{}", &game, "/join");
    assert_follows(&match, &game, 2);
}

/* Each at a daemon of its own: one has asked, and the other one accepts. */
Test(asked_rematch, when_both_ask_at_the_same_moment_there_is_one_game_which_runs)
{
    house_open_second(&house);
    for (int round = 0; round < 10; round++) {
        struct match match = finished(&ada, &mia, "");
        struct racer racers[2];
        struct game game = {.token = ""};
        struct answer answer;
        int made = 0;

        for (int i = 0; i < 2; i++) {
            racers[i] = (struct racer){.port = i == 0 ? house.plyd.port : house.second.port,
                                       .method = "POST"};
            snprintf(racers[i].path, sizeof(racers[i].path), "/v1/games/%s/rematch", match.one.id);
            snprintf(racers[i].headers, sizeof(racers[i].headers), "Authorization: Bearer %s\r\n",
                     i == 0 ? ada.token : mia.token);
        }
        race(racers, 2);
        for (int i = 0; i < 2; i++) {
            answer = answer_of(&house, "POST", racers[i].path, racers[i].reply);
            cr_assert(answer.status == 200 || answer.status == 201, "%s", answer.reply.body);
            made += answer.status == 201;
            cr_assert(i == 0 || strcmp(game.id, text_of(&answer, "id")) == 0);
            game = game_of(&answer);
        }
        cr_assert_eq(made, 1);
        await_member(&game, "status", "active");
        await_member(&match.one, "next", game.id);
        answer = at(NULL, "GET", NULL, &match.one, "/events?type=rematch");
        cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 1);
    }
}

/* ---- when it comes to nothing ---- */

Test(asked_rematch, after_one_that_was_declined_a_further_one_is_made)
{
    struct match match = finished(&ada, &mia, "");
    struct game first = asked(ada.token, &match), second;
    struct answer answer = at(mia.token, "POST", "{\"text\":\"Later.\"}", &first, "/decline");

    assert_status(&answer, 200);
    second = asked(ada.token, &match);
    cr_assert_str_neq(second.id, first.id);
    answer = ask_rematch(mia.token, &match);
    assert_status(&answer, 200);
    cr_assert_str_eq(text_of(&answer, "status"), "active");
    assert_follows(&match, &second, 2);
}

Test(asked_rematch, after_one_that_was_withdrawn_the_other_one_may_ask)
{
    struct match match = finished(&ada, &mia, "");
    struct game first = asked(ada.token, &match), second;
    struct answer answer = at(ada.token, "POST", "{}", &first, "/abort");

    assert_status(&answer, 200);
    second = asked(mia.token, &match);
    cr_assert_str_neq(second.id, first.id);
    at(ada.token, "POST", "{}", &second, "/join");
    assert_follows(&match, &second, 1);
}

Test(asked_rematch, after_one_that_has_run_out_a_further_one_is_made)
{
    struct match match = finished(&ada, &mia, "");
    struct game first = asked(ada.token, &match), second,
                clocked = new_game(&house, "{\"variant\":\"jungle\",\"clock\":{\"kind\":\"days\","
                                           "\"days\":9}}");
    char path[64];

    snprintf(path, sizeof(path), "/v1/games/%s", clocked.id);
    hours_pass(house.database, INT64_C(7) * 24 * 3601 * 1000000, false);
    hours_seen(house.database, house.plyd.port, path);
    await_member(&first, "status", "aborted");
    second = asked(ada.token, &match);
    cr_assert_str_neq(second.id, first.id);
}

Test(asked_rematch, a_game_has_eight_that_were_called_off_at_most)
{
    struct match match = finished(&ada, &mia, "");
    struct answer refused;

    for (int i = 0; i < 8; i++) {
        struct game game = asked(ada.token, &match);

        at(mia.token, "POST", "{}", &game, "/decline");
    }
    refused = ask_rematch(ada.token, &match);
    assert_problem(&refused, 409, "too-many-challenges");
}

/* ---- repeated and cut short ---- */

static struct answer with_key(const char *token, const struct match *match, const char *deed,
                              const char *key)
{
    char headers[256], path[96];

    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\nIdempotency-Key: %s\r\n", token,
             key);
    snprintf(path, sizeof(path), "/v1/games/%s/%s", match->one.id, deed);
    return ask(&house, "POST", path, headers, "");
}

static void assert_replayed(const struct answer *answer, int status, const char *id)
{
    char value[256];

    assert_status(answer, status);
    cr_assert_str_eq(text_of(answer, "id"), id);
    cr_assert_str_eq(http_header(&answer->reply, "Idempotent-Replayed", value), "true");
}

Test(asked_rematch, the_same_request_again_asks_once_whatever_has_become_of_it)
{
    struct match match = finished(&ada, &mia, "");
    struct answer first = with_key(ada.token, &match, "rematch", "again"), answer;
    struct game game;

    assert_status(&first, 201);
    game = game_of(&first);
    answer = with_key(ada.token, &match, "rematch", "again");
    assert_replayed(&answer, 201, game.id);
    cr_assert_str_eq(answer.reply.body, first.reply.body);
    at(mia.token, "POST", "{}", &game, "/decline");
    answer = with_key(ada.token, &match, "rematch", "again");
    assert_replayed(&answer, 201, game.id);
    cr_assert_str_eq(text_of(&answer, "status"), "aborted");
    first = with_key(ada.token, &match, "rematch", "once more");
    assert_status(&first, 201);
    game = game_of(&first);
    at(mia.token, "POST", "{}", &game, "/join");
    assert_follows(&match, &game, 2);
    answer = with_key(ada.token, &match, "rematch", "once more");
    assert_replayed(&answer, 201, game.id);
    cr_assert_str_eq(text_of(&answer, "status"), "active");
}

Test(asked_rematch, the_same_acceptance_again_is_told_again)
{
    struct match match = finished(&ada, &mia, "");
    struct game game = asked(ada.token, &match);
    struct answer first = with_key(mia.token, &match, "rematch", "yes"), again;

    assert_status(&first, 200);
    again = with_key(mia.token, &match, "rematch", "yes");
    assert_status(&again, 200);
    cr_assert_str_eq(again.reply.body, first.reply.body);
    assert_follows(&match, &game, 2);
}

/* As if the daemon had died between the two writes; `again`: and what it has promised is due yet.
 */
static void forget_next(const struct match *match, const struct game *game, bool again)
{
    char text[300];

    assert_follows(match, game, 2);
    snprintf(text, sizeof(text), "select not exists (select from due where kind = %d)",
             DUE_REMATCH);
    await_query(house.database, text);
    house_sql(&house, "update games set next_game = null, version = version - 1"
                      " where next_game is not null");
    snprintf(text, sizeof(text), "delete from events where kind = %d", EVENT_REMATCH);
    house_sql(&house, text);
    if (!again)
        return;
    snprintf(text, sizeof(text),
             "insert into due (id, kind, at, leased_until)"
             " select game_id, %d, to_timestamp(0), to_timestamp(0) from events"
             " where kind = %d and version = 3",
             DUE_REMATCH, EVENT_JOINED);
    house_sql(&house, text);
}

static struct answer ask_elsewhere(const char *token, const struct match *match)
{
    house_open_second(&house);
    house.plyd.port = house.second.port;
    return ask_rematch(token, match);
}

Test(asked_rematch, one_that_was_accepted_and_that_the_old_game_does_not_know_of_is_found_by_either)
{
    struct match match = finished(&ada, &mia, "");
    struct game game = asked(ada.token, &match);
    int port = house.plyd.port;
    struct answer answer;

    at(mia.token, "POST", "{}", &game, "/join");
    forget_next(&match, &game, false);
    answer = ask_elsewhere(ada.token, &match);
    assert_status(&answer, 200);
    cr_assert_str_eq(text_of(&answer, "id"), game.id);
    assert_follows(&match, &game, 2);
    house.plyd.port = port;
}

Test(asked_rematch, what_a_daemon_that_dies_has_promised_another_one_does)
{
    struct match match = finished(&ada, &mia, "");
    struct game game = asked(ada.token, &match);

    at(mia.token, "POST", "{}", &game, "/join");
    forget_next(&match, &game, true);
    plyd_kill9(&house.plyd);
    house_open_second(&house);
    house.plyd = house.second;
    house.second = (struct plyd){.port = 0};
    assert_follows(&match, &game, 2);
}

/* ---- blocked ---- */

static void block(const struct player *by, const struct player *of)
{
    struct answer answer = ask_at(&house, by->token, "PUT", NULL, "/v1/me/blocks/%s", of->id);

    assert_status(&answer, 204);
}

/* All that the asker is shown, with what differs from game to game made the same. */
static char *shown_to_asker(const struct player *asker, const struct match *match)
{
    static const char *const lists[] = {"/v1/me/challenges", "/v1/me/games?status=open",
                                        "/v1/me/games?status=finished"};
    char *all = NULL, value[256];
    size_t size;
    FILE *out = open_memstream(&all, &size);
    struct answer first = ask_rematch(asker->token, match), answer;
    struct game game = game_of(&first);

    for (int i = 0; i < 7; i++) {
        if (i == 0)
            answer = first;
        else if (i == 1)
            answer = ask_rematch(asker->token, match);
        else if (i == 2)
            answer = at(asker->token, "GET", NULL, &match->one, "");
        else if (i == 3)
            answer = at(asker->token, "GET", NULL, &match->one, "/events");
        else if (i == 4)
            answer = at(asker->token, "GET", NULL, &game, "");
        else if (i == 5)
            answer = at(asker->token, "GET", NULL, &game, "/events");
        else
            answer = ask_as(&house, asker->token, "GET", "/v1/me", NULL);
        fprintf(out, "%d %s %s\n", answer.status,
                i == 6 || http_header(&answer.reply, "ETag", value) == NULL ? "" : value,
                answer.reply.body);
    }
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        answer = ask_as(&house, asker->token, "GET", lists[i], NULL);
        fprintf(out, "%d %s\n", answer.status, answer.reply.body);
    }
    fclose(out);
    mask_text(all);
    return all;
}

Test(asked_rematch, to_who_is_blocked_nothing_differs)
{
    struct player ann = new_player(&house, "Ada"), moe = new_player(&house, "Mia");
    struct match unheard = finished(&ada, &mia, ""), heard = finished(&ann, &moe, "");
    char *one, *other;

    block(&mia, &ada);
    one = shown_to_asker(&ada, &unheard);
    other = shown_to_asker(&ann, &heard);
    for (size_t i = 0; i == 0 || one[i - 1] != '\0'; i++)
        cr_assert_eq(one[i], other[i], "%.200s, and %.200s", one + i, other + i);
    free(one);
    free(other);
}

Test(asked_rematch, whoever_has_blocked_them_hears_of_it_nowhere)
{
    static const char *const places[] = {"/v1/me/challenges", "/v1/me/games",
                                         "/v1/me/events?after=0&limit=200", "/v1/me/games.atom"};
    struct match match = finished(&ada, &mia, "");
    struct answer old[2];
    struct game game;
    struct stream stream, own;
    struct stream_message message;
    struct http_reply head;
    char headers[256], path[96];

    block(&mia, &ada);
    snprintf(headers, sizeof(headers), "Accept: text/event-stream\r\nAuthorization: Bearer %s\r\n",
             mia.token);
    old[0] = at(mia.token, "GET", NULL, &match.one, "");
    snprintf(path, sizeof(path), "/v1/games/%s/events?after=%d", match.one.id,
             number_of(&old[0], "version"));
    stream_open(&stream, house.plyd.port, path, headers, &head);
    stream_open(&own, house.plyd.port, "/v1/me/events", headers, &head);
    game = asked(ada.token, &match);
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
        cr_assert_not(names(&mia, places[i], &game), "%s", places[i]);
    old[1] = at(mia.token, "GET", NULL, &match.one, "");
    cr_assert_str_eq(old[1].reply.body, old[0].reply.body);
    at(mia.token, "POST", "{\"text\":\"Bye!\"}", &match.one, "/messages");
    cr_assert(stream_message(&stream, &message));
    cr_assert_not_null(strstr(message.data, "Bye!"), "%s", message.data);
    cr_assert(stream_message(&own, &message));
    cr_assert_not_null(strstr(message.data, "Bye!"), "%s", message.data);
    stream_close(&stream);
    stream_close(&own);
}

Test(asked_rematch, whoever_has_blocked_them_and_asks_for_one_too_plays_it)
{
    struct match match = finished(&ada, &mia, "");
    struct game game;
    struct answer answer;

    block(&mia, &ada);
    game = asked(ada.token, &match);
    answer = ask_rematch(mia.token, &match);
    assert_status(&answer, 200);
    cr_assert_str_eq(text_of(&answer, "id"), game.id);
    cr_assert(names(&mia, "/v1/me/games", &game));
    assert_follows(&match, &game, 2);
}
