/*
 * wanted_events.h - which events a receiver wants to be told of.
 */
#ifndef PLYD_API_ENDPOINTS_PEOPLE_WANTED_EVENTS_H
#define PLYD_API_ENDPOINTS_PEOPLE_WANTED_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "api/text/json_fields.h"

/* Takes the member "events", words, as bits (db_hook.events). False: it is absent, or was
 * refused. */
bool wanted_events_take(struct json_fields *fields, int64_t *events);

#endif
