/*
 * reply.h - answers to requests.
 *
 * Each function that takes a status answers the request for good; a request is answered exactly
 * once. Texts are not copied: what these functions are given must live as long as the request, as
 * its arena and static texts do. The loop's thread alone calls them. Refusals are
 * reply_problem.h's.
 */
#ifndef PLYD_API_HTTP_REPLY_H
#define PLYD_API_HTTP_REPLY_H

#include "api/http/files.h"
#include "api/http/request.h"
#include "api/text/json.h"

/* Adds a header to the answer that is to come. */
void reply_header(struct request *request, const char *name, const char *value);

/* Whether it has one of this name. */
bool reply_has_header(const struct request *request, const char *name);

/* Says of it that it is another one for whoever asks and in each form, and that a client that keeps
 * it asks anew each time. */
void reply_private(struct request *request);

/* Whether the answer, as it is now, says that no cache may give it to anybody but whoever asked. */
bool reply_is_private(const struct request *request);

/* Says of it that it was given before, and that the request was done then. */
void reply_replayed(struct request *request);

/* Says of it that the request has used what is deprecated, since when (RFC 9745: "@" and seconds of
 * 1970) and until when it works at least (RFC 8594: a date of HTTP). docs/stability.md has the
 * promise. */
void reply_deprecated(struct request *request, const char *since, const char *until);

/* ---- answers ---- */

/* Answers with a document, with a text for people, or without a body. */
void reply_json(struct request *request, unsigned status, const struct json *json);
void reply_text(struct request *request, unsigned status, const char *text);
void reply_empty(struct request *request, unsigned status);

/* Answers 200 with a document that may be long and tells no token: it is compressed for clients
 * that take that. The caller says so in Vary. */
void reply_json_long(struct request *request, const struct json *json);

/* Answers with any body; `type` is its media type. */
void reply_body(struct request *request, unsigned status, const char *type, const char *body,
                size_t len);

/* Answers 200 with a stream (stream.h), which begins with a text and has the connection from then
 * on. If that fails, the stream ends. */
void reply_stream(struct request *request, const char *type, struct stream *stream,
                  const char *text);

/* Whether HEAD asks for the head of a stream alone. Then it was answered. */
bool reply_stream_head(struct request *request, const char *type);

/* Answers with a document that is JSON or a text, as its first byte tells. Writes are answered this
 * way, so that an answer that is told again (idempotency.h) needs no note of its type. */
void reply_made(struct request *request, unsigned status, const char *document);

/* Answers 200 with a document that does not depend on who asks, or 304 to a client that has it. Its
 * ETag is a hash of it. It is compressed for clients that take that, up to GZIP_MOST bytes. `cache`
 * is the value of Cache-Control. */
void reply_document(struct request *request, const char *cache, const char *type, const char *body,
                    size_t len);

/* The same where it is dear to make the document, which follows from another one: `source`, of
 * which the ETag is a hash. True: the client has it, and 304 was answered; else the caller makes it
 * and answers with reply_body(). */
bool reply_follows(struct request *request, const char *cache, const char *source, size_t len);

/* The same with a file of the program, which is compressed already. */
void reply_file(struct request *request, const char *cache, const char *type,
                const struct file *file);

/* ---- the ETags of games ---- */

/* The ETag of a game at a version, from the arena, which writes and refusals tell. In If-None-Match
 * it stands for that version in any form (endpoints/look.h). */
const char *reply_etag(struct arena *arena, int32_t version);

/* The ETag of what GET shows of a game at a version. Where two answers of one address differ, so do
 * their tags: by the form of the answer, and by `mark`, which says what else they depend on (NULL:
 * nothing). If-Match takes each of them for the version (guard.h). */
const char *reply_shown_etag(struct request *request, int32_t version, const char *mark);

/* Whether the client takes compressed answers. */
bool reply_takes_gzip(struct request *request);

/* ---- pages of lists ---- */

/* Sets the header that says where the list goes on; NULL: it ends here. */
void reply_next(struct request *request, const char *next);

/* Answers with a page of a list, as JSON. Its items are written between the two calls. Where the
 * page has more members, the caller closes the list itself, writes them and calls reply_list_end().
 */
void reply_list_open(struct json *json);
void reply_list_send(struct request *request, struct json *json, const char *next);
void reply_list_end(struct request *request, struct json *json, const char *next);

#endif
