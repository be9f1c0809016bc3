/* test_clicks.c - moves as lists of clicks: those of the tree, and others. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/http/house.h"

HOUSE_SUITE(clicks, house_share, HOUSE_PATIENCE_S);

/* The clicks of one move of a tree, as an array; `choice` says which way to go down. */
static cJSON *clicks_of(const cJSON *node, int choice, char move[64])
{
    cJSON *clicks = cJSON_CreateArray();

    while (!cJSON_IsString(node)) {
        node = cJSON_GetArrayItem(node, choice++ % cJSON_GetArraySize(node));
        cJSON_AddItemToArray(clicks, cJSON_CreateString(node->string));
    }
    snprintf(move, 64, "%s", node->valuestring);
    return clicks;
}

/* Sends the clicks, which it frees. */
static struct answer send_clicks(const struct game *game, cJSON *clicks, const char *method,
                                 const char *where)
{
    cJSON *body = cJSON_CreateObject();
    struct answer answer;
    char *text;

    cJSON_AddItemToObject(body, "clicks", clicks);
    text = cJSON_PrintUnformatted(body);
    answer = ask_at(&house, game->token, method, text, "/v1/games/%s/moves%s", game->id, where);
    cJSON_free(text);
    cJSON_Delete(body);
    return answer;
}

Test(clicks, every_game_is_played_by_clicks_alone)
{
    static const char *const variants[] = {"shogi", "tictactoe", "stackchess", "jungle",
                                           "turkish-draughts"};

    for (size_t i = 0; i < sizeof(variants) / sizeof(variants[0]); i++) {
        char body[64], move[64];
        struct game game;

        snprintf(body, sizeof(body), "{\"variant\":\"%s\"}", variants[i]);
        game = new_game(&house, body);
        for (int ply = 0; ply < 40; ply++) {
            struct answer now =
                ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/legal-moves?format=tree", game.id);
            struct answer played;

            if (number_of(&now, "count") == 0)
                break;
            played = send_clicks(&game, clicks_of(member(&now, "tree"), 7 * ply, move), "POST", "");
            assert_status(&played, 201);
            cr_assert_str_eq(text_of(&played, "move"), move);
        }
    }
}

/* Clicks that are not in the tree, and the move that they would make. */
static const struct refused {
    const char *game, *clicks, *move, *code;
} refused[] = {
    {"{\"variant\":\"turkish-draughts\",\"position\":\"W:Wd4,h2:Bd5,h8\"}", "[\"h2\",\"h3\"]",
     "h2-h3", "must-capture"},
    {"{\"variant\":\"turkish-draughts\",\"position\":\"W:Wd4,h2:Bd5,d7,h3,h8\"}", "[\"d4\",\"d6\"]",
     "d4xd6", "must-capture-more"},
    {"{\"variant\":\"turkish-draughts\"}", "[\"a3\",\"a2\"]", "a3-a2", "wrong-shape"},
    {"{\"variant\":\"turkish-draughts\"}", "[\"a4\",\"a5\"]", "a4-a5", "empty-square"},
    {"{\"variant\":\"stackchess\"}", "[\"a2\",\"a3\",\"2\"]", "2a2a3", "stack-too-small"},
    {"{\"variant\":\"stackchess\"}", "[\"a2\",\"b3\"]", "a2b3", "wrong-shape"},
    {"{\"variant\":\"shogi\"}", "[\"P*\",\"5e\"]", "P*5e", "not-in-hand"},
    {"{\"variant\":\"shogi\"}", "[\"7g\",\"7f\",\"+\"]", "7g7f+", "cannot-promote"},
    {"{\"variant\":\"shogi\",\"position\":\"4k4/P8/9/9/9/9/9/9/4K4 b - 1\"}", "[\"9b\",\"9a\"]",
     "9b9a", "must-promote"},
    {"{\"variant\":\"shogi\"}", "[\"7g\",\"7e\"]", "7g7e", "wrong-shape"},
    {"{\"variant\":\"jungle\"}", "[\"a3\",\"a5\"]", "a3a5", "wrong-shape"},
    {"{\"variant\":\"tictactoe\",\"moves\":[\"b2\"]}", "[\"b2\"]", "b2", "occupied"},
    {"{\"variant\":\"tictactoe\"}", "[\"a1\",\"b2\"]", "a1b2", "bad-move-text"},
};

Test(clicks, clicks_that_are_not_in_the_tree_are_refused_as_the_move_that_they_make)
{
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        struct game game = new_game(&house, refused[i].game);
        char body[64];

        snprintf(body, sizeof(body), "\"%s\"", refused[i].move);
        for (int way = 0; way < 3; way++) {
            struct answer answer =
                way == 2
                    ? ask_at(&house, game.token, "POST", refused[i].move, "/v1/games/%s/moves",
                             game.id)
                    : send_clicks(&game, cJSON_Parse(refused[i].clicks), way == 0 ? "PUT" : "POST",
                                  way == 0 ? strstr(refused[i].game, "moves") ? "/2" : "/1"
                                           : "?dry_run=true");

            assert_problem(&answer, 422, refused[i].code);
            cr_assert_str_eq(text_of(&answer, "move"), refused[i].move);
        }
    }
}

