#include "api/http/suggest_route.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "api/text/out.h"
#include "api/text/suggest.h"

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
        {"board", "board.svg"},      {"image", "board.svg"},
        {"picture", "board.svg"},    {"svg", "board.svg"},
        {"png", "board.svg"},        {"board.png", "board.svg"},
        {"text", "board.txt"},       {"history", "moves"},
        {"legal", "legal-moves"},    {"legal_moves", "legal-moves"},
        {"position", "positions"},   {"draw", "offers"},
        {"surrender", "resign"},     {"chat", "messages"},
        {"stream", "events"},        {"takeback", "undo"},
        {"users", "players"},        {"user", "players"},
        {"matches", "games"},        {"rulebook", "rules"},
        {"swagger", "docs"},         {"api-docs", "docs"},
        {"redoc", "docs"},           {"health", "healthz"},
        {"ready", "readyz"},         {"pdn", "export"},
        {"kif", "export"},           {"frontends", "docs"},
        {"profile", "me"},           {"my", "me"},
        {"invite", "invitations"},   {"replay.gif", "replay.svg"},
        {"openapi", "openapi.yaml"}, {"swagger.json", "openapi.json"},
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

const char *suggest_route_path(struct arena *arena, const struct route *routes, const char *path)
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

const char *suggest_route_method(struct arena *arena, const struct route *routes,
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
