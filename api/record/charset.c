/* record_charset.c - the encodings of records: UTF-8, and Shift_JIS as Windows writes it (CP932).
 */
#include <iconv.h>
#include <string.h>

#include "api/record/parts.h"
#include "api/record/record.h"
#include "api/text/arena.h"
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
        return refuse(error, PROBLEM_BAD_ENCODING, "The record has NUL bytes: it is no text.");
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

/* Characters that CP932 has under another number than other systems give them. */
static const char *const twins[][2] = {
    {"\u301c", "\uff5e"}, {"\u2212", "\uff0d"}, {"\u2016", "\u2225"},
    {"\u2014", "\u2015"}, {"\u2617", "\u25b2"}, {"\u2616", "\u25b3"},
};

/* What is written for a character: itself, its twin, or the geta mark, which says that a type is
 * missing. */
static bool put(iconv_t converter, const char *from, size_t len, char **at, size_t *left)
{
    char bytes[8];
    char *in = bytes;

    memcpy(bytes, from, len);
    return iconv(converter, &in, &len, at, left) != (size_t)-1;
}

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

/* ---- characters ---- */

size_t record_char_length(const char *text)
{
    unsigned char c = (unsigned char)*text;

    return c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
}

size_t record_cells(const char *text)
{
    size_t cells = 0;

    for (; *text != '\0'; text += record_char_length(text))
        cells += *text > 0 ? 1 : 2;
    return cells;
}

bool record_take(const char **at, const char *word)
{
    size_t len = strlen(word);

    if (strncmp(*at, word, len) != 0)
        return false;
    *at += len;
    return true;
}

/* A byte order mark that was left in the middle of a text is a blank too. */
static size_t blank_at(const char *text)
{
    if (*text == ' ' || *text == '\t')
        return 1;
    return strncmp(text, "\u3000", 3) == 0 || strncmp(text, "\ufeff", 3) == 0 ? 3 : 0;
}

char *record_trim(struct arena *arena, const char *text)
{
    const char *end;

    while (blank_at(text) > 0)
        text += blank_at(text);
    end = text;
    for (const char *at = text; *at != '\0'; at += record_char_length(at))
        if (blank_at(at) == 0)
            end = at + record_char_length(at);
    return arena_copy(arena, text, (size_t)(end - text));
}
