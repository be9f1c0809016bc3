/*
 * import_terms.h - how a query says that records are to be read: format, variant, options.
 */
#ifndef PLYD_API_ENDPOINTS_GAMES_IMPORT_TERMS_H
#define PLYD_API_ENDPOINTS_GAMES_IMPORT_TERMS_H

#include "api/http/request.h"
#include "api/record/record.h"
#include "rules/rules.h"

struct import_terms {
    const struct record_format *format; /* NULL: it is recognised */
    const struct rules_game *game;      /* NULL: the record tells */
    struct rules_options options;       /* that are set count more than the record's */
};

/* Reads them from a query that may have `others`, too (a list that ends with NULL). False:
 * something is wrong with them, and was answered. */
bool import_terms_read(struct request *request, const char *const *others,
                       struct import_terms *terms);

/* Those parameters of the request's query alone, as they came. */
const char *import_terms_query(struct request *request);

#endif
