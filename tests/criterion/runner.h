/*
 * runner.h - runs tests of Criterion, each in a fork of its suite's program.
 *
 * Tests are written with Criterion: its header, its lists of tests and suites, its checks. Its own
 * runner executes the program anew for every test. That loads 45 libraries and reads all
 * certificates of the machine, which costs more than most tests. A fork finds everything loaded,
 * and what happened before the first test (tests_begin()) is there for all.
 *
 *     program [--filter SUITE/TEST] [--jobs N] [--timeout SECONDS] [--fail-fast] [--tap=FILE]
 *             [--list]
 *
 * A filter is a pattern of the shell, with @(this|that). Who fails is told on standard error, in
 * FILE as TAP, and by the exit code. With CRITERION_VERBOSITY_LEVEL=1 all are told.
 */
#ifndef PLYD_TESTS_CRITERION_RUNNER_H
#define PLYD_TESTS_CRITERION_RUNNER_H

#include <criterion/types.h>

/* The test that this process runs, or NULL. */
extern const struct criterion_test *running_test;

/* What a program may define: called before its first test and after its last, in the process that
 * the tests are forks of. */
void tests_begin(void);
void tests_end(void);

/* By this the time of every test is multiplied, if tests_begin() sets it. */
extern double tests_patience;

#endif
