/* test_games.c - games that are no part of plyd: a module is played as any game is, and what is
 * none is refused at the start. The module is that of examples/hex/. */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/http/house.h"
#include "tests/support/files.h"
#include "tests/support/ready.h"

static struct house house;

/* Where `make` puts the modules of examples/. */
static const char *games_folder(void)
{
    const char *folder = getenv("PLYD_TEST_GAMES");

    return folder != NULL ? folder : "build/release/games";
}

static void open_with_hex(void)
{
    struct answer answer;

    setenv("PLYD_GAMES", games_folder(), 1);
    house_open(&house);
    answer = ask(&house, "GET", "/openapi.json", NULL, NULL);
    cr_assert_not_null(answer.json);
    house.contract = answer.json;
}

static void close_verified(void)
{
    house_close_verified(&house);
}

TestSuite(games, .init = open_with_hex, .fini = close_verified, .timeout = HOUSE_PATIENCE_S);

static const char *path_of(const char *format, const char *id)
{
    static char path[128];

    snprintf(path, sizeof(path), format, id);
    return path;
}

#define SMALL "{\"variant\":\"hex\",\"options\":{\"size\":3}}"

static struct answer get(const char *headers, const char *path, const char *id)
{
    return ask(&house, "GET", path_of(path, id), headers, NULL);
}

Test(games, the_contract_and_the_catalogue_name_a_module)
{
    struct answer yaml = get(NULL, "/openapi.yaml", "");
    struct answer list = get(NULL, "/v1/variants", ""), hex = get(NULL, "/v1/variants/hex", "");
    struct answer reversi = get(NULL, "/v1/variants/reversi", "");

    cr_assert_not_null(strstr(yaml.reply.body, "jungle, turkish-draughts, hex"));
    cr_assert_not_null(strstr(yaml.reply.body, "]\n      description: The name of a game."));
    cr_assert_str_eq(text_of(&list, "items.5.name"), "hex");
    cr_assert(cJSON_IsTrue(member(&list, "items.0.engine_knows")));
    cr_assert(cJSON_IsFalse(member(&list, "items.5.engine_knows")));
    cr_assert(cJSON_IsTrue(member(&reversi, "engine_knows")));
    cr_assert_str_eq(text_of(&hex, "title"), "Hex");
    cr_assert_str_eq(text_of(&hex, "ends.0.reason"), "connected");
    cr_assert_str_eq(text_of(&hex, "ends.0.meaning"), "Two edges are joined.");
}

Test(games, the_log_names_each_module_with_its_file_at_the_start)
{
    plyd_await_log(&house.plyd);
    cr_assert(plyd_logged(&house.plyd, "\"game-loaded\",\"game\":\"hex\",\"file\":\""));
    cr_assert_not(plyd_logged(&house.plyd, "\"game-loaded\",\"game\":\"jungle\""));
}

Test(games, a_module_has_its_rulebook_and_its_words)
{
    struct answer book = get(NULL, "/v1/variants/hex/rules", "");
    struct answer turkish = get(NULL, "/v1/variants/hex/rules?lang=tr", "");

    cr_assert_not_null(strstr(book.reply.body, "Two sides put stones on a board of hexagons."));
    cr_assert_not_null(strstr(turkish.reply.body, "Taş boş bir kareye konur."));
    cr_assert_not_null(strstr(turkish.reply.body, "kenarlar birleşti"));
}

Test(games, a_game_of_a_module_is_played_to_its_own_end)
{
    struct game game = new_game(&house, SMALL);
    struct answer answer;

    play(&house, &game, "b3 a1 b2 c1 b1");
    answer = get(NULL, "/v1/games/%s", game.id);
    cr_assert_str_eq(text_of(&answer, "status"), "finished");
    cr_assert_str_eq(text_of(&answer, "outcome.reason"), "connected");
    cr_assert_eq(number_of(&answer, "outcome.winner"), 1);
    answer = get("Accept: text/plain\r\n", "/v1/games/%s?lang=tr", game.id);
    cr_assert_not_null(strstr(answer.reply.body, "kırmızı kazandı (kenarlar birleşti)"), "%s",
                       answer.reply.body);
    answer = get(NULL, "/v1/games/%s/board.svg", game.id);
    cr_assert_not_null(strstr(answer.reply.body, "data-square=\"c3\""));
}

