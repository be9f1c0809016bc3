/*
 * test_you.c - what an answer says of the client that asks, and that it is true: everything that
 * `may` lists is done, everything else is refused.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "house.h"
#include "rules/rules.h"

HOUSE_SUITE(you, house_share, HOUSE_PATIENCE_S);

/* Those with a stroke are done with the first open offer. Those that may end the game come last. */
enum { USUAL = 7, DEEDS = 11 };
static const char *const deeds[DEEDS] = {"move",    "undo",       "redo",       "offer:undo",
                                         "/accept", "/decline",   "/withdraw",  "resign",
                                         "abort",   "offer:draw", "offer:abort"};

static int lists(const struct answer *answer, const char *path, const char *deed)
{
    const cJSON *one;

    cJSON_ArrayForEach(one, member(answer, path))
    {
        if (strcmp(one->valuestring, deed) == 0)
            return 1;
    }
    return 0;
}

/* What the player may do by `you`, or with the first open offer. An undo that needs consent is an
 * offer. */
static int may(const struct answer *answer, const char *deed)
{
    if (*deed == '/')
        return has(answer, "offers.0.may") && lists(answer, "offers.0.may", deed + 1);
    return lists(answer, "you.may", deed) ||
           (strcmp(deed, "undo") == 0 && lists(answer, "you.may", "offer:undo"));
}

static struct answer look(const struct game *game)
{
    return ask_at(&house, game->token, "GET", NULL, "/v1/games/%s?include=legal_moves", game->id);
}

static struct answer do_it(const struct game *game, const char *deed, const struct answer *now)
{
    int offer = has(now, "offers.0.id") ? number_of(now, "offers.0.id") : 1;

    if (strcmp(deed, "/withdraw") == 0)
        return ask_at(&house, game->token, "DELETE", NULL, "/v1/games/%s/offers/%d", game->id,
                      offer);
    if (*deed == '/')
        return ask_at(&house, game->token, "POST", NULL, "/v1/games/%s/offers/%d%s", game->id,
                      offer, deed);
    if (strncmp(deed, "offer:", 6) == 0)
        return ask_at(&house, game->token, "POST", deed + 6, "/v1/games/%s/offers", game->id);
    if (strcmp(deed, "move") != 0)
        return ask_at(&house, game->token, "POST", "{}", "/v1/games/%s/%s", game->id, deed);
    return ask_at(&house, game->token, "POST",
                  has(now, "legal_moves.moves.0") ? text_of(now, "legal_moves.moves.0") : "b2",
                  "/v1/games/%s/moves", game->id);
}

/* Tries things at random, as either side: mostly moves, and seldom an end of the game. */
static void try_everything(const struct game *sides, uint64_t seed, int times)
{
    while (times-- > 0) {
        const struct game *game = &sides[rules_choose(&seed, 2)];
        bool ends = rules_choose(&seed, 40) == 0;
        const char *deed =
            deeds[ends ? USUAL + rules_choose(&seed, DEEDS - USUAL) : rules_choose(&seed, USUAL)];
        struct answer now = look(game), done = do_it(game, deed, &now), after = look(game);

        cr_assert_eq(done.status < 300, may(&now, deed), "%s: %d, but %s said %s", deed,
                     done.status, now.reply.body, done.reply.body);
        if (done.status < 300) {
            const char *inner = has(&done, "game.you") ? "game.you" : "you";

            cr_assert(cJSON_Compare(member(&done, inner), member(&after, "you"), 1));
        } else {
            cr_assert(cJSON_Compare(member(&done, "game.you"), member(&now, "you"), 1), "%s: %s",
                      deed, done.reply.body);
        }
    }
}

static struct game other_side(const struct game *game)
{
    struct game other = *game;
    struct answer joined = ask_at(&house, NULL, "POST", "{}", "/v1/games/%s/join", game->id);

    assert_status(&joined, 200);
    cr_assert_eq(number_of(&joined, "you.seats.0"), number_of(&joined, "seat"));
    snprintf(other.token, sizeof(other.token), "%s", text_of(&joined, "token"));
    return other;
}

