/* test_contract.c - every operation of openapi.yaml answers, as its example says, and every route
 * is in openapi.yaml. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/routes.h"
#include "examples.h"
#include "house.h"
#include "tests/support/provider.h"
#include "tests/support/schema.h"
#include "trial.h"

static const struct step steps[] = {
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
    {"getPeopleGuide", "GET", "/docs/people", NULL, 200},
    {"getClientModule", "GET", "/plyd.js", NULL, 200},
    {"getClientTypes", "GET", "/plyd.d.ts", NULL, 200},
    {"getBoardElement", "GET", "/board.js", NULL, 200},
    {"getPlayPage", "GET", "/play/{id}", NULL, 200},
    {"getEmbedPage", "GET", "/embed/{id}", NULL, 200},
    {"getMailPage", "GET", "/mail", NULL, 200},
    {"getManifest", "GET", "/manifest.webmanifest", NULL, 200},
    {"getWorker", "GET", "/sw.js", NULL, 200},
    {"getIcon", "GET", "/favicon.ico", NULL, 200},
    {"getAsset", "GET", "/assets/latest/style.css", NULL, 200},
    {"getProblems", "GET", "/problems", NULL, 200},
    {"getProblem", "GET", "/problems/nifu", NULL, 200},
    {"listVariants", "GET", "/v1/variants", NULL, 200},
    {"getVariant", "GET", "/v1/variants/shogi", NULL, 200},
    {"getVariantRules", "GET", "/v1/variants/turkish-draughts/rules", NULL, 200},
    {"createPlayer", "POST", "/v1/players", "{\"name\":\"Ada\"}", 201},
    {"getPlayer", "GET", "/v1/players/{player}", NULL, 200},
    {"getResults", "GET", "/v1/players/{player}/results", NULL, 200},
    {"findPlayers", "GET", "/v1/players?name=ad", NULL, 200},
    {"getMe", "GET", "/v1/me", NULL, 200},
    {"beginVacation", "POST", "/v1/me/vacation", "{\"for\":\"7d\"}", 201},
    {"getVacation", "GET", "/v1/me/vacation", NULL, 200},
    {"endVacation", "DELETE", "/v1/me/vacation", NULL, 200},
    {"getMyDeadlines", "GET", "/v1/me/deadlines.ics", NULL, 200},
    {"getMyNews", "GET", "/v1/me/games.atom", NULL, 200},
    {"getPushKey", "GET", "/v1/push", NULL, 200},
    {"subscribe", "POST", "/v1/me/subscriptions",
     "{\"endpoint\":\"https://push.invalid/send/1\",\"expirationTime\":null,\"keys\":{\"p256dh\":"
     "\"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4\","
     "\"auth\":\"BTBZMqHH6r4Tts7J_aSIgg\"},\"events\":[\"move\",\"offered\"],\"quiet\":{\"from\":"
     "\"22:30\",\"to\":\"07:00\",\"offset\":\"+02:00\"},\"lang\":\"tr\"}",
     201},
    {"listSubscriptions", "GET", "/v1/me/subscriptions", NULL, 200},
    {"unsubscribe", "DELETE", "/v1/me/subscriptions/00000000000000000000000000", NULL, 204},
    {"setMailAddress", "PUT", "/v1/me/mail",
     "{\"address\":\"ada@example.org\",\"events\":[\"move\",\"offered\"],\"digest\":{\"at\":\"08:"
     "00\","
     "\"offset\":\"+02:00\"}}",
     200},
    {"getMailAddress", "GET", "/v1/me/mail", NULL, 200},
    {"confirmMail", "POST", "/v1/mail/confirm", "{\"code\":\"0000\"}", 404},
    {"endMail", "POST", "/v1/mail/end?code=0000", NULL, 404},
    {"deleteMailAddress", "DELETE", "/v1/me/mail", NULL, 204},
    {"getNextGame", "GET", "/v1/me/next", NULL, 200},
    {"getMyEvents", "GET", "/v1/me/events?after=0&limit=2", NULL, 200},
    {"getMyTicket", "POST", "/v1/me/ticket", NULL, 201},
    {"listMyGames", "GET", "/v1/me/games?turn=me&limit=1", NULL, 200},
    {"markRead", "PUT", "/v1/me/read", "{\"games\":{\"{id}\":2}}", 204},
    {"blockPlayer", "PUT", "/v1/me/blocks/{other}", NULL, 204},
    {"listBlocks", "GET", "/v1/me/blocks", NULL, 200},
    {"unblockPlayer", "DELETE", "/v1/me/blocks/{other}", NULL, 204},
    {"listMyChallenges", "GET", "/v1/me/challenges", NULL, 200},
    {"declineChallenge", "POST", "/v1/games/{asked}/decline", "{\"text\":\"Not this week.\"}", 200},
    {"listGames", "GET", "/v1/games?status=open,active", NULL, 200},
    {"checkQuery", "GET", "/v1/variants/tictactoe/check?position=xo1/3/3_x_3&moves=b2", NULL, 200},
    {"check", "POST", "/v1/variants/shogi/check", "{\"moves\":[\"7g7f\"]}", 200},
    {"analyse", "POST", "/v1/variants/tictactoe/analyse", "{\"position\":\"xx1/oo1/3 x 3\"}", 200},
    {"getVariantBoardText", "GET", "/v1/variants/stackchess/board.txt?options.size=8", NULL, 200},
    {"getVariantBoardPicture", "GET", "/v1/variants/jungle/board.svg", NULL, 200},
    {"getVariantBoardPixels", "GET", "/v1/variants/jungle/board.png", NULL, 200},
    {"getVariantMenPicture", "GET", "/v1/variants/shogi/men.svg", NULL, 200},
    {"createGame", "POST", "/v1/games", "{\"variant\":\"stackchess\"}", 201},
    {"getGame", "GET", "/v1/games/{id}?include=legal_moves", NULL, 200},
    {"invite", "POST", "/v1/games/{open}/invitations", "{\"seat\":2,\"expires\":\"7d\"}", 201},
    {"withdrawInvitation", "DELETE", "/v1/games/{open}/invitations/2", NULL, 200},
    {"joinGame", "POST", "/v1/games/{open}/join", "{\"name\":\"Mia\"}", 200},
    {"takeOverGame", "PUT", "/v1/me/games/{id}", "{\"token\":\"{key}\"}", 200},
    {"getLegalMoves", "GET", "/v1/games/{id}/legal-moves", NULL, 200},
    {"postMoves", "POST", "/v1/games/{id}/moves", "{\"move\":\"g3g4\"}", 201},
    {"putMove", "PUT", "/v1/games/{id}/moves/2", "{\"move\":\"a7a6\"}", 201},
    {"getMoves", "GET", "/v1/games/{id}/moves?limit=1", NULL, 200},
    {"getLines", "GET", "/v1/games/{id}/lines", NULL, 200},
    {"getPosition", "GET", "/v1/games/{id}/positions/1", NULL, 200},
    {"getBoardText", "GET", "/v1/games/{id}/board.txt", NULL, 200},
    {"getBoardPicture", "GET", "/v1/games/{id}/board.svg", NULL, 200},
    {"getBoardPixels", "GET", "/v1/games/{id}/board.png", NULL, 200},
    {"getReplayPicture", "GET", "/v1/games/{id}/replay.svg", NULL, 200},
    {"getEvents", "GET", "/v1/games/{id}/events?limit=2", NULL, 200},
    {"getTicket", "POST", "/v1/games/{id}/ticket", NULL, 201},
    {"postMessage", "POST", "/v1/games/{id}/messages", "{\"text\":\"A fine move!\"}", 201},
    {"putNote", "PUT", "/v1/games/{id}/notes/1", "{\"text\":\"Why not the rat?\"}", 200},
    {"getNotes", "GET", "/v1/games/{id}/notes", NULL, 200},
    {"deleteNote", "DELETE", "/v1/games/{id}/notes/1", NULL, 204},
    {"putHere", "PUT", "/v1/games/{id}/here", NULL, 200},
    {"deleteHere", "DELETE", "/v1/games/{id}/here", NULL, 204},
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
    {"declineOffer", "POST", "/v1/games/{theirs}/offers/{draw}/decline", "{}", 200},
    {"withdrawOffer", "DELETE", "/v1/games/{ours}/offers/{abort}", NULL, 200},
    {"acceptOffer", "POST", "/v1/games/{theirs}/offers/{pause}/accept", "{}", 200},
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
    {"renameMe", "PATCH", "/v1/me", "{\"name\":\"Ada L.\",\"about\":\"I play for the endgames.\"}",
     200},
    {"listMyTokens", "GET", "/v1/me/tokens", NULL, 200},
    {"endMyToken", "DELETE", "/v1/me/token", NULL, 409},
    {"makeMyToken", "POST", "/v1/me/tokens", "{\"name\":\"this phone\"}", 201},
    {"nameToken", "PATCH", "/v1/me/tokens/{made}", "{\"name\":\"my phone\"}", 200},
    {"openHandover", "POST", "/v1/me/handover", NULL, 201},
    {"takeHandover", "POST", "/v1/handover", "{\"code\":\"{code}\",\"name\":\"the kitchen\"}", 201},
    {"endToken", "DELETE", "/v1/me/tokens/account", NULL, 204},
    {"linkAccount", "POST", "/v1/me/link", "{\"token\":\"plyd_player_of_before\"}", 403},
    {"replaceMyToken", "POST", "/v1/me/token", "{}", 200},
    {"leave", "DELETE", "/v1/me", NULL, 204},
};

enum { STEPS = sizeof(steps) / sizeof(steps[0]) };

static void try_all_by(enum shown_as caller)
{
    struct house house;
    struct trial trial = {.house = &house, .caller = caller};

    house_set_mail();
    house_open(&house);
    trial_run(&trial, steps, STEPS);
    if (caller == BY_SEAT)
        examples_end();
    house_close(&house);
}

Test(contract, every_operation_answers_as_it_says)
{
    try_all_by(BY_SEAT);
}

Test(contract, every_operation_answers_so_to_a_player)
{
    try_all_by(BY_TOKEN);
}

Test(contract, every_operation_answers_so_to_a_player_with_a_password)
{
    try_all_by(BY_PASSWORD);
}

Test(contract, every_operation_answers_so_to_an_account)
{
    struct provider provider;
    struct house house;
    struct trial trial = {.house = &house, .caller = BY_ACCOUNT};
    char *ada, *mia;

    provider_start(&provider, SIGNER_ES256);
    house_set_mail();
    house_open(&house);
    ada = provider_token(&provider, "ada", "\"name\":\"Ada\",", 3600);
    mia = provider_token(&provider, "mia", "\"name\":\"Mia\",", 3600);
    trial.account = ada;
    trial.other_account = mia;
    trial_run(&trial, steps, STEPS);
    house_close(&house);
    provider_stop(&provider);
    free(ada);
    free(mia);
}

/* ---- what a client reads after a change ---- */

/* Operations of a game that change nothing in it. */
static bool changes_nothing(const char *operation)
{
    static const char *const those[] = {"putNote", "putHere", "getTicket", "analyseGame",
                                        "analyseRecord"};

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

/* In the types that are generated from it, `fields` lets nearly all members of their games away. */
Test(contract, a_list_without_fields_shows_whole_games)
{
    static const char *const lists[] = {"/v1/games", "/v1/me/games"};
    const cJSON *schemas, *game, *item;
    struct player ada;
    struct house house;
    char why[512];

    house_open(&house);
    ada = new_player(&house, "Ada");
    new_game_of(&house, ada.token, "{\"variant\":\"jungle\",\"visibility\":\"public\"}");
    schemas = cJSON_GetObjectItem(cJSON_GetObjectItem(house.contract, "components"), "schemas");
    game = cJSON_GetObjectItem(schemas, "Game");
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        struct answer answer = ask_as(&house, ada.token, "GET", lists[i], NULL);

        cr_assert(has(&answer, "items.0"), "%s", lists[i]);
        cJSON_ArrayForEach(item, member(&answer, "items")) cr_expect(
            schema_fits(house.contract, game, item, why, sizeof(why)), "%s: %s", lists[i], why);
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
