/*
 * test_forms.c - the same answer as JSON for programs and as a text for people, and what ?include=
 * adds to it.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "house.h"

HOUSE_SUITE(forms, house_share, HOUSE_PATIENCE_S);

static struct answer ask_for(const char *type, const char *token, const char *method,
                             const char *path, const char *body)
{
    char headers[300];

    snprintf(headers, sizeof(headers), "Accept: %s\r\nAuthorization: Bearer %s\r\n", type,
             token == NULL ? "" : token);
    return ask(&house, method, path, headers, body);
}

static void assert_text(const struct answer *answer, int status, const char *part)
{
    char type[256];

    assert_status(answer, status);
    cr_assert_not_null(http_header(&answer->reply, "Content-Type", type));
    cr_assert_str_eq(type, "text/plain; charset=utf-8");
    cr_assert_not_null(strstr(answer->reply.body, part), "no '%s' in: %s", part,
                       answer->reply.body);
}

Test(forms, a_person_creates_and_plays_and_reads_boards)
{
    struct answer answer =
        ask(&house, "POST", "/v1/games", "Accept: text/plain\r\n", "{\"variant\":\"tictactoe\"}");
    char id[32], token[64], path[128];

    assert_text(&answer, 201, "token  plyd_seat_");
    cr_assert_eq(sscanf(answer.reply.body, "id %31s token %63s", id, token), 2);
    snprintf(path, sizeof(path), "/v1/games/%s/moves", id);
    answer = ask_for("text/plain", token, "POST", path, "{\"move\":\"b2\"}");
    assert_text(&answer, 201, "ply 1");
    snprintf(path, sizeof(path), "/v1/games/%s/undo", id);
    answer = ask_for("text/plain", token, "POST", path, "");
    assert_text(&answer, 200, "ply 0");
    snprintf(path, sizeof(path), "/v1/games/%s/events", id);
    answer = ask_for("text/plain", token, "GET", path, NULL);
    assert_text(&answer, 200, "undo");
}

Test(forms, a_text_that_was_kept_for_a_key_comes_again_as_a_text)
{
    static const char headers[] = "Accept: text/plain\r\nIdempotency-Key: that-of-a-text-form\r\n"
                                  "Content-Type: application/json\r\n";
    struct answer first = ask(&house, "POST", "/v1/games", headers, "{\"variant\":\"jungle\"}");
    struct answer again = ask(&house, "POST", "/v1/games", headers, "{\"variant\":\"jungle\"}");

    assert_text(&first, 201, "token");
    assert_text(&again, 201, "token");
    cr_assert_str_eq(again.reply.body, first.reply.body);
}

Test(forms, a_refusal_is_a_text_for_a_client_that_takes_texts)
{
    struct game game = new_game(&house, "{\"variant\":\"shogi\"}");
    char path[128];
    struct answer answer;

    snprintf(path, sizeof(path), "/v1/games/%s/moves", game.id);
    answer = ask_for("text/plain", game.token, "POST", path, "{\"move\":\"5e5d\"}");
    assert_text(&answer, 422, "(422 empty-square: see /problems/empty-square)");
}

Test(forms, a_text_names_the_place_of_what_is_wrong)
{
    struct answer answer = ask_for("text/plain", NULL, "POST", "/v1/games",
                                   "{\"variant\":\"jungle\",\"colour\":\"red\"}");

    assert_text(&answer, 422, "(422 unknown-field at /colour: see /problems/unknown-field)");
}

Test(forms, a_text_says_who_sits_where)
{
    struct answer answer =
        ask(&house, "POST", "/v1/games", "Accept: text/plain\r\n",
            "{\"variant\":\"jungle\",\"seats\":[{\"me\":true,\"name\":\"Ada\"},{\"open\":true}]}");

    assert_text(&answer, 201, "red: Ada, blue: an open seat\n");
}

Test(forms, an_unknown_form_is_refused_before_anything_is_done)
{
    struct game game = new_game(&house, "{\"variant\":\"shogi\"}");
    char path[128];
    struct answer answer;

    snprintf(path, sizeof(path), "/v1/games/%s/moves", game.id);
    answer = ask_for("image/png", game.token, "POST", path, "{\"move\":\"7g7f\"}");
    assert_problem(&answer, 406, "not-acceptable");
    cr_assert_str_eq(text_of(&answer, "detail"), "Available: application/json, text/plain.");
    answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s", game.id);
    cr_assert_eq(number_of(&answer, "ply"), 0);
}

Test(forms, what_is_not_there_is_not_there_in_any_form)
{
    static const char *const paths[] = {"/v1/variants/chess", "/v1/variants/chess/rules",
                                        "/v1/variants/chess/check", "/v1/positions/chess"};

    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        struct answer answer = ask_for("text/plain", NULL, "GET", paths[i], NULL);

        cr_assert_eq(answer.status, 404, "%s: %d", paths[i], answer.status);
        cr_assert_not_null(strstr(answer.reply.body, "no-such-variant"));
    }
}

Test(forms, json_wins_where_a_client_likes_both)
{
    static const char *const likes[] = {"*/*", "application/*, text/plain;q=0.5",
                                        "text/plain;q=0.9, application/json"};
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    char path[128];

    snprintf(path, sizeof(path), "/v1/games/%s", game.id);
    for (size_t i = 0; i < sizeof(likes) / sizeof(likes[0]); i++) {
        struct answer answer = ask_for(likes[i], NULL, "GET", path, NULL);

        cr_assert_str_eq(text_of(&answer, "id"), game.id);
    }
}

Test(forms, a_move_is_answered_with_all_that_is_needed_to_draw_and_to_play_on)
{
    struct game game = new_game(&house, "{\"variant\":\"shogi\"}");
    struct answer answer =
        ask_at(&house, game.token, "POST", "7g7f",
               "/v1/games/%s/moves?include=legal_moves,legal_tree,board", game.id);

    assert_status(&answer, 201);
    cr_assert_eq(number_of(&answer, "game.legal_moves.count"), 30);
    cr_assert_str_eq(text_of(&answer, "game.legal_tree.tree.3c.3d"), "3c3d");
    cr_assert_str_eq(text_of(&answer, "game.board.rows.0.0.square"), "9a");
    cr_assert_str_eq(text_of(&answer, "game.board.rows.0.0.men.0.name"), "lance");
    cr_assert_eq(number_of(&answer, "game.board.rows.0.0.men.0.seat"), 2);
    cr_assert_not(has(&answer, "game.board.rows.4.4.men"));
    cr_assert(has(&answer, "game.board.hands.1"));
}

Test(forms, every_game_shows_its_board_as_data_with_each_square_once)
{
    static const char *const variants[] = {"shogi", "tictactoe", "stackchess", "jungle",
                                           "turkish-draughts"};

    for (size_t i = 0; i < sizeof(variants) / sizeof(variants[0]); i++) {
        char body[64];
        struct game game;
        struct answer answer;
        int width, height;

        snprintf(body, sizeof(body), "{\"variant\":\"%s\"}", variants[i]);
        game = new_game(&house, body);
        answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s?include=board", game.id);
        width = number_of(&answer, "board.width");
        height = number_of(&answer, "board.height");
        cr_assert_eq(cJSON_GetArraySize(member(&answer, "board.rows")), height);
        for (int row = 0; row < height; row++) {
            char path[64];

            snprintf(path, sizeof(path), "board.rows.%d", row);
            cr_assert_eq(cJSON_GetArraySize(member(&answer, path)), width);
        }
    }
}

Test(forms, an_unknown_member_to_include_is_named)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    struct answer answer =
        ask_at(&house, NULL, "GET", NULL, "/v1/games/%s?include=board,moves", game.id);

    assert_problem(&answer, 400, "bad-parameter");
    cr_assert_str_eq(text_of(&answer, "pointer"), "?include");
    cr_assert_str_eq(text_of(&answer, "detail"),
                     "\"moves\" is not one of: legal_moves, legal_tree, board.");
}

Test(forms, an_earlier_position_shows_its_board_and_moves_too)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    struct answer answer;

    play(&house, &game, "g3g4");
    answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/positions/0?include=board,legal_moves",
                    game.id);
    cr_assert_eq(number_of(&answer, "legal_moves.count"), 24);
    cr_assert_eq(number_of(&answer, "board.width"), 7);
}

/* The lines of a text are the items of an array of the same answer as JSON. */
static void assert_lines(const struct answer *text, const cJSON *items)
{
    const char *rest = text->reply.body;
    const cJSON *item;

    cr_assert_gt(cJSON_GetArraySize(items), 0);
    cJSON_ArrayForEach(item, items)
    {
        size_t len = strlen(item->valuestring);

        cr_assert(strncmp(rest, item->valuestring, len) == 0 && rest[len] == '\n', "no '%s' at: %s",
                  item->valuestring, rest);
        rest += len + 1;
    }
    cr_assert_str_empty(rest);
}

Test(forms, a_text_has_a_line_for_each_legal_move)
{
    static const char *const queries[] = {"", "?from=g4", "?ply=0"};
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    char path[128];

    play(&house, &game, "g3g4");
    play(&house, &game, "g7g6");
    for (size_t i = 0; i < sizeof(queries) / sizeof(queries[0]); i++) {
        struct answer json, text;

        snprintf(path, sizeof(path), "/v1/games/%s/legal-moves%s", game.id, queries[i]);
        json = ask_for("application/json", NULL, "GET", path, NULL);
        text = ask_for("text/plain", NULL, "GET", path, NULL);
        assert_lines(&text, member(&json, "moves"));
    }
}

Test(forms, an_empty_name_of_a_seat_is_none)
{
    struct game game = new_game(
        &house,
        "{\"variant\":\"jungle\",\"seats\":[{\"me\":true,\"name\":\" \"},{\"open\":true}]}");
    struct answer answer =
        ask_at(&house, NULL, "POST", "{\"name\":\"\"}", "/v1/games/%s/join", game.id);

    assert_status(&answer, 200);
    cr_assert_not(has(&answer, "seats.0.name"));
    cr_assert_not(has(&answer, "seats.1.name"));
}
