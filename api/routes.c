#include "api/routes.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/endpoints/use_case.h"
#include "api/http/accept.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/http/route.h"
#include "api/live/auth.h"
#include "api/live/players.h"
#include "api/live/repeats.h"
#include "api/loop/config.h"
#include "api/loop/loop.h"
#include "api/loop/metrics.h"
#include "api/net/offload.h"
#include "api/record/record.h"
#include "api/text/arena.h"
#include "api/text/out.h"
#include "api/text/suggest.h"

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
    for (const struct route *route = routes_all; route->handle != NULL; route++) {
        if (!route_is(route, WITH_RECORD | WITH_FILE) ||
            strncmp(url, route->pattern, strlen(route->pattern)) != 0)
            continue;
        return route_is(route, WITH_FILE) ? (size_t)loop->config->import_mib << 20
                                          : RECORD_BYTES_MAX;
    }
    return REQUEST_BODY_MAX;
}

/* ---- "did you mean" for an address that is not there ---- */

enum { SEGMENTS_MAX = 8, FAR = 100 };

/* A path or a pattern taken apart at its slashes. Empty segments are left out, and so are "api"
 * and versions at the beginning, which many leave out or put in. */
struct segments {
    const char *name[SEGMENTS_MAX];
    size_t n;
    bool versioned;
};

static bool is_prefix(const char *name)
{
    return strcasecmp(name, "api") == 0 ||
           ((name[0] == 'v' || name[0] == 'V') && strlen(name) == 2);
}

static struct segments take_apart(struct arena *arena, const char *path)
{
    struct segments segments = {.n = 0};
    char *copy = arena_copy(arena, path, strlen(path)), *save = NULL;

    for (char *name = strtok_r(copy, "/", &save); name != NULL; name = strtok_r(NULL, "/", &save)) {
        if (segments.n == 0 && is_prefix(name)) {
            segments.versioned = true;
            continue;
        }
        if (segments.n < SEGMENTS_MAX)
            segments.name[segments.n] = name;
        segments.n++;
    }
    return segments;
}

/* What others call the segments of an address. */
static const char *usual_name(const char *name)
{
    static const char *const others[][2] = {
        {"board", "board.svg"},
        {"image", "board.svg"},
        {"picture", "board.svg"},
        {"svg", "board.svg"},
        {"png", "board.png"},
        {"text", "board.txt"},
        {"history", "moves"},
        {"legal", "legal-moves"},
        {"legal_moves", "legal-moves"},
        {"position", "positions"},
        {"draw", "offers"},
        {"surrender", "resign"},
        {"chat", "messages"},
        {"stream", "events"},
        {"takeback", "undo"},
        {"users", "players"},
        {"user", "players"},
        {"matches", "games"},
        {"rulebook", "rules"},
        {"swagger", "docs"},
        {"api-docs", "docs"},
        {"redoc", "docs"},
        {"health", "healthz"},
        {"ready", "readyz"},
        {"pdn", "export"},
        {"kif", "export"},
        {"frontends", "docs"},
        {"profile", "me"},
        {"my", "me"},
        {"invite", "invitations"},
        {"replay.gif", "replay.svg"},
        {"openapi", "openapi.yaml"},
        {"swagger.json", "openapi.json"},
    };

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (strcasecmp(others[i][0], name) == 0)
            return others[i][1];
    return name;
}

/* Whether two files are of one kind: game.svg and board.svg. */
static bool ends_alike(const char *pattern, const char *name)
{
    const char *a = strrchr(pattern, '.'), *b = strrchr(name, '.');

    return a != NULL && b != NULL && strcasecmp(a, b) == 0;
}

/* How far two segments are from each other: 0 if they fit. Files at the root have little in common
 * but their ending. */
static size_t segment_distance(const char *pattern, const char *name, bool at_root)
{
    if (strstr(pattern, ".{") != NULL)
        return FAR;
    if (*pattern == '{' || strcmp(pattern, name) == 0)
        return 0;
    if (strcmp(usual_name(name), pattern) == 0)
        return 1;
    if (suggest_name(name, &pattern, 1) != NULL)
        return 1;
    return !at_root && ends_alike(pattern, name) ? 2 : FAR;
}

/* A place at the end may be missing in the path, and what stands at its end may be too much. */
static size_t path_distance(const struct segments *pattern, const struct segments *path)
{
    enum { MISSING = 1, TOO_MUCH = 3 };
    size_t far = 0, common = pattern->n < path->n ? pattern->n : path->n;

    if (pattern->n == path->n + 1 && *pattern->name[path->n] == '{')
        far = MISSING;
    else if (pattern->n > 0 && pattern->n + 1 == path->n)
        far = TOO_MUCH;
    else if (pattern->n != path->n)
        return FAR;
    for (size_t i = 0; i < common; i++)
        far += segment_distance(pattern->name[i], path->name[i], i == 0);
    return far;
}

