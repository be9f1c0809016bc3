#include "api/play/guard.h"

#include <stdlib.h>
#include <string.h>

#include "api/http/reply.h"

const struct guard no_guard = {.any_version = true, .line = GUARD_NONE};

/* One entity tag from *at on; *version is GUARD_NONE for a weak one, which is never the same.
 * False: there is none. */
static bool read_tag(const char **at, int32_t *version)
{
    bool weak = strncmp(*at, "W/", 2) == 0;
    const char *digits = *at + (weak ? 2 : 0);
    size_t len;

    if (*digits++ != '"')
        return false;
    len = strspn(digits, "0123456789");
    if (len == 0 || digits[len] != '"')
        return false;
    *version = weak || len > 9 ? GUARD_NONE : (int32_t)strtol(digits, NULL, 10);
    *at = digits + len + 1;
    return true;
}

/* Tags with commas between them, and as many more as the standard lets pass. */
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

bool guard_read(struct request *request, struct guard *guard)
{
    const char *header = request_header(request, "If-Match");

    *guard = no_guard;
    if (header == NULL || strcmp(header, "*") == 0)
        return true;
    guard->any_version = false;
    if (read_tags(header, guard))
        return true;
    reply_problem_at(request, "bad-parameter", "If-Match",
                     "Entity tags are expected, as ETag gives them: \"17\".");
    return false;
}

bool guard_holds(const struct guard *guard, const struct db_game *row)
{
    for (size_t i = 0; i < guard->versions; i++)
        if (guard->version[i] == row->version)
            return true;
    return guard->any_version;
}
