/*
 * event_page.h - a page of events, written once as SSE and once as NDJSON for all who read it.
 *
 * A page is written once, and any number of streams send its text. Pages belong to one loop and its
 * thread.
 */
#ifndef PLYD_API_STREAM_EVENT_PAGE_H
#define PLYD_API_STREAM_EVENT_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/net/stream.h"
#include "api/text/json.h"
#include "api/text/out.h"
#include "db/db.h"

/* Server-Sent Events, or JSON objects one a line. */
enum game_stream_form { STREAM_SSE, STREAM_LINES, STREAM_FORMS };

enum {
    EVENT_PAGE_EVENTS = 32, /* that a page is made of, at most */
    EVENT_PAGE_READERS = 4  /* whoever plays no seat, seat 1, seat 2, or both */
};

/* What comes next for the streams that stand at one event. */
struct event_page {
    int32_t to; /* the last of its events */
    size_t events;
    int64_t at;    /* when that happened */
    bool was_read; /* from the database; else this loop wrote it */
    /* As each reads it; NULL: as who plays both seats. */
    struct stream_text *text[EVENT_PAGE_READERS][STREAM_FORMS];
};

/* Adds a message to a text of each form. `id` is what a client shows to go on behind it. */
void event_page_message(struct out out[STREAM_FORMS], const char *id, const char *type,
                        const struct json *data);

/* Writes events down, from the first on, until a page is full: behind the event that reaches 8 KiB.
 * Unless the game is `public`, not everybody reads what the
 * players write to each other (messages.h). The arena is empty before and after. */
struct event_page *event_page_new(struct streams *streams, struct arena *arena,
                                  const struct db_event *events, size_t count, bool public);

/* What is sent of it in a form to whoever plays these seats; of a public game, to anybody as to
 * both. */
struct stream_text *event_page_text(const struct event_page *page, enum game_stream_form form,
                                    bool public, unsigned seats);

/* NULL is fine. */
void event_page_free(struct event_page *page);

/* What streams begin with: how soon the client shall connect again, each at a time of its own, so
 * that a crowd does not come at once. */
void event_page_begin(struct out out[STREAM_FORMS]);

/* The media type of a form, and what streams send by themselves in it. */
const char *event_page_type(enum game_stream_form form);
const struct stream_form *event_page_form(enum game_stream_form form);

#endif
