/*
 * accounts.h - whose the tokens of an identity provider are (identity/jwt.h).
 *
 * An account is what the provider calls `sub`. Its id is a hash of issuer and subject, and one row
 * of the database says which player it is: so it is the same player at every daemon, and of
 * requests that come at once one makes it. Neither of the two texts is stored.
 *
 * An account changes its player only once that one has left or has ended it (people/link.c). So a
 * loop need not ask anew which player an account is, as long as it sees that the account is joined
 * to that player (struct db_joined).
 *
 * Each loop keeps the tokens that it has found good, as hashes, until they expire or the keys of
 * the provider change: to judge a signature again with each request would cost more than all else.
 * Only good ones take room there.
 *
 * A request whose token names a key that is not known waits until the keys were read anew, and only
 * then is told that there is none such. ACCOUNTS_WAITING_MAX of a loop wait at most, and
 * ACCOUNTS_WAITING_EACH of one address; others, and all while the provider is away, get 503 and are
 * told when to come again. A loop's accounts belong to its thread.
 */
#ifndef PLYD_API_LIVE_ACCOUNTS_H
#define PLYD_API_LIVE_ACCOUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "api/http/request.h"
#include "db/db.h"

enum { ACCOUNTS_WAITING_MAX = 256, ACCOUNTS_WAITING_EACH = 16 };

struct lang;

/* The account of a request: request->account. It lives as long as the request. */
struct account {
    db_id id, player;
    int64_t until;    /* its token is good until then, in microseconds of 1970 */
    uint64_t keys;    /* the version of the keys by which it was judged, */
    uint64_t key;     /* and the one that signed it (key_print()) */
    bool is_known;    /* its player was there before; else `name` is what it will be called */
    const char *name; /* or NULL */
    const struct lang *lang;
};

/* Whether a token is one of an account, as far as its form says: where there is a provider. */
bool accounts_take(const struct request *request, const char *token);

/* Sets request->account, and calls `then`: at once, or when the database or the provider has
 * answered. If the token is not good, the request is answered and `then` is not called. */
void accounts_identify(struct request *request, const char *token,
                       void (*then)(struct request *request, void *args), void *args);

/* The player of the request's account is there: the loop remembers the token. */
void accounts_remember(struct request *request, const char *token);

/* The player is this account's no more: the account may be another one by now. It is asked for
 * anew, as by accounts_identify(). */
void accounts_renew(struct request *request, const char *token,
                    void (*then)(struct request *request, void *args), void *args);

#endif
