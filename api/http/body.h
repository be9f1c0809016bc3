/*
 * body.h - the body of a request, as an object whose members are taken one by one (json_read.h).
 *
 * A handler calls body_read(), takes its members from json_fields(), and ends with body_done(). The
 * loop's thread alone calls these.
 */
#ifndef PLYD_API_HTTP_BODY_H
#define PLYD_API_HTTP_BODY_H

#include "api/http/request.h"
#include "api/text/json_fields.h"

/* Reads the body as its Content-Type says: JSON, a form, or a bare text, which becomes {bare_key:
 * text}. Without one it is JSON if it looks so, and else a form. With bare_key NULL, bare texts are
 * refused. No body is {}. The result goes to body_done().
 * NULL: the body cannot be read, and the request was answered. */
struct json_value *body_read(struct request *request, const char *bare_key);

/* The same for JSON of up to so many levels, in place of JSON_LEVELS. Bare texts are refused. */
struct json_value *body_read_deep(struct request *request, int levels);

/* Frees the body, and with it every text that was taken from it. False: something in it was wrong,
 * unknown or missing, and the request was answered. */
bool body_done(struct request *request, struct json_value *body, struct json_fields *fields);

/* Copies a text of the body to the arena, for use after body_done(). NULL stays NULL. */
const char *body_keep(struct json_fields *fields, const char *text);

#endif
