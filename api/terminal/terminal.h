/*
 * terminal.h - the subcommand `plyd play`: the five games in a terminal.
 *
 * It needs no daemon and no database: the rules and the engine are in the program, and games are
 * saved in files. The files of this folder, from the ground up; most have a header of the same
 * name:
 * - match: a game in memory
 * - advisor: the engine
 * - show: boards, moves and sentences as texts
 * - commands: the commands that people type
 * - autosave, game_files: files, and matches in files
 * - fetch, remote: requests to a daemon, and a game there
 * - game_session, run_command: who plays, and what the commands do
 * - input, menu, lines: lines that are typed, the menus, and the line mode
 * - tty, cells, pick, screen: the terminal's keys, texts cut to its width, moves click by click,
 * and the full screen
 * - visit: the way to a game on a daemon
 * - flags: the command line
 * - terminal: which games are played, one after the other
 */
#ifndef PLYD_API_TERMINAL_TERMINAL_H
#define PLYD_API_TERMINAL_TERMINAL_H

#include "api/terminal/game_session.h"
#include "api/terminal/input.h"

/* Runs `play [GAME] [FLAGS]`; argv[0] is "play". Returns the exit code: 0; 1 if a file or the
 * options are not usable; 2 if the command line is wrong. */
int terminal_main(int argc, char **argv);

/* ---- lines.c --------------------------------------------------------------------------------- */

/* The line mode of `plyd play`: prints boards and answers, reads lines. */

/* Plays until the person asks for the menu or leaves. Returns NEXT_QUIT at the end of the input,
 * too. */
enum run_command_next lines_run(struct game_session *session, struct terminal_input *input);

/* ---- screen.c -------------------------------------------------------------------------------- */

/* The full screen of `plyd play`: the board with a cursor, moved by keys.
 *
 * Arrows move the cursor, Enter picks and puts down, Tab goes through what is no square: pieces in
 * hand, promotions, numbers. Letters are collected to a line, so that every command of the line
 * mode works here, too. */

/* Plays until the person asks for the menu or leaves. Restores the terminal at the end and prints
 * the last answer. */
enum run_command_next screen_run(struct game_session *session);

#endif
