#include "api/record/lines.h"

#include <string.h>

size_t record_char_length(const char *text)
{
    unsigned char c = (unsigned char)*text;

    return c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
}

bool record_take(const char **at, const char *word)
{
    size_t len = strlen(word);

    if (strncmp(*at, word, len) != 0)
        return false;
    *at += len;
    return true;
}

void record_skip_blanks(const char **at)
{
    while (record_take(at, " ") || record_take(at, "\t") || record_take(at, "　"))
        continue;
}

/* A byte order mark that was left in the middle of a text is a blank too. */
static size_t blank_at(const char *text)
{
    if (*text == ' ' || *text == '\t')
        return 1;
    return strncmp(text, "\u3000", 3) == 0 || strncmp(text, "\ufeff", 3) == 0 ? 3 : 0;
}

char *record_trim(struct arena *arena, const char *text)
{
    const char *end;

    while (blank_at(text) > 0)
        text += blank_at(text);
    end = text;
    for (const char *at = text; *at != '\0'; at += record_char_length(at))
        if (blank_at(at) == 0)
            end = at + record_char_length(at);
    return arena_copy(arena, text, (size_t)(end - text));
}

const char *record_one_line(struct arena *arena, const char *text)
{
    char *line;

    if (text == NULL)
        return NULL;
    line = arena_copy(arena, text, strlen(text));
    for (char *at = line; *at != '\0'; at++)
        if ((unsigned char)*at < ' ' || *at == '\x7f')
            *at = ' ';
    line = record_trim(arena, line);
    return *line == '\0' ? NULL : line;
}

const char *record_text_line(struct arena *arena, const char **at)
{
    const char *line = *at;
    size_t len;

    if (line == NULL)
        return NULL;
    len = strcspn(line, "\r\n");
    *at = line[len] == '\0'                            ? NULL
          : line[len] == '\r' && line[len + 1] == '\n' ? line + len + 2
                                                       : line + len + 1;
    return arena_copy(arena, line, len);
}
