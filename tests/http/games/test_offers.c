/* test_offers.c - what one side offers the other: made, answered, void, and told again. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/http/house.h"
#include "tests/http/race.h"

HOUSE_SUITE(offers, house_share, HOUSE_PATIENCE_S);

/* ---- games of two people ---- */

/* A game of two people: token[1] and token[2] play the seats. */
struct two {
    char id[32];
    char token[3][64];
};

static struct two new_two(const char *more)
{
    char body[512];
    struct answer answer;
    struct game game;
    struct two two;

    snprintf(body, sizeof(body),
             "{\"variant\":\"tictactoe\",\"options\":{\"rows\":9,\"cols\":9,\"k\":5},"
             "\"seats\":[{\"me\":true},{\"open\":true}]%s}",
             more);
    game = new_game(&house, body);
    answer = ask_at(&house, NULL, "POST", "{}", "/v1/games/%s/join", game.id);
    assert_status(&answer, 200);
    snprintf(two.id, sizeof(two.id), "%s", game.id);
    snprintf(two.token[1], sizeof(two.token[1]), "%s", game.token);
    snprintf(two.token[2], sizeof(two.token[2]), "%s", text_of(&answer, "token"));
    return two;
}

static struct answer ask_of(const struct two *two, int seat, const char *method, const char *path,
                            const char *body)
{
    return ask_at(&house, two->token[seat], method, body, "/v1/games/%s%s", two->id, path);
}

static void expect(struct answer answer, int status, const char *code)
{
    if (code == NULL)
        assert_status(&answer, status);
    else
        assert_problem(&answer, status, code);
}

static void move(const struct two *two, int seat, const char *text)
{
    expect(ask_of(two, seat, "POST", "/moves", text), 201, NULL);
}

/* Makes an offer and returns its id. */
static int offer(const struct two *two, int seat, const char *body)
{
    struct answer answer = ask_of(two, seat, "POST", "/offers", body);
    int id;

    assert_status(&answer, 201);
    id = number_of(&answer, "offer.id");
    cr_assert_eq(id, number_of(&answer, "game.version"));
    return id;
}

static struct answer answer_offer(const struct two *two, int seat, int id, const char *deed)
{
    return ask_at(&house, two->token[seat], "POST", NULL, "/v1/games/%s/offers/%d/%s", two->id, id,
                  deed);
}

static struct answer withdraw(const struct two *two, int seat, int id)
{
    return ask_at(&house, two->token[seat], "DELETE", NULL, "/v1/games/%s/offers/%d", two->id, id);
}

static struct answer look(const struct two *two, int seat)
{
    return ask_at(&house, seat == 0 ? NULL : two->token[seat], "GET", NULL, "/v1/games/%s",
                  two->id);
}

static int open_offers(const struct two *two)
{
    struct answer answer = look(two, 0);

    return cJSON_GetArraySize(member(&answer, "offers"));
}

/* The texts of a list, each with a blank behind it. */
static const char *texts(const struct answer *answer, const char *path)
{
    static char text[512];
    const cJSON *item;

    *text = '\0';
    cJSON_ArrayForEach(item, member(answer, path))
    {
        strcat(text, item->valuestring);
        strcat(text, " ");
    }
    return text;
}

/* ---- how many ---- */

static void offer_and_withdraw(const struct two *two, int seat, int times)
{
    for (int i = 0; i < times; i++)
        expect(withdraw(two, seat, offer(two, seat, "{\"kind\":\"draw\"}")), 200, NULL);
}

Test(offers, at_one_ply_a_seat_makes_16_of_them)
{
    struct two two = new_two(",\"undo\":\"consent\"");

    move(&two, 1, "a1");
    move(&two, 2, "b1");
    offer_and_withdraw(&two, 1, 16);
    expect(ask_of(&two, 1, "POST", "/offers", "{\"kind\":\"draw\"}"), 409, "too-many-offers");
    expect(ask_of(&two, 1, "POST", "/undo", NULL), 409, "too-many-offers");
    offer_and_withdraw(&two, 2, 16);
    expect(ask_of(&two, 2, "POST", "/offers", "{\"kind\":\"abort\"}"), 409, "too-many-offers");
    move(&two, 1, "a2");
    offer_and_withdraw(&two, 1, 1);
}

Test(offers, the_last_that_a_seat_may_make_at_a_ply_is_told_again_and_answered)
{
    struct two two = new_two("");
    int id;

    offer_and_withdraw(&two, 1, 15);
    id = offer(&two, 1, "{\"kind\":\"draw\"}");
    expect(ask_of(&two, 1, "POST", "/offers", "{\"kind\":\"draw\"}"), 200, NULL);
    expect(answer_offer(&two, 2, id, "accept"), 200, NULL);
}

/* ---- draws ---- */

Test(offers, a_draw_that_is_accepted_ends_the_game_for_both)
{
    struct two two = new_two("");
    int id = offer(&two, 1, "{\"kind\":\"draw\"}");
    struct answer answer = answer_offer(&two, 2, id, "accept");

    assert_status(&answer, 200);
    cr_assert_str_eq(text_of(&answer, "status"), "finished");
    cr_assert_str_eq(text_of(&answer, "outcome.reason"), "agreement");
    cr_assert_not(has(&answer, "outcome.winner"));
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "offers")), 0);
    cr_assert_eq(number_of(&answer, "version"), id + 1, "one event");
}

