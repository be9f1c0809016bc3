/*
 * test_races.c - what happens when many clients do things at the same moment.
 *
 * Each race is run many times: in the even rounds all clients ask one daemon, in the odd rounds two
 * daemons that serve the same database. After each round the log of the game is judged.
 */
#include <criterion/criterion.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "house.h"
#include "race.h"

enum { ROUNDS = 20, LOG_MAX = 200, LINES_MAX = 16 };

static struct house house;
static struct racer racers[RACERS_MAX];
static struct answer answers[RACERS_MAX];

static void open_house(void)
{
    house_open(&house);
    house_open_second(&house);
}

static void close_house(void)
{
    house_close(&house);
}

TestSuite(races, .init = open_house, .fini = close_house, .timeout = HOUSE_PATIENCE_S);

/* ---- running a race ---- */

static int port_in(int round, size_t i)
{
    return round % 2 == 1 && i % 2 == 1 ? house.second.port : house.plyd.port;
}

/* The request of the i-th racer. `key` is NULL or its Idempotency-Key; a body is a bare text. */
static void enter(int round, size_t i, const char *token, const char *key, const char *method,
                  const char *path, const char *body)
{
    struct racer *racer = &racers[i];
    size_t len = 0;

    *racer = (struct racer){.port = port_in(round, i), .method = method};
    snprintf(racer->path, sizeof(racer->path), "%s", path);
    snprintf(racer->body, sizeof(racer->body), "%s", body);
    if (token != NULL)
        len = (size_t)snprintf(racer->headers, sizeof(racer->headers),
                               "Authorization: Bearer %s\r\n", token);
    if (key != NULL)
        len += (size_t)snprintf(racer->headers + len, sizeof(racer->headers) - len,
                                "Idempotency-Key: %s\r\n", key);
    snprintf(racer->headers + len, sizeof(racer->headers) - len, "Content-Type: %s\r\n",
             body[0] == '{' ? "application/json" : "text/plain");
}

/* The same for an address of a game. */
static void enter_game(int round, size_t i, const struct game *game, const char *method,
                       const char *path, const char *body)
{
    char full[128];

    snprintf(full, sizeof(full), "/v1/games/%s%s", game->id, path);
    enter(round, i, game->token, NULL, method, full, body);
}

static void run(size_t n)
{
    race(racers, n);
    for (size_t i = 0; i < n; i++)
        answers[i] = answer_of(&house, racers[i].method, racers[i].path, racers[i].reply);
}

static size_t count(size_t n, int status)
{
    size_t found = 0;

    for (size_t i = 0; i < n; i++)
        found += answers[i].status == status;
    return found;
}

/* The only one of the answers with this status. */
static const struct answer *only(int round, size_t n, int status)
{
    cr_assert_eq(count(n, status), 1, "round %d: %zu answers of %d", round, count(n, status),
                 status);
    for (size_t i = 0;; i++)
        if (answers[i].status == status)
            return &answers[i];
}

static size_t replayed(size_t n)
{
    char value[256];
    size_t found = 0;

    for (size_t i = 0; i < n; i++)
        found += http_header(&answers[i].reply, "Idempotent-Replayed", value) != NULL;
    return found;
}

/* ---- judging a log ---- */

struct line {
    int seen[LINES_MAX][LOG_MAX]; /* moves of a line at a ply */
    int ply, line, lines;
};

/* Follows an event from where the game stood to where it leads. */
static void follow(struct line *line, const cJSON *event)
{
    const char *type = cJSON_GetObjectItem(event, "type")->valuestring;
    int ply = cJSON_GetObjectItem(event, "ply")->valueint;
    int number = cJSON_GetObjectItem(event, "line")->valueint;

    if (strcmp(type, "move") == 0) {
        cr_assert_eq(ply, line->ply + 1, "a move of ply %d after ply %d", ply, line->ply);
        cr_assert(number == line->line || number == line->lines + 1);
        cr_assert_lt(number, LINES_MAX);
        cr_assert_eq(line->seen[number][ply]++, 0, "ply %d of line %d is there twice", ply, number);
        line->line = number;
        line->lines = number > line->lines ? number : line->lines;
    }
    line->ply = ply;
}

