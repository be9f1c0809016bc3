#include "api/text/json_read.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/text/json.h"
#include "api/text/json_fault.h"
#include "api/text/json_text.h"
#include "api/text/nearest.h"
#include "api/text/url.h"

#define WHOLE_MAX 9007199254740992.0 /* up to it a double tells whole numbers apart */

/* What a text may have at most. */
struct bounds {
    size_t values;
    int levels, members;
};

/* A json_value is a cJSON under another name, so that no other file has to know cJSON. */
static const cJSON *inside(const struct json_value *value)
{
    return (const cJSON *)value;
}

static struct json_value *outside(cJSON *value)
{
    return (struct json_value *)value;
}

/* Sets the error. Returns NULL, so that a reader can end with it. */
static struct json_value *fail(struct json_error *error, enum problem code, const char *pointer,
                               const char *detail)
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

/* The pointer to a member of what `pointer` points to. In a pointer "~" and "/" of a name are
 * written "~0" and "~1" (RFC 6901). */
static const char *pointer_below(struct arena *arena, const char *pointer, const char *key)
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
                       ? arena_format(arena, "%s%s", pointer_below(arena, "", child->string), below)
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
        fail(error, PROBLEM_MALFORMED_JSON, "", "The body is JSON, but not an object: {...}.");
        return false;
    }
    if (is_unreasonable(value, bounds->levels, bounds->members)) {
        fail(error, PROBLEM_MALFORMED_JSON, "", too_deep(arena, bounds));
        return false;
    }
    twice = duplicate(arena, value);
    if (twice != NULL)
        fail(error, PROBLEM_MALFORMED_JSON, twice, "This member appears twice.");
    return twice == NULL;
}

static struct json_value *read_body(struct arena *arena, const char *text, size_t len,
                                    struct bounds bounds, struct json_error *error)
{
    const char *end = NULL, *fault = shape_fault(arena, text, len, &bounds);
    cJSON *value;

    if (fault != NULL)
        return fail(error, PROBLEM_MALFORMED_JSON, "", fault);
    if (!json_is_utf8(text, len) || json_hides_nul(text, len))
        return fail(error, PROBLEM_MALFORMED_JSON, "",
                    "The body must be UTF-8, and have no NUL in it.");
    /* cJSON is lenient, and what it makes of such a text may not be what the client meant. So it is
     * shown the text only as far as it is JSON, and fails where that ends. */
    value = cJSON_ParseWithLengthOpts(text, json_strict_len(text, len), &end, false);
    while (end != NULL && end < text + len && strchr(" \t\r\n", *end) != NULL)
        end++;
    if (value == NULL || end != text + len)
        fail(error, PROBLEM_MALFORMED_JSON, "", json_fault(arena, text, len, bounds.levels + 1));
    else if (is_body(arena, value, &bounds, error))
        return outside(value);
    cJSON_Delete(value);
    return NULL;
}

struct json_value *json_read(struct arena *arena, const char *text, size_t len,
                             struct json_error *error)
{
    return read_body(arena, text, len,
                     (struct bounds){JSON_VALUES_MAX, JSON_LEVELS, JSON_MEMBERS_MAX}, error);
}

struct json_value *json_read_long(struct arena *arena, const char *text, size_t len,
                                  struct json_error *error)
{
    return read_body(
        arena, text, len,
        (struct bounds){JSON_RECORD_VALUES_MAX, JSON_RECORD_LEVELS, JSON_RECORD_MEMBERS_MAX},
        error);
}

