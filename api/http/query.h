/*
 * query.h - the parameters of a request's query. What is malformed is answered here: a function
 * that returns false has answered the request.
 */
#ifndef PLYD_API_HTTP_QUERY_H
#define PLYD_API_HTTP_QUERY_H

#include "api/http/request.h"

/* A parameter, decoded; NULL if it is absent. Broken escapes are as if absent, and query_ok() finds
 * them. */
const char *query_text(struct request *request, const char *name);

/* Whether the query holds only parameters of this list (ending with NULL), each at most once and
 * well-formed. */
bool query_ok(struct request *request, const char *const *known);

/* A parameter as true or false (false if absent), or as a whole number (`fallback` if absent). */
bool query_bool(struct request *request, const char *name, bool *value);
bool query_int(struct request *request, const char *name, int64_t min, int64_t max,
               int64_t fallback, int64_t *value);

/* How long a page of a list may be: 50 if the query does not say it, never more than 200. */
bool query_limit(struct request *request, int64_t *limit);

/* A parameter that is a list of words, such as "open,active": a bit for each, by where it stands in
 * `words` (ending with NULL). 0 if it is absent or empty. */
bool query_words(struct request *request, const char *parameter, const char *const *words,
                 uint32_t *bits);

#endif
