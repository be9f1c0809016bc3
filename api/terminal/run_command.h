/*
 * run_command.h - what the words of commands.def, and moves, do to a sitting.
 */
#ifndef PLYD_API_TERMINAL_RUN_COMMAND_H
#define PLYD_API_TERMINAL_RUN_COMMAND_H

#include "api/terminal/session.h"

/* What a face does next, after it has shown what was said. */
enum obey_next {
    OBEY_SAID,  /* nothing else has changed */
    OBEY_TELLS, /* nor now, and what was said are paragraphs, which may be folded anew */
    OBEY_SHOWS, /* the board is another one, or is asked for */
    OBEY_MENU,  /* another game is wanted */
    OBEY_QUIT
};

/* Does what a line says. The line is cut up. */
enum obey_next obey_line(struct sitting *sitting, char *line, struct out *said);

#endif