/* Asserts that versions are 1, 2, 3 ... and that a line has each ply once, each after the one
 * before it. Returns how many events of a type there are. */
static int judge_log(const struct game *game, const char *type)
{
    struct answer log =
        ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/events?limit=%d", game->id, LOG_MAX);
    struct answer now = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s", game->id);
    struct line line = {.line = 1, .lines = 1};
    const cJSON *event;
    int version = 0, found = 0;

    cJSON_ArrayForEach(event, member(&log, "items"))
    {
        cr_assert_eq(cJSON_GetObjectItem(event, "version")->valueint, ++version);
        follow(&line, event);
        found += strcmp(cJSON_GetObjectItem(event, "type")->valuestring, type) == 0;
    }
    cr_assert_eq(number_of(&now, "version"), version);
    cr_assert_eq(number_of(&now, "ply"), line.ply);
    cr_assert_eq(number_of(&now, "line"), line.line);
    return found;
}

static void assert_replays(void)
{
    cr_assert(plyd_verified(house.database), "a stored game does not replay");
}

/* ---- the races ---- */

/* A line takes 9 stones, and the racers play on 8 ranks and files alone, so no move ends the game.
 */
static const char big_board[] = "{\"variant\":\"tictactoe\","
                                "\"options\":{\"rows\":9,\"cols\":9,\"k\":9}}";

static void square(size_t i, char text[4])
{
    snprintf(text, 4, "%c%c", (char)('a' + i % 8), (char)('1' + i / 8));
}

Test(races, of_64_moves_at_a_ply_one_is_played_and_the_others_are_told_which)
{
    for (int round = 0; round < ROUNDS; round++) {
        struct game game = new_game(&house, big_board);
        const struct answer *winner;

        for (size_t i = 0; i < 64; i++) {
            char move[4], body[64];

            square(i, move);
            snprintf(body, sizeof(body), "{\"move\":\"%s\",\"ply\":1}", move);
            if (i % 4 < 2)
                enter_game(round, i, &game, "PUT", "/moves/1", move);
            else
                enter_game(round, i, &game, "POST", "/moves", body);
        }
        run(64);
        winner = only(round, 64, 201);
        cr_assert_eq(count(64, 409), 63);
        for (size_t i = 0; i < 64; i++)
            if (answers[i].status == 409) {
                assert_problem(&answers[i], 409, "ply-taken");
                cr_assert_str_eq(text_of(&answers[i], "moves.0.move"), text_of(winner, "move"));
            }
        cr_assert_eq(judge_log(&game, "move"), 1);
    }
    assert_replays();
}

Test(races, of_64_puts_of_the_same_move_one_is_201_and_the_others_are_200)
{
    for (int round = 0; round < ROUNDS; round++) {
        struct game game = new_game(&house, big_board);

        for (size_t i = 0; i < 64; i++)
            enter_game(round, i, &game, "PUT", "/moves/1", "b2");
        run(64);
        only(round, 64, 201);
        cr_assert_eq(count(64, 200), 63, "round %d", round);
        cr_assert_eq(judge_log(&game, "move"), 1);
    }
    assert_replays();
}

/* Asserts that all racers got the first answer, all but one of them as a replay. */
static void assert_answered_once(int round, size_t n)
{
    cr_assert_eq(count(n, 201), n, "round %d", round);
    for (size_t i = 1; i < n; i++)
        cr_assert_str_eq(answers[i].reply.body, answers[0].reply.body);
    cr_assert_eq(replayed(n), n - 1, "round %d: %zu of %zu are replays", round, replayed(n), n);
}

Test(races, of_32_moves_with_one_key_one_is_played_and_all_get_its_answer)
{
    for (int round = 0; round < ROUNDS; round++) {
        struct game game = new_game(&house, big_board);
        char path[128];

        snprintf(path, sizeof(path), "/v1/games/%s/moves", game.id);
        for (size_t i = 0; i < 32; i++)
            enter(round, i, game.token, "the-same-key", "POST", path, "b2");
        run(32);
        assert_answered_once(round, 32);
        cr_assert_eq(judge_log(&game, "move"), 1);
    }
    assert_replays();
}

