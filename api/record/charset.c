#include "api/record/charset.h"

#include <iconv.h>
#include <string.h>

#include "api/record/lines.h"
#include "api/text/json_text.h"

static char *refuse(struct record_error *error, enum problem code, const char *detail)
{
    *error = (struct record_error){.code = code, .detail = detail};
    return NULL;
}

/* ---- in ---- */

static bool begins(const char *bytes, size_t len, const char *mark, size_t mark_len)
{
    return len >= mark_len && memcmp(bytes, mark, mark_len) == 0;
}

/* No byte of CP932 becomes more than three of UTF-8. */
static char *from_shift_jis(struct arena *arena, const char *bytes, size_t len, size_t *out_len)
{
    char *out = arena_alloc(arena, 3 * len + 1), *in = arena_copy(arena, bytes, len), *at = out;
    size_t in_left = len, out_left = 3 * len;
    iconv_t converter = iconv_open("UTF-8", "CP932");
    size_t failed;

    if (converter == (iconv_t)-1)
        return NULL;
    failed = iconv(converter, &in, &in_left, &at, &out_left);
    iconv_close(converter);
    if (failed == (size_t)-1 || in_left > 0)
        return NULL;
    *at = '\0';
    *out_len = (size_t)(at - out);
    return out;
}

/* Shift_JIS has no mark by which to know it. But a text in it is next to never valid UTF-8, since
 * the two bytes of its characters do not follow UTF-8's pattern; so anything that is not UTF-8 is
 * tried as Shift_JIS. */
char *record_decode(struct arena *arena, const char *bytes, size_t len, size_t *out_len,
                    const char **charset, struct record_error *error)
{
    char *text;

    if (begins(bytes, len, "\xff\xfe", 2) || begins(bytes, len, "\xfe\xff", 2))
        return refuse(error, PROBLEM_BAD_ENCODING,
                      "The record is UTF-16. Save it as UTF-8 (or Shift_JIS) and send it again.");
    if (begins(bytes, len, "\xef\xbb\xbf", 3)) {
        bytes += 3;
        len -= 3;
    }
    if (memchr(bytes, '\0', len) != NULL)
        return refuse(error, PROBLEM_BAD_ENCODING,
                      "The record has NUL bytes, so it is not a text.");
    if (json_is_utf8(bytes, len)) {
        *charset = "UTF-8";
        *out_len = len;
        return arena_copy(arena, bytes, len);
    }
    *charset = "Shift_JIS";
    text = from_shift_jis(arena, bytes, len, out_len);
    return text != NULL ? text
                        : refuse(error, PROBLEM_BAD_ENCODING,
                                 "The record is neither UTF-8 nor Shift_JIS (CP932).");
}

/* ---- out ---- */

/* Characters that CP932 has under another number than other systems give them, or lacks but for one
 * that looks alike. */
static const char *const twins[][2] = {
    {"\u301c", "\uff5e"}, {"\u2212", "\uff0d"}, {"\u2016", "\u2225"},
    {"\u2014", "\u2015"}, {"\u2617", "\u25b2"}, {"\u2616", "\u25b3"},
};

static bool put(iconv_t converter, const char *from, size_t len, char **at, size_t *left)
{
    char bytes[8];
    char *in = bytes;

    memcpy(bytes, from, len);
    return iconv(converter, &in, &len, at, left) != (size_t)-1;
}

/* The character to write for one that CP932 lacks. The geta mark is what printers set for a type
 * that they do not have. */
static const char *twin_of(const char *text, size_t len)
{
    for (size_t i = 0; i < sizeof(twins) / sizeof(twins[0]); i++)
        if (strncmp(twins[i][0], text, len) == 0 && strlen(twins[i][0]) == len)
            return twins[i][1];
    return "\u3013";
}

const char *record_to_shift_jis(struct arena *arena, const char *text)
{
    size_t left = 2 * strlen(text);
    char *out = arena_alloc(arena, left + 1), *at = out;
    iconv_t converter = iconv_open("CP932", "UTF-8");

    if (converter == (iconv_t)-1)
        return NULL;
    while (*text != '\0') {
        size_t len = record_char_length(text);

        if (!put(converter, text, len, &at, &left))
            put(converter, twin_of(text, len), 3, &at, &left);
        text += len;
    }
    iconv_close(converter);
    *at = '\0';
    return out;
}
