/* test_here.c - players who have a game before them know of each other, if both say so, and nobody
 * else does. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/http/house.h"
#include "tests/http/mask.h"

static struct house house;
static struct player ada, mia, eve;

static void open_house(void)
{
    house_share(&house);
    ada = new_player(&house, "Ada");
    mia = new_player(&house, "Mia");
    eve = new_player(&house, "Eve");
}

static void close_house(void)
{
    house_close(&house);
}

TestSuite(here, .init = open_house, .fini = close_house, .timeout = HOUSE_PATIENCE_S);

static struct game game_of(const struct player *first, const struct player *second,
                           const char *visibility)
{
    struct answer answer;
    struct game game;
    char body[200];

    snprintf(body, sizeof(body),
             "{\"variant\":\"jungle\",\"visibility\":\"%s\","
             "\"seats\":[{\"me\":true},{\"open\":true}]}",
             visibility);
    game = new_game_of(&house, first->token, body);
    answer = ask_at(&house, second->token, "POST", "{}", "/v1/games/%s/join", game.id);
    assert_status(&answer, 200);
    return game;
}

static struct answer say(const char *token, const char *method, const struct game *game)
{
    return ask_at(&house, token, method, NULL, "/v1/games/%s/here", game->id);
}

/* Whoever asks is told of these seats, as JSON has them. */
static void assert_here(const char *token, const struct game *game, const char *seats)
{
    struct answer answer = say(token, "PUT", game);
    char expected[64];

    assert_status(&answer, 200);
    snprintf(expected, sizeof(expected), "{\"here\":[%s],\"lasts_s\":60}\n", seats);
    cr_assert_str_eq(answer.reply.body, expected);
}

static void leave(const char *token, const struct game *game)
{
    struct answer answer = say(token, "DELETE", game);

    assert_status(&answer, 204);
}

static void set_block(const struct player *by, const struct player *of, const char *method)
{
    struct answer answer = ask_at(&house, by->token, method, NULL, "/v1/me/blocks/%s", of->id);

    assert_status(&answer, 204);
}

/* ---- who is told ---- */

Test(here, players_who_both_say_so_know_of_each_other_until_one_goes)
{
    struct game game = game_of(&ada, &mia, "private");

    assert_here(ada.token, &game, "1");
    assert_here(mia.token, &game, "1,2");
    assert_here(ada.token, &game, "1,2");
    leave(mia.token, &game);
    leave(mia.token, &game);
    assert_here(ada.token, &game, "1");
}

Test(here, in_one_game_is_not_here_in_another)
{
    struct game one = game_of(&ada, &mia, "unlisted"), other = game_of(&ada, &mia, "unlisted");

    assert_here(ada.token, &one, "1");
    assert_here(mia.token, &other, "2");
}

Test(here, counts_for_a_minute)
{
    struct player late = new_player(&house, "Mia who is late");
    struct game game = game_of(&ada, &late, "unlisted");

    assert_here(late.token, &game, "2");
    house_sql(&house, "update games g set seat2_here = seat2_here - interval '45 s' from players p"
                      " where p.id = g.seat2_player and p.name = 'Mia who is late'");
    assert_here(ada.token, &game, "1,2");
    house_sql(&house, "update games g set seat2_here = seat2_here - interval '15 s' from players p"
                      " where p.id = g.seat2_player and p.name = 'Mia who is late'");
    assert_here(ada.token, &game, "1");
    assert_here(late.token, &game, "1,2");
}

Test(here, who_plays_without_a_player_and_who_plays_both_sides_may_say_so)
{
    struct game game =
        new_game(&house, "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"open\":true}]}");
    struct game both = new_game(&house, "{\"variant\":\"jungle\"}");

    assert_here(game.token, &game, "1");
    assert_here(both.token, &both, "1,2");
    leave(both.token, &both);
}

Test(here, is_told_as_a_text_to_who_wants_one)
{
    struct game game = game_of(&ada, &mia, "unlisted");
    struct answer answer;
    char path[64], headers[200];

    snprintf(path, sizeof(path), "/v1/games/%s/here", game.id);
    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\nAccept: text/plain\r\n",
             ada.token);
    answer = ask(&house, "PUT", path, headers, NULL);
    assert_status(&answer, 200);
    cr_assert_str_eq(answer.reply.body, "seat 1 is here\n");
}

/* ---- who is not ---- */

