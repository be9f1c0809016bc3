/*
 * clock_take.c - what a request says of a clock.
 */
#include <string.h>

#include "api/game/clock.h"

/* ---- spans in requests ---- */

/* The unit in microseconds that a text ends with: "", "s", "m", "h", "d". 0: it is none. */
static int64_t unit_of(const char *text)
{
    static const char units[] = "smhd";
    static const int64_t length[] = {CLOCK_SECOND, 60 * CLOCK_SECOND, CLOCK_HOUR, CLOCK_DAY};
    const char *unit = strchr(units, text[0]);

    if (text[0] == '\0')
        return CLOCK_SECOND;
    return unit != NULL && text[1] == '\0' ? length[unit - units] : 0;
}

/* Reads up to `most` digits as a number. Returns how many there were. */
static int read_digits(const char **text, int most, int64_t *number)
{
    int n = 0;

    *number = 0;
    for (; n < most && **text >= '0' && **text <= '9'; n++)
        *number = *number * 10 + *(*text)++ - '0';
    return n;
}

/* Reads "90", "1.5h". -1: it is no span, or longer than any. */
static int64_t read_span(const char *text)
{
    int64_t whole, part = 0, unit;
    int digits = read_digits(&text, 9, &whole), decimals = 0;

    if (*text == '.') {
        text++;
        decimals = read_digits(&text, 6, &part);
    }
    unit = unit_of(text);
    if (digits == 0 || unit == 0 || whole > CLOCK_SPAN_MAX / unit)
        return -1;
    for (; decimals < 6; decimals++)
        part *= 10;
    return whole * unit + part * (unit / CLOCK_SECOND);
}

/* The text of a JSON number or string. */
static const char *bare(struct arena *arena, const char *json)
{
    size_t len = strlen(json);

    return json[0] == '"' ? arena_copy(arena, json + 1, len - 2) : json;
}

/* A span as a sentence shows it: "0", "90s", "3d". */
static const char *span_words(struct arena *arena, int64_t span)
{
    static const struct {
        int64_t length;
        char name;
    } units[] = {{CLOCK_DAY, 'd'}, {CLOCK_HOUR, 'h'}, {60 * CLOCK_SECOND, 'm'}};

    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
        if (span > 0 && span % units[i].length == 0)
            return arena_format(arena, "%lld%c", (long long)(span / units[i].length),
                                units[i].name);
    return arena_format(arena, "%llds", (long long)(span / CLOCK_SECOND));
}

bool clock_take_span(struct json_fields *fields, const char *key, int64_t least, int64_t most,
                     int64_t *span)
{
    const char *json = json_take_json(fields, key);
    struct arena *arena = fields->arena;
    int64_t read;

    if (json == NULL)
        return false;
    read = read_span(bare(arena, json));
    if (read < least || read > most) {
        json_refuse(fields, PROBLEM_BAD_PARAMETER, key,
                    arena_format(arena,
                                 "A time from %s to %s is expected: a number of seconds, or "
                                 "a text like \"90s\", \"10m\", \"36h\" or \"3d\".",
                                 span_words(arena, least), span_words(arena, most)));
        return false;
    }
    *span = read;
    return true;
}

/* ---- the clock in a creation ---- */

static void need_span(struct json_fields *fields, const char *key, int64_t least, int64_t *span,
                      const char *wish)
{
    if (!clock_take_span(fields, key, least, CLOCK_SPAN_MAX, span))
        json_missing(fields, key, wish);
}

static void take_days(struct json_fields *fields, struct clock_terms *terms)
{
    int64_t days = 0;

    if (!json_take_int(fields, "days", 1, CLOCK_DAYS_MAX, &days))
        json_missing(fields, "days", "Say how many days there are for each move: \"days\":3.");
    terms->initial_us = days * CLOCK_DAY;
}

static void take_fischer(struct json_fields *fields, struct clock_terms *terms)
{
    bool slow;

    need_span(fields, "initial", CLOCK_SECOND, &terms->initial_us,
              "Say how much time each side has at the start: \"initial\":\"10m\".");
    need_span(fields, "increment", 0, &terms->increment_us,
              "Say how much time each move adds: \"increment\":\"5s\".");
    slow = terms->increment_us >= CLOCK_HOUR;
    terms->max_us = slow ? terms->initial_us : CLOCK_SPAN_MAX;
    if (slow && terms->increment_us > terms->initial_us)
        terms->max_us = terms->increment_us;
    clock_take_span(fields, "max", terms->initial_us, CLOCK_SPAN_MAX, &terms->max_us);
}

static void take_byoyomi(struct json_fields *fields, struct clock_terms *terms)
{
    int64_t periods = 1;

    need_span(fields, "initial", 0, &terms->initial_us,
              "Say how much time each side has before its periods: \"initial\":\"10m\".");
    need_span(fields, "period", CLOCK_SECOND, &terms->period_us,
              "Say how long a period is: \"period\":\"30s\".");
    json_take_int(fields, "periods", 1, CLOCK_PERIODS_MAX, &periods);
    terms->periods = (int32_t)periods;
}

/* Without its kind no member of a clock is known, so a missing kind is refused at once. */
static void take_kind(struct json_fields *fields, struct clock_terms *terms)
{
    const char *word = "";

    json_take_string(fields, "kind", 16, &word);
    terms->kind = clock_kind(word);
    if (terms->kind == CLOCK_DAYS)
        take_days(fields, terms);
    else if (terms->kind == CLOCK_FISCHER)
        take_fischer(fields, terms);
    else if (terms->kind == CLOCK_BYOYOMI)
        take_byoyomi(fields, terms);
    else
        json_refuse(fields, PROBLEM_BAD_PARAMETER, "kind", "days, fischer or byoyomi is expected.");
}

bool clock_take(struct json_fields *fields, struct clock_terms *terms)
{
    struct json_fields inner;
    int64_t each;

    if (json_has(fields, "clock") && !json_has_object(fields, "clock"))
        json_refuse(fields, PROBLEM_BAD_PARAMETER, "clock",
                    "An object is expected, such as {\"kind\":\"fischer\",\"initial\":\"5m\","
                    "\"increment\":\"3s\"} or {\"kind\":\"days\",\"days\":3}.");
    if (!json_take_object(fields, "clock", &inner))
        return false;
    *terms = (struct clock_terms){.kind = 0};
    take_kind(&inner, terms);
    each = terms->increment_us + terms->period_us;
    terms->first_move_us =
        terms->initial_us + each < CLOCK_HOUR ? 60 * CLOCK_SECOND : 3 * CLOCK_DAY;
    terms->vacation = terms->kind == CLOCK_DAYS || each >= CLOCK_DAY;
    clock_take_span(&inner, "first_move", CLOCK_SECOND, CLOCK_SPAN_MAX, &terms->first_move_us);
    json_take_bool(&inner, "vacation", &terms->vacation);
    return json_ok(&inner);
}
