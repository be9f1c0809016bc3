/*
 * run_command.h - what the words of commands.def, and moves, do to a sitting.
 */
#ifndef PLYD_API_TERMINAL_RUN_COMMAND_H
#define PLYD_API_TERMINAL_RUN_COMMAND_H

#include "api/terminal/game_session.h"

/* What a face does next, after it has shown what was said. */
enum run_command_next {
    OBEY_SAID,  /* nothing else has changed */
    OBEY_TELLS, /* nor now, and what was said are paragraphs, which may be folded anew */
    OBEY_SHOWS, /* the board is another one, or is asked for */
    OBEY_MENU,  /* another game is wanted */
    OBEY_QUIT
};

/* Does what a line says. The line is cut up. */
enum run_command_next run_command_line(struct game_session *sitting, char *line, struct out *said);

#endif