Test(here, nobody_says_so_who_does_not_play)
{
    struct game game = game_of(&ada, &mia, "public"), secret = game_of(&ada, &mia, "private");
    struct answer answer = say(eve.token, "PUT", &game);

    assert_problem(&answer, 403, "not-your-seat");
    answer = say(eve.token, "DELETE", &game);
    assert_problem(&answer, 403, "not-your-seat");
    answer = say(NULL, "PUT", &game);
    assert_problem(&answer, 401, "token-missing");
    answer = say(eve.token, "PUT", &secret);
    assert_problem(&answer, 404, "no-such-game");
    answer = ask_at(&house, ada.token, "GET", NULL, "/v1/games/%s/here", game.id);
    assert_problem(&answer, 405, "method-not-allowed");
}

Test(here, is_nothing_that_happens_in_the_game)
{
    struct game game = game_of(&ada, &mia, "public");
    struct answer before = ask_at(&house, eve.token, "GET", NULL, "/v1/games/%s", game.id), after;

    assert_here(ada.token, &game, "1");
    assert_here(mia.token, &game, "1,2");
    after = ask_at(&house, eve.token, "GET", NULL, "/v1/games/%s", game.id);
    cr_assert_str_eq(before.reply.body, after.reply.body);
}

Test(here, players_of_whom_one_has_blocked_the_other_are_away_to_each_other)
{
    struct game game = game_of(&ada, &mia, "unlisted");

    assert_here(mia.token, &game, "2");
    set_block(&mia, &ada, "PUT");
    assert_here(ada.token, &game, "1"); /* also of what was said before */
    assert_here(mia.token, &game, "2");
    assert_here(ada.token, &game, "1");
    set_block(&mia, &ada, "DELETE");
    assert_here(ada.token, &game, "1");
    assert_here(mia.token, &game, "1,2");
    set_block(&ada, &mia, "PUT");
    assert_here(ada.token, &game, "1");
    assert_here(mia.token, &game, "2");
}

Test(here, who_has_blocked_somebody_does_not_come_as_they_leave)
{
    struct player other = new_player(&house, "Mia who has blocked her");
    struct game game = game_of(&ada, &other, "unlisted");

    set_block(&other, &ada, "PUT");
    assert_here(other.token, &game, "2");
    house_sql(&house, "delete from blocks b using players p" /* before the games know who leaves */
                      " where p.id = b.player_id and p.name = 'Mia who has blocked her'");
    assert_here(ada.token, &game, "1");
}

/* Returns once the game knows that they have left. */
static void leave_for_good(const struct player *player, const struct game *game)
{
    struct answer answer = ask_as(&house, player->token, "DELETE", "/v1/me", NULL);

    assert_status(&answer, 204);
    do
        answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s", game->id);
    while (has(&answer, "seats.1.player"));
}

Test(here, who_leaves_goes_and_whoever_takes_their_seat_was_not_here)
{
    struct game left = game_of(&ada, &eve, "unlisted"), taken;
    struct player late = new_player(&house, "Mia who takes over");
    struct answer answer;
    char token[96], body[200];

    assert_here(eve.token, &left, "2");
    leave_for_good(&eve, &left);
    assert_here(ada.token, &left, "1");

    taken = new_game_of(&house, ada.token,
                        "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"open\":true}]}");
    answer = ask_at(&house, NULL, "POST", "{}", "/v1/games/%s/join", taken.id);
    snprintf(token, sizeof(token), "%s", text_of(&answer, "token"));
    assert_here(token, &taken, "2");
    snprintf(body, sizeof(body), "{\"token\":\"%s\"}", token);
    answer = ask_at(&house, late.token, "PUT", body, "/v1/me/games/%s", taken.id);
    assert_status(&answer, 200);
    assert_here(ada.token, &taken, "1");
}

Test(here, who_is_challenged_is_not_told_before_they_have_joined)
{
    struct game game;
    struct answer answer;
    char body[160];

    snprintf(body, sizeof(body),
             "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"player\":\"%s\"}]}", mia.id);
    game = new_game_of(&house, ada.token, body);
    assert_here(ada.token, &game, "1");
    answer = say(mia.token, "PUT", &game);
    cr_assert_eq(answer.status, 403, "%s", answer.reply.body);
    answer = ask_at(&house, mia.token, "POST", "{}", "/v1/games/%s/join", game.id);
    assert_status(&answer, 200);
    assert_here(mia.token, &game, "1,2");
}

Test(here, what_is_sent_along_is_refused)
{
    struct game game = game_of(&ada, &mia, "unlisted");
    struct answer answer =
        ask_at(&house, ada.token, "PUT", "{\"until\":\"tomorrow\"}", "/v1/games/%s/here", game.id);

    assert_problem(&answer, 422, "unknown-field");
    answer = ask_at(&house, ada.token, "PUT", NULL, "/v1/games/%s/here?for=1d", game.id);
    assert_problem(&answer, 422, "unknown-field");
}
