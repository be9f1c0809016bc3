/* outcome.h - what a test leaves to the process that runs it. */
#ifndef PLYD_TESTS_CRITERION_OUTCOME_H
#define PLYD_TESTS_CRITERION_OUTCOME_H

#include <criterion/types.h>
#include <stddef.h>

enum { OUTCOME_TEXT_MAX = 16384 };

/* In memory that both share. */
struct outcome {
    bool complete; /* it came to its end, or to that of a failed check */
    bool failed;
    bool skipped;
    size_t len;
    char text[OUTCOME_TEXT_MAX]; /* failures, in the lines of TAP; or why it was left out */
};

/* Runs a test, whose `init` and `fini` are those of its suite first and of its own. */
void outcome_of(const struct criterion_test *test, const struct criterion_test_extra_data *of_suite,
                void *param, struct outcome *outcome);

#endif
