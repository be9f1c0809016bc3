#include "api/terminal/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES_MAX = 8 << 10 }; /* longer than any position */

char *terminal_input_line(struct typing *typing, const char *prompt)
{
    size_t len;

    printf("%s> ", prompt);
    fflush(stdout);
    if (typing->line == NULL)
        typing->line = malloc(LINE_BYTES_MAX);
    if (typing->line == NULL || fgets(typing->line, LINE_BYTES_MAX, stdin) == NULL) {
        putchar('\n');
        return NULL;
    }
    len = strcspn(typing->line, "\r\n");
    typing->line[len] = '\0';
    if (typing->echo)
        puts(typing->line);
    return typing->line;
}

void terminal_input_close(struct typing *typing)
{
    free(typing->line);
    typing->line = NULL;
}
