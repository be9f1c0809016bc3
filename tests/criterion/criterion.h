/*
 * criterion.h - tests in C, each in a process of its own: what ours use of the interface of
 * Criterion.
 *
 * Criterion itself executes the program anew for every test. That loads 45 libraries and reads all
 * certificates of the machine, which costs more than most tests. Here each test is a fork, which
 * finds everything loaded. What happens before the first test (tests_begin) is there for all.
 *
 *     program [--filter SUITE/TEST] [--jobs N] [--timeout SECONDS] [--fail-fast] [--tap=FILE]
 * [--list]
 *
 * A filter is a pattern of the shell, with @(this|that). Who fails is told on standard error, in
 * FILE as TAP, and by the exit code. With CRITERION_VERBOSITY_LEVEL=1 all are told.
 */
#ifndef PLYD_TESTS_CRITERION_H
#define PLYD_TESTS_CRITERION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* ---- tests ---- */

struct criterion_options {
    void (*init)(void); /* that of the suite goes first */
    void (*fini)(void); /* that of the suite goes last, even if the test fails */
    double timeout;     /* in seconds; that of the test counts before that of the suite. 0: none.
                           Then SIGPROF ends the test, or SIGKILL a while later */
    int signal;         /* by which the test has to end */
};

/* The values that a test with a parameter is run with, once each. */
struct criterion_test_params {
    size_t size;
    void *values;
    size_t length;
};

#define cr_make_param_array(type, array, count) \
    ((struct criterion_test_params){sizeof(type), (void *)(array), (count)})

struct criterion_test {
    const char *suite, *name;
    const char *file;
    int line;
    void (*run)(void *param);
    struct criterion_test_params (*params)(void); /* NULL: there is no parameter */
    struct criterion_options options;
};

struct criterion_suite {
    const char *name;
    struct criterion_options options;
};

#define TestSuite(suite, ...)                                                    \
    static const struct criterion_suite suite##_suite = {#suite, {__VA_ARGS__}}; \
    static const struct criterion_suite *const suite##_suite_listed              \
        __attribute__((section("criterion_suites"), used)) = &suite##_suite

#define CRITERION_LIST(suite, name, params, ...)                                         \
    static const struct criterion_test suite##_##name##_entry = {                        \
        #suite, #name, __FILE__, __LINE__, suite##_##name##_run, params, {__VA_ARGS__}}; \
    static const struct criterion_test *const suite##_##name##_listed                    \
        __attribute__((section("criterion_tests"), used)) = &suite##_##name##_entry

#define Test(suite, name, ...)                             \
    static void suite##_##name##_test(void);               \
    static void suite##_##name##_run(void *criterion_none) \
    {                                                      \
        (void)criterion_none;                              \
        suite##_##name##_test();                           \
    }                                                      \
    CRITERION_LIST(suite, name, NULL, __VA_ARGS__);        \
    static void suite##_##name##_test(void)

#define ParameterizedTestParameters(suite, name) \
    static struct criterion_test_params suite##_##name##_params(void)

