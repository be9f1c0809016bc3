#include "api/text/chars.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

uint32_t chars_next(const char **at)
{
    const unsigned char *p = (const unsigned char *)*at;
    int more = p[0] < 0x80 ? 0 : p[0] < 0xe0 ? 1 : p[0] < 0xf0 ? 2 : 3;
    uint32_t c = more == 0 ? p[0] : p[0] & (0x3fU >> more);

    for (int i = 1; i <= more; i++)
        c = c << 6 | (p[i] & 0x3fU);
    *at += c == 0 ? 0 : more + 1;
    return c;
}

size_t chars_count(const char *text)
{
    size_t count = 0;

    while (chars_next(&text) != 0)
        count++;
    return count;
}

/* ---- kinds ---- */

/* In ascending order; what lies between is visible. What Unicode calls private is visible, too: at
 * worst it is a box, and names in Shift_JIS have such characters. */
static const struct range {
    uint32_t first, last;
    enum chars_kind kind;
} ranges[] = {
    {0x0000, 0x001f, CHARS_DISTURBING},   {0x0020, 0x0020, CHARS_BLANK},
    {0x007f, 0x009f, CHARS_DISTURBING},   {0x00a0, 0x00a0, CHARS_BLANK},
    {0x00ad, 0x00ad, CHARS_DISTURBING}, /* soft hyphen */
    {0x034f, 0x034f, CHARS_DISTURBING}, /* grapheme joiner, which joins nothing */
    {0x061c, 0x061c, CHARS_DISTURBING}, /* mark of direction */
    {0x115f, 0x1160, CHARS_DISTURBING}, /* fillers */
    {0x1680, 0x1680, CHARS_BLANK},        {0x17b4, 0x17b5, CHARS_DISTURBING},
    {0x180b, 0x180d, CHARS_SELECTOR},     {0x180e, 0x180e, CHARS_DISTURBING},
    {0x180f, 0x180f, CHARS_SELECTOR},     {0x2000, 0x200a, CHARS_BLANK},
    {0x200b, 0x200b, CHARS_DISTURBING},   {0x200c, 0x200d, CHARS_JOINER},
    {0x200e, 0x200f, CHARS_DISTURBING}, /* marks of direction */
    {0x2028, 0x202e, CHARS_DISTURBING}, /* ends of lines, embeddings, overrides */
    {0x202f, 0x202f, CHARS_BLANK},        {0x205f, 0x205f, CHARS_BLANK},
    {0x2060, 0x206f, CHARS_DISTURBING}, /* invisible operators, isolates */
    {0x2800, 0x2800, CHARS_BLANK},      /* Braille without dots */
    {0x3000, 0x3000, CHARS_BLANK},        {0x3164, 0x3164, CHARS_DISTURBING},
    {0xfdd0, 0xfdef, CHARS_DISTURBING},   {0xfe00, 0xfe0f, CHARS_SELECTOR},
    {0xfeff, 0xfeff, CHARS_DISTURBING},   {0xffa0, 0xffa0, CHARS_DISTURBING},
    {0xfff0, 0xfffb, CHARS_DISTURBING},   {0x13430, 0x1343f, CHARS_DISTURBING},
    {0x1bca0, 0x1bca3, CHARS_DISTURBING}, {0x1d159, 0x1d159, CHARS_DISTURBING},
    {0x1d173, 0x1d17a, CHARS_DISTURBING}, {0xe0000, 0xe00ff, CHARS_DISTURBING}, /* tags */
    {0xe0100, 0xe01ef, CHARS_SELECTOR},   {0xe01f0, 0xe0fff, CHARS_DISTURBING},
};

enum chars_kind chars_kind(uint32_t c)
{
    for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]) && ranges[i].first <= c; i++)
        if (c <= ranges[i].last)
            return ranges[i].kind;
    return (c & 0xfffe) == 0xfffe ? CHARS_DISTURBING : CHARS_VISIBLE;
}

/* ---- taming ---- */

/* The character that takes back a change of direction; 0: `c` is no such change. */
static uint32_t closer_of(uint32_t c)
{
    if (c == 0x202a || c == 0x202b || c == 0x202d || c == 0x202e)
        return 0x202c;
    return c >= 0x2066 && c <= 0x2068 ? 0x2069 : 0;
}

static bool is_closer(uint32_t c)
{
    return c == 0x202c || c == 0x2069;
}

/* The next place where something may have to be replaced, or the end. It is looked for byte by
 * byte, since texts may be long and most have no such place. */
static const char *next_suspect(const char *text)
{
    const unsigned char *p = (const unsigned char *)text;

    for (;; p++) {
        bool suspect = p[0] < 0x20   ? p[0] != '\t' && p[0] != '\n'
                       : p[0] < 0xc2 ? p[0] == 0x7f
                                     : (p[0] == 0xc2 && p[1] < 0xa0) ||
                                           (p[0] == 0xe2 && (p[1] == 0x80 || p[1] == 0x81));

        if (suspect)
            return (const char *)p;
    }
}

/* Whether each change of direction up to `end` is taken back there, the last one first. */
static bool is_balanced(const char *text, const char *end)
{
    enum { DEPTH_MAX = 16 };
    uint32_t open[DEPTH_MAX];
    int depth = 0;

    while ((text = next_suspect(text)) < end) {
        uint32_t c = chars_next(&text), closer = closer_of(c);

        if (closer != 0 && depth == DEPTH_MAX)
            return false;
        if (closer != 0)
            open[depth++] = closer;
        else if (is_closer(c) && (depth == 0 || open[--depth] != c))
            return false;
    }
    return depth == 0;
}

static bool is_control(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0x2028 || c == 0x2029;
}

/* Where a line has its first change of direction, the whole rest of the line is looked at. */
void chars_tame(char *text)
{
    const char *from = text, *end = text;
    bool balanced = true;
    char *to = text;

    for (;;) {
        const char *at = next_suspect(from), *begin = at;
        uint32_t c = chars_next(&at);
        bool turns = closer_of(c) != 0 || is_closer(c);

        if (turns && begin >= end) {
            end = begin + strcspn(begin, "\n");
            balanced = is_balanced(begin, end);
        }
        /* What is kept goes along with what stands before it. */
        if (c != 0 && !is_control(c) && !(turns && !balanced))
            begin = at;
        memmove(to, from, (size_t)(begin - from));
        to += begin - from;
        if (c == 0)
            break;
        if (begin != at)
            *to++ = '?';
        from = at;
    }
    *to = '\0';
}