Test(offers, each_side_sees_what_it_may_do_with_an_offer)
{
    struct two two = new_two("");
    struct answer answer;

    offer(&two, 1, "draw");
    answer = look(&two, 1);
    cr_assert_str_eq(text_of(&answer, "offers.0.kind"), "draw");
    cr_assert_eq(number_of(&answer, "offers.0.seat"), 1);
    cr_assert_str_eq(texts(&answer, "offers.0.may"), "withdraw ");
    answer = look(&two, 2);
    cr_assert_str_eq(texts(&answer, "offers.0.may"), "accept decline ");
    answer = look(&two, 0);
    cr_assert_not(has(&answer, "offers.0.may"));
}

Test(offers, one_that_is_declined_or_withdrawn_is_gone_and_the_game_goes_on)
{
    struct two two = new_two("");
    struct answer answer;

    answer = answer_offer(&two, 2, offer(&two, 1, "draw"), "decline");
    assert_status(&answer, 200);
    cr_assert_str_eq(text_of(&answer, "status"), "active");
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "offers")), 0);
    answer = withdraw(&two, 1, offer(&two, 1, "draw"));
    assert_status(&answer, 200);
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "offers")), 0);
}

Test(offers, the_other_side_answers_and_only_the_own_side_withdraws)
{
    struct two two = new_two("");
    int id = offer(&two, 1, "draw");

    expect(answer_offer(&two, 1, id, "accept"), 403, "not-your-seat");
    expect(answer_offer(&two, 1, id, "decline"), 403, "not-your-seat");
    expect(withdraw(&two, 2, id), 403, "not-your-seat");
    cr_assert_eq(open_offers(&two), 1);
}

Test(offers, two_opposite_draws_are_an_agreement)
{
    struct two two = new_two("");
    struct answer answer;

    offer(&two, 1, "draw");
    answer = ask_of(&two, 2, "POST", "/offers", "draw");
    assert_status(&answer, 201);
    cr_assert_eq(number_of(&answer, "offer.seat"), 2);
    cr_assert_str_eq(text_of(&answer, "game.outcome.reason"), "agreement");
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "game.offers")), 0);
}

Test(offers, one_that_was_withdrawn_at_another_daemon_does_not_stand)
{
    struct two two = new_two("");
    char path[96], headers[96];
    struct http_reply reply;

    move(&two, 1, "a1");
    snprintf(path, sizeof(path), "/v1/games/%s/offers/%d", two.id,
             offer(&two, 1, "{\"kind\":\"draw\"}"));
    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\n", two.token[1]);
    http_request(house.second.port, &reply, "DELETE", path, headers, NULL);
    cr_assert_eq(reply.status, 200, "%s", reply.body);
    http_free(&reply);
    offer(&two, 1, "{\"kind\":\"draw\"}");
}

Test(offers, the_same_again_is_the_one_there_is_and_another_one_replaces_it)
{
    struct two two = new_two("");
    struct answer answer;
    int id, next;

    move(&two, 1, "a1");
    move(&two, 2, "a2");
    move(&two, 1, "b1");
    id = offer(&two, 1, "{\"kind\":\"undo\",\"to_ply\":2}");
    answer = ask_of(&two, 1, "POST", "/offers", "{\"kind\":\"undo\"}");
    assert_status(&answer, 200);
    cr_assert_eq(number_of(&answer, "offer.id"), id);
    next = offer(&two, 1, "{\"kind\":\"undo\",\"to_ply\":0}");
    cr_assert_eq(open_offers(&two), 1);
    answer = answer_offer(&two, 2, id, "accept");
    assert_problem(&answer, 409, "offer-void");
    cr_assert_eq(number_of(&answer, "ended_by.version"), next);
    cr_assert_str_eq(text_of(&answer, "ended_by.type"), "offered");
}

/* ---- void ---- */

Test(offers, a_move_of_the_other_side_declines_a_draw_and_ones_own_does_not)
{
    struct two two = new_two("");
    struct answer answer;
    int id = offer(&two, 1, "draw");

    move(&two, 1, "a1");
    cr_assert_eq(open_offers(&two), 1);
    move(&two, 2, "a2");
    cr_assert_eq(open_offers(&two), 0);
    answer = answer_offer(&two, 2, id, "accept");
    assert_problem(&answer, 409, "offer-void");
    cr_assert_eq(number_of(&answer, "ended_by.version"), id + 2);
    cr_assert_str_eq(text_of(&answer, "ended_by.type"), "move");
    answer = ask_of(&two, 1, "GET", "/events?after=4", NULL);
    cr_assert_eq(number_of(&answer, "items.0.data.voids.0"), id);
}

Test(offers, whatever_ended_an_offer_is_named_when_it_is_used_later)
{
    static const char *const ends[][2] = {
        {"accept", "accepted"}, {"decline", "declined"}, {NULL, "withdrawn"}, {"", "resigned"}};

    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        struct two two = new_two("");
        int id = offer(&two, 1, "draw");
        struct answer answer;

        expect(ends[i][0] == NULL    ? withdraw(&two, 1, id)
               : *ends[i][0] == '\0' ? ask_of(&two, 1, "POST", "/resign", "{}")
                                     : answer_offer(&two, 2, id, ends[i][0]),
               200, NULL);
        answer = answer_offer(&two, 2, id, "decline");
        assert_problem(&answer, 409, "offer-void");
        cr_assert_eq(number_of(&answer, "ended_by.version"), id + 1);
        cr_assert_str_eq(text_of(&answer, "ended_by.type"), ends[i][1]);
        if (ends[i][0] != NULL)
            expect(withdraw(&two, 1, id), 409, "offer-void");
    }
}

