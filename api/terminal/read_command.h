/*
 * commands.h - parses the commands that people type at a board. commands.def lists them.
 */
#ifndef PLYD_API_TERMINAL_READ_COMMAND_H
#define PLYD_API_TERMINAL_READ_COMMAND_H

#include "api/terminal/show.h"

enum command_kind {
    COMMAND_NONE, /* an empty line */
    COMMAND_MOVE, /* none of the commands: `rest` is the whole line */
#define COMMAND(id, word, brief, argument, doc) COMMAND_##id,
#include "api/terminal/commands.def"
#undef COMMAND
    COMMAND_KINDS
};

struct command {
    enum command_kind kind;
    const char *rest; /* the argument, without blanks around it; "" if there is none */
};

/* Parses a line, and cuts blanks off its end. Upper and lower case are the same. A line is read as
 * a move if it has text behind a command that takes no argument. */
struct command command_read(char *line);

/* Whether a line has a word that ends the game or answers an offer, so that it need not wait for
 * anybody's turn. */
bool command_is_urgent(const char *line);

/* The word of a command, such as "help". */
const char *command_word(enum command_kind kind);

/* Appends the list of commands. */
void command_help(struct out *out, const struct show_style *style);

#endif
