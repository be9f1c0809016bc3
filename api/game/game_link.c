#include "api/game/game_link.h"

#include <ctype.h>
#include <string.h>

#include "api/game/ids.h"

static const char place[] = "{game}";

/* A scheme of https, or one that an application has of its own. */
static bool begins_with_scheme(const char *pattern)
{
    size_t len = strspn(pattern, "abcdefghijklmnopqrstuvwxyz0123456789+-.");

    return islower((unsigned char)*pattern) && strncmp(pattern + len, "://", 3) == 0;
}

/* Whether all of it may stand in a link as it is. A fragment is the invitation's. */
static bool is_plain(const char *pattern)
{
    for (; *pattern != '\0'; pattern++)
        if (!isgraph((unsigned char)*pattern) || strchr("<>\"'\\`#", *pattern) != NULL)
            return false;
    return true;
}

const char *game_link_fault(const char *pattern)
{
    const char *at = strstr(pattern, place);

    if (!begins_with_scheme(pattern) || !is_plain(pattern))
        return "it is the beginning of no address, or has a fragment";
    if (at == NULL || strstr(at + 1, place) != NULL)
        return "{game} stands in it once";
    return NULL;
}

const char *game_link(struct arena *arena, const char *pattern, db_id game)
{
    const char *at = strstr(pattern, place);
    char id[IDS_TEXT];

    ids_text(game, id);
    return arena_format(arena, "%.*s%s%s", (int)(at - pattern), pattern, id, at + strlen(place));
}
