#include "api/routes.h"

#include <string.h>

#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/endpoints/use_case.h"
#include "api/http/accept.h"
#include "api/http/origin.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/suggest_route.h"
#include "api/live/auth.h"
#include "api/live/players.h"
#include "api/live/repeats.h"
#include "api/loop/config.h"
#include "api/loop/loop.h"
#include "api/loop/metrics.h"
#include "api/net/offload.h"
#include "api/record/record.h"

const struct route routes_all[] = {
#define ROUTE(method, pattern, handle, forms, way) {method, pattern, handle, forms, way},
#include "api/endpoints/routes.def"
#undef ROUTE
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
static bool route_fits(struct request *request, const char *pattern, const char *path)
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

enum { EVERY_METHOD = METHOD_GET | METHOD_PUT | METHOD_POST | METHOD_PATCH | METHOD_DELETE };

/* Answers OPTIONS, above all to browsers, which ask before a page of another site may send a
 * request: any page may, for a request carries its own token and no cookie. It may send what is
 * refused, too, or it would not hear why. Tools that trace requests add headers of their own. */
static void answer_options(struct request *request, unsigned methods)
{
    reply_header(request, "Allow", allow_text(request, methods));
    reply_header(request, "Access-Control-Allow-Methods", allow_text(request, EVERY_METHOD));
    reply_header(request, "Access-Control-Allow-Headers",
                 "Authorization, Content-Type, Accept, If-Match, If-None-Match, Idempotency-Key, "
                 "Last-Event-ID, Prefer, Request-Id, traceparent, tracestate, baggage, "
                 "sentry-trace");
    reply_header(request, "Access-Control-Max-Age", "86400");
    reply_empty(request, 204);
}

static bool is_preflight(const struct request *request)
{
    return request_header(request, "Access-Control-Request-Method") != NULL;
}

static void handle_admitted(struct request *request, void *args)
{
    (void)args;
    request->route->handle(request);
}

static void as_player(struct request *request, void (*then)(struct request *request, void *args),
                      void *args)
{
    if (auth_require_player(request))
        then(request, args);
}

/* What is done once in a game is done by a seat, and all else by a player: what an account was told
 * is not told again once it acts as nobody. */
static void handle_by_key(struct request *request, void *args)
{
    const struct route *route = request->route;
    bool in_game = strncmp(route->pattern, "/v1/games/{id}", strlen("/v1/games/{id}")) == 0;

    (void)args;
    if ((route->way & ONCE) != 0)
        repeats_handle(request, in_game ? use_case_as_seat : as_player);
    else if (route->way == ON_WORKER)
        offload(request, handle_admitted, NULL, NULL);
    else
        route->handle(request);
}

/* An address that names no game is not there in any form. */
static void refuse_form(struct request *request, const struct route *route)
{
    if (strstr(route->pattern, "{variant}") == NULL || input_variant(request) != NULL)
        reply_problem(request, PROBLEM_NOT_ACCEPTABLE,
                      arena_format(&request->arena, "Available: %s.",
                                   accept_types(&request->arena, route->forms)));
}

/* What becomes of a request that is admitted: its handler gets it, or its body is read. */
struct admitted {
    void (*then)(struct request *request, void *args);
};

/* When it is known who asks, if that matters. */
static void identified(struct request *request, void *args)
{
    const struct admitted *admitted = args;

    if ((request->route->way & FOR_PLAYER) == 0 || auth_require_player(request))
        admitted->then(request, NULL);
}

/* The form of the answer is settled before anything is done: a write must not be carried out if its
 * answer could not be read. */
static void hand_over(struct request *request, const struct route *route,
                      const struct admitted *admitted)
{
    void *args = (void *)(uintptr_t)admitted;

    request->route = route;
    request->route_number = (size_t)(route - routes_all);
    if (route->forms != 0)
        request->form = accept_form(request_header_list(request, "Accept"), route->forms);
    if (route->forms != 0 && request->form == 0)
        refuse_form(request, route);
    else if (!origin_may_write(request, request->loop->config->write_origins))
        reply_problem(request, PROBLEM_CROSS_SITE, NULL);
    else if ((route->way & FOR_CALLER) != 0)
        players_identify(request, identified, args);
    else
        identified(request, args);
}

static void refuse_method(struct request *request, const char *pattern, enum method method,
                          const char *allow)
{
    struct arena *arena = &request->arena;
    const char *below = suggest_route_method(arena, routes_all, pattern, request->path, method);
    const char *detail = arena_format(arena, "This address has: %s.", allow);

    if (below != NULL)
        detail = arena_format(arena, "%s %s has: %s.", detail, request_method_name(method), below);
    reply_header(request, "Allow", allow);
    reply_problem(request, PROBLEM_METHOD_NOT_ALLOWED, detail);
}

static void find_route(struct request *request, const struct admitted *admitted)
{
    /* HEAD is GET to us; libmicrohttpd leaves the body out. */
    enum method method = request->method == METHOD_HEAD ? METHOD_GET : request->method;
    const char *pattern = NULL;
    unsigned allowed = 0;

    for (size_t i = 0; i < ROUTES; i++) {
        if (!is_served(request->loop, &routes_all[i]) ||
            (pattern != NULL && strcmp(routes_all[i].pattern, pattern) != 0) ||
            !route_fits(request, routes_all[i].pattern, request->path))
            continue;
        allowed |= routes_all[i].method;
        pattern = routes_all[i].pattern;
        if (routes_all[i].method == method) {
            hand_over(request, &routes_all[i], admitted);
            return;
        }
    }
    if (request->method == METHOD_OPTIONS &&
        (strcmp(request->path, "*") == 0 || (allowed == 0 && is_preflight(request)))) {
        answer_options(request, EVERY_METHOD);
    } else if (allowed == 0) {
        reply_problem(request, PROBLEM_NO_SUCH_ROUTE,
                      suggest_route_path(&request->arena, routes_all, request->path));
    } else if (request->method == METHOD_OPTIONS) {
        answer_options(request, allowed);
    } else {
        refuse_method(request, pattern, method, allow_text(request, allowed));
    }
}

void routes_dispatch(struct request *request)
{
    static const struct admitted admitted = {handle_by_key};

    find_route(request, &admitted);
}

void routes_welcome(struct request *request, void (*go_on)(struct request *request, void *args))
{
    struct admitted *admitted = arena_alloc(&request->arena, sizeof(*admitted));

    admitted->then = go_on;
    find_route(request, admitted);
}
