/*
 * reply.h - the writers of answers. Each answers the request for good. What they are given must
 * live as long as the request, as its arena does.
 */
#ifndef PLYD_API_HTTP_REPLY_H
#define PLYD_API_HTTP_REPLY_H

#include "api/http/request.h"
#include "api/text/json.h"

/* A header of the coming answer. */
void reply_header(struct request *request, const char *name, const char *value);

/* The ETag of a game at a version. */
const char *reply_etag(struct arena *arena, int32_t version);

void reply_json(struct request *request, unsigned status, const struct json *json);
void reply_text(struct request *request, unsigned status, const char *text);
void reply_empty(struct request *request, unsigned status);

/* Any body; `type` is a media type. */
void reply_body(struct request *request, unsigned status, const char *type, const char *body,
                size_t len);

/* A document that is JSON or a text, as its first byte tells. Writes are answered with one, both
 * the first time and when the answer is told again. */
void reply_made(struct request *request, unsigned status, const char *document);

/* 200 with a text that changes with the program alone. Its ETag is a hash of it, and a client that
 * has it gets 304. `cache` is for Cache-Control. Hashing costs less than sending. */
void reply_document(struct request *request, const char *cache, const char *type, const char *body,
                    size_t len);

/* ---- pages of lists ---- */

/* Tells in the header where the list goes on; NULL: it ends here. */
void reply_next(struct request *request, const char *next);

/* A page as JSON: its items are written between the two calls. */
void reply_list_open(struct json *json);
void reply_list_send(struct request *request, struct json *json, const char *next);

#endif