#define ParameterizedTest(param, suite, name, ...)                     \
    static void suite##_##name##_test(param);                          \
    static void suite##_##name##_run(void *criterion_value)            \
    {                                                                  \
        suite##_##name##_test(criterion_value);                        \
    }                                                                  \
    CRITERION_LIST(suite, name, suite##_##name##_params, __VA_ARGS__); \
    static void suite##_##name##_test(param)

/* The test that this process runs. */
extern const struct criterion_test *criterion_current_test;

/* What a program may define: called before its first test and after its last, in the process that
 * the tests are forks of. */
void tests_begin(void);
void tests_end(void);

/* By this the time of every test is multiplied, if tests_begin() sets it. */
extern double tests_patience;

/* ---- what a test says ---- */

/* The last check that was made: below it a test crashed. */
void criterion_at(const char *file, int line);

/* Notes a failure. `format` and what follows is what the test adds. */
void criterion_note(const char *file, int line, const char *what, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The same, and ends the test. */
_Noreturn void criterion_fail(const char *file, int line, const char *what, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Ends the test as one that was left out. */
_Noreturn void criterion_skip(const char *format, ...) __attribute__((format(printf, 1, 2)));

#define CRITERION_CHECK(tell, condition, what, ...)          \
    do {                                                     \
        criterion_at(__FILE__, __LINE__);                    \
        if (!(condition))                                    \
            tell(__FILE__, __LINE__, what, " " __VA_ARGS__); \
    } while (0)
#define CRITERION_EXPRESSION(tell, condition, ...) \
    CRITERION_CHECK(tell, condition, "The expression " #condition " is false.", __VA_ARGS__)

#define cr_assert_fail(...) criterion_fail(__FILE__, __LINE__, "The test says so.", " " __VA_ARGS__)
#define cr_skip_test(...)   criterion_skip(" " __VA_ARGS__)
#define cr_skip(...)        criterion_skip(" " __VA_ARGS__)

#define CRITERION_IS(tell, a, op, b, ...) CRITERION_EXPRESSION(tell, (a)op(b), __VA_ARGS__)
#define CRITERION_TEXT(tell, a, op, b, ...)                                                      \
    CRITERION_CHECK(tell, strcmp((a), (b)) op 0, "The texts are not so: " #a " " #op " " #b ".", \
                    __VA_ARGS__)
#define CRITERION_BYTES(tell, a, op, b, size, ...)       \
    CRITERION_CHECK(tell, memcmp((a), (b), (size)) op 0, \
                    "The bytes are not so: " #a " " #op " " #b ".", __VA_ARGS__)
#define CRITERION_NEAR(tell, a, b, distance, ...) \
    CRITERION_EXPRESSION(tell, (a) - (b) <= (distance) && (b) - (a) <= (distance), __VA_ARGS__)

#define cr_assert(c, ...)            CRITERION_EXPRESSION(criterion_fail, (c), __VA_ARGS__)
#define cr_assert_not(c, ...)        CRITERION_EXPRESSION(criterion_fail, !(c), __VA_ARGS__)
#define cr_assert_null(p, ...)       CRITERION_IS(criterion_fail, p, ==, NULL, __VA_ARGS__)
#define cr_assert_not_null(p, ...)   CRITERION_IS(criterion_fail, p, !=, NULL, __VA_ARGS__)
#define cr_assert_eq(a, b, ...)      CRITERION_IS(criterion_fail, a, ==, b, __VA_ARGS__)
#define cr_assert_neq(a, b, ...)     CRITERION_IS(criterion_fail, a, !=, b, __VA_ARGS__)
#define cr_assert_lt(a, b, ...)      CRITERION_IS(criterion_fail, a, <, b, __VA_ARGS__)
#define cr_assert_gt(a, b, ...)      CRITERION_IS(criterion_fail, a, >, b, __VA_ARGS__)
#define cr_assert_leq(a, b, ...)     CRITERION_IS(criterion_fail, a, <=, b, __VA_ARGS__)
#define cr_assert_geq(a, b, ...)     CRITERION_IS(criterion_fail, a, >=, b, __VA_ARGS__)
#define cr_assert_str_eq(a, b, ...)  CRITERION_TEXT(criterion_fail, a, ==, b, __VA_ARGS__)
#define cr_assert_str_neq(a, b, ...) CRITERION_TEXT(criterion_fail, a, !=, b, __VA_ARGS__)
#define cr_assert_str_gt(a, b, ...)  CRITERION_TEXT(criterion_fail, a, >, b, __VA_ARGS__)
#define cr_assert_str_empty(a, ...)  CRITERION_TEXT(criterion_fail, a, ==, "", __VA_ARGS__)
#define cr_assert_arr_eq(a, b, size, ...) \
    CRITERION_BYTES(criterion_fail, a, ==, b, size, __VA_ARGS__)
#define cr_assert_arr_neq(a, b, size, ...) \
    CRITERION_BYTES(criterion_fail, a, !=, b, size, __VA_ARGS__)
#define cr_assert_float_eq(a, b, d, ...) CRITERION_NEAR(criterion_fail, a, b, d, __VA_ARGS__)

#define cr_expect(c, ...)                CRITERION_EXPRESSION(criterion_note, (c), __VA_ARGS__)
#define cr_expect_not(c, ...)            CRITERION_EXPRESSION(criterion_note, !(c), __VA_ARGS__)
#define cr_expect_null(p, ...)           CRITERION_IS(criterion_note, p, ==, NULL, __VA_ARGS__)
#define cr_expect_not_null(p, ...)       CRITERION_IS(criterion_note, p, !=, NULL, __VA_ARGS__)
#define cr_expect_eq(a, b, ...)          CRITERION_IS(criterion_note, a, ==, b, __VA_ARGS__)
#define cr_expect_neq(a, b, ...)         CRITERION_IS(criterion_note, a, !=, b, __VA_ARGS__)
#define cr_expect_lt(a, b, ...)          CRITERION_IS(criterion_note, a, <, b, __VA_ARGS__)
#define cr_expect_gt(a, b, ...)          CRITERION_IS(criterion_note, a, >, b, __VA_ARGS__)
#define cr_expect_leq(a, b, ...)         CRITERION_IS(criterion_note, a, <=, b, __VA_ARGS__)
#define cr_expect_geq(a, b, ...)         CRITERION_IS(criterion_note, a, >=, b, __VA_ARGS__)
#define cr_expect_str_eq(a, b, ...)      CRITERION_TEXT(criterion_note, a, ==, b, __VA_ARGS__)
#define cr_expect_float_eq(a, b, d, ...) CRITERION_NEAR(criterion_note, a, b, d, __VA_ARGS__)

/* ---- what a test prints ---- */

/* From now on the stream goes where the test can read it. */
void cr_redirect_stdout(void);
void cr_redirect_stderr(void);
FILE *cr_get_redirected_stdout(void);
FILE *cr_get_redirected_stderr(void);

/* Whether that is all that is left to read there, which is read by this. */
bool criterion_printed(FILE *printed, const char *expected);

#define cr_assert_stdout_eq_str(text) cr_assert(criterion_printed(cr_get_redirected_stdout(), text))
#define cr_assert_stderr_eq_str(text) cr_assert(criterion_printed(cr_get_redirected_stderr(), text))
#define cr_assert_stdout_neq_str(text) \
    cr_assert_not(criterion_printed(cr_get_redirected_stdout(), text))

#endif
