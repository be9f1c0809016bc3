/*
 * event.h - an event of a game's log, as clients see it. Pure; any thread may call this.
 */
#ifndef PLYD_API_VIEW_EVENT_H
#define PLYD_API_VIEW_EVENT_H

#include "api/text/json.h"
#include "db/db.h"

/* Writes an event as an object. */
void view_event(struct json *json, const struct db_event *event);

#endif
