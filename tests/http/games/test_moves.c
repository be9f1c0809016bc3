/* test_moves.c - playing: one move, several, again, at the wrong ply, by the wrong player. */
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tests/http/house.h"

HOUSE_SUITE(moves, house_share, HOUSE_PATIENCE_S);

static struct answer put(const struct game *game, int ply, const char *move)
{
    return ask_at(&house, game->token, "PUT", move, "/v1/games/%s/moves/%d", game->id, ply);
}

static struct answer post(const struct game *game, const char *body)
{
    return ask_at(&house, game->token, "POST", body, "/v1/games/%s/moves", game->id);
}

Test(moves, the_answer_to_a_move_has_its_effects_and_the_game_after_it)
{
    struct game game = new_game(&house, "{\"variant\":\"shogi\",\"moves\":[\"7g7f\",\"3c3d\"]}");
    struct answer answer = post(&game, "8h2b+");

    assert_status(&answer, 201);
    cr_assert_eq(number_of(&answer, "ply"), 3);
    cr_assert_str_eq(text_of(&answer, "text"), "☗２二角成");
    cr_assert_str_eq(text_of(&answer, "effects.0.type"), "capture");
    cr_assert_str_eq(text_of(&answer, "effects.1.type"), "move");
    cr_assert_str_eq(text_of(&answer, "effects.2.type"), "promote");
    cr_assert_eq(number_of(&answer, "game.to_move"), 2);
    cr_assert_str_eq(text_of(&answer, "game.position"),
                     "lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL w B 4");
}

Test(moves, the_same_put_again_is_200_and_is_not_played_twice)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    struct answer first = put(&game, 1, "a3a4"), again = put(&game, 1, "a3a4");

    assert_status(&first, 201);
    assert_status(&again, 200);
    cr_assert_str_eq(text_of(&again, "move"), "a3a4");
    cr_assert_eq(number_of(&again, "game.ply"), 1);
}

Test(moves, a_move_is_taken_as_people_write_it_and_told_as_the_game_writes_it)
{
    struct game game = new_game(&house, "{\"variant\":\"shogi\"}");
    struct answer first = put(&game, 1, "▲７六歩"), again = put(&game, 1, "+7776FU"),
                  other = put(&game, 2, "34歩");

    assert_status(&first, 201);
    cr_assert_str_eq(text_of(&first, "move"), "7g7f");
    assert_status(&again, 200);
    assert_status(&other, 201);
    cr_assert_str_eq(text_of(&other, "move"), "3c3d");
}

/* 同 is the square that the move before went to, whoever sends it again. */
Test(moves, a_move_to_the_same_square_is_read_by_the_move_before_it)
{
    struct game game =
        new_game(&house, "{\"variant\":\"shogi\",\"moves\":[\"7g7f\",\"3c3d\",\"8h2b+\"]}");
    struct answer first = put(&game, 4, "同　銀"), again = put(&game, 4, "同　銀");

    assert_status(&first, 201);
    cr_assert_str_eq(text_of(&first, "move"), "3a2b");
    assert_status(&again, 200);
}

Test(moves, the_last_move_of_a_game_put_again_is_200_too)
{
    struct game game = new_game(&house, "{\"variant\":\"tictactoe\",\"options\":{\"k\":1}}");
    struct answer first = put(&game, 1, "b2"), again = put(&game, 1, "b2");

    assert_status(&first, 201);
    cr_assert_str_eq(text_of(&first, "game.status"), "finished");
    assert_status(&again, 200);
}

Test(moves, another_move_at_a_played_ply_is_409_with_the_moves_since)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    struct answer answer;

    play(&house, &game, "a3a4 g7g6 a4a5");
    answer = put(&game, 2, "a7a6");
    assert_problem(&answer, 409, "ply-taken");
    cr_assert_str_eq(text_of(&answer, "moves.0.move"), "g7g6");
    cr_assert_str_eq(text_of(&answer, "moves.1.move"), "a4a5");
    cr_assert_eq(number_of(&answer, "game.ply"), 3);
}

