/*
 * reply_problem.h - answers that refuse: problems.
 *
 * Problems (RFC 9457) as JSON, or a few lines of text for a client that takes only text/plain.
 *
 * As in reply.h, each answers the request for good, nothing is copied, and the loop's thread alone
 * calls these functions.
 */
#ifndef PLYD_API_HTTP_REPLY_PROBLEM_H
#define PLYD_API_HTTP_REPLY_PROBLEM_H

#include "api/http/request.h"
#include "api/text/json.h"
#include "api/text/problem.h"

struct lang;

/* Answers with a problem. `detail` is a sentence about this request; NULL: its meaning. */
void reply_problem(struct request *request, enum problem problem, const char *detail);

/* The same, with the place of the mistake: "/seats/0/name", "?limit", "If-Match". NULL and "" name
 * none. */
void reply_problem_at(struct request *request, enum problem problem, const char *pointer,
                      const char *detail);

/* ---- problems with members of their own ---- */

/* The answer is begun by one call and sent by the other. In between, members are written, and
 * reply_problem_point() writes the place of the mistake. */
void reply_problem_open(struct request *request, struct json *json, enum problem problem,
                        const char *detail);
void reply_problem_point(struct request *request, struct json *json, const char *pointer);
void reply_problem_send(struct request *request, struct json *json, enum problem problem);

/* Writes the members that every problem has, for one that is part of another answer. */
void reply_problem_members(struct json *json, enum problem problem, const char *detail,
                           const struct lang *lang);

#endif
