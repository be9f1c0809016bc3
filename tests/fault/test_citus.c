/* test_citus.c - kill -9 of a worker of Citus (make drill-citus). */
#include <criterion/criterion.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "new_game.h"
#include "players.h"
#include "rounds.h"
#include "tests/support/http.h"
#include "tests/support/pg.h"
#include "tests/support/plyd.h"
#include "tests/support/stream.h"

enum { PLAYERS = 16, MOVES_BETWEEN = 150, GAMES = 24, CLOCK_S = 8, TOKEN = 160 };

static void run(const char *command)
{
    cr_assert_eq(system(command), 0, "%s", command);
}

static void kill_worker(const char *worker)
{
    char command[512];

    snprintf(command, sizeof(command), "scripts/postgres.sh signal %s KILL", worker);
    run(command);
}

static void start_worker(void)
{
    run("scripts/citus.sh start worker1");
}

/* The clients change over from one daemon to the other, so that each game is written by both. */
Test(citus, a_worker_killed_under_load_loses_and_doubles_nothing)
{
    struct plyd plyd[2];
    struct players players;
    const char *worker = getenv("PLYD_TEST_WORKER");

    if (worker == NULL)
        cr_skip_test("there is no worker to be killed");
    char *url = pg_test_database();
    plyd_start(&plyd[0], url, NULL);
    plyd_start(&plyd[1], url, NULL);
    players_start(&players, PLAYERS, plyd[0].port);
    for (int i = 0; i < rounds(); i++) {
        players_progress(&players, MOVES_BETWEEN);
        players.net.port = plyd[1].port;
        players_progress(&players, MOVES_BETWEEN);
        kill_worker(worker);
        start_worker();
        players.net.port = plyd[0].port;
    }
    players_progress(&players, MOVES_BETWEEN);
    players_stop(&players);
    printf("a worker: %d kills, %llu moves acknowledged, %llu requests repeated, %llu of them had "
           "been carried out\n",
           rounds(), (unsigned long long)players.acknowledged,
           (unsigned long long)players.net.repeated, (unsigned long long)players.replayed);
    players_judge(&players);
    cr_assert_eq(plyd_stop(&plyd[0]), 0);
    cr_assert_eq(plyd_stop(&plyd[1]), 0);
    cr_assert(plyd_verified(url), "a stored game does not replay");
    pg_test_drop(url);
}

/* ---- a worker that stays away ---- */

struct game {
    char id[NEW_GAME_ID], token[TOKEN];
};

/* A request of the player of both sides. Returns the status. */
static int ask(int port, const struct game *game, const char *method, const char *what,
               const char *body, char *answer)
{
    char request[8192]; /* for the compiler, which does not see where an id ends */

    snprintf(request, sizeof(request),
             "%s /v1/games/%s/%s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n"
             "Content-Type: text/plain\r\nContent-Length: %zu\r\n\r\n%s",
             method, game->id, what, game->token, strlen(body), body);
    return stubborn_once(port, request, answer);
}

static int move(int port, const struct game *game, char *answer)
{
    return ask(port, game, "PUT", "moves/1", "a3a4", answer);
}

/* A game that ends is written in more places: the work that is due for it, the list of public
 * games. */
static int resign(int port, const struct game *game, char *answer)
{
    return ask(port, game, "POST", "resign", "", answer);
}

/* How many rows of a table lie on the first worker. */
static int rows_there(const char *url, const char *table)
{
    const char *values[] = {getenv("PLYD_TEST_CITUS"), table};
    PGconn *pg = PQconnectdb(url);
    PGresult *result =
        PQexecParams(pg,
                     "select sum(r.result::int)"
                     " from run_command_on_shards($2::regclass, 'select count(*) from %s') r"
                     " join citus_shards s on s.shardid = r.shardid"
                     " where strpos(split_part($1, ' ', 1), s.nodename) > 0",
                     2, NULL, values, NULL, NULL, 0);
    int count;

    cr_assert_eq(PQresultStatus(result), PGRES_TUPLES_OK, "%s", PQerrorMessage(pg));
    count = atoi(PQgetvalue(result, 0, 0));
    PQclear(result);
    PQfinish(pg);
    return count;
}

/* What became of a step that was tried in every game. */
struct step {
    int done, refused;
};

static void count(struct step *step, int status)
{
    step->done += status == 200 || status == 201;
    step->refused += status == 503;
}

static void assert_step(const struct step *step, const char *what, int there)
{
    cr_assert_eq(step->done, GAMES - there, "of %d games on workers that are there, %d %s",
                 GAMES - there, step->done, what);
    cr_assert_eq(step->refused, there, "of %d games of the worker that is away, %d were refused",
                 there, step->refused);
}

static void assert_all_end(int port, const struct game *games, const bool *over, char *answer)
{
    for (int i = 0; i < GAMES; i++) {
        int status = over[i] ? 200 : move(port, &games[i], answer);
        cr_assert(status == 201 || status == 200, "%d: %.500s", status, answer);
        status = over[i] ? 200 : resign(port, &games[i], answer);
        cr_assert_eq(status, 200, "%d: %.500s", status, answer);
    }
}

