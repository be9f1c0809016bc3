/*
 * push_message.h - a notice as a request to a push service (RFC 8030), encrypted to the browser
 * (RFC 8291) and with the word of plyd that it is plyd who asks (VAPID, RFC 8292). Pure, but for
 * the random numbers.
 */
#ifndef PLYD_API_HOOKS_PUSH_MESSAGE_H
#define PLYD_API_HOOKS_PUSH_MESSAGE_H

#include <stdint.h>

#include "api/hooks/http_client.h"
#include "api/hooks/notice.h"
#include "api/hooks/web_push.h"
#include "api/text/arena.h"
#include "db/hooks.h"

struct push_sender {
    const struct web_push_key *key;
    const char *contact; /* a URI */
};

/* Sets the body and the headers of a transfer to a receiver at this URL. What the service has of
 * the same game and has not delivered yet, it forgets. `game` NULL: it is a digest. */
void push_message(struct arena *arena, const struct push_sender *sender,
                  const struct db_hook *receiver, const char *url, const db_id *game,
                  const struct notice *notice, int64_t now, struct transfer *transfer);

/* The header Authorization for a push service: the token, and the key by which it is verified. */
const char *push_message_authorization(struct arena *arena, const struct push_sender *sender,
                                       const char *url, int64_t now);

#endif
