#include "trial.h"

#include <criterion/criterion.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "examples.h"

static void fill(char *path, size_t size, const char *pattern, const char *place, const char *id)
{
    const char *at = strstr(pattern, place);

    if (at == NULL)
        return;
    snprintf(path, size, "%.*s%s%s", (int)(at - pattern), pattern, id, at + strlen(place));
}

static const char *players_token(const struct trial *trial)
{
    return trial->caller == BY_ACCOUNT ? trial->account : trial->player.token;
}

/* The token of a seat, or of the player if those do without it. */
static const char *shown(const struct trial *trial, const struct game *game)
{
    bool theirs = game == &trial->theirs;

    return trial->caller == BY_SEAT      ? game->token
           : trial->caller == BY_ACCOUNT ? (theirs ? trial->other_account : trial->account)
           : theirs                      ? trial->other.token
                                         : trial->player.token;
}

/* Sends a request with a token, as this caller shows it, and with a key if it is one that replaces
 * a token. */
static struct answer ask_by(const struct trial *trial, const char *token, const char *method,
                            const char *path, const char *body)
{
    char headers[4096], password[2048] = "", encoded[3000];
    bool basic = trial->caller == BY_PASSWORD;
    bool replaces = strstr(path, "/token") != NULL && strcmp(method, "POST") == 0;

    snprintf(password, sizeof(password), "%s:", token);
    sodium_bin2base64(encoded, sizeof(encoded), (const unsigned char *)password, strlen(password),
                      sodium_base64_VARIANT_ORIGINAL);
    snprintf(headers, sizeof(headers), "Authorization: %s %s\r\n%s%s", basic ? "Basic" : "Bearer",
             basic ? encoded : token, replaces ? "Idempotency-Key: a key for the example\r\n" : "",
             body == NULL     ? ""
             : body[0] == '{' ? "Content-Type: application/json\r\n"
                              : "Content-Type: text/plain\r\n");
    return ask(trial->house, method, path, headers, body);
}

static void make_game(const struct trial *trial, struct game *game, const char *body)
{
    struct answer answer = trial->caller == BY_SEAT && game != &trial->game
                               ? ask_as(trial->house, NULL, "POST", "/v1/games", body)
                               : ask_by(trial, players_token(trial), "POST", "/v1/games", body);

    assert_status(&answer, 201);
    snprintf(game->id, sizeof(game->id), "%s", text_of(&answer, "id"));
    snprintf(game->token, sizeof(game->token), "%s", text_of(&answer, "token"));
}

/* A game of two people, in which seat 1 offers a draw and to call it off. */
static void make_pair(struct trial *trial)
{
    static const char *const offers[] = {"draw", "abort"};
    struct answer answer;
    char path[64];

    make_game(trial, &trial->ours,
              "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"open\":true}],"
              "\"clock\":{\"kind\":\"days\",\"days\":3}}");
    trial->theirs = trial->ours;
    snprintf(path, sizeof(path), "/v1/games/%s/join", trial->ours.id);
    answer = trial->caller == BY_SEAT
                 ? ask_as(trial->house, NULL, "POST", path, "{}")
                 : ask_by(trial, shown(trial, &trial->theirs), "POST", path, "{}");
    assert_status(&answer, 200);
    snprintf(trial->theirs.token, sizeof(trial->theirs.token), "%s", text_of(&answer, "token"));
    snprintf(path, sizeof(path), "/v1/games/%s/offers", trial->ours.id);
    for (int i = 0; i < 2; i++) {
        answer = ask_by(trial, shown(trial, &trial->ours), "POST", path, offers[i]);
        assert_status(&answer, 201);
        snprintf(trial->offer[i], sizeof(trial->offer[i]), "%d", number_of(&answer, "offer.id"));
    }
}

static void make_challenge(struct trial *trial)
{
    char body[160];
    struct answer answer;

    snprintf(body, sizeof(body),
             "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"player\":\"%s\"}]}",
             trial->other.id);
    answer = ask_by(trial, players_token(trial), "POST", "/v1/games", body);
    assert_status(&answer, 201);
    snprintf(trial->asked.id, sizeof(trial->asked.id), "%s", text_of(&answer, "id"));
}

static void open_trial(struct trial *trial)
{
    trial->player = new_player(trial->house, "Ada");
    trial->other = new_player(trial->house, "Mia");
    make_game(trial, &trial->game, "{\"variant\":\"jungle\",\"visibility\":\"public\"}");
    make_game(trial, &trial->new, "{\"variant\":\"jungle\"}");
    make_game(trial, &trial->open,
              "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"open\":true}]}");
    make_game(trial, &trial->won,
              "{\"variant\":\"shogi\",\"position\":"
              "\"K8/+P+P+P+P+P+P+P+P+P/R8/9/9/9/9/9/4k4 b 2B4G 1\"}");
    make_pair(trial);
}

/* Asserts that every value of "links", wherever it stands in the answer, is an address of this
 * daemon. */
static void follow_links(const struct trial *trial, const char *token, const cJSON *node,
                         int in_links)
{
    const cJSON *child;

    cJSON_ArrayForEach(child, node)
    {
        if (in_links && cJSON_IsString(child)) {
            struct answer there = ask_by(trial, token, "GET", child->valuestring, NULL);

            if (there.status == 401) { /* another game, whose seats have other tokens */
                there = ask_as(trial->house, NULL, "GET", child->valuestring, NULL);
            }
            /* A link may lead to an address that takes POST alone. */
            cr_assert(
                there.status == 200 ||
                    (there.status == 405 && operation_of(trial->house, "POST", child->valuestring)),
                "%s: %d", child->valuestring, there.status);
        }
        follow_links(trial, token, child,
                     child->string != NULL && strcmp(child->string, "links") == 0);
    }
}

