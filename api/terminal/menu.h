/*
 * menu.h - the menus of `plyd play`: which game, who plays, how well.
 */
#ifndef PLYD_API_TERMINAL_MENU_H
#define PLYD_API_TERMINAL_MENU_H

#include "api/terminal/input.h"
#include "api/terminal/show.h"
#include "api/text/arena.h"
#include "rules/rules.h"

/* What the person wants to play. If `file` is set, the game is loaded from it and all other members
 * are ignored. */
struct menu_choice {
    const char *file;
    const struct rules_game *game;
    struct rules_options options;
    const char *position;        /* where it starts, or NULL */
    unsigned level[RULES_SEATS]; /* 0: a person */
};

/* The caller sets all members. */
struct menu {
    struct arena *arena; /* memory of the choice */
    struct terminal_input *input;
    const struct show_style *style;
    unsigned level;        /* the engine's, unless another one is chosen */
    const char *kept;      /* a file with a game to resume */
    const char *kept_text; /* the menu's line for that game; NULL: there is no such game */
};

/* Asks until a choice is complete. False: the person leaves. */
bool menu_ask(const struct menu *menu, struct menu_choice *choice);

#endif
