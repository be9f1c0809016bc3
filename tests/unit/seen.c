/* seen.c - JSON as a client sees it (seen.h). */
#include "seen.h"

#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 128, LIST_BYTES = 1 << 17 };

struct seen *seen_read(const char *json)
{
    const char *end = NULL;
    cJSON *value = cJSON_ParseWithOpts(json, &end, false);

    cr_assert_not_null(value, "no JSON: %s", json);
    cr_assert_eq(end[strspn(end, "\n")], '\0', "something follows: %s", json);
    return (struct seen *)value;
}

void seen_free(struct seen *seen)
{
    cJSON_Delete((cJSON *)seen);
}

/* What is at a path; NULL: nothing. */
static const cJSON *find(const struct seen *seen, const char *path)
{
    const cJSON *value = (const cJSON *)seen;

    while (value != NULL && *path != '\0') {
        char name[PATH_BYTES];
        size_t len = strcspn(path, ".");

        snprintf(name, sizeof(name), "%.*s", (int)len, path);
        value = cJSON_IsArray(value) ? cJSON_GetArrayItem(value, atoi(name))
                                     : cJSON_GetObjectItemCaseSensitive(value, name);
        path += len + (path[len] == '.');
    }
    return value;
}

/* What is at a path that is put together of the arguments behind `path`, and has to be there. */
#define GET(value, path)                                         \
    char at_path[PATH_BYTES];                                    \
    const cJSON *value;                                          \
    va_list args;                                                \
                                                                 \
    va_start(args, path);                                        \
    vsnprintf(at_path, sizeof(at_path), path, args);             \
    va_end(args);                                                \
    value = find(seen, at_path);                                 \
    cr_assert_not_null(value, "nothing is at %s of %s", at_path, \
                       cJSON_PrintUnformatted((const cJSON *)seen))

bool seen_has(const struct seen *seen, const char *path, ...)
{
    char at_path[PATH_BYTES];
    va_list args;

    va_start(args, path);
    vsnprintf(at_path, sizeof(at_path), path, args);
    va_end(args);
    return find(seen, at_path) != NULL;
}

bool seen_is_null(const struct seen *seen, const char *path, ...)
{
    GET(value, path);
    return cJSON_IsNull(value);
}

const char *seen_text(const struct seen *seen, const char *path, ...)
{
    GET(value, path);
    cr_assert(cJSON_IsString(value), "%s is no text", at_path);
    return value->valuestring;
}

long long seen_number(const struct seen *seen, const char *path, ...)
{
    GET(value, path);
    cr_assert(cJSON_IsNumber(value), "%s is no number", at_path);
    return (long long)value->valuedouble;
}

bool seen_bool(const struct seen *seen, const char *path, ...)
{
    GET(value, path);
    cr_assert(cJSON_IsBool(value), "%s is no truth value", at_path);
    return cJSON_IsTrue(value);
}

size_t seen_count(const struct seen *seen, const char *path, ...)
{
    GET(value, path);
    cr_assert(cJSON_IsArray(value) || cJSON_IsObject(value), "%s has no elements", at_path);
    return (size_t)cJSON_GetArraySize(value);
}

const char *seen_list(const struct seen *seen, const char *path, ...)
{
    static char list[LIST_BYTES];
    const cJSON *item;
    size_t len = 0;
    GET(value, path);

    list[0] = '\0';
    cJSON_ArrayForEach(item, value)
    {
        const char *text = cJSON_IsObject(value) ? item->string : item->valuestring;

        cr_assert_not_null(text, "%s holds more than texts", at_path);
        cr_assert_lt(len + strlen(text) + 2, sizeof(list));
        len += (size_t)snprintf(list + len, sizeof(list) - len, "%s%s", len == 0 ? "" : " ", text);
    }
    return list;
}

bool seen_is(const struct seen *seen, const char *json, const char *path, ...)
{
    cJSON *wanted = cJSON_Parse(json);
    bool same;
    GET(value, path);

    cr_assert_not_null(wanted, "no JSON: %s", json);
    same = cJSON_Compare(wanted, value, true);
    cJSON_Delete(wanted);
    return same;
}