Test(citus, while_a_worker_is_away_the_games_of_the_others_go_on)
{
    const char *worker = getenv("PLYD_TEST_WORKER");
    struct step moved = {0}, resigned = {0};
    struct game games[GAMES];
    bool over[GAMES];
    struct plyd plyd;
    int there;

    if (worker == NULL)
        cr_skip_test("there is no worker to be killed");
    char *url = pg_test_database(), *answer = malloc(STUBBORN_ANSWER_MAX);
    plyd_start(&plyd, url, "--db-deadline-ms", "4000", NULL);
    for (int i = 0; i < GAMES; i++)
        new_game(plyd.port, "{\"variant\":\"jungle\"}", games[i].id, games[i].token);
    there = rows_there(url, "games");
    kill_worker(worker);
    for (int i = 0; i < GAMES; i++) {
        count(&moved, move(plyd.port, &games[i], answer));
        int status = resign(plyd.port, &games[i], answer);
        over[i] = status == 200;
        count(&resigned, status);
    }
    start_worker();
    assert_step(&moved, "went on", there);
    assert_step(&resigned, "ended", there);
    assert_all_end(plyd.port, games, over, answer);
    printf("a worker away: %d of %d games went on and ended, and all when it was back\n",
           resigned.done, GAMES);
    free(answer);
    cr_assert_eq(plyd_stop(&plyd), 0);
    cr_assert(plyd_verified(url), "a stored game does not replay");
    pg_test_drop(url);
}

/* ---- what goes by all games, for a player of both sides of each ---- */

struct away {
    struct plyd plyd[2]; /* what one does is told by the streams of the other */
    char token[TOKEN];
    struct game games[GAMES], timed[GAMES]; /* with the player's token */
    bool on_others[GAMES];                  /* of the first */
    int others;
    struct stream streams[GAMES], all;
};

static void post(struct away *away, const char *path, const char *body, const char *member,
                 char *value, size_t size)
{
    char headers[2 * TOKEN] = "Content-Type: application/json\r\n";
    struct http_reply reply;

    if (away->token[0] != '\0')
        snprintf(headers + strlen(headers), sizeof(headers) - strlen(headers),
                 "Authorization: Bearer %s\r\n", away->token);
    http_request(away->plyd[0].port, &reply, "POST", path, headers, body);
    cr_assert_eq(reply.status, 201, "%d: %.300s", reply.status, reply.body);
    cr_assert(http_copy_member(reply.body, member, value, size), "%.300s", reply.body);
    http_free(&reply);
}

static void make_games(struct away *away, struct game games[GAMES], const char *more)
{
    char body[256];

    snprintf(body, sizeof(body),
             "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"me\":true}]%s}", more);
    for (int i = 0; i < GAMES; i++) {
        post(away, "/v1/games", body, "id", games[i].id, sizeof(games[i].id));
        snprintf(games[i].token, sizeof(games[i].token), "%s", away->token);
    }
}

static void open_stream(const struct away *away, struct stream *stream, const char *path)
{
    char headers[2 * TOKEN];
    struct http_reply head;

    snprintf(headers, sizeof(headers), "Accept: text/event-stream\r\nAuthorization: Bearer %s\r\n",
             away->token);
    stream_open(stream, away->plyd[1].port, path, headers, &head);
    cr_assert_eq(head.status, 200, "%s: %d", path, head.status);
    http_free(&head);
}

static void open_streams(struct away *away)
{
    char path[128];

    for (int i = 0; i < GAMES; i++) {
        snprintf(path, sizeof(path), "/v1/games/%s/events", away->games[i].id);
        open_stream(away, &away->streams[i], path);
    }
    open_stream(away, &away->all, "/v1/me/events");
}

static void await_message(struct stream *stream, const char *event, struct stream_message *message)
{
    do
        cr_assert(stream_message(stream, message), "the stream has ended");
    while (message->event == NULL || strcmp(message->event, event) != 0);
}

/* The moves of the games whose worker is as `on_others` says. */
static void assert_told_by_all(struct away *away, bool on_others, int count)
{
    struct stream_message message;
    bool told[GAMES] = {false};

    while (count > 0) {
        await_message(&away->all, "move", &message);
        for (int i = 0; i < GAMES; i++)
            if (strstr(message.data, away->games[i].id) != NULL && !told[i] &&
                away->on_others[i] == on_others) {
                told[i] = true;
                count--;
            }
    }
}

static void assert_told_by_each(struct away *away, bool on_others)
{
    struct stream_message message;

    for (int i = 0; i < GAMES; i++)
        if (away->on_others[i] == on_others)
            await_message(&away->streams[i], "move", &message);
}

