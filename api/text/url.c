#include "api/text/url.h"

#include <string.h>

#include <strings.h>

#include "api/text/json_text.h"

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* A slash that is part of a name stays an escape, or the name would fall into two. */
static bool is_slash(const char *escape)
{
    return strncasecmp(escape, "%2f", 3) == 0;
}

char *url_decode(struct arena *arena, const char *text, size_t len, bool form)
{
    char *out = arena_alloc(arena, len + 1), *at = out;

    for (size_t i = 0; i < len; i++) {
        if (text[i] == '%' && (form || !is_slash(text + i))) {
            if (i + 2 >= len || hex_digit(text[i + 1]) < 0 || hex_digit(text[i + 2]) < 0)
                return NULL;
            *at++ = (char)(hex_digit(text[i + 1]) << 4 | hex_digit(text[i + 2]));
            i += 2;
        } else {
            *at++ = form && text[i] == '+' && i + 1 < len ? ' ' : text[i];
        }
    }
    *at = '\0';
    /* An escape may have made bytes that no text of ours can hold: half a character, or NUL. */
    return json_is_utf8(out, (size_t)(at - out)) ? out : NULL;
}

const char *url_encode(struct arena *arena, const char *text)
{
    static const char digits[] = "0123456789ABCDEF";
    char *url = arena_alloc(arena, 3 * strlen(text) + 1), *to = url;

    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;

        if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
            c == '-' || c == '_' || c == '.') {
            *to++ = *text;
        } else {
            *to++ = '%';
            *to++ = digits[c >> 4];
            *to++ = digits[c & 15];
        }
    }
    *to = '\0';
    return url;
}
