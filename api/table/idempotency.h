/*
 * idempotency.h - Idempotency-Key: the same request again gets the first answer.
 *
 * The answer is stored in the same commit as what it reports. Of the key only a hash is kept, and
 * the answer is sealed under the key itself, since it may show a token: without the key nobody can
 * read it, the database's owner included. Only what was done is kept; a refusal did nothing, and
 * the same request may well be legal later.
 *
 * Whoever repeats a request with its key is shown its answer, a token included. So a key ought to
 * be a random one; a short one is taken all the same, as the contract promises any.
 */
#ifndef PLYD_API_TABLE_IDEMPOTENCY_H
#define PLYD_API_TABLE_IDEMPOTENCY_H

#include "api/http/request.h"
#include "db/db.h"

enum { IDEMPOTENCY_KEY_MAX = 255 };

struct idempotency {
    struct request *request;
    const char *text;
    uint8_t key[DB_HASH_BYTES];
    uint8_t fingerprint[DB_HASH_BYTES];
    bool checked;
    struct db_answer answer;
};

/* Reads the header. *found is NULL without one. False: the key is malformed and was answered. */
bool idempotency_read(struct request *request, struct idempotency **found);

/* The id of the game (`what`), or of the player, that a creation with this key makes: so the second
 * creation finds the first. */
db_id idempotency_made_id(const struct idempotency *idempotency, const char *what);

/* Answers a creation that found what it was to make with what the first one answered; and what is
 * done with that once it was looked up. */
void idempotency_repeat(struct idempotency *idempotency, db_id id);
void idempotency_on_first(void *idempotency, const struct db_reply *reply);

/* Answers a request from what is kept (or refuses a key that was another request's). */
void idempotency_replay(struct request *request, const struct idempotency *idempotency,
                        const struct db_answer *answer);

/* Seals an answer that is about to be true, as reply_made() will send it. NULL without a key. */
const struct db_answer *idempotency_seal(struct request *request, struct idempotency *idempotency,
                                         unsigned status, const char *etag, const char *location,
                                         const char *body);

#endif
