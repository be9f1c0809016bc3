/* test_keys.c - an Idempotency-Key means the same wherever something is posted or put. */
#include <criterion/criterion.h>
#include <libpq-fe.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "house.h"
#include "tests/support/backoff.h"
#include "tests/support/schema.h"

static struct house house;
static struct game game;
static struct player player;
static struct player eve;
static char hook[32], collection[32];

/* Whoever is to move in the game is not the one who asks, who has a plan for that. What waits for a
 * lock holds a connection up, such as the look at old answers soon after the start: others go on.
 */
static void open_house(void)
{
    struct answer answer;

    setenv("PLYD_DB_CONNECTIONS", "4", 1);
    house_open(&house);
    player = new_player(&house, "Ada");
    eve = new_player(&house, "Eve");
    game = new_game_of(&house, player.token,
                       "{\"variant\":\"jungle\",\"seats\":[{\"open\":true},{\"me\":true}]}");
    answer = ask_at(&house, NULL, "POST", "{}", "/v1/games/%s/join", game.id);
    assert_status(&answer, 200);
    answer = ask_as(&house, player.token, "POST", "/v1/webhooks",
                    "{\"url\":\"https://receiver.invalid/plyd\"}");
    snprintf(hook, sizeof(hook), "%s", text_of(&answer, "id"));
    answer = ask_as(&house, player.token, "POST", "/v1/me/collections", "{\"name\":\"Mine\"}");
    snprintf(collection, sizeof(collection), "%s", text_of(&answer, "id"));
}

static void close_house(void)
{
    house_close(&house);
}

TestSuite(keys, .init = open_house, .fini = close_house);

/* A request that may be done twice without harm, and another one at the same address. */
static const struct deed {
    const char *method, *path, *place, *body, *other;
    int status;
} deeds[] = {
    {"PUT", "/v1/games/%s/plan", game.id,
     "{\"after_ply\":0,\"tree\":[{\"if\":\"a3a4\",\"then\":\"g7g6\"}]}",
     "{\"after_ply\":0,\"tree\":[{\"if\":\"a3a4\",\"then\":\"resign\"}]}", 200},
    {"PUT", "/v1/games/%s/notes/0", game.id, "{\"text\":\"one\"}", "{\"text\":\"two\"}", 200},
    {"PUT", "/v1/games/%s/notes/0", game.id, "{\"text\":\"\"}", "{\"text\":\"two\"}", 204},
    {"POST", "/v1/games/%s/ticket", game.id, "{}", "{\"a\":1}", 201},
    {"POST", "/v1/me/ticket", NULL, "{}", "{\"a\":1}", 201},
    {"POST", "/v1/me/vacation", NULL, "{\"for\":\"7d\"}", "{\"for\":\"8d\"}", 201},
    {"POST", "/v1/me/subscriptions", NULL,
     "{\"endpoint\":\"https://push.invalid/"
     "1\",\"keys\":{\"p256dh\":\"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-"
     "JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4\",\"auth\":\"BTBZMqHH6r4Tts7J_"
     "aSIgg\"}}",
     "{\"a\":1}", 201},
    {"PUT", "/v1/me/read", NULL, "{\"games\":{}}", "{\"a\":1}", 204},
    {"PUT", "/v1/me/blocks/%s", eve.id, "{}", "{\"a\":1}", 204},
    {"POST", "/v1/me/collections", NULL, "{\"name\":\"A\"}", "{\"name\":\"B\"}", 201},
    {"PUT", "/v1/me/collections/%s/games/%s", collection, "{}", "{\"a\":1}", 204},
    {"POST", "/v1/webhooks/%s/test", hook, "{}", "{\"a\":1}", 202},
};

enum { DEEDS = sizeof(deeds) / sizeof(deeds[0]) };

enum { PATH = 160, HEADERS = 400 };

static void compose(const struct deed *deed, const char *token, const char *key, char path[PATH],
                    char headers[HEADERS])
{
    if (deed->place == NULL)
        snprintf(path, PATH, "%s", deed->path);
    else
        snprintf(path, PATH, deed->path, deed->place, game.id);
    snprintf(headers, HEADERS, "%s%s%sContent-Type: application/json\r\n%s%s%s",
             token == NULL ? "" : "Authorization: Bearer ", token == NULL ? "" : token,
             token == NULL ? "" : "\r\n",
             key == NULL ? "" : "Idempotency-Key: ", key == NULL ? "" : key,
             key == NULL ? "" : "\r\n");
}

