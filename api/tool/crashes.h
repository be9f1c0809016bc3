/*
 * crashes.h - what the program says when a game that came from a file crashes it.
 *
 * The process ends as it would have, with a core where cores are kept, but its last words on
 * standard error name the game and the function: a bare signal would leave it to guesses whether
 * plyd or a module is to blame. Where the crash is plyd's own, they name the game whose table the
 * stack has an address of: it may have told something that is not so.
 */
#ifndef PLYD_API_TOOL_CRASHES_H
#define PLYD_API_TOOL_CRASHES_H

#include "rules/module.h"

/* Has it say so of this module, which stays loaded. To be called while there is one thread. A
 * handler of somebody else's (a sanitizer's) stays. */
void crashes_tell_of(const struct rules_module *module);

#endif
