/*
 * page.h - writing lines of text that line up in a terminal, where a kanji takes two cells.
 *
 * A page knows the column that it is in. It puts blanks off until something follows them, so that
 * no line ends with a blank. It writes what fits into its buffer and counts all bytes.
 */
#ifndef PLYD_RULES_DRAW_PAGE_H
#define PLYD_RULES_DRAW_PAGE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "rules/text.h"

struct page {
    char *out;
    size_t cap, len;
    unsigned column; /* cells of this line so far, the blanks put off included */
    unsigned blanks; /* put off until something follows them */
};

/* Reads one UTF-8 character and moves *at behind it. The text is taken to be well-formed: it comes
 * from our own tables. */
static inline uint32_t page_next_character(const char **at)
{
    const unsigned char *p = (const unsigned char *)*at;
    unsigned following = *p < 0xc0 ? 0 : *p < 0xe0 ? 1 : *p < 0xf0 ? 2 : 3;
    uint32_t character = following == 0 ? *p : *p & (0x3fU >> following);

    p++;
    for (; following > 0 && (*p & 0xc0) == 0x80; following--)
        character = character << 6 | (*p++ & 0x3fU);
    *at = (const char *)p;
    return character;
}

/* How many cells a character takes: right for the signs that boards are made of,
 * and for European and Japanese texts. */
static inline unsigned page_character_width(uint32_t character)
{
    static const struct {
        uint32_t first, last;
        unsigned width;
    } ranges[] = {
        {0x200b, 0x200f, 0},   /* zero-width joiners */
        {0xfe00, 0xfe0f, 0},   /* variation selectors */
        {0x2e80, 0xa4cf, 2},   /* kana, kanji and their punctuation */
        {0xf900, 0xfaff, 2},   /* more kanji */
        {0xff01, 0xff60, 2},   /* full-width letters and digits */
        {0x1f300, 0x1faff, 2}, /* animals and other pictures */
    };

    for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
        if (character >= ranges[i].first && character <= ranges[i].last)
            return ranges[i].width;
    return 1;
}

static inline unsigned page_width(const char *s)
{
    unsigned width = 0;

    while (*s != '\0')
        width += page_character_width(page_next_character(&s));
    return width;
}

static inline void page_byte(struct page *page, char c)
{
    if (page->len + 1 < page->cap)
        page->out[page->len] = c;
    page->len++;
}

static inline void page_flush_blanks(struct page *page)
{
    for (; page->blanks > 0; page->blanks--)
        page_byte(page, ' ');
}

/* Writes an escape sequence, which takes no cells. "" writes nothing. */
static inline void page_colour(struct page *page, const char *escape)
{
    if (*escape != '\0')
        page_flush_blanks(page);
    while (*escape != '\0')
        page_byte(page, *escape++);
}

static inline void page_blanks(struct page *page, unsigned n)
{
    page->blanks += n;
    page->column += n;
}

static inline void page_to_column(struct page *page, unsigned column)
{
    if (column > page->column)
        page_blanks(page, column - page->column);
}

static inline void page_put(struct page *page, const char *s)
{
    page->column += page_width(s);
    for (; *s != '\0'; s++) {
        if (*s == ' ') {
            page->blanks++;
        } else {
            page_flush_blanks(page);
            page_byte(page, *s);
        }
    }
}

/* Writes a text and fills it up with blanks to `width` cells. */
static inline void page_put_padded(struct page *page, const char *s, unsigned width)
{
    unsigned end = page->column + width;

    page_put(page, s);
    page_to_column(page, end);
}

static inline void page_number(struct page *page, uint64_t n)
{
    char digits[24];
    struct text text = text_open(digits, sizeof(digits));

    text_number(&text, n);
    page_put(page, digits);
}

static inline void page_end_line(struct page *page)
{
    page->blanks = 0;
    page->column = 0;
    page_byte(page, '\n');
}

/* Terminates the text and returns the length of all that was written, fitting or not. */
static inline size_t page_close(struct page *page)
{
    if (page->cap > 0)
        page->out[page->len < page->cap ? page->len : page->cap - 1] = '\0';
    return page->len;
}

#endif