static struct answer act_as(const struct deed *deed, const char *token, const char *key,
                            const char *body)
{
    char path[PATH], headers[HEADERS];

    compose(deed, token, key, path, headers);
    return ask(&house, deed->method, path, headers, body);
}

static struct answer act(const struct deed *deed, const char *key, const char *body)
{
    return act_as(deed, player.token, key, body);
}

static bool is_replayed(const struct answer *answer)
{
    char value[256];

    return http_header(&answer->reply, "Idempotent-Replayed", value) != NULL;
}

/* ---- in the contract ---- */

static bool takes_key(const cJSON *operation)
{
    const cJSON *parameter;

    cJSON_ArrayForEach(parameter, cJSON_GetObjectItem(operation, "parameters"))
    {
        const cJSON *followed = schema_follow(house.contract, parameter);

        if (strcmp(cJSON_GetObjectItem(followed, "name")->valuestring, "Idempotency-Key") == 0)
            return true;
    }
    return false;
}

/* What says the same however often it is said, and would only push out answers that are kept. */
static bool is_needless(const cJSON *path)
{
    return strcmp(path->string, "/v1/games/{id}/here") == 0;
}

Test(keys, every_operation_that_posts_or_puts_takes_one)
{
    static const char *const methods[] = {"post", "put"};
    const cJSON *path;

    cJSON_ArrayForEach(path, cJSON_GetObjectItem(house.contract, "paths"))
    {
        for (size_t i = 0; i < 2; i++) {
            const cJSON *operation = cJSON_GetObjectItem(path, methods[i]);

            cr_assert(operation == NULL || takes_key(operation) || is_needless(path), "%s %s",
                      methods[i], path->string);
        }
    }
}

/* ---- what it does ---- */

Test(keys, a_request_that_comes_again_is_not_done_again)
{
    for (size_t i = 0; i < DEEDS; i++) {
        char key[32];
        struct answer first, again;

        snprintf(key, sizeof(key), "key-%zu", i);
        first = act(&deeds[i], key, deeds[i].body);
        again = act(&deeds[i], key, deeds[i].body);
        assert_status(&first, deeds[i].status);
        assert_status(&again, deeds[i].status);
        cr_assert_not(is_replayed(&first), "%s", deeds[i].path);
        cr_assert(is_replayed(&again), "%s", deeds[i].path);
        cr_assert_str_eq(again.reply.body, first.reply.body);
    }
}

Test(keys, another_request_under_a_used_key_is_refused)
{
    for (size_t i = 0; i < DEEDS; i++) {
        char key[32];
        struct answer first, other;

        snprintf(key, sizeof(key), "key-%zu", i);
        first = act(&deeds[i], key, deeds[i].body);
        other = act(&deeds[i], key, deeds[i].other);
        cr_assert_lt(first.status, 300, "%s", first.reply.body);
        assert_problem(&other, 422, "idempotency-key-reused");
    }
}

Test(keys, a_refused_request_leaves_its_key_free)
{
    static const struct deed note = {
        .method = "PUT", .path = "/v1/games/%s/notes/0", .place = game.id};
    struct answer refused = act(&note, "k", "{\"text\":7}"),
                  good = act(&note, "k", "{\"text\":\"7\"}");

    cr_assert_geq(refused.status, 400);
    assert_status(&good, 200);
}

Test(keys, what_was_undone_since_is_not_done_again)
{
    static const struct deed note = {
        .method = "PUT", .path = "/v1/games/%s/notes/0", .place = game.id};
    struct answer first = act(&note, "k", "{\"text\":\"one\"}"), again, notes;

    first = ask_at(&house, player.token, "DELETE", NULL, "/v1/games/%s/notes/0", game.id);
    assert_status(&first, 204);
    again = act(&note, "k", "{\"text\":\"one\"}");
    cr_assert_str_eq(text_of(&again, "text"), "one");
    notes = ask_at(&house, player.token, "GET", NULL, "/v1/games/%s/notes", game.id);
    cr_assert_eq(cJSON_GetArraySize(member(&notes, "items")), 0);
}

