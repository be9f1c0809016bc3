/* module.c - all that plyd gets of this game: the one symbol of reversi.so. */
#include "rules/module.h"

#include "reversi.h"

static const char rulebook[] =
#include "reversi.md.inc"
    ;

const struct rules_module plyd_game = {
    .interface = RULES_INTERFACE,
    .game = &reversi,
    .rulebook = rulebook,
    .engine = &reversi_engine,
};
