/* split.c - cutting a file of SQL into its statements. */
#include "migrations.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* Each of these functions returns what follows the thing that begins at `at`. Where its end is
 * missing that is the end of the text: the server will say what is wrong. */

static bool is_sql_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static const char *past(const char *at, const char *end)
{
    const char *found = strstr(at, end);
    return found != NULL ? found + strlen(end) : at + strlen(at);
}

/* 'text' or "name"; a doubled quote is two of them in a row. Only E'text' knows the backslash. */
static const char *past_quoted(const char *at, bool backslash)
{
    char quote = *at++;
    while (*at != '\0' && *at != quote)
        at += backslash && at[0] == '\\' && at[1] != '\0' ? 2 : 1;
    return *at != '\0' ? at + 1 : at;
}

/* A block comment; they nest. */
static const char *past_comment(const char *at)
{
    int depth = 0;
    do {
        if (strncmp(at, "/*", 2) == 0 || strncmp(at, "*/", 2) == 0) {
            depth += *at == '/' ? 1 : -1;
            at++;
        }
        at++;
    } while (depth > 0 && *at != '\0');
    return at;
}

/* $tag$text$tag$, or only the dollar if it opens none. */
static const char *past_dollar(const char *at)
{
    const char *end = at + 1;
    char tag[64];

    while (is_sql_word(*end))
        end++;
    size_t length = (size_t)(end + 1 - at);
    if (*end != '$' || isdigit((unsigned char)at[1]) || length >= sizeof(tag))
        return at + 1;
    memcpy(tag, at, length);
    tag[length] = '\0';
    return past(end + 1, tag);
}

/* A whole word, so that a dollar or an E inside of one opens nothing. */
static const char *past_word(const char *at)
{
    const char *end = at;
    while (is_sql_word(*end) || *end == '$')
        end++;
    bool escapes = end == at + 1 && tolower((unsigned char)*at) == 'e' && *end == '\'';
    return escapes ? past_quoted(end, true) : end;
}

static const char *past_token(const char *at)
{
    if (strncmp(at, "--", 2) == 0)
        return past(at, "\n");
    if (strncmp(at, "/*", 2) == 0)
        return past_comment(at);
    if (*at == '\'' || *at == '"')
        return past_quoted(at, false);
    if (*at == '$')
        return past_dollar(at);
    return is_sql_word(*at) ? past_word(at) : at + 1;
}

static bool is_comment(const char *at)
{
    return strncmp(at, "--", 2) == 0 || strncmp(at, "/*", 2) == 0;
}

/* Parentheses count for the bodies of rules and of SQL functions, which hold statements. */
size_t split_statement(const char **at)
{
    int depth = 0;

    while (isspace((unsigned char)**at) || is_comment(*at) || **at == ';')
        *at = past_token(*at);
    const char *end = *at;
    for (; *end != '\0' && (*end != ';' || depth > 0); end = past_token(end))
        depth += (*end == '(') - (*end == ')');
    return (size_t)(end - *at);
}
