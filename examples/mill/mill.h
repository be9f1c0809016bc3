/* mill.h - what the files of this game do for each other. */
#ifndef MILL_H
#define MILL_H

#include "rules/draw/art.h"
#include "rules/rules.h"

extern const struct rules_game mill;    /* mill.c: the rules */
extern const struct rules_art mill_art; /* art.c: the pictures */

#endif
