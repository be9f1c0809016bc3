/* test_fork.c - a new game with the past of another one. */
#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/http/house.h"

HOUSE_SUITE(fork, house_share, HOUSE_PATIENCE_S);

static struct answer fork_of(const struct game *game, const char *token, const char *body)
{
    return ask_at(&house, token, "POST", body, "/v1/games/%s/fork", game->id);
}

static struct game forked(const struct answer *answer)
{
    struct game game;

    assert_status(answer, 201);
    snprintf(game.id, sizeof(game.id), "%s", text_of(answer, "id"));
    snprintf(game.token, sizeof(game.token), "%s", text_of(answer, "token"));
    return game;
}

static char *position_of(const struct game *game, int ply)
{
    struct answer answer =
        ask_at(&house, game->token, "GET", NULL, "/v1/games/%s/positions/%d", game->id, ply);

    return strdup(text_of(&answer, "position"));
}

static void assert_same_position(const struct game *a, const struct game *b, int ply)
{
    char *left = position_of(a, ply), *right = position_of(b, ply);

    cr_assert_str_eq(left, right);
    free(left);
    free(right);
}

Test(fork, has_the_moves_up_to_its_ply_and_goes_its_own_way)
{
    struct game old = new_game(&house, "{\"variant\":\"shogi\"}"), new;
    struct answer answer;

    play(&house, &old, "7g7f 3c3d 8h2b+ 3a2b");
    answer = fork_of(&old, NULL, "{\"ply\":2}");
    new = forked(&answer);
    cr_assert_eq(number_of(&answer, "ply"), 2);
    play(&house, &new, "2g2f");
    for (int ply = 0; ply <= 2; ply++)
        assert_same_position(&old, &new, ply);
    answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s", old.id);
    cr_assert_eq(number_of(&answer, "ply"), 4);
}

Test(fork, takes_options_under_which_its_moves_are_legal)
{
    struct game old = new_game(&house, "{\"variant\":\"shogi\"}");
    struct answer answer;

    play(&house, &old, "7g7f 3c3d 8h2b+");
    answer = fork_of(&old, NULL, "{\"options\":{\"rules\":\"casual\",\"max_plies\":40}}");
    assert_status(&answer, 201);
    cr_assert_str_eq(text_of(&answer, "options.rules"), "casual");
    cr_assert_eq(number_of(&answer, "options.max_plies"), 40);
    cr_assert_eq(number_of(&answer, "ply"), 3);
}

Test(fork, refuses_options_that_the_game_does_not_have_or_that_forbid_its_moves)
{
    struct game old =
        new_game(&house, "{\"variant\":\"shogi\",\"options\":{\"rules\":\"casual\"}}");
    struct answer answer = fork_of(&old, NULL, "{\"options\":{\"rows\":4}}");

    assert_problem(&answer, 422, "unknown-field");
    cr_assert_str_eq(text_of(&answer, "pointer"), "/options/rows");
    answer = fork_of(&old, NULL, "{\"options\":{\"rules\":[\"standard\"]}}");
    assert_problem(&answer, 422, "bad-option");
    cr_assert_str_eq(text_of(&answer, "pointer"), "/options/rules");
    answer = fork_of(&old, NULL, "{\"options\":{\"rules\":null}}");
    assert_problem(&answer, 422, "bad-option");
    play(&house, &old, "7g7f 7c7d 7f7e 7d7e 9g9f P*7f");
    answer = fork_of(&old, NULL, "{\"options\":{\"rules\":\"standard\"}}");
    assert_problem(&answer, 422, "nifu");
    answer = fork_of(&old, NULL, "{\"ply\":5,\"options\":{\"rules\":\"standard\"}}");
    assert_status(&answer, 201);
}

Test(fork, tells_in_its_first_event_where_its_past_comes_from)
{
    struct game old = new_game(&house, "{\"variant\":\"jungle\"}"), new;
    struct answer answer;

    play(&house, &old, "g3g4");
    answer = fork_of(&old, NULL, "{}");
    new = forked(&answer);
    answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/events", new.id);
    cr_assert_str_eq(text_of(&answer, "items.0.data.game"), old.id);
    cr_assert_eq(number_of(&answer, "items.0.data.ply"), 1);
}

Test(fork, takes_up_a_line_that_was_undone)
{
    struct game old = new_game(&house, "{\"variant\":\"jungle\"}");
    struct answer answer;

    play(&house, &old, "g3g4 a7a6 g4g5");
    answer = ask_at(&house, old.token, "POST", "1", "/v1/games/%s/undo", old.id);
    play(&house, &old, "g7g6");
    answer = fork_of(&old, NULL, "{\"line\":1}");
    assert_status(&answer, 201);
    cr_assert_eq(number_of(&answer, "ply"), 3);
    cr_assert_str_eq(text_of(&answer, "last_move.move"), "g4g5");
}

