#include "api/text/json_text.h"

#include <stdint.h>
#include <string.h>

enum { NUMBER_MAX = 63 }; /* characters; some releases of cJSON cut longer numbers */

/* The length of the UTF-8 character at p (at most `left` bytes), or 0 if there is none. Refused
 * with the broken ones are those that a lenient reader takes for others: overlong forms (a '/' of
 * two bytes), halves of UTF-16 pairs, and numbers beyond Unicode. */
static size_t utf8_length(const unsigned char *p, size_t left)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t len = p[0] < 0x80       ? 1
                 : p[0] >> 5 == 6  ? 2
                 : p[0] >> 4 == 14 ? 3
                 : p[0] >> 3 == 30 ? 4
                                   : 0;
    uint32_t c;

    if (len <= 1 || len > left)
        return len <= left ? len : 0;
    c = p[0] & (0x7fU >> len);
    for (size_t i = 1; i < len; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        c = c << 6 | (p[i] & 0x3fU);
    }
    return c < least[len] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff) ? 0 : len;
}

bool json_is_utf8(const char *text, size_t len)
{
    for (size_t i = 0; i < len;) {
        size_t step = text[i] == '\0' ? 0 : utf8_length((const unsigned char *)text + i, len - i);

        if (step == 0)
            return false;
        i += step;
    }
    return true;
}

bool json_hides_nul(const char *text, size_t len)
{
    for (size_t i = 0; i + 6 <= len; i++) {
        if (text[i] != '\\')
            continue;
        if (memcmp(text + i, "\\u0000", 6) == 0)
            return true;
        i++; /* in "\\u0000" the second backslash begins no escape */
    }
    return false;
}

static size_t digits_at(const char *text, size_t len, size_t at)
{
    while (at < len && text[at] >= '0' && text[at] <= '9')
        at++;
    return at;
}

/* Where the number at a place ends, or the place itself if JSON does not write numbers that way:
 * 01, 1., .5, +1. */
static size_t number_end(const char *text, size_t len, size_t at)
{
    size_t from = at + (text[at] == '-'), end = digits_at(text, len, from);

    if (end == from || (text[from] == '0' && end > from + 1))
        return at;
    if (end < len && text[end] == '.') {
        from = end + 1;
        end = digits_at(text, len, from);
        if (end == from)
            return at;
    }
    if (end < len && (text[end] == 'e' || text[end] == 'E')) {
        from = end + 1;
        from += from < len && (text[from] == '+' || text[from] == '-');
        end = digits_at(text, len, from);
    }
    return end == from || end - at > NUMBER_MAX ? at : end;
}

/* How far a character or an escape of a string goes, or 0 if JSON does not allow it. An escape is
 * taken as one step, so that an escaped quote does not end the string. */
static size_t string_step(const char *text, size_t len, size_t at)
{
    if (text[at] != '\\')
        return (unsigned char)text[at] >= ' ';
    if (at + 1 == len || text[at + 1] != 'u')
        return 2;
    for (size_t i = at + 2; i < at + 6; i++)
        if (i >= len || strchr("0123456789abcdefABCDEF", text[i]) == NULL)
            return 0;
    return 6;
}

/* Only what cJSON would let pass is looked for. Everything else that is wrong, a missing comma or
 * bracket, cJSON finds. */
size_t json_strict_len(const char *text, size_t len)
{
    bool in_string = false;
    size_t step;

    for (size_t i = 0; i < len; i += step) {
        char c = text[i];

        if (in_string)
            step = string_step(text, len, i);
        else if (strchr("-0123456789", c) != NULL)
            step = number_end(text, len, i) - i;
        else
            step = (unsigned char)c >= ' ' || strchr("\t\r\n", c) != NULL;
        if (step == 0)
            return i;
        in_string ^= c == '"';
    }
    return len;
}