Test(offers, whoever_has_withdrawn_an_offer_may_do_so_again_and_nobody_else)
{
    struct two two = new_two("");
    int id = offer(&two, 1, "draw");
    struct answer answer;

    expect(withdraw(&two, 1, id), 200, NULL);
    move(&two, 1, "a1");
    answer = withdraw(&two, 1, id);
    assert_status(&answer, 200);
    cr_assert_eq(number_of(&answer, "version"), id + 2);
    cr_assert_eq(number_of(&answer, "ply"), 1);
    expect(withdraw(&two, 2, id), 409, "offer-void");
}

Test(offers, what_never_was_an_offer_is_not_found)
{
    struct two two = new_two("");
    static const char *const paths[] = {"/offers/0/accept",
                                        "/offers/1/accept",
                                        "/offers/2/decline",
                                        "/offers/999999/accept",
                                        "/offers/x/accept",
                                        "/offers/-1/accept",
                                        "/offers/99999999999999999999/accept"};

    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
        expect(ask_of(&two, 1, "POST", paths[i], NULL), 404, "no-such-offer");
    expect(ask_of(&two, 1, "DELETE", "/offers/1", NULL), 404, "no-such-offer");
}

/* ---- undo ---- */

Test(offers, undo_with_consent_asks_the_other_player_first)
{
    struct two two = new_two("");
    struct answer answer;
    int id;

    move(&two, 1, "a1");
    move(&two, 2, "a2");
    move(&two, 1, "b1");
    answer = ask_of(&two, 1, "POST", "/undo", "{}");
    assert_status(&answer, 202);
    id = number_of(&answer, "offer.id");
    cr_assert_str_eq(text_of(&answer, "offer.kind"), "undo");
    cr_assert_eq(number_of(&answer, "offer.to_ply"), 2);
    cr_assert_eq(number_of(&answer, "game.ply"), 3);
    answer = answer_offer(&two, 2, id, "accept");
    assert_status(&answer, 200);
    cr_assert_eq(number_of(&answer, "ply"), 2);
    cr_assert_eq(number_of(&answer, "version"), id + 2, "accepted, and undone");
    answer = ask_of(&two, 1, "GET", "/events?after=6", NULL);
    cr_assert_str_eq(text_of(&answer, "items.0.type"), "accepted");
    cr_assert_eq(number_of(&answer, "items.0.data.offer"), id);
    cr_assert_eq(number_of(&answer, "items.0.ply"), 3);
    cr_assert_str_eq(text_of(&answer, "items.1.type"), "undo");
    cr_assert_eq(number_of(&answer, "items.1.ply"), 2);
    expect(ask_of(&two, 1, "POST", "/redo", "{}"), 403, "undo-needs-consent");
    move(&two, 1, "c3");
}

Test(offers, an_undo_that_is_offered_is_void_once_anybody_moves)
{
    struct two two = new_two("");
    int id;

    move(&two, 1, "a1");
    move(&two, 2, "a2");
    id = offer(&two, 2, "undo");
    move(&two, 1, "b1");
    expect(answer_offer(&two, 1, id, "accept"), 409, "offer-void");
    id = offer(&two, 1, "undo");
    move(&two, 2, "b2");
    expect(answer_offer(&two, 2, id, "accept"), 409, "offer-void");
}

Test(offers, a_resignation_is_taken_back_if_both_agree)
{
    struct two two = new_two("");
    struct answer answer;

    move(&two, 1, "a1");
    expect(ask_of(&two, 2, "POST", "/resign", "{}"), 200, NULL);
    answer = ask_of(&two, 2, "POST", "/undo", "{}");
    assert_status(&answer, 202);
    cr_assert_eq(number_of(&answer, "offer.to_ply"), 1);
    expect(answer_offer(&two, 1, number_of(&answer, "offer.id"), "accept"), 200, NULL);
    move(&two, 2, "a2");
}

Test(offers, an_undo_is_not_offered_where_there_is_none)
{
    struct two two = new_two("");
    struct two never = new_two(",\"undo\":\"never\"");

    expect(ask_of(&two, 1, "POST", "/offers", "undo"), 409, "nothing-to-undo");
    move(&two, 1, "a1");
    expect(ask_of(&two, 1, "POST", "/offers", "{\"kind\":\"undo\",\"to_ply\":1}"), 409,
           "nothing-to-undo");
    expect(ask_of(&two, 1, "POST", "/offers", "{\"kind\":\"undo\",\"to_ply\":2}"), 422,
           "cannot-undo-that-far");
    move(&never, 1, "a1");
    expect(ask_of(&never, 1, "POST", "/offers", "undo"), 403, "undo-never");
    expect(ask_of(&never, 1, "POST", "/undo", "{}"), 403, "undo-never");
}

/* ---- calling off ---- */

Test(offers, a_game_is_called_off_at_any_time_if_both_agree)
{
    struct two two = new_two("");
    struct answer answer;

    move(&two, 1, "a1");
    move(&two, 2, "a2");
    expect(ask_of(&two, 1, "POST", "/abort", "{}"), 409, "already-moved");
    answer = answer_offer(&two, 2, offer(&two, 1, "abort"), "accept");
    assert_status(&answer, 200);
    cr_assert_str_eq(text_of(&answer, "status"), "aborted");
    cr_assert_not(has(&answer, "outcome"));
}

/* ---- with a move ---- */

