/* module.c - all that plyd gets of this game (rules/module.h). */
#include "rules/module.h"

#include "rules/shogi/board.h"

static const char rulebook[] =
#include "embed/rules/shogi/shogi.md.inc"
    ;

static const struct lang_text ja[] = {
#include "rules/shogi/lang_ja.def"
};

static const struct lang_text tr[] = {
#include "rules/shogi/lang_tr.def"
};

static const struct rules_translation translations[] = {
    {"ja", ja, sizeof(ja) / sizeof(ja[0])},
    {"tr", tr, sizeof(tr) / sizeof(tr[0])},
    {NULL, NULL, 0},
};

const struct rules_module plyd_game = {
    .interface = RULES_INTERFACE,
    .game = &rules_shogi,
    .rulebook = rulebook,
    .translations = translations,
};
