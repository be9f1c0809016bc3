/* test_check.c - positions that belong to no game: judged by the rules, and drawn. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <string.h>

#include "rules/rules.h"
#include "tests/http/house.h"

HOUSE_SUITE(check, house_share, HOUSE_PATIENCE_S);

static struct answer check(const char *variant, const char *body)
{
    return ask_at(&house, NULL, "POST", body, "/v1/variants/%s/check", variant);
}

static struct answer get(const char *path)
{
    return ask(&house, "GET", path, NULL, NULL);
}

static int is_valid(const struct answer *answer)
{
    assert_status(answer, 200);
    return cJSON_IsTrue(member(answer, "valid"));
}

/* ---- valid ---- */

Test(check, nothing_given_is_the_start_with_its_legal_moves)
{
    struct answer answer = check("shogi", "{}");

    cr_assert(is_valid(&answer));
    cr_assert_eq(number_of(&answer, "ply"), 0);
    cr_assert_eq(number_of(&answer, "to_move"), 1);
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "legal_moves")), 30);
    cr_assert_str_eq(text_of(&answer, "legal_moves.0"), "1g1f");
    cr_assert(cJSON_IsNull(member(&answer, "outcome")));
    cr_assert_str_eq(text_of(&answer, "options.rules"), "standard");
}

Test(check, no_body_at_all_is_the_start_too)
{
    struct answer answer = ask(&house, "POST", "/v1/variants/jungle/check", NULL, "");

    cr_assert(is_valid(&answer));
}

Test(check, moves_lead_to_the_position_after_them)
{
    struct answer answer = check("shogi", "{\"moves\":[\"7g7f\",\"3c3d\",\"8h2b+\"]}");

    cr_assert(is_valid(&answer));
    cr_assert_str_eq(text_of(&answer, "position"),
                     "lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL w B 4");
    cr_assert_eq(number_of(&answer, "to_move"), 2);
    cr_assert_eq(number_of(&answer, "ply"), 3);
}

Test(check, a_check_begins_at_the_position_with_the_options)
{
    struct answer answer = check("shogi", "{\"position\":\"4k4/9/4P4/9/9/9/9/9/4K4 b P 1\","
                                          "\"options\":{\"rules\":\"casual\"}}");

    cr_assert(is_valid(&answer));
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "legal_moves")), 85);
}

Test(check, a_king_in_check_is_told)
{
    struct answer answer = check("shogi", "{\"position\":\"4k4/9/4G4/9/9/9/9/9/4K4 b - 1\","
                                          "\"moves\":[\"5c5b\"]}");

    cr_assert(is_valid(&answer));
    cr_assert(cJSON_IsTrue(member(&answer, "check")));
}

Test(check, a_game_that_ends_has_an_outcome_and_nobody_to_move)
{
    struct answer answer = check("tictactoe", "{\"moves\":[\"a1\",\"b1\",\"a2\",\"b2\",\"a3\"]}");

    cr_assert(is_valid(&answer));
    cr_assert_eq(number_of(&answer, "outcome.winner"), 1);
    cr_assert_str_eq(text_of(&answer, "outcome.reason"), "line");
    cr_assert(cJSON_IsNull(member(&answer, "to_move")));
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "legal_moves")), 0);
}

Test(check, a_position_that_is_decided_already_is_valid_and_says_how)
{
    struct answer answer = check("jungle", "{\"position\":\"3E3/7/7/7/7/7/7/7/6r b\"}");

    cr_assert(is_valid(&answer));
    cr_assert_eq(number_of(&answer, "outcome.winner"), 1);
    cr_assert_str_eq(text_of(&answer, "outcome.reason"), "den");
}

Test(check, repetitions_among_the_moves_count)
{
    struct answer answer =
        check("turkish-draughts",
              "{\"position\":\"W:WKa1,Ka3:BKh8,Kh6\",\"moves\":[\"a1-b1\",\"h8-g8\",\"b1-a1\","
              "\"g8-h8\",\"a1-b1\",\"h8-g8\",\"b1-a1\",\"g8-h8\"]}");

    cr_assert(is_valid(&answer));
    cr_assert_str_eq(text_of(&answer, "outcome.reason"), "repetition");
    cr_assert(!has(&answer, "outcome.winner"));
}

