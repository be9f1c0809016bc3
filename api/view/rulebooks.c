/* rulebooks.c - the rules of the games as documents (catalogue.h), carried by the program. */
#include <string.h>

#include "api/view/catalogue.h"

static const struct {
    const char *name, *text;
} books[] = {
    {
        "shogi",
#include "embed/rules/shogi.md.inc"
    },
    {
        "tictactoe",
#include "embed/rules/tictactoe.md.inc"
    },
    {
        "stackchess",
#include "embed/rules/stackchess.md.inc"
    },
    {
        "jungle",
#include "embed/rules/jungle.md.inc"
    },
    {
        "turkish-draughts",
#include "embed/rules/turkish-draughts.md.inc"
    },
};

const char *rulebook(const struct rules_game *game)
{
    for (size_t i = 0; i < sizeof(books) / sizeof(books[0]); i++)
        if (strcmp(books[i].name, game->name) == 0)
            return books[i].text;
    return NULL;
}
