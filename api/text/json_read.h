/*
 * json_read.h - reads JSON (with cJSON), and refuses what is not strict.
 *
 * A body is read as one object, whose members are then taken by name (json_fields.h).
 *
 * A value lives until json_free(), and so does every text that was taken from it. Errors lie in the
 * arena or are static. A value belongs to one thread at a time.
 */
#ifndef PLYD_API_TEXT_JSON_READ_H
#define PLYD_API_TEXT_JSON_READ_H

#include <stddef.h>

#include "api/text/arena.h"
#include "api/text/problem.h"

/* A value that was read: a cJSON under another name, which only json_read.c and json_fields.c know.
 */
struct json_value;

/* What is wrong with an input: a problem, a JSON pointer to the place ("/seats/0/name", "" for the
 * whole), and a sentence. */
struct json_error {
    enum problem code;
    const char *pointer;
    const char *detail;
};

enum {
    JSON_LEVELS = 16,                   /* of a request; those of a plan are more (plans.h) */
    JSON_VALUES_MAX = 8 << 10,          /* values of a request, lists and objects included */
    JSON_MEMBERS_MAX = 64,              /* members of an object */
    JSON_RECORD_LEVELS = 640,           /* of a record of a game, with variations in variations */
    JSON_RECORD_VALUES_MAX = 128 << 10, /* values of it */
    JSON_RECORD_MEMBERS_MAX = 1024      /* members of an object there, such as all its headers */
};

/* Reads a text as one JSON object. It has to be strict UTF-8 without NUL, with nothing behind the
 * object, no member twice, at most JSON_LEVELS levels, at most JSON_MEMBERS_MAX members in an
 * object, and at most JSON_VALUES_MAX values. NULL: it is not, and *error says why. A text with too
 * many levels or values is refused after a look at its bytes. */
struct json_value *json_read(struct arena *arena, const char *text, size_t len,
                             struct json_error *error);

/* The same within the bounds of a record of a game, or with another bound on levels. */
struct json_value *json_read_long(struct arena *arena, const char *text, size_t len,
                                  struct json_error *error);
struct json_value *json_read_deep(struct arena *arena, const char *text, size_t len, int levels,
                                  struct json_error *error);

/* Reads application/x-www-form-urlencoded: `a=1&options.size=8` becomes {"a": "1", "options":
 * {"size": "8"}}. Numbers and truth values stay texts, which json_take_*() take as such. NULL
 * and *error if the form is broken, has a field twice or more than 64 fields. */
struct json_value *json_read_form(struct arena *arena, const char *text, size_t len,
                                  struct json_error *error);

/* Makes the object {key: text} of a bare text. NULL and *error if that is not UTF-8 without NUL. */
struct json_value *json_read_bare(struct arena *arena, const char *key, const char *text,
                                  size_t len, struct json_error *error);

/* Makes the object {}. */
struct json_value *json_read_nothing(void);

/* Frees a value that one of the six above returned. NULL is fine. */
void json_free(struct json_value *value);

/* The pointer to a member of what `pointer` points to. In a pointer "~" and "/" of a name are
 * written "~0" and "~1" (RFC 6901). */
const char *json_pointer(struct arena *arena, const char *pointer, const char *key);

#endif
