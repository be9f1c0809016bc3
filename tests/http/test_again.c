/* test_again.c - requests that come again with their Idempotency-Key. */
#include <criterion/criterion.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "house.h"
#include "tests/support/backoff.h"

static struct house house;
static PGconn *database;

static void open_house(void)
{
    house_open(&house);
    database = PQconnectdb(house.database);
}

static void close_house(void)
{
    PQfinish(database);
    house_close(&house);
}

TestSuite(again, .init = open_house, .fini = close_house);

static long number(const char *query)
{
    PGresult *result = PQexec(database, query);
    long value;

    cr_assert_eq(PQresultStatus(result), PGRES_TUPLES_OK, "%s", PQerrorMessage(database));
    value = atol(PQgetvalue(result, 0, 0));
    PQclear(result);
    return value;
}

/* ---- asking again ---- */

/* A deed in a game, under a key. */
struct deed {
    const char *method, *path, *body; /* the path behind that of the game */
};

static struct answer send_to(int port, const char *token, const char *id, const char *key,
                             const struct deed *deed)
{
    char headers[400], path[200];
    struct http_reply reply;
    int len = snprintf(headers, sizeof(headers), "Content-Type: %s\r\n",
                       deed->body[0] == '{' ? "application/json" : "text/plain");

    if (key != NULL)
        len +=
            snprintf(headers + len, sizeof(headers) - (size_t)len, "Idempotency-Key: %s\r\n", key);
    if (token != NULL)
        snprintf(headers + len, sizeof(headers) - (size_t)len, "Authorization: Bearer %s\r\n",
                 token);
    snprintf(path, sizeof(path), "/v1/games/%s%s", id, deed->path);
    http_request(port, &reply, deed->method, path, headers, deed->body);
    return answer_of(&house, deed->method, path, reply);
}

static struct answer act(const struct game *game, const char *key, const struct deed *deed)
{
    return send_to(house.plyd.port, game->token, game->id, key, deed);
}

static const struct deed opening = {"POST", "/moves", "a3a4"};

static bool is_replayed(const struct answer *answer)
{
    char value[256];

    return http_header(&answer->reply, "Idempotent-Replayed", value) != NULL &&
           strcmp(value, "true") == 0;
}

static void assert_etag(const struct answer *answer, int version)
{
    char etag[256], wanted[32];

    snprintf(wanted, sizeof(wanted), "\"%d\"", version);
    cr_assert_str_eq(http_header(&answer->reply, "ETag", etag), wanted);
}

/* ---- nothing happened in between ---- */

static void assert_same_again(const struct game *game, const struct deed *deed)
{
    static int keys;
    char key[32], etag[256], etag_again[256];
    struct answer first, again, other;

    snprintf(key, sizeof(key), "key-%d", keys++);
    first = act(game, key, deed);
    again = act(game, key, deed);
    cr_assert_lt(first.status, 300, "%s %s: %s", deed->path, deed->body, first.reply.body);
    cr_assert_eq(again.status, first.status, "%s: %s", deed->path, again.reply.body);
    cr_assert_str_eq(again.reply.body, first.reply.body);
    cr_assert_str_eq(http_header(&again.reply, "ETag", etag_again),
                     http_header(&first.reply, "ETag", etag));
    cr_assert_not(is_replayed(&first));
    cr_assert(is_replayed(&again));
    if (house.second.port != 0) {
        other = send_to(house.second.port, game->token, game->id, key, deed);
        cr_assert_str_eq(other.reply.body, first.reply.body);
        cr_assert(is_replayed(&other));
    }
}

static void assert_all_same_again(const struct game *game, const struct deed *deeds, size_t n)
{
    for (size_t i = 0; i < n; i++)
        assert_same_again(game, &deeds[i]);
    cr_assert_eq(number("select count(*) from answers"), 0, "nothing is stored but marks");
}

