/*
 * terminal.h - the subcommand `plyd play`: the five games in a terminal.
 *
 * It needs no daemon and no database: the rules and the engine are in the program, and games are
 * kept in files. The files of this folder, from the ground up; each has a header of the same name:
 * - match: a game in memory
 * - adviser: the engine
 * - show: boards, moves and sentences as texts
 * - orders: the words that people type
 * - keep, filing: files, and matches in files
 * - fetch, away: requests to a daemon, and a game there
 * - sitting, obey: who plays, and what the words do
 * - typing, menu, lines: lines that are typed, the menus, and the line mode
 * - tty, cells, pick, screen: the terminal's keys, texts as wide as it is, moves click by click,
 * and the full screen
 * - visit: the way to a game on a daemon
 * - flags: the command line
 * - terminal: which games are played, one after the other
 */
#ifndef PLYD_API_TERMINAL_TERMINAL_H
#define PLYD_API_TERMINAL_TERMINAL_H

#include "api/terminal/game_session.h"
#include "api/terminal/input.h"

/* Runs `play [GAME] [FLAGS]`; argv[0] is "play". Returns the exit code: 0; 1, if a file or the
 * options are no good; 2, if the command line is wrong. */
int terminal_main(int argc, char **argv);

/* ---- lines.c --------------------------------------------------------------------------------- */

/* The line mode of `plyd play`: prints boards and answers, reads lines. */

/* Plays until somebody wants the menu or leaves. OBEY_QUIT also at the end of the input. */
enum run_command_next lines_run(struct game_session *sitting, struct typing *typing);

/* ---- screen.c -------------------------------------------------------------------------------- */

/* The full screen of `plyd play`: the board with a cursor, moved by keys.
 *
 * Arrows move the cursor, Enter picks and puts down, Tab goes through what is no square: pieces in
 * hand, promotions, numbers. Letters make a line, so that every word of the line mode works here,
 * too. */

/* Plays until somebody wants the menu or leaves. Takes the terminal and gives it back. What was
 * said last is printed then. */
enum run_command_next screen_run(struct game_session *sitting);

#endif