Test(offers, a_draw_is_offered_with_a_move_in_the_same_write)
{
    struct two two = new_two("");
    struct answer answer =
        ask_of(&two, 1, "PUT", "/moves/1", "{\"move\":\"a1\",\"offer\":\"draw\"}");

    assert_status(&answer, 201);
    cr_assert_str_eq(text_of(&answer, "move"), "a1");
    cr_assert_eq(number_of(&answer, "game.version"), 4);
    cr_assert_eq(number_of(&answer, "game.offers.0.id"), 4);
    cr_assert_str_eq(text_of(&answer, "game.offers.0.kind"), "draw");
    answer = ask_of(&two, 2, "POST", "/moves?offer=draw", "a2");
    assert_status(&answer, 201);
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "game.offers")), 1, "theirs is declined");
    cr_assert_eq(number_of(&answer, "game.offers.0.seat"), 2);
    expect(answer_offer(&two, 1, 6, "accept"), 200, NULL);
}

Test(offers, only_a_draw_rides_on_a_move)
{
    struct two two = new_two("");

    expect(ask_of(&two, 1, "POST", "/moves", "{\"move\":\"a1\",\"offer\":\"undo\"}"), 400,
           "bad-parameter");
    expect(ask_of(&two, 1, "POST", "/moves?offer=pause", "a1"), 400, "bad-parameter");
}

Test(offers, a_move_that_ends_the_game_offers_nothing)
{
    struct two two = new_two("");
    struct answer answer;
    static const char *const moves[] = {"a1", "a9", "b1", "b9", "c1", "c9", "d1", "d9"};

    for (int i = 0; i < 8; i++)
        move(&two, i % 2 + 1, moves[i]);
    answer = ask_of(&two, 1, "POST", "/moves", "{\"move\":\"e1\",\"offer\":\"draw\"}");
    assert_status(&answer, 201);
    cr_assert_str_eq(text_of(&answer, "game.outcome.reason"), "line");
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "game.offers")), 0);
}

/* ---- who there is to ask ---- */

Test(offers, somebody_who_plays_both_seats_agrees_at_once)
{
    struct game game = new_game(&house, "{\"variant\":\"tictactoe\"}");
    struct answer answer;

    play(&house, &game, "b2 a1");
    answer = ask_at(&house, game.token, "POST", "undo", "/v1/games/%s/offers", game.id);
    assert_status(&answer, 201);
    cr_assert_eq(number_of(&answer, "game.ply"), 1);
    cr_assert_eq(number_of(&answer, "game.version"), 6, "offered, accepted, undone");
    cr_assert_not(has(&answer, "offer.may"));
    answer = ask_at(&house, game.token, "POST", "{\"move\":\"c3\",\"offer\":\"draw\"}",
                    "/v1/games/%s/moves", game.id);
    assert_status(&answer, 201);
    cr_assert_str_eq(text_of(&answer, "game.outcome.reason"), "agreement");
}

/* The token of a seat plays one, the token of the player who holds both plays both. */
Test(offers, whoever_plays_both_seats_agrees_with_an_opposite_offer)
{
    struct player player = new_player(&house, "Ada");
    struct game game = new_game_of(
        &house, player.token, "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"open\":true}]}");
    struct answer answer = ask_at(&house, player.token, "POST", "{}", "/v1/games/%s/join", game.id);
    int id;

    assert_status(&answer, 200);
    snprintf(game.token, sizeof(game.token), "%s", text_of(&answer, "token"));
    answer = ask_at(&house, game.token, "POST", "draw", "/v1/games/%s/offers", game.id);
    assert_status(&answer, 201);
    id = number_of(&answer, "offer.id");
    answer = ask_at(&house, player.token, "POST", "draw", "/v1/games/%s/offers", game.id);
    assert_status(&answer, 201);
    cr_assert_str_eq(text_of(&answer, "game.outcome.reason"), "agreement");
    answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/events", game.id);
    cr_assert_str_eq(text_of(&answer, "items.4.type"), "accepted");
    cr_assert_eq(number_of(&answer, "items.4.data.offer"), id);
    cr_assert(plyd_verified(house.database));
}

Test(offers, the_computer_is_not_asked)
{
    struct game game = new_game(
        &house, "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"engine\":\"random\"}]}");
    static const char *const kinds[] = {"draw", "undo", "abort"};
    struct answer answer;

    play(&house, &game, "g3g4");
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        answer = ask_at(&house, game.token, "POST", kinds[i], "/v1/games/%s/offers", game.id);
        assert_problem(&answer, 409, "nobody-to-ask");
        cr_assert_null(strstr(texts(&answer, "game.you.may"), "offer:"));
    }
    answer = ask_at(&house, game.token, "POST", "{\"move\":\"g4g5\",\"offer\":\"draw\"}",
                    "/v1/games/%s/moves", game.id);
    assert_problem(&answer, 409, "nobody-to-ask");
    answer = ask_at(&house, game.token, "POST", "{}", "/v1/games/%s/undo", game.id);
    assert_status(&answer, 200);
}

Test(offers, a_game_that_has_not_begun_or_is_over_takes_none)
{
    struct game open =
        new_game(&house, "{\"variant\":\"tictactoe\",\"seats\":[{\"me\":true},{\"open\":true}]}");
    struct two two = new_two("");
    struct answer answer =
        ask_at(&house, open.token, "POST", "draw", "/v1/games/%s/offers", open.id);

    assert_problem(&answer, 409, "game-not-started");
    expect(ask_of(&two, 1, "POST", "/resign", "{}"), 200, NULL);
    expect(ask_of(&two, 1, "POST", "/offers", "draw"), 409, "game-over");
    expect(ask_of(&two, 2, "POST", "/offers", "abort"), 409, "game-over");
}

Test(offers, time_and_pauses_need_a_clock)
{
    struct two two = new_two("");

    expect(ask_of(&two, 1, "POST", "/offers", "{\"kind\":\"time\",\"add\":\"1h\"}"), 409,
           "no-clock");
    expect(ask_of(&two, 1, "POST", "/offers", "{\"kind\":\"pause\",\"for\":\"1d\"}"), 409,
           "no-clock");
    expect(ask_of(&two, 1, "DELETE", "/pause", NULL), 409, "no-clock");
}

