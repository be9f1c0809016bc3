/* test_contract.c - every operation of openapi.yaml answers, as its example says, and every route
 * is in openapi.yaml. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "api/routes.h"
#include "examples.h"
#include "house.h"
#include "tests/support/schema.h"

/* One good request for each operation. {id} is a game of jungle with two plies of which one was
 * undone, {open} one with an open seat, {new} one without moves, {ours} and {theirs} one of two
 * people with a clock, as seat 1 and as seat 2, {won} one of shogi in which a win can be claimed,
 * {hook} a webhook, {job} a job that is over. */
static const struct step {
    const char *operation, *method, *path, *body;
    int status;
} steps[] = {
    {"getHowTo", "GET", "/", NULL, 200},
    {"getHealth", "GET", "/healthz", NULL, 200},
    {"getReadiness", "GET", "/readyz", NULL, 200},
    {"getMetrics", "GET", "/metrics", NULL, 200},
    {"getOpenapiYaml", "GET", "/openapi.yaml", NULL, 200},
    {"getOpenapiJson", "GET", "/openapi.json", NULL, 200},
    {"getDocs", "GET", "/docs", NULL, 200},
    {"getFrontendsGuide", "GET", "/docs/frontends", NULL, 200},
    {"getModuleGuide", "GET", "/docs/module", NULL, 200},
    {"getBoardGuide", "GET", "/docs/board", NULL, 200},
    {"getClientModule", "GET", "/plyd.js", NULL, 200},
    {"getClientTypes", "GET", "/plyd.d.ts", NULL, 200},
    {"getBoardElement", "GET", "/board.js", NULL, 200},
    {"getPlayPage", "GET", "/play/{id}", NULL, 200},
    {"getEmbedPage", "GET", "/embed/{id}", NULL, 200},
    {"getIcon", "GET", "/favicon.ico", NULL, 200},
    {"getAsset", "GET", "/assets/latest/style.css", NULL, 200},
    {"getProblems", "GET", "/problems", NULL, 200},
    {"getProblem", "GET", "/problems/nifu", NULL, 200},
    {"listVariants", "GET", "/v1/variants", NULL, 200},
    {"getVariant", "GET", "/v1/variants/shogi", NULL, 200},
    {"getVariantRules", "GET", "/v1/variants/turkish-draughts/rules", NULL, 200},
    {"createPlayer", "POST", "/v1/players", "{\"name\":\"Ada\"}", 201},
    {"getPlayer", "GET", "/v1/players/{player}", NULL, 200},
    {"getMe", "GET", "/v1/me", NULL, 200},
    {"beginVacation", "POST", "/v1/me/vacation", "{\"for\":\"7d\"}", 201},
    {"getVacation", "GET", "/v1/me/vacation", NULL, 200},
    {"endVacation", "DELETE", "/v1/me/vacation", NULL, 200},
    {"getNextGame", "GET", "/v1/me/next", NULL, 200},
    {"getMyEvents", "GET", "/v1/me/events?after=0&limit=2", NULL, 200},
    {"getMyTicket", "POST", "/v1/me/ticket", NULL, 201},
    {"listMyGames", "GET", "/v1/me/games?turn=me&limit=1", NULL, 200},
    {"listGames", "GET", "/v1/games?status=open,active", NULL, 200},
    {"checkQuery", "GET", "/v1/variants/tictactoe/check?position=xo1/3/3_x_3&moves=b2", NULL, 200},
    {"check", "POST", "/v1/variants/shogi/check", "{\"moves\":[\"7g7f\"]}", 200},
    {"analyse", "POST", "/v1/variants/tictactoe/analyse", "{\"position\":\"xx1/oo1/3 x 3\"}", 200},
    {"getVariantBoardText", "GET", "/v1/variants/stackchess/board.txt?options.size=8", NULL, 200},
    {"getVariantBoardPicture", "GET", "/v1/variants/jungle/board.svg", NULL, 200},
    {"getVariantMenPicture", "GET", "/v1/variants/shogi/men.svg", NULL, 200},
    {"createGame", "POST", "/v1/games", "{\"variant\":\"stackchess\"}", 201},
    {"getGame", "GET", "/v1/games/{id}?include=legal_moves", NULL, 200},
    {"invite", "POST", "/v1/games/{open}/invitations", "{\"seat\":2,\"expires\":\"7d\"}", 201},
    {"withdrawInvitation", "DELETE", "/v1/games/{open}/invitations/2", NULL, 200},
    {"joinGame", "POST", "/v1/games/{open}/join", "{\"name\":\"Mia\"}", 200},
    {"getLegalMoves", "GET", "/v1/games/{id}/legal-moves", NULL, 200},
    {"postMoves", "POST", "/v1/games/{id}/moves", "{\"move\":\"g3g4\"}", 201},
    {"putMove", "PUT", "/v1/games/{id}/moves/2", "{\"move\":\"a7a6\"}", 201},
    {"getMoves", "GET", "/v1/games/{id}/moves?limit=1", NULL, 200},
    {"getLines", "GET", "/v1/games/{id}/lines", NULL, 200},
    {"getPosition", "GET", "/v1/games/{id}/positions/1", NULL, 200},
    {"getBoardText", "GET", "/v1/games/{id}/board.txt", NULL, 200},
    {"getBoardPicture", "GET", "/v1/games/{id}/board.svg", NULL, 200},
    {"getReplayPicture", "GET", "/v1/games/{id}/replay.svg", NULL, 200},
    {"getEvents", "GET", "/v1/games/{id}/events?limit=2", NULL, 200},
    {"getTicket", "POST", "/v1/games/{id}/ticket", NULL, 201},
    {"postMessage", "POST", "/v1/games/{id}/messages", "{\"text\":\"A fine move!\"}", 201},
    {"putNote", "PUT", "/v1/games/{id}/notes/1", "{\"text\":\"Why not the rat?\"}", 200},
    {"getNotes", "GET", "/v1/games/{id}/notes", NULL, 200},
    {"deleteNote", "DELETE", "/v1/games/{id}/notes/1", NULL, 204},
    {"undo", "POST", "/v1/games/{id}/undo", "{\"to_ply\":1}", 200},
    {"redo", "POST", "/v1/games/{id}/redo", "{}", 200},
    {"importGame", "POST", "/v1/games/import", "{\"record\":\"position startpos moves 7g7f\"}",
     201},
    {"analyseRecord", "POST", "/v1/games/analyse?nodes=1000", "position startpos moves 7g7f", 200},
    {"exportGame", "GET", "/v1/games/{id}/export?format=json", NULL, 200},
    {"getReplay", "GET", "/v1/games/{id}/replay?limit=1", NULL, 200},
    {"fork", "POST", "/v1/games/{id}/fork", "{\"ply\":1}", 201},
    {"resign", "POST", "/v1/games/{id}/resign", "{}", 200},
    {"rematch", "POST", "/v1/games/{id}/rematch", "{}", 201},
    {"abort", "POST", "/v1/games/{new}/abort", "{}", 200},
    {"offer", "POST", "/v1/games/{ours}/offers", "{\"kind\":\"pause\",\"for\":\"7d\"}", 201},
    {"declineOffer", "POST", "/v1/games/{theirs}/offers/3/decline", "{}", 200},
    {"withdrawOffer", "DELETE", "/v1/games/{ours}/offers/4", NULL, 200},
    {"acceptOffer", "POST", "/v1/games/{theirs}/offers/5/accept", "{}", 200},
    {"resume", "DELETE", "/v1/games/{ours}/pause", NULL, 200},
    {"putPlan", "PUT", "/v1/games/{theirs}/plan",
     "{\"after_ply\":0,\"tree\":[{\"if\":\"g3g4\",\"then\":\"a7a6\",\"next\":["
     "{\"if\":\"g4g5\",\"then\":\"a6a5\"}]},{\"if\":\"*\",\"then\":\"resign\"}]}",
     200},
    {"getPlan", "GET", "/v1/games/{theirs}/plan", NULL, 200},
    {"deletePlan", "DELETE", "/v1/games/{theirs}/plan", NULL, 204},
    {"getHint", "GET", "/v1/games/{won}/hint", NULL, 200},
    {"analyseGame", "POST", "/v1/games/{id}/analyse", "{\"nodes\":1000}", 200},
    {"claim", "POST", "/v1/games/{won}/claims", "{\"kind\":\"impasse\"}", 200},
    {"replaceToken", "POST", "/v1/games/{new}/token", "{}", 200},
    {"createCollection", "POST", "/v1/me/collections", "{\"name\":\"Mine\"}", 201},
    {"renameCollection", "PATCH", "/v1/me/collections/{collection}", "{\"name\":\"My games\"}",
     200},
    {"collect", "PUT", "/v1/me/collections/{collection}/games/{id}", NULL, 204},
    {"getCollection", "GET", "/v1/me/collections/{collection}", NULL, 200},
    {"listCollections", "GET", "/v1/me/collections", NULL, 200},
    {"searchCollection", "GET",
     "/v1/me/collections/{collection}/games?name=ada&fields=id,status,ply", NULL, 200},
    {"exportCollection", "GET", "/v1/me/collections/{collection}/export", NULL, 200},
    {"exportMine", "GET", "/v1/me/export", NULL, 200},
    {"uncollect", "DELETE", "/v1/me/collections/{collection}/games/{id}", NULL, 204},
    {"deleteCollection", "DELETE", "/v1/me/collections/{collection}", NULL, 204},
    {"explorePosition", "GET", "/v1/positions/shogi?moves=7g7f", NULL, 200},
    {"importFile", "POST", "/v1/me/imports?file=two.usi",
     "startpos moves 7g7f\nstartpos moves 7g7e\n", 202},
    {"getJob", "GET", "/v1/jobs/{job}", NULL, 200},
    {"listJobs", "GET", "/v1/jobs", NULL, 200},
    {"listJobItems", "GET", "/v1/jobs/{job}/items", NULL, 200},
    {"endJob", "DELETE", "/v1/jobs/{job}", NULL, 204},
    {"createWebhook", "POST", "/v1/webhooks",
     "{\"url\":\"https://receiver.invalid/plyd\",\"events\":[\"move\",\"offered\"]}", 201},
    {"changeWebhook", "PATCH", "/v1/webhooks/{hook}", "{\"enabled\":false}", 200},
    {"listWebhooks", "GET", "/v1/webhooks", NULL, 200},
    {"getWebhook", "GET", "/v1/webhooks/{hook}", NULL, 200},
    {"rotateWebhook", "POST", "/v1/webhooks/{hook}/rotate", NULL, 200},
    {"listDeliveries", "GET", "/v1/webhooks/{hook}/deliveries", NULL, 200},
    {"testWebhook", "POST", "/v1/webhooks/{hook}/test", NULL, 202},
    {"deleteWebhook", "DELETE", "/v1/webhooks/{hook}", NULL, 204},
    {"renameMe", "PATCH", "/v1/me", "{\"name\":\"Ada L.\"}", 200},
    {"linkAccount", "POST", "/v1/me/link", "{\"token\":\"plyd_player_of_before\"}", 403},
    {"endMyToken", "DELETE", "/v1/me/token", NULL, 403},
    {"replaceMyToken", "POST", "/v1/me/token", "{}", 200},
    {"leave", "DELETE", "/v1/me", NULL, 204},
};

