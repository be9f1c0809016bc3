/*
 * webhook.h - webhooks and their deliveries as their player sees them, as JSON and for a terminal.
 */
#ifndef PLYD_API_VIEW_WEBHOOK_H
#define PLYD_API_VIEW_WEBHOOK_H

#include <stddef.h>
#include <stdint.h>

#include "api/text/json.h"
#include "db/db.h"
#include "db/hooks.h"

/* The address of a webhook. */
const char *view_webhook_url(struct arena *arena, db_id id);

/* A webhook. `secret` is shown only in the answer that gives it; else NULL. An old secret that is
 * over by `now` is not mentioned. */
void view_webhook(struct json *json, const struct db_hook *hook, const char *secret, int64_t now);
const char *view_webhook_text(struct arena *arena, const struct db_hook *hook, const char *secret);

/* An attempt to deliver. `type` is that of the message. */
void view_delivery(struct json *json, const struct db_delivery *delivery, const char *type);
const char *view_delivery_line(struct arena *arena, const struct db_delivery *delivery,
                               const char *type);

#endif