Test(offers, a_request_that_makes_no_sense_is_refused)
{
    static const struct {
        const char *body;
        int status;
        const char *code, *pointer;
    } rows[] = {{"{}", 400, "bad-parameter", "/kind"},
                {"{\"kind\":\"love\"}", 400, "bad-parameter", "/kind"},
                {"love", 400, "bad-parameter", "/kind"},
                {"{\"kind\":\"draw\",\"to_ply\":1}", 422, "unknown-field", "/to_ply"},
                {"{\"kind\":\"undo\",\"to_ply\":-1}", 400, "bad-parameter", "/to_ply"},
                {"{\"kind\":\"time\"}", 400, "bad-parameter", "/add"},
                {"{\"kind\":\"time\",\"add\":\"31d\"}", 400, "bad-parameter", "/add"},
                {"{\"kind\":\"time\",\"add\":\"1h\",\"for\":\"1h\"}", 422, "unknown-field", "/for"},
                {"{\"kind\":\"pause\"}", 400, "bad-parameter", "/for"},
                {"{\"kind\":\"pause\",\"for\":0}", 400, "bad-parameter", "/for"},
                {"{\"kind\":\"pause\",\"for\":\"366d\"}", 400, "bad-parameter", "/for"}};
    struct two two = new_two("");

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct answer answer = ask_of(&two, 1, "POST", "/offers", rows[i].body);

        assert_problem(&answer, rows[i].status, rows[i].code);
        cr_assert_str_eq(text_of(&answer, "pointer"), rows[i].pointer, "%s", rows[i].body);
    }
}

Test(offers, strangers_are_refused_and_do_not_hear_of_a_private_game)
{
    struct two two = new_two(""), hidden = new_two(",\"visibility\":\"private\"");
    int id = offer(&two, 1, "draw"), secret = offer(&hidden, 1, "draw");
    struct answer answer;

    answer = ask_at(&house, NULL, "POST", NULL, "/v1/games/%s/offers/%d/accept", two.id, id);
    assert_problem(&answer, 401, "token-missing");
    answer = ask_at(&house, two.token[2], "POST", NULL, "/v1/games/%s/offers/%d/accept", hidden.id,
                    secret);
    assert_problem(&answer, 404, "no-such-game");
    answer = ask_at(&house, NULL, "POST", "draw", "/v1/games/%s/offers", hidden.id);
    assert_problem(&answer, 404, "no-such-game");
    cr_assert_eq(open_offers(&two), 1);
}

Test(offers, if_match_guards_an_answer)
{
    struct two two = new_two("");
    int id = offer(&two, 1, "draw");
    char headers[160], path[96];
    struct answer answer;

    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\nIf-Match: \"%d\"\r\n",
             two.token[2], id - 1);
    snprintf(path, sizeof(path), "/v1/games/%s/offers/%d/accept", two.id, id);
    answer = ask(&house, "POST", path, headers, NULL);
    assert_problem(&answer, 412, "version-mismatch");
}

Test(offers, people_read_them_as_lines)
{
    struct two two = new_two("");
    char headers[128], path[64];
    struct answer answer;

    move(&two, 1, "a1");
    move(&two, 2, "a2");
    offer(&two, 1, "draw");
    offer(&two, 2, "undo");
    offer(&two, 2, "abort");
    snprintf(path, sizeof(path), "/v1/games/%s", two.id);
    snprintf(headers, sizeof(headers), "Accept: text/plain\r\n");
    answer = ask(&house, "GET", path, headers, NULL);
    assert_status(&answer, 200);
    cr_assert_not_null(strstr(answer.reply.body, "\noffer 5: x offers a draw\n"), "%s",
                       answer.reply.body);
    cr_assert_not_null(strstr(answer.reply.body, "\noffer 6: o asks to go back to ply 1\n"));
    cr_assert_not_null(strstr(answer.reply.body, "\noffer 7: o asks to call the game off\n"));
}

Test(offers, what_may_be_offered_is_foretold)
{
    struct two two = new_two("");
    struct answer answer = look(&two, 1);

    cr_assert_not_null(strstr(texts(&answer, "you.may"), " offer:draw offer:abort "));
    move(&two, 1, "a1");
    answer = look(&two, 1);
    cr_assert_not_null(strstr(texts(&answer, "you.may"), " offer:draw offer:undo offer:abort "));
}

/* ---- time ---- */

static const char fischer[] = ",\"clock\":{\"kind\":\"fischer\",\"initial\":\"10d\","
                              "\"increment\":\"1d\",\"max\":\"10d\"}";

static double seconds_of(const struct answer *answer, const char *path)
{
    return member(answer, path)->valuedouble;
}

Test(offers, more_time_is_given_to_both_sides)
{
    struct two two = new_two(fischer);
    struct answer answer;

    move(&two, 1, "a1");
    move(&two, 2, "a2");
    answer = ask_of(&two, 1, "POST", "/offers", "{\"kind\":\"time\",\"add\":\"24h\"}");
    assert_status(&answer, 201);
    cr_assert_float_eq(seconds_of(&answer, "offer.add_s"), 86400, 0.001);
    answer = answer_offer(&two, 2, 5, "accept");
    assert_status(&answer, 200);
    cr_assert_float_eq(seconds_of(&answer, "clock.left_s.1"), 11 * 86400, 60);
    cr_assert_float_eq(seconds_of(&answer, "clock.left_s.2"), 11 * 86400, 60);
    answer = ask_of(&two, 1, "GET", "/events?after=5", NULL);
    cr_assert_str_eq(text_of(&answer, "items.0.type"), "accepted");
    cr_assert_str_eq(text_of(&answer, "items.1.type"), "time-added");
    cr_assert(plyd_verified(house.database));
}

