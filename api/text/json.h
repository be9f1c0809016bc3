/*
 * json.h - JSON on its way out, written straight into an arena.
 */
#ifndef PLYD_API_TEXT_JSON_H
#define PLYD_API_TEXT_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/text/out.h"

/* A document being written. Commas are its own affair: a member is json_key() and one value, an
 * element is one value. The depth of nesting is the caller's, up to 32. */
struct json {
    struct out out;
    bool comma;
};

void json_init(struct json *json, struct arena *arena);

/* Begins with an object that is written already, and leaves it open for more members. */
void json_reopen(struct json *json, const char *object, size_t len);

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

#endif
