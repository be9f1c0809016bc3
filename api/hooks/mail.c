#include "api/hooks/mail.h"

#include <ctype.h>
#include <sodium.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "api/text/out.h"

/* ---- the headers ---- */

enum {
    WORD_BYTES = 45, /* of a text in one encoded word, which may have 75 characters (RFC 2047) */
    WORD_BASE64 = 61
};

/* How much of a text stands in one encoded word: whole characters of UTF-8. */
static size_t word_length(const char *text)
{
    size_t len = strlen(text);

    if (len <= WORD_BYTES)
        return len;
    len = WORD_BYTES;
    while (len > 1 && (text[len] & 0xc0) == 0x80)
        len--;
    return len;
}

/* Whatever the text holds, it can begin no header: in Base64 there are no ends of lines. */
static void put_subject(struct out *out, const char *text)
{
    char base64[WORD_BASE64];

    out_add(out, "Subject:");
    do {
        size_t len = word_length(text);

        sodium_bin2base64(base64, sizeof(base64), (const unsigned char *)text, len,
                          sodium_base64_VARIANT_ORIGINAL);
        out_format(out, " =?UTF-8?B?%s?=\r\n", base64);
        text += len;
    } while (*text != '\0');
}

static void put_date(struct out *out, int64_t at)
{
    static const char days[][4] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static const char months[][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    time_t seconds = (time_t)(at / 1000000);
    struct tm utc;

    gmtime_r(&seconds, &utc);
    out_format(out, "Date: %s, %d %s %d %02d:%02d:%02d +0000\r\n", days[utc.tm_wday], utc.tm_mday,
               months[utc.tm_mon], utc.tm_year + 1900, utc.tm_hour, utc.tm_min, utc.tm_sec);
}

/* ---- the text ---- */

enum { MAIL_LINE = 72 }; /* bytes of a line, with room for the '=' that goes on */

static bool is_plain(char byte)
{
    return byte >= ' ' && byte <= '~' && byte != '=';
}

/* In quoted-printable (RFC 2045). A blank at the end of a line would be lost on the way. */
static void put_text(struct out *out, const char *text)
{
    size_t column = 0;

    for (; *text != '\0'; text++) {
        bool is_last = text[1] == '\n' || text[1] == '\0';

        if (*text == '\n') {
            out_add(out, "\r\n");
            column = 0;
            continue;
        }
        if (column > MAIL_LINE - 3) {
            out_add(out, "=\r\n");
            column = 0;
        }
        if (is_plain(*text) && !(*text == ' ' && is_last) && !(*text == '.' && column == 0)) {
            out_bytes(out, text, 1);
            column++;
        } else {
            out_format(out, "=%02X", (unsigned char)*text);
            column += 3;
        }
    }
}

const char *mail_bytes(struct arena *arena, const struct mail *mail)
{
    struct out out;

    out_init(&out, arena);
    put_date(&out, mail->at);
    out_format(&out, "From: plyd <%s>\r\nTo: <%s>\r\nMessage-ID: <%s>\r\n", mail->from, mail->to,
               mail->id);
    put_subject(&out, mail->subject);
    out_format(&out,
               "Auto-Submitted: auto-generated\r\n"
               "List-Unsubscribe: <%s>\r\n"
               "List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n"
               "MIME-Version: 1.0\r\n"
               "Content-Type: text/plain; charset=utf-8\r\n"
               "Content-Transfer-Encoding: quoted-printable\r\n\r\n",
               mail->end_url);
    put_text(&out, mail->text);
    return out.text;
}

/* ---- addresses ---- */

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/* Labels of letters, digits and `more`, with single dots between them. */
static bool is_dotted(const char *text, size_t len, const char *more)
{
    char before = '.';

    for (size_t i = 0; i < len; i++) {
        if (text[i] == '.' ? before == '.'
                           : strchr(letters, text[i]) == NULL && strchr(more, text[i]) == NULL)
            return false;
        before = text[i];
    }
    return len > 0 && before != '.';
}

/* The last label of a name is no number: those are addresses of machines. */
static bool is_domain(const char *text)
{
    const char *last = strrchr(text, '.');

    return last != NULL && isalpha((unsigned char)last[1]) && is_dotted(text, strlen(text), "-");
}

/* By '%' and '!' some servers are told to send a mail on to another address: so the same mailbox
 * would have any number of addresses. */
const char *mail_address_fault(const char *address)
{
    static const char expected[] = "An address such as ada@example.org is expected.";
    const char *at = strrchr(address, '@');

    if (strlen(address) > MAIL_ADDRESS_MAX)
        return "The address is too long.";
    if (at == NULL || at - address > 64 ||
        !is_dotted(address, (size_t)(at - address), "#$&'*+-/=?^_`{|}~") || !is_domain(at + 1))
        return expected;
    return NULL;
}

db_id mail_address_id(struct arena *arena, const char *address)
{
    static const unsigned char label[] = "plyd mail";
    const char *at = strrchr(address, '@');
    char *text = arena_copy(arena, address, strlen(address)), *end = text;
    db_id id;

    for (const char *c = address; *c != '\0'; c++) {
        if (*c == '+' && c < at && end > text)
            c = at;
        if (*c != '.' || c > at)
            *end++ = (char)tolower((unsigned char)*c);
    }
    *end = '\0';
    crypto_generichash(id.byte, sizeof(id.byte), (const unsigned char *)text, strlen(text), label,
                       sizeof(label) - 1);
    return id;
}
