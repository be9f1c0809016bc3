/* test_analysis.c - what the engine says of positions and games, to whom, and for how long. */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "rules/rules.h"
#include "tests/http/house.h"
#include "tests/support/backoff.h"
#include "tests/support/stream.h"
#include "tests/support/usage.h"

#define JSON  "Content-Type: application/json\r\n"
#define LINES "Accept: application/x-ndjson\r\n"
#define TEXT  "Accept: text/plain\r\n"

/* A search that takes seconds. */
static const char endless[] = "{\"options\":{\"rows\":15,\"cols\":15,\"k\":5},"
                              "\"moves\":[\"h8\",\"j11\",\"c3\"],\"nodes\":1000000}";
static const char endless_path[] = "/v1/variants/tictactoe/analyse";

HOUSE_SUITE(analysis, house_open, HOUSE_PATIENCE_S);

static struct answer analyse(const char *variant, const char *accept, const char *body)
{
    char path[96], headers[128];

    snprintf(path, sizeof(path), "/v1/variants/%s/analyse", variant);
    snprintf(headers, sizeof(headers), JSON "%s", accept);
    return ask(&house, "POST", path, headers, body);
}

static int number_at(const char *name)
{
    struct http_reply reply;
    char line[128];
    const char *at;
    int number;

    snprintf(line, sizeof(line), "\n%s ", name);
    http_request(house.plyd.port, &reply, "GET", "/metrics", NULL, NULL);
    at = strstr(reply.body, line);
    cr_assert_not_null(at, "%s", name);
    number = atoi(at + strlen(line));
    http_free(&reply);
    return number;
}

static void wait_until(const char *name, int number)
{
    for (int looks = 0; number_at(name) != number; looks++)
        back_off(looks);
}

/* ---- any position ---- */

Test(analysis, answers_for_every_variant_with_moves_that_can_be_played)
{
    for (size_t g = 0; g < rules_games(); g++) {
        const char *name = rules_game(g)->name;
        struct answer answer = analyse(name, "", "{\"nodes\":1000,\"lines\":2}"), check;
        char body[128];

        assert_status(&answer, 200);
        cr_assert(cJSON_IsTrue(member(&answer, "complete")));
        cr_assert_str_eq(text_of(&answer, "move"), text_of(&answer, "lines.0.moves.0"));
        cr_assert_str_neq(text_of(&answer, "lines.1.moves.0"), text_of(&answer, "move"));
        snprintf(body, sizeof(body), "{\"moves\":[\"%s\"]}", text_of(&answer, "move"));
        check = ask_at(&house, NULL, "POST", body, "/v1/variants/%s/check", name);
        cr_assert(cJSON_IsTrue(member(&check, "valid")), "%s %s", name, body);
    }
}

Test(analysis, sees_a_win_and_how_far_it_is)
{
    struct answer answer = analyse("tictactoe", "", "{\"position\":\"xx1/oo1/3 x 3\"}");

    cr_assert_str_eq(text_of(&answer, "move"), "c3");
    cr_assert_eq(number_of(&answer, "lines.0.mate"), 1);
    cr_assert_eq(number_of(&answer, "lines.0.score"), 29999);
    cr_assert_eq(number_of(&answer, "lines.0.chance"), 1);
}

Test(analysis, says_so_where_the_game_is_over)
{
    struct answer answer = analyse("tictactoe", "", "{\"position\":\"xxx/oo1/3 o 3\"}");

    assert_status(&answer, 200);
    cr_assert_str_eq(text_of(&answer, "answer"), "over");
    cr_assert_not(has(&answer, "move"));
}

Test(analysis, answers_the_same_request_in_the_same_way)
{
    static const char body[] = "{\"moves\":[\"7g7f\",\"3c3d\"],\"lines\":3,\"nodes\":5000}";
    struct answer first = analyse("shogi", "", body), second = analyse("shogi", "", body);

    cr_assert_str_eq(first.reply.body, second.reply.body);
}

Test(analysis, is_a_line_of_text_for_each_line_of_moves)
{
    struct answer answer = analyse("tictactoe", TEXT, "{\"position\":\"xx1/oo1/3 x 3\"}");

    cr_assert_str_eq(answer.reply.body, "win in 1 ply     depth 1   c3\n");
}

Test(analysis, refuses_what_a_game_could_not_have_played)
{
    struct answer answer = analyse("shogi", "", "{\"moves\":[\"7g7f\",\"7g7f\"]}");

    assert_problem(&answer, 422, "empty-square");
    cr_assert_eq(number_of(&answer, "at"), 1);
}

