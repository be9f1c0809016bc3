/*
 * reply.h - the only writers of answers. Each answers the request for good: what they are given
 * must live as long as the request (its arena does).
 */
#ifndef PLYD_API_HTTP_REPLY_H
#define PLYD_API_HTTP_REPLY_H

#include "api/http/request.h"
#include "api/text/json.h"

/* A header of the coming answer. */
void reply_header(struct request *request, const char *name, const char *value);

void reply_json(struct request *request, unsigned status, const struct json *json);
void reply_text(struct request *request, unsigned status, const char *text);

/* A document that is JSON or a text, as its first byte tells: what a write answers, be it for the
 * first time or from what was kept of it. */
void reply_made(struct request *request, unsigned status, const char *document);
void reply_empty(struct request *request, unsigned status);

/* Any body; `type` is a media type. */
void reply_body(struct request *request, unsigned status, const char *type, const char *body,
                size_t len);

/* 200 with a text that changes with the program alone, with a hash of it as its ETag; 304 for a
 * client that has it. `cache` is for Cache-Control. To hash it costs less than to send it. */
void reply_document(struct request *request, const char *cache, const char *type, const char *body,
                    size_t len);

/* ---- pages of lists ---- */

/* Tells in the header where the list goes on; NULL: it ends here. */
void reply_next(struct request *request, const char *next);

/* A page as JSON: its items are written between the two calls. */
void list_open(struct json *json);
void list_send(struct request *request, struct json *json, const char *next);

/* ---- problems (RFC 9457): JSON, or a few lines where only text/plain is welcome ---- */

/* A problem by its code (problem.def, rules/codes.def), with a sentence or NULL. */
void reply_problem(struct request *request, const char *code, const char *detail);
void reply_problem_at(struct request *request, const char *code, const char *pointer,
                      const char *detail);

/* A problem with members of its own: they are written between the two calls. */
void problem_open(struct request *request, struct json *json, const char *code, const char *detail);
void problem_point(struct request *request, struct json *json, const char *pointer);
void problem_send(struct request *request, struct json *json, const char *code);

/* The members that every problem begins with, for one that is part of another answer. */
void problem_members(struct json *json, const char *code, const char *detail);

/* What is known of a code: false if nothing is. */
struct problem_kind {
    const char *code, *title, *meaning;
    unsigned status;
};
bool problem_find(const char *code, struct problem_kind *kind);

/* The same of code i; false past the last. A code that stands in both lists comes twice. */
bool problem_at(size_t i, struct problem_kind *kind);

#endif
