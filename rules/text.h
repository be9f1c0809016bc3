/*
 * text.h - writing and reading short texts without stdio, which rules/ does not know.
 *
 * A writer appends to a buffer of known size, keeps it terminated, and drops what does not fit.
 */
#ifndef PLYD_RULES_TEXT_H
#define PLYD_RULES_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
    char *at;   /* where the next byte goes: always the terminating NUL */
    char *last; /* the buffer's last byte */
};

static inline struct text text_open(char *buffer, size_t size)
{
    buffer[0] = '\0';
    return (struct text){buffer, buffer + size - 1};
}

static inline void text_char(struct text *text, char c)
{
    if (text->at < text->last) {
        *text->at++ = c;
        *text->at = '\0';
    }
}

static inline void text_string(struct text *text, const char *s)
{
    while (*s != '\0')
        text_char(text, *s++);
}

static inline void text_number(struct text *text, uint64_t n)
{
    char digits[20];
    size_t len = 0;

    do {
        digits[len++] = (char)('0' + n % 10);
        n /= 10;
    } while (n > 0);
    while (len > 0)
        text_char(text, digits[--len]);
}

static inline bool text_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Reads a decimal number up to `max`, without sign or leading zeros ("0" itself is fine). Moves *at
 * behind it and returns true, or leaves *at alone and returns false. */
static inline bool text_read_number(const char **at, uint32_t max, uint32_t *number)
{
    const char *p = *at;
    uint64_t n = 0;

    if (!text_is_digit(*p) || (p[0] == '0' && text_is_digit(p[1])))
        return false;
    for (; text_is_digit(*p); p++) {
        n = n * 10 + (uint64_t)(*p - '0');
        if (n > max)
            return false;
    }
    *at = p;
    *number = (uint32_t)n;
    return true;
}

static inline const char *text_skip_blanks(const char *at)
{
    while (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n')
        at++;
    return at;
}

/* Moves *at behind what may stand between the two squares of a move: blanks, and one - x or : among
 * them. Returns that sign, with : as x, or a NUL if there is none. */
static inline char text_take_join(const char **at)
{
    const char *p = text_skip_blanks(*at);
    char sign = *p == ':' ? 'x' : *p;

    *at = p;
    if (sign != '-' && sign != 'x')
        return '\0';
    *at = text_skip_blanks(p + 1);
    return sign;
}

#endif
