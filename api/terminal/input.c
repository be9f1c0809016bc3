#include "api/terminal/input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/text/must.h"

enum { LINE_BYTES_MAX = 8 << 10 }; /* longer than any position */

/* ---- what was read ---- */

/* Where the first line ends; NULL: its end was not read yet. A line that is too long ends where
 * there is no more room. */
static char *end_of_line(const struct terminal_input *input)
{
    size_t left = input->len - input->start;
    char *end = left == 0 ? NULL : memchr(input->bytes + input->start, '\n', left);

    return end == NULL && left > 0 && (input->ended || left == LINE_BYTES_MAX)
               ? input->bytes + input->len
               : end;
}

bool terminal_input_is_ready(const struct terminal_input *input)
{
    return input->ended || end_of_line(input) != NULL;
}

void terminal_input_fill(struct terminal_input *input)
{
    ssize_t n;

    if (input->bytes == NULL)
        input->bytes = must_zero(LINE_BYTES_MAX + 1);
    if (input->start > 0) {
        input->len -= input->start;
        memmove(input->bytes, input->bytes + input->start, input->len);
        input->start = 0;
    }
    n = read(STDIN_FILENO, input->bytes + input->len, LINE_BYTES_MAX - input->len);
    input->ended = n == 0 || (n < 0 && errno != EINTR);
    input->len += n > 0 ? (size_t)n : 0;
}

const char *terminal_input_ahead(const struct terminal_input *input, char *copy, size_t size)
{
    const char *end = end_of_line(input);

    if (end == NULL)
        return NULL;
    snprintf(copy, size, "%.*s", (int)(end - input->bytes - (ptrdiff_t)input->start),
             input->bytes + input->start);
    return copy;
}

/* Takes the first line. NULL: there is none. */
static char *take_line(struct terminal_input *input)
{
    char *line, *end = end_of_line(input);

    if (end == NULL)
        return NULL;
    line = input->bytes + input->start;
    input->start = (size_t)(end - input->bytes) + (end < input->bytes + input->len ? 1 : 0);
    *end = '\0';
    line[strcspn(line, "\r\n")] = '\0';
    return line;
}

/* ---- asking ---- */

void terminal_input_prompt(const char *prompt)
{
    printf("%s> ", prompt);
    fflush(stdout);
}

char *terminal_input_line(struct terminal_input *input, const char *prompt)
{
    char *line;

    if (prompt != NULL)
        terminal_input_prompt(prompt);
    while (!terminal_input_is_ready(input)) {
        size_t len = input->len - input->start;

        terminal_input_fill(input);
        if (!input->ended && input->len == len)
            break; /* a signal came */
    }
    line = take_line(input);
    if (line == NULL)
        putchar('\n');
    else if (input->echo)
        puts(line);
    return line;
}

void terminal_input_close(struct terminal_input *input)
{
    free(input->bytes);
    input->bytes = NULL;
}