Test(check, board_and_tree_of_any_size_come_along_if_asked_for)
{
    struct answer answer =
        ask_as(&house, NULL, "POST", "/v1/variants/stackchess/check?include=board,legal_tree",
               "{\"options\":{\"size\":10}}");

    cr_assert(is_valid(&answer));
    cr_assert_eq(number_of(&answer, "board.width"), 10);
    cr_assert_str_eq(text_of(&answer, "board.rows.9.0.square"), "a1");
    cr_assert(has(&answer, "legal_tree"));
}

Test(check, nothing_is_stored)
{
    struct answer answer = check("jungle", "{\"moves\":[\"a3a4\"]}"), again;

    again = check("jungle", "{\"moves\":[\"a3a4\"]}");
    cr_assert_str_eq(answer.reply.body, again.reply.body);
    cr_assert(!has(&answer, "id"));
}

/* ---- not valid ---- */

Test(check, a_move_that_is_refused_is_named_beside_the_position_before_it)
{
    struct answer answer = check("shogi", "{\"moves\":[\"7g7f\",\"3c3d\",\"7f7d\",\"1c1d\"]}");

    cr_assert_not(is_valid(&answer));
    cr_assert_eq(number_of(&answer, "problem.at"), 2);
    cr_assert_str_eq(text_of(&answer, "problem.move"), "7f7d");
    cr_assert_str_eq(text_of(&answer, "problem.code"), "wrong-shape");
    cr_assert_str_eq(text_of(&answer, "problem.pointer"), "/moves/2");
    cr_assert_str_eq(text_of(&answer, "problem.rule.number"), "3");
    cr_assert_eq(number_of(&answer, "ply"), 2);
    cr_assert_eq(number_of(&answer, "to_move"), 1);
    cr_assert_gt(cJSON_GetArraySize(member(&answer, "legal_moves")), 0);
}

Test(check, a_move_after_the_end_is_refused_with_the_outcome_beside_it)
{
    struct answer answer = check("tictactoe", "{\"options\":{\"k\":1},\"moves\":[\"a1\",\"b1\"]}");

    cr_assert_not(is_valid(&answer));
    cr_assert_str_eq(text_of(&answer, "problem.code"), "game-over");
    cr_assert_eq(number_of(&answer, "problem.at"), 1);
    cr_assert_eq(number_of(&answer, "outcome.winner"), 1);
}

Test(check, a_position_that_the_rules_refuse_is_told_by_law_and_byte)
{
    struct answer answer = check("stackchess", "{\"position\":\"tfdrft/ppp?pp/6/6/6/6 w - 0 1\"}");

    cr_assert_not(is_valid(&answer));
    cr_assert_str_eq(text_of(&answer, "problem.code"), "bad-position");
    cr_assert_str_eq(text_of(&answer, "problem.pointer"), "/position");
    cr_assert_str_eq(text_of(&answer, "problem.rule.number"), "11");
    cr_assert_eq(number_of(&answer, "problem.rule.at_byte"), 10);
    cr_assert(!has(&answer, "position"));
}

Test(check, options_that_do_not_go_together_are_not_valid)
{
    struct answer answer = check("tictactoe", "{\"options\":{\"k\":4}}");

    cr_assert_not(is_valid(&answer));
    cr_assert_str_eq(text_of(&answer, "problem.code"), "bad-option");
    cr_assert_str_eq(text_of(&answer, "problem.pointer"), "/options/k");
}

/* Asserts that the body, or the query, is judged by this code at this place. */
static void assert_judged(const char *variant, const char *body, const char *query,
                          const char *code, const char *option)
{
    char pointer[64];
    struct answer answer = check(variant, body);

    snprintf(pointer, sizeof(pointer), "/options/%s", option);
    cr_assert_not(is_valid(&answer), "%s", body);
    cr_assert_str_eq(text_of(&answer, "problem.code"), code);
    cr_assert_str_eq(text_of(&answer, "problem.pointer"), pointer);
    cr_assert_eq(number_of(&answer, "problem.status"), 422);
    snprintf(pointer, sizeof(pointer), "?options.%s", option);
    answer = ask_at(&house, NULL, "GET", NULL, "/v1/variants/%s/check?%s", variant, query);
    cr_assert_not(is_valid(&answer), "%s", query);
    cr_assert_str_eq(text_of(&answer, "problem.code"), code);
    cr_assert_str_eq(text_of(&answer, "problem.pointer"), pointer);
}

