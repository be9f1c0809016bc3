/*
 * test_costs.c - what requests cost, of which quotas, and what no ordinary client ever notices. How
 * long something takes is another thing on each machine, so what is asserted here follows from
 * bytes, and times only add to it; those are for the unit tests.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "api/loop/metering.h"
#include "house.h"
#include "rules/rules.h"
#include "tests/support/backoff.h"
#include "tests/support/now.h"

HOUSE_SUITE(costs, house_open, HOUSE_PATIENCE_S);

/* ---- clients of a daemon with quotas ---- */

static int client = 7; /* the last number of its address */

/* Asks the second daemon, as a client behind its proxy. The answer is compared with the contract.
 */
static struct answer ask_counted(const char *method, const char *path, const char *token,
                                 const char *body)
{
    char headers[400];
    struct http_reply reply;

    snprintf(headers, sizeof(headers), "X-Forwarded-For: 203.0.113.%d\r\n%s%s%s%s", client,
             token == NULL ? "" : "Authorization: Bearer ", token == NULL ? "" : token,
             token == NULL ? "" : "\r\n",
             body != NULL && body[0] == '{' ? "Content-Type: application/json\r\n" : "");
    http_request(house.second.port, &reply, method, path, headers, body);
    return answer_of(&house, method, path, reply);
}

/* A day's quota comes back so slowly that nothing does while a test runs. */
static void start_with_quota(const char *requests)
{
    plyd_start(&house.second, house.database, "--loops", "1", "--trusted-proxies", "1",
               "--quota-address", requests, "--quota-token", "0", "--quota-window-s", "86400",
               NULL);
}

static long cost_of(const struct answer *answer)
{
    char value[256];

    return http_header(&answer->reply, "RateLimit-Cost", value) == NULL ? 1 : atol(value);
}

/* Requests that are left to the address. */
static long left_of(const struct answer *answer)
{
    static const char name[] = "\"address\";r=";
    char value[256];

    cr_assert_not_null(http_header(&answer->reply, "RateLimit", value));
    cr_assert_eq(strncmp(value, name, sizeof(name) - 1), 0, "%s", value);
    return atol(value + sizeof(name) - 1);
}

static long parts(size_t bytes, size_t part)
{
    return bytes == 0 ? 1 : (long)((bytes + part - 1) / part);
}

/* Asserts that a request was charged for its answer's bytes at least, and not just told so. */
static void assert_charged(const struct answer *answer, long left_before)
{
    cr_assert_geq(cost_of(answer), parts(answer->reply.len, METERING_OUT_BYTES));
    cr_assert_eq(left_of(answer), left_before - cost_of(answer));
}

/* ---- what is kept ---- */

/* A note as long as can be is in its answer, too. */
Test(costs, an_answer_that_is_kept_for_a_key_is_charged_and_a_question_keeps_none)
{
    enum { TEXT = 2000 };
    struct answer answer;
    struct game game;
    char body[TEXT + 20], path[80], headers[300];
    struct http_reply reply;

    start_with_quota("1000");
    game = new_game(&house, "{\"variant\":\"jungle\"}");
    snprintf(body, sizeof(body), "{\"text\":\"%0*d\"}", TEXT, 0);
    snprintf(path, sizeof(path), "/v1/games/%s/notes/0", game.id);
    for (int i = 0; i < 3; i++) {
        snprintf(headers, sizeof(headers),
                 "X-Forwarded-For: 203.0.113.%d\r\nAuthorization: Bearer %s\r\n"
                 "Content-Type: application/json\r\n%s",
                 client, game.token, i == 0 ? "" : "Idempotency-Key: one\r\n");
        http_request(house.second.port, &reply, "PUT", path, headers, body);
        answer = answer_of(&house, "PUT", path, reply);
        assert_status(&answer, 200);
        if (i == 1)
            cr_assert_geq(cost_of(&answer), parts(TEXT, METERING_KEPT_BYTES));
        else
            cr_assert_lt(cost_of(&answer), parts(TEXT, METERING_KEPT_BYTES));
    }
}

/* ---- what is expensive ---- */

static const char many_captures[] =
    "{\"position\":\"W:WKa5:Bc8,g8,d7,h7,a6,e6,c5,g5,b4,f4,a3,h3,d2\"}";

