/*
 * json_read.h - JSON on its way in. A body is read as one object, and its members are taken one by
 * one by somebody who says what they expect.
 */
#ifndef PLYD_API_TEXT_JSON_READ_H
#define PLYD_API_TEXT_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/text/arena.h"
#include "api/text/problem.h"

/* A value that was read. Opaque: only json_read.c knows what it is. */
struct json_value;

/* What is wrong with an input, in the words of a problem: its code, a JSON pointer to the
 * place ("/seats/0/name"), and a sentence. All from the arena or static. */
struct json_error {
    enum problem code;
    const char *pointer;
    const char *detail;
};

/* Reads a whole text as one JSON object: strict UTF-8, no NUL, no duplicate members, nothing after
 * it, nesting of at most 16. The result is freed with json_free(). NULL and *error otherwise. */
struct json_value *json_read(struct arena *arena, const char *text, size_t len,
                             struct json_error *error);

/* The same from application/x-www-form-urlencoded: `a=1&options.size=8` is {"a":"1","options":
 * {"size":"8"}}. Numbers and truth values stay texts; the getters below take them as such. */
struct json_value *json_read_form(struct arena *arena, const char *text, size_t len,
                                  struct json_error *error);

/* {} and {key: text}. */
struct json_value *json_read_nothing(void);
struct json_value *json_read_bare(struct arena *arena, const char *key, const char *text,
                                  size_t len, struct json_error *error);

void json_free(struct json_value *value);

/* An object whose members are taken one by one; what is left at the end is unknown and refused.
 * The first mistake is kept in *error, later ones are not looked at: ask json_ok() once. */
struct json_fields {
    struct arena *arena;
    const struct json_value *object;
    const char *pointer; /* "" at the top */
    struct json_error *error;
    const char *known[24];
    size_t nknown;
    const struct json_value *list, *item; /* of which element `at` was taken last */
    size_t at;
    const char *missing, *wish; /* a member that has to be there, and what is said of it */
};

void json_fields(struct json_fields *fields, struct arena *arena, const struct json_value *object,
                 struct json_error *error);

/* Each returns true if the member is there and fits. An explicit null counts as absent. */
bool json_take_string(struct json_fields *fields, const char *key, size_t max, const char **value);
bool json_take_int(struct json_fields *fields, const char *key, int64_t min, int64_t max,
                   int64_t *value);
bool json_take_scalar(struct json_fields *fields, const char *key, const char **text);
bool json_take_bool(struct json_fields *fields, const char *key, bool *value);
bool json_take_object(struct json_fields *fields, const char *key, struct json_fields *inner);
bool json_take_array(struct json_fields *fields, const char *key, size_t max,
                     const struct json_value **array, size_t *count);

/* Element i of an array as a text, an object or an array. */
bool json_element_string(struct json_fields *fields, const struct json_value *array,
                         const char *key, size_t i, size_t max, const char **value);
bool json_element_object(struct json_fields *fields, const struct json_value *array,
                         const char *key, size_t i, struct json_fields *inner);
bool json_element_array(struct json_fields *fields, const struct json_value *array, const char *key,
                        size_t i, size_t max, const struct json_value **inner, size_t *count);

/* A member of any type as JSON text in the arena; NULL if it is not there. */
const char *json_take_json(struct json_fields *fields, const char *key);

/* Member i of an object: its name and its scalar value as a text ("8", "true", "casual"). False
 * past the last one, or with *error set if it is no scalar. */
bool json_each_scalar(struct json_fields *fields, size_t i, const char **key, const char **value);

/* A member that has to be there is not. An unknown one is told first: it may be that one misspelt.
 */
void json_missing(struct json_fields *fields, const char *key, const char *detail);

/* Whether nothing was wrong, nothing unknown is left and nothing is missing. */
bool json_ok(struct json_fields *fields);

/* A refusal of one's own, at a member. */
void json_refuse(struct json_fields *fields, enum problem code, const char *key,
                 const char *detail);

#endif
