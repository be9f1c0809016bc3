/* module.c - all that plyd gets of this game: the one symbol of hex.so. */
#include "rules/module.h"

#include "hex.h"

static const char rulebook[] =
#include "hex.md.inc"
    ;

static const struct lang_text tr[] = {
#include "lang_tr.def"
};

static const struct rules_translation translations[] = {
    {"tr", tr, sizeof(tr) / sizeof(tr[0])},
    {NULL, NULL, 0},
};

const struct rules_module plyd_game = {
    .interface = RULES_INTERFACE,
    .game = &hex,
    .rulebook = rulebook,
    .translations = translations,
};
