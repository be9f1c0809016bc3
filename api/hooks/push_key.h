/*
 * push_key.h - the key pair by which push services know this plyd (VAPID, RFC 8292).
 *
 * It is one for all daemons, stands in the database, and is made when it is first asked for. Each
 * loop keeps it from then on. Subscriptions are bound to it, so it stays as long as they do.
 */
#ifndef PLYD_API_HOOKS_PUSH_KEY_H
#define PLYD_API_HOOKS_PUSH_KEY_H

#include "api/hooks/web_push.h"
#include "api/text/arena.h"
#include "db/hooks.h"

struct loop;

/* The key. NULL: the loop does not know it yet. Then it asks db_get_push_key() with one that it has
 * made, and learns which it is. NULL of that: what is stored is no key. */
const struct web_push_key *push_key_known(const struct loop *loop);
struct db_push_key push_key_make(void);
const struct web_push_key *push_key_learn(struct loop *loop, const struct db_push_key *stored);

/* Its public key, as browsers want it (applicationServerKey): base64url. */
const char *push_key_text(struct arena *arena, const struct web_push_key *key);

#endif
