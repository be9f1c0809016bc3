#include "api/net/framing.h"

#include <string.h>

enum { LENGTH_DIGITS = 18, CHUNK_DIGITS = 15 }; /* what fits into 64 bits, whatever the digits */

/* What the next byte is. */
enum state {
    BEFORE, /* the first one of a request, or of an empty line before it */
    BEFORE_LF,
    METHOD,
    TARGET,
    VERSION,
    LINE_LF,
    LINE, /* the first one of a header line, or of the empty line behind them */
    NAME,
    VALUE,
    HOST,
    LENGTH,
    ENCODING,
    HEAD_LF,
    BODY,
    CHUNK_SIZE,
    CHUNK_EXTENSION,
    CHUNK_LF,
    CHUNK,
    CHUNK_END,
    CHUNK_END_LF,
    STATES
};

/* What libmicrohttpd has the memory for: each header takes LINE_COSTS bytes beside its text. */
enum { HEAD_MAX = 13 << 10, LINE_COSTS = 64 };

static const char bad_version[] = "The first line ends with HTTP/1.1 or HTTP/1.0, and CR LF.";
static const char bad_line[] = "Lines end with CR LF, and hold no control character.";

/* ---- bytes ---- */

static bool is_alphanumeric(char c)
{
    char small = (char)(c | 0x20);

    return (small >= 'a' && small <= 'z') || (c >= '0' && c <= '9');
}

static bool is_token(char c)
{
    return is_alphanumeric(c) || c == '-' || (c != '\0' && strchr("!#$%&'*+.^_`|~", c) != NULL);
}

static bool is_host(char c)
{
    return is_alphanumeric(c) || (c != '\0' && strchr("-.:_~%!$&'()*+;=[]", c) != NULL);
}

/* Bytes above 127 belong to no syntax, so nobody takes them for a separator. */
static bool is_visible(char c)
{
    return (unsigned char)c > ' ' && c != 0x7f;
}

static bool is_text(char c)
{
    return is_visible(c) || c == ' ' || c == '\t';
}

/* Whether any of eight bytes is a control character. Most of a head is values, so they are not
 * looked at one by one. */
static bool has_control(const char *at)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t bytes, del;

    memcpy(&bytes, at, sizeof(bytes));
    del = bytes ^ 0x7f * ones;
    return (((bytes - ' ' * ones) & ~bytes) | ((del - ones) & ~del)) & 0x80 * ones;
}