Test(offers, more_time_than_was_asked_for_before_is_another_offer)
{
    struct two two = new_two(fischer);
    struct answer answer;

    move(&two, 1, "a1");
    move(&two, 2, "a2");
    offer(&two, 1, "{\"kind\":\"time\",\"add\":\"24h\"}");
    offer(&two, 1, "{\"kind\":\"time\",\"add\":\"48h\"}");
    answer = look(&two, 2);
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "offers")), 1);
    cr_assert_float_eq(seconds_of(&answer, "offers.0.add_s"), 2 * 86400, 0.001);
}

Test(offers, the_clock_stands_still_in_a_pause_until_a_player_ends_it_who_may_do_so_again)
{
    struct two two = new_two(fischer);
    struct answer answer;

    move(&two, 1, "a1");
    move(&two, 2, "a2");
    expect(ask_of(&two, 2, "DELETE", "/pause", NULL), 409, "not-paused");
    offer(&two, 2, "{\"kind\":\"pause\",\"for\":\"7d\"}");
    answer = answer_offer(&two, 1, 5, "accept");
    assert_status(&answer, 200);
    cr_assert(has(&answer, "clock.paused.until"));
    cr_assert_not_null(strstr(texts(&answer, "you.may"), "resume "));
    answer = ask_of(&two, 2, "DELETE", "/pause", NULL);
    assert_status(&answer, 200);
    cr_assert(cJSON_IsNull(member(&answer, "clock.paused")));
    cr_assert_null(strstr(texts(&answer, "you.may"), "resume "));
    cr_assert_float_eq(seconds_of(&answer, "clock.left_s.1"), 10 * 86400, 60);
    move(&two, 1, "b1");
    answer = ask_of(&two, 2, "DELETE", "/pause", NULL);
    assert_status(&answer, 200);
    cr_assert_eq(number_of(&answer, "ply"), 3);
    expect(ask_of(&two, 1, "DELETE", "/pause", NULL), 409, "not-paused");
    answer = ask_of(&two, 1, "GET", "/events?after=6", NULL);
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 3);
    cr_assert_str_eq(text_of(&answer, "items.0.type"), "paused");
    cr_assert_str_eq(text_of(&answer, "items.1.type"), "resumed");
    cr_assert_eq(number_of(&answer, "items.1.seat"), 2);
    cr_assert(plyd_verified(house.database));
}

Test(offers, those_about_time_outlive_moves_and_end_with_the_game)
{
    struct two two = new_two(fischer);
    int time = offer(&two, 1, "{\"kind\":\"time\",\"add\":3600}"), pause, draw;
    struct answer answer;

    pause = offer(&two, 2, "{\"kind\":\"pause\",\"for\":\"1d\"}");
    move(&two, 1, "a1");
    move(&two, 2, "a2");
    cr_assert_eq(open_offers(&two), 2);
    draw = offer(&two, 1, "draw");
    answer = answer_offer(&two, 2, draw, "accept");
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "offers")), 0);
    answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/events?after=%d", two.id, draw);
    cr_assert_eq(number_of(&answer, "items.0.data.voids.0"), time);
    cr_assert_eq(number_of(&answer, "items.0.data.voids.1"), pause);
    cr_assert_eq(number_of(&answer, "items.0.data.offer"), draw);
    cr_assert(plyd_verified(house.database));
}

Test(offers, an_undo_that_was_agreed_on_gives_back_the_time)
{
    struct two two = new_two(fischer);
    struct answer answer;

    move(&two, 1, "a1");
    move(&two, 2, "a2");
    move(&two, 1, "b1");
    expect(answer_offer(&two, 2, offer(&two, 1, "undo"), "accept"), 200, NULL);
    answer = look(&two, 1);
    cr_assert_eq(number_of(&answer, "clock.running"), 1);
    cr_assert_eq(number_of(&answer, "ply"), 2);
    cr_assert(plyd_verified(house.database));
}

Test(offers, one_about_time_that_was_imported_without_a_clock_cannot_be_accepted)
{
    static const char log[] =
        "{\"format\":\"plyd-record\",\"variant\":\"tictactoe\",\"moves\":[],\"events\":["
        "{\"version\":1,\"kind\":\"created\",\"at\":\"2025-01-02\"},"
        "{\"version\":2,\"kind\":\"offered\",\"seat\":1,\"at\":\"2025-01-02\","
        "\"data\":{\"kind\":\"time\",\"add_us\":1000000}}]}";
    cJSON *body = cJSON_CreateObject();
    char *text;
    struct answer answer;
    struct game game;

    cJSON_AddStringToObject(body, "record", log);
    text = cJSON_PrintUnformatted(body);
    cJSON_Delete(body);
    answer = ask_as(&house, NULL, "POST", "/v1/games/import", text);
    free(text);
    assert_status(&answer, 201);
    snprintf(game.id, sizeof(game.id), "%s", text_of(&answer, "id"));
    snprintf(game.token, sizeof(game.token), "%s", text_of(&answer, "token"));
    cr_assert_eq(number_of(&answer, "offers.0.id"), 2);
    answer = ask_at(&house, game.token, "POST", NULL, "/v1/games/%s/offers/2/accept", game.id);
    assert_problem(&answer, 409, "no-clock");
    answer = ask_at(&house, game.token, "DELETE", NULL, "/v1/games/%s/offers/2", game.id);
    assert_status(&answer, 200);
}

