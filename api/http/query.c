#include "api/http/query.h"

#include <stdlib.h>
#include <string.h>

#include "api/http/reply_problem.h"
#include "api/text/lang.h"
#include "api/text/out.h"
#include "api/text/suggest.h"
#include "api/text/url.h"

/* The next `name=value` of a query from *at on, not decoded. A name alone has the value "". False
 * at the end. */
static bool next_pair(const char **at, const char **name, size_t *name_len, const char **value,
                      size_t *value_len)
{
    size_t len;

    while (**at == '&')
        ++*at;
    if (**at == '\0')
        return false;
    len = strcspn(*at, "&");
    *name = *at;
    *name_len = strcspn(*at, "=&");
    *value = *name + *name_len + (*name_len < len);
    *value_len = *name_len < len ? len - *name_len - 1 : 0;
    *at += len;
    return true;
}

/* Whether a parameter is a list at every address that has it. A list may come in parts, as
 * generated clients send it: include=a&include=b is include=a,b. */
static bool is_list(const char *name)
{
    static const char *const lists[] = {"fields", "include", "marks", "moves", "status", "variant"};

    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
        if (strcmp(lists[i], name) == 0)
            return true;
    return false;
}

const char *query_text(struct request *request, const char *wanted)
{
    const char *at = request->query, *name, *value, *text = NULL;
    size_t name_len, value_len;
    struct out list;

    while (next_pair(&at, &name, &name_len, &value, &value_len)) {
        const char *key = url_decode(&request->arena, name, name_len, true), *more;

        if (key == NULL || strcmp(key, wanted) != 0)
            continue;
        more = url_decode(&request->arena, value, value_len, true);
        if (more == NULL || !is_list(wanted))
            return more;
        if (text == NULL)
            out_init_short(&list, &request->arena);
        else
            out_add(&list, ",");
        out_add(&list, more);
        text = list.text;
    }
    return text;
}

/* Where a word stands in a list that ends with NULL; the place of that NULL if it is not there. */
static size_t place_of_word(const char *const *words, const char *word)
{
    size_t i = 0;

    while (words[i] != NULL && strcmp(words[i], word) != 0)
        i++;
    return i;
}

static void refuse_name(struct request *request, const char *name, const char *const *known)
{
    bool has_body = request->method == METHOD_POST || request->method == METHOD_PUT;
    struct arena *arena = &request->arena;
    const char *near;
    size_t n = 0;

    while (known[n] != NULL)
        n++;
    near = suggest_name(name, known, n);
    reply_problem_at(
        request, PROBLEM_UNKNOWN_FIELD, arena_format(arena, "?%s", name),
        arena_format(arena, "This address has no %squery parameter%s.%s%s%s", n == 0 ? "" : "such ",
                     n == 0 ? "s" : "", suggest_text(arena, name, known, n),
                     has_body ? " Other fields stand in the body." : "",
                     near != NULL && strcmp(near, "cursor") == 0
                         ? " The member `next` of a page is the address of the page behind it."
                         : ""));
}

/* Reads the language of what is answered, which goes with the request from here on. */
static bool read_lang(struct request *request)
{
    const char *name = query_text(request, "lang");

    if (name == NULL)
        return true; /* it is English, or that of the account */
    request->lang = lang_find(name);
    if (request->lang != NULL)
        return true;
    reply_problem_at(request, PROBLEM_BAD_PARAMETER, "?lang", lang_expected);
    return false;
}

bool query_ok(struct request *request, const char *const *known)
{
    const char *at = request->query, *name, *value;
    uint32_t seen = 0; /* bit i: known[i] */
    size_t name_len, value_len;

    while (next_pair(&at, &name, &name_len, &value, &value_len)) {
        char *key = url_decode(&request->arena, name, name_len, true);
        size_t place;

        if (key == NULL || url_decode(&request->arena, value, value_len, true) == NULL) {
            reply_problem(request, PROBLEM_BAD_PARAMETER,
                          "The query has a broken percent-escape, or is not UTF-8.");
            return false;
        }
        place = place_of_word(known, key);
        if (known[place] == NULL) {
            refuse_name(request, key, known);
            return false;
        }
        if ((seen & 1U << place) != 0 && !is_list(key)) {
            reply_problem_at(request, PROBLEM_BAD_PARAMETER,
                             arena_format(&request->arena, "?%s", key),
                             "The parameter appears twice.");
            return false;
        }
        seen |= 1U << place;
    }
    return known[place_of_word(known, "lang")] == NULL || read_lang(request);
}

bool query_bool(struct request *request, const char *name, bool *value)
{
    const char *text = query_text(request, name);

    *value = text != NULL && strcmp(text, "true") == 0;
    if (text == NULL || *value || strcmp(text, "false") == 0)
        return true;
    reply_problem_at(request, PROBLEM_BAD_PARAMETER, arena_format(&request->arena, "?%s", name),
                     "true or false is expected.");
    return false;
}

bool query_int(struct request *request, const char *name, int64_t min, int64_t max,
               int64_t fallback, int64_t *value)
{
    const char *text = query_text(request, name);
    char *end;

    *value = fallback;
    if (text == NULL)
        return true;
    *value = strtoll(text, &end, 10); /* takes blanks and a '+' too, which we do not */
    if (*text != '\0' && strchr("-0123456789", *text) != NULL && *end == '\0' && *value >= min &&
        *value <= max)
        return true;
    reply_problem_at(request, PROBLEM_BAD_PARAMETER, arena_format(&request->arena, "?%s", name),
                     arena_format(&request->arena, "A whole number from %lld to %lld is expected.",
                                  (long long)min, (long long)max));
    return false;
}

bool query_limit(struct request *request, int64_t *limit)
{
    enum { USUAL = 50, MOST = 200 };

    if (!query_int(request, "limit", 1, INT32_MAX, USUAL, limit))
        return false;
    /* Not refused: a client that wants as much as it can get is told where the list goes on. */
    if (*limit > MOST)
        *limit = MOST;
    return true;
}

static void refuse_word(struct request *request, const char *parameter, const char *const *words,
                        const char *word)
{
    struct arena *arena = &request->arena;
    const char *known = "";

    for (size_t i = 0; words[i] != NULL; i++)
        known = arena_format(arena, "%s%s%s", known, i == 0 ? "" : ", ", words[i]);
    reply_problem_at(request, PROBLEM_BAD_PARAMETER, arena_format(arena, "?%s", parameter),
                     arena_format(arena, "\"%s\" is not one of: %s.", word, known));
}

bool query_words(struct request *request, const char *parameter, const char *const *words,
                 uint32_t *bits)
{
    const char *list = query_text(request, parameter);
    char *copy, *save = NULL;

    *bits = 0;
    if (list == NULL)
        return true;
    copy = arena_copy(&request->arena, list, strlen(list)); /* strtok_r() cuts it up */
    for (char *word = strtok_r(copy, ",", &save); word != NULL; word = strtok_r(NULL, ",", &save)) {
        size_t place = place_of_word(words, word);

        if (words[place] == NULL) {
            refuse_word(request, parameter, words, word);
            return false;
        }
        *bits |= 1U << place;
    }
    return true;
}