Test(keys, a_key_is_refused_elsewhere_and_free_to_others)
{
    static const struct deed note = {
        .method = "PUT", .path = "/v1/games/%s/notes/0", .place = game.id};
    static const struct deed ticket = {
        .method = "POST", .path = "/v1/games/%s/ticket", .place = game.id};
    struct answer first = act(&note, "k", "{\"text\":\"one\"}"), other = act(&ticket, "k", "{}");
    struct player mia = new_player(&house, "Mia");

    assert_status(&first, 200);
    assert_problem(&other, 422, "idempotency-key-reused");
    player = mia;
    other = act(&(struct deed){.method = "POST", .path = "/v1/me/ticket"}, "k", "{}");
    assert_status(&other, 201);
}

/* They have no answers of their own, so their key matters no more than what they ask for. */
Test(keys, a_stranger_is_told_what_they_lack_whatever_their_key)
{
    for (size_t i = 0; i < DEEDS; i++) {
        struct answer keyed = act_as(&deeds[i], NULL, "short", deeds[i].body),
                      bare = act_as(&deeds[i], NULL, NULL, deeds[i].body);

        cr_assert_geq(bare.status, 400);
        cr_assert_eq(keyed.status, bare.status, "%s: %s", deeds[i].path, keyed.reply.body);
        cr_assert_str_eq(text_of(&keyed, "code"), text_of(&bare, "code"));
    }
}

/* ---- at the same moment ---- */

/* How often a header stands in an answer. */
static int times_of(const struct answer *answer, const char *name)
{
    const char *at = answer->reply.headers;
    int count = 0;

    for (; (at = strstr(at, name)) != NULL; at++)
        count++;
    return count;
}

/* Neither is answered before both wait. */
static void await_both(const int fds[2])
{
    PGconn *pg = PQconnectdb(house.database);
    PGresult *waiting = NULL;

    for (int looks = 0; waiting == NULL || strcmp(PQgetvalue(waiting, 0, 0), "2") != 0; looks++) {
        for (int i = 0; i < 2; i++)
            cr_assert_eq(poll(&(struct pollfd){.fd = fds[i], .events = POLLIN}, 1, 0), 0);
        back_off(looks);
        PQclear(waiting);
        waiting = PQexec(pg, "select count(*) from pg_stat_activity where wait_event_type = 'Lock'"
                             " and query like 'with kept as%' and datname = current_database()");
        cr_assert_eq(PQresultStatus(waiting), PGRES_TUPLES_OK, "%s", PQerrorMessage(pg));
    }
    PQclear(waiting);
    PQfinish(pg);
}

static void run(PGconn *pg, const char *command)
{
    PGresult *result = PQexec(pg, command);

    cr_assert_eq(PQresultStatus(result), PGRES_COMMAND_OK, "%s", PQerrorMessage(pg));
    PQclear(result);
}

/* Whoever keeps an answer waits until this session ends, and nobody else does: a daemon that has
 * just begun still prepares statements about that table, and deletes there. */
static void hold_answers(PGconn *pg)
{
    run(pg, "create function hold() returns trigger language plpgsql as"
            " $$ begin perform pg_advisory_xact_lock_shared(1); return new; end $$;"
            " create trigger hold before insert on answers for each row execute function hold()");
    run(pg, "do $$ begin perform pg_advisory_lock(1); end $$");
}

/* Two daemons do a request each before the answer of either is kept. */
static void act_at_once(const struct deed *deed, const char *const bodies[2],
                        struct answer answers[2])
{
    const int ports[] = {house.plyd.port, house.second.port};
    char path[PATH], headers[HEADERS];
    struct http_reply replies[2];
    PGconn *pg = PQconnectdb(house.database);
    int fds[2];