enum { STEPS = sizeof(steps) / sizeof(steps[0]) };

static void fill(char *path, size_t size, const char *pattern, const char *place, const char *id)
{
    const char *at = strstr(pattern, place);

    if (at == NULL)
        return;
    snprintf(path, size, "%.*s%s%s", (int)(at - pattern), pattern, id, at + strlen(place));
}

/* A game of two people, in which seat 1 offers a draw (3) and to call it off (4). */
static void make_pair(struct house *house, struct game *ours, struct game *theirs)
{
    static const char *const offers[] = {"draw", "abort"};
    struct answer answer;

    *ours = new_game(house, "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"open\":true}],"
                            "\"clock\":{\"kind\":\"days\",\"days\":3}}");
    *theirs = *ours;
    answer = ask_at(house, NULL, "POST", "{}", "/v1/games/%s/join", ours->id);
    snprintf(theirs->token, sizeof(theirs->token), "%s", text_of(&answer, "token"));
    answer_free(&answer);
    for (int i = 0; i < 2; i++) {
        answer = ask_at(house, ours->token, "POST", offers[i], "/v1/games/%s/offers", ours->id);
        assert_status(&answer, 201);
        answer_free(&answer);
    }
}

static struct game public_game(struct house *house, const struct player *player)
{
    struct answer answer = ask_as(house, player->token, "POST", "/v1/games",
                                  "{\"variant\":\"jungle\",\"visibility\":\"public\"}");
    struct game game;

