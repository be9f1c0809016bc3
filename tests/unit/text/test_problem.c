/* test_problem.c - problems: one code, one kind; and the refusals of the rules as problems. */
#include <criterion/criterion.h>
#include <string.h>

#include "api/loop/metrics.h"
#include "api/text/problem.h"

TestSuite(problem);

Test(problem, every_code_is_found_and_is_one_kind)
{
    for (enum problem problem = PROBLEM_NONE + 1; problem < PROBLEMS; problem++) {
        const struct problem_kind *kind = problem_kind(problem);
        enum problem found = problem_find(kind->code);

        if (problem == PROBLEM_RULE_OK)
            continue;
        cr_assert_neq(found, PROBLEM_NONE, "%s", kind->code);
        cr_assert_str_eq(problem_kind(found)->code, kind->code);
        /* An option that a game does not have is an unknown field: they share the code. */
        if (problem == PROBLEM_RULE_UNKNOWN_OPTION)
            cr_assert_eq(found, PROBLEM_UNKNOWN_FIELD);
        else
            cr_assert_eq(found, problem, "%s is two kinds", kind->code);
    }
}

Test(problem, what_is_no_code_is_not_found)
{
    static const char *const none[] = {"", "ok", "OVERLOADED", "no_such_game", "internal ", "x"};

    for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
        cr_assert_eq(problem_find(none[i]), PROBLEM_NONE, "%s", none[i]);
}

Test(problem, each_has_a_title_a_meaning_and_a_status_that_is_an_error)
{
    for (enum problem problem = PROBLEM_NONE + 1; problem < PROBLEMS; problem++) {
        const struct problem_kind *kind = problem_kind(problem);

        cr_assert_eq(kind->code[strspn(kind->code, "abcdefghijklmnopqrstuvwxyz-")], '\0', "%s",
                     kind->code);
        cr_assert_neq(*kind->title, '\0', "%s", kind->code);
        cr_assert_eq(kind->meaning[strlen(kind->meaning) - 1], '.', "%s", kind->code);
        cr_assert(kind->status >= 400 && kind->status < 600, "%s", kind->code);
    }
}

static bool is_counted(unsigned status)
{
    for (size_t i = 1; metrics_status(i) != NULL; i++)
        if (*metrics_status(i) == status)
            return true;
    return false;
}

Test(problem, each_status_is_one_that_metrics_count)
{
    for (enum problem problem = PROBLEM_NONE + 1; problem < PROBLEMS; problem++)
        cr_assert(is_counted(problem_kind(problem)->status), "%u", problem_kind(problem)->status);
}

Test(problem, a_refusal_of_the_rules_keeps_its_code_and_is_422_or_after_the_end_409)
{
    for (enum rules_code code = RULES_OK + 1; code < RULES_CODES; code++) {
        const struct problem_kind *kind = problem_kind(problem_of(code));

        cr_assert_str_eq(kind->code, rules_code_text(code));
        cr_assert_eq(kind->status, code == RULES_GAME_OVER ? 409U : 422U, "%s", kind->code);
        if (code != RULES_UNKNOWN_OPTION)
            cr_assert_str_eq(kind->title, rules_code_title(code));
    }
    cr_assert_eq(problem_of(RULES_UNKNOWN_OPTION), PROBLEM_UNKNOWN_FIELD);
    cr_assert_eq(problem_of(RULES_BAD_MOVE_TEXT), PROBLEM_RULE_BAD_MOVE_TEXT);
}
