#include "api/routes.h"

#include <string.h>

#include "api/endpoints/handlers.h"
#include "api/http/accept.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/suggest_route.h"
#include "api/live/players.h"
#include "api/loop/config.h"
#include "api/loop/loop.h"
#include "api/loop/metrics.h"
#include "api/net/offload.h"
#include "api/record/record.h"

/* The first route that fits is taken. Where two patterns fit an address, the more special one
 * stands first, and the other one has nothing there: no game has the id "import". */
const struct route routes_all[] = {
    {METHOD_GET, "/", handle_root, FORM_TEXT | FORM_HTML, ON_LOOP},
    {METHOD_GET, "/docs", handle_docs, FORM_PAGE | FORM_TEXT, ON_LOOP},
    {METHOD_GET, "/docs/frontends", handle_frontends, FORM_TEXT | FORM_MARKDOWN | FORM_HTML,
     ON_LOOP},
    {METHOD_GET, "/play/{id}", handle_play, FORM_PAGE, ON_LOOP},
    {METHOD_GET, "/embed/{id}", handle_embed, FORM_PAGE, ON_LOOP},
    {METHOD_GET, "/plyd.js", handle_asset, 0, ON_LOOP},
    {METHOD_GET, "/plyd.d.ts", handle_asset, 0, ON_LOOP},
    {METHOD_GET, "/board.js", handle_asset, 0, ON_LOOP},
    {METHOD_GET, "/favicon.ico", handle_icon, 0, ON_LOOP},
    {METHOD_GET, "/assets/{build}/{file}", handle_asset_of_build, 0, ON_LOOP},
    {METHOD_GET, "/healthz", handle_healthz, FORM_JSON, ON_LOOP},
    {METHOD_GET, "/readyz", handle_readyz, FORM_JSON, ON_LOOP},
    {METHOD_GET, "/metrics", handle_metrics, 0, ON_LOOP},
    {METHOD_GET, "/openapi.yaml", handle_openapi_yaml, 0, ON_LOOP},
    {METHOD_GET, "/openapi.json", handle_openapi_json, 0, ON_LOOP},
    {METHOD_GET, "/problems", handle_problems, FORM_JSON | FORM_TEXT | FORM_HTML, ON_LOOP},
    {METHOD_GET, "/problems/{code}", handle_problem, FORM_JSON | FORM_TEXT | FORM_HTML, ON_LOOP},
    {METHOD_GET, "/v1/variants", handle_variants, FORM_JSON | FORM_TEXT, ON_LOOP},
    {METHOD_GET, "/v1/variants/{variant}", handle_variant, FORM_JSON, ON_LOOP},
    {METHOD_GET, "/v1/variants/{variant}/rules", handle_variant_rules,
     FORM_MARKDOWN | FORM_TEXT | FORM_HTML, ON_LOOP},
    {METHOD_GET, "/v1/variants/{variant}/check", handle_check_query, FORM_JSON | FORM_TEXT,
     ON_WORKER},
    {METHOD_POST, "/v1/variants/{variant}/check", handle_check, FORM_JSON | FORM_TEXT, ON_WORKER},
    {METHOD_POST, "/v1/variants/{variant}/analyse", handle_analyse,
     FORM_JSON | FORM_NDJSON | FORM_TEXT, ON_LOOP},
    {METHOD_GET, "/v1/variants/{variant}/board.txt", handle_variant_board_text, 0, ON_WORKER},
    {METHOD_GET, "/v1/variants/{variant}/board.svg", handle_variant_board_picture, 0, ON_WORKER},
    {METHOD_GET, "/v1/variants/{variant}/men.svg", handle_variant_men_picture, 0, ON_LOOP},
    {METHOD_POST, "/v1/games", handle_create, FORM_JSON | FORM_TEXT, FOR_CALLER},
    {METHOD_GET, "/v1/games", handle_games, FORM_JSON | FORM_TEXT, FOR_CALLER},
    {METHOD_POST, "/v1/games/import", handle_import, FORM_JSON | FORM_TEXT, FOR_CALLER},
    {METHOD_POST, "/v1/games/analyse", handle_analyse_record, FORM_NDJSON, FOR_CALLER},
    {METHOD_GET, "/v1/games/{id}.{extension}", handle_export_file, 0, FOR_CALLER},
    {METHOD_GET, "/v1/games/{id}", handle_game, FORM_JSON | FORM_TEXT, FOR_CALLER},
    {METHOD_GET, "/v1/games/{id}/export", handle_export, 0, FOR_CALLER},
    {METHOD_GET, "/v1/games/{id}/replay", handle_replay, FORM_JSON | FORM_NDJSON | FORM_TEXT,
     FOR_CALLER},
    {METHOD_POST, "/v1/games/{id}/join", handle_join, FORM_JSON | FORM_TEXT, FOR_CALLER},
    {METHOD_POST, "/v1/games/{id}/invitations", handle_invite, FORM_JSON | FORM_TEXT, FOR_CALLER},
    {METHOD_DELETE, "/v1/games/{id}/invitations/{seat}", handle_withdraw_invitation,
     FORM_JSON | FORM_TEXT, FOR_CALLER},
    {METHOD_POST, "/v1/games/{id}/messages", handle_post_message, FORM_JSON | FORM_TEXT,
     FOR_CALLER},
    {METHOD_GET, "/v1/games/{id}/notes", handle_notes, FORM_JSON | FORM_TEXT, FOR_CALLER},
    {METHOD_PUT, "/v1/games/{id}/notes/{ply}", handle_put_note, FORM_JSON | FORM_TEXT, FOR_CALLER},
    {METHOD_DELETE, "/v1/games/{id}/notes/{ply}", handle_delete_note, FORM_JSON | FORM_TEXT,
     FOR_CALLER},
    {METHOD_GET, "/v1/games/{id}/legal-moves", handle_legal_moves, FORM_JSON | FORM_TEXT,
     FOR_CALLER},
    {METHOD_GET, "/v1/games/{id}/lines", handle_lines, FORM_JSON | FORM_TEXT, FOR_CALLER},
    {METHOD_GET, "/v1/games/{id}/moves", handle_moves, FORM_JSON | FORM_TEXT, FOR_CALLER},
    {METHOD_POST, "/v1/games/{id}/moves", handle_post_moves, FORM_JSON | FORM_TEXT, FOR_CALLER},
    {METHOD_PUT, "/v1/games/{id}/moves/{ply}", handle_put_move, FORM_JSON | FORM_TEXT, FOR_CALLER},
    {METHOD_GET, "/v1/games/{id}/positions/{ply}", handle_position, FORM_JSON | FORM_TEXT,
     FOR_CALLER},
    {METHOD_GET, "/v1/games/{id}/board.txt", handle_board_text, 0, FOR_CALLER},
    {METHOD_GET, "/v1/games/{id}/board.svg", handle_board_picture, 0, FOR_CALLER},
    {METHOD_GET, "/v1/games/{id}/replay.svg", handle_replay_picture, 0, FOR_CALLER},
    {METHOD_GET, "/v1/games/{id}/events", handle_events,
     FORM_JSON | FORM_TEXT | FORM_NDJSON | FORM_SSE, FOR_CALLER},
    {METHOD_GET, "/v1/games/{id}/hint", handle_hint, FORM_JSON | FORM_NDJSON | FORM_TEXT,
     FOR_CALLER},
    {METHOD_POST, "/v1/games/{id}/analyse", handle_analyse_game, FORM_NDJSON, FOR_CALLER},
    {METHOD_POST, "/v1/games/{id}/ticket", handle_ticket, FORM_JSON | FORM_TEXT, FOR_CALLER},
    {METHOD_POST, "/v1/games/{id}/undo", handle_undo, FORM_JSON | FORM_TEXT, FOR_CALLER},
    {METHOD_POST, "/v1/games/{id}/redo", handle_redo, FORM_JSON | FORM_TEXT, FOR_CALLER},
    {METHOD_PUT, "/v1/games/{id}/plan", handle_put_plan, FORM_JSON | FORM_TEXT, FOR_CALLER},
    {METHOD_GET, "/v1/games/{id}/plan", handle_plan, FORM_JSON | FORM_TEXT, FOR_CALLER},
    {METHOD_DELETE, "/v1/games/{id}/plan", handle_delete_plan, FORM_JSON | FORM_TEXT, FOR_CALLER},
    {METHOD_POST, "/v1/games/{id}/fork", handle_fork, FORM_JSON | FORM_TEXT, FOR_CALLER},
    {METHOD_POST, "/v1/games/{id}/resign", handle_resign, FORM_JSON | FORM_TEXT, FOR_CALLER},
    {METHOD_POST, "/v1/games/{id}/abort", handle_abort, FORM_JSON | FORM_TEXT, FOR_CALLER},
    {METHOD_POST, "/v1/games/{id}/rematch", handle_rematch, FORM_JSON | FORM_TEXT, FOR_CALLER},
    {METHOD_POST, "/v1/games/{id}/token", handle_replace_token, FORM_JSON | FORM_TEXT, FOR_CALLER},
    {METHOD_POST, "/v1/games/{id}/offers", handle_offer, FORM_JSON | FORM_TEXT, FOR_CALLER},
    {METHOD_DELETE, "/v1/games/{id}/offers/{offer}", handle_withdraw, FORM_JSON | FORM_TEXT,
     FOR_CALLER},
    {METHOD_POST, "/v1/games/{id}/offers/{offer}/accept", handle_accept, FORM_JSON | FORM_TEXT,
     FOR_CALLER},
    {METHOD_POST, "/v1/games/{id}/offers/{offer}/decline", handle_decline, FORM_JSON | FORM_TEXT,
     FOR_CALLER},
    {METHOD_DELETE, "/v1/games/{id}/pause", handle_resume, FORM_JSON | FORM_TEXT, FOR_CALLER},
    {METHOD_POST, "/v1/games/{id}/claims", handle_claim, FORM_JSON | FORM_TEXT, FOR_CALLER},
    {METHOD_POST, "/v1/players", handle_create_player, FORM_JSON | FORM_TEXT, ON_LOOP},
    {METHOD_GET, "/v1/players/{player}", handle_player, FORM_JSON | FORM_TEXT, ON_LOOP},
    {METHOD_GET, "/v1/me", handle_me, FORM_JSON | FORM_TEXT, FOR_CALLER},
    {METHOD_PATCH, "/v1/me", handle_rename, FORM_JSON | FORM_TEXT, FOR_CALLER},
    {METHOD_DELETE, "/v1/me", handle_leave, FORM_JSON | FORM_TEXT, FOR_CALLER},
    {METHOD_POST, "/v1/me/token", handle_replace_my_token, FORM_JSON | FORM_TEXT, FOR_CALLER},
    {METHOD_GET, "/v1/me/games", handle_my_games, FORM_JSON | FORM_TEXT, FOR_CALLER},
    {METHOD_GET, "/v1/me/next", handle_next_game, FORM_JSON | FORM_TEXT, FOR_CALLER},
    {METHOD_GET, "/v1/me/events", handle_my_events, FORM_JSON | FORM_TEXT | FORM_NDJSON | FORM_SSE,
     FOR_CALLER},
    {METHOD_POST, "/v1/me/ticket", handle_my_ticket, FORM_JSON | FORM_TEXT, FOR_CALLER},
    {METHOD_GET, "/v1/me/vacation", handle_vacation, FORM_JSON | FORM_TEXT, FOR_CALLER},
    {METHOD_POST, "/v1/me/vacation", handle_begin_vacation, FORM_JSON | FORM_TEXT, FOR_CALLER},
    {METHOD_DELETE, "/v1/me/vacation", handle_end_vacation, FORM_JSON | FORM_TEXT, FOR_CALLER},
    {METHOD_GET, "/v1/me/collections", handle_collections, FORM_JSON, FOR_CALLER},
    {METHOD_POST, "/v1/me/collections", handle_create_collection, FORM_JSON, FOR_CALLER},
    {METHOD_GET, "/v1/me/collections/{collection}", handle_collection, FORM_JSON, FOR_CALLER},
    {METHOD_PATCH, "/v1/me/collections/{collection}", handle_rename_collection, FORM_JSON,
     FOR_CALLER},
    {METHOD_DELETE, "/v1/me/collections/{collection}", handle_delete_collection, FORM_JSON,
     FOR_CALLER},
    {METHOD_GET, "/v1/me/collections/{collection}/games", handle_collection_games,
     FORM_JSON | FORM_TEXT, FOR_CALLER},
    {METHOD_GET, "/v1/me/collections/{collection}/export", handle_export_collection, 0, FOR_CALLER},
    {METHOD_GET, "/v1/me/export", handle_export_mine, 0, FOR_CALLER},
    {METHOD_PUT, "/v1/me/collections/{collection}/games/{id}", handle_collect, FORM_JSON,
     FOR_CALLER},
    {METHOD_DELETE, "/v1/me/collections/{collection}/games/{id}", handle_uncollect, FORM_JSON,
     FOR_CALLER},
    {METHOD_GET, "/v1/positions/{variant}", handle_positions, FORM_JSON, FOR_CALLER},
    {METHOD_POST, "/v1/me/imports", handle_import_file, FORM_JSON | FORM_TEXT, FOR_CALLER},
    {METHOD_GET, "/v1/jobs", handle_jobs, FORM_JSON | FORM_TEXT, FOR_CALLER},
    {METHOD_GET, "/v1/jobs/{job}", handle_job, FORM_JSON | FORM_TEXT, FOR_CALLER},
    {METHOD_DELETE, "/v1/jobs/{job}", handle_end_job, FORM_JSON | FORM_TEXT, FOR_CALLER},
    {METHOD_GET, "/v1/jobs/{job}/items", handle_job_items, FORM_JSON | FORM_TEXT, FOR_CALLER},
    {METHOD_POST, "/v1/webhooks", handle_create_webhook, FORM_JSON | FORM_TEXT, FOR_CALLER},
    {METHOD_GET, "/v1/webhooks", handle_webhooks, FORM_JSON | FORM_TEXT, FOR_CALLER},
    {METHOD_GET, "/v1/webhooks/{webhook}", handle_webhook, FORM_JSON | FORM_TEXT, FOR_CALLER},
    {METHOD_PATCH, "/v1/webhooks/{webhook}", handle_change_webhook, FORM_JSON | FORM_TEXT,
     FOR_CALLER},
    {METHOD_DELETE, "/v1/webhooks/{webhook}", handle_delete_webhook, FORM_JSON | FORM_TEXT,
     FOR_CALLER},
    {METHOD_POST, "/v1/webhooks/{webhook}/test", handle_test_webhook, FORM_JSON | FORM_TEXT,
     FOR_CALLER},
    {METHOD_POST, "/v1/webhooks/{webhook}/rotate", handle_rotate_webhook, FORM_JSON | FORM_TEXT,
     FOR_CALLER},
    {METHOD_GET, "/v1/webhooks/{webhook}/deliveries", handle_deliveries, FORM_JSON | FORM_TEXT,
     FOR_CALLER},
    {0, NULL, NULL, 0, ON_LOOP},
};

