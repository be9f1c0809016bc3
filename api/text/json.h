/*
 * json.h - writes JSON straight into an arena.
 *
 * A document is written from its first byte to its last; there is no tree of values. A member is
 * json_key() and one value, an element is one value, and the commas between them come by
 * themselves. What is opened the caller closes. The text lies in the arena, at json->out.text, and
 * is NUL-terminated at any time. A document belongs to one thread at a time.
 */
#ifndef PLYD_API_TEXT_JSON_H
#define PLYD_API_TEXT_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "api/text/out.h"

struct json {
    struct out out;
    bool comma; /* something stands before the next value at this depth */
};

/* Begins an empty document in an arena. */
void json_init(struct json *json, struct arena *arena);

/* ---- structure ---- */

/* Opens and closes an object with '{' and '}', a list with '[' and ']'. */
void json_open(struct json *json, char bracket);
void json_close(struct json *json, char bracket);

/* Closes the outermost object and ends the line, for people at a terminal. */
void json_finish(struct json *json);

void json_key(struct json *json, const char *key);

/* ---- values ---- */

/* `text` is UTF-8; what JSON wants escaped is escaped. */
void json_string(struct json *json, const char *text);
void json_int(struct json *json, int64_t number);
void json_bool(struct json *json, bool value);
void json_null(struct json *json);

/* A time in microseconds since 1970, written as RFC 3339 in UTC with milliseconds. */
void json_time(struct json *json, int64_t us);

/* A span of microseconds, 0 or more, written as a number of seconds with three decimals at most:
 * 864000, 863999.125. What is less than a millisecond is left out. */
void json_seconds(struct json *json, int64_t us);

/* A text that is JSON already: a value, or some members of an object. It is copied as it is. */
void json_raw(struct json *json, const char *text);

/* json_key() and a value in one. */
void json_member(struct json *json, const char *key, const char *text);
void json_member_int(struct json *json, const char *key, int64_t number);
void json_member_thousandths(struct json *json, const char *key, int64_t number);
void json_member_bool(struct json *json, const char *key, bool value);
void json_member_time(struct json *json, const char *key, int64_t us);
void json_member_seconds(struct json *json, const char *key, int64_t us);

/* ---- times ---- */

/* The first and the last time that can be written: the years 1 to 9999. Times beyond them are
 * written as the first or the last second of these. */
#define JSON_TIME_MIN INT64_C(-62135596800000000)
#define JSON_TIME_MAX INT64_C(253402300799999999)

/* The text that json_time() puts between quotes, from the arena. */
const char *json_time_text(struct arena *arena, int64_t us);

#endif
