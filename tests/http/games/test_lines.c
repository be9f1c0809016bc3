/* test_lines.c - undo, redo, and the lines that they make. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/http/house.h"

HOUSE_SUITE(lines, house_share, HOUSE_PATIENCE_S);

static struct answer turn(const struct game *game, const char *verb, const char *body)
{
    return ask_at(&house, game->token, "POST", body, "/v1/games/%s/%s", game->id, verb);
}

static void assert_position(const struct game *game, const char *query, const char *position)
{
    struct answer answer =
        ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/positions/%s", game->id, query);

    assert_status(&answer, 200);
    cr_assert_str_eq(text_of(&answer, "position"), position);
}

Test(lines, undo_takes_back_the_last_ply_of_a_hot_seat_game)
{
    struct game game = new_game(&house, "{\"variant\":\"tictactoe\"}");
    struct answer answer;

    play(&house, &game, "b2 a1");
    answer = turn(&game, "undo", "{}");
    assert_status(&answer, 200);
    cr_assert_eq(number_of(&answer, "ply"), 1);
    cr_assert_eq(number_of(&answer, "tip"), 2);
    cr_assert_str_eq(text_of(&answer, "position"), "3/1x1/3 o 3");
    cr_assert_str_eq(text_of(&answer, "last_move.move"), "b2");
}

Test(lines, undo_goes_back_to_the_start_and_drops_and_promotions_return)
{
    struct game game = new_game(
        &house,
        "{\"variant\":\"shogi\",\"moves\":[\"7g7f\",\"3c3d\",\"8h2b+\",\"3a2b\",\"B*4e\"]}");
    struct answer answer = turn(&game, "undo", "{\"to_ply\":2}");

    cr_assert_str_eq(text_of(&answer, "position"),
                     "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3");
    answer = turn(&game, "undo", "{\"to_ply\":0}");
    cr_assert_eq(number_of(&answer, "ply"), 0);
    answer = turn(&game, "undo", "{}");
    assert_problem(&answer, 409, "nothing-to-undo");
}

Test(lines, redo_plays_undone_moves_again)
{
    struct game game = new_game(&house, "{\"variant\":\"tictactoe\"}");
    struct answer answer;

    play(&house, &game, "b2 a1 c3");
    answer = turn(&game, "undo", "{\"to_ply\":0}");
    answer = turn(&game, "redo", "{\"to_ply\":3}");
    assert_status(&answer, 200);
    cr_assert_str_eq(text_of(&answer, "position"), "2x/1x1/o2 o 3");
    answer = turn(&game, "redo", "{}");
    assert_problem(&answer, 409, "nothing-to-redo");
}

Test(lines, a_won_game_that_is_undone_and_redone_is_won_again)
{
    struct game game = new_game(&house, "{\"variant\":\"tictactoe\"}");
    struct answer answer;

    play(&house, &game, "a1 a2 b1 b2 c1");
    answer = turn(&game, "undo", "{}");
    cr_assert_str_eq(text_of(&answer, "status"), "active");
    cr_assert_not(has(&answer, "outcome"));
    answer = turn(&game, "redo", "{}");
    cr_assert_str_eq(text_of(&answer, "status"), "finished");
    cr_assert_eq(number_of(&answer, "outcome.winner"), 1);
}

static void assert_text(const struct game *game, const char *what, const char *part)
{
    char path[128];
    struct answer answer;

    snprintf(path, sizeof(path), "/v1/games/%s/%s", game->id, what);
    answer = ask(&house, "GET", path, "Accept: text/plain\r\n", NULL);
    assert_status(&answer, 200);
    cr_assert_not_null(strstr(answer.reply.body, part), "%s: %s", path, answer.reply.body);
}

Test(lines, a_last_position_that_was_undone_says_as_a_text_how_it_ended_the_game)
{
    struct game game = new_game(&house, "{\"variant\":\"tictactoe\"}");
    struct answer answer;

    play(&house, &game, "a1 a2 b1 b2 c1");
    answer = turn(&game, "undo", "{}");
    assert_status(&answer, 200);
    assert_text(&game, "positions/5?line=1", "x wins (line)");
    assert_text(&game, "positions/-1?line=1", "x wins (line)");
    assert_text(&game, "positions/4", "x to move");
}

Test(lines, a_game_that_is_over_is_undone_to_its_start)
{
    struct game game = new_game(&house, "{\"variant\":\"tictactoe\",\"options\":{\"k\":1}}");
    struct answer answer;

    play(&house, &game, "b2");
    answer = turn(&game, "undo", "{\"to_ply\":0}");
    assert_status(&answer, 200);
    answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s", game.id);
    cr_assert_str_eq(text_of(&answer, "position"), "3/3/3 x 1");
    cr_assert_str_eq(text_of(&answer, "status"), "active");
}

Test(lines, a_move_after_an_undo_opens_a_line_and_the_old_one_keeps_its_address)
{
    struct game game = new_game(&house, "{\"variant\":\"tictactoe\"}");
    struct answer answer;

    play(&house, &game, "b2 a1 c3");
    answer = turn(&game, "undo", "{\"to_ply\":1}");
    play(&house, &game, "a3");
    assert_position(&game, "2", "o2/1x1/3 x 3");
    assert_position(&game, "2?line=1", "3/1x1/o2 x 3");
    assert_position(&game, "3?line=1", "2x/1x1/o2 o 3");
    assert_position(&game, "1?line=2", "3/1x1/3 o 3");
    answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/moves?line=1", game.id);
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 3);
    answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/moves", game.id);
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 2);
    cr_assert_eq(number_of(&answer, "items.1.line"), 2);
    answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/positions/3", game.id);
    assert_problem(&answer, 404, "no-such-ply");
}

/* The position after the first two moves, undone, is reached again by other moves. Where it counts
 * twice, the second time ends the game. */