/* Opens a stream of lines. */
static struct stream lines_from(const char *path, const char *token, const char *body)
{
    struct stream stream = {.fd = http_connect(house.plyd.port)};
    struct http_reply reply;
    struct answer answer;
    char headers[256] = JSON LINES;

    if (token != NULL)
        snprintf(headers, sizeof(headers), JSON LINES "Authorization: Bearer %s\r\n", token);
    http_send(stream.fd, "POST", path, headers, body, strlen(body));
    http_receive(stream.fd, "POST", &reply);
    answer = answer_of(&house, "POST", path, reply);
    assert_status(&answer, 200);
    return stream;
}

/* All lines up to the end of a stream, as a list. */
static cJSON *rest_of(struct stream *stream)
{
    cJSON *list = cJSON_CreateArray();
    const char *line;

    while (stream_line(stream, &line)) {
        cJSON *json = cJSON_Parse(line);

        cr_assert_not_null(json, "%s", line);
        cJSON_AddItemToArray(list, json);
    }
    stream_close(stream);
    return list;
}

static int depth_of(const cJSON *line)
{
    const cJSON *best = cJSON_GetArrayItem(cJSON_GetObjectItem(line, "lines"), 0);

    return cJSON_GetObjectItem(best, "depth")->valueint;
}

Test(analysis, tells_of_each_depth_as_a_line_and_of_the_last_one_as_complete)
{
    struct stream stream =
        lines_from("/v1/variants/turkish-draughts/analyse", NULL, "{\"nodes\":5000}");
    cJSON *lines = rest_of(&stream);
    int n = cJSON_GetArraySize(lines) - 1;

    cr_assert_gt(n, 2);
    for (int i = 0; i < n; i++) {
        const cJSON *line = cJSON_GetArrayItem(lines, i);

        cr_assert_eq(depth_of(line), i + 1);
        cr_assert(cJSON_IsFalse(cJSON_GetObjectItem(line, "complete")));
    }
    cr_assert_eq(depth_of(cJSON_GetArrayItem(lines, n)), n);
    cr_assert(cJSON_IsTrue(cJSON_GetObjectItem(cJSON_GetArrayItem(lines, n), "complete")));
    cJSON_Delete(lines);
}

Test(analysis, sends_a_line_before_the_search_is_over)
{
    struct stream stream = lines_from(endless_path, NULL, endless);
    const char *line;

    cr_assert(stream_line(&stream, &line));
    cr_assert_eq(number_at("plyd_searches_total"), 0);
    stream_close(&stream);
}

/* ---- the end of a search ---- */

static int begin_endless(const char *headers)
{
    int fd = http_connect(house.plyd.port);

    http_send(fd, "POST", endless_path, headers, endless, strlen(endless));
    wait_until("plyd_searches_running", 1);
    return fd;
}

Test(analysis, ends_when_its_client_has_gone)
{
    close(begin_endless(JSON));
    wait_until("plyd_searches_cancelled_total", 1);
    cr_assert_eq(number_at("plyd_searches_running"), 0);
    cr_assert_lt(number_at("plyd_search_nodes_total"), 1000000);
}

Test(analysis, ends_when_the_client_of_its_stream_has_gone)
{
    close(begin_endless(JSON LINES));
    wait_until("plyd_searches_cancelled_total", 1);
    wait_until("plyd_streams", 0);
}

Test(analysis, tells_a_client_that_shut_down_its_side_what_was_found)
{
    static const double ENOUGH_S = 0.3; /* of a processor: something must have been found then */
    double before = usage_cpu(house.plyd.pid);
    int fd = begin_endless(JSON);
    struct http_reply reply;
    struct answer answer;

    for (int looks = 0; usage_cpu(house.plyd.pid) < before + ENOUGH_S; looks++)
        back_off(looks);
    shutdown(fd, SHUT_WR);
    http_receive(fd, "POST", &reply);
    answer = answer_of(&house, "POST", endless_path, reply);
    assert_status(&answer, 200);
    cr_assert(cJSON_IsFalse(member(&answer, "complete")));
    cr_assert(has(&answer, "move"));
    close(fd);
}

Test(analysis, waits_for_its_turn_and_is_not_begun_for_a_client_that_has_gone)
{
    int first = begin_endless(JSON), second = http_connect(house.plyd.port);

    http_send(second, "POST", endless_path, JSON, endless, strlen(endless));
    wait_until("plyd_searches_waiting", 1);
    setsockopt(second, SOL_SOCKET, SO_LINGER, &(struct linger){.l_onoff = 1},
               sizeof(struct linger));
    close(second);
    close(first);
    wait_until("plyd_searches_cancelled_total", 2);
}

