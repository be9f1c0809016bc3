/*
 * receivers.h - how webhooks, subscriptions to Web Push and addresses for mails are deleted.
 */
#ifndef PLYD_API_ENDPOINTS_PEOPLE_RECEIVERS_H
#define PLYD_API_ENDPOINTS_PEOPLE_RECEIVERS_H

#include "api/http/request.h"
#include "db/hooks.h"

/* Deletes a receiver, and answers 204, also if it is not there: this very request may have deleted
 * it, and its first answer was lost. All but the promise of `end` is set. */
void receivers_delete(struct request *request, const struct db_hook_end *end);

/* The same for the player who asks. */
void receivers_delete_mine(struct request *request, db_id id, int16_t kind);

#endif