    assert_status(&answer, 201);
    snprintf(game.id, sizeof(game.id), "%s", text_of(&answer, "id"));
    snprintf(game.token, sizeof(game.token), "%s", text_of(&answer, "token"));
    answer_free(&answer);
    return game;
}

/* Asserts that every value of "links", wherever it stands in the answer, is an address of this
 * daemon. */
static void follow_links(struct house *house, const char *token, const cJSON *node, int in_links)
{
    const cJSON *child;

    cJSON_ArrayForEach(child, node)
    {
        if (in_links && cJSON_IsString(child)) {
            struct answer there = ask_as(house, token, "GET", child->valuestring, NULL);

            if (there.status == 401) { /* another game, whose seats have other tokens */
                answer_free(&there);
                there = ask_as(house, NULL, "GET", child->valuestring, NULL);
            }
            /* A link may lead to an address that takes POST alone. */
            cr_assert(there.status == 200 ||
                          (there.status == 405 && operation_of(house, "POST", child->valuestring)),
                      "%s: %d", child->valuestring, there.status);
            answer_free(&there);
        }
        follow_links(house, token, child,
                     child->string != NULL && strcmp(child->string, "links") == 0);
    }
}

/* A token is replaced only by a request with a key. */
static struct answer ask_keyed(struct house *house, const char *token, const char *path)
{
    char headers[256];