struct json_value *json_read_deep(struct arena *arena, const char *text, size_t len, int levels,
                                  struct json_error *error)
{
    return read_body(arena, text, len, (struct bounds){JSON_VALUES_MAX, levels, JSON_MEMBERS_MAX},
                     error);
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
        return fail(error, PROBLEM_MALFORMED_JSON, "",
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
    return fail(error, PROBLEM_MALFORMED_JSON, "", fault);
}

void json_free(struct json_value *value)
{
    cJSON_Delete((cJSON *)value);
}

/* ---- taking members ---- */

void json_fields(struct json_fields *fields, struct arena *arena, const struct json_value *object,
                 struct json_error *error)
{
    *fields = (struct json_fields){.arena = arena, .object = object, .pointer = "", .error = error};
}

static const char *pointer_to(const struct json_fields *fields, const char *key)
{
    return pointer_below(fields->arena, fields->pointer, key);
}

void json_refuse(struct json_fields *fields, enum problem code, const char *key, const char *detail)
{
    if (fields->error->code == PROBLEM_NONE)
        fail(fields->error, code, key == NULL ? fields->pointer : pointer_to(fields, key), detail);
}

/* A member by its name, which is known from now on. NULL: it is absent or null. */
static const cJSON *take(struct json_fields *fields, const char *key)
{
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(inside(fields->object), key);

    fields->known[fields->nknown++] = key;
    return value == NULL || cJSON_IsNull(value) ? NULL : value;
}

bool json_take_string(struct json_fields *fields, const char *key, size_t max, const char **value)
{
    const cJSON *item = take(fields, key);

    if (item == NULL)
        return false;
    if (!cJSON_IsString(item)) {
        json_refuse(fields, PROBLEM_BAD_PARAMETER, key, "A text is expected.");
        return false;
    }
    if (strlen(item->valuestring) > max) {
        json_refuse(fields, PROBLEM_BAD_PARAMETER, key,
                    arena_format(fields->arena, "A text of at most %zu bytes is expected.", max));
        return false;
    }
    *value = item->valuestring;
    return true;
}

/* Reads a whole number, also from a text, since a form has nothing but texts. Beyond 2^53 a double
 * no longer holds every whole number, so it would be a guess which one was meant. */
static bool read_whole(const cJSON *item, int64_t *number)
{
    if (cJSON_IsString(item)) {
        char *end;

        *number = strtoll(item->valuestring, &end, 10); /* 17 characters fit into 64 bits */
        return *item->valuestring != '\0' && *end == '\0' && strlen(item->valuestring) < 18 &&
               strchr("-0123456789", *item->valuestring) != NULL;
    }
    if (!cJSON_IsNumber(item) || fabs(item->valuedouble) > WHOLE_MAX)
        return false;
    *number = (int64_t)item->valuedouble;
    return !(item->valuedouble < (double)*number) && !(item->valuedouble > (double)*number);
}

bool json_take_int(struct json_fields *fields, const char *key, int64_t min, int64_t max,
                   int64_t *value)
{
    const cJSON *item = take(fields, key);
    int64_t number;

    if (item == NULL)
        return false;
    if (!read_whole(item, &number) || number < min || number > max) {
        json_refuse(fields, PROBLEM_BAD_PARAMETER, key,
                    arena_format(fields->arena, "A whole number from %lld to %lld is expected.",
                                 (long long)min, (long long)max));
        return false;
    }
    *value = number;
    return true;
}

bool json_take_bool(struct json_fields *fields, const char *key, bool *value)
{
    const cJSON *item = take(fields, key);
    bool text = cJSON_IsString(item);

    if (item == NULL)
        return false;
    if (cJSON_IsTrue(item) || (text && strcmp(item->valuestring, "true") == 0)) {
        *value = true;
    } else if (cJSON_IsFalse(item) || (text && strcmp(item->valuestring, "false") == 0)) {
        *value = false;
    } else {
        json_refuse(fields, PROBLEM_BAD_PARAMETER, key, "true or false is expected.");
        return false;
    }
    return true;
}

/* Begins to take members of an object inside another one. */
static bool enter(struct json_fields *fields, const cJSON *item, const char *pointer,
                  struct json_fields *inner)
{
    *inner = (struct json_fields){.arena = fields->arena,
                                  .object = (const struct json_value *)item,
                                  .pointer = pointer,
                                  .error = fields->error};
    if (cJSON_IsObject(item))
        return true;
    json_refuse(inner, PROBLEM_BAD_PARAMETER, NULL, "An object is expected.");
    return false;
}

bool json_take_object(struct json_fields *fields, const char *key, struct json_fields *inner)
{
    const cJSON *item = take(fields, key);

    return item != NULL && enter(fields, item, pointer_to(fields, key), inner);
}

bool json_has_object(const struct json_fields *fields, const char *key)
{
    return cJSON_IsObject(cJSON_GetObjectItemCaseSensitive(inside(fields->object), key));
}

bool json_has(const struct json_fields *fields, const char *key)
{
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(inside(fields->object), key);

    return value != NULL && !cJSON_IsNull(value);
}

bool json_take_array(struct json_fields *fields, const char *key, size_t max,
                     const struct json_value **array, size_t *count)
{
    const cJSON *item = take(fields, key);
    size_t size;

    if (item == NULL)
        return false;
    if (!cJSON_IsArray(item)) {
        json_refuse(fields, PROBLEM_BAD_PARAMETER, key, "A list is expected.");
        return false;
    }
    size = (size_t)cJSON_GetArraySize(item);
    if (size > max) {
        json_refuse(fields, PROBLEM_BAD_PARAMETER, key,
                    arena_format(fields->arena, "A list of at most %zu is expected.", max));
        return false;
    }
    *array = (const struct json_value *)item;
    *count = size;
    return true;
}

static const char *element_pointer(const struct json_fields *fields, const char *key, size_t i)
{
    return arena_format(fields->arena, "%s/%zu", pointer_to(fields, key), i);
}

/* Element i of a list. cJSON's lists are linked, and a look-up by number walks from the first
 * element. Readers ask for one after the other, so the last one is remembered and leads to the
 * next: a list of n costs n steps and not n squared. */
static const cJSON *element(struct json_fields *fields, const struct json_value *list, size_t i)
{
    const cJSON *before = inside(fields->item);
    const cJSON *item = fields->list == list && before != NULL && i == fields->at + 1
                            ? before->next
                            : cJSON_GetArrayItem(inside(list), (int)i);

    fields->list = list;
    fields->item = (const struct json_value *)item;
    fields->at = i;
    return item;
}

bool json_element_is_object(struct json_fields *fields, const struct json_value *array, size_t i)
{
    return cJSON_IsObject(element(fields, array, i));
}

bool json_element_string(struct json_fields *fields, const struct json_value *array,
                         const char *key, size_t i, size_t max, const char **value)
{
    const cJSON *item = element(fields, array, i);

    if (!cJSON_IsString(item) || strlen(item->valuestring) > max) {
        if (fields->error->code == PROBLEM_NONE)
            fail(fields->error, PROBLEM_BAD_PARAMETER, element_pointer(fields, key, i),
                 arena_format(fields->arena, "A text of at most %zu bytes is expected.", max));
        return false;
    }
    *value = item->valuestring;
    return true;
}

bool json_element_object(struct json_fields *fields, const struct json_value *array,
                         const char *key, size_t i, struct json_fields *inner)
{
    return enter(fields, element(fields, array, i), element_pointer(fields, key, i), inner);
}

bool json_element_array(struct json_fields *fields, const struct json_value *array, const char *key,
                        size_t i, size_t max, const struct json_value **inner, size_t *count)
{
    const cJSON *item = element(fields, array, i);

    *count = (size_t)cJSON_GetArraySize(item);
    if (!cJSON_IsArray(item) || *count > max) {
        if (fields->error->code == PROBLEM_NONE)
            fail(fields->error, PROBLEM_BAD_PARAMETER, element_pointer(fields, key, i),
                 arena_format(fields->arena, "A list of at most %zu is expected.", max));
        return false;
    }
    *inner = (const struct json_value *)item;
    return true;
}

/* cJSON rounds numbers of more than 15 digits, such as moments in microseconds. */
static void write_scalar(struct json *json, const cJSON *item)
{
    char *text;

    if (cJSON_IsString(item)) {
        json_string(json, item->valuestring);
        return;
    }
    if (cJSON_IsNumber(item) && item->valuedouble == trunc(item->valuedouble) &&
        fabs(item->valuedouble) <= WHOLE_MAX) {
        json_int(json, (int64_t)item->valuedouble);
        return;
    }
    text = cJSON_PrintUnformatted(item);
    json_raw(json, text == NULL ? "null" : text);
    cJSON_free(text);
}

/* A value has 16 levels at most. */
static void write_value(struct json *json, const cJSON *item)
{
    const cJSON *child;

    if (!cJSON_IsArray(item) && !cJSON_IsObject(item)) {
        write_scalar(json, item);
        return;
    }
    json_open(json, cJSON_IsArray(item) ? '[' : '{');
    cJSON_ArrayForEach(child, item)
    {
        if (cJSON_IsObject(item))
            json_key(json, child->string);
        write_value(json, child);
    }
    json_close(json, cJSON_IsArray(item) ? ']' : '}');
}

const char *json_take_json(struct json_fields *fields, const char *key)
{
    const cJSON *item = take(fields, key);
    struct json json = {.comma = false};

    if (item == NULL)
        return NULL;
    out_init_short(&json.out, fields->arena);
    write_value(&json, item);
    return json.out.text;
}

/* A scalar as a text ("8", "true", "casual"); NULL if the value is none. */
static const char *scalar_text(struct json_fields *fields, const cJSON *item)
{
    int64_t number;

    if (cJSON_IsString(item))
        return item->valuestring;
    if (cJSON_IsBool(item))
        return cJSON_IsTrue(item) ? "true" : "false";
    if (cJSON_IsNumber(item) && read_whole(item, &number))
        return arena_format(fields->arena, "%lld", (long long)number);
    return NULL;
}

bool json_take_scalar(struct json_fields *fields, const char *key, const char **text)
{
    const cJSON *item = take(fields, key);

    if (item == NULL)
        return false;
    *text = scalar_text(fields, item);
    if (*text == NULL)
        json_refuse(fields, PROBLEM_BAD_PARAMETER, key, "A text or a whole number is expected.");
    return *text != NULL;
}

/* Members of an object are linked like the elements of a list. */
bool json_each_scalar(struct json_fields *fields, size_t i, const char **key, const char **value)
{
    const cJSON *item = element(fields, fields->object, i);

    if (item == NULL)
        return false;
    *key = item->string;
    *value = scalar_text(fields, item);
    return true;
}

void json_missing(struct json_fields *fields, const char *key, const char *detail)
{
    if (fields->missing != NULL)
        return;
    fields->missing = key;
    fields->wish = detail;
}

/* A name with a dot is how a form writes a member of an object. */
static void refuse_unknown(struct json_fields *fields, const char *key)
{
    size_t len = strcspn(key, ".");

    for (size_t i = 0; i < fields->nknown && key[len] == '.'; i++)
        if (strlen(fields->known[i]) == len && strncmp(fields->known[i], key, len) == 0) {
            json_refuse(fields, PROBLEM_UNKNOWN_FIELD, key,
                        arena_format(fields->arena, "In JSON this is {\"%s\": {\"%s\": ...}}.",
                                     fields->known[i], key + len + 1));
            return;
        }
    json_refuse(
        fields, PROBLEM_UNKNOWN_FIELD, key,
        fields->nknown == 0
            ? "No fields are expected here."
            : arena_format(fields->arena, "No field of that name is known here.%s",
                           nearest_text(fields->arena, key, fields->known, fields->nknown)));
}

bool json_ok(struct json_fields *fields)
{
    const cJSON *item;

    if (fields->error->code != PROBLEM_NONE)
        return false;
    cJSON_ArrayForEach(item, inside(fields->object))
    {
        bool known = false;

        for (size_t i = 0; i < fields->nknown; i++)
            known |= strcmp(fields->known[i], item->string) == 0;
        if (!known) {
            refuse_unknown(fields, item->string);
            return false;
        }
    }
    if (fields->missing != NULL)
        json_refuse(fields, PROBLEM_BAD_PARAMETER, fields->missing, fields->wish);
    return fields->missing == NULL;
}