Test(lines, repetition_counts_the_present_line_only)
{
    struct game game = new_game(&house, "{\"variant\":\"shogi\",\"options\":{\"repetition\":2}}");
    struct answer answer;

    play(&house, &game, "2h3h 8b7b");
    answer = turn(&game, "undo", "{\"to_ply\":0}");
    play(&house, &game, "2h4h 8b6b 4h3h");
    answer = ask_at(&house, game.token, "POST", "6b7b", "/v1/games/%s/moves", game.id);
    cr_assert_str_eq(text_of(&answer, "game.status"), "active");
    play(&house, &game, "3h2h 7b6b 2h3h");
    answer = ask_at(&house, game.token, "POST", "6b7b", "/v1/games/%s/moves", game.id);
    cr_assert_str_eq(text_of(&answer, "game.status"), "finished");
}

/* 4,100 plies in which the first position comes again 1,025 times. */
static struct game very_long_game(void)
{
    struct game game =
        new_game(&house, "{\"variant\":\"shogi\",\"options\":{\"repetition\":1026}}");
    char body[4096] = "{\"moves\":[\"2h3h\"";

    for (int i = 0; i < 25; i++)
        strcat(body, ",\"8b7b\",\"3h2h\",\"7b8b\",\"2h3h\"");
    strcpy(body + strlen(body) - strlen(",\"2h3h\""), "]}");
    for (int i = 0; i < 41; i++) {
        struct answer answer =
            ask_at(&house, game.token, "POST", body, "/v1/games/%s/moves", game.id);

        cr_assert_eq(answer.status, 201);
    }
    return game;
}

Test(lines, the_past_of_a_very_long_game_is_read_in_pages_and_counts_as_a_whole)
{
    struct game game;
    struct answer answer;
    char path[64], headers[128];
    struct http_reply redone;

    house_move_out(&house);
    game = very_long_game();
    answer = turn(&game, "undo", "{\"to_ply\":0}");
    assert_status(&answer, 200);
    house_open_second(&house);
    snprintf(path, sizeof(path), "/v1/games/%s/redo", game.id);
    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\n", game.token);
    http_request(house.second.port, &redone, "POST", path, headers, "{\"to_ply\":4100}");
    cr_assert_eq(redone.status, 200);
    cr_assert_not_null(strstr(redone.body, "\"reason\":\"repetition\""));
    http_free(&redone);
    http_request(house.second.port, &redone, "GET", "/metrics", NULL, NULL);
    cr_assert_not_null(strstr(redone.body, "plyd_db_batch_members_sum{kind=\"keys\"} 3\n"));
    http_free(&redone);
}

