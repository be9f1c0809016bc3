/*
 * players.h - players by their tokens, kept in memory for some seconds.
 *
 * The player whose token a request shows, found before its handler runs.
 *
 * The token names its player, so one look-up by key finds the hashes that tokens of theirs have.
 * Each loop keeps some players in memory, for PLAYERS_FRESH_US. So a token that was replaced, or
 * whose player has left, may be honoured for that long by other loops and daemons than the one that
 * did it. A token that is not the one in memory is looked up in any case. Only players that exist
 * take room there: nobody can fill it with made-up ids. A struct players belongs to one loop and
 * its thread.
 */
#ifndef PLYD_API_LIVE_PLAYERS_H
#define PLYD_API_LIVE_PLAYERS_H

#include "api/http/request.h"
#include "db/db.h"
#include <stdbool.h>

enum { PLAYER_NAME_BYTES = 256 }; /* 64 characters of any script */

#define PLAYERS_FRESH_US (INT64_C(5) * 1000 * 1000)

/* The player of a request: request->player. It lives as long as the request. */
struct player {
    db_id id;
    const char *name;
    int64_t created_at;
    bool hooks;                   /* they have made a webhook once */
    bool unfound;                 /* they are not found by their name */
    const char *about, *picture;  /* as of a struct db_player */
    struct db_joined joined;      /* without its text */
    uint8_t token[DB_HASH_BYTES]; /* the hash of the token by which they ask; by an account,
                                   * auth_account_token() */
    uint8_t own[DB_HASH_BYTES];   /* the hash of their own token, however they ask */
    uint64_t acting;              /* tokens_print() */
};

struct players;

/* The hash of the token by which the database knows whoever asks, who is a player. An account asks
 * in the name of the player's own token: it ends with that. */
const uint8_t *players_stored_token(const struct request *request);

/* Forgets a player who has changed. */
struct loop;
void players_forget(struct loop *loop, db_id id);

/* Answers a request whose player has left, or has another token by now, of which this loop has not
 * heard: a thief of the old one makes and sets nothing that outlives it. */
void players_refuse_old(struct request *request);

/* Sets request->caller, request->player, and request->account if the token is one of an identity
 * provider (accounts.h), whose player is made if need be. NULL: the request has no player's token,
 * or one that no player has, or the player of its account has left. Then `go_on` handles the
 * request: at once, or when the database has said who it is. If the database fails, or the token of
 * an identity provider is not good, the request is answered and `go_on` is not called. A request
 * that has waited is identified anew by it, since the token may have been replaced meanwhile. */
void players_identify(struct request *request, void (*go_on)(struct request *request, void *args),
                      void *args);

/* The same for a request whose `key` is a reader's (auth_reader_of()), wherever it stood: it sees
 * what that one's player sees. NULL, too, if it is none. */
void players_identify_reader(struct request *request, const char *key,
                             void (*go_on)(struct request *request, void *args), void *args);

/* Calls `then` if whoever asks is a player and still is in the database: an answer that shows a
 * secret is not told again to a token that has ended a moment ago. Else the request is answered. */
void players_confirm(struct request *request, void (*then)(struct request *request, void *args),
                     void *args);

#endif
