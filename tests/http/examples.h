/*
 * examples.h - the examples of openapi.yaml: real answers, one of each operation that answers JSON.
 *
 * Each answer is held against its example. With EXAMPLES=write in the environment the examples are
 * written anew, into the file's last part: read the difference then.
 */
#ifndef PLYD_TESTS_HTTP_EXAMPLES_H
#define PLYD_TESTS_HTTP_EXAMPLES_H

#include "house.h"

/* Fails the test where an operation's example is not what it answers. */
void example_check(const struct house *house, const char *operation, const struct answer *answer);

/* After the last one. */
void examples_end(void);

#endif
