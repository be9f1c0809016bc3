/*
 * player.h - players, their tasks and webhooks as JSON and as texts.
 */
#ifndef PLYD_API_VIEW_PLAYER_H
#define PLYD_API_VIEW_PLAYER_H

#include <stdbool.h>
#include <stdint.h>

#include "api/text/arena.h"
#include "api/text/json.h"
#include "db/db.h"
#include "db/hooks.h"
#include "db/tasks.h"

/* The address of a player. */
const char *view_player_url(struct arena *arena, db_id id);

/* A player, as they see themselves (`own`) or as others do, as JSON. The token is shown only in the
 * answer that gives it; else NULL. */
const char *view_player_json(struct arena *arena, const struct db_player *player, bool own,
                             const char *token);

/* The same for a terminal. */
const char *view_player_text(struct arena *arena, const struct db_player *player,
                             const char *token);

/* ---- tasks, which clients call jobs ---- */

/* The address of a task. */
const char *view_task_url(struct arena *arena, db_id id);

void view_task(struct json *json, const struct db_task *task);
const char *view_task_line(struct arena *arena, const struct db_task *task);

/* ---- webhooks and their deliveries ---- */

/* The address of a webhook. */
const char *view_webhook_url(struct arena *arena, db_id id);

/* A webhook. `secret` is shown only in the answer that gives it; else NULL. An old secret that is
 * over by `now` is not mentioned. */
void view_webhook(struct json *json, const struct db_hook *hook, const char *secret, int64_t now);
const char *view_webhook_text(struct arena *arena, const struct db_hook *hook, const char *secret);

/* The member "events": what a receiver wants, as bits (db_hook.events). */
void view_wanted_events(struct json *json, int64_t events);

/* An attempt to deliver. `type` is that of the message. */
void view_delivery(struct json *json, const struct db_delivery *delivery, const char *type);
const char *view_delivery_line(struct arena *arena, const struct db_delivery *delivery,
                               const char *type);

/* A subscription to Web Push as its player sees it: of its address, which is a secret between the
 * browser and whoever may send there, no more than the host. */
void view_subscription(struct json *json, const struct db_hook *hook, const char *host);

/* The address to which a player's mails go, as they see it. */
void view_mail(struct json *json, const struct db_hook *hook, const char *address);

#endif
