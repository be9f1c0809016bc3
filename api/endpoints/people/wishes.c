#include "api/endpoints/people/wishes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/endpoints/people/wanted_events.h"
#include "api/hooks/notice.h"
#include "api/text/lang.h"

enum { LANG_TEXT_MAX = 35, HOUR_TEXT_MAX = 8, OFFSET_MINUTES = 14 * 60 };

/* "22:00" as minutes. -1: it is something else. */
static int read_hour(const char *text)
{
    static const char digits[] = "0123456789";
    int hours, minutes;

    if (strlen(text) != 5 || text[2] != ':' || strspn(text, digits) != 2 ||
        strspn(text + 3, digits) != 2)
        return -1;
    hours = atoi(text);
    minutes = atoi(text + 3);
    return hours < 24 && minutes < 60 ? hours * 60 + minutes : -1;
}

static void take_hour(struct json_fields *fields, const char *name, int16_t *hour)
{
    const char *text;

    if (!json_take_string(fields, name, HOUR_TEXT_MAX, &text)) {
        json_missing(fields, name, "A time of the day is expected, such as \"22:00\".");
        return;
    }
    *hour = (int16_t)read_hour(text);
    if (*hour < 0)
        json_refuse(fields, PROBLEM_BAD_PARAMETER, name,
                    "A time of the day is expected, such as \"22:00\".");
}

static void take_offset(struct json_fields *fields, int16_t *offset)
{
    const char *text;
    int minutes;

    *offset = 0;
    if (!json_take_string(fields, "offset", HOUR_TEXT_MAX, &text))
        return;
    minutes = *text == '+' || *text == '-' ? read_hour(text + 1) : -1;
    if (minutes < 0 || minutes > OFFSET_MINUTES)
        json_refuse(fields, PROBLEM_BAD_PARAMETER, "offset",
                    "The time by which the clocks there are ahead of UTC is expected, such as "
                    "\"+02:00\".");
    *offset = (int16_t)(*text == '-' ? -minutes : minutes);
}

static void take_quiet(struct json_fields *fields, struct db_hook *hook)
{
    struct json_fields quiet;

    if (!json_take_object(fields, "quiet", &quiet))
        return;
    take_hour(&quiet, "from", &hook->quiet_from);
    take_hour(&quiet, "to", &hook->quiet_to);
    take_offset(&quiet, &hook->quiet_offset);
    json_ok(&quiet);
}

static void take_digest(struct json_fields *fields, struct db_hook *hook, int64_t now)
{
    struct json_fields digest;

    if (!json_take_object(fields, "digest", &digest))
        return;
    take_hour(&digest, "at", &hook->digest_minute);
    take_offset(&digest, &hook->digest_offset);
    if (json_ok(&digest))
        hook->digest_at = notice_digest_after(hook, now);
}

/* Pages tell the language of their reader, which may be any. */
static void take_lang(struct json_fields *fields, struct db_hook *hook)
{
    const char *tag = "en";

    json_take_string(fields, "lang", LANG_TEXT_MAX, &tag);
    if (lang_find(tag) == NULL)
        tag = "en";
    snprintf(hook->lang, sizeof(hook->lang), "%s", lang_tag(lang_find(tag)));
}

void wishes_take(struct json_fields *fields, struct db_hook *hook, int64_t now)
{
    hook->events = 0;
    hook->quiet_from = hook->quiet_to = hook->digest_minute = -1;
    hook->digest_at = DB_NEVER;
    wanted_events_take(fields, &hook->events);
    take_quiet(fields, hook);
    take_digest(fields, hook, now);
    take_lang(fields, hook);
}

bool wishes_are(const struct db_hook *hook, const struct db_hook *other)
{
    return hook->events == other->events && strcmp(hook->lang, other->lang) == 0 &&
           hook->quiet_from == other->quiet_from && hook->quiet_to == other->quiet_to &&
           hook->quiet_offset == other->quiet_offset &&
           hook->digest_minute == other->digest_minute &&
           hook->digest_offset == other->digest_offset;
}
