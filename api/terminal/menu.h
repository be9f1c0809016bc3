/*
 * menu.h - the menus of `plyd play`: which game, who plays, how well.
 */
#ifndef PLYD_API_TERMINAL_MENU_H
#define PLYD_API_TERMINAL_MENU_H

#include "api/terminal/typing.h"
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

/* Asks until a choice is complete. `kept` is a file with a game to go on with and `kept_text` says
 * what it is; NULL: there is none. False: the person leaves. What is chosen lives in the arena. */
bool menu_ask(struct arena *arena, struct typing *typing, const char *kept, const char *kept_text,
              struct menu_choice *choice);

#endif