Test(lines, undo_against_the_computer_takes_back_its_answer_too)
{
    struct game game = new_game(
        &house, "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"engine\":\"random\"}]}");
    struct answer answer;

    play(&house, &game, "a3a4");
    answer = turn(&game, "undo", "{}");
    assert_status(&answer, 200);
    cr_assert_eq(number_of(&answer, "ply"), 0);
}

/* Asserts that the person is to move, or the game is over: it is never the computer's turn for
 * good. */
static void assert_my_turn(const struct answer *answer, int seat)
{
    assert_status(answer, 200);
    if (strcmp(text_of(answer, "status"), "active") == 0)
        cr_assert_eq(number_of(answer, "to_move"), seat);
}

static struct game game_with_computer(const char *variant, int seat, int seed)
{
    char body[256], computer[64];

    snprintf(computer, sizeof(computer), "{\"engine\":\"random\",\"seed\":%d}", seed);
    snprintf(body, sizeof(body), "{\"variant\":\"%s\",\"seats\":[%s,%s]}", variant,
             seat == 1 ? "{\"me\":true}" : computer, seat == 1 ? computer : "{\"me\":true}");
    return new_game(&house, body);
}

/* Plays the first legal move, so many times or until the game is over. Returns the ply. */
static int play_first_moves(const struct game *game, int times)
{
    int ply = 0;

    while (times-- > 0) {
        struct answer game_now =
            ask_at(&house, NULL, "GET", NULL, "/v1/games/%s?include=legal_moves", game->id);
        struct answer played;

        ply = number_of(&game_now, "ply");
        if (number_of(&game_now, "legal_moves.count") > 0) {
            played = ask_at(&house, game->token, "POST", text_of(&game_now, "legal_moves.moves.0"),
                            "/v1/games/%s/moves", game->id);
            assert_status(&played, 201);
            ply = number_of(&played, "game.ply");
        }
    }
    return ply;
}

/* Goes back to each ply, and forth again by one ply and then to the end. */
static void turn_back_and_forth(const struct game *game, int seat, int ply)
{
    for (int to = ply - 1; to >= 0; to--) {
        bool computers = to % 2 != seat - 1;
        char body[32];
        struct answer answer;

        snprintf(body, sizeof(body), "{\"to_ply\":%d}", to);
        answer = turn(game, "undo", body);
        assert_my_turn(&answer, seat);
        cr_assert_eq(number_of(&answer, "ply"), to + computers);
        cr_assert_eq(has(&answer, "answers"), computers);
        if (computers)
            cr_assert_eq(number_of(&answer, "answers.0.ply"), to + 1);
        if (to + 1 < ply && !computers) {
            snprintf(body, sizeof(body), "{\"to_ply\":%d}", to + 1);
            answer = turn(game, "redo", body);
            assert_my_turn(&answer, seat);
            cr_assert_str_eq(text_of(&answer, "answers.0.move"),
                             text_of(&answer, "last_move.move"));
        }
        if (computers && to > 0)
            play_first_moves(game, 1);
    }
}

Test(lines, the_computer_answers_wherever_undo_and_redo_leave_the_turn_to_it)
{
    for (int i = 0; i < 12; i++) {
        int seat = 1 + i % 2;
        struct game game = game_with_computer(i < 6 ? "shogi" : "tictactoe", seat, i);

        turn_back_and_forth(&game, seat, play_first_moves(&game, 3));
        play_first_moves(&game, 3);
    }
    cr_assert(plyd_verified(house.database));
}

Test(lines, a_fresh_daemon_lets_the_computer_answer_to_an_undo_too)
{
    struct game game;
    struct answer answer;

    house_move_out(&house);
    game = game_with_computer("shogi", 1, 5);
    play_first_moves(&game, 20);
    plyd_kill9(&house.plyd);
    plyd_start(&house.plyd, house.database, NULL);
    answer = turn(&game, "undo", "{\"to_ply\":7}");
    assert_my_turn(&answer, 1);
    cr_assert_eq(number_of(&answer, "ply"), 8);
    cr_assert_eq(play_first_moves(&game, 1), 10);
    cr_assert(plyd_verified(house.database));
}

