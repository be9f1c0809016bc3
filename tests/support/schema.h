/*
 * schema.h - JSON Schema, as much of it as openapi.yaml uses: $ref, type (also a list), enum,
 * properties, required, minProperties, additionalProperties, unevaluatedProperties, items,
 * minItems, maxItems, minimum, maximum, minLength, maxLength, pattern, format date-time, const,
 * allOf, anyOf, oneOf.
 *
 * Any other keyword that is not a mere remark is an error, so that nothing is believed to be
 * checked that is not.
 */
#ifndef PLYD_TESTS_SUPPORT_SCHEMA_H
#define PLYD_TESTS_SUPPORT_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>

struct cJSON;

/* Whether a value fits a schema of a document, to which its $refs lead. If not, `why` says where
 * and why. */
bool schema_fits(const struct cJSON *document, const struct cJSON *schema,
                 const struct cJSON *value, char *why, size_t size);

/* Whether a schema takes members and words that it does not know, as clients shall: then a later
 * release may answer by it. */
extern bool schema_is_open;

/* What a $ref leads to; the node itself if it has none. */
const struct cJSON *schema_follow(const struct cJSON *document, const struct cJSON *node);

#endif
