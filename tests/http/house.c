#include "house.h"

#include <criterion/criterion.h>
#include <libpq-fe.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "api/http/files.h"
#include "tests/criterion/runner.h"
#include "tests/support/backoff.h"
#include "tests/support/hung.h"
#include "tests/support/pg.h"
#include "tests/support/ready.h"
#include "tests/support/schema.h"

/* openapi.yaml as the daemon was built with it, read once for all tests. */
static cJSON *contract;

/* ---- a house of one's own ---- */

void house_open(struct house *house)
{
    house_open_on(house, ready_borrow());
}

/* A daemon spends most of its start on statements that it prepares on each connection. */
void house_open_on(struct house *house, char *database)
{
    setenv("PLYD_DB_CONNECTIONS", "1", 0);
    *house = (struct house){.database = database, .contract = contract};
    plyd_start(&house->plyd, house->database, NULL);
}

/* It takes connections, and says nothing. */
void house_set_mail(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof(address);
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    char url[64];

    cr_assert_eq(bind(listener, (struct sockaddr *)&address, size), 0);
    cr_assert_eq(listen(listener, 128), 0);
    cr_assert_eq(getsockname(listener, (struct sockaddr *)&address, &size), 0);
    snprintf(url, sizeof(url), "smtp://127.0.0.1:%d", ntohs(address.sin_port));
    setenv("PLYD_SMTP", url, 1);
    setenv("PLYD_MAIL_FROM", "plyd@plyd.example", 1);
    setenv("PLYD_PUBLIC_URL", "https://play.example", 1);
}

void house_open_second(struct house *house)
{
    if (!house->shared)
        plyd_start(&house->second, house->database, NULL);
}

void house_sql(const struct house *house, const char *command)
{
    PGconn *pg = PQconnectdb(house->database);
    PGresult *result = PQexec(pg, command);

    cr_assert_eq(PQresultStatus(result), PGRES_COMMAND_OK, "%s", PQerrorMessage(pg));
    PQclear(result);
    PQfinish(pg);
}

char *house_value(const struct house *house, const char *query)
{
    PGconn *pg = PQconnectdb(house->database);
    PGresult *result = PQexec(pg, query);
    char *value;

    cr_assert_eq(PQresultStatus(result), PGRES_TUPLES_OK, "%s", PQerrorMessage(pg));
    cr_assert_eq(PQntuples(result), 1);
    value = strdup(PQgetvalue(result, 0, 0));
    PQclear(result);
    PQfinish(pg);
    return value;
}

static void stop_daemons(struct house *house)
{
    plyd_close(&house->plyd);
    if (house->second.port != 0)
        plyd_close(&house->second);
}

void house_close(struct house *house)
{
    if (house->shared)
        return;
    stop_daemons(house);
    ready_return(house->database);
}

void house_close_verified(struct house *house)
{
    if (!house->shared && !plyd_verified(house->database))
        abort();
    house_close(house);
}

/* ---- the house that all share ---- */

/* What the tests, each a process of its own, know of it. */
#define DATABASE_VARIABLE "PLYD_TEST_HOUSE"
#define DAEMONS_VARIABLE  "PLYD_TEST_HOUSE_DAEMONS"

static struct house shared;

static void tell_tests(void)
{
    char daemons[64];

    snprintf(daemons, sizeof(daemons), "%d %d %d %d", (int)shared.plyd.pid, shared.plyd.port,
             (int)shared.second.pid, shared.second.port);
    setenv(DATABASE_VARIABLE, shared.database, 1);
    setenv(DAEMONS_VARIABLE, daemons, 1);
}

/* On Citus a request takes several times as long, so that the tests of many requests would be taken
 * for hung there. */
enum { PATIENCE_ON_CITUS = 5 };

/* No test here waits for the database to be given up, which on a slow machine it would be too soon.
 */
void tests_begin(void)
{
    setenv("PLYD_DB_DEADLINE_MS", "60000", 0);
    contract = cJSON_Parse(files_find("/openapi.json")->text);
    tests_patience = pg_on_citus() ? PATIENCE_ON_CITUS : 1;
    shared.database = ready_borrow();
    plyd_start(&shared.plyd, shared.database, NULL);
    plyd_start(&shared.second, shared.database, NULL);
    tell_tests();
}

