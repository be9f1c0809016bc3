/* module.c - all that plyd gets of this game (rules/module.h). */
#include "rules/module.h"

#include "rules/draughts/judge.h"

static const char rulebook[] =
#include "embed/rules/draughts/turkish-draughts.md.inc"
    ;

static const struct lang_text ja[] = {
#include "rules/draughts/lang_ja.def"
};

static const struct lang_text tr[] = {
#include "rules/draughts/lang_tr.def"
};

static const struct rules_translation translations[] = {
    {"ja", ja, sizeof(ja) / sizeof(ja[0])},
    {"tr", tr, sizeof(tr) / sizeof(tr[0])},
    {NULL, NULL, 0},
};

const struct rules_module plyd_game = {
    .interface = RULES_INTERFACE,
    .game = &rules_turkish_draughts,
    .rulebook = rulebook,
    .translations = translations,
};
