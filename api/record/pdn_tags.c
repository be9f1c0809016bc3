/* pdn_tags.c - the tags of PDN, [Name "value"]. */
#include "api/record/pdn.h"

#include <stddef.h>
#include <string.h>

#include "rules/rules.h"

const struct record_word record_pdn_results[] = {
    {"1-0", RECORD_RESIGNED, RULES_REASON_NONE, FIRST_WINS},
    {"0-1", RECORD_RESIGNED, RULES_REASON_NONE, SECOND_WINS},
    {"1/2-1/2", RECORD_AGREED, RULES_REASON_NONE, NOBODY_WINS},
    {"*", RECORD_OPEN, RULES_REASON_NONE, NOBODY_WINS},
    {"2-0", RECORD_RESIGNED, RULES_REASON_NONE, FIRST_WINS},
    {"0-2", RECORD_RESIGNED, RULES_REASON_NONE, SECOND_WINS},
    {"1-1", RECORD_AGREED, RULES_REASON_NONE, NOBODY_WINS},
    {"0-0", RECORD_OPEN, RULES_REASON_NONE, NOBODY_WINS},
    {"", RECORD_OPEN, RULES_REASON_NONE, NOBODY_WINS},
};

bool record_pdn_is_own_tag(const char *name)
{
    static const char *const own[] = {"White",   "Black", "Result", "GameType",    "SetUp",  "FEN",
                                      "EndDate", "Plyd",  "Date",   "Termination", "UTCTime"};

    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
        if (strcmp(own[i], name) == 0)
            return true;
    return false;
}

bool record_pdn_is_tag_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
}

const char *record_pdn_usual_start(const struct rules_game *game)
{
    return game->position.examples[0];
}
