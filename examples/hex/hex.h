/* hex.h - what the files of this game do for each other. */
#ifndef HEX_H
#define HEX_H

#include "rules/draw/art.h"
#include "rules/rules.h"

extern const struct rules_game hex;    /* hex.c: the rules */
extern const struct rules_art hex_art; /* art.c: the pictures */

#endif