Test(games, a_refusal_of_a_module_names_its_law)
{
    struct game game = new_game(&house, SMALL);
    struct answer answer;

    play(&house, &game, "b2");
    answer = ask_at(&house, game.token, "PUT", "b2", "/v1/games/%s/moves/2", game.id);
    assert_problem(&answer, 422, "occupied");
    cr_assert_str_eq(text_of(&answer, "rule.id"), "hex.on-empty");
}

Test(games, the_engine_answers_in_a_module_that_brings_no_judgement)
{
    struct game game =
        new_game(&house, "{\"variant\":\"hex\",\"options\":{\"size\":3},\"seats\":[{\"me\":true},"
                         "{\"engine\":\"plyd\",\"level\":4}]}");
    struct answer answer;

    char path[96], headers[256];

    snprintf(path, sizeof(path), "/v1/games/%s/moves/1", game.id);
    snprintf(headers, sizeof(headers),
             "Authorization: Bearer %s\r\nContent-Type: text/plain\r\nPrefer: wait=60\r\n",
             game.token);
    answer = ask(&house, "PUT", path, headers, "b2");
    assert_status(&answer, 201);
    cr_assert_eq(number_of(&answer, "game.ply"), 2);
}

Test(games, a_game_with_passes_is_played_through_kept_and_taken_up_again)
{
    struct game game =
        new_game(&house, "{\"variant\":\"reversi\",\"position\":\"bw6/8/8/8/8/8/8/bw6 b\"}");
    struct answer answer, again;

    answer = ask_at(&house, game.token, "PUT", "pass", "/v1/games/%s/moves/1", game.id);
    assert_problem(&answer, 422, "not-allowed");
    cr_assert_str_eq(text_of(&answer, "detail"),
                     "pass is against the rules. Only a side that can put no disc passes.");
    play(&house, &game, "c1");
    answer = get(NULL, "/v1/games/%s/legal-moves", game.id);
    cr_assert_str_eq(text_of(&answer, "moves.0"), "pass");
    play(&house, &game, "pass c8");
    answer = get(NULL, "/v1/games/%s", game.id);
    cr_assert_str_eq(text_of(&answer, "outcome.reason"), "no_place");
    answer = get(NULL, "/v1/games/%s/moves", game.id);
    cr_assert_str_eq(text_of(&answer, "items.1.move"), "pass");
    answer = get(NULL, "/v1/games/%s/board.svg?ply=2", game.id);
    assert_status(&answer, 200);
    answer = get(NULL, "/v1/games/%s/export", game.id);
    cr_assert_not_null(strstr(answer.reply.body, "\"pass\""), "%s", answer.reply.body);
    again = ask(&house, "POST", "/v1/games/import", "Content-Type: application/json\r\n",
                answer.reply.body);
    assert_status(&again, 201);
    cr_assert_str_eq(text_of(&again, "game.outcome.reason"), "no_place");
}

