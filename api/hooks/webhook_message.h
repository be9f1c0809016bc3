/*
 * webhook_message.h - the body of what is sent to a webhook. Pure.
 *
 * A message is thin: the event as the list of events shows it, with its game. Whoever wants to know
 * how the game stands asks for it. Its id follows from the webhook, the game and the version, so it
 * is the same whenever and by whichever daemon the message is sent.
 */
#ifndef PLYD_API_HOOKS_WEBHOOK_MESSAGE_H
#define PLYD_API_HOOKS_WEBHOOK_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "api/text/arena.h"
#include "db/db.h"
#include "db/hooks.h"

enum { WEBHOOK_MESSAGE_ID_TEXT = 31 }; /* bytes, with the NUL */

/* Kinds of messages that are no events: db_delivery.kind is the kind of an event, or this. */
enum { WEBHOOK_MESSAGE_TEST = 0 };

/* The id of the message about a version of a game; or about the test of this number (game NULL). */
void webhook_message_id(const db_id *hook, const db_id *game, int32_t version,
                        char text[WEBHOOK_MESSAGE_ID_TEXT]);

/* The bodies: {"type":...,"timestamp":...,"data":{...}}. `metadata` are those of the game, or NULL.
 */
const char *webhook_message_event(struct arena *arena, db_id game, const char *metadata,
                                  const struct db_event *event);
const char *webhook_message_test(struct arena *arena, db_id hook, int64_t at);

/* The type of a message: the word of an event, or "test". */
const char *webhook_message_type(int kind);

/* Whether a webhook (db_hook.events) wants events of a kind, or HOOK_WANTS_ENDS. Only one that
 * wants all gets those that a newer program has written. */
bool webhook_message_is_wanted(int64_t events, int kind);

/* ---- signatures ---- */

/* As Standard Webhooks 1.0 defines them: "v1," and the base 64 of an HMAC-SHA256 over
 * "id.timestamp.body". A receiver checks them with the secret. So that is stored as it is, and not
 * as a hash: whoever can read the database can sign in the daemon's name. */

enum {
    WEBHOOK_MESSAGE_SECRET_TEXT = 40,
    WEBHOOK_MESSAGE_SIGNATURE_TEXT = 48
}; /* bytes, with the NUL */

/* A secret as its owner sees it: "whsec_" and its base 64. */
void webhook_message_secret_text(const uint8_t secret[DB_SECRET_BYTES],
                                 char text[WEBHOOK_MESSAGE_SECRET_TEXT]);

/* Signs a body. */
void webhook_message_sign(const uint8_t secret[DB_SECRET_BYTES], const char *id,
                          const char *timestamp, const char *body,
                          char text[WEBHOOK_MESSAGE_SIGNATURE_TEXT]);

#endif
