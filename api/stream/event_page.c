#include "api/stream/event_page.h"

#include <sodium.h>
#include <stdlib.h>

#include "api/game/words.h"
#include "api/text/arena.h"
#include "api/text/must.h"
#include "api/view/event.h"

enum {
    FULL_BYTES = 8 << 10,
    RETRY_MS = 1000,       /* until a client connects again: so long, */
    RETRY_SPREAD_MS = 2000 /* and up to this longer */
};

/* The data is one line, since JSON of ours has no line ends. */
void news_page_message(struct out out[NEWS_FORMS], const char *id, const char *type,
                       const struct json *data)
{
    out_add(&out[NEWS_SSE], "id: ");
    out_add(&out[NEWS_SSE], id);
    out_add(&out[NEWS_SSE], "\nevent: ");
    out_add(&out[NEWS_SSE], type);
    out_add(&out[NEWS_SSE], "\ndata: ");
    for (int form = 0; form < NEWS_FORMS; form++) {
        out_bytes(&out[form], data->out.text, data->out.len);
        out_add(&out[form], "\n");
    }
    out_add(&out[NEWS_SSE], "\n");
}

static void write_event(struct out out[NEWS_FORMS], struct arena *arena,
                        const struct db_event *event)
{
    struct json json;

    json_init(&json, arena);
    view_event(&json, event);
    news_page_message(out, arena_format(arena, "%d", event->version), words_event(event->kind),
                      &json);
}

struct news_page *news_page_new(struct streams *streams, struct arena *arena,
                                const struct db_event *events, size_t count)
{
    struct news_page *page = must_zero(sizeof(*page));
    struct out out[NEWS_FORMS];

    for (int form = 0; form < NEWS_FORMS; form++)
        out_init(&out[form], arena);
    while (page->events < count && out[NEWS_LINES].len < FULL_BYTES) {
        const struct db_event *event = &events[page->events++];

        write_event(out, arena, event);
        page->to = event->version;
        page->at = event->at;
    }
    for (int form = 0; form < NEWS_FORMS; form++)
        page->text[form] = stream_text(streams, out[form].text, out[form].len);
    arena_reset(arena);
    return page;
}

void news_page_free(struct news_page *page)
{
    if (page == NULL)
        return;
    for (int form = 0; form < NEWS_FORMS; form++)
        stream_text_release(page->text[form]);
    free(page);
}

void news_page_begin(struct out out[NEWS_FORMS])
{
    out_format(&out[NEWS_SSE], "retry: %u\n\n", RETRY_MS + randombytes_uniform(RETRY_SPREAD_MS));
}

const char *news_page_type(enum news_form form)
{
    static const char *const types[NEWS_FORMS] = {"text/event-stream; charset=utf-8",
                                                  "application/x-ndjson"};

    return types[form];
}

const struct stream_form *news_page_form(enum news_form form)
{
    static const struct stream_form forms[NEWS_FORMS] = {
        {.beat = ":\n\n", .bye = ": The daemon stops. Connect again.\n\n"},
        {.beat = "\n", .bye = ""}};

    return &forms[form];
}