/* The board of tests/games/honeycomb/ is a hexagon of hexagons. */
Test(games, a_board_that_is_no_rectangle_is_told_and_drawn_as_what_it_is)
{
    struct game game = new_game(&house, "{\"variant\":\"honeycomb\"}");
    struct answer answer = get(NULL, "/v1/variants/honeycomb", "");
    size_t squares = 0;

    cr_assert_str_eq(text_of(&answer, "board.tiling"), "hexagons");
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "board.squares")), 19);
    cr_assert_str_eq(text_of(&answer, "board.squares.0"), "c5");
    answer = get(NULL, "/v1/games/%s?include=board", game.id);
    cr_assert(cJSON_IsTrue(member(&answer, "board.rows.0.1.missing")));
    cr_assert_not_null(strstr(answer.reply.body, "{\"square\":\"c5\"}"));
    answer = ask_at(&house, game.token, "PUT", "b5", "/v1/games/%s/moves/1", game.id);
    assert_problem(&answer, 422, "out-of-board");
    answer = get(NULL, "/v1/games/%s/board.svg", game.id);
    for (const char *at = answer.reply.body; (at = strstr(at, "data-square=")) != NULL; at++)
        squares++;
    cr_assert_eq(squares, 19);
    cr_assert_not_null(strstr(answer.reply.body, "id=\"sq-a3\" data-square=\"a3\" "
                                                 "transform=\"translate(50 232)\""));
    cr_assert_not_null(strstr(answer.reply.body, "id=\"sq-c5\" data-square=\"c5\" "
                                                 "transform=\"translate(150 58)\""));
    answer = get(NULL, "/v1/games/%s/board.txt?style=ascii", game.id);
    cr_assert_not_null(strstr(answer.reply.body, "  5  . . .\n"
                                                 " 4  . . . .\n"
                                                 "3  . . . . .\n"
                                                 " 2  . . . . e\n"
                                                 "  1  . . . d\n"
                                                 "      a b c\n"),
                       "%s", answer.reply.body);
}

/* ---- a board of squares that has holes: that of examples/mill/ ---- */

static size_t times(const char *text, const char *what)
{
    size_t n = 0;

    for (; (text = strstr(text, what)) != NULL; text++)
        n++;
    return n;
}

Test(games, squares_that_are_missing_are_told_as_such_and_are_in_no_picture)
{
    struct game game = new_game(&house, "{\"variant\":\"mill\"}");
    struct answer answer = get(NULL, "/v1/variants/mill", "");

    cr_assert_str_eq(text_of(&answer, "board.tiling"), "squares");
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "board.squares")), 24);
    play(&house, &game, "d7 d6");
    answer = ask_at(&house, game.token, "PUT", "d4", "/v1/games/%s/moves/3", game.id);
    assert_problem(&answer, 422, "out-of-board");
    answer = get(NULL, "/v1/games/%s?include=board", game.id);
    cr_assert(cJSON_IsTrue(member(&answer, "board.rows.3.3.missing")));
    cr_assert_eq(times(answer.reply.body, "\"missing\":true"), 25);
    answer = get(NULL, "/v1/games/%s/board.svg", game.id);
    cr_assert_eq(times(answer.reply.body, " data-square=\""), 24);
    cr_assert_eq(times(answer.reply.body, "any\" x=\""), 24); /* tiles */
    answer = get(NULL, "/v1/games/%s/board.txt?style=ascii", game.id);
    cr_assert_not_null(strstr(answer.reply.body, "   a  b  c  d  e  f  g\n"
                                                 "7  .        W        .\n"
                                                 "6     .     B*    .\n"
                                                 "5        .  .  .\n"
                                                 "4  .  .  .     .  .  .\n"
                                                 "3        .  .  .\n"),
                       "%s", answer.reply.body);
    answer = get(NULL, "/v1/games/%s/board.png", game.id);
    assert_status(&answer, 200);
}

Test(games, what_a_mill_takes_is_a_part_of_the_move)
{
    struct game game = new_game(&house, "{\"variant\":\"mill\"}");
    struct answer answer;

    play(&house, &game, "a7 b6 d7 d6");
    answer = ask_at(&house, game.token, "PUT", "g7", "/v1/games/%s/moves/5", game.id);
    assert_problem(&answer, 422, "must-capture");
    cr_assert_str_eq(text_of(&answer, "detail"),
                     "g7 takes nothing, but a capture is possible: g7xb6, g7xd6. Who makes a mill "
                     "takes a man of the other side, and nobody else.");
    answer = ask_at(&house, game.token, "PUT", "a4xb6", "/v1/games/%s/moves/5", game.id);
    assert_problem(&answer, 422, "not-allowed");
    play(&house, &game, "g7xd6");
    answer = get(NULL, "/v1/games/%s", game.id);
    cr_assert_str_eq(text_of(&answer, "position"), "www/b../.../....../.../.../... b 6 7 0");
}

