/*
 * json.h - JSON out and in. What goes out is written straight into the request's arena; what comes
 * in is read by cJSON, and only here: the rest of api/ sees `struct json_fields`.
 */
#ifndef PLYD_API_TEXT_JSON_H
#define PLYD_API_TEXT_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/text/arena.h"

/* ---- writing -------------------------------------------------------------------------------- */

/* A document being written. Commas are its own affair: a member is json_key() and one value, an
 * element is one value. The depth of nesting is the caller's, up to 32. */
struct json {
    struct arena *arena;
    char *text; /* NUL-terminated at any time */
    size_t len, size;
    bool comma;
};

void json_init(struct json *json, struct arena *arena);
void json_open(struct json *json, char bracket);  /* '{' or '[' */
void json_close(struct json *json, char bracket); /* '}' or ']' */
void json_finish(struct json *json); /* the last '}', and a newline for people at a terminal */
void json_key(struct json *json, const char *key);
void json_string(struct json *json, const char *text);
void json_int(struct json *json, int64_t number);
void json_bool(struct json *json, bool value);
void json_null(struct json *json);
void json_time(struct json *json, int64_t us);      /* RFC 3339, UTC, milliseconds */
void json_raw(struct json *json, const char *text); /* a value that is JSON already */

/* json_key() and a value in one. */
void json_member(struct json *json, const char *key, const char *text);
void json_member_int(struct json *json, const char *key, int64_t number);
void json_member_bool(struct json *json, const char *key, bool value);
void json_member_time(struct json *json, const char *key, int64_t us);

/* The first and the last time that has such a text: the years 1 to 9999. */
#define JSON_TIME_MIN INT64_C(-62135596800000000)
#define JSON_TIME_MAX INT64_C(253402300799999999)

/* The same time as a text. */
const char *json_time_text(struct arena *arena, int64_t us);

/* Plain text into the same kind of buffer, for text/plain answers. */
void json_plain(struct json *json, const char *text);

/* ---- reading -------------------------------------------------------------------------------- */

/* A value that was read. Opaque: it is cJSON's. */
struct cJSON;

/* What is wrong with an input, in the words of a problem: a stable code, a JSON pointer to the
 * place ("/seats/0/name"), and a sentence. All from the arena or static. */
struct json_error {
    const char *code;
    const char *pointer;
    const char *detail;
};

/* Reads a whole text as one JSON object: strict UTF-8, no NUL, no duplicate members, nothing after
 * it, nesting of at most 16. The result is freed with json_free(). NULL and *error otherwise. */
struct cJSON *json_read(struct arena *arena, const char *text, size_t len,
                        struct json_error *error);

/* The same from application/x-www-form-urlencoded: `a=1&options.size=8` is {"a":"1","options":
 * {"size":"8"}}. Numbers and truth values stay texts; the getters below take them as such. */
struct cJSON *json_read_form(struct arena *arena, const char *text, size_t len,
                             struct json_error *error);

/* {} and {key: text}. */
struct cJSON *json_read_nothing(void);
struct cJSON *json_read_bare(struct arena *arena, const char *key, const char *text, size_t len,
                             struct json_error *error);

void json_free(struct cJSON *value);

/* An object whose members are taken one by one; what is left at the end is unknown and refused.
 * The first mistake is kept in *error, later ones are not looked at: ask json_ok() once. */
struct json_fields {
    struct arena *arena;
    const struct cJSON *object;
    const char *pointer; /* "" at the top */
    struct json_error *error;
    const char *known[24];
    size_t nknown;
    const struct cJSON *list, *item; /* of which element `at` was taken last */
    size_t at;
    const char *missing, *wish; /* a member that has to be there, and what is said of it */
};

void json_fields(struct json_fields *fields, struct arena *arena, const struct cJSON *object,
                 struct json_error *error);

/* Each returns true if the member is there and fits. An explicit null counts as absent. */
bool json_take_string(struct json_fields *fields, const char *key, size_t max, const char **value);
bool json_take_int(struct json_fields *fields, const char *key, int64_t min, int64_t max,
                   int64_t *value);
bool json_take_scalar(struct json_fields *fields, const char *key, const char **text);
bool json_take_bool(struct json_fields *fields, const char *key, bool *value);
bool json_take_object(struct json_fields *fields, const char *key, struct json_fields *inner);
bool json_take_array(struct json_fields *fields, const char *key, size_t max,
                     const struct cJSON **array, size_t *count);

/* Element i of an array as a text, an object or an array. */
bool json_element_string(struct json_fields *fields, const struct cJSON *array, const char *key,
                         size_t i, size_t max, const char **value);
bool json_element_object(struct json_fields *fields, const struct cJSON *array, const char *key,
                         size_t i, struct json_fields *inner);
bool json_element_array(struct json_fields *fields, const struct cJSON *array, const char *key,
                        size_t i, size_t max, const struct cJSON **inner, size_t *count);

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
void json_refuse(struct json_fields *fields, const char *code, const char *key, const char *detail);

/* Whether bytes are valid UTF-8 (RFC 3629) without NUL. */
bool json_is_utf8(const char *text, size_t len);

/* Whether a NUL hides in an escape, where it would cut a text short without a word. */
bool json_hides_nul(const char *text, size_t len);

/* cJSON takes more than JSON is: numbers of every fashion, control characters both as blanks and in
 * strings, and any four bytes behind \u. Where it would first, or `len`. */
size_t json_strict_len(const char *text, size_t len);

#endif