/* Every game that a test has left there must replay by the rules. */
void tests_end(void)
{
    stop_daemons(&shared);
    if (!plyd_verified(shared.database))
        abort();
    ready_return(shared.database);
}

void house_share(struct house *house)
{
    *house =
        (struct house){.database = getenv(DATABASE_VARIABLE), .contract = contract, .shared = true};
    cr_assert_eq(sscanf(getenv(DAEMONS_VARIABLE), "%d %d %d %d", &house->plyd.pid,
                        &house->plyd.port, &house->second.pid, &house->second.port),
                 4);
    hung_watch(house->database, house->plyd.port);
    hung_watch(house->database, house->second.port);
}

void house_move_out(struct house *house)
{
    house_close(house);
    house_open(house);
}

/* ---- the contract ---- */

static const cJSON *get(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

/* Whether a path, up to its query, fits a pattern with {places}. */
static bool path_fits(const char *pattern, const char *path)
{
    while (*pattern != '\0') {
        if (*pattern == '{') {
            path += strcspn(path, strcmp(pattern, "{file}") == 0 ? "/?" : "/?.");
            pattern += strcspn(pattern, "}") + 1;
        } else if (*pattern++ != *path++) {
            return false;
        }
    }
    return *path == '\0' || *path == '?';
}

/* The address of an export that has its format as an extension. The contract calls it short for the
 * one with ?format=, since an operation of its own would be ambiguous to tools: {id}.{extension} is
 * also an {id}. */
static bool is_short_export(const char *path)
{
    static const char games[] = "/v1/games/";

    if (strncmp(path, games, strlen(games)) != 0)
        return false;
    path += strlen(games);
    path += strcspn(path, "/?.");
    return *path == '.' && path[strcspn(path, "/?")] != '/';
}

/* An operation of its own in 0.1.0. */
static const char short_export[] = "/v1/games/{id}.{extension}";

static const cJSON *find_operation(const struct house *house, const char *method, const char *path)
{
    char lower[16] = "";
    const cJSON *entry;

    if (is_short_export(path))
        path = get(get(house->contract, "paths"), short_export) != NULL ? short_export
                                                                        : "/v1/games/{id}/export";

    for (size_t i = 0; method[i] != '\0' && i < sizeof(lower) - 1; i++)
        lower[i] = (char)(method[i] | 0x20);
    if (strcmp(lower, "head") == 0)
        strcpy(lower, "get");
    cJSON_ArrayForEach(entry, get(house->contract, "paths"))
    {
        if (path_fits(entry->string, path) && get(entry, lower) != NULL)
            return get(entry, lower);
    }
    return NULL;
}

const char *operation_of(const struct house *house, const char *method, const char *path)
{
    const cJSON *operation = find_operation(house, method, path);

    return operation == NULL ? NULL : get(operation, "operationId")->valuestring;
}

static bool is_json(const char *type)
{
    return strstr(type, "json") != NULL && strstr(type, "ndjson") == NULL;
}

/* A stream of events has no state of its own. */
static bool is_stream(const struct answer *answer)
{
    char type[256];

    return http_header(&answer->reply, "Content-Type", type) != NULL &&
           (strstr(type, "event-stream") != NULL || strstr(type, "ndjson") != NULL);
}

static void check_headers(const struct answer *answer, const cJSON *response, const char *what)
{
    const cJSON *header;
    char value[256];

    cJSON_ArrayForEach(header, get(response, "headers"))
    {
        const char *name = header->string;

        if (strcmp(name, "Link") == 0 || strcmp(name, "Idempotent-Replayed") == 0 ||
            strcmp(name, "RateLimit-Cost") == 0 || strcmp(name, "Record-Left-Out") == 0 ||
            strcmp(name, "Deprecation") == 0 || strcmp(name, "Sunset") == 0)
            continue; /* only where there is something to tell */
        if (strcmp(name, "Record-Games-Left-Out") == 0 && answer->reply.len == 0)
            continue; /* it stands behind a body */
        if (strcmp(name, "ETag") == 0 && (answer->status >= 400 || is_stream(answer)))
            continue;
        cr_assert_not_null(http_header(&answer->reply, name, value), "%s: no %s", what, name);
    }
}

/* What is for one client and one time is stored by nobody. */
static void check_storing(const char *method, const char *path, const struct answer *answer)
{
    char value[256] = "";

    if (answer->status < 400 && (strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0 ||
                                 strcmp(method, "OPTIONS") == 0))
        return;
    http_header(&answer->reply, "Cache-Control", value);
    cr_assert_str_eq(value, "no-store", "%s %s answers %d with Cache-Control: %s", method, path,
                     answer->status, value);
}

/* Fails the test if an answer of a known operation is not what the contract says. */
static void check_contract(const struct house *house, const char *method, const char *path,
                           const struct answer *answer)
{
    const cJSON *operation = find_operation(house, method, path), *response, *media;
    char status[8], what[300], type[256] = "", why[1024];

    /* What every address may answer is said once, in the contract's own description. */
    if (operation == NULL || answer->status == 405 || answer->status == 414 ||
        answer->status == 417 || answer->status == 431)
        return;
    snprintf(what, sizeof(what), "%s %.200s answers %d", method, path, answer->status);
    snprintf(status, sizeof(status), "%d", answer->status);
    response = schema_follow(house->contract, get(get(operation, "responses"), status));
    cr_assert_not_null(response, "%s, which is not in the contract: %.300s", what,
                       answer->reply.body);
    check_headers(answer, response, what);
    if (strcmp(method, "HEAD") == 0 || get(response, "content") == NULL) {
        cr_assert_eq(answer->reply.len, 0, "%s with a body", what);
        return;
    }
    http_header(&answer->reply, "Content-Type", type);
    type[strcspn(type, ";")] = '\0';
    media = get(get(response, "content"), type);
    cr_assert_not_null(media, "%s as %s, which is not in the contract", what, type);
    if (!is_json(type))
        return;
    cr_assert_not_null(answer->json, "%s: not JSON: %.300s", what, answer->reply.body);
    cr_assert(schema_fits(house->contract, get(media, "schema"), answer->json, why, sizeof(why)),
              "%s: %s\n%.1500s", what, why, answer->reply.body);
}

/* What has one value is told once. */
static void check_repeated(const char *method, const char *path, const struct answer *answer)
{
    static const char name[] = "Idempotent-Replayed:";
    const char *line = strstr(answer->reply.headers, name);

    cr_assert(line == NULL || strstr(line + 1, name) == NULL,
              "%s %s is told twice to be a repeated answer", method, path);
}

/* ---- asking ---- */

/* The answers so far. The list keeps what they are made of in the reach of leak checks. */
struct kept {
    struct answer answer;
    struct kept *next;
};
static struct kept *kept;

void answer_keep(const struct answer *answer)
{
    struct kept *one = malloc(sizeof(*one));

    cr_assert_not_null(one);
    *one = (struct kept){*answer, kept};
    kept = one;
}

struct answer answer_of(const struct house *house, const char *method, const char *path,
                        struct http_reply reply)
{
    struct answer answer = {.status = reply.status, .reply = reply};
    char type[256];

    cr_assert_neq(answer.status, 0, "%s %s: no answer", method, path);
    if (http_header(&answer.reply, "Content-Type", type) != NULL && is_json(type))
        answer.json = cJSON_Parse(answer.reply.body);
    answer_keep(&answer);
    check_contract(house, method, path, &answer);
    check_storing(method, path, &answer);
    check_repeated(method, path, &answer);
    return answer;
}

struct answer ask(struct house *house, const char *method, const char *path, const char *headers,
                  const char *body)
{
    struct http_reply reply;

    http_request(house->plyd.port, &reply, method, path, headers, body);
    return answer_of(house, method, path, reply);
}

struct answer ask_as(struct house *house, const char *token, const char *method, const char *path,
                     const char *body)
{
    char headers[4096] = "";

    if (token != NULL)
        snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\n", token);
    if (body != NULL)
        strcat(headers, body[0] == '{' ? "Content-Type: application/json\r\n"
                                       : "Content-Type: text/plain\r\n");
    return ask(house, method, path, headers, body);
}

struct answer ask_at(struct house *house, const char *token, const char *method, const char *body,
                     const char *path, ...)
{
    char text[512];
    va_list args;

    va_start(args, path);
    vsnprintf(text, sizeof(text), path, args);
    va_end(args);
    return ask_as(house, token, method, text, body);
}

void answers_forget(void)
{
    while (kept != NULL) {
        struct kept *next = kept->next;

        cJSON_Delete(kept->answer.json);
        http_free(&kept->answer.reply);
        free(kept);
        kept = next;
    }
}

struct player new_player(struct house *house, const char *name)
{
    struct answer answer;
    struct player player;
    char body[128];

    snprintf(body, sizeof(body), "{\"name\":\"%s\"}", name);
    answer = ask_as(house, NULL, "POST", "/v1/players", body);
    assert_status(&answer, 201);
    snprintf(player.id, sizeof(player.id), "%s", text_of(&answer, "id"));
    snprintf(player.token, sizeof(player.token), "%s", text_of(&answer, "token"));
    return player;
}

void replace_player_token(struct house *house, struct player *player)
{
    char headers[300];
    struct answer answer;

    snprintf(headers, sizeof(headers),
             "Authorization: Bearer %s\r\nIdempotency-Key: a-new-token-for-this-player\r\n",
             player->token);
    answer = ask(house, "POST", "/v1/me/token", headers, NULL);
    assert_status(&answer, 200);
    snprintf(player->token, sizeof(player->token), "%s", text_of(&answer, "token"));
}

struct game new_game(struct house *house, const char *body)
{
    return new_game_of(house, NULL, body);
}

struct game new_game_of(struct house *house, const char *token, const char *body)
{
    struct answer answer = ask_as(house, token, "POST", "/v1/games", body);
    struct game game;

    assert_status(&answer, 201);
    snprintf(game.id, sizeof(game.id), "%s", text_of(&answer, "id"));
    snprintf(game.token, sizeof(game.token), "%s", text_of(&answer, "token"));
    return game;
}

void play(struct house *house, const struct game *game, const char *moves)
{
    char *copy = strdup(moves), *save = NULL;

    for (char *move = strtok_r(copy, " ", &save); move != NULL; move = strtok_r(NULL, " ", &save)) {
        struct answer answer =
            ask_at(house, game->token, "POST", move, "/v1/games/%s/moves", game->id);

        assert_status(&answer, 201);
    }
    free(copy);
}

/* ---- looking ---- */

static const cJSON *find_member(const struct answer *answer, const char *path)
{
    char copy[256], *save = NULL;
    const cJSON *at = answer->json;

    snprintf(copy, sizeof(copy), "%s", path);
    for (char *part = strtok_r(copy, ".", &save); part != NULL && at != NULL;
         part = strtok_r(NULL, ".", &save))
        at = cJSON_IsArray(at) ? cJSON_GetArrayItem(at, atoi(part)) : get(at, part);
    return at;
}

int has(const struct answer *answer, const char *path)
{
    return find_member(answer, path) != NULL;
}

const cJSON *member(const struct answer *answer, const char *path)
{
    const cJSON *found = find_member(answer, path);

    cr_assert_not_null(found, "no %s in %.600s", path, answer->reply.body);
    return found;
}

const char *text_of(const struct answer *answer, const char *path)
{
    const cJSON *found = member(answer, path);

    cr_assert(cJSON_IsString(found), "%s is no text in %.600s", path, answer->reply.body);
    return found->valuestring;
}

int number_of(const struct answer *answer, const char *path)
{
    const cJSON *found = member(answer, path);

    cr_assert(cJSON_IsNumber(found), "%s is no number in %.600s", path, answer->reply.body);
    return found->valueint;
}

void assert_status(const struct answer *answer, int status)
{
    cr_assert_eq(answer->status, status, "status %d, not %d: %.600s", answer->status, status,
                 answer->reply.body);
}

void assert_problem(const struct answer *answer, int status, const char *code)
{
    assert_status(answer, status);
    cr_assert_str_eq(text_of(answer, "code"), code);
}

void job_await(struct house *house, const char *token, const char *op)
{
    for (int looks = 0;; looks++) {
        struct answer answer = ask_at(house, token, "GET", NULL, "/v1/jobs/%s", op);
        const char *state;
        int over;

        assert_status(&answer, 200);
        state = text_of(&answer, "state");
        over = strcmp(state, "done") == 0 || strcmp(state, "failed") == 0 ||
               strcmp(state, "cancelled") == 0;
        if (over)
            return;
        back_off(looks);
    }
}
