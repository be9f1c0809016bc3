/* detect.c - which format a text looks like. */
#include "api/record/reader.h"

#include <string.h>

#include "api/text/url.h"
#include "rules/rules.h"

/* The first line that has more than blanks. */
static char *first_line(struct arena *arena, const char *text)
{
    text += strspn(text, " \t\r\n");
    return arena_copy(arena, text, strcspn(text, "\r\n"));
}

static bool text_begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Whether a line begins with this, behind blanks: what stands in a comment is no sign of a format.
 */
static bool has_line(const char *text, const char *with)
{
    for (text += strspn(text, " \t\r\n"); *text != '\0'; text += strspn(text, " \t\r\n")) {
        if (text_begins(text, with))
            return true;
        text += strcspn(text, "\r\n");
    }
    return false;
}

static const char *recognise_json(const char *text)
{
    return strstr(text, "\"plyd-record\"") != NULL ? "json" : "jkf";
}

/* Eight slashes, between nine ranks, before the first blank. */
static bool is_sfen(const char *line)
{
    size_t slashes = 0;

    for (; *line != ' ' && *line != '\0'; line++)
        slashes += *line == '/';
    return slashes == 8 && (text_begins(line, " b ") || text_begins(line, " w "));
}

const char *record_usen_text(struct arena *arena, const char *line)
{
    const char *at = strstr(line, "://") == NULL ? NULL : strpbrk(line, "?#"), *text;

    while (at != NULL && !text_begins(at + 1, "usen="))
        at = strpbrk(at + 1, "?&#");
    if (at == NULL)
        return line;
    at += 1 + strlen("usen=");
    text = url_decode(arena, at, strcspn(at, "&# \t"), true);
    return text == NULL ? line : text;
}

/* Letters that an address needs not escape, with the first ply of a line among them. */
static bool is_usen(const char *line)
{
    const char *first = strstr(line, "~0.");

    return first != NULL &&
           strspn(line, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.~-") ==
               strlen(line);
}

/* Statements of CSA begin with these. */
static bool is_csa(const char *line)
{
    static const char *const beginnings[] = {"V1", "V2", "V3", "N+", "N-", "PI", "P1", "P+", "P-"};

    for (size_t i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++)
        if (text_begins(line, beginnings[i]))
            return true;
    return line[0] == '\'' || line[0] == '$' ||
           ((line[0] == '+' || line[0] == '-') &&
            (line[1] == '\0' || strspn(line + 1, "0123456789") == 4));
}

/* Whether a line begins as the moves of KI2 do, or its last sentence, before any line with a number
 * as KIF has it. */
static bool has_ki2_line(const char *text)
{
    static const char *const marks[] = {"▲", "△", "☗", "☖", "▼", "▽", "まで"};

    while (*text != '\0') {
        for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
            if (text_begins(text, marks[i]))
                return true;
        if (*text >= '0' && *text <= '9')
            return false;
        text += strcspn(text, "\r\n");
        text += strspn(text, " \t\r\n");
    }
    return false;
}

static bool is_kif(const char *text)
{
    return strstr(text, "：") != NULL || strstr(text, "手数") != NULL || text[0] == '#' ||
           strstr(text, "(77)") != NULL || strstr(text, "まで") != NULL ||
           strstr(text, "|一") != NULL;
}

/* The order matters: what has a sure sign comes first, and KIF, which needs neither headers nor
 * times, is what is left if anything Japanese is in the text. */
static const char *recognise(struct arena *arena, const char *text, const char *line)
{
    if (line[0] == '{')
        return recognise_json(text);
    if (text_begins(line, "step") && strstr(line, "chess_num") != NULL)
        return "shougi";
    if (text_begins(line, "position ") || text_begins(line, "startpos") ||
        text_begins(line, "sfen "))
        return "usi";
    if (text_begins(line, "Game: "))
        return "text";
    if (is_usen(record_usen_text(arena, line)))
        return "usen";
    if (is_sfen(line))
        return "sfen";
    if (line[0] == '[' || text_begins(line, "1."))
        return has_line(text, "[GameType \"30,W,8,8,N") ? "pdn-numeric" : "pdn";
    if (is_csa(line))
        return has_line(text, "V3.0") ? "csa3" : "csa";
    if (!has_line(text, "手数---") && has_ki2_line(text))
        return "ki2";
    return is_kif(text) ? "kif" : NULL;
}

const char *record_detect(struct arena *arena, const char *text)
{
    return recognise(arena, text, first_line(arena, text));
}
