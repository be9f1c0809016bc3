/* json_fault.c - where a text stops being JSON, and what is wrong there, for people. */
#include "api/text/json_text.h"

#include <stdbool.h>
#include <string.h>

/* A text on its way from the beginning to its fault. */
struct scan {
    const char *text;
    size_t len, at;
    int levels;
    const char *wanted; /* what is expected at `at` */
};

static char next(const struct scan *scan)
{
    return scan->at < scan->len ? scan->text[scan->at] : '\0';
}

static bool is_one_of(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

static void skip_blanks(struct scan *scan)
{
    while (is_one_of(next(scan), " \t\r\n"))
        scan->at++;
}

/* False, since the scan ends here. */
static bool stop(struct scan *scan, const char *wanted)
{
    scan->wanted = wanted;
    return false;
}

static bool take_char(struct scan *scan, char c, const char *wanted)
{
    skip_blanks(scan);
    if (next(scan) != c)
        return stop(scan, wanted);
    scan->at++;
    return true;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool has_hex(const struct scan *scan)
{
    for (size_t i = scan->at + 2; i < scan->at + 6; i++)
        if (i >= scan->len || !is_one_of(scan->text[i], "0123456789abcdefABCDEF"))
            return false;
    return true;
}

static bool take_string(struct scan *scan)
{
    scan->at++;
    while (next(scan) != '"') {
        if (scan->at >= scan->len)
            return stop(scan, "the quote that ends the text");
        if ((unsigned char)next(scan) < ' ')
            return stop(scan, "\\n or another escape in place of a control character");
        if (next(scan) == '\\' &&
            (scan->at + 1 == scan->len || !is_one_of(scan->text[scan->at + 1], "\"\\/bfnrtu")))
            return stop(scan, "an escape such as \\n, \\\" or \\\\");
        if (next(scan) == '\\' && scan->text[scan->at + 1] == 'u' && !has_hex(scan))
            return stop(scan, "four hexadecimal digits behind \\u");
        scan->at += next(scan) == '\\' ? 2 : 1;
    }
    scan->at++;
    return true;
}

static bool take_word(struct scan *scan)
{
    static const char *const words[] = {"true", "false", "null"};

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        size_t len = strlen(words[i]);

        if (scan->len - scan->at >= len && memcmp(scan->text + scan->at, words[i], len) == 0 &&
            (scan->len - scan->at == len || !is_letter(scan->text[scan->at + len]))) {
            scan->at += len;
            return true;
        }
    }
    return stop(scan, "a text in double quotes, a number, true, false, null, a list or an object");
}

static bool take_number(struct scan *scan)
{
    size_t end = scan->at;

    while (end < scan->len && is_one_of(scan->text[end], "+-.eE0123456789"))
        end++;
    if (json_strict_len(scan->text + scan->at, end - scan->at) < end - scan->at)
        return stop(scan, "a number such as 7, -1 or 0.5");
    scan->at = end;
    return true;
}

static bool take_value(struct scan *scan);

static bool take_json_list(struct scan *scan)
{
    scan->at++;
    skip_blanks(scan);
    if (next(scan) == ']') {
        scan->at++;
        return true;
    }
    do {
        if (!take_value(scan))
            return false;
        skip_blanks(scan);
    } while (next(scan) == ',' && ++scan->at > 0);
    return take_char(scan, ']', "a comma or ]");
}

static bool take_member(struct scan *scan)
{
    skip_blanks(scan);
    if (next(scan) != '"')
        return stop(scan, "a name in double quotes");
    return take_string(scan) && take_char(scan, ':', "a colon") && take_value(scan);
}

static bool take_object(struct scan *scan)
{
    scan->at++;
    skip_blanks(scan);
    if (next(scan) == '}') {
        scan->at++;
        return true;
    }
    do {
        if (!take_member(scan))
            return false;
        skip_blanks(scan);
    } while (next(scan) == ',' && ++scan->at > 0);
    return take_char(scan, '}', "a comma or }");
}

static bool take_value(struct scan *scan)
{
    bool taken;

    skip_blanks(scan);
    if (is_one_of(next(scan), "-0123456789"))
        return take_number(scan);
    if (next(scan) == '"')
        return take_string(scan);
    if (!is_one_of(next(scan), "[{"))
        return take_word(scan);
    if (scan->levels == 0)
        return stop(scan, "fewer brackets");
    scan->levels--;
    taken = next(scan) == '[' ? take_json_list(scan) : take_object(scan);
    scan->levels++;
    return taken;
}

/* ---- saying so ---- */

/* Bytes of one character of UTF-8 are counted once. */
static size_t characters(const char *text, size_t len)
{
    size_t n = 0;

    for (size_t i = 0; i < len; i++)
        n += ((unsigned char)text[i] & 0xc0) != 0x80;
    return n;
}

/* A few characters from a place on, up to the end of the line. */
static const char *excerpt(struct arena *arena, const char *text, size_t len)
{
    enum { SHOWN = 12 };
    size_t n = 0, end = 0;

    while (end < len && (unsigned char)text[end] >= ' ' && n < SHOWN) {
        end++;
        while (end < len && ((unsigned char)text[end] & 0xc0) == 0x80)
            end++;
        n++;
    }
    return arena_copy(arena, text, end);
}

/* Whether a word of another language stands there. */
static bool is_foreign(const struct scan *scan)
{
    static const char *const words[] = {"True", "False", "None", "undefined",
                                        "nil",  "TRUE",  "FALSE"};

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (scan->len - scan->at >= strlen(words[i]) &&
            memcmp(scan->text + scan->at, words[i], strlen(words[i])) == 0)
            return true;
    return false;
}

static const char *hint(const struct scan *scan)
{
    char c = next(scan), before = '\0';

    for (size_t i = scan->at; i > 0 && is_one_of(before = scan->text[i - 1], " \t\r\n"); i--)
        continue;
    if (before == ',' && is_one_of(c, "]}"))
        return " No comma stands before a closing bracket.";
    if (c == '\'')
        return " JSON has double quotes only.";
    if (c == '/' || c == '#')
        return " JSON has no comments.";
    if (is_foreign(scan))
        return " JSON has true, false and null.";
    return is_letter(c) && before != '}' ? " Names and texts stand in double quotes." : "";
}

const char *json_fault(struct arena *arena, const char *text, size_t len, int levels)
{
    struct scan scan = {.text = text, .len = len, .levels = levels};
    size_t line = 1, begin = 0;
    const char *there;

    if (take_value(&scan)) {
        skip_blanks(&scan);
        if (scan.at == len)
            return "The body is not JSON: it has an escape or a number that cannot be read.";
        scan.wanted = "the end";
    }
    for (size_t i = 0; i < scan.at; i++)
        if (text[i] == '\n') {
            line++;
            begin = i + 1;
        }
    there = excerpt(arena, text + scan.at, len - scan.at);
    return arena_format(
        arena, "The body is not JSON. Line %zu, character %zu: expected %s, found %s%s%s.%s", line,
        characters(text + begin, scan.at - begin) + 1, scan.wanted,
        scan.at == len   ? "the end"
        : *there == '\0' ? "a control character"
                         : "`",
        there, *there == '\0' ? "" : "`", hint(&scan));
}
