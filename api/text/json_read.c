#include "api/text/json_read.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "api/text/json_text.h"
#include "api/text/url.h"

/* What a text may have at most. */
struct bounds {
    size_t values;
    int levels, members;
};

static struct json_value *outside(cJSON *value)
{
    return (struct json_value *)value;
}

/* Sets the error. Returns NULL, so that a reader can end with it. */
static struct json_value *fail_json(struct json_error *error, enum problem code,
                                    const char *pointer, const char *detail)
{
    *error = (struct json_error){code, pointer, detail};
    return NULL;
}

/* ---- whole bodies ---- */

/* The end of a string that begins behind a quote: the quote there, or the end of the text. */
static size_t string_end(const char *text, size_t len, size_t at)
{
    while (at < len && text[at] != '"')
        at += text[at] == '\\' ? 2 : 1;
    return at;
}

static const char *too_deep(struct arena *arena, const struct bounds *bounds)
{
    return arena_format(arena,
                        "The body is nested more than %d deep, or an object has more than %d "
                        "members.",
                        bounds->levels, bounds->members);
}

/* Looks at a text before anything is made of it: a value costs a hundred times as much as the one
 * or two bytes that it may take. NULL: it has no more values, and brackets no deeper, than the
 * bounds allow. Every value but the first stands behind a bracket or a comma. */
static const char *shape_fault(struct arena *arena, const char *text, size_t len,
                               const struct bounds *bounds)
{
    size_t found = 1;
    int depth = 0;

    for (size_t i = 0; i < len && found <= bounds->values; i++)
        switch (text[i]) {
        case '"':
            i = string_end(text, len, i + 1);
            break;
        case '[':
        case '{':
            if (++depth > bounds->levels + 1)
                return too_deep(arena, bounds);
            found++;
            break;
        case ',':
            found++;
            break;
        case ']':
        case '}':
            depth--;
            break;
        default:
            break;
        }
    return found > bounds->values ? "The body has too many values." : NULL;
}

/* Whether a value is deeper or wider than anything that the API asks for. Whatever passes may be
 * compared member with member, and may be walked down by calls. */
static bool is_unreasonable(const cJSON *value, int levels, int members)
{
    const cJSON *child;

    if (levels < 0 || (cJSON_IsObject(value) && cJSON_GetArraySize(value) > members))
        return true;
    cJSON_ArrayForEach(child, value) if (is_unreasonable(child, levels - 1, members)) return true;
    return false;
}

const char *json_pointer(struct arena *arena, const char *pointer, const char *key)
{
    char *name = arena_alloc(arena, 2 * strlen(key) + 1), *at = name;

    for (; *key != '\0'; key++) {
        if (*key == '~' || *key == '/') {
            *at++ = '~';
            *at++ = *key == '~' ? '0' : '1';
        } else {
            *at++ = *key;
        }
    }
    *at = '\0';
    return arena_format(arena, "%s/%s", pointer, name);
}

static bool stands_twice(const cJSON *member)
{
    for (const cJSON *other = member->next; other != NULL; other = other->next)
        if (strcmp(member->string, other->string) == 0)
            return true;
    return false;
}

/* The pointer from a value to the first member in it that stands there twice, or NULL. Readers of
 * JSON differ in which of the two they take, so the body could mean one thing to a proxy and
 * another to us. The pointer is put together on the way back from a duplicate that was found: a
 * body without one, as nearly all are, costs no memory here. */
static const char *duplicate(struct arena *arena, const cJSON *value)
{
    const cJSON *child;
    int i = 0;

    cJSON_ArrayForEach(child, value)
    {
        bool named = cJSON_IsObject(value), twice = named && stands_twice(child);
        const char *below = twice ? "" : duplicate(arena, child);

        if (below != NULL)
            return named
                       ? arena_format(arena, "%s%s", json_pointer(arena, "", child->string), below)
                       : arena_format(arena, "/%d%s", i, below);
        i++;
    }
    return NULL;
}

/* Whether a value that is JSON is an object as bodies have to be. False: the error is set. */
static bool is_body(struct arena *arena, const cJSON *value, const struct bounds *bounds,
                    struct json_error *error)
{
    const char *twice;

    if (!cJSON_IsObject(value)) {
        fail_json(error, PROBLEM_MALFORMED_JSON, "", "The body is JSON, but not an object: {...}.");
        return false;
    }
    if (is_unreasonable(value, bounds->levels, bounds->members)) {
        fail_json(error, PROBLEM_MALFORMED_JSON, "", too_deep(arena, bounds));
        return false;
    }
    twice = duplicate(arena, value);
    if (twice != NULL)
        fail_json(error, PROBLEM_MALFORMED_JSON, twice, "This member appears twice.");
    return twice == NULL;
}

static struct json_value *read_whole_json(struct arena *arena, const char *text, size_t len,
                                          struct bounds bounds, struct json_error *error)
{
    const char *end = NULL, *fault = shape_fault(arena, text, len, &bounds);
    cJSON *value;