Test(costs, a_long_answer_costs_what_its_bytes_do_and_says_so)
{
    static const struct {
        const char *method, *path, *body;
    } rows[] = {
        {"GET", "/openapi.yaml", NULL},
        {"POST", "/v1/variants/turkish-draughts/check?include=legal_moves", many_captures},
        {"POST", "/v1/variants/turkish-draughts/check?include=legal_tree", many_captures},
    };
    long left = 1000;

    start_with_quota("1000");
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct answer answer = ask_counted(rows[i].method, rows[i].path, NULL, rows[i].body);

        assert_status(&answer, 200);
        cr_assert_gt(answer.reply.len, (size_t)METERING_OUT_BYTES, "%s", rows[i].path);
        assert_charged(&answer, left);
        left = left_of(&answer);
    }
}

/* A game of shogi of so many plies, in which nothing happens. */
static struct game make_long_game(int plies)
{
    static const char *const rooks[] = {"2h3h", "8b7b", "3h2h", "7b8b"};
    char body[8000] = "{\"variant\":\"shogi\",\"options\":{\"repetition\":0},\"moves\":[";

    for (int i = 0; i < plies; i++)
        sprintf(body + strlen(body), "%s\"%s\"", i == 0 ? "" : ",", rooks[i % 4]);
    strcat(body, "]}");
    return new_game(&house, body);
}

Test(costs, a_fork_an_import_and_a_replay_of_a_long_game_cost_more_than_one)
{
    enum { PLIES = 500, EVENT_BYTES = 100 };
    struct game game = make_long_game(PLIES);
    struct answer answer, record = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s.json", game.id);
    char path[64];
    long left;

    start_with_quota("1000");
    snprintf(path, sizeof(path), "/v1/games/%s/fork", game.id);
    answer = ask_counted("POST", path, NULL, "{}");
    assert_status(&answer, 201);
    assert_charged(&answer, 1000);
    cr_assert_geq(cost_of(&answer), parts(PLIES * EVENT_BYTES, METERING_STORED_BYTES));
    left = left_of(&answer);
    answer = ask_counted("POST", "/v1/games/import", NULL, record.reply.body);
    assert_status(&answer, 201);
    assert_charged(&answer, left);
    cr_assert_geq(cost_of(&answer), parts(PLIES * EVENT_BYTES, METERING_STORED_BYTES));
    left = left_of(&answer);
    snprintf(path, sizeof(path), "/v1/games/%s/replay", game.id);
    answer = ask_counted("GET", path, NULL, NULL);
    assert_status(&answer, 200);
    cr_assert_gt(answer.reply.len, (size_t)METERING_OUT_BYTES);
    assert_charged(&answer, left);
}

static bool refused(struct answer *answer)
{
    *answer = ask_counted("GET", "/openapi.yaml", NULL, NULL);
    if (answer->status == 200)
        return false;
    assert_problem(answer, 429, "quota-exceeded");
    cr_assert_str_eq(text_of(answer, "violated-policies.0"), "address");
    return true;
}

Test(costs, a_client_that_overdrew_gets_429_until_the_time_that_it_was_told)
{
    struct answer answer;
    double begun_at = 0, told_at, wait_s;
    char value[256];

    plyd_start(&house.second, house.database, "--loops", "1", "--trusted-proxies", "1",
               "--quota-address", "3", "--quota-token", "0", "--quota-window-s", "3", NULL);
    for (int i = 0; begun_at = seconds_now(), !refused(&answer); i++)
        cr_assert_lt(i, 20, "each costs two at least");
    told_at = seconds_now();
    cr_assert_not_null(http_header(&answer.reply, "Retry-After", value));
    wait_s = atof(value);
    cr_assert(wait_s >= 1 && wait_s <= 3 * 3, "%g", wait_s);
    for (bool still = true; still;) {
        double asked_at = seconds_now();

        still = refused(&answer);
        cr_assert(!still || asked_at < told_at + wait_s);
    }
    cr_assert_gt(seconds_now(), begun_at + wait_s - 1.01, "it is told in whole seconds");
}

/* ---- what is not ---- */

/* Whether the daemon runs so slowly that its times say nothing. */
static bool is_slowed_down(void)
{
#ifdef __SANITIZE_ADDRESS__
    return true;
#else
    return getenv("TSAN_OPTIONS") != NULL;
#endif
}

struct play {
    struct game game;
    int requests, expensive;
};

