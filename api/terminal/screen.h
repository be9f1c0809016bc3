/*
 * screen.h - the full screen of `plyd play`: the board with a cursor, moved by keys.
 *
 * Arrows move the cursor, Enter picks and puts down, Tab goes through what is no square: pieces in
 * hand, promotions, numbers. Letters make a line, so that every word of the line mode works here,
 * too.
 */
#ifndef PLYD_API_TERMINAL_SCREEN_H
#define PLYD_API_TERMINAL_SCREEN_H

#include "api/terminal/run_command.h"

/* Plays until somebody wants the menu or leaves. Takes the terminal and gives it back. What was
 * said last is printed then. */
enum run_command_next screen_run(struct game_session *sitting);

#endif