Test(analysis, does_not_hold_up_the_end_of_the_daemon)
{
    int fd = begin_endless(JSON LINES);

    cr_assert_eq(plyd_stop(&house.plyd), 0);
    close(fd);
    plyd_start(&house.plyd, house.database, NULL);
}

Test(analysis, does_not_hold_up_others)
{
    int fd = begin_endless(JSON);
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");

    play(&house, &game, "g3g4 a7a6");
    cr_assert_eq(number_at("plyd_searches_running"), 1);
    close(fd);
}

/* Each ply is a search of its own, so the hint of somebody else comes between two of them. */
Test(analysis, of_a_long_game_lets_others_come_in_between)
{
    struct game game = new_game(
        &house, "{\"variant\":\"jungle\",\"options\":{\"repetition\":0,\"draw_rounds\":0}}");
    struct stream stream;
    struct answer answer;
    char path[96];

    for (int i = 0; i < 20; i++)
        play(&house, &game, "g3g4 a7a6 g4g3 a6a7");
    snprintf(path, sizeof(path), "/v1/games/%s/analyse", game.id);
    stream = lines_from(path, game.token, "{\"nodes\":100000}");
    wait_until("plyd_searches_running", 1);
    answer = analyse("jungle", "", "{\"nodes\":1000}");
    assert_status(&answer, 200);
    cr_assert_eq(number_at("plyd_streams"), 1, "the game is still being analysed");
    stream_close(&stream);
}

/* More moves than most games have in all, and exchanges without an end. */
Test(analysis, finds_a_move_however_few_nodes_are_asked_for)
{
    struct answer answer =
        analyse("shogi", "",
                "{\"position\":\"4k4/9/9/9/9/9/9/9/4K4 b RBGSNLPrb3g3s3n3l17p 1\","
                "\"nodes\":1000}");

    assert_status(&answer, 200);
    cr_assert(has(&answer, "move"));
}

Test(analysis, is_refused_by_a_daemon_without_thinkers)
{
    struct answer answer;

    plyd_close(&house.plyd);
    plyd_start(&house.plyd, house.database, "--thinkers", "0", NULL);
    answer = analyse("shogi", "", "{}");
    assert_problem(&answer, 501, "no-engine");
}

/* ---- hints ---- */

static struct answer hint(const struct game *game, const char *token, const char *query)
{
    return ask_at(&house, token, "GET", NULL, "/v1/games/%s/hint%s", game->id, query);
}

static void assert_hint(const struct game *game, const char *token)
{
    struct answer answer = hint(game, token, "?level=2");

    assert_status(&answer, 200);
    cr_assert(has(&answer, "move"));
}

static void assert_no_hint(const struct game *game, const char *token, int status, const char *code)
{
    struct answer answer = hint(game, token, "");

    assert_problem(&answer, status, code);
}

Test(analysis, hints_are_for_whoever_plays_both_seats)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");

    assert_hint(&game, game.token);
    assert_no_hint(&game, NULL, 403, "no-hints");
}

Test(analysis, hints_help_against_the_computer)
{
    struct game game = new_game(
        &house, "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"engine\":\"random\"}]}");

    assert_hint(&game, game.token);
}

Test(analysis, hints_against_the_computer_are_not_for_strangers)
{
    struct game game = new_game(
        &house, "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"engine\":\"random\"}]}");

    assert_no_hint(&game, NULL, 403, "no-hints");
}

static bool foretells_hint(const struct game *game)
{
    struct answer answer = ask_at(&house, game->token, "GET", NULL, "/v1/games/%s", game->id);
    const cJSON *deed;
    bool found = false;

    cJSON_ArrayForEach(deed, member(&answer, "you.may"))
    {
        found |= strcmp(deed->valuestring, "hint") == 0;
    }
    return found;
}

Test(analysis, a_game_says_whether_its_player_gets_hints)
{
    struct game alone = new_game(&house, "{\"variant\":\"jungle\"}");
    struct game two =
        new_game(&house, "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"open\":true}]}");
    struct game against = new_game(
        &house, "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"engine\":\"random\"}]}");

    cr_assert(foretells_hint(&alone));
    cr_assert(foretells_hint(&against));
    cr_assert_not(foretells_hint(&two));
    plyd_close(&house.plyd);
    plyd_start(&house.plyd, house.database, "--thinkers", "0", NULL);
    cr_assert_not(foretells_hint(&alone), "nobody could answer");
}

