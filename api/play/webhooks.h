/*
 * webhooks.h - what players do with their webhooks: make, change, test and delete them, take
 * another secret, look at what was delivered.
 *
 * Everything is for the player who asks. What is sent, and when, is the business of hooks/.
 */
#ifndef PLYD_API_PLAY_WEBHOOKS_H
#define PLYD_API_PLAY_WEBHOOKS_H

#include <stdbool.h>
#include <stdint.h>

#include "api/http/request.h"
#include "db/db.h"

/* What a request wants of a webhook. */
struct webhook_wish {
    const char *url; /* checked by transfers_url_fault(); NULL: it stays */
    bool has_events;
    int64_t events; /* bits of what is wanted (words_hook_wish()); 0: all */
    bool has_enabled, enabled;
};

/* Each answers the request. */
void webhooks_create(struct request *request, const struct webhook_wish *wish);
void webhooks_list(struct request *request);
void webhooks_show(struct request *request, db_id id);
void webhooks_change(struct request *request, db_id id, const struct webhook_wish *wish);
void webhooks_delete(struct request *request, db_id id);
void webhooks_test(struct request *request, db_id id);
void webhooks_rotate(struct request *request, db_id id);
void webhooks_deliveries(struct request *request, db_id id);

#endif
