/*
 * chars.h - characters of Unicode: which of them disturb the text around them.
 *
 * Texts are valid UTF-8 and end with a NUL. Pure functions; any thread may call them.
 */
#ifndef PLYD_API_TEXT_CHARS_H
#define PLYD_API_TEXT_CHARS_H

#include <stddef.h>
#include <stdint.h>

/* The character at *at, which then goes behind it. 0 at the end, where *at stays. */
uint32_t chars_next(const char **at);

/* How many characters a text has. */
size_t chars_count(const char *text);

/* What a character is to the text around it. */
enum chars_kind {
    CHARS_VISIBLE,  /* it has a shape, or changes that of a neighbour; also all that is not known */
    CHARS_BLANK,    /* a blank of any width */
    CHARS_JOINER,   /* joins or parts its two neighbours */
    CHARS_SELECTOR, /* chooses a form of the character before it */
    CHARS_DISTURBING, /* a control, an end of a line, a change of the direction of writing, a
                       * character that nobody sees or that is none */
};

enum chars_kind chars_kind(uint32_t c);

/* Makes a text of several lines fit for a terminal, in place. '?' takes the place of controls other
 * than tabs and newlines, of other characters that end a line, and of changes of the direction of
 * writing in a line that does not take them back. */
void chars_tame(char *text);

#endif