Test(again, every_deed_in_a_game_is_answered_alike_byte_by_byte)
{
    static const struct deed deeds[] = {
        {"POST", "/moves", "a3a4"},
        {"PUT", "/moves/2?include=legal_moves,legal_tree,board", "g7g6"},
        {"POST", "/moves?include=board", "{\"move\":\"a4a5\",\"ply\":3}"},
        {"POST", "/moves", "{\"moves\":[\"a7a6\",\"c3d3\",\"c7d7\"]}"},
        {"POST", "/moves", "{\"moves\":[\"d3c3\"]}"},
        {"POST", "/undo?include=legal_moves", "{\"to_ply\":2}"},
        {"POST", "/redo", "{\"to_ply\":4}"},
        {"POST", "/undo", "{\"to_ply\":0}"},
        {"POST", "/moves", "{\"clicks\":[\"g3\",\"g4\"]}"},
        {"POST", "/resign", "{}"}};
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");

    house_open_second(&house);
    assert_all_same_again(&game, deeds, sizeof(deeds) / sizeof(deeds[0]));
}

Test(again, the_computers_answers_are_told_again)
{
    static const struct deed deeds[] = {{"POST", "/moves", "a3a4"},
                                        {"PUT", "/moves/3", "c3d3"},
                                        {"POST", "/undo", "{\"to_ply\":1}"},
                                        {"POST", "/undo", "{\"to_ply\":0}"},
                                        {"POST", "/moves", "{\"moves\":[\"g3g4\"]}"}};
    struct game game = new_game(
        &house,
        "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"engine\":\"random\",\"seed\":7}]}");
    struct answer answer;

    house_open_second(&house);
    assert_all_same_again(&game, deeds, sizeof(deeds) / sizeof(deeds[0]));
    answer = act(&game, "key-2", &deeds[2]);
    cr_assert(has(&answer, "answers.0.move"), "an undo to the computer's turn makes it move");
}

Test(again, a_move_that_is_written_by_the_move_before_is_told_with_it)
{
    struct game game = new_game(&house, "{\"variant\":\"shogi\"}");
    static const struct deed recapture = {"POST", "/moves", "{\"move\":\"3a2b\"}"};

    play(&house, &game, "7g7f 3c3d 8h2b+");
    assert_same_again(&game, &recapture);
}

/* So many that a worker plays them. They lead back to where they began. */
static struct game long_game(char body[1000])
{
    strcpy(body, "{\"moves\":[");
    for (int i = 0; i < 40; i++)
        snprintf(body + strlen(body), 1000 - strlen(body), "%s\"%s\"", i == 0 ? "" : ",",
                 (const char *const[]){"a3a4", "g7g6", "a4a3", "g6g7"}[i % 4]);
    strcat(body, "]}");
    return new_game(&house, "{\"variant\":\"jungle\",\"options\":{\"repetition\":100}}");
}

Test(again, a_long_list_of_moves_is_told_again)
{
    char body[1000];
    struct game game = long_game(body);

    assert_same_again(&game, &(struct deed){"POST", "/moves?include=board", body});
}

/* The second request comes while a worker plays the moves of the first. */
Test(again, a_long_list_of_moves_that_is_sent_twice_at_once_is_played_once)
{
    for (int round = 0; round < 5; round++) {
        char body[1000], path[100], headers[300];
        struct game game = long_game(body);
        struct http_reply replies[2];
        int fds[2];

        snprintf(path, sizeof(path), "/v1/games/%s/moves", game.id);
        snprintf(headers, sizeof(headers),
                 "Content-Type: application/json\r\nIdempotency-Key: k\r\n"
                 "Authorization: Bearer %s\r\n",
                 game.token);
        for (int i = 0; i < 2; i++)
            fds[i] = http_connect(house.plyd.port);
        for (int i = 0; i < 2; i++)
            http_send(fds[i], "POST", path, headers, body, strlen(body));
        for (int i = 0; i < 2; i++) {
            http_receive(fds[i], "POST", &replies[i]);
            close(fds[i]);
            cr_assert_eq(replies[i].status, 201, "%s", replies[i].body);
        }
        cr_assert_str_eq(replies[0].body, replies[1].body);
        http_free(&replies[0]);
        http_free(&replies[1]);
    }
    cr_assert_eq(number("select max(version) from games"), 41);
}