Test(fork, keeps_options_and_start)
{
    static const char *const games[] = {
        "{\"variant\":\"shogi\",\"options\":{\"start\":\"lance\",\"rules\":\"casual\"}}",
        "{\"variant\":\"shogi\",\"position\":\"4k4/9/9/9/9/9/9/9/4K4 w 2P 7\"}",
        "{\"variant\":\"stackchess\",\"options\":{\"size\":6,\"knights\":false}}",
        "{\"variant\":\"tictactoe\",\"options\":{\"rows\":4,\"cols\":7,\"k\":4}}",
        "{\"variant\":\"turkish-draughts\",\"position\":\"B:Wd4:Bd6,a8:H3:F9\"}"};

    for (size_t i = 0; i < sizeof(games) / sizeof(games[0]); i++) {
        struct game old = new_game(&house, games[i]), new;
        struct answer answer = fork_of(&old, NULL, "{}"), game;
        char *left, *right;

        new = forked(&answer);
        game = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s", old.id);
        left = cJSON_PrintUnformatted(member(&game, "options"));
        right = cJSON_PrintUnformatted(member(&answer, "options"));
        cr_assert_str_eq(left, right);
        free(left);
        free(right);
        assert_same_position(&old, &new, 0);
    }
}

Test(fork, of_a_finished_game_is_finished_at_its_end_and_goes_on_before_it)
{
    struct game old = new_game(&house, "{\"variant\":\"tictactoe\"}");
    struct answer answer;

    play(&house, &old, "a1 a2 b1 b2 c1");
    answer = fork_of(&old, NULL, "{}");
    assert_status(&answer, 201);
    cr_assert_str_eq(text_of(&answer, "status"), "finished");
    answer = fork_of(&old, NULL, "{\"ply\":4}");
    assert_status(&answer, 201);
    cr_assert_str_eq(text_of(&answer, "status"), "active");
}

Test(fork, with_a_key_is_made_once_though_the_old_game_has_changed)
{
    static const char headers[] =
        "Idempotency-Key: fork-it-only-once\r\nContent-Type: text/plain\r\n";
    struct game old = new_game(&house, "{\"variant\":\"jungle\"}");
    struct answer first, again, undone;
    char path[128], replayed[256];

    play(&house, &old, "g3g4 a7a6");
    snprintf(path, sizeof(path), "/v1/games/%s/fork", old.id);
    first = ask(&house, "POST", path, headers, "2");
    assert_status(&first, 201);
    undone = ask_at(&house, old.token, "POST", "0", "/v1/games/%s/undo", old.id);
    assert_status(&undone, 200);
    play(&house, &old, "g3g4");
    again = ask(&house, "POST", path, headers, "2");
    assert_status(&again, 201);
    cr_assert_str_eq(again.reply.body, first.reply.body);
    cr_assert_str_eq(http_header(&again.reply, "Idempotent-Replayed", replayed), "true");
}

Test(fork, of_a_ply_or_a_line_that_does_not_exist_is_refused)
{
    static const char *const bodies[] = {"{\"ply\":3}", "{\"line\":2}", "{\"line\":1,\"ply\":9}"};
    struct game old = new_game(&house, "{\"variant\":\"jungle\"}");

    play(&house, &old, "g3g4 a7a6");
    for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
        struct answer answer = fork_of(&old, NULL, bodies[i]);

        assert_problem(&answer, 404, "no-such-ply");
    }
}

Test(fork, of_a_private_game_is_for_its_players)
{
    struct game old = new_game(&house, "{\"variant\":\"jungle\",\"visibility\":\"private\"}");
    struct answer answer = fork_of(&old, NULL, "{}");

    assert_problem(&answer, 404, "no-such-game");
    answer = fork_of(&old, old.token, "{}");
    assert_status(&answer, 201);
}

/* Whether the log of a fork tells the old game's id. */
static bool tells_origin(const char *old, const char *new)
{
    char body[100];
    struct game source, made;
    struct answer answer;
    bool tells;

    snprintf(body, sizeof(body), "{\"variant\":\"jungle\",\"visibility\":\"%s\"}", old);
    source = new_game(&house, body);
    snprintf(body, sizeof(body), "{\"visibility\":\"%s\"}", new);
    answer = fork_of(&source, source.token, body);
    made = forked(&answer);
    answer = ask_at(&house, made.token, "GET", NULL, "/v1/games/%s/events", made.id);
    assert_status(&answer, 200);
    tells = strstr(answer.reply.body, source.id) != NULL;
    return tells;
}

Test(fork, that_more_people_may_find_does_not_tell_where_its_past_comes_from)
{
    static const char *const words[] = {"public", "unlisted", "private"};

    for (int old = 0; old < 3; old++)
        for (int new = 0; new < 3; new ++)
            cr_assert_eq(tells_origin(words[old], words[new]), new >= old, "%s of %s", words[new],
                         words[old]);
}

Test(fork, may_be_played_against_the_computer)
{
    struct game old = new_game(&house, "{\"variant\":\"jungle\"}");
    struct answer answer;

    play(&house, &old, "g3g4");
    answer = fork_of(&old, NULL, "{\"seats\":[{\"me\":true},{\"engine\":\"random\",\"seed\":7}]}");
    assert_status(&answer, 201);
    cr_assert_eq(number_of(&answer, "ply"), 2);
}