Test(moves, a_refused_ply_is_answered_with_the_next_one)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    struct answer answer = put(&game, 3, "a3a4");

    cr_assert_str_eq(text_of(&answer, "detail"),
                     "The game is not there yet: the next ply is 1, not 3.");
    answer = put(&game, 1, "a3a4");
    answer = put(&game, 1, "g3g4");
    cr_assert_str_eq(text_of(&answer, "detail"),
                     "The game went on: the next ply is 2, not 1. See the moves since.");
}

Test(moves, of_a_game_that_is_over_no_ply_is_said_to_be_the_next_one)
{
    struct game game = new_game(&house, "{\"variant\":\"tictactoe\"}");
    struct answer answer = post(&game, "{\"moves\":[\"a1\",\"b1\",\"a2\",\"b2\",\"a3\"]}");

    answer = put(&game, 7, "c3");
    assert_problem(&answer, 409, "stale-ply");
    cr_assert_str_eq(text_of(&answer, "detail"), "The game is over: its last ply is 5.");
    answer = put(&game, 4, "c3");
    assert_problem(&answer, 409, "ply-taken");
    cr_assert_str_eq(text_of(&answer, "detail"),
                     "The game went on and is over: its last ply is 5. See the moves since.");
}

Test(moves, a_ply_that_is_not_reached_yet_is_409_stale_ply)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    struct answer answer = put(&game, 3, "a3a4");

    assert_problem(&answer, 409, "stale-ply");
    cr_assert_eq(number_of(&answer, "game.ply"), 0);
}

Test(moves, the_greatest_ply_that_there_is_is_409_stale_ply)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    struct answer answer = put(&game, INT32_MAX, "a3a4");

    assert_problem(&answer, 409, "stale-ply");
}

Test(moves, a_repeated_put_is_200_though_its_guards_no_longer_hold)
{
    struct game game = new_game(&house, "{\"variant\":\"tictactoe\"}");
    struct answer answer;

    play(&house, &game, "b2 a1");
    answer = ask_at(&house, game.token, "POST", "{}", "/v1/games/%s/undo", game.id);
    for (int i = 0; i < 2; i++) {
        char path[128], headers[256];

        snprintf(path, sizeof(path), "/v1/games/%s/moves/2", game.id);
        snprintf(headers, sizeof(headers),
                 "Authorization: Bearer %s\r\nContent-Type: application/json\r\n"
                 "If-Match: \"4\"\r\n",
                 game.token);
        answer = ask(&house, "PUT", path, headers, "{\"move\":\"c3\",\"line\":1}");
        assert_status(&answer, i == 0 ? 201 : 200);
    }
    answer = ask_at(&house, game.token, "PUT", "a3", "/v1/games/%s/moves/2", game.id);
    assert_problem(&answer, 409, "ply-taken");
}

Test(moves, an_illegal_move_says_which_rule_and_which_squares)
{
    struct game game = new_game(&house, "{\"variant\":\"turkish-draughts\","
                                        "\"position\":\"W:Wa2,d4:Ba3,d5,e6,h8\"}");
    struct answer answer = post(&game, "d4-e4");

    assert_problem(&answer, 422, "must-capture");
    cr_assert_str_eq(text_of(&answer, "rule.number"), "T12");
    cr_assert(cJSON_GetArraySize(member(&answer, "rule.examples")) >= 1);
    cr_assert_eq(number_of(&answer, "game.ply"), 0);
}

Test(moves, what_curl_d_sends_keeps_the_plus_of_a_promotion)
{
    const char *const bodies[] = {"8h2b+", "move=8h2b%2B", "move=8h2b+", "move=8h2b+&ply=3",
                                  "{\"move\":\"8h2b+\"}"};

    for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
        struct game game =
            new_game(&house, "{\"variant\":\"shogi\",\"moves\":[\"7g7f\",\"3c3d\"]}");
        char headers[256], path[128];
        struct answer answer;

        snprintf(headers, sizeof(headers),
                 "Authorization: Bearer %s\r\n"
                 "Content-Type: application/x-www-form-urlencoded\r\n",
                 game.token);
        snprintf(path, sizeof(path), "/v1/games/%s/moves", game.id);
        answer = ask(&house, "POST", path, headers, bodies[i]);
        assert_status(&answer, 201);
        cr_assert_str_eq(text_of(&answer, "move"), "8h2b+", "%s", bodies[i]);
    }
}