Test(again, words_in_place_of_a_move_and_an_abort_are_told_again)
{
    static const struct deed resign = {"POST", "/moves", "resign"},
                             abort = {"POST", "/abort", "{}"};
    struct game shogi = new_game(&house, "{\"variant\":\"shogi\"}");
    struct game jungle = new_game(&house, "{\"variant\":\"jungle\"}");

    assert_same_again(&shogi, &resign);
    assert_same_again(&jungle, &abort);
}

Test(again, a_move_that_ends_the_game_is_told_again)
{
    static const struct deed last = {"POST", "/moves", "c1"};
    struct game game =
        new_game(&house, "{\"variant\":\"tictactoe\",\"moves\":[\"a1\",\"a2\",\"b1\",\"b2\"]}");

    assert_same_again(&game, &last);
}

/* ---- something happened in between ---- */

Test(again, a_move_is_told_as_it_was_played_and_the_game_as_it_is_now)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    struct answer first = act(&game, "k", &opening), again;

    play(&house, &game, "g7g6 g3g4");
    again = act(&game, "k", &opening);
    assert_status(&again, 201);
    cr_assert(is_replayed(&again));
    cr_assert_eq(number_of(&again, "ply"), 1);
    cr_assert_str_eq(text_of(&again, "move"), "a3a4");
    cr_assert_str_eq(text_of(&again, "at"), text_of(&first, "at"));
    cr_assert_eq(number_of(&first, "game.version"), 2);
    cr_assert_eq(number_of(&again, "game.version"), 4);
    cr_assert_str_eq(text_of(&again, "game.last_move.move"), "g3g4");
    assert_etag(&again, 4);
}

Test(again, a_move_that_was_taken_back_is_told_on_its_own_line_and_not_played_again)
{
    static const struct deed back = {"POST", "/undo", "{\"to_ply\":0}"};
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    struct answer answer;

    for (int times = 0; times < 2; times++) {
        answer = act(&game, "k", &opening);
        cr_assert_eq(is_replayed(&answer), times == 1);
        cr_assert_eq(number_of(&answer, "ply"), 1);
        cr_assert_eq(number_of(&answer, "line"), 1);
        cr_assert_eq(number_of(&answer, "game.ply"), 1);
        cr_assert_str_eq(text_of(&answer, "move"), "a3a4");
        cr_assert_str_eq(text_of(&answer, "game.last_move.move"), times == 0 ? "a3a4" : "g3g4");
        if (times == 0) {
            answer = act(&game, "back", &back);
            play(&house, &game, "g3g4");
        }
    }
}

Test(again, an_undo_is_done_once_however_often_it_is_sent)
{
    static const struct deed undo = {"POST", "/undo", "{}"};
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    struct answer answer;

    play(&house, &game, "a3a4 g7g6 g3g4 e7d7");
    answer = act(&game, "k", &undo);
    cr_assert_eq(number_of(&answer, "ply"), 3);
    play(&house, &game, "e7d7");
    answer = act(&game, "k", &undo);
    assert_status(&answer, 200);
    cr_assert(is_replayed(&answer));
    cr_assert_eq(number_of(&answer, "ply"), 4);
    cr_assert_eq(number_of(&answer, "version"), 7);
}

/* The daemon that is asked again has the game in memory as it was before the first time. */
Test(again, a_daemon_that_has_not_heard_of_the_move_tells_it_with_the_game_after_it)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    struct answer answer;

    house_open_second(&house);
    answer = send_to(house.second.port, game.token, game.id, NULL,
                     &(struct deed){"POST", "/moves", "a1a9"});
    cr_assert_eq(answer.status, 422);
    answer = act(&game, "k", &opening);
    assert_status(&answer, 201);
    answer = send_to(house.second.port, game.token, game.id, "k", &opening);
    assert_status(&answer, 201);
    cr_assert(is_replayed(&answer));
    cr_assert_eq(number_of(&answer, "game.version"), 2);
}

static void run(const char *statement)
{
    PGresult *result = PQexec(database, statement);

    cr_assert_eq(PQresultStatus(result), PGRES_COMMAND_OK, "%s", PQerrorMessage(database));
    PQclear(result);
}

