#include "api/view/rulebooks.h"

#include <string.h>

static const struct {
    const char *name, *text;
} books[] = {
    {
        "shogi",
#include "embed/rules/shogi/shogi.md.inc"
    },
    {
        "tictactoe",
#include "embed/rules/tictactoe/tictactoe.md.inc"
    },
    {
        "stackchess",
#include "embed/rules/stackchess/stackchess.md.inc"
    },
    {
        "jungle",
#include "embed/rules/jungle/jungle.md.inc"
    },
    {
        "turkish-draughts",
#include "embed/rules/draughts/turkish-draughts.md.inc"
    },
};

const char *view_rulebook(const struct rules_game *game)
{
    for (size_t i = 0; i < sizeof(books) / sizeof(books[0]); i++)
        if (strcmp(books[i].name, game->name) == 0)
            return books[i].text;
    return NULL;
}
