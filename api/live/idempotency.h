/*
 * idempotency.h - repeated requests: keys, marks and sealed answers (Idempotency-Key).
 *
 * The same request again gets the first answer.
 *
 * A key is its caller's own (http/caller.h): everything below follows from the key and the caller,
 * so the same key of two callers has nothing in common. Strangers are one caller, and whoever has
 * the key of one can ask as they did; so their key must be long enough to be random where the
 * answer shows a secret.
 *
 * What is needed for that is stored in the same commit as what the request wrote, so either both
 * are there or neither. A write to a game leaves a mark in the game's log, and the answer is
 * composed again from the log (endpoints/games/retries.h). An answer that shows a secret cannot be
 * composed again. It is stored whole, sealed under the client's key, of which only a hash is
 * stored: without the key nobody can read it, not even the owner of the database, unless the key is
 * short enough to be tried out. A token that replaces another one follows from the key itself
 * (idempotency_derive()). Stored answers are forgotten after --answers-days
 * (duty/upkeep.c); marks stay as long as the game.
 *
 * An answer is told again to whoever may send the request now, and to nobody else: first it is
 * judged as the first time, and then told.
 *
 * Only what was done is kept. A refusal did nothing, and the same request may be legal later.
 *
 * A struct idempotency lies in its request's arena, and only the loop's thread uses it.
 */
#ifndef PLYD_API_LIVE_IDEMPOTENCY_H
#define PLYD_API_LIVE_IDEMPOTENCY_H

#include "api/http/request.h"
#include "db/db.h"

enum {
    IDEMPOTENCY_KEY_MAX = 255, /* bytes */
    IDEMPOTENCY_LONG = 16      /* characters, of a key that nobody guesses */
};

struct idempotency {
    struct request *request;
    const char *text;                   /* the key, without quotes */
    uint8_t key[DB_HASH_BYTES];         /* its and the caller's hash: by it the answer is found */
    uint8_t fingerprint[DB_HASH_BYTES]; /* of the request: a key belongs to one request */
    bool checked;                       /* it is known what was stored for it (op.c) */
    bool reused;                        /* for another request, and by no seat of the game (op.c) */
    const struct db_answer *told;       /* the answer that was stored; NULL: none (op.c) */
    struct db_answer answer;            /* what idempotency_seal() and idempotency_mark() return */
};

/* Reads the key alone, for what is repeated by other means; NULL if there is none. False: it is
 * malformed, and the request was answered. */
bool idempotency_text(struct request *request, const char **key);

/* Reads the header. *found is NULL if there is none. False: the key is malformed, or it is a short
 * one of a stranger and the answer will show a secret; the request was answered. */
bool idempotency_read(struct request *request, bool shows_secret, struct idempotency **found);

/* The same for a request that replaces its own token: its key must be long in any case, since it
 * protects the new token from whoever has the old one. */
bool idempotency_read_long(struct request *request, struct idempotency **found);

/* Makes bytes that follow from the key, the token that was shown (of an account: from the account),
 * and the address and the body of the request. So a token that replaces another one need not be
 * stored to be told again: the same request makes it anew, also after the token has ended that it
 * shows, and another request does not. */
void idempotency_derive(const struct idempotency *idempotency, uint8_t *bytes, size_t size);

/* The id of the game or player (`what`) that a creation with this key makes. It follows from the
 * key and the caller, so the same request again finds what the first one made. */
db_id idempotency_made_id(const struct idempotency *idempotency, const char *what);

/* An id of no game and no player, under which an answer is stored that belongs to neither
 * (repeats.h). It follows from the caller: what is stored for one lies together. */
db_id idempotency_own_id(const struct idempotency *idempotency);

/* ---- storing an answer ---- */

/* Seals the answer that is true once the write is done: status, ETag, Location ("" for none) and
 * body, as reply_made() will send them. It lives as long as the request. NULL without a key. */
const struct db_answer *idempotency_seal(struct request *request, struct idempotency *idempotency,
                                         unsigned status, const char *etag, const char *location,
                                         const char *body);

/* The mark that a write to a game leaves in its log. NULL without a key. */
const struct db_answer *idempotency_mark(struct idempotency *idempotency);

/* ---- giving it again ---- */

/* Whether what was stored for the key belongs to the same request. */
bool idempotency_is_same(const struct idempotency *idempotency, const struct db_answer *answer);

/* Answers a request from the stored answer to it. */
void idempotency_replay(struct request *request, const struct idempotency *idempotency,
                        const struct db_answer *answer);

/* Answers a creation whose id is taken: looks up the answer that is stored under that id. */
void idempotency_repeat(struct idempotency *idempotency, db_id id);

/* What is done with the answer that was looked up, or is missing. The context is the struct
 * idempotency. */
db_answer_callback idempotency_on_first;

#endif
