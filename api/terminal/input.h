/*
 * input.h - lines that people type, or that a script sends.
 */
#ifndef PLYD_API_TERMINAL_INPUT_H
#define PLYD_API_TERMINAL_INPUT_H

#include <stdbool.h>

/* All zero but for `echo` is ready to be used. */
struct terminal_input {
    bool echo;  /* prints each line as it is read, because no terminal echoes it */
    char *line; /* private to input.c */
};

/* Prints a prompt and "> ", and reads a line without its end, good until the next one. NULL: there
 * are no more lines, or a signal came. */
char *terminal_input_line(struct terminal_input *input, const char *prompt);

void terminal_input_close(struct terminal_input *input);

#endif