Test(lines, a_game_with_an_open_seat_stays_open_after_an_undo)
{
    struct game game =
        new_game(&house, "{\"variant\":\"tictactoe\",\"moves\":[\"b2\"],\"undo\":\"free\","
                         "\"seats\":[{\"me\":true},{\"open\":true}]}");
    struct answer answer = turn(&game, "undo", "{\"to_ply\":0}");

    assert_status(&answer, 200);
    cr_assert_str_eq(text_of(&answer, "status"), "open");
}

Test(lines, a_game_without_undo_refuses_it)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\",\"undo\":\"never\"}");
    struct answer answer;

    play(&house, &game, "a3a4");
    answer = turn(&game, "undo", "{}");
    assert_problem(&answer, 403, "undo-never");
}

Test(lines, the_log_keeps_everything_in_order)
{
    static const char *const types[] = {"created", "move", "move", "undo", "move", "resigned"};
    struct game game = new_game(&house, "{\"variant\":\"tictactoe\"}");
    struct answer answer;

    play(&house, &game, "b2 a1");
    answer = turn(&game, "undo", "{}");
    play(&house, &game, "a3");
    answer = turn(&game, "resign", "{}");
    answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/events", game.id);
    for (int i = 0; i < 6; i++) {
        const cJSON *item = cJSON_GetArrayItem(member(&answer, "items"), i);

        cr_assert_eq(cJSON_GetObjectItem(item, "version")->valueint, i + 1);
        cr_assert_str_eq(cJSON_GetObjectItem(item, "type")->valuestring, types[i]);
    }
}

Test(lines, pages_of_the_history_lead_from_one_to_the_next)
{
    struct game game = new_game(&house, "{\"variant\":\"tictactoe\"}");
    char next[256] = "", link[256];
    struct answer answer;
    int seen = 0;

    play(&house, &game, "b2 a1 c3 a3 a2");
    snprintf(next, sizeof(next), "/v1/games/%s/moves?limit=2", game.id);
    while (*next != '\0') {
        answer = ask_as(&house, NULL, "GET", next, NULL);
        assert_status(&answer, 200);
        cr_assert_eq(number_of(&answer, "items.0.ply"), seen + 1);
        seen += cJSON_GetArraySize(member(&answer, "items"));
        *next = '\0';
        if (cJSON_IsString(member(&answer, "next"))) {
            snprintf(next, sizeof(next), "%s", text_of(&answer, "next"));
            cr_assert_not_null(strstr(http_header(&answer.reply, "Link", link), next));
        }
    }
    cr_assert_eq(seen, 5);
}

/* ---- what a client draws ---- */

Test(lines, history_and_positions_say_what_each_move_did)
{
    struct game game = new_game(
        &house, "{\"variant\":\"shogi\",\"moves\":[\"7g7f\",\"3c3d\",\"8h2b+\",\"3a2b\"]}");
    struct answer moves = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/moves", game.id);

    for (int ply = 1; ply <= 4; ply++) {
        struct answer then =
            ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/positions/%d", game.id, ply);
        const cJSON *item = cJSON_GetArrayItem(member(&moves, "items"), ply - 1);

        cr_assert(cJSON_Compare(member(&then, "effects"), cJSON_GetObjectItem(item, "effects"), 1));
        cr_assert_str_eq(text_of(&then, "text"), cJSON_GetObjectItem(item, "text")->valuestring);
    }
    cr_assert_str_eq(text_of(&moves, "items.3.text"), "☖同　銀");
    cr_assert_str_eq(text_of(&moves, "items.2.effects.0.type"), "capture");
    moves = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/positions/0", game.id);
    cr_assert(cJSON_IsNull(member(&moves, "text")));
    cr_assert_eq(cJSON_GetArraySize(member(&moves, "effects")), 0);
}

