/*
 * problem.h - everything that a request can be refused for. A code is stable: clients decide by it.
 *
 * The list is problem.def, followed by what the rules refuse (rules/codes.def).
 */
#ifndef PLYD_API_TEXT_PROBLEM_H
#define PLYD_API_TEXT_PROBLEM_H

#include <stdbool.h>

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

/* A refusal of the rules as a problem. */
enum problem problem_of(enum rules_code code);

struct problem_kind {
    const char *code, *title, *meaning;
    unsigned status;
};

/* What is known of a problem; static. */
const struct problem_kind *problem_kind(enum problem problem);

/* The first problem with this code; PROBLEM_NONE: no problem has it. */
enum problem problem_find(const char *code);

#endif
