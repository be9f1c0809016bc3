#include "api/terminal/input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/terminal/tty.h"
#include "api/text/must.h"
#include "rules/draw/page.h"

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

/* ---- editing ---- */

static void add_input(struct terminal_input *input, const char *text)
{
    size_t len = strlen(text);

    if (input->len + len >= LINE_BYTES_MAX)
        return;
    memcpy(input->bytes + input->len, text, len);
    input->len += len;
    fputs(text, stdout);
}

/* Takes a character of UTF-8 back, with its cells on the screen. */
static void take_back(struct terminal_input *input)
{
    const char *character;

    if (input->len == input->start)
        return;
    while (input->len > input->start && (input->bytes[--input->len] & 0xc0) == 0x80)
        continue;
    character = input->bytes + input->len;
    for (unsigned cells = page_character_width(page_next_character(&character)); cells > 0; cells--)
        fputs("\b \b", stdout);
}

/* Reads a key. */
static void edit(struct terminal_input *input)
{
    struct tty_event event = tty_read(input->stop);

    if (event.key == TTY_TEXT)
        add_input(input, event.text);
    else if (event.key == TTY_ENTER)
        add_input(input, "\n");
    else if (event.key == TTY_BACKSPACE)
        take_back(input);
    while (event.key == TTY_ESCAPE && input->len > input->start)
        take_back(input);
    input->ended = event.key == TTY_ENDED && input->len == input->start;
    input->interrupted = event.key == TTY_SIGNAL && input->stop != NULL && atomic_load(input->stop);
    fflush(stdout);
}

void terminal_input_edit(struct terminal_input *input)
{
    tty_open_line();
    input->edits = true;
}

void terminal_input_end_edit(struct terminal_input *input)
{
    input->edits = false;
    tty_close();
}

/* ---- reading ---- */

static void read_bytes(struct terminal_input *input)
{
    ssize_t n = read(STDIN_FILENO, input->bytes + input->len, LINE_BYTES_MAX - input->len);

    input->interrupted = n < 0 && errno == EINTR;
    input->ended = n == 0 || (n < 0 && !input->interrupted);
    input->len += n > 0 ? (size_t)n : 0;
}

void terminal_input_fill(struct terminal_input *input)
{
    if (input->bytes == NULL)
        input->bytes = must_zero(LINE_BYTES_MAX + 1);
    if (input->start > 0) {
        input->len -= input->start;
        memmove(input->bytes, input->bytes + input->start, input->len);
        input->start = 0;
    }
    if (input->edits)
        edit(input);
    else
        read_bytes(input);
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
static char *take_input_line(struct terminal_input *input)
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

void terminal_input_prompt(const struct terminal_input *input, const char *prompt)
{
    printf("%s> ", prompt);
    if (input->edits)
        printf("%.*s", (int)(input->len - input->start),
               input->bytes == NULL ? "" : input->bytes + input->start);
    fflush(stdout);
}

char *terminal_input_line(struct terminal_input *input, const char *prompt)
{
    char *line;

    if (prompt != NULL)
        terminal_input_prompt(input, prompt);
    input->interrupted = false;
    while (!terminal_input_is_ready(input) && !input->interrupted)
        terminal_input_fill(input);
    line = take_input_line(input);
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
