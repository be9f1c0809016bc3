/*
 * my_tokens.h - what may act as a player, or read for them: their own token, named ones, and an
 * account.
 */
#ifndef PLYD_API_ENDPOINTS_PEOPLE_MY_TOKENS_H
#define PLYD_API_ENDPOINTS_PEOPLE_MY_TOKENS_H

#include <stdbool.h>
#include <stdint.h>

#include "api/endpoints/people/change.h"
#include "api/live/auth.h"

/* The ids of those of which there is one. */
#define MY_TOKENS_TOKEN   "token"
#define MY_TOKENS_ACCOUNT "account"

/* The kind of one that reads. */
#define MY_TOKENS_READER "reader"

/* Whether a text is an id of the list, perhaps of one that has ended. */
bool my_tokens_is_id(const char *id);

/* From where somebody asks, roughly: a part of their address. NULL: it is not known. */
const char *my_tokens_origin(struct request *request);

/* A token that is being made for a player. */
struct new_token {
    const char *name;
    bool reads; /* it is a reader's */
    char text[AUTH_PLAYER_TOKEN_TEXT];
    uint8_t hash[DB_HASH_BYTES];
};

/* Makes its text and hash: from the key, so that the same request makes the same, or at random. */
struct idempotency;
void my_tokens_new(struct new_token *token, db_id player, const struct idempotency *key);

/* Adds it to a player. False: it is there already, or there is no room, and the request was
 * answered. */
bool my_tokens_add(struct change *change, const struct new_token *token);

/* Shows a token that was made: 201. */
void my_tokens_answer(struct change *change, const struct new_token *token);

#endif