Test(check, a_faulty_option_is_judged_whatever_its_fault_and_wherever_it_stands)
{
    assert_judged("tictactoe", "{\"options\":{\"k\":4}}", "options.k=4", "bad-option", "k");
    assert_judged("tictactoe", "{\"options\":{\"k\":99}}", "options.k=99", "bad-option", "k");
    assert_judged("tictactoe", "{\"options\":{\"k\":\"x\"}}", "options.k=x", "bad-option", "k");
    assert_judged("shogi", "{\"options\":{\"rules\":\"loose\"}}", "options.rules=loose",
                  "bad-option", "rules");
    assert_judged("shogi", "{\"options\":{\"start\":\"queen\"}}", "options.start=queen",
                  "bad-position", "start");
}

Test(check, a_faulty_option_is_told_in_words_to_people)
{
    struct answer answer = ask(&house, "GET", "/v1/variants/shogi/check?options.rules=loose",
                               "Accept: text/plain\r\n", NULL);

    assert_status(&answer, 200);
    cr_assert_not_null(strstr(answer.reply.body, "casual"), "%s", answer.reply.body);
}

Test(check, a_board_with_a_faulty_option_is_refused)
{
    struct answer answer = get("/v1/variants/shogi/board.svg?options.rules=loose");

    assert_problem(&answer, 422, "bad-option");
}

/* ---- only to be looked at ---- */

static const char nine_pawns[] =
    "4k4/4P4/4P4/4P4/4P4/4P4/4P4/4P4/4P4 b - 1"; /* without a king, too */

Test(check, a_position_that_the_rules_call_impossible_is_shown_without_moves)
{
    struct answer answer = get("/v1/variants/shogi/check?include=board,legal_moves,legal_tree&"
                               "position=9/4P4/4P4/9/9/9/9/9/9_w_2R_1");

    cr_assert_not(is_valid(&answer));
    cr_assert(cJSON_IsFalse(member(&answer, "playable")));
    cr_assert_str_eq(text_of(&answer, "position"), "9/4P4/4P4/9/9/9/9/9/9 w 2R 1");
    cr_assert_eq(number_of(&answer, "to_move"), 2);
    cr_assert_eq(number_of(&answer, "board.hands.1.0.count"), 2);
    cr_assert_str_eq(text_of(&answer, "problem.rule.number"), "2.5");
    cr_assert(!has(&answer, "legal_moves") && !has(&answer, "legal_tree"));
    cr_assert(!has(&answer, "outcome"));
}

Test(check, a_position_that_can_be_played_says_so)
{
    struct answer answer = check("jungle", "{\"moves\":[\"a3a9\"]}");

    cr_assert_not(is_valid(&answer));
    cr_assert(cJSON_IsTrue(member(&answer, "playable")));
}

static void assert_drawn(const char *variant, const char *position, const char *rule)
{
    struct answer text = ask_at(&house, NULL, "GET", NULL, "/v1/variants/%s/board.txt?position=%s",
                                variant, position);
    struct answer picture =
        ask_at(&house, NULL, "GET", NULL, "/v1/variants/%s/board.svg?position=%s&marks=legal,check",
               variant, position);

    assert_status(&text, 200);
    cr_assert_not_null(strstr(text.reply.body, rule), "%s", text.reply.body);
    assert_status(&picture, 200);
    cr_assert_not_null(strstr(picture.reply.body, rule));
}