Test(analysis, the_head_of_a_hint_has_no_body_in_any_form)
{
    static const char *const accept[] = {"", LINES, TEXT};
    struct game game = new_game(&house, "{\"variant\":\"tictactoe\"}");
    char path[96], headers[256], byte;

    snprintf(path, sizeof(path), "/v1/games/%s/hint", game.id);
    for (int i = 0; i < 3; i++) {
        int fd = http_connect(house.plyd.port);
        struct http_reply reply;

        snprintf(headers, sizeof(headers), "%sConnection: close\r\nAuthorization: Bearer %s\r\n",
                 accept[i], game.token);
        http_send(fd, "HEAD", path, headers, NULL, 0);
        http_receive(fd, "HEAD", &reply);
        cr_assert_eq(reply.status, 200);
        cr_assert_eq(recv(fd, &byte, 1, 0), 0);
        http_free(&reply);
        close(fd);
    }
}

Test(analysis, two_people_get_no_hints_until_their_game_is_over)
{
    struct game game =
        new_game(&house, "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"open\":true}]}");
    struct answer joined;

    assert_no_hint(&game, game.token, 403, "no-hints");
    joined = ask_at(&house, NULL, "POST", "{}", "/v1/games/%s/join", game.id);
    assert_no_hint(&game, text_of(&joined, "token"), 403, "no-hints");
    joined =
        ask_at(&house, game.token, "POST", "{\"nodes\":1000}", "/v1/games/%s/analyse", game.id);
    assert_problem(&joined, 403, "no-hints");
    joined = ask_at(&house, game.token, "POST", "{}", "/v1/games/%s/resign", game.id);
    assert_status(&joined, 200);
    assert_hint(&game, game.token);
    assert_hint(&game, NULL);
}

Test(analysis, a_private_game_gives_strangers_no_hints)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\",\"visibility\":\"private\"}");

    assert_no_hint(&game, NULL, 404, "no-such-game");
    assert_hint(&game, game.token);
}

Test(analysis, a_hint_may_be_about_any_ply_of_any_line)
{
    struct game game = new_game(&house, "{\"variant\":\"tictactoe\"}");
    struct answer answer;

    play(&house, &game, "a3 a1 b3 b1");
    answer = hint(&game, game.token, "");
    cr_assert_str_eq(text_of(&answer, "move"), "c3");
    answer = ask_at(&house, game.token, "POST", "{\"to_ply\":3}", "/v1/games/%s/undo", game.id);
    assert_status(&answer, 200);
    play(&house, &game, "c3");
    answer = hint(&game, game.token, "?ply=3");
    cr_assert_str_eq(text_of(&answer, "move"), "c3");
    cr_assert_eq(number_of(&answer, "ply"), 3);
    answer = hint(&game, game.token, "?line=1");
    cr_assert_eq(number_of(&answer, "ply"), 4);
    cr_assert_str_eq(text_of(&answer, "move"), "c3");
    answer = hint(&game, game.token, "?ply=9");
    assert_problem(&answer, 404, "no-such-ply");
}

Test(analysis, has_the_board_of_its_position_if_that_is_asked_for)
{
    struct game game = new_game(&house, "{\"variant\":\"tictactoe\"}");
    struct answer answer, position;

    play(&house, &game, "a3 a1 b3 b1");
    answer = hint(&game, game.token, "?ply=3&include=board&level=1");
    position =
        ask_at(&house, game.token, "GET", NULL, "/v1/games/%s/positions/3?include=board", game.id);
    assert_status(&answer, 200);
    cr_assert(cJSON_Compare(member(&answer, "board.rows"), member(&position, "board.rows"), true));
    cr_assert_str_eq(text_of(&answer, "board.marks.last.0"), "b3");
    cr_assert(has(&answer, "move"));
    answer = hint(&game, game.token, "?level=1");
    cr_assert_not(has(&answer, "board"));
    answer = ask_at(&house, NULL, "POST", "{\"moves\":[\"b2\"],\"nodes\":1000}",
                    "/v1/variants/tictactoe/analyse?include=board");
    assert_status(&answer, 200);
    cr_assert_eq(number_of(&answer, "board.rows.1.1.men.0.seat"), 1);
    answer = hint(&game, game.token, "?include=legal_tree");
    assert_problem(&answer, 400, "bad-parameter");
}

/* ---- the moves of a game ---- */

static cJSON *lines_of(const struct game *game, const char *body)
{
    struct stream stream;
    char path[96];

    snprintf(path, sizeof(path), "/v1/games/%s/analyse", game->id);
    stream = lines_from(path, game->token, body);
    return rest_of(&stream);
}