Test(moves, several_moves_are_all_played)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    struct answer answer = post(&game, "{\"moves\":[\"a3a4\",\"g7g6\",\"a4a5\"]}");

    assert_status(&answer, 201);
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "moves")), 3);
    cr_assert_eq(number_of(&answer, "game.ply"), 3);
}

Test(moves, several_moves_are_not_played_if_one_of_them_is_illegal)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    struct answer answer = post(&game, "{\"moves\":[\"a3a4\",\"g7g6\",\"a3a4\"]}");

    assert_problem(&answer, 422, "empty-square");
    cr_assert_eq(number_of(&answer, "at"), 2);
    cr_assert_eq(number_of(&answer, "game.ply"), 0);
}

Test(moves, a_dry_run_stores_nothing)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    struct answer tried =
        ask_at(&house, game.token, "POST", "a3a4", "/v1/games/%s/moves?dry_run=true", game.id);
    struct answer answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s", game.id);

    assert_status(&tried, 200);
    cr_assert_eq(number_of(&tried, "game.ply"), 1);
    cr_assert_eq(number_of(&answer, "ply"), 0);
}

Test(moves, without_a_token_nobody_moves)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    struct answer none = ask_at(&house, NULL, "POST", "a3a4", "/v1/games/%s/moves", game.id);
    struct answer wrong = ask_at(&house, "plyd_seat_00000000000000000000000000000000", "POST",
                                 "a3a4", "/v1/games/%s/moves", game.id);

    assert_problem(&none, 401, "token-missing");
    assert_problem(&wrong, 401, "token-unknown");
}

Test(moves, a_token_plays_its_own_seat_only)
{
    struct game game =
        new_game(&house, "{\"variant\":\"jungle\",\"seats\":[{\"open\":true},{\"me\":true}]}");
    struct answer joined = ask_at(&house, NULL, "POST", "{}", "/v1/games/%s/join", game.id);
    struct answer answer = post(&game, "a3a4");

    assert_status(&joined, 200);
    assert_problem(&answer, 409, "not-your-turn");
}

Test(moves, a_game_with_an_open_seat_has_not_started)
{
    struct game game =
        new_game(&house, "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"open\":true}]}");
    struct answer answer = post(&game, "a3a4");

    assert_problem(&answer, 409, "game-not-started");
}

Test(moves, a_game_that_is_over_takes_no_move)
{
    struct game game = new_game(&house, "{\"variant\":\"tictactoe\",\"options\":{\"k\":1}}");
    struct answer answer;

    play(&house, &game, "b2");
    answer = post(&game, "a1");
    assert_problem(&answer, 409, "game-over");
    cr_assert_str_eq(text_of(&answer, "game.outcome.reason"), "line");
    cr_assert_eq(number_of(&answer, "game.outcome.winner"), 1);
}

Test(moves, if_match_with_another_version_is_412)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    char headers[256], path[128];
    struct answer answer;

    snprintf(headers, sizeof(headers),
             "Authorization: Bearer %s\r\nIf-Match: \"7\"\r\nContent-Type: text/plain\r\n",
             game.token);
    snprintf(path, sizeof(path), "/v1/games/%s/moves", game.id);
    answer = ask(&house, "POST", path, headers, "a3a4");
    assert_problem(&answer, 412, "version-mismatch");
    cr_assert_eq(number_of(&answer, "game.version"), 1);
}

