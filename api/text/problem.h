/*
 * problem.h - the problems: everything that a request can be refused for.
 *
 * The list is problem.def, followed by the refusals of the rules (rules/codes.def). Each problem
 * has a code, by which clients decide, so a code that was released never changes. Constant data;
 * any thread may read it.
 */
#ifndef PLYD_API_TEXT_PROBLEM_H
#define PLYD_API_TEXT_PROBLEM_H

#include "rules/rules.h"

enum problem {
    PROBLEM_NONE,
#define PROBLEM(id, code, status, title, meaning) PROBLEM_##id,
#include "api/text/problem.def"
#undef PROBLEM
#define RULES_CODE(id, text, title, detail, meaning) PROBLEM_RULE_##id,
#include "rules/codes.def"
#undef RULES_CODE
    PROBLEMS
};

struct problem_kind {
    const char *code, *title, *meaning;
    unsigned status; /* of HTTP */
};

/* What is known of a problem. */
const struct problem_kind *problem_kind(enum problem problem);

/* The problem that stands for a refusal of the rules. */
enum problem problem_of(enum rules_code code);

/* The first problem with this code; PROBLEM_NONE if there is none. */
enum problem problem_find(const char *code);

#endif