static const char *verdict_at(const cJSON *lines, int i)
{
    return cJSON_GetObjectItem(cJSON_GetArrayItem(lines, i), "verdict")->valuestring;
}

static double of_verdict(const cJSON *lines, int i, const char *name)
{
    const cJSON *value = cJSON_GetObjectItem(cJSON_GetArrayItem(lines, i), name);

    cr_assert(cJSON_IsNumber(value), "no %s", name);
    return value->valuedouble;
}

/* The second player does not stop the row of the first. */
Test(analysis, a_move_that_loses_is_a_blunder)
{
    struct game game = new_game(&house, "{\"variant\":\"tictactoe\"}");
    cJSON *lines;

    play(&house, &game, "a3 b2 b3 b1 c3");
    lines = lines_of(&game, "{}");
    cr_assert_eq(cJSON_GetArraySize(lines), 6, "five moves and the summary");
    cr_assert_str_eq(verdict_at(lines, 1), "good");
    cr_assert_str_eq(verdict_at(lines, 3), "blunder");
    cr_assert_str_eq(cJSON_GetObjectItem(cJSON_GetArrayItem(lines, 3), "best")->valuestring, "c3");
    cr_assert_str_eq(verdict_at(lines, 4), "good");
    cr_assert_eq(cJSON_GetObjectItem(cJSON_GetArrayItem(lines, 4), "after")->valueint, 29999);
    cr_assert(cJSON_HasObjectItem(cJSON_GetArrayItem(lines, 5), "summary"));
    cJSON_Delete(lines);
}

/* Plies are counted from the position before the move. */
Test(analysis, of_a_move_says_to_which_end_it_leads)
{
    struct game game = new_game(&house, "{\"variant\":\"tictactoe\"}");
    cJSON *lines;

    play(&house, &game, "a3 b2 b3 b1 c3");
    lines = lines_of(&game, "{}");
    cr_assert_not(cJSON_HasObjectItem(cJSON_GetArrayItem(lines, 1), "mate"));
    cr_assert_eq(of_verdict(lines, 1, "chance_before"), 0.5);
    cr_assert_eq(of_verdict(lines, 3, "mate"), -2);
    cr_assert_eq(of_verdict(lines, 3, "after"), -29998);
    cr_assert_eq(of_verdict(lines, 3, "chance_after"), 0);
    cr_assert_eq(of_verdict(lines, 4, "mate"), 1);
    cr_assert_eq(of_verdict(lines, 4, "before"), 29999);
    cr_assert_eq(of_verdict(lines, 4, "after"), 29999);
    cr_assert_eq(of_verdict(lines, 4, "chance_after"), 1);
    cJSON_Delete(lines);
}

Test(analysis, names_the_best_move_as_people_write_it)
{
    struct stream stream =
        lines_from("/v1/games/analyse?nodes=1000", NULL, "position startpos moves 7g7f 3c3d 6i5h");
    cJSON *lines = rest_of(&stream), *last = cJSON_GetArrayItem(lines, 2);

    cr_assert_str_eq(cJSON_GetObjectItem(last, "best")->valuestring, "8h2b+");
    cr_assert_str_eq(cJSON_GetObjectItem(last, "best_text")->valuestring, "☗２二角成");
    cJSON_Delete(lines);
}

/* With few nodes the engine mostly finds something better a ply later. */
Test(analysis, calls_no_move_worse_than_one_that_was_played)
{
    struct stream stream = lines_from(
        "/v1/games/analyse?nodes=1000", NULL,
        "position startpos moves 7g7f 3c3d 2g2f 4c4d 3i4h 8b4b 5i6h 5a6b 6h7h 6b7b 5g5f 7b8b");
    cJSON *lines = rest_of(&stream);

    for (int i = 0; i + 1 < cJSON_GetArraySize(lines); i++)
        cr_assert_leq(of_verdict(lines, i, "after"), of_verdict(lines, i, "before"), "move %d",
                      i + 1);
    cJSON_Delete(lines);
}

Test(analysis, goes_on_behind_a_ply)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    cJSON *lines;

    play(&house, &game, "g3g4 a7a6 g4g3 a6a7");
    lines = lines_of(&game, "{\"after\":2,\"limit\":1,\"nodes\":1000}");
    cr_assert_eq(cJSON_GetArraySize(lines), 2);
    cr_assert_eq(cJSON_GetObjectItem(cJSON_GetArrayItem(lines, 0), "ply")->valueint, 3);
    cJSON_Delete(lines);
}

