/* test_games.c - games that are no part of plyd: a module is played as any game is, and what is
 * none is refused at the start. The module is that of examples/hex/. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/http/house.h"
#include "tests/support/files.h"

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

    cr_assert_not_null(strstr(yaml.reply.body, "jungle, turkish-draughts, hex"));
    cr_assert_not_null(strstr(yaml.reply.body, "]\n      description: The name of a game."));
    cr_assert_str_eq(text_of(&list, "items.5.name"), "hex");
    cr_assert(cJSON_IsTrue(member(&list, "items.0.engine_knows")));
    cr_assert(cJSON_IsFalse(member(&list, "items.5.engine_knows")));
    cr_assert(cJSON_IsTrue(member(&list, "items.6.engine_knows")));
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

/* ---- a module that takes long ---- */

Test(games, a_game_whose_rules_take_long_is_named_in_the_log)
{
    char folder[512], logged[128];
    struct house slow;
    struct game game;

    snprintf(folder, sizeof(folder), "%s/broken", games_folder());
    setenv("PLYD_GAMES", folder, 1);
    setenv("BREAK", "slow", 1);
    house_open(&slow);
    slow.contract = house.contract;
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