enum { ROUTES = sizeof(routes_all) / sizeof(routes_all[0]) - 1 };

_Static_assert((int)ROUTES < (int)METRICS_NO_ROUTE, "every route has its counters");

size_t routes_body_max(const struct loop *loop, const char *url)
{
    static const char *const records[] = {"/v1/games/import", "/v1/games/analyse"};
    static const char imports[] = "/v1/me/imports";

    for (size_t i = 0; i < sizeof(records) / sizeof(records[0]); i++)
        if (strncmp(url, records[i], strlen(records[i])) == 0)
            return RECORD_BYTES_MAX;
    return strncmp(url, imports, sizeof(imports) - 1) == 0 ? (size_t)loop->config->import_mib << 20
                                                           : REQUEST_BODY_MAX;
}

/* Whether a path fits a pattern; a slash at its end does not matter. What stands at the places goes
 * to request->param, also if the path does not fit after all: the pattern that does fit overwrites
 * it. */
static bool fits(struct request *request, const char *pattern, const char *path)
{
    size_t params = 0;

    while (*pattern != '\0') {
        if (*pattern == '{') {
            size_t len;

            pattern += strcspn(pattern, "}") + 1;
            len = strcspn(path, *pattern == '.' ? "./" : "/");
            if (len == 0)
                return false;
            request->param[params++] = arena_copy(&request->arena, path, len);
            path += len;
        } else if (*pattern++ != *path++) {
            return false;
        }
    }
    return *path == '\0' || (path[0] == '/' && path[1] == '\0' && path != request->path);
}

