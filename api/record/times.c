#include "api/record/times.h"

#include <string.h>
#include <time.h>

const char *record_time_text(struct arena *arena, int64_t us, char separator)
{
    time_t seconds = (time_t)(us / RECORD_SECOND_US);
    struct tm utc;
    const char *date;

    gmtime_r(&seconds, &utc);
    date = arena_format(arena, "%04d%c%02d%c%02d", utc.tm_year + 1900, separator, utc.tm_mon + 1,
                        separator, utc.tm_mday);
    if (utc.tm_hour == 0 && utc.tm_min == 0 && utc.tm_sec == 0)
        return date;
    return arena_format(arena, "%s %02d:%02d:%02d", date, utc.tm_hour, utc.tm_min, utc.tm_sec);
}

const char *record_time_exact(struct arena *arena, int64_t us)
{
    time_t seconds = (time_t)(us / RECORD_SECOND_US);
    struct tm utc;

    if (us % RECORD_SECOND_US < 0)
        seconds--;
    gmtime_r(&seconds, &utc);
    return arena_format(arena, "%04d-%02d-%02dT%02d:%02d:%02d.%06dZ", utc.tm_year + 1900,
                        utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec,
                        (int)(us - (int64_t)seconds * RECORD_SECOND_US));
}

/* ---- reading ---- */

/* Up to `most` digits. */
static bool number_at(const char **at, int most, int *number)
{
    int n = 0;

    *number = 0;
    for (; n < most && **at >= '0' && **at <= '9'; n++)
        *number = *number * 10 + *(*at)++ - '0';
    return n > 0;
}

/* The digits behind a point, as microseconds. */
static int64_t fraction_at(const char **at)
{
    int64_t us = 0;

    for (int64_t scale = 100000; **at >= '0' && **at <= '9'; scale /= 10)
        us += (*(*at)++ - '0') * scale;
    return us;
}

static bool one_of(const char **at, const char *which)
{
    if (**at == '\0' || strchr(which, **at) == NULL)
        return false;
    (*at)++;
    return true;
}

static bool is_day(const struct tm *then)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int year = then->tm_year + 1900;
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

    return year >= 1 && then->tm_mon >= 0 && then->tm_mon < 12 && then->tm_mday >= 1 &&
           then->tm_mday <= days[then->tm_mon] + (leap && then->tm_mon == 1);
}

static bool is_time(const struct tm *then)
{
    return then->tm_hour < 24 && then->tm_min < 60 && then->tm_sec < 60;
}

bool record_read_time(const char *text, int64_t *us)
{
    struct tm then = {0};
    int64_t fraction = 0;
    int year, month;

    if (!number_at(&text, 4, &year) || !one_of(&text, "/-.") || !number_at(&text, 2, &month) ||
        !one_of(&text, "/-.") || !number_at(&text, 2, &then.tm_mday))
        return false;
    then.tm_year = year - 1900;
    then.tm_mon = month - 1;
    if (*text == '(') /* the day of the week */
        text += strcspn(text, ")") + (strchr(text, ')') != NULL);
    while (one_of(&text, " \tT"))
        continue;
    if (number_at(&text, 2, &then.tm_hour)) {
        if (!one_of(&text, ":") || !number_at(&text, 2, &then.tm_min))
            return false;
        if (one_of(&text, ":") && !number_at(&text, 2, &then.tm_sec))
            return false;
        if (one_of(&text, "."))
            fraction = fraction_at(&text);
    }
    one_of(&text, "Z");
    if (*text != '\0' || !is_day(&then) || !is_time(&then))
        return false;
    *us = (int64_t)timegm(&then) * RECORD_SECOND_US + fraction;
    return true;
}

/* ---- times of requests ---- */

static bool digits_at(const char **at, int count, int *number)
{
    const char *from = *at;

    return number_at(at, count, number) && *at - from == count;
}

/* "Z", "+09:30", "-05:00" or nothing, which is UTC: its minutes. In a query a plus may be a blank.
 */
static bool offset_at(const char **at, int *minutes)
{
    int sign = **at == '-' ? -1 : 1;
    int hours, rest;

    *minutes = 0;
    if (**at == '\0' || one_of(at, "Zz"))
        return true;
    if (!one_of(at, "+- ") || !digits_at(at, 2, &hours) || !one_of(at, ":") ||
        !digits_at(at, 2, &rest) || hours > 23 || rest > 59)
        return false;
    *minutes = sign * (hours * 60 + rest);
    return true;
}

/* "T12:00", "T12:00:30" or "T12:00:30.25". */
static bool time_of_day_at(const char **at, struct tm *then, int64_t *fraction)
{
    if (!one_of(at, "Tt ") || !digits_at(at, 2, &then->tm_hour) || !one_of(at, ":") ||
        !digits_at(at, 2, &then->tm_min))
        return false;
    if (!one_of(at, ":"))
        return true;
    if (!digits_at(at, 2, &then->tm_sec))
        return false;
    if (!one_of(at, "."))
        return true;
    if (**at < '0' || **at > '9')
        return false;
    *fraction = fraction_at(at);
    return true;
}

bool record_read_date_time(const char *text, int64_t *us)
{
    struct tm then = {0};
    int64_t fraction = 0;
    int year, month, minutes = 0;

    if (!digits_at(&text, 4, &year) || !one_of(&text, "-") || !digits_at(&text, 2, &month) ||
        !one_of(&text, "-") || !digits_at(&text, 2, &then.tm_mday))
        return false;
    then.tm_year = year - 1900;
    then.tm_mon = month - 1;
    if (*text != '\0' && (!time_of_day_at(&text, &then, &fraction) || !offset_at(&text, &minutes)))
        return false;
    if (*text != '\0' || !is_day(&then) || !is_time(&then))
        return false;
    *us = ((int64_t)timegm(&then) - 60 * minutes) * RECORD_SECOND_US + fraction;
    return true;
}
