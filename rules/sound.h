/*
 * sound.h - whether a module is one: what can be seen of its tables without playing a move.
 *
 * It is asked before anything else reads the module, so that whoever shows a game may trust its
 * tables. What the functions of a game promise is tried by `plyd check-game`.
 */
#ifndef PLYD_RULES_SOUND_H
#define PLYD_RULES_SOUND_H

#include "rules/module.h"
#include "rules/text.h"

/* False: `fault` gets what is wrong, as rules_add() says it. */
bool rules_is_sound(const struct rules_module *module, struct text *fault);

/* The part of it that looks at the words in other languages, of a module that is sound otherwise.
 */
bool rules_has_sound_words(const struct rules_module *module, struct text *fault);

#endif