/* One click, and the refusal that says best why nothing follows on it. */
static const struct refused stuck[] = {
    {"{\"variant\":\"turkish-draughts\",\"position\":\"W:Wd4,h2:Bd5,h8\"}", "[\"h2\"]", "h2-h3",
     "must-capture"},
    {"{\"variant\":\"turkish-draughts\",\"position\":\"W:Wd4,h2,b3:Bd5,d7,b4,h8\"}", "[\"b3\"]",
     "b3xb5", "must-capture-more"},
    {"{\"variant\":\"shogi\"}", "[\"8h\"]", "8h6f", "blocked"},
    {"{\"variant\":\"shogi\"}", "[\"8i\"]", "8i8h", "occupied"},
    {"{\"variant\":\"shogi\",\"position\":\"4k4/4r4/9/9/9/9/9/4N4/4K4 b - 1\"}", "[\"5h\"]", "5h6f",
     "leaves-king-in-check"},
    {"{\"variant\":\"shogi\"}", "[\"P*\"]", "P*9a", "not-in-hand"},
    {"{\"variant\":\"shogi\"}", "[\"7c\"]", "7c7b", "not-your-piece"},
    {"{\"variant\":\"shogi\"}", "[\"7g\"]", "7g", "bad-move-text"}, /* it may move */
    {"{\"variant\":\"shogi\"}", "[\"xx\"]", "xx", "bad-move-text"},
};

Test(clicks, one_click_asks_why_its_man_cannot_move)
{
    for (size_t i = 0; i < sizeof(stuck) / sizeof(stuck[0]); i++) {
        struct game game = new_game(&house, stuck[i].game);
        struct answer answer =
            send_clicks(&game, cJSON_Parse(stuck[i].clicks), "PUT", "/1?dry_run=true");

        assert_problem(&answer, 422, stuck[i].code);
        cr_assert_str_eq(text_of(&answer, "move"), stuck[i].move);
    }
}

Test(clicks, a_refusal_that_was_asked_for_is_no_failed_request)
{
    struct game game = new_game(&house, "{\"variant\":\"shogi\"}");
    struct answer why =
        send_clicks(&game, cJSON_Parse("[\"7g\",\"7e\"]"), "PUT", "/1?explain=true");
    struct answer legal =
        send_clicks(&game, cJSON_Parse("[\"7g\",\"7f\"]"), "PUT", "/1?explain=true");
    struct answer now = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s", game.id);

    assert_status(&why, 200);
    cr_assert_str_eq(text_of(&why, "problem.code"), "wrong-shape");
    cr_assert_str_eq(text_of(&why, "problem.move"), "7g7e");
    assert_status(&legal, 200);
    cr_assert_str_eq(text_of(&legal, "move"), "7g7f");
    cr_assert_eq(number_of(&now, "ply"), 0);
}

Test(clicks, a_refusal_is_told_as_moves_are_typed_and_as_people_write_them)
{
    struct game game = new_game(&house, "{\"variant\":\"shogi\"}");
    struct answer why = send_clicks(&game, cJSON_Parse("[\"8h\",\"6f\"]"), "PUT", "/1");

    cr_assert_str_eq(text_of(&why, "detail"),
                     "8h6f is blocked: 7g. Only a knight jumps over a piece.");
    cr_assert_str_eq(text_of(&why, "text"),
                     "８八６六 is blocked: ７七. Only a knight jumps over a piece.");
    game = new_game(&house, "{\"variant\":\"jungle\"}");
    why = send_clicks(&game, cJSON_Parse("[\"a3\",\"a5\"]"), "PUT", "/1");
    cr_assert_not(has(&why, "text"));
}

Test(clicks, the_same_clicks_again_are_the_same_move)
{
    struct game game =
        new_game(&house, "{\"variant\":\"turkish-draughts\",\"position\":\"W:Wd4,h2:Bd5,h8\"}");

    for (int times = 0; times < 2; times++) {
        struct answer answer = send_clicks(&game, cJSON_Parse("[\"d4\",\"d6\"]"), "PUT", "/1");

        assert_status(&answer, times == 0 ? 201 : 200);
        cr_assert_str_eq(text_of(&answer, "move"), "d4xd6");
    }
}

Test(clicks, a_dry_run_of_clicks_plays_nothing)
{
    struct game game = new_game(&house, "{\"variant\":\"shogi\"}");
    struct answer answer =
        send_clicks(&game, cJSON_Parse("[\"7g\",\"7f\"]"), "PUT", "/1?dry_run=true");

    assert_status(&answer, 200);
    cr_assert_str_eq(text_of(&answer, "move"), "7g7f");
    answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s", game.id);
    cr_assert_eq(number_of(&answer, "ply"), 0);
}

Test(clicks, a_body_has_one_of_move_clicks_and_moves)
{
    static const char many[] =
        "{\"clicks\":[\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\","
        "\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\"]}";
    static const char *const bodies[] = {"{\"clicks\":[\"7g\",\"7f\"],\"move\":\"7g7f\"}",
                                         "{\"clicks\":[\"7g\",\"7f\"],\"moves\":[\"7g7f\"]}",
                                         "{\"clicks\":[]}",
                                         "{\"clicks\":[\"7g7f\"]}",
                                         "{\"clicks\":[7]}",
                                         "{\"clicks\":\"7g7f\"}",
                                         many};
    struct game game = new_game(&house, "{\"variant\":\"shogi\"}");

    for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
        struct answer answer =
            ask_at(&house, game.token, "POST", bodies[i], "/v1/games/%s/moves", game.id);

        assert_status(&answer, 400);
    }
}