    snprintf(headers, sizeof(headers),
             "Authorization: Bearer %s\r\nIdempotency-Key: a key for the example\r\n", token);
    return ask(house, "POST", path, headers, "");
}

Test(contract, every_operation_answers_as_it_says)
{
    struct house house;
    struct game game, open, new, ours, theirs, won;
    struct player player;
    char hook[32] = "", op[32] = "", collection[32] = "";

    house_open(&house);
    player = new_player(&house, "Ada");
    game = public_game(&house, &player);
    new = new_game(&house, "{\"variant\":\"jungle\"}");
    open = new_game(&house, "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"open\":true}]}");
    won = new_game(&house, "{\"variant\":\"shogi\",\"position\":"
                           "\"K8/+P+P+P+P+P+P+P+P+P/R8/9/9/9/9/9/4k4 b 2B4G 1\"}");
    make_pair(&house, &ours, &theirs);
    for (size_t i = 0; i < STEPS; i++) {
        char path[256];
        const char *token;
        struct answer answer;

        snprintf(path, sizeof(path), "%s", steps[i].path);
        fill(path, sizeof(path), steps[i].path, "{id}", game.id);
        if (strstr(steps[i].path, "{collection}") != NULL) {
            snprintf(path, sizeof(path), "%s", steps[i].path);
            fill(path, sizeof(path), steps[i].path, "{collection}", collection);
            if (strstr(path, "{id}") != NULL) {
                char half[256];

                snprintf(half, sizeof(half), "%s", path);
                fill(path, sizeof(path), half, "{id}", game.id);
            }
        }
        fill(path, sizeof(path), steps[i].path, "{new}", new.id);
        fill(path, sizeof(path), steps[i].path, "{open}", open.id);
        fill(path, sizeof(path), steps[i].path, "{player}", player.id);
        fill(path, sizeof(path), steps[i].path, "{ours}", ours.id);
        fill(path, sizeof(path), steps[i].path, "{theirs}", theirs.id);
        fill(path, sizeof(path), steps[i].path, "{won}", won.id);
        fill(path, sizeof(path), steps[i].path, "{hook}", hook);
        fill(path, sizeof(path), steps[i].path, "{job}", op);
        token = strstr(steps[i].path, "{new}")      ? new.token
                : strstr(steps[i].path, "{ours}")   ? ours.token
                : strstr(steps[i].path, "{theirs}") ? theirs.token
                : strstr(steps[i].path, "{won}")    ? won.token
                : strstr(steps[i].path, "{open}")   ? open.token
                : strncmp(steps[i].path, "/v1/me", 6) == 0 ||
                        strncmp(steps[i].path, "/v1/jobs", 8) == 0 ||
                        strncmp(steps[i].path, "/v1/webhooks", 12) == 0
                    ? player.token
                    : game.token;
        answer = strstr(path, "/token") != NULL && strcmp(steps[i].method, "POST") == 0
                     ? ask_keyed(&house, token, path)
                     : ask_as(&house, token, steps[i].method, path, steps[i].body);
        cr_assert_eq(answer.status, steps[i].status, "%s %s: %d %.500s", steps[i].method, path,
                     answer.status, answer.reply.body);
        cr_assert_str_eq(operation_of(&house, steps[i].method, path), steps[i].operation);
        if (strcmp(steps[i].operation, "replaceMyToken") == 0)
            snprintf(player.token, sizeof(player.token), "%s", text_of(&answer, "token"));
        if (strcmp(steps[i].operation, "createWebhook") == 0)
            snprintf(hook, sizeof(hook), "%s", text_of(&answer, "id"));
        if (strcmp(steps[i].operation, "createCollection") == 0)
            snprintf(collection, sizeof(collection), "%s", text_of(&answer, "id"));
        if (strcmp(steps[i].operation, "importFile") == 0) {
            snprintf(op, sizeof(op), "%s", text_of(&answer, "id"));
            job_await(&house, player.token, op);
        }
        if (strcmp(steps[i].operation, "getOpenapiJson") != 0) /* its links are examples */
            follow_links(&house, strstr(path, "player") ? player.token : token, answer.json, 0);
        example_check(&house, steps[i].operation, &answer);
        answer_free(&answer);
    }
    examples_end();
    house_close(&house);
}