Test(moves, a_dry_run_of_giving_up_or_winning_stores_nothing)
{
    struct game game = new_game(&house, "{\"variant\":\"shogi\",\"position\":"
                                        "\"K8/+P+P+P+P+P+P+P+P+P/R8/9/9/9/9/9/4k4 b 2B4G 1\"}");
    const char *const texts[] = {"resign", "win"};

    for (int i = 0; i < 2; i++) {
        struct answer answer = ask_at(&house, game.token, "POST", texts[i],
                                      "/v1/games/%s/moves?dry_run=true", game.id);
        struct answer after = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s", game.id);

        assert_status(&answer, 200);
        cr_assert_eq(number_of(&answer, "outcome.winner"), i == 0 ? 2 : 1);
        cr_assert_str_eq(text_of(&after, "status"), "active");
        cr_assert_eq(number_of(&after, "version"), 1);
    }
}

Test(moves, after_the_end_the_rule_that_ended_it_is_named)
{
    struct game game = new_game(&house, "{\"variant\":\"tictactoe\",\"position\":"
                                        "\"xx1/oo1/3 x 3\"}");
    struct answer answer;

    play(&house, &game, "c3");
    answer = post(&game, "a1");
    assert_problem(&answer, 409, "game-over");
    cr_assert_str_eq(text_of(&answer, "rule.id"), "tictactoe.over");
    cr_assert_str_eq(text_of(&answer, "game.outcome.reason"), "line");
}

Test(moves, resign_and_win_are_taken_in_place_of_a_shogi_move)
{
    struct game game = new_game(&house, "{\"variant\":\"shogi\"}");
    struct answer win = post(&game, "win"), resign = post(&game, "resign");

    assert_problem(&win, 422, "cannot-declare");
    assert_status(&resign, 200);
    cr_assert_eq(number_of(&resign, "outcome.winner"), 2);
    cr_assert_str_eq(text_of(&resign, "outcome.reason"), "resign");
}

Test(moves, the_fourth_repetition_of_a_shogi_position_is_a_draw)
{
    struct game game = new_game(&house, "{\"variant\":\"shogi\"}");
    struct answer answer;

    for (int i = 0; i < 3; i++)
        play(&house, &game, i < 2 ? "2h3h 8b7b 3h2h 7b8b" : "2h3h 8b7b 3h2h");
    answer = post(&game, "7b8b");
    assert_status(&answer, 201);
    cr_assert_str_eq(text_of(&answer, "game.outcome.reason"), "repetition");
    cr_assert_not(has(&answer, "game.outcome.winner"));
}

Test(moves, the_computer_answers_within_the_same_request)
{
    struct game game = new_game(
        &house, "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"engine\":\"random\"}]}");
    struct answer answer = post(&game, "a3a4");

    assert_status(&answer, 201);
    cr_assert_eq(number_of(&answer, "answers.0.ply"), 2);
    cr_assert_eq(number_of(&answer, "game.ply"), 2);
    cr_assert_eq(number_of(&answer, "game.to_move"), 1);
}

Test(moves, the_same_move_again_brings_the_computers_answer_again)
{
    struct game game = new_game(
        &house, "{\"variant\":\"shogi\",\"seats\":[{\"me\":true},{\"engine\":\"random\"}]}");
    char text[96];
    struct answer answer;

    for (int times = 0; times < 2; times++) {
        answer = ask_at(&house, game.token, "PUT", "7g7f", "/v1/games/%s/moves/1", game.id);
        assert_status(&answer, times == 0 ? 201 : 200);
        cr_assert_eq(number_of(&answer, "answers.0.ply"), 2);
        cr_assert_eq(number_of(&answer, "answers.0.seat"), 2);
        cr_assert_not(has(&answer, "answers.1"));
        if (times == 0)
            snprintf(text, sizeof(text), "%s", text_of(&answer, "answers.0.text"));
        cr_assert_str_eq(text_of(&answer, "answers.0.text"), text);
        cr_assert(has(&answer, "answers.0.effects.0"));
    }
    answer = post(&game, "2g2f");
    answer = ask_at(&house, game.token, "PUT", "7g7f", "/v1/games/%s/moves/1", game.id);
    assert_status(&answer, 200);
    cr_assert_str_eq(text_of(&answer, "answers.0.text"), text);
    cr_assert_not(has(&answer, "answers.1"));
}

