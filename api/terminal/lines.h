/*
 * lines.h - the line mode of `plyd play`: prints boards and answers, reads lines.
 */
#ifndef PLYD_API_TERMINAL_LINES_H
#define PLYD_API_TERMINAL_LINES_H

#include "api/terminal/input.h"
#include "api/terminal/run_command.h"

/* Plays until somebody wants the menu or leaves. OBEY_QUIT also at the end of the input. */
enum run_command_next lines_run(struct game_session *sitting, struct typing *typing);

#endif