Test(games, a_mill_is_not_broken_while_there_are_other_men_to_take)
{
    struct game game = new_game(&house, "{\"variant\":\"mill\",\"position\":"
                                        "\"ww./.w./.../...bbb/..b/.../... w 0 0 5\"}");
    struct answer answer =
        ask_at(&house, game.token, "PUT", "d6g7xe4", "/v1/games/%s/moves/1", game.id);

    assert_problem(&answer, 422, "not-allowed");
    cr_assert_str_eq(text_of(&answer, "rule.id"), "mill.spared");
    play(&house, &game, "d6g7xe3");
}

Test(games, who_has_two_men_left_has_lost_at_mill)
{
    struct game game = new_game(&house, "{\"variant\":\"mill\",\"position\":"
                                        "\"ww./.../.../b....w/b../.../..b w 0 0 0\"}");
    struct answer answer;

    play(&house, &game, "g4g7xa4");
    answer = get(NULL, "/v1/games/%s", game.id);
    cr_assert_str_eq(text_of(&answer, "outcome.reason"), "two_men");
    cr_assert_eq(number_of(&answer, "outcome.winner"), 1);
}

/* ---- a daemon without the module ---- */

static const char *output_of(const char *command)
{
    static char said[4096];
    FILE *pipe = popen(command, "r");
    size_t n = fread(said, 1, sizeof(said) - 1, pipe);

    said[n] = '\0';
    cr_assert_eq(pclose(pipe), 0, "%s: %s", command, said);
    return said;
}

Test(games, a_daemon_without_the_module_refuses_its_games_alone)
{
    struct game game = new_game(&house, SMALL);
    struct game other = new_game(&house, "{\"variant\":\"jungle\"}");
    struct house without = house;
    struct answer answer;
    char command[1024];

    unsetenv("PLYD_GAMES");
    house_open_second(&house);
    without.plyd = house.second;
    answer = ask_as(&without, game.token, "GET", path_of("/v1/games/%s", game.id), NULL);
    assert_problem(&answer, 503, "game-not-loaded");
    cr_assert_not_null(strstr(text_of(&answer, "detail"), "no game by the name hex"));
    cr_assert_not_null(strstr(answer.reply.headers, "Retry-After: 10\r\n"));
    answer = ask_as(&without, game.token, "PUT", path_of("/v1/games/%s/moves/1", game.id), "b2");
    assert_problem(&answer, 503, "game-not-loaded");
    answer = ask_as(&without, game.token, "GET", path_of("/v1/games/%s/export", game.id), NULL);
    assert_problem(&answer, 503, "game-not-loaded");
    play(&without, &other, "a3a4");
    play(&house, &game, "b2");
    snprintf(command, sizeof(command), "%s verify --database '%s'", plyd_program(), house.database);
    cr_assert_not_null(strstr(output_of(command), "\n1 games were not compared, since their rules "
                                                  "are not loaded (--game, --games)\n"));
    setenv("PLYD_GAMES", games_folder(), 1);
}