static char *skip_text(char *at, const char *end)
{
    while (end - at >= 8 && !has_control(at))
        at += 8;
    while (at < end && is_text(*at))
        at++;
    return at;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* ---- words ---- */

/* A word that is too long to matter keeps its beginning, and equals none that does. */
static void add_to_word(struct framing *framing, char c)
{
    if (framing->word_len < FRAMING_WORD)
        framing->word[framing->word_len++] = (char)(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
}

static bool word_is(const struct framing *framing, const char *word)
{
    return framing->word_len == strlen(word) && memcmp(framing->word, word, strlen(word)) == 0;
}

/* ---- the ends of lines, heads and requests ---- */

static void go(struct framing *framing, enum state state)
{
    framing->state = (uint8_t)state;
    framing->word_len = framing->digits = 0;
}

static void go_if(struct framing *framing, bool ok, enum state state, const char *wrong)
{
    if (ok)
        go(framing, state);
    else
        framing->wrong = wrong;
}

static void end_request(struct framing *framing)
{
    framing->requests++;
    go(framing, BEFORE);
}

static void end_head(struct framing *framing)
{
    if (framing->hosts > 1 || (framing->hosts == 0 && !framing->http_1_0))
        framing->wrong = "Send one Host.";
    else if (framing->lengths + framing->encodings > 1)
        framing->wrong = "Send either one Content-Length or Transfer-Encoding: chunked, not both.";
    else if (framing->chunked && framing->http_1_0)
        framing->wrong = "HTTP/1.0 has no Transfer-Encoding.";
    if (framing->wrong != NULL)
        return;
    framing->heads++;
    if (framing->chunked)
        go(framing, CHUNK_SIZE);
    else if (framing->left > 0)
        go(framing, BODY);
    else
        end_request(framing);
}

/* ---- the first line ---- */

static char *before(struct framing *framing, char *at, const char *end)
{
    (void)end;
    if (*at == '\r') {
        go(framing, BEFORE_LF);
        return at + 1;
    }
    *framing = (struct framing){.heads = framing->heads, .requests = framing->requests};
    go_if(framing, is_token(*at), METHOD, "A request begins with its method.");
    return at;
}

static char *method(struct framing *framing, char *at, const char *end)
{
    while (at < end && is_token(*at))
        at++;
    if (at == end)
        return at;
    go_if(framing, *at == ' ', TARGET, "One blank stands behind the method.");
    return at + 1;
}

static char *target(struct framing *framing, char *at, const char *end)
{
    const char *from = at;

    while (at < end && is_visible(*at))
        at++;
    if (at > from)
        framing->word_len = 1;
    if (at == end)
        return at;
    go_if(framing, *at == ' ' && framing->word_len > 0, VERSION,
          "An address holds no blank or control character, and one blank stands behind it.");
    return at + 1;
}

static char *version(struct framing *framing, char *at, const char *end)
{
    static const char form[] = "HTTP/1.";
    size_t i = framing->digits++;
    bool ok = i < strlen(form) ? *at == form[i] : *at == '0' || *at == '1';

    (void)end;
    if (i > strlen(form)) {
        go_if(framing, *at == '\r', LINE_LF, bad_version);
        return at + 1;
    }
    framing->http_1_0 = *at == '0';
    if (!ok)
        framing->wrong = bad_version;
    return at + 1;
}

/* ---- headers ---- */

static char *line(struct framing *framing, char *at, const char *end)
{
    (void)end;
    framing->low_line = false;
    if (*at == '\r') {
        go(framing, HEAD_LF);
        return at + 1;
    }
    go_if(framing, is_token(*at), NAME, "A header line begins with the header's name.");
    return at;
}

/* The headers that say where a request ends, and whom it is for. Others may have any value. Another
 * reader may take a low line for a hyphen, or believe trailers. */
static void begin_value(struct framing *framing)
{
    enum state state = word_is(framing, "content-length")      ? LENGTH
                       : word_is(framing, "transfer-encoding") ? ENCODING
                       : word_is(framing, "host")              ? HOST
                                                               : VALUE;

    framing->lengths = (uint8_t)(framing->lengths + (state == LENGTH && framing->lengths < 2));
    framing->encodings =
        (uint8_t)(framing->encodings + (state == ENCODING && framing->encodings < 2));
    framing->hosts = (uint8_t)(framing->hosts + (state == HOST && framing->hosts < 2));
    go_if(framing, state == VALUE || !(framing->low_line || framing->trailers), state,
          framing->trailers ? "Trailers cannot hold Host, Content-Length or Transfer-Encoding."
                            : "Content-Length and Transfer-Encoding are written with a hyphen.");
}

/* libmicrohttpd would take cookies apart in the memory for the connection. So it is not to know the
 * name. Pages read them under the one that is left (http/page.c). */
static char *name(struct framing *framing, char *at, const char *end)
{
    for (; at < end && is_token(*at); at++) {
        framing->low_line |= *at == '_';
        add_to_word(framing, *at == '_' ? '-' : *at);
        if (word_is(framing, "cookie"))
            *at = '_';
    }
    if (at == end)
        return at;
    if (*at == ':')
        begin_value(framing);
    else
        framing->wrong = "A header's name is followed by a colon, and holds no blank or control "
                         "character.";
    return at + 1;
}

static char *value(struct framing *framing, char *at, const char *end)
{
    at = skip_text(at, end);
    if (at == end)
        return at;
    go_if(framing, *at == '\r', LINE_LF, bad_line);
    return at + 1;
}

static char *host(struct framing *framing, char *at, const char *end)
{
    (void)end;
    if (is_host(*at))
        framing->word_len = 1;
    else if (*at != ' ' || framing->word_len > 0)
        go_if(framing, *at == '\r', LINE_LF, "Host is not a name of a host.");
    return at + 1;
}

static char *length(struct framing *framing, char *at, const char *end)
{
    static const char wrong[] = "Content-Length is one number of bytes.";

    (void)end;
    if (*at >= '0' && *at <= '9') {
        if (framing->digits == LENGTH_DIGITS || (framing->digits > 0 && framing->left == 0))
            framing->wrong = wrong;
        framing->left = 10 * framing->left + (uint64_t)(*at - '0');
        framing->digits++;
    } else if (*at != ' ' || framing->digits > 0) {
        go_if(framing, *at == '\r' && framing->digits > 0, LINE_LF, wrong);
    }
    return at + 1;
}

static char *encoding(struct framing *framing, char *at, const char *end)
{
    (void)end;
    if (*at == '\r') {
        framing->chunked = true;
        go_if(framing, word_is(framing, "chunked"), LINE_LF,
              "The only Transfer-Encoding is chunked.");
    } else if (*at != ' ' || framing->word_len > 0) {
        add_to_word(framing, *at);
    }
    return at + 1;
}

/* ---- bodies ---- */

static char *skip(struct framing *framing, char *at, const char *end)
{
    uint64_t len = (uint64_t)(end - at);

    if (len > framing->left)
        len = framing->left;
    framing->left -= len;
    return at + len;
}

static char *body(struct framing *framing, char *at, const char *end)
{
    at = skip(framing, at, end);
    if (framing->left == 0)
        end_request(framing);
    return at;
}

static char *chunk_size(struct framing *framing, char *at, const char *end)
{
    static const char wrong[] = "A chunk begins with its size, in hexadecimal digits.";
    int digit = hex_digit(*at);

    (void)end;
    if (digit >= 0) {
        if (framing->digits++ == CHUNK_DIGITS)
            framing->wrong = wrong;
        framing->left = framing->left << 4 | (uint64_t)digit;
    } else {
        go_if(framing, framing->digits > 0 && (*at == ';' || *at == '\r'),
              *at == ';' ? CHUNK_EXTENSION : CHUNK_LF, wrong);
    }
    return at + 1;
}

static char *chunk_extension(struct framing *framing, char *at, const char *end)
{
    at = skip_text(at, end);
    if (at == end)
        return at;
    go_if(framing, *at == '\r', CHUNK_LF, bad_line);
    return at + 1;
}

static char *chunk(struct framing *framing, char *at, const char *end)
{
    at = skip(framing, at, end);
    if (framing->left == 0)
        go(framing, CHUNK_END);
    return at;
}

static char *chunk_end(struct framing *framing, char *at, const char *end)
{
    (void)end;
    go_if(framing, *at == '\r', CHUNK_END_LF, "A chunk ends with CR LF.");
    return at + 1;
}

/* ---- line feeds ---- */

static char *line_feed(struct framing *framing, char *at, const char *end)
{
    (void)end;
    if (*at != '\n') {
        framing->wrong = bad_line;
        return at;
    }
    switch (framing->state) {
    case BEFORE_LF:
        go(framing, BEFORE);
        break;
    case LINE_LF:
        go(framing, LINE);
        break;
    case CHUNK_LF:
        framing->trailers = framing->left == 0;
        go(framing, framing->trailers ? LINE : CHUNK);
        break;
    case CHUNK_END_LF:
        go(framing, CHUNK_SIZE);
        break;
    default: /* HEAD_LF */
        if (framing->trailers)
            end_request(framing);
        else
            end_head(framing);
    }
    return at + 1;
}

/* ---- the whole ---- */

/* Each reads at least one byte, or goes to a state that does, or finds something wrong. */
static char *(*const readers[STATES])(struct framing *framing, char *at, const char *end) = {
    [BEFORE] = before,
    [BEFORE_LF] = line_feed,
    [METHOD] = method,
    [TARGET] = target,
    [VERSION] = version,
    [LINE_LF] = line_feed,
    [LINE] = line,
    [NAME] = name,
    [VALUE] = value,
    [HOST] = host,
    [LENGTH] = length,
    [ENCODING] = encoding,
    [HEAD_LF] = line_feed,
    [BODY] = body,
    [CHUNK_SIZE] = chunk_size,
    [CHUNK_EXTENSION] = chunk_extension,
    [CHUNK_LF] = line_feed,
    [CHUNK] = chunk,
    [CHUNK_END] = chunk_end,
    [CHUNK_END_LF] = line_feed,
};

/* Whether all of what was just read belongs to the extension of a chunk, which ends before the CR.
 */
static bool is_extension(const struct framing *framing)
{
    return framing->state == CHUNK_EXTENSION && framing->wrong == NULL;
}

/* A head that is too long is refused here: libmicrohttpd would do so with a page of its own. What
 * is wrong is so from the last byte on that was read, and the head may have been too long before.
 */
static void weigh(struct framing *framing, enum state state, size_t len)
{
    if (state >= HEAD_LF)
        return;
    framing->head += (uint32_t)(len + (state == LINE ? LINE_COSTS : 0));
    if (framing->head <= HEAD_MAX + (uint32_t)(framing->wrong != NULL))
        return;
    framing->too_long = state <= VERSION ? FRAMING_ADDRESS_LONG : FRAMING_HEADERS_LONG;
    framing->wrong = "The first line and all headers together have 13 KiB, of which each header "
                     "takes 64 bytes beside its text.";
}

size_t framing_read(struct framing *framing, char *bytes, size_t len)
{
    char *from = bytes, *end = bytes + len, *kept = bytes, *complete = bytes;

    while (from < end && framing->wrong == NULL) {
        enum state before = framing->state;
        uint64_t requests = framing->requests;
        char *next = readers[before](framing, from, end);
        bool was_extension = before == CHUNK_EXTENSION;

        weigh(framing, before, (size_t)(next - from));
        if (is_extension(framing))
            from = next;
        else if (was_extension)
            from = next - 1;
        if (kept != from)
            memmove(kept, from, (size_t)(next - from));
        kept += next - from;
        from = next;
        if (framing->requests != requests)
            complete = kept;
    }
    return (size_t)((framing->wrong == NULL ? kept : complete) - bytes);
}

size_t framing_may_read(const struct framing *framing, size_t size)
{
    bool in_body = framing->heads > framing->requests;
    uint64_t most = framing->left + FRAMING_BEHIND;

    return in_body && most < size ? (size_t)most : size;
}

bool framing_in_request(const struct framing *framing)
{
    return framing->wrong == NULL && framing->state != BEFORE && framing->state != BEFORE_LF;
}
