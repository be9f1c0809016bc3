/*
 * event.h - an event as clients see it.
 *
 * The data of an event is stored with times and spans in microseconds ("until_us", "add_us", "us").
 * Clients see times as `_at`, in RFC 3339, and spans as `_s` or `seconds`.
 */
#ifndef PLYD_API_VIEW_EVENT_H
#define PLYD_API_VIEW_EVENT_H

#include "api/text/arena.h"
#include "api/text/json.h"
#include "db/db.h"

/* Writes an event as an object. */
void view_event(struct json *json, const struct db_event *event);

/* The same of an event among those of several games, with the cursor that goes on behind it. */
void view_feed_event(struct json *json, const struct db_feed *event, const char *cursor);

/* The data of an event as clients see it. */
const char *view_event_data(struct arena *arena, const char *data);

/* An event as a line for people. */
const char *view_event_line(struct arena *arena, const struct db_event *event);

#endif