static void fill_path(const struct trial *trial, char path[256], const char *pattern)
{
    const struct {
        const char *place, *id;
    } places[] = {{"{collection}", trial->collection},
                  {"{id}", trial->game.id},
                  {"{new}", trial->new.id},
                  {"{open}", trial->open.id},
                  {"{player}", trial->player.id},
                  {"{other}", trial->other.id},
                  {"{ours}", trial->ours.id},
                  {"{theirs}", trial->theirs.id},
                  {"{won}", trial->won.id},
                  {"{asked}", trial->asked.id},
                  {"{draw}", trial->offer[0]},
                  {"{abort}", trial->offer[1]},
                  {"{pause}", trial->offer[2]},
                  {"{hook}", trial->hook},
                  {"{job}", trial->job},
                  {"{made}", trial->made[0] == '\0' ? "none" : trial->made},
                  {"{code}", trial->code},
                  {"{key}", trial->game.token}};

    snprintf(path, 256, "%s", pattern);
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        char half[256];

        snprintf(half, sizeof(half), "%s", path);
        fill(path, 256, half, places[i].place, places[i].id);
    }
}

static bool begins(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static const char *token_for(const struct trial *trial, const char *pattern)
{
    const struct game *game = strstr(pattern, "{new}")      ? &trial->new
                              : strstr(pattern, "{ours}")   ? &trial->ours
                              : strstr(pattern, "{theirs}") ? &trial->theirs
                              : strstr(pattern, "{won}")    ? &trial->won
                              : strstr(pattern, "{open}")   ? &trial->open
                                                            : &trial->game;
    bool mine = begins(pattern, "/v1/me") || begins(pattern, "/v1/players?") ||
                begins(pattern, "/v1/jobs") || begins(pattern, "/v1/webhooks");

    if (strstr(pattern, "{asked}") != NULL)
        return trial->other.token;
    return mine ? players_token(trial) : shown(trial, game);
}

/* What later steps ask for. */
static void remember(struct trial *trial, const char *operation, const char *token,
                     const struct answer *answer)
{
    if (strcmp(operation, "replaceMyToken") == 0 && answer->status == 200)
        snprintf(trial->player.token, sizeof(trial->player.token), "%s", text_of(answer, "token"));
    if (strcmp(operation, "offer") == 0)
        snprintf(trial->offer[2], sizeof(trial->offer[2]), "%d", number_of(answer, "offer.id"));
    if (strcmp(operation, "createWebhook") == 0)
        snprintf(trial->hook, sizeof(trial->hook), "%s", text_of(answer, "id"));
    if (strcmp(operation, "makeMyToken") == 0 && answer->status == 201)
        snprintf(trial->made, sizeof(trial->made), "%s", text_of(answer, "id"));
    if (strcmp(operation, "openHandover") == 0 && answer->status == 201)
        snprintf(trial->code, sizeof(trial->code), "%s", text_of(answer, "code"));
    if (strcmp(operation, "createCollection") == 0)
        snprintf(trial->collection, sizeof(trial->collection), "%s", text_of(answer, "id"));
    if (strcmp(operation, "importFile") == 0) {
        snprintf(trial->job, sizeof(trial->job), "%s", text_of(answer, "id"));
        job_await(trial->house, token, trial->job);
    }
}

/* No answer tells a player what they have shown. */
static void assert_kept(const struct trial *trial, const struct step *step, const char *token,
                        const struct answer *answer)
{
    cr_assert(trial->caller == BY_SEAT || strstr(answer->reply.body, token) == NULL, "%s: %s",
              step->operation, answer->reply.body);
}

/* An account has no token of ours, so it is answered otherwise where it is about those. */
static int status_of(const struct trial *trial, const struct step *step)
{
    static const struct {
        const char *operation;
        int status;
    } others[] = {{"linkAccount", 400},    {"endMyToken", 204},  {"makeMyToken", 403},
                  {"replaceMyToken", 403}, {"endToken", 409},    {"nameToken", 404},
                  {"openHandover", 403},   {"takeHandover", 400}};

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (trial->caller == BY_ACCOUNT && strcmp(step->operation, others[i].operation) == 0)
            return others[i].status;
    return step->status;
}

/* The few bodies that have a secret or an id are short. */
static const char *body_of(const struct trial *trial, const struct step *step, char filled[256])
{
    if (step->body == NULL ||
        (strstr(step->body, "{code}") == NULL && strstr(step->body, "{key}") == NULL &&
         strstr(step->body, "{id}") == NULL))
        return step->body;
    fill_path(trial, filled, step->body);
    return filled;
}

static void take_step(struct trial *trial, const struct step *step)
{
    int status = status_of(trial, step);
    const char *token = token_for(trial, step->path);
    char path[256], body[256];
    struct answer answer;

    if (strstr(step->path, "{asked}") != NULL)
        make_challenge(trial);
    fill_path(trial, path, step->path);
    answer = ask_by(trial, token, step->method, path, body_of(trial, step, body));
    cr_assert_eq(answer.status, status, "%s %s: %d %.500s", step->method, path, answer.status,
                 answer.reply.body);
    cr_assert_str_eq(operation_of(trial->house, step->method, path), step->operation);
    assert_kept(trial, step, token, &answer);
    remember(trial, step->operation, token, &answer);
    if (strcmp(step->operation, "getOpenapiJson") != 0) /* its links are examples */
        follow_links(trial, strstr(path, "player") ? players_token(trial) : token, answer.json, 0);
    if (trial->caller == BY_SEAT)
        example_check(trial->house, step->operation, &answer);
}

void trial_run(struct trial *trial, const struct step *steps, size_t count)
{
    open_trial(trial);
    for (size_t i = 0; i < count; i++)
        take_step(trial, &steps[i]);
}
