/* pdn_tags.c - the tags of PDN, [Name "value"]. */
#include "api/record/pdn.h"

#include <stddef.h>
#include <string.h>

#include "rules/rules.h"

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
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

const char *record_pdn_usual_start(const struct rules_game *game)
{
    return game->position.examples[0];
}
