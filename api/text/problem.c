#include "api/text/problem.h"

#include <string.h>

/* The status of the rules' refusals. A move after the end conflicts with the state of the game; any
 * other move that is refused would be wrong in that position at any time. */
#define STATUS_OF(id) (RULES_##id == RULES_GAME_OVER ? 409 : 422)

static const struct problem_kind kinds[PROBLEMS] = {
    {"", "", "", 500},
#define PROBLEM(id, code, status, title, meaning) {code, title, meaning, status},
#include "api/text/problem.def"
#undef PROBLEM
#define RULES_CODE(id, text, title, detail, meaning) {text, title, meaning, STATUS_OF(id)},
#include "rules/codes.def"
#undef RULES_CODE
};

enum problem problem_of(enum rules_code code)
{
    /* An unknown option is an unknown field to a client: the two share one code and one meaning. */
    if (code == RULES_UNKNOWN_OPTION)
        return PROBLEM_UNKNOWN_FIELD;
    /* The refusals of the rules stand in both enums in the order of codes.def. */
    return PROBLEM_RULE_OK + (enum problem)code - (enum problem)RULES_OK;
}

const struct problem_kind *problem_kind(enum problem problem)
{
    return &kinds[problem];
}

enum problem problem_find(const char *code)
{
    for (enum problem problem = PROBLEM_NONE + 1; problem < PROBLEMS; problem++)
        if (problem != PROBLEM_RULE_OK && strcmp(kinds[problem].code, code) == 0)
            return problem;
    return PROBLEM_NONE;
}