    if (fault != NULL)
        return fail_json(error, PROBLEM_MALFORMED_JSON, "", fault);
    if (!json_is_utf8(text, len) || json_hides_nul(text, len))
        return fail_json(error, PROBLEM_MALFORMED_JSON, "",
                         "The body must be UTF-8, and have no NUL in it.");
    /* cJSON is lenient, and what it makes of such a text may not be what the client meant. So it is
     * shown the text only as far as it is JSON, and fails where that ends. */
    value = cJSON_ParseWithLengthOpts(text, json_strict_len(text, len), &end, false);
    while (end != NULL && end < text + len && strchr(" \t\r\n", *end) != NULL)
        end++;
    if (value == NULL || end != text + len)
        fail_json(error, PROBLEM_MALFORMED_JSON, "",
                  json_fault(arena, text, len, bounds.levels + 1));
    else if (is_body(arena, value, &bounds, error))
        return outside(value);
    cJSON_Delete(value);
    return NULL;
}

struct json_value *json_read(struct arena *arena, const char *text, size_t len,
                             struct json_error *error)
{
    return read_whole_json(arena, text, len,
                           (struct bounds){JSON_VALUES_MAX, JSON_LEVELS, JSON_MEMBERS_MAX}, error);
}

struct json_value *json_read_long(struct arena *arena, const char *text, size_t len,
                                  struct json_error *error)
{
    return read_whole_json(
        arena, text, len,
        (struct bounds){JSON_RECORD_VALUES_MAX, JSON_RECORD_LEVELS, JSON_RECORD_MEMBERS_MAX},
        error);
}

struct json_value *json_read_deep(struct arena *arena, const char *text, size_t len, int levels,
                                  struct json_error *error)
{
    return read_whole_json(arena, text, len,
                           (struct bounds){JSON_VALUES_MAX, levels, JSON_MEMBERS_MAX}, error);
}

static cJSON *new_object(void)
{
    cJSON *object = cJSON_CreateObject();

    if (object == NULL)
        abort();
    return object;
}

struct json_value *json_read_nothing(void)
{
    return outside(new_object());
}

struct json_value *json_read_bare(struct arena *arena, const char *key, const char *text,
                                  size_t len, struct json_error *error)
{
    cJSON *object;

    if (!json_is_utf8(text, len))
        return fail_json(error, PROBLEM_MALFORMED_JSON, "",
                         "The body must be UTF-8, and have no NUL in it.");
    object = new_object();
    cJSON_AddStringToObject(object, key, arena_copy(arena, text, len));
    return outside(object);
}

/* ---- forms ---- */

/* The object that a dotted key leads to; the objects on the way are made. *key becomes its last
 * part. NULL: something else stands on the way. */
static cJSON *descend(cJSON *object, char **key)
{
    char *dot;

    for (int depth = 0; depth < JSON_LEVELS && (dot = strchr(*key, '.')) != NULL; depth++) {
        cJSON *inner;

        *dot = '\0';
        inner = cJSON_GetObjectItemCaseSensitive(object, *key);
        if (inner == NULL)
            inner = cJSON_AddObjectToObject(object, *key);
        if (!cJSON_IsObject(inner))
            return NULL;
        object = inner;
        *key = dot + 1;
    }
    return object;
}

/* Adds a pair. NULL, or why that cannot be. */
static const char *add_pair(struct arena *arena, cJSON *object, const char *pair, size_t len)
{
    const char *equals = memchr(pair, '=', len);
    size_t key_len = equals == NULL ? len : (size_t)(equals - pair);
    char *name = url_decode(arena, pair, key_len, true), *key = name;
    char *value = equals == NULL ? url_decode(arena, "", 0, true)
                                 : url_decode(arena, equals + 1, len - key_len - 1, true);
    const char *shown = name == NULL ? NULL : arena_copy(arena, name, strlen(name));
    cJSON *inner;

    if (key == NULL || value == NULL)
        return "The form has a broken percent-escape, or bytes that are not UTF-8.";
    inner = descend(object, &key);
    if (inner == NULL)
        return arena_format(arena, "The field %s has both a value and fields of its own.", shown);
    if (cJSON_GetObjectItemCaseSensitive(inner, key) != NULL)
        return arena_format(arena, "The field %s appears twice in the form.", shown);
    if (cJSON_AddStringToObject(inner, key, value) == NULL)
        abort();
    return NULL;
}

struct json_value *json_read_form(struct arena *arena, const char *text, size_t len,
                                  struct json_error *error)
{
    cJSON *object = new_object();
    size_t at = 0, pairs = 0;
    const char *fault = NULL;

    while (at < len && fault == NULL) {
        const char *end = memchr(text + at, '&', len - at);
        size_t pair = end == NULL ? len - at : (size_t)(end - text) - at;

        /* Each is looked for among those before it, so their number has to be bounded. */
        if (pair > 0)
            fault = ++pairs > JSON_MEMBERS_MAX
                        ? arena_format(arena, "A form has at most %d fields.", JSON_MEMBERS_MAX)
                        : add_pair(arena, object, text + at, pair);
        at += pair + 1;
    }
    if (fault == NULL)
        return outside(object);
    cJSON_Delete(object);
    return fail_json(error, PROBLEM_MALFORMED_JSON, "", fault);
}

void json_free(struct json_value *value)
{
    cJSON_Delete((cJSON *)value);
}