/* ---- once, and told again ---- */

static struct answer keyed(const struct two *two, int seat, const char *method, const char *path,
                           const char *body, const char *key)
{
    char headers[256], full[128];

    snprintf(headers, sizeof(headers),
             "Authorization: Bearer %s\r\nContent-Type: application/json\r\n"
             "Idempotency-Key: %s\r\n",
             two->token[seat], key);
    snprintf(full, sizeof(full), "/v1/games/%s%s", two->id, path);
    return ask(&house, method, full, headers, body);
}

static void restart(void)
{
    plyd_stop(&house.plyd);
    plyd_start(&house.plyd, house.database, NULL);
}

/* Sends a request twice, with a restart in between: the second answer is the first one, and nothing
 * is done again. */
static void twice(const struct two *two, int seat, const char *method, const char *path,
                  const char *body, int status)
{
    struct answer first = keyed(two, seat, method, path, body, path);
    struct answer again;
    char header[256];

    assert_status(&first, status);
    cr_assert_null(http_header(&first.reply, "Idempotent-Replayed", header));
    restart();
    again = keyed(two, seat, method, path, body, path);
    assert_status(&again, status);
    cr_assert_str_eq(http_header(&again.reply, "Idempotent-Replayed", header), "true");
    cr_assert_str_eq(again.reply.body, first.reply.body);
}

Test(offers, everything_is_done_once_and_told_again_after_a_restart)
{
    struct two two;

    house_move_out(&house);
    two = new_two("");
    twice(&two, 1, "POST", "/offers", "{\"kind\":\"draw\"}", 201);
    twice(&two, 2, "POST", "/offers/3/decline", "{}", 200);
    twice(&two, 1, "POST", "/moves", "{\"move\":\"a1\",\"offer\":\"draw\"}", 201);
    twice(&two, 1, "DELETE", "/offers/6", NULL, 200);
    twice(&two, 1, "POST", "/undo", "{}", 202);
    twice(&two, 2, "POST", "/offers/8/accept", "{}", 200);
    twice(&two, 1, "PUT", "/moves/1?offer=draw", "{\"move\":\"b2\"}", 201);
    twice(&two, 2, "POST", "/offers?include=board", "{\"kind\":\"draw\"}", 201);
    cr_assert(plyd_verified(house.database));
}

Test(offers, what_was_agreed_at_once_is_told_again_after_a_restart)
{
    struct game game;
    struct two alone;

    house_move_out(&house);
    game = new_game(&house, "{\"variant\":\"tictactoe\",\"moves\":[\"a1\",\"a2\"]}");
    snprintf(alone.id, sizeof(alone.id), "%s", game.id);
    snprintf(alone.token[1], sizeof(alone.token[1]), "%s", game.token);
    twice(&alone, 1, "POST", "/offers", "{\"kind\":\"undo\"}", 201);
    twice(&alone, 1, "POST", "/moves", "{\"move\":\"b2\",\"offer\":\"draw\"}", 201);
}

Test(offers, one_that_was_answered_since_is_told_as_it_was_made)
{
    struct two two = new_two("");
    struct answer answer = keyed(&two, 1, "POST", "/offers", "{\"kind\":\"draw\"}", "key");

    expect(answer_offer(&two, 2, number_of(&answer, "offer.id"), "decline"), 200, NULL);
    answer = keyed(&two, 1, "POST", "/offers", "{\"kind\":\"draw\"}", "key");
    assert_status(&answer, 201);
    cr_assert_eq(number_of(&answer, "offer.id"), 3);
    cr_assert_not(has(&answer, "offer.may"));
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "game.offers")), 0);
}

/* Each loop of the other daemon has the game in memory as it was when the seat was open: which of
 * them answers is the kernel's choice. */
Test(offers, one_is_told_again_by_a_daemon_that_has_not_heard_of_the_seat)
{
    struct game game =
        new_game(&house, "{\"variant\":\"tictactoe\",\"seats\":[{\"me\":true},{\"open\":true}]}");
    int port = house.plyd.port, other = house.second.port;
    struct answer joined, first, again;
    struct two two = {0};
    char header[256];

    snprintf(two.id, sizeof(two.id), "%s", game.id);
    house.plyd.port = other;
    for (int i = 0; i < 16; i++)
        ask_at(&house, NULL, "GET", NULL, "/v1/games/%s", game.id);
    house.plyd.port = port;
    joined = ask_at(&house, NULL, "POST", "{}", "/v1/games/%s/join", game.id);
    snprintf(two.token[2], sizeof(two.token[2]), "%s", text_of(&joined, "token"));
    first = keyed(&two, 2, "POST", "/offers", "{\"kind\":\"draw\"}", "key");
    assert_status(&first, 201);
    house.plyd.port = other;
    again = keyed(&two, 2, "POST", "/offers", "{\"kind\":\"draw\"}", "key");
    house.plyd.port = port;
    assert_status(&again, 201);
    cr_assert_str_eq(http_header(&again.reply, "Idempotent-Replayed", header), "true");
}

/* The other daemon's loops have the game in memory as it was while the first offer was open. */
Test(offers, one_like_another_that_was_declined_elsewhere_is_a_new_one)
{
    struct two two = new_two("");
    struct answer first = keyed(&two, 1, "POST", "/offers", "{\"kind\":\"draw\"}", "one"), second;
    int port = house.plyd.port;

    house.plyd.port = house.second.port;
    for (int i = 0; i < 16; i++)
        ask_at(&house, NULL, "GET", NULL, "/v1/games/%s", two.id);
    house.plyd.port = port;
    expect(answer_offer(&two, 2, number_of(&first, "offer.id"), "decline"), 200, NULL);
    house.plyd.port = house.second.port;
    second = keyed(&two, 1, "POST", "/offers", "{\"kind\":\"draw\"}", "two");
    house.plyd.port = port;
    assert_status(&second, 201);
    cr_assert_neq(number_of(&second, "offer.id"), number_of(&first, "offer.id"));
}