Test(analysis, a_game_without_moves_has_a_summary_alone)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    cJSON *lines = lines_of(&game, "{\"nodes\":1000}");

    cr_assert_eq(cJSON_GetArraySize(lines), 1);
    cJSON_Delete(lines);
}

/* ---- the moves of a record ---- */

Test(analysis, judges_the_moves_of_a_record_in_any_format)
{
    struct stream stream =
        lines_from("/v1/games/analyse?nodes=1000", NULL, "position startpos moves 7g7f 3c3d 8h2b+");
    cJSON *lines = rest_of(&stream);

    cr_assert_eq(cJSON_GetArraySize(lines), 4);
    cr_assert_str_eq(cJSON_GetObjectItem(cJSON_GetArrayItem(lines, 2), "move")->valuestring,
                     "8h2b+");
    cJSON_Delete(lines);
}

/* With so few nodes the engine does not get through a single move here. */
Test(analysis, calls_no_move_a_blunder_before_it_has_seen_one)
{
    struct stream stream = lines_from(
        "/v1/games/analyse?nodes=1000", NULL,
        "position sfen p2r2sn1/L3rk1gl/P1s1pp3/1ppPPP1P1/+b2S3Lp/2P1gnP1P/6p1L/1+nS4GG/+b2K3N1"
        " b 2Pp 121 moves 4d4c+");
    cJSON *lines = rest_of(&stream);

    cr_assert_lt(cJSON_GetObjectItem(cJSON_GetArrayItem(lines, 0), "before")->valueint, -1000);
    cr_assert_str_neq(verdict_at(lines, 0), "blunder");
    cJSON_Delete(lines);
}

Test(analysis, goes_on_within_a_record)
{
    struct stream stream = lines_from("/v1/games/analyse?nodes=1000&after=2&limit=1", NULL,
                                      "position startpos moves 7g7f 3c3d 8h2b+ 3a2b");
    cJSON *lines = rest_of(&stream);

    cr_assert_eq(cJSON_GetArraySize(lines), 2);
    cr_assert_eq(cJSON_GetObjectItem(cJSON_GetArrayItem(lines, 0), "ply")->valueint, 3);
    cJSON_Delete(lines);
}

Test(analysis, refuses_a_record_that_cannot_be_read)
{
    struct answer answer =
        ask_as(&house, NULL, "POST", "/v1/games/analyse", "position startpos moves 7g7f 7g7f");

    assert_problem(&answer, 422, "empty-square");
    cr_assert_eq(number_of(&answer, "at"), 1);
}

/* ---- records with what the engine thinks ---- */

static struct answer exported(const struct game *game, const char *query)
{
    return ask_at(&house, game->token, "GET", NULL, "/v1/games/%s/export?%s", game->id, query);
}

Test(analysis, an_export_comments_the_moves_that_were_not_good)
{
    struct game game = new_game(&house, "{\"variant\":\"tictactoe\"}");
    struct answer answer;
    const char *comment;

    play(&house, &game, "a3 b2 b3 b1 c3");
    answer = exported(&game, "format=json&analysis=1000");
    assert_status(&answer, 200);
    comment = text_of(&answer, "moves.3.comment");
    cr_assert_eq(strncmp(comment, "?? better: c3 (", 15), 0, "%s", comment);
    cr_assert_not(has(&answer, "moves.1.comment"));
    cr_assert_not(has(&answer, "events"));
}

Test(analysis, an_export_to_kif_has_those_comments_and_can_be_imported)
{
    struct game game = new_game(&house, "{\"variant\":\"shogi\"}");
    struct answer answer, imported;
    char headers[] = "Content-Type: text/plain\r\n";

    play(&house, &game, "7g7f 3c3d 8h3c+ 2b3c");
    answer = exported(&game, "format=kif&analysis=1000");
    assert_status(&answer, 200);
    cr_assert_not_null(strstr(answer.reply.body, "*?"), "%s", answer.reply.body);
    imported = ask(&house, "POST", "/v1/games/import", headers, answer.reply.body);
    assert_status(&imported, 201);
}

Test(analysis, an_export_without_analysis_has_no_such_comments)
{
    struct game game = new_game(&house, "{\"variant\":\"tictactoe\"}");
    struct answer answer;

    play(&house, &game, "a3 b2 b3 b1 c3");
    answer = exported(&game, "format=json");
    cr_assert_not(has(&answer, "moves.3.comment"));
    cr_assert(has(&answer, "events"));
}