Test(check, impossible_positions_of_all_games_are_drawn)
{
    assert_drawn("shogi", "4k4/9/9/4P4/4P4/9/9/9/4K4_b_15G_1", "not playable (rule 2.5)");
    assert_drawn("jungle", "7/7/7/7/7/7/7/7/7_r_0_1", "not playable (rule J7)");
    assert_drawn("turkish-draughts", "W:Wa8:Bc5", "not playable (rule T4)");
    assert_drawn("stackchess", "(TP)3/4/4/t3_b_-_0_1", "not playable (rule 11)");
    assert_drawn("tictactoe", "xxx/3/3_o_3", "not playable (rule 9)");
}

Test(check, a_game_of_an_impossible_position_is_refused_and_says_where_to_look)
{
    char body[256];
    struct answer answer, picture;

    snprintf(body, sizeof(body), "{\"variant\":\"shogi\",\"position\":\"%s\"}", nine_pawns);
    answer = ask_as(&house, NULL, "POST", "/v1/games", body);
    assert_problem(&answer, 422, "bad-position");
    cr_assert_not_null(
        strstr(text_of(&answer, "detail"), "It can be looked at, though not played"));
    picture = get(text_of(&answer, "look_at"));
    assert_status(&picture, 200);
}

Test(check, a_record_of_an_impossible_position_is_refused_and_says_where_to_look)
{
    struct answer answer = ask_as(&house, NULL, "POST",
                                  "/v1/games/import?format=sfen&variant=shogi", nine_pawns),
                  picture;

    assert_problem(&answer, 422, "bad-position");
    cr_assert_not_null(strstr(text_of(&answer, "detail"), "options.rules=casual"));
    picture = get(text_of(&answer, "look_at"));
    assert_status(&picture, 200);
}

Test(check, moves_from_an_impossible_position_are_not_drawn)
{
    struct answer answer =
        get("/v1/variants/shogi/board.txt?position=9/4P4/4P4/9/9/9/9/9/9_b_-_1&moves=5b5a");

    assert_problem(&answer, 422, "bad-position");
}

/* ---- not even a question ---- */

Test(check, a_request_that_cannot_be_read_is_an_ordinary_problem)
{
    static const struct {
        const char *body;
        int status;
        const char *code;
    } bad[] = {
        {"{\"moves\":", 400, "malformed-json"},
        {"{\"moves\":\"7g7f\"}", 400, "bad-parameter"},
        {"{\"moves\":[7]}", 400, "bad-parameter"},
        {"{\"position\":7}", 400, "bad-parameter"},
        {"{\"options\":[]}", 400, "bad-parameter"},
        {"{\"postition\":\"4k4/9/9/9/9/9/9/9/4K4 b - 1\"}", 422, "unknown-field"},
        {"{\"options\":{\"size\":8}}", 422, "unknown-field"},
    };

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct answer answer = check("shogi", bad[i].body);

        assert_problem(&answer, bad[i].status, bad[i].code);
    }
}

Test(check, an_unknown_variant_is_404)
{
    struct answer answer = check("chess", "{}");

    assert_problem(&answer, 404, "no-such-variant");
    answer = get("/v1/variants/chess/check");
    assert_problem(&answer, 404, "no-such-variant");
    answer = get("/v1/variants/chess/board.txt");
    assert_problem(&answer, 404, "no-such-variant");
}

Test(check, more_moves_than_are_taken_are_refused_at_once)
{
    char body[8192] = "{\"moves\":[\"a3a4\"";
    struct answer answer;

    for (int i = 0; i < 510; i++)
        strcat(body, ",\"a3a4\"");
    strcat(body, "]}");
    answer = check("jungle", body);
    assert_problem(&answer, 400, "bad-parameter");
}

static struct answer ask_of_many_captures(const char *what)
{
    return ask_at(&house, NULL, "GET", NULL,
                  "/v1/variants/turkish-draughts/%sposition="
                  "W:WKa5:Bc8,g8,d7,h7,a6,e6,c5,g5,b4,f4,a3,e3,h3,d2,Kc1,Kg1",
                  what);
}

Test(check, hundreds_of_thousands_of_captures_are_not_marked)
{
    struct answer answer = ask_of_many_captures("board.txt?marks=legal&");

    assert_problem(&answer, 422, "too-many-moves");
}

