/*
 * body.h - the body of a request as an object whose members are taken one by one (json_read.h).
 */
#ifndef PLYD_API_HTTP_BODY_H
#define PLYD_API_HTTP_BODY_H

#include "api/http/request.h"
#include "api/text/json_read.h"

/* The body from JSON, a form or a bare text, which becomes {bare_key: text} (NULL: bare texts are
 * refused). An empty body is {}. NULL: it cannot be read, and the request was answered. */
struct json_value *body_read(struct request *request, const char *bare_key);

/* Ends the reading of a body: frees it. False: something in it was wrong, and was answered. */
bool body_done(struct request *request, struct json_value *body, struct json_fields *fields);

/* A text of a body that is needed after body_done(). NULL stays NULL. */
const char *body_keep(struct json_fields *fields, const char *text);

#endif