Test(you, what_may_lists_is_done_and_all_else_is_refused)
{
    static const char *const undos[] = {"free", "consent", "never"};
    static const char *const seats[] = {
        "[{\"me\":true},{\"me\":true}]", "[{\"me\":true},{\"open\":true}]",
        "[{\"me\":true},{\"engine\":\"random\"}]", "[{\"engine\":\"random\"},{\"me\":true}]"};

    for (unsigned i = 0; i < 24; i++) {
        char body[256];
        struct game sides[2];

        snprintf(body, sizeof(body),
                 "{\"variant\":\"tictactoe\",\"undo\":\"%s\",\"seats\":%s,\"moves\":[%s]}",
                 undos[i % 3], seats[i / 6], i % 6 < 3 ? "" : "\"b2\"");
        sides[0] = sides[1] = new_game(&house, body);
        if (i / 6 == 1) {
            try_everything(sides, i, 3); /* nobody has joined yet */
            struct answer now = look(&sides[0]);

            if (strcmp(text_of(&now, "status"), "open") == 0)
                sides[1] = other_side(&sides[0]);
        }
        try_everything(sides, i, 40);
    }
}

Test(you, strangers_are_told_nothing_of_themselves)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    struct player other = new_player(&house, "Ada");
    struct answer answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s", game.id);

    cr_assert_not(has(&answer, "you"));
    answer = ask_at(&house, other.token, "GET", NULL, "/v1/games/%s", game.id);
    cr_assert_not(has(&answer, "you"));
    answer = ask_at(&house, game.token, "GET", NULL, "/v1/games/%s", game.id);
    cr_assert_eq(number_of(&answer, "you.seats.1"), 2);
}

static void assert_wrong(const struct game *game, const char *headers, const char *more)
{
    char path[128];
    struct answer answer;

    snprintf(path, sizeof(path), "/v1/games/%s%s", game->id, more);
    answer = ask(&house, "GET", path, headers, NULL);
    assert_problem(&answer, 401, "token-unknown");
}

Test(you, a_wrong_token_is_not_taken_for_a_spectator)
{
    static const char *const more[] = {"",        "/moves",     "/legal-moves",
                                       "/events", "/board.svg", "/positions/0",
                                       "/export", "/replay",    "/board.png"};
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    struct game other = new_game(&house, "{\"variant\":\"jungle\"}");
    char headers[160];

    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\n", other.token);
    for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++)
        assert_wrong(&game, headers, more[i]);
    assert_wrong(&game, "Authorization: Bearer plyd_seat_\r\n", "");
    assert_wrong(&game, "Authorization: Token 17\r\n", "");
    assert_wrong(&game, "Authorization: plyd_seat_x\r\n", "");
}

/* A list cannot know the seats of all games, so it knows players alone. */
Test(you, a_token_that_a_player_has_no_longer_is_refused_by_public_lists_as_by_games)
{
    static const char *const paths[] = {"/v1/games", "/v1/games?status=open",
                                        "/v1/positions/jungle"};
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    struct player ada = new_player(&house, "Ada");
    char old[300], key[360];
    struct answer answer;

    snprintf(old, sizeof(old), "Authorization: Bearer %s\r\n", ada.token);
    snprintf(key, sizeof(key), "%sIdempotency-Key: a-new-token-for-this-player\r\n", old);
    answer = ask(&house, "POST", "/v1/me/token", key, NULL);
    assert_status(&answer, 200);
    assert_wrong(&game, old, "");
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        answer = ask(&house, "GET", paths[i], old, NULL);
        assert_problem(&answer, 401, "token-unknown");
        answer = ask_as(&house, game.token, "GET", paths[i], NULL);
        assert_status(&answer, 200);
        answer = ask(&house, "GET", paths[i], "Authorization: Bearer \r\n", NULL);
        assert_status(&answer, 200);
    }
}

Test(you, who_shows_no_token_is_a_spectator)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    struct answer answer = ask_at(&house, "", "GET", NULL, "/v1/games/%s", game.id);

    assert_status(&answer, 200);
}

Test(you, a_player_sees_their_seats_in_a_game_and_in_their_list)
{
    struct player ada = new_player(&house, "Ada");
    struct game game = new_game_of(
        &house, ada.token, "{\"variant\":\"jungle\",\"seats\":[{\"open\":true},{\"me\":true}]}");
    struct answer answer = ask_at(&house, ada.token, "GET", NULL, "/v1/games/%s", game.id);

    cr_assert_eq(number_of(&answer, "you.seats.0"), 2);
    cr_assert_str_eq(text_of(&answer, "you.may.0"), "abort");
    answer = ask_as(&house, ada.token, "GET", "/v1/me/games", NULL);
    cr_assert_eq(number_of(&answer, "items.0.you.seats.0"), 2);
    answer = ask_as(&house, ada.token, "GET", "/v1/me/games?fields=id", NULL);
    cr_assert_not(has(&answer, "items.0.you"));
}
