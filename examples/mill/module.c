/* module.c - all that plyd gets of this game: the one symbol of mill.so. */
#include "rules/module.h"

#include "mill.h"

static const char rulebook[] =
#include "mill.md.inc"
    ;

const struct rules_module plyd_game = {
    .interface = RULES_INTERFACE,
    .game = &mill,
    .rulebook = rulebook,
};