Test(races, of_32_creations_with_one_key_one_makes_a_game_and_all_get_its_token)
{
    for (int round = 0; round < ROUNDS; round++) {
        struct game game;
        char key[64];

        snprintf(key, sizeof(key), "creation of round %d", round);
        for (size_t i = 0; i < 32; i++)
            enter(round, i, NULL, key, "POST", "/v1/games", big_board);
        run(32);
        assert_answered_once(round, 32);
        snprintf(game.id, sizeof(game.id), "%s", text_of(&answers[0], "id"));
        snprintf(game.token, sizeof(game.token), "%s", text_of(&answers[0], "token"));
        play(&house, &game, "b2");
        cr_assert_eq(judge_log(&game, "created"), 1);
    }
    assert_replays();
}

Test(races, of_48_moves_without_a_ply_all_are_played_one_after_the_other)
{
    for (int round = 0; round < ROUNDS / 2; round++) {
        struct game game = new_game(&house, big_board);

        for (size_t i = 0; i < 48; i++) {
            char move[4];

            square(i, move);
            enter_game(round, i, &game, "POST", "/moves", move);
        }
        run(48);
        cr_assert_eq(count(48, 201), 48, "round %d: %zu were played", round, count(48, 201));
        cr_assert_eq(judge_log(&game, "move"), 48);
    }
    assert_replays();
}

Test(races, undo_against_move_leaves_a_log_that_replays)
{
    for (int round = 0; round < ROUNDS; round++) {
        struct game game = new_game(&house, big_board);
        int moved, undone;

        play(&house, &game, "a1 b1 c1 d1");
        for (size_t i = 0; i < 16; i++) {
            char move[4];

            square(8 + i, move);
            if (i % 4 < 2)
                enter_game(round, i, &game, "POST", "/moves", move);
            else
                enter_game(round, i, &game, "POST", "/undo", "{\"to_ply\":3}");
        }
        run(16);
        moved = (int)count(16, 201);
        undone = (int)count(16, 200);
        cr_assert_eq(moved, 8, "round %d: %d moves", round, moved);
        cr_assert_geq(undone, 1);
        cr_assert_eq((int)count(16, 409), 16 - moved - undone);
        cr_assert_eq(judge_log(&game, "move"), 4 + moved);
        cr_assert_eq(judge_log(&game, "undo"), undone);
    }
    assert_replays();
}

Test(races, join_against_join_seats_one_whose_token_plays)
{
    for (int round = 0; round < ROUNDS; round++) {
        struct game game = new_game(&house, "{\"variant\":\"jungle\",\"seats\":"
                                            "[{\"open\":true},{\"me\":true}]}");
        struct game joined = game;

        for (size_t i = 0; i < 32; i++)
            enter_game(round, i, &game, "POST", "/join", "{}");
        run(32);
        snprintf(joined.token, sizeof(joined.token), "%s", text_of(only(round, 32, 200), "token"));
        cr_assert_eq(count(32, 409), 31);
        for (size_t i = 0; i < 32; i++)
            if (answers[i].status == 409)
                assert_problem(&answers[i], 409, "seat-taken");
        play(&house, &joined, "a3a4");
        cr_assert_eq(judge_log(&game, "joined"), 1);
    }
    assert_replays();
}

Test(races, resign_against_move_ends_the_game_once_and_nothing_follows)
{
    for (int round = 0; round < ROUNDS; round++) {
        struct game game = new_game(&house, big_board);
        struct answer log;
        int events;

        for (size_t i = 0; i < 16; i++) {
            char move[4];

            square(i, move);
            if (i % 4 < 2)
                enter_game(round, i, &game, "POST", "/moves", move);
            else
                enter_game(round, i, &game, "POST", "/resign", "{}");
        }
        run(16);
        only(round, 16, 200);
        for (size_t i = 0; i < 16; i++)
            if (answers[i].status != 201 && answers[i].status != 200)
                assert_problem(&answers[i], 409, "game-over");
        cr_assert_eq(judge_log(&game, "move"), (int)count(16, 201));
        log = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/events", game.id);
        events = cJSON_GetArraySize(member(&log, "items"));
        cr_assert_str_eq(
            cJSON_GetObjectItem(cJSON_GetArrayItem(member(&log, "items"), events - 1), "type")
                ->valuestring,
            "resigned");
    }
    assert_replays();
}

