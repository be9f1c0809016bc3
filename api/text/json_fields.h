/*
 * json_fields.h - the members of an object that was read.
 *
 * A reader takes the members that it knows, one by one, and says what each has to be. A member that
 * nobody took is unknown and refused, so that a misspelt name does not silently become a default.
 * The first mistake is kept and later ones are not looked at: a reader takes everything it wants
 * and asks json_ok() once, at the end.
 */
#ifndef PLYD_API_TEXT_JSON_FIELDS_H
#define PLYD_API_TEXT_JSON_FIELDS_H

#include "api/text/json_read.h"

/* An object of which members are being taken. Readers pass it on and do not look into it, but for
 * `arena` and `error`. */
struct json_fields {
    struct arena *arena;
    const struct json_value *object;
    const char *pointer; /* to the object; "" at the top */
    struct json_error *error;
    const char *known[24]; /* the names that were asked for; more than any reader knows */
    size_t nknown;
    const struct json_value *list, *item; /* the element that was taken last, `at` of `list` */
    size_t at;
    const char *missing; /* a member that must be there and is not, or NULL */
    const char *wish;    /* the sentence for it */
};

/* Begins to take members. *error must have the code PROBLEM_NONE. */
void json_fields(struct json_fields *fields, struct arena *arena, const struct json_value *object,
                 struct json_error *error);

/* Each takes a member and returns true if it is there and fits. False leaves *value alone: the
 * member is absent (null counts as absent), or it does not fit and the error is set. `max` bounds
 * the bytes of a text. */
bool json_take_string(struct json_fields *fields, const char *key, size_t max, const char **value);
bool json_take_int(struct json_fields *fields, const char *key, int64_t min, int64_t max,
                   int64_t *value);
bool json_take_bool(struct json_fields *fields, const char *key, bool *value);

/* The same for any number, which a text is not. */
bool json_take_number(struct json_fields *fields, const char *key, double *value);

/* Takes a member that is a list of at most `max` elements. They are read by json_element_*(). */
bool json_take_array(struct json_fields *fields, const char *key, size_t max,
                     const struct json_value **array, size_t *count);

/* Takes a member that is a list of at most `max` words, or a text with commas between them, since a
 * form has nothing but texts. They lie in the arena. */
bool json_take_words(struct json_fields *fields, const char *key, size_t max,
                     const char *const **words, size_t *count);

/* Takes a member that is an object. Its own members are taken from *inner, which shares the error;
 * ask json_ok() of it too. */
bool json_take_object(struct json_fields *fields, const char *key, struct json_fields *inner);

/* Whether a member is an object, before it is taken: for one that may be a text, too. */
bool json_has_object(const struct json_fields *fields, const char *key);

/* The same for a list. */
bool json_has_array(const struct json_fields *fields, const char *key);

/* Whether there is a member of that name, before it is taken. */
bool json_has(const struct json_fields *fields, const char *key);

/* Whether it is there as null, for those to whom that is not as if it were absent. */
bool json_has_null(const struct json_fields *fields, const char *key);

/* Takes a text, a whole number or a truth value, as a text: "casual", "8", "true". */
bool json_take_scalar(struct json_fields *fields, const char *key, const char **text);

/* Takes a member of any type, as JSON text in the arena; NULL if it is not there. */
const char *json_take_json(struct json_fields *fields, const char *key);

/* ---- lists, and objects of any names ---- */

/* Element i of a list that was taken under `key`, as a text, an object or a list. False: it is
 * something else or too long, and the error is set. It is fastest in ascending order of i. */
bool json_element_string(struct json_fields *fields, const struct json_value *array,
                         const char *key, size_t i, size_t max, const char **value);
bool json_element_object(struct json_fields *fields, const struct json_value *array,
                         const char *key, size_t i, struct json_fields *inner);
bool json_element_array(struct json_fields *fields, const struct json_value *array, const char *key,
                        size_t i, size_t max, const struct json_value **inner, size_t *count);

/* Whether element i of a list is an object, before it is taken. */
bool json_element_is_object(struct json_fields *fields, const struct json_value *array, size_t i);

/* Member i of an object, whatever its name: the name, and the value as json_take_scalar() gives it,
 * or NULL if it is no scalar. False behind the last one. */
bool json_each_scalar(struct json_fields *fields, size_t i, const char **key, const char **value);

/* ---- the end ---- */

/* Sets the error, unless there is one already. `key` is the member at fault; NULL: the object. */
void json_refuse(struct json_fields *fields, enum problem code, const char *key,
                 const char *detail);

/* Says that a member must be there and is not. json_ok() refuses that, but only if no member is
 * unknown: an unknown one may be this one misspelt, and is the better thing to tell. */
void json_missing(struct json_fields *fields, const char *key, const char *detail);

/* Whether nothing was wrong, unknown or missing. False: the error is set. */
bool json_ok(struct json_fields *fields);

#endif