Test(lines, the_last_move_names_its_squares_and_the_board_its_marks)
{
    struct game game =
        new_game(&house, "{\"variant\":\"shogi\",\"moves\":[\"7g7f\",\"3c3d\",\"8h3c+\"]}");
    struct answer answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s?include=board", game.id);

    cr_assert_str_eq(text_of(&answer, "last_move.squares.0"), "8h");
    cr_assert_str_eq(text_of(&answer, "last_move.squares.1"), "3c");
    cr_assert(cJSON_Compare(member(&answer, "board.marks.last"),
                            member(&answer, "last_move.squares"), 1));
    cr_assert_str_eq(text_of(&answer, "board.marks.check.0"), "5a");
    cr_assert_str_eq(text_of(&answer, "board.files.0"), "9");
    cr_assert_str_eq(text_of(&answer, "board.ranks.8"), "i");
    answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/positions/0?include=board", game.id);
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "board.marks.last")), 0);
}

Test(lines, only_the_side_to_move_has_something_to_click_in_its_hand)
{
    struct game game = new_game(&house, "{\"variant\":\"shogi\",\"moves\":[\"7g7f\",\"3c3d\","
                                        "\"8h2b+\",\"3a2b\"]}");
    struct answer answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s?include=board", game.id);

    cr_assert_str_eq(text_of(&answer, "board.hands.1.0.click"), "B*");
    cr_assert_str_eq(text_of(&answer, "board.hands.2.0.name"), "bishop");
    cr_assert_not(has(&answer, "board.hands.2.0.click"));
}

Test(lines, a_resignation_is_taken_back_and_the_moves_stay)
{
    static const char *const moves[] = {"", "g3g4 a7a6"};

    for (int i = 0; i < 2; i++) {
        struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
        struct answer answer;

        play(&house, &game, moves[i]);
        answer = ask_at(&house, game.token, "POST", "", "/v1/games/%s/resign", game.id);
        assert_status(&answer, 200);
        cr_assert_str_eq(text_of(&answer, "you.may.0"), "undo");
        answer = ask_at(&house, game.token, "POST", "", "/v1/games/%s/undo", game.id);
        assert_status(&answer, 200);
        cr_assert_str_eq(text_of(&answer, "status"), "active");
        cr_assert_eq(number_of(&answer, "ply"), 2 * i);
        play(&house, &game, "a3a4");
    }
    cr_assert(plyd_verified(house.database));
}

Test(lines, a_line_that_does_not_exist_is_404_everywhere)
{
    static const char *const paths[] = {"/moves?line=2",       "/replay?line=2",
                                        "/replay.svg?line=2",  "/positions/0?line=2",
                                        "/board.txt?line=2",   "/board.svg?line=2&ply=0",
                                        "/legal-moves?line=2", "/export?line=2"};
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");

    play(&house, &game, "a3a4");
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        struct answer answer =
            ask_at(&house, NULL, "GET", NULL, "/v1/games/%s%s", game.id, paths[i]);

        assert_problem(&answer, 404, "no-such-ply");
    }
}

/* ---- from line to line ---- */

/* Line 1 is b2 a1 c3, line 2 is b2 c1 a3 c3, and line 3, the present one, b2 c1 a2. */
static struct game branched(void)
{
    struct game game = new_game(&house, "{\"variant\":\"tictactoe\"}");

    play(&house, &game, "b2 a1 c3");
    turn(&game, "undo", "{\"to_ply\":1}");
    play(&house, &game, "c1 a3 c3");
    turn(&game, "undo", "{\"to_ply\":2}");
    play(&house, &game, "a2");
    return game;
}

static struct answer lines_of(const struct game *game)
{
    struct answer answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/lines", game->id);

    assert_status(&answer, 200);
    return answer;
}

Test(lines, the_tree_names_each_line_with_where_it_begins_and_ends)
{
    struct game game = branched();
    struct answer answer = lines_of(&game);

    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 3);
    cr_assert_eq(number_of(&answer, "items.0.line"), 3);
    cr_assert(cJSON_IsTrue(member(&answer, "items.0.present")));
    cr_assert_eq(number_of(&answer, "items.0.tip"), 3);
    cr_assert_eq(number_of(&answer, "items.1.line"), 1);
    cr_assert_eq(number_of(&answer, "items.1.parent"), 3);
    cr_assert_eq(number_of(&answer, "items.1.from_ply"), 1);
    cr_assert_str_eq(text_of(&answer, "items.1.move"), "a1");
    cr_assert_eq(number_of(&answer, "items.2.line"), 2);
    cr_assert_eq(number_of(&answer, "items.2.from_ply"), 2);
    cr_assert_eq(number_of(&answer, "items.2.tip"), 4);
}

