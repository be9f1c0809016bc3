/* time_limit.c - the time that a game gives its players, in the words of the formats. */
#include "api/record/times.h"

#include <string.h>

enum { MINUTE = 60, HOUR = 60 * MINUTE, DAY = 24 * HOUR };

static long long seconds(int64_t us)
{
    return us / RECORD_SECOND_US;
}

/* ---- as people write it ---- */

/* "90s", "10m", "36h", "3d". */
static const char *span(struct arena *arena, int64_t us)
{
    static const struct {
        long long seconds;
        char unit;
    } units[] = {{DAY, 'd'}, {HOUR, 'h'}, {MINUTE, 'm'}};
    long long s = seconds(us);

    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
        if (s > 0 && s % units[i].seconds == 0)
            return arena_format(arena, "%lld%c", s / units[i].seconds, units[i].unit);
    return arena_format(arena, "%llds", s);
}

static const char *plain(struct arena *arena, const struct record_time *time)
{
    if (time->move_us > 0)
        return arena_format(arena, "%s a move", span(arena, time->move_us));
    if (time->period_us > 0)
        return arena_format(arena, "%s + %d x %s", span(arena, time->initial_us), time->periods,
                            span(arena, time->period_us));
    if (time->increment_us > 0)
        return arena_format(arena, "%s + %s a move", span(arena, time->initial_us),
                            span(arena, time->increment_us));
    return span(arena, time->initial_us);
}

/* ---- KIF ---- */

/* "1日2時間3分4秒", without the parts that are zero. */
static const char *kanji_span(struct arena *arena, int64_t us)
{
    static const struct {
        long long seconds;
        const char *unit;
    } units[] = {{DAY, "日"}, {HOUR, "時間"}, {MINUTE, "分"}, {1, "秒"}};
    const char *text = "";
    long long s = seconds(us);

    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        if (s >= units[i].seconds)
            text = arena_format(arena, "%s%lld%s", text, s / units[i].seconds, units[i].unit);
        s %= units[i].seconds;
    }
    return *text == '\0' ? "0分" : text;
}

static const char *kanji(struct arena *arena, const struct record_time *time)
{
    const char *initial = kanji_span(arena, time->initial_us);

    if (time->move_us > 0)
        return arena_format(arena, "1手%s", kanji_span(arena, time->move_us));
    if (time->periods > 1)
        return arena_format(arena, "%s+%s×%d", initial, kanji_span(arena, time->period_us),
                            time->periods);
    if (time->period_us > 0)
        return arena_format(arena, "%s+%s", initial, kanji_span(arena, time->period_us));
    if (time->increment_us > 0)
        return arena_format(arena, "%s+%s加算", initial, kanji_span(arena, time->increment_us));
    return initial;
}

/* ---- CSA and PDN ---- */

/* Time for each move alone is a period behind an empty bank. Several periods cannot be told. */
static long long csa_period(const struct record_time *time)
{
    return seconds(time->move_us > 0 ? time->move_us : time->period_us);
}

/* HH:MM+SS */
static const char *csa(struct arena *arena, const struct record_time *time)
{
    long long s = seconds(time->initial_us);

    if (time->periods > 1 || time->increment_us > 0 || s % MINUTE != 0)
        return NULL;
    return arena_format(arena, "%02lld:%02lld+%02lld", s / HOUR, s % HOUR / MINUTE,
                        csa_period(time));
}

static const char *csa3(struct arena *arena, const struct record_time *time)
{
    if (time->periods > 1)
        return NULL;
    return arena_format(arena, "%lld+%lld+%lld", seconds(time->initial_us), csa_period(time),
                        seconds(time->increment_us));
}

static const char *pdn(struct arena *arena, const struct record_time *time)
{
    if (time->move_us > 0)
        return arena_format(arena, "1/%lld", seconds(time->move_us));
    if (time->period_us > 0)
        return NULL;
    if (time->increment_us == 0)
        return arena_format(arena, "%lld", seconds(time->initial_us));
    return arena_format(arena, "%lld+%lld", seconds(time->initial_us), seconds(time->increment_us));
}

bool record_is_csa_time(const char *value)
{
    for (int i = 0; i < 3; i++) {
        size_t digits = strspn(value, "0123456789");

        if (digits == 0 || value[digits] != (i < 2 ? '+' : '\0'))
            return false;
        value += digits + (i < 2);
    }
    return true;
}

const char *record_time_limit(struct arena *arena, const struct record_format *format,
                              const struct record *record)
{
    static const struct {
        const char *format;
        const char *(*text)(struct arena *arena, const struct record_time *time);
    } texts[] = {{"kif", kanji}, {"ki2", kanji}, {"jkf", kanji},      {"csa", csa},
                 {"csa3", csa3}, {"pdn", pdn},   {"pdn-numeric", pdn}};
    const struct record_time *time = &record->time;

    if (time->initial_us == 0 && time->move_us == 0 && time->period_us == 0)
        return NULL;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        if (strcmp(texts[i].format, format->name) == 0)
            return texts[i].text(arena, time);
    return plain(arena, time);
}
