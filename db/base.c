/* base.c - what every file of db/ may call: the machine's clocks and the log. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "internal.h"

const struct db_error db_no_memory = {"", "memory is out"};
const struct db_error db_closing = {"", "the database is being closed"};

static int64_t read_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t db_monotonic_us(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

int64_t db_realtime_us(void)
{
    return read_clock(CLOCK_REALTIME);
}

/* libpq's messages have several lines; one event is one line of the log. */
void db_log(const struct db *db, enum db_log_level level, const char *event, const char *format,
            ...)
{
    char detail[256];
    va_list arguments;

    if (db->settings.log == NULL)
        return;
    va_start(arguments, format);
    vsnprintf(detail, sizeof(detail), format, arguments);
    va_end(arguments);
    for (char *at = strpbrk(detail, "\n\t"); at != NULL; at = strpbrk(at, "\n\t"))
        *at = ' ';
    db->settings.log(db->settings.log_context, level, event, detail);
}
