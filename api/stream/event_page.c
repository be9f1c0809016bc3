#include "api/stream/event_page.h"

#include <sodium.h>
#include <stdlib.h>

#include "api/game/messages.h"
#include "api/game/words.h"
#include "api/text/arena.h"
#include "api/text/must.h"
#include "api/view/view.h"

enum {
    FULL_BYTES = 8 << 10,
    RETRY_MS = 1000,       /* until a client connects again: so long, */
    RETRY_SPREAD_MS = 2000 /* and up to this longer */
};

/* The data is one line, since JSON of ours has no line ends. */
void event_page_message(struct out out[STREAM_FORMS], const char *id, const char *type,
                        const struct json *data)
{
    out_add(&out[STREAM_SSE], "id: ");
    out_add(&out[STREAM_SSE], id);
    out_add(&out[STREAM_SSE], "\nevent: ");
    out_add(&out[STREAM_SSE], type);
    out_add(&out[STREAM_SSE], "\ndata: ");
    for (int form = 0; form < STREAM_FORMS; form++) {
        out_bytes(&out[form], data->out.text, data->out.len);
        out_add(&out[form], "\n");
    }
    out_add(&out[STREAM_SSE], "\n");
}

/* The id of an event is its version, and nothing else is needed to resume: every daemon goes on
 * behind the version that the client shows. */
static void write_event_in_forms(struct out out[STREAM_FORMS], struct arena *arena,
                                 const struct db_event *event)
{
    struct json json;

    json_init(&json, arena);
    view_event(&json, event);
    event_page_message(out, arena_format(arena, "%d", event->version), words_event(event->kind),
                       &json);
}

/* One form alone is measured, so that a page ends at the same event in both: its followers stand at
 * the same number afterwards, whichever form they take. At least one event is written, however long
 * it is, so `count` must not be 0: a page with `to` 0 would have its followers begin anew. Returns
 * how many were written. */
static size_t write_texts(struct streams *streams, struct arena *arena,
                          const struct db_event *events, size_t count,
                          struct stream_text *text[STREAM_FORMS])
{
    struct out out[STREAM_FORMS];
    size_t written = 0;

    for (int form = 0; form < STREAM_FORMS; form++)
        out_init(&out[form], arena);
    while (written < count && out[STREAM_LINES].len < FULL_BYTES)
        write_event_in_forms(out, arena, &events[written++]);
    for (int form = 0; form < STREAM_FORMS; form++)
        text[form] = stream_text(streams, out[form].text, out[form].len);
    return written;
}

static const unsigned both_seats = 2 | 4; /* seat_bit() of each */

static unsigned reader_of(unsigned seats)
{
    return seats / seat_bit(1);
}

/* What is withheld makes a page shorter, so it ends where the whole one does. */
struct event_page *event_page_new(struct streams *streams, struct arena *arena,
                                  const struct db_event *events, size_t count, bool public)
{
    struct event_page *page = must_zero(sizeof(*page));
    const struct db_event *all = messages_shown(arena, public, both_seats, events, count);

    page->events = write_texts(streams, arena, all, count, page->text[reader_of(both_seats)]);
    page->to = events[page->events - 1].version;
    page->at = events[page->events - 1].at;
    for (unsigned seats = 0; seats < both_seats && !public; seats += seat_bit(1)) {
        const struct db_event *shown = messages_shown(arena, public, seats, events, page->events);

        if (shown != events)
            write_texts(streams, arena, shown, page->events, page->text[reader_of(seats)]);
    }
    arena_reset(arena);
    return page;
}

struct stream_text *event_page_text(const struct event_page *page, enum game_stream_form form,
                                    bool public, unsigned seats)
{
    struct stream_text *own = page->text[reader_of(public ? both_seats : seats)][form];

    return own == NULL ? page->text[reader_of(both_seats)][form] : own;
}

void event_page_free(struct event_page *page)
{
    if (page == NULL)
        return;
    for (int reader = 0; reader < EVENT_PAGE_READERS; reader++)
        for (int form = 0; form < STREAM_FORMS; form++)
            if (page->text[reader][form] != NULL)
                stream_text_release(page->text[reader][form]);
    free(page);
}

void event_page_begin(struct out out[STREAM_FORMS])
{
    out_format(&out[STREAM_SSE], "retry: %u\n\n", RETRY_MS + randombytes_uniform(RETRY_SPREAD_MS));
}

const char *event_page_type(enum game_stream_form form)
{
    static const char *const types[STREAM_FORMS] = {"text/event-stream; charset=utf-8",
                                                    "application/x-ndjson"};

    return types[form];
}

/* A comment of SSE and an empty line are what clients of the two forms skip. Lines of JSON have no
 * comment, so there is nothing in which to say goodbye. */
const struct stream_form *event_page_form(enum game_stream_form form)
{
    static const struct stream_form forms[STREAM_FORMS] = {
        {.beat = ":\n\n", .bye = ": The daemon stops. Connect again.\n\n"},
        {.beat = "\n", .bye = ""}};

    return &forms[form];
}
