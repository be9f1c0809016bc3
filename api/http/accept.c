#include "api/http/accept.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Whether a range of `len` bytes, such as "text/plain" or "text/" and a star, takes in a type. */
static bool range_takes(const char *range, size_t len, const char *type)
{
    size_t slash = strcspn(type, "/");

    if (len == 3 && strncmp(range, "*/*", 3) == 0)
        return true;
    if (len == slash + 2 && range[len - 1] == '*')
        return strncasecmp(range, type, slash + 1) == 0;
    return len == strlen(type) && strncasecmp(range, type, len) == 0;
}

/* A q such as 0.5 in thousandths. Anything but a number below 1 counts as 1. */
static int thousandths(const char *text)
{
    double q = strtod(text, NULL);

    return q >= 0 && q < 1 ? (int)(q * 1000) : 1000;
}

/* Whether a range is a language, in any region. */
static bool is_of_language(const char *range, size_t len, const char *tag)
{
    size_t tag_len = strlen(tag);

    return len >= tag_len && strncasecmp(range, tag, tag_len) == 0 &&
           (len == tag_len || range[tag_len] == '-');
}

/* The weight that a list gives to a type, by a range of at least so many bytes. Of ranges that fit,
 * the longer is always the more special one: a full type, a type with any subtype, anything. */
static int weigh(const char *accept, const char *type, size_t best_len,
                 bool (*fits)(const char *range, size_t len, const char *type))
{
    int best = 0;

    while (*accept != '\0') {
        size_t item = strcspn(accept, ","), skip = strspn(accept, " \t");
        size_t len = strcspn(accept + skip, ",; \t");
        const char *q = memmem(accept, item, ";q=", 3);
        int value = 1000;

        if (q == NULL)
            q = memmem(accept, item, "; q=", 4);
        if (q != NULL)
            value = thousandths(strchr(q, '=') + 1);
        if (fits(accept + skip, len, type) && len >= best_len) {
            best = value;
            best_len = len;
        }
        accept += item + (accept[item] == ',');
    }
    return best;
}

int accept_weight(const char *accept, const char *type)
{
    return weigh(accept, type, 0, range_takes);
}

int accept_named(const char *accept, const char *type)
{
    return weigh(accept, type, strlen(type), range_takes);
}

int accept_language(const char *accept, const char *tag)
{
    return weigh(accept, tag, 0, is_of_language);
}

/* In the order in which they are taken where the client does not care. */
static const struct {
    unsigned form;
    const char *type, *name;
} forms[] = {{FORM_PAGE, "text/html", "page"},
             {FORM_JSON, "application/json", "json"},
             {FORM_MARKDOWN, "text/markdown", "markdown"},
             {FORM_TEXT, "text/plain", "text"},
             {FORM_HTML, "text/html", "html"},
             {FORM_YAML, "application/yaml", "yaml"},
             {FORM_SVG, "image/svg+xml", "svg"},
             {FORM_NDJSON, "application/x-ndjson", "ndjson"},
             {FORM_SSE, "text/event-stream", "sse"}};

enum { FORMS = sizeof(forms) / sizeof(forms[0]) };

unsigned accept_form(const char *accept, unsigned wanted)
{
    unsigned best = 0;
    int best_weight = 0;

    if (accept != NULL && *accept == '\0')
        accept = NULL;
    for (size_t i = 0; i < FORMS; i++) {
        int here = (wanted & forms[i].form) == 0 ? 0
                   : accept == NULL              ? 1
                                                 : accept_weight(accept, forms[i].type);

        /* A client that names problems reads JSON. A range that merely lets problems pass does not
         * count, as the client may have refused JSON by name. */
        if (here == 0 && (wanted & forms[i].form & FORM_JSON) != 0 &&
            strcasestr(accept, "application/problem+json") != NULL)
            here = accept_weight(accept, "application/problem+json");
        if (here > best_weight) {
            best = forms[i].form;
            best_weight = here;
        }
    }
    return best;
}

const char *accept_types(struct arena *arena, unsigned wanted)
{
    const char *types = "";

    for (size_t i = 0; i < FORMS; i++)
        if ((wanted & forms[i].form) != 0)
            types = arena_format(arena, "%s%s%s", types, *types == '\0' ? "" : ", ", forms[i].type);
    return types;
}

const char *accept_form_name(unsigned form)
{
    for (size_t i = 0; i < FORMS; i++)
        if (forms[i].form == form)
            return forms[i].name;
    return NULL;
}
