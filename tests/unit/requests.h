/*
 * requests.h - requests for tests: they come from nowhere, with the headers that a test gives them,
 * and keep what they are answered.
 */
#ifndef PLYD_TESTS_UNIT_REQUESTS_H
#define PLYD_TESTS_UNIT_REQUESTS_H

#include "api/http/request.h"
#include "api/text/problem.h"

struct loop;

/* A request for "/" without headers or a body. It lives until requests_free(), the .fini of a suite
 * that makes requests. `loop` may be NULL where nothing of the loop is looked at. */
struct request *requests_new(struct loop *loop);
void requests_free(void);

/* Its address, which must be well-formed; another header; its body; the other end's address. */
void requests_url(struct request *request, const char *url);
void requests_header(struct request *request, const char *name, const char *value);
void requests_body(struct request *request, const char *type, const char *body);
void requests_peer(struct request *request, const char *address);

/* How often it was answered, and a header of the answer (NULL: it has none of that name). */
unsigned requests_answers(const struct request *request);
const char *requests_answer_header(const struct request *request, const char *name);

/* Makes it a request that was not answered yet. */
void requests_again(struct request *request);

/* That it was answered once, with this problem as JSON; `pointer` NULL: at no place. */
void requests_assert_problem(const struct request *request, enum problem problem,
                             const char *pointer);

#endif