Test(moves, the_computer_with_the_same_seed_plays_the_same_game)
{
    char moves[2][32];

    for (int i = 0; i < 2; i++) {
        struct game game = new_game(&house, "{\"variant\":\"shogi\",\"seats\":[{\"me\":true},"
                                            "{\"engine\":\"random\",\"seed\":42}]}");
        struct answer answer = post(&game, "7g7f");

        snprintf(moves[i], sizeof(moves[i]), "%s", text_of(&answer, "answers.0.move"));
    }
    cr_assert_str_eq(moves[0], moves[1]);
}

Test(moves, the_computer_begins_if_it_sits_first)
{
    struct game game = new_game(
        &house, "{\"variant\":\"jungle\",\"seats\":[{\"engine\":\"random\"},{\"me\":true}]}");
    struct answer answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s", game.id);

    cr_assert_eq(number_of(&answer, "ply"), 1);
    cr_assert_eq(number_of(&answer, "to_move"), 2);
}

Test(moves, a_put_with_a_key_is_not_played_again_after_an_undo)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    char path[96], headers[256];

    snprintf(path, sizeof(path), "/v1/games/%s/moves/1", game.id);
    snprintf(headers, sizeof(headers),
             "Authorization: Bearer %s\r\nContent-Type: text/plain\r\nIdempotency-Key: one\r\n",
             game.token);
    for (int times = 0; times < 2; times++) {
        struct answer answer = ask(&house, "PUT", path, headers, "a3a4");
        char replayed[256];

        assert_status(&answer, 201);
        cr_assert_eq(http_header(&answer.reply, "Idempotent-Replayed", replayed) != NULL, times);
        answer = ask_at(&house, game.token, "POST", "{}", "/v1/games/%s/undo", game.id);
        cr_assert_eq(answer.status, times == 0 ? 200 : 409, "%s", answer.reply.body);
    }
}

/* What stands behind the time in the first line of a game's history as a text. */
static void assert_first_move(const char *body, const char *moves, const char *wanted)
{
    struct game game = new_game(&house, body);
    struct answer answer;
    char path[64], *line;

    play(&house, &game, moves);
    snprintf(path, sizeof(path), "/v1/games/%s/moves", game.id);
    answer = ask(&house, "GET", path, "Accept: text/plain\r\n", NULL);
    assert_status(&answer, 200);
    line = strstr(answer.reply.body, "   1  20");
    cr_assert_not_null(line, "%s", answer.reply.body);
    line[strcspn(line, "\n")] = '\0';
    cr_assert_str_eq(line + strlen("   1  2025-01-02T03:04:05.678Z"), wanted);
}

Test(moves, the_history_as_a_text_has_a_move_as_people_write_it_where_that_differs)
{
    assert_first_move("{\"variant\":\"shogi\"}", "7g7f 3c3d", "  7g7f  ☗７六歩");
    assert_first_move("{\"variant\":\"tictactoe\"}", "b2 a1", "  b2");
}

/* So many are played by a worker. */
Test(moves, many_in_one_request_are_all_played_or_none)
{
    enum { MANY = 40 };
    static const char *const rooks[] = {"2h3h", "8b7b", "3h2h", "7b8b"};
    struct game game = new_game(&house, "{\"variant\":\"shogi\",\"options\":{\"repetition\":0}}");
    char good[MANY * 8 + 32] = "{\"moves\":[", bad[sizeof(good) + 16];
    struct answer answer;

    for (int i = 0; i < MANY; i++)
        sprintf(good + strlen(good), "%s\"%s\"", i == 0 ? "" : ",", rooks[i % 4]);
    sprintf(bad, "%s,\"5e5e\"]}", good);
    strcat(good, "]}");
    answer = ask_at(&house, game.token, "POST", bad, "/v1/games/%s/moves", game.id);
    cr_assert_eq(answer.status / 100, 4);
    cr_assert_eq(number_of(&answer, "at"), MANY);
    answer = ask_at(&house, game.token, "POST", good, "/v1/games/%s/moves", game.id);
    assert_status(&answer, 201);
    cr_assert_eq(number_of(&answer, "game.ply"), MANY);
}