/* As if it were another kind of thing: clients that read each item as a game go on as before. */
Test(games, a_list_of_a_players_games_names_those_that_are_not_loaded_beside_the_others)
{
    struct player ada = new_player(&house, "Ada");
    struct game game = new_game_of(&house, ada.token, SMALL);
    struct game other = new_game_of(&house, ada.token, "{\"variant\":\"jungle\"}");
    struct house without = house;
    struct answer answer;

    unsetenv("PLYD_GAMES");
    house_open_second(&house);
    without.plyd = house.second;
    answer = ask_as(&without, ada.token, "GET", "/v1/me/games", NULL);
    assert_status(&answer, 200);
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 1);
    cr_assert_str_eq(text_of(&answer, "items.0.id"), other.id);
    cr_assert_str_eq(text_of(&answer, "not_loaded.0.id"), game.id);
    cr_assert_str_eq(text_of(&answer, "not_loaded.0.variant"), "hex");
    cr_assert_str_eq(text_of(&answer, "not_loaded.0.status"), "active");
    cr_assert_str_eq(text_of(&answer, "not_loaded.0.code"), "game-not-loaded");
    answer = ask_as(&without, ada.token, "GET", "/v1/me/games?limit=1", NULL);
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 0);
    cr_assert_str_eq(text_of(&answer, "not_loaded.0.id"), game.id);
    cr_assert_not_null(strstr(answer.reply.body, "\"next\":\"/v1/me/games?cursor="));
    answer = ask_as(&without, ada.token, "GET", "/v1/me/games?variant=jungle", NULL);
    cr_assert(strstr(answer.reply.body, "not_loaded") == NULL);
    answer = ask_as(&without, ada.token, "GET", "/v1/me/next", NULL);
    cr_assert_str_eq(text_of(&answer, "id"), other.id);
    answer = ask_as(&house, ada.token, "GET", "/v1/me/games", NULL);
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 2);
    setenv("PLYD_GAMES", games_folder(), 1);
}

Test(games, the_list_of_public_games_names_those_that_are_not_loaded_beside_the_others)
{
    struct game game = new_game(&house, "{\"variant\":\"hex\",\"visibility\":\"public\"}");
    struct game other = new_game(&house, "{\"variant\":\"jungle\",\"visibility\":\"public\"}");
    struct house without = house;
    struct answer answer;

    unsetenv("PLYD_GAMES");
    house_open_second(&house);
    without.plyd = house.second;
    answer = ask(&without, "GET", "/v1/games", NULL, NULL);
    assert_status(&answer, 200);
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 1);
    cr_assert_str_eq(text_of(&answer, "items.0.id"), other.id);
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "not_loaded")), 1);
    cr_assert_str_eq(text_of(&answer, "not_loaded.0.id"), game.id);
    cr_assert_str_eq(text_of(&answer, "not_loaded.0.variant"), "hex");
    answer = ask(&without, "GET", "/v1/games?variant=jungle,shogi", NULL, NULL);
    cr_assert(strstr(answer.reply.body, "not_loaded") == NULL);
    answer = ask(&without, "GET", "/v1/games", "Accept: text/plain\r\n", NULL);
    cr_assert_not_null(strstr(answer.reply.body, " hex game-not-loaded\n"));
    answer = ask(&house, "GET", "/v1/games", NULL, NULL);
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 2);
    setenv("PLYD_GAMES", games_folder(), 1);
}

/* ---- two versions of a module ---- */

/* A game that the older rules have begun is read by both. */
Test(games, a_daemon_with_an_older_module_refuses_what_a_newer_one_has_written_and_nothing_else)
{
    char folder[512];
    struct house newer = house;
    struct game old = new_game(&house, SMALL), game;
    struct answer answer;

    snprintf(folder, sizeof(folder), "%s/broken", games_folder());
    setenv("PLYD_GAMES", folder, 1);
    setenv("BREAK", "next version", 1);
    house_open_second(&house);
    newer.plyd = house.second;
    game = new_game(&newer, SMALL);
    play(&newer, &game, "b3");
    answer = ask_as(&house, game.token, "GET", path_of("/v1/games/%s", game.id), NULL);
    assert_problem(&answer, 503, "newer-program");
    answer = ask_at(&house, game.token, "PUT", "a1", "/v1/games/%s/moves/2", game.id);
    assert_problem(&answer, 503, "newer-program");
    play(&house, &old, "b3");
    answer = get(NULL, "/v1/games/%s", old.id);
    cr_assert_eq(number_of(&answer, "rules_version"), 1);
    answer = ask_as(&newer, game.token, "GET", path_of("/v1/games/%s", game.id), NULL);
    cr_assert_eq(number_of(&answer, "rules_version"), 2);
    answer = ask_as(&newer, old.token, "GET", path_of("/v1/games/%s", old.id), NULL);
    assert_status(&answer, 200);
    setenv("PLYD_GAMES", games_folder(), 1);
}