/* A request as clients make them. Of its bytes it needs a small part of what it pays for. */
static struct answer ask_in_play(struct play *play, const char *method, const char *what,
                                 const char *body, size_t share)
{
    char path[128];
    struct answer answer;

    snprintf(path, sizeof(path), "/v1/games/%s%s", play->game.id, what);
    answer = ask_counted(method, path, play->game.token, body);
    cr_assert_lt(answer.status, 300, "%s: %s", path, answer.reply.body);
    cr_assert_lt(share * answer.reply.len, (size_t)METERING_OUT_BYTES, "%s: %zu bytes", path,
                 answer.reply.len);
    play->requests++;
    play->expensive += cost_of(&answer) > 1;
    return answer;
}

static void look(struct play *play, const char *what, size_t share)
{
    ask_in_play(play, "GET", what, NULL, share);
}

/* Plays a move by chance, with all that a page may want to know after it. False: the game is over.
 */
static bool move_on(struct play *play, int ply, uint64_t *seed)
{
    struct answer answer = ask_in_play(play, "GET", "/legal-moves", NULL, 4);
    const cJSON *moves = member(&answer, "moves"), *move;
    char what[80], body[160];
    bool goes_on;

    if (cJSON_GetArraySize(moves) == 0)
        return false;
    move = cJSON_GetArrayItem(moves, (int)rules_choose(seed, (size_t)cJSON_GetArraySize(moves)));
    snprintf(what, sizeof(what), "/moves/%d?include=board,legal_moves,legal_tree", ply);
    snprintf(body, sizeof(body), "{\"move\":\"%s\"}", move->valuestring);
    answer = ask_in_play(play, "PUT", what, body, 4);
    goes_on = strcmp(text_of(&answer, "game.status"), "active") == 0;
    return goes_on;
}

/* On a slow machine a request may take long for once. Most do not. */
static void assert_ordinary(const struct play *play, const char *name)
{
    if (!is_slowed_down())
        cr_assert_leq(10 * play->expensive, play->requests, "%s: %d of %d cost more than one", name,
                      play->expensive, play->requests);
}

static void play_game(const struct rules_game *game)
{
    enum { PLIES = 200 };
    char body[80];
    struct play play = {.requests = 0};
    uint64_t seed = 7;
    int ply = 1;

    snprintf(body, sizeof(body), "{\"variant\":\"%s\"}", game->name);
    play.game = new_game(&house, body);
    while (ply <= PLIES && move_on(&play, ply, &seed)) {
        look(&play, "", 4);
        look(&play, "?include=board,legal_moves,legal_tree", 4);
        if (ply++ % 10 == 1)
            look(&play, "/board.svg", 2);
    }
    look(&play, "/moves?limit=200", 1);
    look(&play, "/events?limit=200", 1);
    look(&play, "/export", 1);
    assert_ordinary(&play, game->name);
}

Test(costs, each_request_of_an_ordinary_game_of_any_variant_costs_one)
{
    start_with_quota("1000000");
    for (size_t i = 0; i < rules_games(); i++)
        play_game(rules_game(i));
}

/* ---- games ---- */

static void start_with_games(const char *games, const char *plies)
{
    plyd_start(&house.second, house.database, "--loops", "1", "--trusted-proxies", "1",
               "--quota-address-games", games, "--anonymous-plies", plies, NULL);
}

static const char a_game[] = "{\"variant\":\"tictactoe\"}";

/* What is left of an hour that began at `since` or later. */
static void assert_left_of_hour(const char *seconds, double since)
{
    long left = strtol(seconds, NULL, 10), passed = (long)(seconds_now() - since) + 1;

    cr_assert(left <= 3600 && left >= 3600 - passed, "%s, after %ld s", seconds, passed);
}

Test(costs, an_address_makes_so_many_games_and_players_and_no_more)
{
    static const struct {
        const char *path, *body;
    } rows[] = {{"/v1/games", a_game},
                {"/v1/games/import", "position startpos moves 7g7f"},
                {"/v1/games/%s/fork", "{}"},
                {"/v1/players", "{\"name\":\"Ada\"}"}};
    struct game game = new_game(&house, a_game);

    start_with_games("1", "0");
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        double since = seconds_now();
        char path[80], value[256];
        struct answer answer;
        const char *at;

        client++;
        snprintf(path, sizeof(path), rows[i].path, game.id);
        answer = ask_counted("POST", path, NULL, rows[i].body);
        assert_status(&answer, 201);
        cr_assert_not_null(http_header(&answer.reply, "RateLimit-Policy", value));
        cr_assert_str_eq(value, "\"address\";q=6000;w=60, \"address-games\";q=1;w=3600");
        cr_assert_not_null(http_header(&answer.reply, "RateLimit", value));
        at = strstr(value, "\"address-games\";r=0;t=");
        cr_assert_not_null(at, "%s", value);
        assert_left_of_hour(strrchr(at, '=') + 1, since);
        answer = ask_counted("POST", path, NULL, rows[i].body);
        assert_problem(&answer, 429, "quota-exceeded");
        cr_assert_str_eq(text_of(&answer, "violated-policies.0"), "address-games");
        cr_assert_not_null(http_header(&answer.reply, "Retry-After", value));
        assert_left_of_hour(value, since);
    }
}