/* The second daemon has the game in memory as it was made, and there is nothing to undo. It looks
 * for the mark before it is there, and for the version after that. */
Test(again, an_undo_that_another_daemon_does_meanwhile_is_not_done_again)
{
    static const struct deed undo = {"POST", "/undo", "{}"};
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    char path[200], headers[400], statement[100];
    struct http_reply reply;
    struct answer answer;
    long mark;
    int fd;

    house_open_second(&house);
    answer = send_to(house.second.port, game.token, game.id, NULL, &undo);
    cr_assert_eq(answer.status, 409);
    play(&house, &game, "a3a4 g7g6 g3g4 e7d7");
    answer = act(&game, "k", &undo);
    assert_status(&answer, 200);
    mark = number("select mark from events where mark is not null");
    run("update events set mark = null where mark is not null");
    run("begin");
    run("lock table games in access exclusive mode");
    snprintf(path, sizeof(path), "/v1/games/%s/undo", game.id);
    snprintf(headers, sizeof(headers),
             "Content-Type: application/json\r\nIdempotency-Key: k\r\nAuthorization: Bearer %s\r\n",
             game.token);
    fd = http_connect(house.second.port);
    http_send(fd, "POST", path, headers, "{}", 2);
    while (number("select count(*) from pg_locks"
                  " where relation = 'games'::regclass and not granted") == 0) {
    }
    snprintf(statement, sizeof(statement), "update events set mark = %ld where request is not null",
             mark);
    run(statement);
    run("commit");
    http_receive(fd, "POST", &reply);
    close(fd);
    answer = answer_of(&house, "POST", path, reply);
    assert_status(&answer, 200);
    cr_assert(is_replayed(&answer));
    cr_assert_eq(number_of(&answer, "ply"), 3);
}

/* ---- whose key it is ---- */

Test(again, a_key_with_another_move_is_refused_to_whoever_plays)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    struct answer answer = act(&game, "k", &opening);

    answer = act(&game, "k", &(struct deed){"POST", "/moves", "g7g6"});
    assert_problem(&answer, 422, "idempotency-key-reused");
    answer = act(&game, "k", &(struct deed){"POST", "/undo", "{}"});
    assert_problem(&answer, 422, "idempotency-key-reused");
}

static void assert_absent(const char *token, const char *id, const struct deed *deed)
{
    static const char nobody[] = "00000000000000000000000000";
    struct answer hidden = send_to(house.plyd.port, token, id, "used", deed);
    struct answer none = send_to(house.plyd.port, token, nobody, "used", deed);

    assert_problem(&hidden, 404, "no-such-game");
    assert_problem(&none, 404, "no-such-game");
    cr_assert_not(has(&hidden, "game"));
}

Test(again, a_strangers_used_key_does_not_tell_of_a_private_game)
{
    static const struct deed deeds[] = {{"POST", "/moves", "a3a4"},
                                        {"PUT", "/moves/1", "a3a4"},
                                        {"POST", "/undo", "{}"},
                                        {"POST", "/resign", "{}"}};
    struct game game = new_game(&house, "{\"variant\":\"jungle\",\"visibility\":\"private\"}");
    struct player eve = new_player(&house, "Eve");
    struct answer answer = act(&game, "used", &opening);

    assert_status(&answer, 201);
    for (size_t i = 0; i < sizeof(deeds) / sizeof(deeds[0]); i++) {
        assert_absent(NULL, game.id, &deeds[i]);
        assert_absent("plyd_seat_of_another_game", game.id, &deeds[i]);
        assert_absent(eve.token, game.id, &deeds[i]);
    }
    cr_assert_eq(number("select max(version) from events"), 2);
}

Test(again, a_stranger_cannot_join_with_a_key_that_is_used_in_the_game)
{
    static const struct deed join = {"POST", "/join", "{}"};
    struct game game =
        new_game(&house, "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"open\":true}]}");
    struct player ada = new_player(&house, "Ada");
    struct answer answer = send_to(house.plyd.port, ada.token, game.id, "used", &join);

    assert_status(&answer, 200);
    answer = send_to(house.plyd.port, new_player(&house, "Eve").token, game.id, "used", &join);
    assert_problem(&answer, 409, "seat-taken");
}