/* ---- a daemon with a module that has something changed in it ---- */

static void open_with_change(struct house *changed, const char *what)
{
    char folder[512];

    snprintf(folder, sizeof(folder), "%s/broken", games_folder());
    setenv("PLYD_GAMES", folder, 1);
    setenv("BREAK", what, 1);
    house_open(changed);
    changed->contract = house.contract;
}

Test(games, a_game_whose_pictures_have_nothing_but_figures_is_drawn)
{
    struct house plain;
    struct game game;
    struct answer answer;

    open_with_change(&plain, "plain art");
    game = new_game(&plain, SMALL);
    play(&plain, &game, "b2");
    answer = ask(&plain, "GET", path_of("/v1/games/%s/board.svg", game.id), NULL, NULL);
    assert_status(&answer, 200);
    cr_assert_not_null(strstr(answer.reply.body, "<g transform=\"translate(-50-50)\"><path d="));
    answer = ask(&plain, "GET", path_of("/v1/games/%s/board.png", game.id), NULL, NULL);
    assert_status(&answer, 200);
    answer = ask(&plain, "GET", "/v1/variants/hex/men.svg", NULL, NULL);
    assert_status(&answer, 200);
    answer = ask(&plain, "GET", path_of("/v1/games/%s?include=board", game.id), NULL, NULL);
    assert_status(&answer, 200);
    house_close(&plain);
    setenv("PLYD_GAMES", games_folder(), 1);
}

/* A daemon that a module will crash: a sanitizer must not have the last words. */
static void open_crashing(struct house *crashing, const char *change)
{
    const char *options = getenv("ASAN_OPTIONS");
    char all[256];

    snprintf(all, sizeof(all), "%s:handle_segv=0", options == NULL ? "" : options);
    setenv("ASAN_OPTIONS", all, 1);
    open_with_change(crashing, change);
}

/* Sends the request that crashes it, a GET without a body, and waits for its end. */
static void assert_last_words(struct house *crashing, const char *token, const char *path,
                              const char *body, const char *words)
{
    struct http_reply reply;
    char headers[256] = "Content-Type: application/json\r\n";

    if (token != NULL)
        snprintf(headers + strlen(headers), 128, "Authorization: Bearer %s\r\n", token);
    http_request(crashing->plyd.port, &reply, body == NULL ? "GET" : "POST", path, headers, body);
    cr_assert_eq(reply.status, 0, "%s", reply.body);
    http_free(&reply);
    cr_assert_eq(plyd_wait(&crashing->plyd), -SIGSEGV);
    cr_assert(plyd_logged(&crashing->plyd, words), "%s is not in %s", words, crashing->plyd.log);
    plyd_forget(&crashing->plyd);
    ready_return(crashing->database);
    setenv("PLYD_GAMES", games_folder(), 1);
}

#define MEDIUM "{\"variant\":\"hex\",\"options\":{\"size\":5}"

/* A move is played by the loop that has its game. */
static void assert_last_words_at_a_move(const char *change, const char *words)
{
    struct house crashing;
    struct game game;

    open_crashing(&crashing, change);
    game = new_game(&crashing, MEDIUM "}");
    play(&crashing, &game, "a1");
    assert_last_words(&crashing, game.token, path_of("/v1/games/%s/moves", game.id),
                      "{\"move\":\"b1\"}", words);
}

Test(games, a_module_that_crashes_the_daemon_is_named_in_its_last_words)
{
    assert_last_words_at_a_move("crash in play", "plyd: the game hex crashes in play()\n");
}

