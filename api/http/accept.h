/*
 * accept.h - reads Accept: the form in which a client wants its answer.
 *
 * The header Accept. Pure; any thread may call these functions.
 */
#ifndef PLYD_API_HTTP_ACCEPT_H
#define PLYD_API_HTTP_ACCEPT_H

#include "api/text/arena.h"

/* The forms that an answer may have, as bits. Where several are equally welcome, the first of
 * PAGE, JSON, MARKDOWN, TEXT, HTML, YAML, SVG, NDJSON and SSE is taken. FORM_PAGE and FORM_HTML are
 * both text/html: an address offers the one or the other, as its HTML is its first choice or not.
 */
enum form {
    FORM_JSON = 1,
    FORM_MARKDOWN = 2,
    FORM_TEXT = 4,
    FORM_HTML = 8,
    FORM_YAML = 16,
    FORM_SVG = 32,
    FORM_PAGE = 64,
    FORM_NDJSON = 128,
    FORM_SSE = 256
};

/* The weight that a list such as Accept, or Accept-Encoding, gives to a type: the q of the range
 * that fits best, in thousandths; 0 if the type is not welcome. */
int accept_weight(const char *accept, const char *type);

/* The same, but 0 if the list does not name the type itself. */
int accept_named(const char *accept, const char *type);

/* The weight that Accept-Language gives to a language, by a range with any region or none. */
int accept_language(const char *accept, const char *tag);

/* The one of `forms` that an Accept header prefers; NULL and "" take anything. 0 if it rules out
 * all of them. */
unsigned accept_form(const char *accept, unsigned forms);

/* The media types of these forms, from the arena: "application/json, text/plain". */
const char *accept_types(struct arena *arena, unsigned forms);

/* A form in a word: "json", "text". NULL: the address decides (0). */
const char *accept_form_name(unsigned form);

#endif
