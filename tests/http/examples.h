/*
 * examples.h - the examples of openapi.yaml: one real answer of each operation that answers JSON.
 *
 * Each answer of a test is compared with its example. With EXAMPLES=write in the environment the
 * examples are written anew, as the last part of the file: read the difference then.
 */
#ifndef PLYD_TESTS_HTTP_EXAMPLES_H
#define PLYD_TESTS_HTTP_EXAMPLES_H

#include "house.h"

/* Fails the test if the operation's example in the contract is not what it answers now. */
void example_check(const struct house *house, const char *operation, const struct answer *answer);

/* Ends the comparison, after the last answer. */
void examples_end(void);

#endif
