#include "schema.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct check {
    const cJSON *document;
    char *why;
    size_t size;
};

static bool fits(struct check *check, const cJSON *schema, const cJSON *value, const char *path);

static bool fail(struct check *check, const char *path, const char *what, const char *detail)
{
    snprintf(check->why, check->size, "%s: %s %s", *path == '\0' ? "/" : path, what, detail);
    return false;
}

static const cJSON *get(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

const cJSON *schema_follow(const cJSON *document, const cJSON *node)
{
    const cJSON *ref;

    while (node != NULL && (ref = get(node, "$ref")) != NULL) {
        char *path = strdup(ref->valuestring + 2), *save = NULL;

        node = document;
        for (char *part = strtok_r(path, "/", &save); part != NULL;
             part = strtok_r(NULL, "/", &save))
            node = get(node, part);
        free(path);
        if (node == NULL) {
            fprintf(stderr, "schema: %s leads nowhere\n", ref->valuestring);
            exit(1);
        }
    }
    return node;
}

/* ---- one keyword each ---- */

static bool is_type(const cJSON *value, const char *type)
{
    if (strcmp(type, "integer") == 0)
        return cJSON_IsNumber(value) && !(floor(value->valuedouble) < value->valuedouble);
    return (strcmp(type, "object") == 0 && cJSON_IsObject(value)) ||
           (strcmp(type, "array") == 0 && cJSON_IsArray(value)) ||
           (strcmp(type, "string") == 0 && cJSON_IsString(value)) ||
           (strcmp(type, "number") == 0 && cJSON_IsNumber(value)) ||
           (strcmp(type, "boolean") == 0 && cJSON_IsBool(value)) ||
           (strcmp(type, "null") == 0 && cJSON_IsNull(value));
}

static bool fits_type(struct check *check, const cJSON *type, const cJSON *value, const char *path)
{
    const cJSON *one;

    if (cJSON_IsString(type))
        return is_type(value, type->valuestring) ||
               fail(check, path, "is not of type", type->valuestring);
    cJSON_ArrayForEach(one, type)
    {
        if (is_type(value, one->valuestring))
            return true;
    }
    return fail(check, path, "is of none of the types", "that are allowed");
}

static bool fits_enum(struct check *check, const cJSON *values, const cJSON *value,
                      const char *path)
{
    const cJSON *one;

    cJSON_ArrayForEach(one, values)
    {
        if (cJSON_Compare(one, value, true))
            return true;
    }
    return fail(check, path,
                "is none of the values:", cJSON_IsString(value) ? value->valuestring : "");
}

/* Translates a pattern for POSIX, where "(?:" is unknown and every group is remembered. */
static void translate(const char *pattern, char *posix, size_t size)
{
    size_t len = 0;

    while (*pattern != '\0' && len + 1 < size) {
        posix[len++] = *pattern;
        pattern += strncmp(pattern, "(?:", 3) == 0 ? 3 : 1;
    }
    posix[len] = '\0';
}

static bool fits_pattern(struct check *check, const char *pattern, const cJSON *value,
                         const char *path)
{
    char posix[1024];
    regex_t regex;
    bool ok;

    if (!cJSON_IsString(value))
        return true;
    translate(pattern, posix, sizeof(posix));
    if (regcomp(&regex, posix, REG_EXTENDED | REG_NOSUB) != 0)
        return fail(check, path, "pattern cannot be read:", pattern);
    ok = regexec(&regex, value->valuestring, 0, NULL, 0) == 0;
    regfree(&regex);
    return ok || fail(check, path, "does not match", pattern);
}

static bool fits_format(struct check *check, const char *format, const cJSON *value,
                        const char *path)
{
    if (strcmp(format, "date-time") != 0)
        return fail(check, path, "format is not known:", format);
    return fits_pattern(
        check, "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{3}Z$", value, path);
}

static bool fits_items(struct check *check, const cJSON *schema, const cJSON *value,
                       const char *path)
{
    const cJSON *item;
    int i = 0;

    if (!cJSON_IsArray(value))
        return true;
    cJSON_ArrayForEach(item, value)
    {
        char inner[512];

        snprintf(inner, sizeof(inner), "%.480s/%d", path, i++);
        if (!fits(check, schema, item, inner))
            return false;
    }
    return true;
}

static bool fits_properties(struct check *check, const cJSON *properties, const cJSON *value,
                            const char *path)
{
    const cJSON *schema;

    cJSON_ArrayForEach(schema, properties)
    {
        const cJSON *member = get(value, schema->string);
        char inner[512];

        snprintf(inner, sizeof(inner), "%.240s/%.240s", path, schema->string);
        if (member != NULL && !fits(check, schema, member, inner))
            return false;
    }
    return true;
}

static bool fits_required(struct check *check, const cJSON *required, const cJSON *value,
                          const char *path)
{
    const cJSON *name;

    if (!cJSON_IsObject(value))
        return true;
    cJSON_ArrayForEach(name, required)
    {
        if (get(value, name->valuestring) == NULL)
            return fail(check, path, "lacks", name->valuestring);
    }
    return true;
}

/* Whether a schema, or one that it consists of, knows a member of this name of a value. Of several
 * forms it is the one that the value has. */
static bool knows(struct check *check, const cJSON *schema, const cJSON *value, const char *name)
{
    const cJSON *part;

    schema = schema_follow(check->document, schema);
    if (get(get(schema, "properties"), name) != NULL)
        return true;
    cJSON_ArrayForEach(part, get(schema, "allOf"))
    {
        if (knows(check, part, value, name))
            return true;
    }
    cJSON_ArrayForEach(part, get(schema, "oneOf"))
    {
        if (fits(check, part, value, "") && knows(check, part, value, name))
            return true;
    }
    return false;
}

static bool fits_closed(struct check *check, const cJSON *schema, const cJSON *value,
                        const char *path)
{
    const cJSON *member;

    if (!cJSON_IsObject(value))
        return true;
    cJSON_ArrayForEach(member, value)
    {
        if (!knows(check, schema, value, member->string))
            return fail(check, path,
                        "has a member that the contract does not know:", member->string);
    }
    return true;
}

/* Checks the members that a schema does not know by name against what all of those must be. */
static bool fits_others(struct check *check, const cJSON *schema, const cJSON *others,
                        const cJSON *value, const char *path)
{
    const cJSON *member;

    if (!cJSON_IsObject(value))
        return true;
    cJSON_ArrayForEach(member, value)
    {
        char inner[512];

        snprintf(inner, sizeof(inner), "%.240s/%.240s", path, member->string);
        if (!knows(check, schema, value, member->string) && !fits(check, others, member, inner))
            return false;
    }
    return true;
}

static bool fits_all(struct check *check, const cJSON *schemas, const cJSON *value,
                     const char *path)
{
    const cJSON *one;

    cJSON_ArrayForEach(one, schemas)
    {
        if (!fits(check, one, value, path))
            return false;
    }
    return true;
}

static bool fits_any(struct check *check, const cJSON *schemas, const cJSON *value,
                     const char *path)
{
    const cJSON *one;

    cJSON_ArrayForEach(one, schemas)
    {
        if (fits(check, one, value, path))
            return true;
    }
    return false; /* the last one has said why */
}

static bool fits_one(struct check *check, const cJSON *schemas, const cJSON *value,
                     const char *path)
{
    const cJSON *one;
    int n = 0;

    cJSON_ArrayForEach(one, schemas)
    {
        n += fits(check, one, value, path);
    }
    return n == 1 || (n > 1 && fail(check, path, "fits more than one of", "oneOf"));
}

static bool fits_number(struct check *check, const char *key, double bound, const cJSON *value,
                        const char *path)
{
    bool has_children = cJSON_IsArray(value) || cJSON_IsObject(value);
    double size = has_children            ? cJSON_GetArraySize(value)
                  : cJSON_IsString(value) ? (double)strlen(value->valuestring)
                                          : value->valuedouble;

    if (strncmp(key, "min", 3) == 0)
        return size >= bound || fail(check, path, "is below its", key);
    return size <= bound || fail(check, path, "is above its", key);
}

bool schema_is_open;

static bool is_remark(const char *key)
{
    static const char *const remarks[] = {"description", "example", "examples",  "default",
                                          "title",       "$schema", "deprecated"};

    for (size_t i = 0; i < sizeof(remarks) / sizeof(remarks[0]); i++)
        if (strcmp(remarks[i], key) == 0)
            return true;
    return false;
}

static bool fits_keyword(struct check *check, const cJSON *schema, const cJSON *keyword,
                         const cJSON *value, const char *path)
{
    const char *key = keyword->string;

    if (strcmp(key, "type") == 0)
        return fits_type(check, keyword, value, path);
    if (strcmp(key, "enum") == 0)
        return (schema_is_open && cJSON_IsString(value)) || fits_enum(check, keyword, value, path);
    if (strcmp(key, "pattern") == 0)
        return fits_pattern(check, keyword->valuestring, value, path);
    if (strcmp(key, "format") == 0)
        return fits_format(check, keyword->valuestring, value, path);
    if (strcmp(key, "items") == 0)
        return fits_items(check, keyword, value, path);
    if (strcmp(key, "properties") == 0)
        return fits_properties(check, keyword, value, path);
    if (strcmp(key, "required") == 0)
        return fits_required(check, keyword, value, path);
    if (strcmp(key, "additionalProperties") == 0 && cJSON_IsObject(keyword))
        return fits_others(check, schema, keyword, value, path);
    if (strcmp(key, "additionalProperties") == 0 || strcmp(key, "unevaluatedProperties") == 0)
        return schema_is_open || cJSON_IsTrue(keyword) || fits_closed(check, schema, value, path);
    if (strcmp(key, "allOf") == 0)
        return fits_all(check, keyword, value, path);
    if (strcmp(key, "const") == 0)
        return cJSON_Compare(keyword, value, true) || fail(check, path, "is not the", key);
    if (strcmp(key, "anyOf") == 0)
        return fits_any(check, keyword, value, path);
    if (strcmp(key, "oneOf") == 0)
        return fits_one(check, keyword, value, path);
    if (strncmp(key, "min", 3) == 0 || strncmp(key, "max", 3) == 0)
        return fits_number(check, key, keyword->valuedouble, value, path);
    return is_remark(key) || fail(check, path, "keyword is not known:", key);
}

static bool fits(struct check *check, const cJSON *schema, const cJSON *value, const char *path)
{
    const cJSON *keyword;

    schema = schema_follow(check->document, schema);
    cJSON_ArrayForEach(keyword, schema)
    {
        if (!fits_keyword(check, schema, keyword, value, path))
            return false;
    }
    return true;
}

bool schema_fits(const cJSON *document, const cJSON *schema, const cJSON *value, char *why,
                 size_t size)
{
    struct check check = {document, why, size};

    why[0] = '\0';
    return fits(&check, schema, value, "");
}