/* Whether a loop serves a route. Where /metrics has a listener of its own, it is only there. */
static bool is_served(const struct loop *loop, const struct route *route)
{
    if (loop->monitors)
        return route->handle == handle_metrics || route->handle == handle_healthz;
    return route->handle != handle_metrics || loop->config->metrics_listen == NULL;
}

/* The methods of an address, as a list. HEAD comes with GET, and OPTIONS is always there. */
static const char *allow_text(struct request *request, unsigned methods)
{
    return arena_format(
        &request->arena, "%s%s%s%s%sOPTIONS", methods & METHOD_GET ? "GET, HEAD, " : "",
        methods & METHOD_PUT ? "PUT, " : "", methods & METHOD_POST ? "POST, " : "",
        methods & METHOD_PATCH ? "PATCH, " : "", methods & METHOD_DELETE ? "DELETE, " : "");
}

/* Answers OPTIONS, above all to browsers, which ask before a page of another site may send a
 * request: any page may, for a request carries its own token and no cookie. */
static void answer_options(struct request *request, unsigned methods)
{
    const char *allow = allow_text(request, methods);

    reply_header(request, "Allow", allow);
    reply_header(request, "Access-Control-Allow-Methods", allow);
    reply_header(request, "Access-Control-Allow-Headers",
                 "Authorization, Content-Type, Accept, If-Match, If-None-Match, Idempotency-Key, "
                 "Last-Event-ID, Prefer, Request-Id, traceparent");
    reply_header(request, "Access-Control-Max-Age", "86400");
    reply_empty(request, 204);
}

