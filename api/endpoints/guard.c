#include "api/endpoints/guard.h"
#include "api/endpoints/input.h"
#include "api/http/body.h"
#include "api/text/arena.h"
#include "api/text/problem.h"

#include <stdlib.h>
#include <string.h>

#include "api/game/rights.h"
#include "api/http/reply_problem.h"

const struct guard guard_none = {.any_version = true, .line = MAY_ANY};

/* The bytes of what a tag says of its form, behind the version: "-json-you1-gzip". */
static size_t form_len(const char *text)
{
    return *text == '-' ? strspn(text, "-abcdefghijklmnopqrstuvwxyz0123456789") : 0;
}

/* Reads an entity tag from *at on. A write depends on the version, in whatever form it was seen.
 * If-Match compares strongly, so a weak tag (W/"17") matches no version, and neither does one with
 * more digits than a version has: *version is MAY_ANY then. False: there is no tag. */
static bool read_tag(const char **at, int32_t *version)
{
    bool weak = strncmp(*at, "W/", 2) == 0;
    const char *digits = *at + (weak ? 2 : 0), *end;
    size_t len;

    if (*digits++ != '"')
        return false;
    len = strspn(digits, "0123456789");
    end = digits + len + form_len(digits + len);
    if (len == 0 || *end != '"')
        return false;
    *version = weak || len > 9 ? MAY_ANY : (int32_t)strtol(digits, NULL, 10);
    *at = end + 1;
    return true;
}

/* Reads tags with commas between them. RFC 9110 has recipients ignore empty elements. */
static bool read_tags(const char *at, struct guard *guard)
{
    while (guard->versions < GUARD_VERSIONS_MAX) {
        at += strspn(at, " \t,");
        if (*at == '\0')
            return guard->versions > 0;
        if (!read_tag(&at, &guard->version[guard->versions++]))
            return false;
        at += strspn(at, " \t");
        if (*at != ',' && *at != '\0')
            return false;
    }
    return at[strspn(at, " \t,")] == '\0';
}

bool guard_parse(const char *header, struct guard *guard)
{
    *guard = guard_none;
    if (header == NULL || strcmp(header, "*") == 0)
        return true;
    guard->any_version = false;
    return read_tags(header, guard);
}

bool guard_read(struct request *request, struct guard *guard)
{
    if (guard_parse(request_header_list(request, "If-Match"), guard))
        return true;
    reply_problem_at(request, PROBLEM_BAD_PARAMETER, "If-Match",
                     "Entity tags are expected, as in the ETag header: \"17\".");
    return false;
}

bool guard_holds(const struct guard *guard, const struct db_game *row)
{
    for (size_t i = 0; i < guard->versions; i++)
        if (guard->version[i] == row->version)
            return true;
    return guard->any_version;
}

bool guard_read_args(struct request *request, struct guard *guard, const char *bare_key,
                     void (*take)(struct json_fields *fields, void *args), void *args)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_fields fields;
    struct json_value *body;

    if (!input_only_choice(request) || !guard_read(request, guard))
        return false;
    body = body_read(request, bare_key);
    if (body == NULL)
        return false;
    json_fields(&fields, &request->arena, body, &error);
    if (take != NULL)
        take(&fields, args);
    return body_done(request, body, &fields);
}

void guard_bare(struct request *request,
                void (*play)(struct request *request, db_id id, const struct guard *guard))
{
    struct guard *guard = arena_zero(&request->arena, sizeof(*guard));
    db_id id;

    if (input_only_choice(request) && guard_read(request, guard) && input_id(request, &id) &&
        input_no_body(request))
        play(request, id, guard);
}
