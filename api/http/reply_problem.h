/*
 * reply_problem.h - refusals: problems (RFC 9457) as JSON, or a few lines for a client that takes
 * only text/plain.
 */
#ifndef PLYD_API_HTTP_REPLY_PROBLEM_H
#define PLYD_API_HTTP_REPLY_PROBLEM_H

#include "api/http/request.h"
#include "api/text/json.h"
#include "api/text/problem.h"

struct db_reply;

/* Answers with a problem. `detail` is a sentence about this request; NULL: what the problem means
 * in general. `pointer` says where the mistake is: "/seats/0/name", "?limit", "If-Match". */
void reply_problem(struct request *request, enum problem problem, const char *detail);
void reply_problem_at(struct request *request, enum problem problem, const char *pointer,
                      const char *detail);

/* A problem with members of its own: they are written between open and send. */
void reply_problem_open(struct request *request, struct json *json, enum problem problem,
                        const char *detail);
void reply_problem_point(struct request *request, struct json *json, const char *pointer);
void reply_problem_send(struct request *request, struct json *json, enum problem problem);

/* The members that every problem begins with, for one that is part of another answer. */
void reply_problem_members(struct json *json, enum problem problem, const char *detail);

/* Answers a request whose database call had no good outcome: 503, or 500 for a refusal. */
void reply_problem_outcome(struct request *request, const struct db_reply *reply);

#endif
