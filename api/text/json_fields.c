#include "api/text/json_fields.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/text/json.h"
#include "api/text/suggest.h"

enum { WORD_MAX = 64 }; /* bytes, of one in a list of words */

#define WHOLE_MAX 9007199254740992.0 /* up to it a double tells whole numbers apart */

static const cJSON *inside(const struct json_value *value)
{
    return (const cJSON *)value;
}

void json_fields(struct json_fields *fields, struct arena *arena, const struct json_value *object,
                 struct json_error *error)
{
    *fields = (struct json_fields){.arena = arena, .object = object, .pointer = "", .error = error};
}

static const char *pointer_to(const struct json_fields *fields, const char *key)
{
    return json_pointer(fields->arena, fields->pointer, key);
}

void json_refuse(struct json_fields *fields, enum problem code, const char *key, const char *detail)
{
    if (fields->error->code == PROBLEM_NONE)
        *fields->error = (struct json_error){
            code, key == NULL ? fields->pointer : pointer_to(fields, key), detail};
}

/* A member by its name, which is known from now on. NULL: it is absent or null. */
static const cJSON *take_field(struct json_fields *fields, const char *key)
{
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(inside(fields->object), key);

    fields->known[fields->nknown++] = key;
    return value == NULL || cJSON_IsNull(value) ? NULL : value;
}

bool json_take_string(struct json_fields *fields, const char *key, size_t max, const char **value)
{
    const cJSON *item = take_field(fields, key);

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
    const cJSON *item = take_field(fields, key);
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

bool json_take_number(struct json_fields *fields, const char *key, double *value)
{
    const cJSON *item = take_field(fields, key);

    if (item == NULL)
        return false;
    if (!cJSON_IsNumber(item)) {
        json_refuse(fields, PROBLEM_BAD_PARAMETER, key, "A number is expected.");
        return false;
    }
    *value = item->valuedouble;
    return true;
}

bool json_take_bool(struct json_fields *fields, const char *key, bool *value)
{
    const cJSON *item = take_field(fields, key);
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
static bool enter_json(struct json_fields *fields, const cJSON *item, const char *pointer,
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
    const cJSON *item = take_field(fields, key);

    return item != NULL && enter_json(fields, item, pointer_to(fields, key), inner);
}

bool json_has_object(const struct json_fields *fields, const char *key)
{
    return cJSON_IsObject(cJSON_GetObjectItemCaseSensitive(inside(fields->object), key));
}

bool json_has_array(const struct json_fields *fields, const char *key)
{
    return cJSON_IsArray(cJSON_GetObjectItemCaseSensitive(inside(fields->object), key));
}

bool json_has(const struct json_fields *fields, const char *key)
{
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(inside(fields->object), key);

    return value != NULL && !cJSON_IsNull(value);
}

bool json_has_null(const struct json_fields *fields, const char *key)
{
    return cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(inside(fields->object), key));
}

bool json_take_array(struct json_fields *fields, const char *key, size_t max,
                     const struct json_value **array, size_t *count)
{
    const cJSON *item = take_field(fields, key);
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

static void refuse_element(struct json_fields *fields, const char *key, size_t i,
                           const char *detail)
{
    if (fields->error->code == PROBLEM_NONE)
        *fields->error =
            (struct json_error){PROBLEM_BAD_PARAMETER, element_pointer(fields, key, i), detail};
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
        refuse_element(
            fields, key, i,
            arena_format(fields->arena, "A text of at most %zu bytes is expected.", max));
        return false;
    }
    *value = item->valuestring;
    return true;
}

bool json_element_object(struct json_fields *fields, const struct json_value *array,
                         const char *key, size_t i, struct json_fields *inner)
{
    return enter_json(fields, element(fields, array, i), element_pointer(fields, key, i), inner);
}

bool json_element_array(struct json_fields *fields, const struct json_value *array, const char *key,
                        size_t i, size_t max, const struct json_value **inner, size_t *count)
{
    const cJSON *item = element(fields, array, i);

    *count = (size_t)cJSON_GetArraySize(item);
    if (!cJSON_IsArray(item) || *count > max) {
        refuse_element(fields, key, i,
                       arena_format(fields->arena, "A list of at most %zu is expected.", max));
        return false;
    }
    *inner = (const struct json_value *)item;
    return true;
}

static bool split_words(struct json_fields *fields, const char *key, size_t max,
                        const char *const **words, size_t *count)
{
    const char *text = take_field(fields, key)->valuestring;
    char *rest = arena_copy(fields->arena, text, strlen(text)), *word;
    const char **list = arena_alloc(fields->arena, max * sizeof(*list));

    for (*count = 0; (word = strtok_r(rest, ", ", &rest)) != NULL; list[(*count)++] = word)
        if (*count == max) {
            json_refuse(fields, PROBLEM_BAD_PARAMETER, key,
                        arena_format(fields->arena, "At most %zu words are expected.", max));
            return false;
        }
    *words = list;
    return true;
}

bool json_take_words(struct json_fields *fields, const char *key, size_t max,
                     const char *const **words, size_t *count)
{
    const struct json_value *array;
    const char **list, *word;

    if (cJSON_IsString(cJSON_GetObjectItemCaseSensitive(inside(fields->object), key)))
        return split_words(fields, key, max, words, count);
    if (!json_take_array(fields, key, max, &array, count))
        return false;
    list = arena_alloc(fields->arena, *count * sizeof(*list) + 1);
    for (size_t i = 0; i < *count; i++) {
        if (!json_element_string(fields, array, key, i, WORD_MAX, &word))
            return false;
        list[i] = arena_copy(fields->arena, word, strlen(word));
    }
    *words = list;
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
    const cJSON *item = take_field(fields, key);
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
    const cJSON *item = take_field(fields, key);

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
static void refuse_unknown_field(struct json_fields *fields, const char *key)
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
                           suggest_text(fields->arena, key, fields->known, fields->nknown)));
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
            refuse_unknown_field(fields, item->string);
            return false;
        }
    }
    if (fields->missing != NULL)
        json_refuse(fields, PROBLEM_BAD_PARAMETER, fields->missing, fields->wish);
    return fields->missing == NULL;
}