static void handle(struct request *request)
{
    request->route->handle(request);
}

static void handle_by_worker(struct request *request, void *args)
{
    (void)args;
    handle(request);
}

/* The form of the answer is settled before anything is done: a write must not be carried out if its
 * answer could not be read. */
static void hand_over(struct request *request, const struct route *route)
{
    request->route = route;
    request->route_number = (size_t)(route - routes_all);
    if (route->forms != 0)
        request->form = accept_form(request_header_list(request, "Accept"), route->forms);
    if (route->forms != 0 && request->form == 0)
        reply_problem(request, PROBLEM_NOT_ACCEPTABLE,
                      arena_format(&request->arena, "Available: %s.",
                                   accept_types(&request->arena, route->forms)));
    else if (route->way == FOR_CALLER)
        players_identify(request, handle);
    else if (route->way == ON_WORKER)
        offload(request, handle_by_worker, NULL, NULL);
    else
        handle(request);
}

static void refuse_method(struct request *request, const char *pattern, enum method method,
                          const char *allow)
{
    struct arena *arena = &request->arena;
    const char *below = nearby_method(arena, routes_all, pattern, request->path, method);
    const char *detail = arena_format(arena, "This address has: %s.", allow);

    if (below != NULL)
        detail = arena_format(arena, "%s %s has: %s.", detail, request_method_name(method), below);
    reply_header(request, "Allow", allow);
    reply_problem(request, PROBLEM_METHOD_NOT_ALLOWED, detail);
}