Test(games, a_module_that_fills_the_stack_of_a_loop_is_named_in_the_last_words)
{
    assert_last_words_at_a_move("deep",
                                "plyd: the game hex crashes in play(): its stack is full\n");
}

Test(games, a_module_that_fills_the_stack_of_a_worker_is_named_in_the_last_words)
{
    struct house crashing;

    open_crashing(&crashing, "deep");
    assert_last_words(&crashing, NULL, "/v1/games", MEDIUM ",\"moves\":[\"a1\",\"b1\"]}",
                      "plyd: the game hex crashes in play(): its stack is full\n");
}

/* Where a module tells what is not so, the crash is not its own. */
Test(games, a_module_that_leads_the_daemon_astray_is_named_in_the_last_words)
{
    struct house crashing;
    struct game game;

    open_crashing(&crashing, "labels");
    game = new_game(&crashing, MEDIUM "}");
    assert_last_words(&crashing, game.token, path_of("/v1/games/%s/board.txt", game.id), NULL,
                      "plyd: it crashes while it deals with the game hex, which plyd check-game "
                      "tries\n");
}

Test(games, a_module_whose_judgement_crashes_is_named_in_the_last_words)
{
    struct house crashing;

    open_crashing(&crashing, "engine");
    assert_last_words(&crashing, NULL, "/v1/variants/hex/analyse", "{\"nodes\":1000}",
                      "plyd: the game hex crashes in evaluate()\n");
}

Test(games, a_game_whose_rules_take_long_is_named_in_the_log)
{
    char logged[128];
    struct house slow;
    struct game game;

    open_with_change(&slow, "slow");
    game = new_game(&slow, SMALL);
    ask_at(&slow, game.token, "GET", NULL, "/v1/games/%s/legal-moves", game.id);
    plyd_await_log(&slow.plyd);
    snprintf(logged, sizeof(logged), "\"game-took-long\",\"game\":\"%s\",\"variant\":\"hex\"",
             game.id);
    cr_assert(plyd_logged(&slow.plyd, logged));
    house_close(&slow);
    setenv("PLYD_GAMES", games_folder(), 1);
}

/* ---- what is no game ---- */

/* Runs a subcommand that must fail, and returns what it says. */
static const char *refusal_of(const char *arguments)
{
    static char said[1024];
    char command[2048];
    FILE *pipe;
    size_t n;

    snprintf(command, sizeof(command), "%s %s 2>&1", plyd_program(), arguments);
    pipe = popen(command, "r");
    n = fread(said, 1, sizeof(said) - 1, pipe);
    said[n] = '\0';
    cr_assert_eq(pclose(pipe), 2 << 8, "%s: %s", arguments, said);
    return said;
}

static void assert_refused(const char *arguments, const char *sentence)
{
    const char *said = refusal_of(arguments);

    cr_assert_not_null(strstr(said, sentence), "%s: %s", arguments, said);
}

Test(games, what_is_no_game_is_refused_at_the_start_in_a_sentence)
{
    char arguments[1024], path[64];

    unsetenv("PLYD_GAMES");
    snprintf(path, sizeof(path), "/tmp/plyd-text-%d.so", (int)getpid());
    file_write(path, "This is no game.\n");
    snprintf(arguments, sizeof(arguments), "serve --game %s", path);
    assert_refused(arguments, "is no shared object");
    unlink(path);
    assert_refused("serve --game Makefile", "'Makefile' is not the path of a shared object");
    assert_refused("serve --game=/nowhere/x.so", "/nowhere/x.so: cannot open shared object");
    assert_refused("perft jungle 1 --games /nowhere", "--games: /nowhere: No such file");
    assert_refused("play --game libz.so", "cannot be loaded: ./libz.so");
    snprintf(arguments, sizeof(arguments), "verify --game %s/hex.so --game %s/hex.so",
             games_folder(), games_folder());
    assert_refused(arguments, "hex.so is a game by the name hex, and there is one already");
    assert_refused(arguments, "the game hex that is there comes from ");
    assert_refused("serve --game", "--game has no value");
}