/* The pattern with what the path has in its places. */
static const char *filled(struct arena *arena, const struct segments *pattern,
                          const struct segments *path)
{
    const char *text = pattern->versioned ? "/v1" : "";

    for (size_t i = 0; i < pattern->n; i++)
        text = arena_format(arena, "%s/%s", text,
                            i < path->n && *pattern->name[i] == '{' ? path->name[i]
                                                                    : pattern->name[i]);
    return text;
}

/* A sentence that names the address of `routes` (which end with a pattern NULL) that is nearest to
 * a path that fits none of them; NULL if none is near. */
static const char *suggest_route_path(struct arena *arena, const struct route *routes,
                                      const char *path)
{
    struct segments wanted = take_apart(arena, path);
    const char *found = NULL;
    size_t shortest = FAR;

    if (wanted.n == 0 || wanted.n >= SEGMENTS_MAX)
        return NULL;
    for (; routes->pattern != NULL; routes++) {
        struct segments pattern = take_apart(arena, routes->pattern);
        size_t far = path_distance(&pattern, &wanted);

        if (far < shortest) {
            shortest = far;
            found = filled(arena, &pattern, &wanted);
        }
    }
    return found == NULL
               ? NULL
               : arena_format(arena, "Did you mean %s? GET /docs lists all addresses.", found);
}

/* The addresses one step below a path that have a method, as a list; NULL if there are none. The
 * path fits `pattern`. */
static const char *suggest_route_method(struct arena *arena, const struct route *routes,
                                        const char *pattern, const char *path, enum method method)
{
    size_t len = strlen(pattern), path_len = strlen(path);
    struct out out;

    out_init(&out, arena);
    for (; routes->pattern != NULL; routes++)
        if (routes->method == method && strncmp(routes->pattern, pattern, len) == 0 &&
            routes->pattern[len] == '/' && strchr(routes->pattern + len + 1, '/') == NULL) {
            out_add(&out, out.len == 0 ? "" : ", ");
            out_bytes(&out, path, path_len - (path[path_len - 1] == '/'));
            out_add(&out, routes->pattern + len);
        }
    return out.len == 0 ? NULL : out.text;
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

/* ---- which pages may write ---- */

/* A page of any site may write with a token that it knows: it says Bearer. The token of Basic a
 * browser knows, once somebody has typed it, and adds it by itself to whatever any page sends here.
 * So a write with Basic is one of the daemon's own pages, of a site that a setting names, or of no
 * page at all (curl). */
static bool is_write(const struct request *request)
{
    return (request->method & (METHOD_GET | METHOD_HEAD | METHOD_OPTIONS)) == 0;
}

static bool is_basic(const struct request *request)
{
    const char *header = request_header(request, "Authorization");

    return header != NULL && strncasecmp(header, "Basic", 5) == 0;
}

static bool is_listed(const char *origin, const char *list)
{
    size_t len = strlen(origin);

    while (list != NULL && *(list += strspn(list, ", ")) != '\0') {
        size_t listed = strcspn(list, ", ");

        if (listed == len && strncasecmp(list, origin, len) == 0)
            return true;
        list += listed;
    }
    return false;
}

/* The scheme is not compared: a proxy that speaks TLS asks the daemon without. A page that has
 * another scheme than the daemon is told apart by Sec-Fetch-Site. */
static bool is_own(const struct request *request, const char *origin)
{
    const char *host = request_header(request, "Host"), *name = strstr(origin, "://");

    return host != NULL && name != NULL && strcasecmp(name + 3, host) == 0;
}

/* A browser says so itself. Older ones do not. */
static bool is_from_elsewhere(const struct request *request)
{
    const char *site = request_header(request, "Sec-Fetch-Site");

    return site != NULL && strcasecmp(site, "same-origin") != 0 && strcasecmp(site, "none") != 0;
}

/* `allowed` are origins, parted by commas and blanks; NULL: none. */
static bool origin_may_write(struct request *request, const char *allowed)
{
    const char *origin;

    if (!is_write(request) || !is_basic(request))
        return true;
    origin = request_header(request, "Origin");
    if (origin != NULL && is_listed(origin, allowed))
        return true;
    return !is_from_elsewhere(request) && (origin == NULL || is_own(request, origin));
}

static void handle_admitted(struct request *request, void *args)
{
    (void)args;
    request->route->handle(request);
}

/* What is done once in a game is done by a seat, and all else by a player: what an account was told
 * is not told again once it acts as nobody. */
static void handle_by_key(struct request *request, void *args)
{
    const struct route *route = request->route;

    (void)args;
    if (route_is(route, ONCE))
        repeats_handle(request, route_is(route, FOR_SEAT) ? use_case_as_seat : players_confirm);
    else if (route_is(route, ON_WORKER))
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

    if (!route_is(request->route, FOR_PLAYER) || auth_require_player(request))
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
    else if (route_is(route, FOR_CALLER))
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