void routes_dispatch(struct request *request)
{
    /* HEAD is GET to us; libmicrohttpd leaves the body out. */
    enum method method = request->method == METHOD_HEAD ? METHOD_GET : request->method;
    const char *pattern = NULL;
    unsigned allowed = 0;

    for (size_t i = 0; i < ROUTES; i++) {
        if (!is_served(request->loop, &routes_all[i]) ||
            (pattern != NULL && strcmp(routes_all[i].pattern, pattern) != 0) ||
            !fits(request, routes_all[i].pattern, request->path))
            continue;
        allowed |= routes_all[i].method;
        pattern = routes_all[i].pattern;
        if (routes_all[i].method == method) {
            hand_over(request, &routes_all[i]);
            return;
        }
    }
    if (request->method == METHOD_OPTIONS && strcmp(request->path, "*") == 0) {
        answer_options(request,
                       METHOD_GET | METHOD_PUT | METHOD_POST | METHOD_PATCH | METHOD_DELETE);
    } else if (allowed == 0) {
        reply_problem(request, PROBLEM_NO_SUCH_ROUTE,
                      nearby_path(&request->arena, routes_all, request->path));
    } else if (request->method == METHOD_OPTIONS) {
        answer_options(request, allowed);
    } else {
        refuse_method(request, pattern, method, allow_text(request, allowed));
    }
}