Test(check, hundreds_of_thousands_of_captures_are_left_out)
{
    struct answer answer = ask_of_many_captures("check?include=legal_tree&");

    cr_assert_eq(answer.status, 200);
    cr_assert(cJSON_IsTrue(member(&answer, "valid")));
    cr_assert(cJSON_IsTrue(member(&answer, "legal_omitted")));
    cr_assert_not(has(&answer, "legal_moves"));
    cr_assert_not(has(&answer, "legal_tree"));
}

/* ---- by a query ---- */

Test(check, a_query_asks_the_same_as_a_body)
{
    struct answer body = check("stackchess", "{\"options\":{\"size\":8,\"knights\":true},"
                                             "\"moves\":[\"b1c3\",\"b7b5\"]}");
    struct answer query = get("/v1/variants/stackchess/check?options.size=8&options.knights=true"
                              "&moves=b1c3,b7b5");

    cr_assert(is_valid(&query));
    cr_assert_str_eq(query.reply.body, body.reply.body);
}

Test(check, in_a_query_a_low_line_is_a_blank_of_the_position_and_a_last_plus_promotes)
{
    struct answer answer = get("/v1/variants/shogi/check?position=4k4/9/9/4P4/9/9/9/9/4K4_b_-_1"
                               "&moves=5d5c+,5a4a&include=board");

    cr_assert(is_valid(&answer));
    cr_assert_str_eq(text_of(&answer, "position"), "5k3/9/4+P4/9/9/9/9/9/4K4 b - 3");
    cr_assert(has(&answer, "board"));
}

Test(check, a_query_that_is_wrong_is_told_by_its_parameter)
{
    static const struct {
        const char *query;
        int status;
        const char *code, *pointer;
    } bad[] = {
        {"options.rows=3", 422, "unknown-field", "?options.rows"},
        {"size=8", 422, "unknown-field", "?size"},
        {"include=everything", 400, "bad-parameter", "?include"},
        {"options.size=8&options.size=9", 400, "bad-parameter", "?options.size"},
    };

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct answer answer =
            ask_at(&house, NULL, "GET", NULL, "/v1/variants/stackchess/check?%s", bad[i].query);

        assert_problem(&answer, bad[i].status, bad[i].code);
        cr_assert_str_eq(text_of(&answer, "pointer"), bad[i].pointer);
    }
}

Test(check, a_query_of_too_many_moves_is_refused)
{
    char path[8192] = "/v1/variants/tictactoe/check?moves=a1";
    struct answer answer;

    for (int i = 0; i < 510; i++)
        strcat(path, ",a1");
    answer = get(path);
    assert_problem(&answer, 400, "bad-parameter");
}

/* ---- for people ---- */

static void assert_text(const char *path, const char *part)
{
    struct answer answer = ask(&house, "GET", path, "Accept: text/plain\r\n", NULL);

    assert_status(&answer, 200);
    cr_assert_not_null(strstr(answer.reply.body, part), "no '%s' in:\n%s", part, answer.reply.body);
}

Test(check, a_text_shows_the_board_and_how_it_stands)
{
    assert_text("/v1/variants/tictactoe/check?moves=b2", "o to move");
    assert_text("/v1/variants/tictactoe/check?moves=a1,b1,a2,b2,a3", "x wins (line)");
    assert_text("/v1/variants/tictactoe/check?moves=a1,a1", "a1 ends on a square that is taken");
    assert_text("/v1/variants/tictactoe/check?moves=a1,a1", "o to move");
    assert_text("/v1/variants/tictactoe/check?position=3/3/4_x_3", "All rows have the same length");
}

/* ---- boards ---- */

Test(check, a_board_is_drawn_of_any_position_from_either_side)
{
    struct answer answer = get("/v1/variants/turkish-draughts/board.txt?position=W:Wa1:BKh8");
    struct answer turned =
        get("/v1/variants/turkish-draughts/board.txt?position=W:Wa1:BKh8&view=2&style=ascii");

    assert_status(&answer, 200);
    cr_assert_not_null(strstr(answer.reply.body, "8  - - - - - - - B\n"));
    cr_assert_not_null(strstr(turned.reply.body, "1  - - - - - - - w\n"));
}

