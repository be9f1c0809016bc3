#include "api/terminal/read_command.h"

#include <string.h>
#include <strings.h>

static const struct {
    const char *word, *brief, *argument, *doc;
} words[COMMAND_KINDS] = {
#define COMMAND(id, word, brief, argument, doc) [COMMAND_##id] = {word, brief, argument, doc},
#include "api/terminal/commands.def"
#undef COMMAND
};

static char *trim(char *text)
{
    size_t len;

    text += strspn(text, " \t");
    len = strlen(text);
    while (len > 0 && strchr(" \t\r\n", text[len - 1]) != NULL)
        len--;
    text[len] = '\0';
    return text;
}

static int is_command_word(const char *text, size_t len, const char *word)
{
    return len > 0 && strlen(word) == len && strncasecmp(text, word, len) == 0;
}

struct command command_read(char *line)
{
    char *text = trim(line);
    size_t len = strcspn(text, " \t");
    char *rest = text + len + strspn(text + len, " \t");

    if (*text == '\0')
        return (struct command){COMMAND_NONE, text};
    for (int kind = COMMAND_MOVE + 1; kind < COMMAND_KINDS; kind++)
        if ((is_command_word(text, len, words[kind].word) ||
             is_command_word(text, len, words[kind].brief)) &&
            (*rest == '\0' || words[kind].argument[0] != '\0'))
            return (struct command){(enum command_kind)kind, rest};
    return (struct command){COMMAND_MOVE, text};
}

bool command_is_urgent(const char *line)
{
    char copy[32]; /* a longer line is none of these words */
    enum command_kind kind;

    if (strlen(line) >= sizeof(copy))
        return false;
    strcpy(copy, line);
    kind = command_read(copy).kind;
    return kind == COMMAND_ACCEPT || kind == COMMAND_DECLINE || kind == COMMAND_RESIGN;
}

const char *command_word(enum command_kind kind)
{
    return words[kind].word;
}

void command_help(struct out *out, const struct show_style *style)
{
    show_say(out, style, "play-words", NULL);
    for (int kind = COMMAND_MOVE + 1; kind < COMMAND_KINDS; kind++) {
        const char *word =
            arena_format(out->arena, "%s %s", words[kind].word, words[kind].argument);

        out_format(out, "  %-14s %-2s %s\n", word, words[kind].brief,
                   lang_say(show_lang(style), LANG_ORDER, words[kind].word, words[kind].doc));
    }
}
