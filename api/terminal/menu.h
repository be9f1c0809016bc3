/*
 * menu.h - the menus of `plyd play`: which game, who plays, how well.
 */
#ifndef PLYD_API_TERMINAL_MENU_H
#define PLYD_API_TERMINAL_MENU_H

#include "api/terminal/input.h"
#include "api/terminal/show.h"
#include "api/text/arena.h"
#include "rules/rules.h"

/* What somebody wants to play. `file` goes before everything else: the game is in it. */
struct menu_choice {
    const char *file;
    const struct rules_game *game;
    struct rules_options options;
    const char *position;        /* where it starts, or NULL */
    unsigned level[RULES_SEATS]; /* 0: a person */
};

/* All members are the caller's to set. */
struct menu {
    struct arena *arena; /* what is chosen lives here */
    struct typing *typing;
    const struct show_style *style;
    unsigned level;                 /* the engine's, unless another one is chosen */
    const char *kept;               /* a file with a game to go on with */
    const char *record_extras_text; /* what that game is; NULL: there is none */
};

/* Asks until a choice is complete. False: the person leaves. */
bool menu_ask(const struct menu *menu, struct menu_choice *choice);

#endif
