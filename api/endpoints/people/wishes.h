/*
 * wishes.h - what somebody wants to be told of on their phone or by mail, when not, and in which
 * language.
 */
#ifndef PLYD_API_ENDPOINTS_PEOPLE_WISHES_H
#define PLYD_API_ENDPOINTS_PEOPLE_WISHES_H

#include <stdbool.h>

#include "api/text/json_fields.h"
#include "db/hooks.h"

/* Takes the members "events", "quiet", "digest" and "lang". What is absent is as if nothing had
 * been wished. `now` is the time from which on the next digest comes. */
void wishes_take(struct json_fields *fields, struct db_hook *hook, int64_t now);

/* Whether a receiver has the wishes of another one. */
bool wishes_are(const struct db_hook *hook, const struct db_hook *other);

#endif
