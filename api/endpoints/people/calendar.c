#include "api/endpoints/people/calendar.h"

#include <string.h>
#include <time.h>

#include "api/game/clock.h"
#include "api/game/ids.h"
#include "api/text/lang.h"

enum { LINE_BYTES = 75 }; /* of a line, without its end */

/* ---- lines ---- */

static bool is_inside(char byte)
{
    return (byte & 0xc0) == 0x80; /* of a character of UTF-8 */
}

/* Writes a line. What is longer goes on in the next one, behind a blank that belongs to it. */
static void put_line(struct out *out, const char *text)
{
    size_t room = LINE_BYTES;

    while (strlen(text) > room) {
        size_t len = room;

        while (len > 0 && is_inside(text[len]))
            len--;
        out_bytes(out, text, len);
        out_add(out, "\r\n ");
        text += len;
        room = LINE_BYTES - 1;
    }
    out_add(out, text);
    out_add(out, "\r\n");
}

/* A text as the value of a property. */
static const char *escaped(struct arena *arena, const char *text)
{
    struct out out;

    out_init_short(&out, arena);
    for (; *text != '\0'; text++) {
        if (strchr("\\;,", *text) != NULL)
            out_add(&out, "\\");
        if (*text == '\n')
            out_add(&out, "\\n");
        else if ((unsigned char)*text >= ' ')
            out_bytes(&out, text, 1);
    }
    return out.text;
}

static void text_line(struct out *out, const char *property, const char *text)
{
    put_line(out, arena_format(out->arena, "%s:%s", property, escaped(out->arena, text)));
}

static void time_line(struct out *out, const char *property, int64_t us)
{
    time_t seconds = (time_t)(us / CLOCK_SECOND);
    char text[24];
    struct tm utc;

    gmtime_r(&seconds, &utc);
    strftime(text, sizeof(text), "%Y%m%dT%H%M%SZ", &utc);
    put_line(out, arena_format(out->arena, "%s:%s", property, text));
}

/* ---- the calendar ---- */

/* Clients that heed it ask again after an hour: deadlines are hours away, or people look. */
void calendar_open(struct out *out, const struct lang *lang)
{
    put_line(out, "BEGIN:VCALENDAR");
    put_line(out, "VERSION:2.0");
    put_line(out, "PRODID:-//plyd//deadlines//EN");
    put_line(out, "METHOD:PUBLISH");
    text_line(out, "NAME", lang_word(lang, "your-deadlines"));
    text_line(out, "X-WR-CALNAME", lang_word(lang, "your-deadlines"));
    put_line(out, "REFRESH-INTERVAL;VALUE=DURATION:PT1H");
    put_line(out, "X-PUBLISHED-TTL:PT1H");
}

/* It is rung when a quarter of the time is left that there was when the turn began, and a day
 * before at the most: when streams and webhooks warn. */
static void add_alarm(struct out *out, const char *summary, int64_t span_us)
{
    int64_t before = span_us / 4 < CLOCK_DAY ? span_us / 4 : CLOCK_DAY;

    put_line(out, "BEGIN:VALARM");
    put_line(out, "ACTION:DISPLAY");
    put_line(out, arena_format(out->arena, "TRIGGER:-PT%dM", (int)(before / (60 * CLOCK_SECOND))));
    text_line(out, "DESCRIPTION", summary);
    put_line(out, "END:VALARM");
}

void calendar_add(struct out *out, const struct game_view *view, const char *url)
{
    struct arena *arena = out->arena;
    int64_t deadline =
        view->clock == NULL ? DB_NEVER : clock_deadline(view->clock, view->row, &view->gaps);
    const char *summary;
    char id[IDS_TEXT];

    if (deadline == DB_NEVER)
        return;
    ids_text(view->row->id, id);
    summary = lang_fill(arena, view->lang, "your-move", "game", view_against(arena, view), NULL);
    put_line(out, "BEGIN:VEVENT");
    put_line(out, arena_format(arena, "UID:%s-%d-%d@plyd", id, view->row->line, view->row->ply));
    put_line(out, arena_format(arena, "SEQUENCE:%d", view->row->version));
    time_line(out, "DTSTAMP", view->row->updated_at);
    time_line(out, "DTSTART", deadline);
    put_line(out, "TRANSP:TRANSPARENT");
    text_line(out, "SUMMARY", summary);
    text_line(out, "DESCRIPTION", url);
    put_line(out, arena_format(arena, "URL:%s", url));
    add_alarm(out, summary, deadline - view->row->last_at);
    put_line(out, "END:VEVENT");
}

void calendar_close(struct out *out)
{
    put_line(out, "END:VCALENDAR");
}