/* ---- keys of strangers ---- */

static struct answer make(const char *path, const char *key, const char *body)
{
    char headers[200];

    snprintf(headers, sizeof(headers), "Content-Type: application/json\r\nIdempotency-Key: %s\r\n",
             key);
    return ask(&house, "POST", path, headers, body);
}

Test(again, without_a_token_a_short_key_gets_no_token)
{
    struct game open =
        new_game(&house, "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"open\":true}]}");
    char join[64], fork[64];
    const char *const deeds[][2] = {{"/v1/games", "{\"variant\":\"jungle\"}"},
                                    {"/v1/games/import", "{\"record\":\"startpos moves 7g7f\"}"},
                                    {"/v1/players", "{\"name\":\"Ada\"}"},
                                    {fork, "{}"},
                                    {join, "{}"}};

    snprintf(join, sizeof(join), "/v1/games/%s/join", open.id);
    snprintf(fork, sizeof(fork), "/v1/games/%s/fork", open.id);
    for (size_t i = 0; i < sizeof(deeds) / sizeof(deeds[0]); i++) {
        struct answer answer = make(deeds[i][0], "15 characters..", deeds[i][1]);

        assert_problem(&answer, 422, "idempotency-key-too-short");
        cr_assert_not_null(strstr(text_of(&answer, "detail"), "UUID"));
    }
    cr_assert_eq(number("select count(*) from games"), 1);
}

Test(again, a_token_makes_a_short_key_good)
{
    struct player ada = new_player(&house, "Ada");
    char headers[300];
    struct answer answer;

    snprintf(headers, sizeof(headers),
             "Content-Type: application/json\r\nIdempotency-Key: 1\r\nAuthorization: Bearer %s\r\n",
             ada.token);
    answer = ask(&house, "POST", "/v1/games", headers, "{\"variant\":\"jungle\"}");
    assert_status(&answer, 201);
}

/* ---- what is forgotten ---- */

static void grow_old(int days)
{
    char text[128];

    snprintf(text, sizeof(text),
             "update answers set at = (at at time zone 'UTC'"
             " - interval '%d days') at time zone 'UTC' returning 1",
             days);
    PQclear(PQexec(database, text));
}

static void wait_until_left(int answers)
{
    for (int looks = 0; number("select count(*) from answers") > answers; looks++)
        back_off(looks);
}

Test(again, a_daemon_forgets_old_answers_and_refuses_their_keys)
{
    struct answer first = make("/v1/games", "the key of an old game", "{\"variant\":\"jungle\"}");
    struct answer again;

    assert_status(&first, 201);
    grow_old(8);
    house_open_second(&house);
    wait_until_left(0);
    again = make("/v1/games", "the key of an old game", "{\"variant\":\"jungle\"}");
    assert_problem(&again, 422, "idempotency-key-reused");
    cr_assert_not_null(strstr(text_of(&again, "detail"), "no longer kept"));
    cr_assert_eq(number("select count(*) from games"), 1);
}

Test(again, a_daemon_keeps_answers_that_are_not_old)
{
    struct answer first = make("/v1/games", "the key of a young game", "{\"variant\":\"jungle\"}"),
                  again;

    make("/v1/games", "the key of another game", "{\"variant\":\"shogi\"}");
    PQclear(PQexec(database, "update answers set at = (at at time zone 'UTC'"
                             " - interval '6 days') at time zone 'UTC'"));
    PQclear(PQexec(database, "update answers set at = (at at time zone 'UTC'"
                             " - interval '2 days') at time zone 'UTC' where game_id ="
                             " (select id from games where variant = 'shogi')"));
    house_open_second(&house);
    wait_until_left(1);
    again = make("/v1/games", "the key of a young game", "{\"variant\":\"jungle\"}");
    assert_status(&again, 201);
    cr_assert_str_eq(again.reply.body, first.reply.body);
}