    compose(deed, player.token, "the key of both", path, headers);
    hold_answers(pg);
    for (int i = 0; i < 2; i++) {
        fds[i] = http_connect(ports[i]);
        http_send(fds[i], deed->method, path, headers, bodies[i], strlen(bodies[i]));
    }
    await_both(fds);
    PQfinish(pg);
    for (int i = 0; i < 2; i++) {
        http_receive(fds[i], deed->method, &replies[i]);
        answers[i] = answer_of(&house, deed->method, path, replies[i]);
        close(fds[i]);
    }
}

Test(keys, of_the_same_request_twice_at_once_both_get_the_answer_that_was_kept)
{
    static const struct deed ticket = {.method = "POST", .path = "/v1/me/ticket"};
    struct answer answers[2], again;

    house_open_second(&house);
    act_at_once(&ticket, (const char *const[]){"{}", "{}"}, answers);
    again = act(&ticket, "the key of both", "{}");
    cr_assert_neq(is_replayed(&answers[0]), is_replayed(&answers[1]));
    for (int i = 0; i < 2; i++) {
        assert_status(&answers[i], 201);
        cr_assert_str_eq(answers[i].reply.body, again.reply.body);
    }
}

Test(keys, an_answer_in_place_of_another_one_has_the_headers_of_none_but_its_own)
{
    static const struct deed made = {.method = "POST", .path = "/v1/me/collections"};
    struct answer answers[2];

    house_open_second(&house);
    act_at_once(&made, (const char *const[]){"{\"name\":\"A\"}", "{\"name\":\"A\"}"}, answers);
    for (int i = 0; i < 2; i++)
        cr_assert_eq(times_of(&answers[i], "Location: "), 1, "%s", answers[i].reply.headers);
}

/* Both were done, and the client will hear of its mistake when it repeats the other one. */
Test(keys, of_two_requests_under_one_key_at_once_each_is_told_what_it_has_done)
{
    static const struct deed note = {
        .method = "PUT", .path = "/v1/games/%s/notes/0", .place = game.id};
    static const char *const texts[] = {"one", "two"};
    struct answer answers[2];

    house_open_second(&house);
    act_at_once(&note, (const char *const[]){"{\"text\":\"one\"}", "{\"text\":\"two\"}"}, answers);
    for (int i = 0; i < 2; i++) {
        assert_status(&answers[i], 200);
        cr_assert_str_eq(text_of(&answers[i], "text"), texts[i]);
        cr_assert_not(is_replayed(&answers[i]));
    }
}

/* As if another one had been kept and forgotten again. */
Test(keys, a_request_whose_answer_cannot_be_kept_is_told_what_it_has_done)
{
    static const char *const faults[] = {"return null", "raise exception 'no'"};

    for (int i = 0; i < 2; i++) {
        char sql[400];
        struct answer answer;

        snprintf(sql, sizeof(sql),
                 "create or replace function keep() returns trigger language plpgsql as"
                 " $$ begin %s; end $$;"
                 " create or replace trigger keep before insert on answers"
                 " for each row execute function keep()",
                 faults[i]);
        house_sql(&house, sql);
        answer = act(&(struct deed){.method = "POST", .path = "/v1/me/ticket"}, "k", "{}");
        assert_status(&answer, 201);
        cr_assert_not(is_replayed(&answer));
    }
}

/* ---- what needs none ---- */

/* Somebody without a token could fill the database. */
Test(keys, a_question_is_answered_anew_and_nothing_is_stored)
{
    static const char *const questions[][2] = {
        {"/v1/variants/shogi/check", "{\"moves\":[\"7g7f\",\"3c3d\"]}"},
        {"/v1/variants/shogi/check", "{\"moves\":[]}"},
        {"/v1/variants/jungle/analyse", "{\"nodes\":1000}"}};

    house_sql(&house, "delete from answers");
    for (size_t i = 0; i < sizeof(questions) / sizeof(questions[0]); i++)
        for (int again = 0; again < 2; again++) {
            struct answer answer =
                ask(&house, "POST", questions[i][0],
                    "Content-Type: application/json\r\nIdempotency-Key: k\r\n", questions[i][1]);

            assert_status(&answer, 200);
            cr_assert_not(is_replayed(&answer));
        }
    house_sql(&house, "do $$ begin assert not exists (select from answers); end $$");
}