Test(analysis, an_export_of_a_game_of_two_people_is_not_analysed)
{
    struct game game =
        new_game(&house, "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"open\":true}]}");
    struct answer answer = exported(&game, "analysis=1000");

    assert_problem(&answer, 403, "no-hints");
}

/* ---- as a job ---- */

static struct player ada;

static void play_as_ada(const struct game *game, const char *moves)
{
    struct answer answer = ask_at(&house, ada.token, "POST", moves, "/v1/games/%s/moves", game->id);

    assert_status(&answer, 201);
}

/* A game that Ada plays alone. */
static struct game game_of_ada(const char *moves)
{
    struct game game;

    ada = new_player(&house, "Ada");
    game = new_game_of(&house, ada.token,
                       "{\"variant\":\"jungle\",\"options\":{\"repetition\":0,\"draw_rounds\":0}}");
    play_as_ada(&game, moves);
    return game;
}

static cJSON *lines_for_ada(const struct game *game, const char *body)
{
    struct stream stream;
    char path[96];

    snprintf(path, sizeof(path), "/v1/games/%s/analyse", game->id);
    stream = lines_from(path, ada.token, body);
    return rest_of(&stream);
}

/* `more` are headers beside those that are needed. */
static struct answer ask_async(const char *token, const char *path, const char *type,
                               const char *more, const char *body)
{
    char headers[256];

    snprintf(headers, sizeof(headers),
             "Authorization: Bearer %s\r\nContent-Type: %s\r\nPrefer: respond-async\r\n%s", token,
             type, more);
    return ask(&house, "POST", path, headers, body);
}

static struct answer judge_with(const struct game *game, const char *more, const char *body)
{
    char path[96];

    snprintf(path, sizeof(path), "/v1/games/%s/analyse", game->id);
    return ask_async(ada.token, path, "application/json", more, body);
}

static struct answer judge_async(const struct game *game, const char *body)
{
    return judge_with(game, "", body);
}

static char op[32];

static void take_job(struct answer answer)
{
    assert_status(&answer, 202);
    snprintf(op, sizeof(op), "%s", text_of(&answer, "id"));
}

static struct answer get_job(const char *what)
{
    return ask_at(&house, ada.token, "GET", NULL, "/v1/jobs/%s%s", op, what);
}

static struct answer job_that_is(const char *state)
{
    struct answer answer;

    job_await(&house, ada.token, op);
    answer = get_job("");
    cr_assert_str_eq(text_of(&answer, "state"), state);
    return answer;
}

/* The items of the job and its result are the lines of the stream. */
static void assert_same_as(const cJSON *lines)
{
    struct answer done = job_that_is("done"), items = get_job("/items");
    int n = cJSON_GetArraySize(lines);

    cr_assert_eq(number_of(&done, "done"), n - 1);
    cr_assert_eq(cJSON_GetArraySize(member(&items, "items")), n - 1);
    for (int i = 0; i < n - 1; i++) {
        cJSON *item = cJSON_GetArrayItem(member(&items, "items"), i);

        cr_assert_eq(cJSON_GetObjectItem(item, "number")->valueint,
                     cJSON_GetObjectItem(item, "ply")->valueint);
        cJSON_DeleteItemFromObject(item, "number");
        cr_assert(cJSON_Compare(item, cJSON_GetArrayItem(lines, i), true));
    }
    cr_assert(cJSON_Compare(member(&done, "result.summary"),
                            cJSON_GetObjectItem(cJSON_GetArrayItem(lines, n - 1), "summary"),
                            true));
}

Test(analysis, of_a_game_as_a_job_has_the_verdicts_of_the_stream_as_items)
{
    struct game game = game_of_ada("{\"moves\":[\"g3g4\",\"a7a6\",\"g4g3\",\"a6a7\",\"g3g4\"]}");
    cJSON *lines = lines_for_ada(&game, "{\"nodes\":2000,\"after\":1}");
    struct answer answer;
    char value[256];

    answer = judge_async(&game, "{\"nodes\":2000,\"after\":1}");
    cr_assert_not_null(http_header(&answer.reply, "Preference-Applied", value));
    cr_assert_str_eq(value, "respond-async");
    cr_assert_not_null(http_header(&answer.reply, "Location", value));
    cr_assert_str_eq(text_of(&answer, "kind"), "analysis");
    cr_assert_str_eq(text_of(&answer, "params.game"), game.id);
    cr_assert_eq(number_of(&answer, "params.moves"), 4);
    take_job(answer);
    assert_same_as(lines);
    cJSON_Delete(lines);
}