/* The list has the games of the other workers and none of the one that is away. */
static void assert_listed(const struct away *away, const char *path)
{
    char headers[2 * TOKEN];
    struct http_reply reply;

    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\n", away->token);
    http_request(away->plyd[0].port, &reply, "GET", path, headers, NULL);
    cr_assert_eq(reply.status, 200, "%s: %d: %.300s", path, reply.status, reply.body);
    for (int i = 0; i < GAMES; i++)
        cr_assert_eq(strstr(reply.body, away->games[i].id) != NULL, away->on_others[i],
                     "%s: game %d", path, i);
    http_free(&reply);
}

/* How many of the games with clocks have ended. Those of a worker that is away cannot be read. */
static int count_ended(const struct away *away, int *unread)
{
    int ended = 0;

    *unread = 0;
    for (int i = 0; i < GAMES; i++) {
        struct http_reply reply;
        char path[128];

        snprintf(path, sizeof(path), "/v1/games/%s", away->timed[i].id);
        http_request(away->plyd[1].port, &reply, "GET", path, NULL, NULL);
        *unread += reply.status == 503;
        ended += reply.status == 200 && strstr(reply.body, "\"status\":\"active\"") == NULL;
        http_free(&reply);
    }
    return ended;
}

static int await_clocks(const struct away *away)
{
    int unread, ended;

    do
        ended = count_ended(away, &unread);
    while (ended + unread < GAMES);
    return ended;
}

/* Finds out which games are on the other workers. */
static void move_in_all(struct away *away, char *answer)
{
    for (int i = 0; i < GAMES; i++) {
        int status = move(away->plyd[0].port, &away->games[i], answer);

        cr_assert(status == 201 || status == 503, "%d: %.300s", status, answer);
        away->on_others[i] = status == 201;
        away->others += away->on_others[i];
    }
}

static void move_in_the_rest(const struct away *away, char *answer)
{
    for (int i = 0; i < GAMES; i++) {
        int status = away->on_others[i] ? 201 : 503;

        while (status == 503)
            status = move(away->plyd[0].port, &away->games[i], answer);
        cr_assert(status == 201 || status == 200, "%d: %.300s", status, answer);
    }
}

/* Nobody can be known by their token while the worker that has them is away. So the player is one
 * of another worker. */
static void make_player(struct away *away, const char *url)
{
    int there;

    do {
        there = rows_there(url, "players");
        *away->token = '\0';
        post(away, "/v1/players", "{\"name\":\"Ada\"}", "token", away->token, sizeof(away->token));
    } while (rows_there(url, "players") > there);
}

static void open_away(struct away *away, const char *url)
{
    char clock[128];

    for (int i = 0; i < 2; i++)
        plyd_start(&away->plyd[i], url, "--db-deadline-ms", "4000", "--quota-address", "0",
                   "--quota-token", "0", "--quota-address-games", "0", "--quota-token-games", "0",
                   NULL);
    make_player(away, url);
    make_games(away, away->games, ",\"visibility\":\"public\"");
    open_streams(away);
    snprintf(clock, sizeof(clock),
             ",\"clock\":{\"kind\":\"fischer\",\"initial\":60,\"increment\":1,"
             "\"first_move\":\"%ds\"}",
             CLOCK_S);
    make_games(away, away->timed, clock);
}

static void close_away(struct away *away)
{
    for (int i = 0; i < GAMES; i++)
        stream_close(&away->streams[i]);
    stream_close(&away->all);
    for (int i = 0; i < 2; i++)
        cr_assert_eq(plyd_stop(&away->plyd[i]), 0);
}

/* A row of the table of docs/citus.md, when this was found to be so. */
static void row(const char *what, int count)
{
    printf("| %s | %d |\n", what, count);
}

static void assert_others_go_on(struct away *away)
{
    row("games whose worker is there, and took a move", away->others);
    assert_listed(away, "/v1/games?limit=100");
    row("of these in the list of public games", away->others);
    assert_listed(away, "/v1/me/games?limit=100");
    row("of these in the list of the player's games", away->others);
    assert_told_by_each(away, true);
    row("moves told by the streams of these games", away->others);
    assert_told_by_all(away, true, away->others);
    row("moves told by the stream of the player", away->others);
    row("clocks that ended their games", await_clocks(away));
}

Test(citus, while_a_worker_is_away_lists_due_work_and_streams_tell_of_the_other_games)
{
    const char *worker = getenv("PLYD_TEST_WORKER");
    struct away away = {.others = 0};

    if (worker == NULL)
        cr_skip_test("there is no worker to be killed");
    char *url = pg_test_database(), *answer = malloc(STUBBORN_ANSWER_MAX);
    open_away(&away, url);
    kill_worker(worker);
    move_in_all(&away, answer);
    assert_others_go_on(&away);
    start_worker();
    move_in_the_rest(&away, answer);
    assert_told_by_each(&away, false);
    assert_told_by_all(&away, false, GAMES - away.others);
    row("moves told by it of the others, when the worker was back", GAMES - away.others);
    cr_assert_eq(await_clocks(&away), GAMES);
    free(answer);
    close_away(&away);
    cr_assert(plyd_verified(url), "a stored game does not replay");
    pg_test_drop(url);
}
