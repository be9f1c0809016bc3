/* charset.c - the encodings of records. */
#include "api/record/lines.h"

#include <iconv.h>
#include <stdint.h>
#include <string.h>

#include "api/text/chars.h"
#include "api/text/json_text.h"

static const char has_nul[] = "The record has NUL bytes, so it is not a text.";

static char *refuse_charset(struct record_error *error, enum problem code, const char *detail)
{
    *error = (struct record_error){.code = code, .detail = detail};
    return NULL;
}

/* ---- in ---- */

static bool charset_begins(const char *bytes, size_t len, const char *mark, size_t mark_len)
{
    return len >= mark_len && memcmp(bytes, mark, mark_len) == 0;
}

/* Converts a text to UTF-8. A byte of these encodings becomes at most three bytes of UTF-8, which
 * bounds the buffer. NULL: the text is not valid in this encoding. */
static char *from(struct arena *arena, const char *encoding, const char *bytes, size_t len,
                  size_t *out_len)
{
    char *out = arena_alloc(arena, 3 * len + 1), *in = arena_copy(arena, bytes, len), *at = out;
    size_t in_left = len, out_left = 3 * len;
    iconv_t converter = iconv_open("UTF-8", encoding);
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

/* How little a text looks like Japanese: the number of its half-width katakana, which a text read
 * in the wrong encoding is full of. SIZE_MAX: there is no text, or it has control or private-use
 * characters, which a record in this encoding would not have. */
static size_t strangeness(const char *text)
{
    size_t strange = 0;

    if (text == NULL)
        return SIZE_MAX;
    for (uint32_t c = chars_next(&text); c != 0; c = chars_next(&text)) {
        if ((c >= 0xe000 && c <= 0xf8ff) || (c >= 0x80 && c < 0xa0))
            return SIZE_MAX;
        strange += c >= 0xff61 && c <= 0xff9f;
    }
    return strange;
}

/* Decodes a text as Shift_JIS or EUC-JP. Neither has a byte order mark, and many texts are valid in
 * both, so the less strange result is taken. */
static char *from_japanese(struct arena *arena, const char *bytes, size_t len, size_t *out_len,
                           const char **charset)
{
    size_t sjis_len = 0, euc_len = 0;
    char *sjis = from(arena, "CP932", bytes, len, &sjis_len);
    char *euc = from(arena, "EUC-JP", bytes, len, &euc_len);

    if (strangeness(sjis) == SIZE_MAX && strangeness(euc) == SIZE_MAX)
        return NULL;
    if (strangeness(sjis) <= strangeness(euc)) {
        *charset = "Shift_JIS";
        *out_len = sjis_len;
        return sjis;
    }
    *charset = "EUC-JP";
    *out_len = euc_len;
    return euc;
}

/* The encoding that a mark of UTF-16 tells; NULL: there is no such mark. */
static const char *utf16_of(const char *bytes, size_t len)
{
    if (charset_begins(bytes, len, "\xff\xfe", 2))
        return "UTF-16LE";
    return charset_begins(bytes, len, "\xfe\xff", 2) ? "UTF-16BE" : NULL;
}

char *record_from_utf16(struct arena *arena, const char *bytes, size_t len, size_t *out_len,
                        const char **charset)
{
    const char *encoding = utf16_of(bytes, len);
    char *text = encoding == NULL ? NULL : from(arena, encoding, bytes + 2, len - 2, out_len);

    if (text != NULL)
        *charset = encoding;
    return text;
}

static char *decode_utf16(struct arena *arena, const char *bytes, size_t len, size_t *out_len,
                          const char **charset, struct record_error *error)
{
    char *text = record_from_utf16(arena, bytes, len, out_len, charset);

    if (text == NULL)
        return refuse_charset(
            error, PROBLEM_BAD_ENCODING,
            "The record begins with the mark of UTF-16, but is not UTF-16: it has half of "
            "a pair, or an odd number of bytes. Save it as UTF-8 and send it again.");
    return strlen(text) == *out_len ? text : refuse_charset(error, PROBLEM_BAD_ENCODING, has_nul);
}

/* UTF-8 is tried first, because a text in another encoding is almost never valid UTF-8. */
char *record_decode(struct arena *arena, const char *bytes, size_t len, bool western,
                    size_t *out_len, const char **charset, struct record_error *error)
{
    char *text;

    if (utf16_of(bytes, len) != NULL)
        return decode_utf16(arena, bytes, len, out_len, charset, error);
    if (charset_begins(bytes, len, "\xef\xbb\xbf", 3)) {
        bytes += 3;
        len -= 3;
    }
    if (memchr(bytes, '\0', len) != NULL)
        return refuse_charset(error, PROBLEM_BAD_ENCODING, has_nul);
    if (json_is_utf8(bytes, len)) {
        *charset = "UTF-8";
        *out_len = len;
        return arena_copy(arena, bytes, len);
    }
    if (western) {
        *charset = "Windows-1254";
        text = from(arena, "CP1254", bytes, len, out_len);
    } else {
        text = from_japanese(arena, bytes, len, out_len, charset);
    }
    return text != NULL
               ? text
               : refuse_charset(error, PROBLEM_BAD_ENCODING,
                                western ? "The record is neither UTF-8 nor Windows-1254."
                                        : "The record is neither UTF-8 nor Shift_JIS (CP932) nor "
                                          "EUC-JP, or has characters for private use.");
}

/* ---- out ---- */

/* Characters that CP932 lacks, each with the one that is written instead. CP932 has the first four
 * under another code point; for the last two it only has a lookalike. */
static const char *const twins[][2] = {
    {"\u301c", "\uff5e"}, {"\u2212", "\uff0d"}, {"\u2016", "\u2225"},
    {"\u2014", "\u2015"}, {"\u2617", "\u25b2"}, {"\u2616", "\u25b3"},
};

static bool put_converted(iconv_t converter, const char *from, size_t len, char **at, size_t *left)
{
    char bytes[8];
    char *in = bytes;

    memcpy(bytes, from, len);
    return iconv(converter, &in, &len, at, left) != (size_t)-1;
}

/* The replacement for a character that CP932 lacks: its lookalike, or the geta mark, by which
 * Japanese printers show a missing type. */
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

        if (!put_converted(converter, text, len, &at, &left))
            put_converted(converter, twin_of(text, len), 3, &at, &left);
        text += len;
    }
    iconv_close(converter);
    *at = '\0';
    return out;
}