Test(lines, the_tree_comes_in_pages)
{
    struct game game = branched();
    struct answer answer =
        ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/lines?limit=1&after=1", game.id);

    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 1);
    cr_assert_eq(number_of(&answer, "items.0.line"), 1);
    cr_assert_not_null(strstr(text_of(&answer, "next"), "/lines?after=2&limit=1"));
}

Test(lines, a_redo_goes_over_to_any_line)
{
    struct game game = branched();
    struct answer answer = turn(&game, "redo", "{\"line\":1}");

    assert_status(&answer, 200);
    cr_assert_eq(number_of(&answer, "ply"), 3);
    cr_assert_eq(number_of(&answer, "line"), 4);
    cr_assert_str_eq(text_of(&answer, "last_move.move"), "c3");
    answer = turn(&game, "redo", "{\"line\":2,\"to_ply\":3}");
    assert_status(&answer, 200);
    cr_assert_eq(number_of(&answer, "ply"), 3);
    cr_assert_eq(number_of(&answer, "tip"), 4);
    cr_assert_str_eq(text_of(&answer, "last_move.move"), "a3");
    answer = turn(&game, "redo", "{}");
    cr_assert_str_eq(text_of(&answer, "last_move.move"), "c3");
    answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/moves", game.id);
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 4);
    cr_assert_str_eq(text_of(&answer, "items.1.move"), "c1");
}

Test(lines, going_over_adds_no_branch_to_the_tree)
{
    struct game game = branched();
    struct answer answer = turn(&game, "redo", "{\"line\":1}");

    answer = lines_of(&game);
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 3);
    cr_assert_eq(number_of(&answer, "items.0.tip"), 3);
}

Test(lines, a_game_that_goes_from_line_to_line_is_verified)
{
    struct game game = branched();
    const char *const bodies[] = {"{\"line\":1,\"to_ply\":0}", "{\"line\":2}",
                                  "{\"line\":3,\"to_ply\":2}", "{\"line\":1}"};

    for (size_t i = 0; i < 4; i++) {
        struct answer answer = turn(&game, "redo", bodies[i]);

        assert_status(&answer, 200);
    }
    play(&house, &game, "a3");
    cr_assert(plyd_verified(house.database));
}

Test(lines, a_line_that_there_is_not_is_refused)
{
    struct game game = branched();
    struct answer answer = turn(&game, "redo", "{\"line\":4}");

    assert_problem(&answer, 404, "no-such-ply");
    answer = turn(&game, "redo", "{\"line\":1,\"to_ply\":4}");
    assert_problem(&answer, 404, "no-such-ply");
}

Test(lines, a_resigned_game_goes_on_in_another_line)
{
    struct game game = branched();
    struct answer answer = turn(&game, "resign", "");

    answer = turn(&game, "redo", "{\"line\":1}");
    assert_status(&answer, 200);
    cr_assert_str_eq(text_of(&answer, "status"), "active");
}

Test(lines, variations_of_a_record_are_lines)
{
    static const char kif[] = "   1 ７六歩(77)\n   2 ３四歩(33)\n   3 投了\n\n変化：2手\n"
                              "   2 ８四歩(83)\n*why not\n\n変化：1手\n   1 ２六歩(27)\n";
    struct answer answer = ask(&house, "POST", "/v1/games/import", NULL, kif);
    struct game game;

    assert_status(&answer, 201);
    cr_assert_eq(number_of(&answer, "imported.variations"), 2);
    cr_assert_eq(number_of(&answer, "ply"), 2);
    snprintf(game.id, sizeof(game.id), "%s", text_of(&answer, "id"));
    answer = lines_of(&game);
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 3);
    cr_assert_str_eq(text_of(&answer, "items.2.comment"), "why not");
    answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s.kif", game.id);
    cr_assert_not_null(strstr(answer.reply.body, "変化：2手\n   2 ８四歩(83)\n*why not\n"));
    cr_assert_not_null(strstr(answer.reply.body, "変化：1手\n   1 ２六歩(27)"));
}
