/*
 * token.h - the use case of replacing the token of one's seats.
 *
 * The old token ends at once. So nobody may lose the new one with an answer that never arrives: the
 * request needs an Idempotency-Key, and the new token follows from that key and the old token
 * (idempotency_derive()). The same request again finds that the seat has just that token, and is
 * told it again.
 */
#ifndef PLYD_API_PLAY_TOKEN_H
#define PLYD_API_PLAY_TOKEN_H

#include "api/http/request.h"
#include "api/play/guard.h"
#include "db/db.h"

/* Gives all seats that the asker plays a new token, and answers with it. `guard` must live as long
 * as the request. */
void token_replace(struct request *request, db_id id, const struct guard *guard);

#endif