/* ---- what a client reads after a change ---- */

/* Operations of a game that change nothing in it. */
static bool changes_nothing(const char *operation)
{
    static const char *const those[] = {"putNote", "getTicket", "analyseGame", "analyseRecord"};

    for (size_t i = 0; i < sizeof(those) / sizeof(those[0]); i++)
        if (strcmp(those[i], operation) == 0)
            return true;
    return false;
}

/* A schema of which each form requires the member. */
static bool demands(const cJSON *contract, const cJSON *schema, const char *name)
{
    const cJSON *item, *forms;

    schema = schema_follow(contract, schema);
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(schema, "required"))
    {
        if (strcmp(item->valuestring, name) == 0)
            return true;
    }
    forms = cJSON_GetObjectItem(schema, "oneOf");
    cJSON_ArrayForEach(item, forms)
    {
        if (!demands(contract, item, name))
            return false;
    }
    return forms != NULL;
}

static void assert_answers_demand_game(const cJSON *contract, const cJSON *operation)
{
    const char *id = cJSON_GetObjectItem(operation, "operationId")->valuestring;
    const cJSON *response, *schema;

    cJSON_ArrayForEach(response, cJSON_GetObjectItem(operation, "responses"))
    {
        const cJSON *content = cJSON_GetObjectItem(schema_follow(contract, response), "content");

        schema = cJSON_GetObjectItem(cJSON_GetObjectItem(content, "application/json"), "schema");
        if (response->string[0] != '2' || schema == NULL)
            continue;
        if (strcmp(id, "importGame") == 0 && strcmp(response->string, "200") == 0)
            continue; /* dry_run: no game was made */
        cr_assert(demands(contract, schema, "game"), "%s %s", id, response->string);
    }
}

Test(contract, whatever_changes_a_game_is_answered_with_it)
{
    static const char *const methods[] = {"post", "put", "patch", "delete"};
    static const char games[] = "/v1/games";
    struct house house;
    const cJSON *path;

    house_open(&house);
    cJSON_ArrayForEach(path, cJSON_GetObjectItem(house.contract, "paths"))
    {
        for (size_t i = 0; i < 4 && strncmp(path->string, games, strlen(games)) == 0; i++) {
            const cJSON *operation = cJSON_GetObjectItem(path, methods[i]);

            if (operation != NULL &&
                !changes_nothing(cJSON_GetObjectItem(operation, "operationId")->valuestring))
                assert_answers_demand_game(house.contract, operation);
        }
    }
    house_close(&house);
}

Test(contract, every_operation_is_tried_by_that_test)
{
    struct house house;
    const cJSON *path, *operation;

    house_open(&house);
    cJSON_ArrayForEach(path, cJSON_GetObjectItem(house.contract, "paths"))
    {
        cJSON_ArrayForEach(operation, path)
        {
            const cJSON *id = cJSON_GetObjectItem(operation, "operationId");
            bool found = id == NULL;

            for (size_t i = 0; i < STEPS; i++)
                found |= id != NULL && strcmp(steps[i].operation, id->valuestring) == 0;
            cr_assert(found, "no request tries %s", id == NULL ? "" : id->valuestring);
        }
    }
    house_close(&house);
}

Test(contract, every_route_is_an_operation)
{
    struct house house;
    const struct route *route;

    house_open(&house);
    for (size_t i = 0; (route = &routes_all[i])->handle != NULL; i++) {
        const char *method = route->method == METHOD_GET      ? "GET"
                             : route->method == METHOD_PUT    ? "PUT"
                             : route->method == METHOD_PATCH  ? "PATCH"
                             : route->method == METHOD_DELETE ? "DELETE"
                                                              : "POST";

        cr_assert_not_null(operation_of(&house, method, route->pattern), "%s %s", method,
                           route->pattern);
    }
    house_close(&house);
}
