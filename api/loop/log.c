#include "api/loop/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *const names[] = {"debug", "info", "warn", "error"};
static enum log_level threshold = LOG_INFO;

void log_set_level(enum log_level level)
{
    threshold = level;
}

enum log_level log_level_of(const char *name)
{
    for (int i = 0; i < 4; i++)
        if (strcmp(names[i], name) == 0)
            return (enum log_level)i;
    return LOG_INFO;
}

int log_enabled(enum log_level level)
{
    return level >= threshold;
}

/* A line is put together on the stack, so that logging allocates nothing and waits for nobody. What
 * does not fit is left out. */
struct line {
    char text[1024];
    size_t len;
};

static void put_char(struct line *line, char c)
{
    if (line->len < sizeof(line->text) - 4) /* room for the closing quote, brace and newline */
        line->text[line->len++] = c;
}

static void put_raw(struct line *line, const char *s)
{
    while (*s != '\0')
        put_char(line, *s++);
}

/* Control characters become blanks: nobody needs them in a log, and none can break a line in two.
 * The closing quote has its place reserved. */
static void put_string(struct line *line, const char *s)
{
    put_char(line, '"');
    for (; *s != '\0'; s++) {
        unsigned char c = (unsigned char)*s;

        if (c == '"' || c == '\\')
            put_char(line, '\\');
        put_char(line, c < 0x20 ? ' ' : *s);
    }
    line->text[line->len++] = '"';
}

/* What every line begins with: when it was, and how bad. */
static void put_head(struct line *line, enum log_level level)
{
    struct timespec now;
    struct tm utc;
    char time[40];

    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    strftime(time, sizeof(time), "%Y-%m-%dT%H:%M:%S", &utc);
    line->len = (size_t)snprintf(line->text, sizeof(line->text),
                                 "{\"at\":\"%s.%03ldZ\",\"level\":\"%s\",\"event\":", time,
                                 now.tv_nsec / 1000000, names[level]);
}

void log_event(enum log_level level, const char *event, ...)
{
    struct line line;
    va_list fields;

    if (!log_enabled(level))
        return;
    put_head(&line, level);
    put_string(&line, event);
    va_start(fields, event);
    for (;;) {
        const char *name = va_arg(fields, const char *);
        const char *value = name == NULL ? NULL : va_arg(fields, const char *);

        /* A field whose name has no room would end as half a field, which is no JSON. */
        if (value == NULL || line.len + strlen(name) + 8 > sizeof(line.text) - 4)
            break;
        put_char(&line, ',');
        put_string(&line, name);
        put_raw(&line, ":");
        put_string(&line, value);
    }
    va_end(fields);
    line.text[line.len++] = '}';
    line.text[line.len++] = '\n';
    /* One write a line, so that the lines of several threads do not mix. */
    if (write(STDERR_FILENO, line.text, line.len) < 0)
        return;
}
