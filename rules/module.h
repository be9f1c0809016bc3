/*
 * module.h - a game as plyd gets it: its table with all that goes along, and the list of those that
 * are there.
 *
 * A module is one constant, `plyd_game`, in a file module.c. A game of games.def is linked in, and
 * that constant has the game's name there. Any other game is a shared object, from which plyd takes
 * the constant when it starts (api/tool/games.h). Nothing else tells the two apart.
 *
 * The list grows before anything else runs, and never later: then any thread may read it.
 */
#ifndef PLYD_RULES_MODULE_H
#define PLYD_RULES_MODULE_H

#include <stddef.h>
#include <stdint.h>

#include "rules/rules.h"
#include "rules/words.h"

enum {
    /* The number of this interface: of the types in rules.h, words.h, draw/art.h and engine/game.h,
     * and of the lists in codes.def, reasons.def and roles.def. It is raised when a module that was
     * compiled before would be misunderstood, and not when a list gets longer. */
    RULES_INTERFACE = 2,
    RULES_GAMES_MAX = 32,
    RULES_FAULT_TEXT = 256 /* bytes of what is wrong with a module, with its NUL */
};

struct engine_game; /* what its positions are worth: engine/game.h */

struct rules_translation {
    const char *language; /* "tr" */
    const struct lang_text *texts;
    size_t n;
};

struct rules_module {
    uint32_t interface; /* RULES_INTERFACE */
    const struct rules_game *game;
    const char *rulebook;                         /* the rules for people, in Markdown */
    const struct rules_translation *translations; /* ends with language NULL; NULL: English alone */
    const struct engine_game *engine; /* NULL: the engine has it already, or plays it as any game */
};

/* All else of a module is hidden. */
extern const struct rules_module plyd_game __attribute__((visibility("default")));

/* The modules: those of games.def in its order, and then those that were added. NULL past the last
 * one. rules_game(i) is the game of rules_module(i). */
const struct rules_module *rules_module(size_t i);

/* The module of a game; NULL if it is not of the list. */
const struct rules_module *rules_module_of(const struct rules_game *game);

/* Adds a module. False if it cannot be one, or its name is taken: *fault then says what is wrong,
 * as a sentence without its subject: "was built for interface 1, and this plyd has 2". */
bool rules_add(const struct rules_module *module, char fault[RULES_FAULT_TEXT]);

#endif
