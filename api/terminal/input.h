/*
 * input.h - lines that people type, or that a script sends.
 */
#ifndef PLYD_API_TERMINAL_INPUT_H
#define PLYD_API_TERMINAL_INPUT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* All zero but for `echo` and `stop` is ready to be used. */
struct terminal_input {
    bool echo; /* prints each line as it is read, because no terminal echoes it: a script types */
    const atomic_bool *stop; /* Ctrl-C was pressed */
    bool edits;              /* set by terminal_input_edit(); not to be set by others */

    /* private to input.c */
    char *bytes; /* that were read; the first line begins at `start` */
    size_t start, len;
    bool ended, interrupted;
};

/* Prints a prompt and "> ", and reads a line without its end, good until the next one. NULL: there
 * are no more lines, or a signal came. The prompt may be NULL: then terminal_input_prompt() has
 * printed it, and what was typed behind it. */
char *terminal_input_line(struct terminal_input *input, const char *prompt);
void terminal_input_prompt(const struct terminal_input *input, const char *prompt);

/* Between these two a line in a terminal is edited here and not by the terminal, so that half a
 * line can be shown again when something else was printed. Backspace takes a character back, Esc
 * the line. */
void terminal_input_edit(struct terminal_input *input);
void terminal_input_end_edit(struct terminal_input *input);

/* Whether terminal_input_line() would return at once, as far as terminal_input_fill() has read.
 * That reads what was typed, and waits for it if nothing was. */
bool terminal_input_is_ready(const struct terminal_input *input);
void terminal_input_fill(struct terminal_input *input);

/* The line that would be read; NULL: none is there yet, or there are no more. */
const char *terminal_input_ahead(const struct terminal_input *input, char *copy, size_t size);

void terminal_input_close(struct terminal_input *input);

#endif
