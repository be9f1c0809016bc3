/*
 * query.h - the parameters of a request's query.
 *
 * A handler first asks query_ok() with the names that it knows, then for each parameter. A function
 * that returns false has answered the request with the reason. The loop's thread alone calls these.
 */
#ifndef PLYD_API_HTTP_QUERY_H
#define PLYD_API_HTTP_QUERY_H

#include "api/http/request.h"

/* Whether every parameter is one of `known` (a list that ends with NULL, of at most 32), is
 * well-formed and comes once. Lists (include, fields, marks, moves, status, variant) may come in
 * parts, which are joined by commas. If `lang` is known, its language becomes the request's. */
bool query_ok(struct request *request, const char *const *known);

/* The text of a parameter, decoded, in the request's arena. NULL if it is absent or its escapes are
 * broken, which query_ok() refuses. */
const char *query_text(struct request *request, const char *name);

/* Reads a parameter as true or false; false if it is absent. */
bool query_bool(struct request *request, const char *name, bool *value);

/* Reads a parameter as a whole number from `min` to `max`; `fallback` if it is absent. */
bool query_int(struct request *request, const char *name, int64_t min, int64_t max,
               int64_t fallback, int64_t *value);

/* Reads ?limit=, the length of a page of a list: 50 if it is absent, and 200 at most, whatever is
 * asked for. */
bool query_limit(struct request *request, int64_t *limit);

/* Reads a parameter that is a list of words, such as "open,active". Bit i of *bits is set if
 * words[i] is among them; `words` ends with NULL. 0 if the parameter is absent or empty. */
bool query_words(struct request *request, const char *parameter, const char *const *words,
                 uint32_t *bits);

#endif