Test(costs, what_makes_no_game_takes_none)
{
    struct answer answer;
    struct game game;
    char path[80];

    start_with_games("1", "0");
    for (int i = 0; i < 3; i++) {
        answer = ask_counted("POST", "/v1/games", NULL, "{\"variant\":\"chess\"}");
        assert_problem(&answer, 404, "no-such-variant");
        answer = ask_counted("POST", "/v1/games/import", NULL, "position startpos moves 7g7a");
        cr_assert_geq(answer.status, 400);
        answer = ask_counted("POST", "/v1/games/import?dry_run=true", NULL,
                             "position startpos moves 7g7f");
        assert_status(&answer, 200);
    }
    answer = ask_counted("POST", "/v1/games", NULL, a_game);
    assert_status(&answer, 201);
    strcpy(game.id, text_of(&answer, "id"));
    strcpy(game.token, text_of(&answer, "token"));
    answer =
        ask_counted("POST", "/v1/games/import?dry_run=true", NULL, "position startpos moves 7g7f");
    assert_status(&answer, 200);
    snprintf(path, sizeof(path), "/v1/games/%s/moves/1", game.id);
    answer = ask_counted("PUT", path, game.token, "{\"move\":\"b2\"}");
    assert_status(&answer, 201);
}

/* A code has sixty bits; so many tries an hour do not find one in its five minutes. */
Test(costs, a_code_of_another_device_that_is_wrong_counts_as_a_game_and_the_right_one_does_not)
{
    struct player player = new_player(&house, "Ada");
    struct answer answer;
    char body[100];

    start_with_games("2", "0");
    for (int i = 0; i < 3; i++) {
        answer = ask_counted("POST", "/v1/me/handover", player.token, NULL);
        assert_status(&answer, 201);
        snprintf(body, sizeof(body), "{\"code\":\"%s\",\"name\":\"phone\"}",
                 text_of(&answer, "code"));
        answer = ask_counted("POST", "/v1/handover", NULL, body);
        assert_status(&answer, 201);
    }
    for (int i = 0; i < 2; i++) {
        answer = ask_counted("POST", "/v1/handover", NULL, body);
        assert_problem(&answer, 404, "no-such-handover");
    }
    answer = ask_counted("POST", "/v1/handover", NULL, body);
    assert_problem(&answer, 429, "quota-exceeded");
}

Test(costs, whoever_asks_with_tokens_that_do_not_exist_pays_as_an_address)
{
    enum { REQUESTS = 5 };
    char token[] = "plyd_player_00000000000000000000000000x";
    struct answer answer;

    start_with_quota("5");
    for (int i = 0; i < REQUESTS; i++) {
        token[sizeof(token) - 3] = (char)('0' + i);
        answer = ask_counted("GET", "/v1/me", token, NULL);
        assert_problem(&answer, 401, "token-unknown");
        cr_assert_eq(left_of(&answer), REQUESTS - 1 - i);
    }
    answer = ask_counted("GET", "/v1/me", token, NULL);
    assert_problem(&answer, 429, "quota-exceeded");
}

Test(costs, a_token_has_a_quota_of_games_too)
{
    struct player player = new_player(&house, "Ada");
    struct answer answer;

    plyd_start(&house.second, house.database, "--loops", "1", "--trusted-proxies", "1",
               "--quota-token-games", "1", NULL);
    answer = ask_counted("POST", "/v1/games", player.token, a_game);
    assert_status(&answer, 201);
    answer = ask_counted("POST", "/v1/games", player.token, a_game);
    assert_problem(&answer, 429, "quota-exceeded");
    cr_assert_str_eq(text_of(&answer, "violated-policies.0"), "token-games");
    answer = ask_counted("POST", "/v1/games", NULL, a_game);
    assert_status(&answer, 201);
}

