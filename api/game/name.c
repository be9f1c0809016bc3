#include "api/game/name.h"

#include <stdbool.h>
#include <stddef.h>

#include "api/text/chars.h"

static bool may_go(uint32_t c)
{
    return chars_kind(c) == CHARS_BLANK || c == '\t' || c == '\n' || c == '\r';
}

const char *name_trim(struct arena *arena, const char *name)
{
    const char *at = name, *begin = name, *end = name;
    uint32_t c;

    while ((c = chars_next(&at)) != 0) {
        if (!may_go(c))
            end = at;
        else if (end == name)
            begin = at;
    }
    return arena_copy(arena, begin, end > begin ? (size_t)(end - begin) : 0);
}

/* The first character that may not stand where it stands, and *at, where that is. */
static uint32_t find_unfit(const char *name, bool lines, const char **at)
{
    enum chars_kind before = CHARS_BLANK;
    uint32_t c;

    while (*at = name, (c = chars_next(&name)) != 0) {
        const char *next = name;
        enum chars_kind kind = lines && c == '\n' ? CHARS_BLANK : chars_kind(c);

        if (kind == CHARS_DISTURBING || (kind == CHARS_SELECTOR && before != CHARS_VISIBLE))
            return c;
        if (kind == CHARS_JOINER && ((before != CHARS_VISIBLE && before != CHARS_SELECTOR) ||
                                     chars_kind(chars_next(&next)) != CHARS_VISIBLE))
            return c;
        before = kind;
    }
    return 0;
}

static uint32_t unfit(const char *name, bool lines)
{
    const char *at;

    return find_unfit(name, lines, &at);
}

const char *name_tame(struct arena *arena, const char *text)
{
    const char *at;

    while (find_unfit(text, false, &at) != 0) {
        const char *rest = at;

        chars_next(&rest);
        text = arena_format(arena, "%.*s?%s", (int)(at - text), text, rest);
    }
    return text;
}

uint32_t name_unfit(const char *name)
{
    return unfit(name, false);
}

const char *name_cut(struct arena *arena, const char *text)
{
    const char *end = text;

    for (int i = 0; i < NAME_CHARS_MAX; i++)
        chars_next(&end);
    return name_trim(arena, arena_copy(arena, text, (size_t)(end - text)));
}

const char *name_refusal(struct arena *arena, const char *name)
{
    uint32_t bad = name_unfit(name);
    size_t count = chars_count(name);

    if (count == 0 || count > NAME_CHARS_MAX)
        return arena_format(arena, "A name of 1 to %d characters is expected; this has %zu.",
                            NAME_CHARS_MAX, count);
    if (bad != 0)
        return arena_format(arena,
                            "The character U+%04X may not stand there in a name: it cannot be "
                            "seen, or it disturbs the text around it.",
                            bad);
    return NULL;
}

uint32_t name_unfit_text(const char *text)
{
    return unfit(text, true);
}