static void assert_job(struct answer answer, const char *id, bool same)
{
    assert_status(&answer, 202);
    cr_assert_eq(strcmp(text_of(&answer, "id"), id) == 0, same);
}

Test(analysis, asked_for_again_with_its_key_is_the_same_job)
{
    static const char key[] = "Idempotency-Key: mine\r\n", question[] = "{\"nodes\":1000}";
    struct game game = game_of_ada("{\"moves\":[\"g3g4\",\"a7a6\",\"g4g3\"]}");
    struct answer answer;

    take_job(judge_with(&game, key, question));
    assert_job(judge_with(&game, key, question), op, true);
    answer = job_that_is("done");
    cr_assert_eq(number_of(&answer, "done"), 3);
    play_as_ada(&game, "a6a7"); /* the question is the same, and was answered */
    assert_job(judge_with(&game, key, question), op, true);
    assert_job(judge_with(&game, key, "{\"nodes\":2000}"), op, false);
    assert_job(judge_with(&game, "Idempotency-Key: another\r\n", question), op, false);
    answer = judge_with(&game, "Idempotency-Key: \"\"\r\n", question);
    assert_problem(&answer, 400, "bad-parameter");
}

Test(analysis, of_a_record_as_a_job_has_the_verdicts_of_the_stream_as_items)
{
    static const char record[] = "position startpos moves 7g7f 3c3d 2g2f 8c8d";
    struct stream stream = lines_from("/v1/games/analyse?nodes=1000&after=2", NULL, record);
    cJSON *lines = rest_of(&stream);

    ada = new_player(&house, "Ada");
    take_job(
        ask_async(ada.token, "/v1/games/analyse?nodes=1000&after=2", "text/plain", "", record));
    assert_same_as(lines);
    cJSON_Delete(lines);
}

Test(analysis, of_no_moves_is_a_job_that_is_done_at_once)
{
    struct game game = game_of_ada("{\"moves\":[\"g3g4\"]}");
    struct answer answer;

    take_job(judge_async(&game, "{\"after\":1}"));
    answer = job_that_is("done");
    cr_assert_eq(number_of(&answer, "result.summary.0.good"), 0);
}

Test(analysis, as_a_job_is_for_players_and_others_get_the_stream)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    char path[96];
    struct answer answer;

    snprintf(path, sizeof(path), "/v1/games/%s/analyse", game.id);
    answer = ask_async(game.token, path, "application/json", "", "{}");
    assert_status(&answer, 200);
}

/* A game whose analysis takes a while. */
static struct game long_game(void)
{
    struct game game = game_of_ada("{\"moves\":[\"g3g4\",\"a7a6\",\"g4g3\",\"a6a7\"]}");

    for (int i = 0; i < 9; i++)
        play_as_ada(&game, "{\"moves\":[\"g3g4\",\"a7a6\",\"g4g3\",\"a6a7\"]}");
    return game;
}

static void await_place(int done)
{
    for (int now = 0, looks = 0; now < done; looks++) {
        struct answer answer;

        back_off(looks);
        answer = get_job("");
        now = number_of(&answer, "done");
    }
}

Test(analysis, as_a_job_goes_on_where_it_was_when_the_daemon_was_killed)
{
    struct game game = long_game();
    cJSON *lines = lines_for_ada(&game, "{\"nodes\":20000}");

    take_job(judge_async(&game, "{\"nodes\":20000}"));
    await_place(5);
    plyd_kill9(&house.plyd);
    plyd_start(&house.plyd, house.database, NULL);
    assert_same_as(lines);
    cJSON_Delete(lines);
}

Test(analysis, as_a_job_ends_when_it_is_cancelled)
{
    struct game game = long_game();
    struct answer answer;

    take_job(judge_async(&game, "{\"nodes\":100000}"));
    await_place(1);
    answer = ask_at(&house, ada.token, "DELETE", NULL, "/v1/jobs/%s", op);
    assert_status(&answer, 204);
    answer = job_that_is("cancelled");
    cr_assert_lt(number_of(&answer, "done"), 40);
}

Test(analysis, as_a_job_is_not_held_up_by_a_game_that_goes_on)
{
    struct game game = game_of_ada("{\"moves\":[\"g3g4\",\"a7a6\"]}");
    struct answer answer;

    take_job(judge_async(&game, "{\"nodes\":100000}"));
    answer = ask_at(&house, ada.token, "POST", "{\"to_ply\":0}", "/v1/games/%s/undo", game.id);
    assert_status(&answer, 200);
    answer = job_that_is("done");
    cr_assert_eq(number_of(&answer, "done"), 2);
}
