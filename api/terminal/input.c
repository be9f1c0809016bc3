#include "api/terminal/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES_MAX = 8 << 10 }; /* longer than any position */

char *terminal_input_line(struct terminal_input *input, const char *prompt)
{
    size_t len;

    printf("%s> ", prompt);
    fflush(stdout);
    if (input->line == NULL)
        input->line = malloc(LINE_BYTES_MAX);
    if (input->line == NULL || fgets(input->line, LINE_BYTES_MAX, stdin) == NULL) {
        putchar('\n');
        return NULL;
    }
    len = strcspn(input->line, "\r\n");
    input->line[len] = '\0';
    if (input->echo)
        puts(input->line);
    return input->line;
}

void terminal_input_close(struct terminal_input *input)
{
    free(input->line);
    input->line = NULL;
}
