/*
 * accept.h - in which form a client wants its answer: the header Accept.
 */
#ifndef PLYD_API_HTTP_ACCEPT_H
#define PLYD_API_HTTP_ACCEPT_H

#include "api/text/arena.h"

/* The forms that an answer may have. The first of them that an answer has is taken where a client
 * does not care; a page is HTML that comes before all others. */
enum form {
    FORM_PAGE = 64,
    FORM_JSON = 1,
    FORM_MARKDOWN = 2,
    FORM_TEXT = 4,
    FORM_HTML = 8,
    FORM_YAML = 16,
    FORM_SVG = 32,
    FORM_NDJSON = 128
};

/* Which of these forms (bits) an Accept header prefers; NULL or "": any. 0: none of them. */
unsigned accept_form(const char *accept, unsigned forms);

/* The media types of these forms: "application/json, text/plain". */
const char *accept_types(struct arena *arena, unsigned forms);

#endif