Test(costs, a_file_of_many_games_counts_as_many_as_it_has_bytes_for)
{
    enum { KIB = 200, GAMES = 1 + KIB / 64 };
    static char file[(KIB << 10) + 1];
    struct player player = new_player(&house, "Ada");
    struct answer answer;
    char value[256], left[64];

    start_with_games("9", "0");
    memset(file, ' ', sizeof(file) - 1);
    memcpy(file, "position startpos\nposition startpos moves 7g7f\n", 46);
    answer = ask_counted("POST", "/v1/me/imports", player.token, file);
    assert_status(&answer, 202);
    cr_assert_not_null(http_header(&answer.reply, "RateLimit", value));
    snprintf(left, sizeof(left), "\"address-games\";r=%d;", 9 - GAMES);
    cr_assert_not_null(strstr(value, left), "%s", value);
}

Test(costs, only_a_player_makes_games_that_begin_with_many_plies)
{
    static const struct {
        const char *path, *few, *many;
    } rows[] = {{"/v1/games/%s/fork", "{\"ply\":2}", "{\"ply\":3}"},
                {"/v1/games/import", "position startpos moves 7g7f 3c3d",
                 "position startpos moves 7g7f 3c3d 2g2f"},
                {"/v1/games", "{\"variant\":\"tictactoe\",\"moves\":[\"a1\",\"b2\"]}",
                 "{\"variant\":\"tictactoe\",\"moves\":[\"a1\",\"b2\",\"c3\"]}"}};
    struct player player = new_player(&house, "Ada");
    struct game game = make_long_game(4);

    start_with_games("0", "2");
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct answer answer;
        char path[80];

        snprintf(path, sizeof(path), rows[i].path, game.id);
        answer = ask_counted("POST", path, NULL, rows[i].few);
        assert_status(&answer, 201);
        answer = ask_counted("POST", path, NULL, rows[i].many);
        assert_problem(&answer, 422, "game-too-long");
        cr_assert_not_null(strstr(text_of(&answer, "detail"), "with 2 plies at most"));
        answer = ask_counted("POST", path, player.token, rows[i].many);
        assert_status(&answer, 201);
    }
}

/* ---- clients that leave ---- */

static int send_counted(const char *method, const char *path, const char *body)
{
    int fd = http_connect(house.second.port);

    http_send(fd, method, path,
              body == NULL ? "X-Forwarded-For: 203.0.113.7\r\n"
                           : "X-Forwarded-For: 203.0.113.7\r\nContent-Type: application/json\r\n",
              body, body == NULL ? 0 : strlen(body));
    return fd;
}

Test(costs, a_client_that_leaves_without_its_answer_is_charged)
{
    enum { ALL = 1000000, BYTES_MIN = 2 * METERING_OUT_BYTES };
    struct answer answer;
    long left = ALL, asked = 0;

    start_with_quota("1000000");
    close(send_counted("GET", "/openapi.yaml", NULL));
    for (; ALL - left - asked < parts(BYTES_MIN, METERING_OUT_BYTES); asked++) {
        answer = ask_counted("GET", "/v1/variants/shogi", NULL, NULL);
        left = left_of(&answer);
    }
}

/* Two answers on a later connection: what was sent before has been read by then. */
static void wait_until_read(void)
{
    int fd = http_connect(house.second.port);

    for (int i = 0; i < 2; i++) {
        struct http_reply reply;

        http_send(fd, "GET", "/healthz", NULL, NULL, 0);
        http_receive(fd, "GET", &reply);
        cr_assert_eq(reply.status, 200);
        http_free(&reply);
    }
    close(fd);
}

/* The connection is reset, so nobody can still wait for an answer. */
static void break_off(int fd)
{
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &(struct linger){.l_onoff = 1}, sizeof(struct linger));
    close(fd);
}

static bool worked_on_pictures(void)
{
    struct http_reply reply;
    bool did;

    http_request(house.second.port, &reply, "GET", "/metrics", NULL, NULL);
    did = strstr(reply.body, "plyd_worker_seconds_total{method=\"GET\","
                             "route=\"/v1/variants/{variant}/board.svg\"}") != NULL;
    http_free(&reply);
    return did;
}