/* ---- readers beside a writer ---- */

struct scene {
    struct game game;
    int ports[2];
    atomic_int known; /* the latest version that any client has seen */
    atomic_bool over;
    atomic_int reads;
    atomic_int behind; /* reads that showed less than what was known before them */
};

struct part {
    struct scene *scene;
    bool writes;
};

enum { READERS = 8, READ_MOVES = 56 };

static int version_in(const struct http_reply *reply)
{
    static const char key[] = "\"version\":";
    const char *at = reply->body == NULL ? NULL : strstr(reply->body, key);

    return at == NULL ? 0 : atoi(at + strlen(key));
}

static void learn(struct scene *scene, int version)
{
    int known = atomic_load(&scene->known);

    while (known < version && !atomic_compare_exchange_weak(&scene->known, &known, version)) {
    }
}

static void read_along(struct scene *scene)
{
    int fd[2] = {http_connect(scene->ports[0]), http_connect(scene->ports[1])};
    char path[128];

    snprintf(path, sizeof(path), "/v1/games/%s", scene->game.id);
    for (unsigned turn = 0; !atomic_load(&scene->over); turn = !turn) {
        int known = atomic_load(&scene->known), version;
        struct http_reply reply;

        http_send(fd[turn], "GET", path, NULL, NULL, 0);
        http_receive(fd[turn], "GET", &reply);
        version = version_in(&reply);
        learn(scene, version);
        atomic_fetch_add(&scene->behind, version < known);
        atomic_fetch_add(&scene->reads, 1);
        http_free(&reply);
    }
    close(fd[0]);
    close(fd[1]);
}

static void write_along(struct scene *scene)
{
    int fd = http_connect(scene->ports[0]);
    char path[128], headers[256], move[4];

    snprintf(headers, sizeof(headers), "Content-Type: text/plain\r\nAuthorization: Bearer %s\r\n",
             scene->game.token);
    for (size_t i = 0; i < READ_MOVES; i++) {
        struct http_reply reply;

        square(i, move);
        snprintf(path, sizeof(path), "/v1/games/%s/moves/%zu", scene->game.id, i + 1);
        http_send(fd, "PUT", path, headers, move, strlen(move));
        http_receive(fd, "PUT", &reply);
        if (reply.status == 201)
            learn(scene, (int)i + 2);
        http_free(&reply);
    }
    atomic_store(&scene->over, true);
    close(fd);
}

static void *take_part(void *context)
{
    const struct part *part = context;

    if (part->writes)
        write_along(part->scene);
    else
        read_along(part->scene);
    return NULL;
}

Test(races, readers_beside_a_writer_never_see_less_than_was_known_before_they_asked)
{
    for (int round = 0; round < ROUNDS / 2; round++) {
        struct scene scene = {.game = new_game(&house, big_board), .known = 1};
        struct part parts[READERS + 1];
        void *contexts[READERS + 1];

        scene.ports[0] = house.plyd.port;
        scene.ports[1] = port_in(round, 1);
        for (size_t i = 0; i <= READERS; i++) {
            parts[i] = (struct part){&scene, i == 0};
            contexts[i] = &parts[i];
        }
        race_run(take_part, contexts, READERS + 1);
        cr_assert_eq(scene.known, READ_MOVES + 1);
        cr_assert_gt(scene.reads, READERS);
        cr_assert_eq(scene.behind, 0, "round %d: %d of %d answers were old", round, scene.behind,
                     scene.reads);
        cr_assert_eq(judge_log(&scene.game, "move"), READ_MOVES);
    }
    assert_replays();
}
