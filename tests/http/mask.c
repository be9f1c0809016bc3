#include "mask.h"

#include <criterion/criterion.h>
#include <regex.h>
#include <string.h>

static void mask(char *text, const char *pattern, char with)
{
    regex_t regex;
    regmatch_t match;

    cr_assert_eq(regcomp(&regex, pattern, REG_EXTENDED), 0);
    while (regexec(&regex, text, 1, &match, 0) == 0) {
        text[match.rm_so] = with;
        memmove(text + match.rm_so + 1, text + match.rm_eo, strlen(text + match.rm_eo) + 1);
    }
    regfree(&regex);
}

void mask_text(char *text)
{
    static const char *const patterns[] = {
        "\"cursor\":\"[0-9a-z]+\"",
        "plyd_(seat|player|invitation|ticket)_[0-9a-z]+",
        "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z",
        "[0-9a-hjkmnp-tv-z]{26}",
        "\"request_id\":\"[0-9a-f]{16}\"",
        "\"spent_us\":[0-9]+",
        "whsec_[A-Za-z0-9+/]{32}",
        "\"key\":\"[A-Za-z0-9_-]{87}\"",
        "[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}\"",
        "\"#[0-9a-f]{6}\"",
    };

    for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++)
        mask(text, patterns[i], (char)(i + 1));
}