Test(check, a_board_without_a_position_is_the_start_with_the_options)
{
    struct answer answer = get("/v1/variants/tictactoe/board.txt?options.rows=5&options.cols=7");

    assert_status(&answer, 200);
    cr_assert_not_null(strstr(answer.reply.body, "   a   b   c   d   e   f   g\n5"));
}

Test(check, a_board_marks_the_last_move_and_where_a_piece_may_go)
{
    struct answer answer =
        get("/v1/variants/jungle/board.txt?moves=a3a4&style=ascii&marks=last,legal:a7");

    assert_status(&answer, 200);
    cr_assert_not_null(strchr(answer.reply.body, '*'));
    cr_assert_not_null(strchr(answer.reply.body, '.'));
}

Test(check, a_client_that_has_the_board_is_304)
{
    static const char path[] = "/v1/variants/jungle/board.txt";
    struct answer answer = get(path), again;
    char etag[256], value[256], headers[300];

    cr_assert_str_eq(http_header(&answer.reply, "Cache-Control", value),
                     "public, max-age=86400, immutable");
    snprintf(headers, sizeof(headers), "If-None-Match: %s\r\n",
             http_header(&answer.reply, "ETag", etag));
    again = ask(&house, "GET", path, headers, NULL);
    assert_status(&again, 304);
}

Test(check, a_board_that_cannot_be_drawn_is_a_problem)
{
    static const struct {
        const char *query;
        int status;
        const char *code, *pointer;
    } bad[] = {
        {"position=7/7_r", 422, "bad-position", "?position"},
        {"moves=a3a4,a3a4", 422, "empty-square", "?moves"},
        {"view=3", 400, "bad-parameter", "?view"},
        {"style=html", 400, "bad-parameter", "?style"},
        {"marks=best", 400, "bad-parameter", "?marks"},
        {"ply=1", 422, "unknown-field", "?ply"},
    };

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct answer answer =
            ask_at(&house, NULL, "GET", NULL, "/v1/variants/jungle/board.txt?%s", bad[i].query);

        assert_problem(&answer, bad[i].status, bad[i].code);
        cr_assert_str_eq(text_of(&answer, "pointer"), bad[i].pointer);
    }
}

/* ---- every game ---- */

ParameterizedTestParameters(check, a_check_says_of_every_game_what_the_game_itself_says)
{
    static size_t numbers[16];

    for (size_t i = 0; i < rules_games(); i++)
        numbers[i] = i;
    return cr_make_param_array(size_t, numbers, rules_games());
}

/* Plays the first legal move that a check tells of, again and again: in a game, and in further
 * checks. */
ParameterizedTest(size_t *number, check, a_check_says_of_every_game_what_the_game_itself_says)
{
    const char *name = rules_game(*number)->name;
    char body[2048], moves[1024] = "";
    struct game game;

    snprintf(body, sizeof(body), "{\"variant\":\"%s\"}", name);
    game = new_game(&house, body);
    for (int ply = 0; ply < 8; ply++) {
        struct answer answer, played;

        snprintf(body, sizeof(body), "{\"moves\":[%s]}", moves);
        answer = check(name, body);
        played = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s?include=legal_moves", game.id);
        cr_assert(is_valid(&answer));
        cr_assert_str_eq(text_of(&answer, "position"), text_of(&played, "position"));
        cr_assert(cJSON_Compare(member(&answer, "legal_moves"),
                                member(&played, "legal_moves.moves"), true));
        cr_assert(cJSON_Compare(member(&answer, "to_move"), member(&played, "to_move"), true));
        cr_assert(cJSON_Compare(member(&answer, "options"), member(&played, "options"), true));
        if (cJSON_GetArraySize(member(&answer, "legal_moves")) > 0) {
            play(&house, &game, text_of(&answer, "legal_moves.0"));
            snprintf(moves + strlen(moves), sizeof(moves) - strlen(moves), "%s\"%s\"",
                     ply == 0 ? "" : ",", text_of(&answer, "legal_moves.0"));
        }
    }
}