/* One address keeps the only worker busy, so that its last request waits behind all others. */
Test(costs, what_a_client_asked_for_is_not_worked_on_once_it_has_gone)
{
    enum { BEFORE = 60 };
    static const char picture[] = "/v1/variants/tictactoe/board.svg?options.rows=26";
    static const char check[] = "/v1/variants/turkish-draughts/check?include=legal_moves";
    int fd[BEFORE], gone;
    struct answer answer;

    plyd_start(&house.second, house.database, "--loops", "1", "--workers", "1", "--trusted-proxies",
               "1", NULL);
    for (int i = 0; i < BEFORE; i++)
        fd[i] = send_counted("POST", check, many_captures);
    gone = send_counted("GET", picture, NULL);
    wait_until_read();
    break_off(gone);
    for (int i = 0; i < BEFORE; i++) {
        struct http_reply reply;

        http_receive(fd[i], "POST", &reply);
        cr_assert_eq(reply.status, 200);
        http_free(&reply);
        close(fd[i]);
    }
    for (int i = 0; i < 2; i++) { /* one that is put off comes between them */
        answer = ask_counted("POST", check, NULL, many_captures);
        assert_status(&answer, 200);
    }
    cr_assert_not(worked_on_pictures());
    answer = ask_counted("GET", picture, NULL, NULL);
    assert_status(&answer, 200);
    cr_assert(worked_on_pictures());
}

/* ---- computer opponents ---- */

/* The only daemon has quotas, so that no other plays for its opponents. */
static void serve_with_quota(const char *requests)
{
    cr_assert_eq(plyd_stop(&house.plyd), 0);
    start_with_quota(requests);
    house.plyd = house.second;
}

/* A game against an opponent of a level, which begins if the person has seat 2. */
static struct game against(int level, int seat, long *cost)
{
    char engine[48], body[160];
    struct game game;
    struct answer answer;

    snprintf(engine, sizeof(engine), "{\"engine\":\"plyd\",\"level\":%d}", level);
    snprintf(body, sizeof(body), "{\"variant\":\"jungle\",\"seats\":[%s,%s]}",
             seat == 1 ? "{\"me\":true}" : engine, seat == 1 ? engine : "{\"me\":true}");
    answer = ask_counted("POST", "/v1/games", NULL, body);
    assert_status(&answer, 201);
    *cost = cost_of(&answer);
    snprintf(game.id, sizeof(game.id), "%s", text_of(&answer, "id"));
    snprintf(game.token, sizeof(game.token), "%s", text_of(&answer, "token"));
    return game;
}

static int ply_of(const struct game *game)
{
    struct answer answer = ask_at(&house, game->token, "GET", NULL, "/v1/games/%s", game->id);

    return number_of(&answer, "ply");
}

static struct answer move_counted(const struct game *game, const char *body)
{
    char path[64];

    snprintf(path, sizeof(path), "/v1/games/%s/moves", game->id);
    return ask_counted("POST", path, game->token, body);
}

static void close_served(void)
{
    house.second.port = 0;
}

Test(costs, whoever_makes_it_an_opponents_turn_pays_for_its_search, .fini = close_served)
{
    enum { OF_LEVEL_8 = 48 };
    struct answer answer;
    struct game game;
    long cost;

    serve_with_quota("1000000");
    against(8, 2, &cost);
    cr_assert_geq(cost, OF_LEVEL_8);
    against(3, 2, &cost);
    cr_assert_lt(cost, OF_LEVEL_8 / 4);
    game = against(8, 1, &cost);
    cr_assert_lt(cost, OF_LEVEL_8 / 4);
    answer = move_counted(&game, "{\"move\":\"g3g4\"}");
    assert_status(&answer, 201);
    cr_assert_geq(cost_of(&answer), OF_LEVEL_8);
}

Test(costs, an_opponent_answers_a_client_that_has_nothing_left, .fini = close_served)
{
    struct answer answer;
    struct game game;
    long cost;

    serve_with_quota("10");
    game = against(8, 1, &cost);
    answer = move_counted(&game, "{\"move\":\"g3g4\"}");
    assert_status(&answer, 201);
    answer = move_counted(&game, "{\"move\":\"g4g3\"}");
    assert_problem(&answer, 429, "quota-exceeded");
    for (int looks = 0; ply_of(&game) < 2; looks++)
        back_off(looks);
}

/* Each game has a token of its own, and still they are one client's. */
Test(costs, opponents_of_many_games_do_not_hold_up_that_of_another_client, .fini = close_served)
{
    enum { MANY = 8 };
    struct game many[MANY], one;
    int answered = 0;
    long cost;

    serve_with_quota("1000000");
    for (int i = 0; i < MANY; i++)
        many[i] = against(8, 2, &cost);
    client++;
    one = against(8, 2, &cost);
    for (int looks = 0; ply_of(&one) < 1; looks++)
        back_off(looks);
    for (int i = 0; i < MANY; i++)
        answered += ply_of(&many[i]);
    cr_assert_leq(answered, MANY / 2);
}