/* 1,100 plies by somebody who plays both seats: more than half of what is read at once. */
static struct two long_game(void)
{
    struct game game = new_game(&house, "{\"variant\":\"shogi\",\"options\":{\"repetition\":0}}");
    char body[4096] = "{\"moves\":[\"2h3h\"";
    struct two alone;

    for (int i = 0; i < 25; i++)
        strcat(body, ",\"8b7b\",\"3h2h\",\"7b8b\",\"2h3h\"");
    strcpy(body + strlen(body) - strlen(",\"2h3h\""), "]}");
    for (int i = 0; i < 11; i++)
        expect(ask_at(&house, game.token, "POST", body, "/v1/games/%s/moves", game.id), 201, NULL);
    snprintf(alone.id, sizeof(alone.id), "%s", game.id);
    snprintf(alone.token[1], sizeof(alone.token[1]), "%s", game.token);
    return alone;
}

Test(offers, in_a_long_game_one_is_told_again_though_others_came_after_it)
{
    struct two alone = long_game();
    struct answer first = keyed(&alone, 1, "POST", "/offers", "{\"kind\":\"undo\"}", "first"),
                  again;

    assert_status(&first, 201);
    expect(keyed(&alone, 1, "POST", "/offers", "{\"kind\":\"undo\"}", "second"), 201, NULL);
    again = keyed(&alone, 1, "POST", "/offers", "{\"kind\":\"undo\"}", "first");
    assert_status(&again, 201);
    cr_assert_eq(number_of(&again, "offer.id"), number_of(&first, "offer.id"));
}

Test(offers, one_that_is_gone_from_the_log_is_not_told_again)
{
    char path[80], headers[256];
    struct http_reply reply;
    struct two two;

    house_move_out(&house);
    two = new_two("");
    expect(keyed(&two, 1, "POST", "/offers", "{\"kind\":\"draw\"}", "key"), 201, NULL);
    house_sql(&house, "update events set kind = 999 where version = 3");
    snprintf(headers, sizeof(headers),
             "Authorization: Bearer %s\r\nContent-Type: application/json\r\n"
             "Idempotency-Key: key\r\n",
             two.token[1]);
    snprintf(path, sizeof(path), "/v1/games/%s/offers", two.id);
    http_request(house.plyd.port, &reply, "POST", path, headers, "{\"kind\":\"draw\"}");
    cr_assert_eq(reply.status, 500);
    http_free(&reply);
}

/* ---- at the same moment ---- */

static void set_racer(struct racer *racer, int port, const struct two *two, int seat,
                      const char *path, const char *body)
{
    *racer = (struct racer){.port = port, .method = "POST"};
    snprintf(racer->path, sizeof(racer->path), "/v1/games/%s%s", two->id, path);
    snprintf(racer->headers, sizeof(racer->headers),
             "Authorization: Bearer %s\r\nContent-Type: application/json\r\n", two->token[seat]);
    snprintf(racer->body, sizeof(racer->body), "%s", body);
}

/* At two daemons: seat 2 accepts the draw with one request and moves with another. */
Test(offers, of_an_acceptance_and_a_move_at_the_same_moment_one_happens)
{
    house_open_second(&house);
    for (int round = 0; round < 20; round++) {
        struct two two = new_two("");
        struct racer racers[2];
        struct answer answer;
        char path[32];
        int id, accepted;

        move(&two, 1, "a1");
        id = offer(&two, 1, "draw");
        snprintf(path, sizeof(path), "/offers/%d/accept", id);
        set_racer(&racers[0], house.plyd.port, &two, 2, path, "{}");
        set_racer(&racers[1], house.second.port, &two, 2, "/moves", "{\"move\":\"b2\"}");
        race(racers, 2);
        accepted = racers[0].reply.status == 200;
        cr_assert(accepted || racers[0].reply.status == 409, "%d", racers[0].reply.status);
        cr_assert_eq(racers[1].reply.status, accepted ? 409 : 201, "%s", racers[1].reply.body);
        cr_assert_not_null(
            strstr(racers[accepted].reply.body, accepted ? "game-over" : "offer-void"));
        answer = look(&two, 0);
        cr_assert_eq(number_of(&answer, "version"), id + 1);
        http_free(&racers[0].reply);
        http_free(&racers[1].reply);
    }
    cr_assert(plyd_verified(house.database));
}

Test(offers, of_two_opposite_offers_at_the_same_moment_comes_an_agreement)
{
    house_open_second(&house);
    for (int round = 0; round < 20; round++) {
        struct two two = new_two("");
        struct racer racers[2];
        struct answer answer;

        set_racer(&racers[0], house.plyd.port, &two, 1, "/offers", "{\"kind\":\"draw\"}");
        set_racer(&racers[1], house.second.port, &two, 2, "/offers", "{\"kind\":\"draw\"}");
        race(racers, 2);
        cr_assert_eq(racers[0].reply.status, 201);
        cr_assert_eq(racers[1].reply.status, 201);
        answer = look(&two, 0);
        cr_assert_str_eq(text_of(&answer, "outcome.reason"), "agreement");
        http_free(&racers[0].reply);
        http_free(&racers[1].reply);
    }
}
