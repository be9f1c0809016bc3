/*
 * hooks.h - receivers of players, webhooks and others: what they have to be sent, and what became
 * of it. Requests and replies are as in db.h.
 *
 * What stands here of webhooks holds for every receiver, whatever its kind, unless it says
 * otherwise.
 */
#ifndef PLYD_DB_HOOKS_H
#define PLYD_DB_HOOKS_H

#include "db/db.h"

enum {
    DB_HOOKS_MAX = 5,                                           /* webhooks of a player */
    DB_SUBSCRIPTIONS_MAX = 8,                                   /* receivers of each other kind */
    DB_RECEIVERS_MAX = DB_HOOKS_MAX + DB_SUBSCRIPTIONS_MAX + 1, /* one is an address for mails */
    DB_HOOK_NEWS_MAX = 16,  /* games of a webhook that one db_get_hook_news() tells */
    DB_WAITING_MAX = 1000,  /* up to which games that wait are counted */
    DB_DELIVERIES_MAX = 50, /* of a webhook that are kept */
    DB_SECRET_BYTES = 24,   /* of a webhook */
    DB_P256DH_BYTES = 65,   /* of a receiver to whom messages are encrypted, */
    DB_AUTH_BYTES = 16,     /* as well */
    DB_LANG_TEXT = 16,      /* bytes, with the NUL */
    DB_HOOK_NOT_WEB = 4 /* db_hook.disabled of receivers that are no webhooks, in the database */
};

/* A webhook of a player, or a receiver of another kind, which is never at rest and has what stands
 * at the end. */
struct db_hook {
    db_id id;
    int16_t kind; /* the caller's number; 0: a webhook */
    int64_t created_at;
    const char *url;
    int64_t events; /* those that it wants, as bits of the caller's; 0: all */
    uint8_t secret[DB_SECRET_BYTES];
    uint8_t old_secret[DB_SECRET_BYTES]; /* valid until then; DB_NEVER: there is none */
    int64_t old_until;
    int16_t disabled; /* why it is at rest, the caller's number; 0: it is not */
    int64_t test_at;  /* when a test was asked for that was not sent yet; DB_NEVER: none was */

    /* What became of the attempts. */
    int32_t attempts;      /* ever */
    int32_t took_ms;       /* the last one; -1: there was none */
    int32_t failures;      /* in a row */
    int64_t failing_since; /* DB_NEVER: it is not */
    int64_t retry_at;      /* not before; DB_NEVER: at any time */
    int16_t failure;       /* of the last one, as in struct db_delivery, while it fails; else 0; */
    int16_t status;        /* as well. Both are only read */

    /* Of no webhook. */
    uint8_t p256dh[DB_P256DH_BYTES], auth[DB_AUTH_BYTES];
    char lang[DB_LANG_TEXT];
    int16_t quiet_from, quiet_to; /* minutes of its day; -1: there are none */
    int16_t quiet_offset;         /* minutes by which its day is ahead of that of UTC */
    int16_t digest_minute; /* of its day, at which it is told how many games wait; -1: it is told of
                            * each game */
    int16_t digest_offset; /* as that of `quiet` */
    int64_t digest_at;     /* when that is next; DB_NEVER: never */
    int64_t confirmed_at;  /* DB_NEVER: it was not */
    int32_t waiting;       /* games in which `waits` was noted last (db_delivered), at most
                            * DB_WAITING_MAX; it is only read */
    uint8_t made_by[DB_HASH_BYTES]; /* as it was written (db_hook_write); zeros: nobody knows. It is
                                     * only read */
};

/* A game of which a webhook has something to send: from version `sent` + 1 to `known`. */
struct db_hook_news {
    db_id hook, game;
    int32_t sent; /* -1: nothing, and it is not known yet where it begins */
    int32_t known;
    int64_t since;
    bool waits; /* as it was noted with `sent` */
};

/* An attempt to deliver. */
struct db_delivery {
    int32_t number; /* 1, 2, 3 ... */
    bool has_game;  /* else it was a test */
    db_id game;
    int32_t version;
    int16_t kind; /* of the event */
    int64_t at;   /* when it began */
    int32_t took_ms;
    int16_t status;   /* of the answer; 0: there was none */
    int16_t failure;  /* the caller's number; 0: it was delivered */
    int64_t retry_at; /* DB_NEVER: it is not tried again, or nobody knows when */
};

/* Sets and clears bits of db_game.hooks. `due` (NULL: nothing) is promised with it. */
void db_mark_game(struct db *db, db_id game, int16_t sets, int16_t clears, const struct db_due *due,
                  db_done_callback *done, void *context);

/* A webhook that is made or set, with the answer that shows its secret (or NULL), which is stored
 * under the player's id, and a promise for the player (or NULL). */
struct db_hook_write {
    db_id player;
    const struct db_hook *hook;
    const struct db_answer *answer;
    const struct db_due *due, *also; /* `also` of db_subscribe() alone */
    const uint8_t *token;            /* a hash that a token of the player must have */
    const uint8_t
        *made_by; /* who makes it, or names its URL or secret (db_player_change.ended), or NULL */
    const uint8_t *expected; /* the secret that it must have, unless it is new */
    bool afresh;             /* its failures are forgotten */
};

/* Makes a webhook: id, created_at, url, events, secret. DB_CONFLICT: the id is taken, or the player
 * has DB_HOOKS_MAX, another token, or is not here. Programs that make one for a player at the same
 * moment may exceed the bound by one each. */
void db_create_hook(struct db *db, const struct db_hook_write *write, db_done_callback *done,
                    void *context);

/* Sets url, events, both secrets, old_until, disabled (-1: it stays) and test_at (DB_NEVER: it
 * stays). DB_CONFLICT: it has another secret, or the player another token. DB_NOT_FOUND: there is
 * no such webhook. */
void db_set_hook(struct db *db, const struct db_hook_write *write, db_done_callback *done,
                 void *context);

/* Makes a receiver of another kind, or sets one that has its id: what stands at the end of struct
 * db_hook, `events` and `url` are as given, and its failures are forgotten; but `digest_at` stays
 * if the digest is to come as before. If a test is asked for, created_at is, too. If the URL is
 * another one, so is the secret, and it is not confirmed. `made_by` stays if it is confirmed.
 * `token`, `due` and `also` (or NULL) of the write count. DB_CONFLICT: the player has
 * DB_SUBSCRIPTIONS_MAX others, another token, or is not here. */
void db_subscribe(struct db *db, const struct db_hook_write *write, db_done_callback *done,
                  void *context);

/* Confirms a receiver that has this secret, if it is not yet. It need not be tested any more. `due`
 * is promised with it. DB_NOT_FOUND: there is no such receiver. */
struct db_confirmation {
    db_id player, hook;
    const uint8_t *secret;
    int64_t at;
    const struct db_due *due;
};
void db_confirm_hook(struct db *db, const struct db_confirmation *confirmation,
                     db_done_callback *done, void *context);

/* Deletes a receiver of a kind with all that is known of its deliveries. `due` is promised with it.
 * DB_NOT_FOUND: there is none, or it has another URL. DB_CONFLICT: the player has another token. */
struct db_hook_end {
    db_id player, hook;
    int16_t kind;
    const char *url;      /* NULL: any */
    const uint8_t *token; /* by which a player asks; NULL: it is not asked for by one */
    struct db_due due;
};
void db_delete_hook(struct db *db, const struct db_hook_end *end, db_done_callback *done,
                    void *context);

/* The receivers of a player, of every kind. None is DB_OK; of a player who has left there are none.
 */
void db_get_hooks(struct db *db, db_id player, db_hooks_callback *done, void *context);

/* Notes for all webhooks of a player that a game has come to a version at a time, and promises a
 * look at them (DB_DUE_HOOKS) for that time. Times must differ from call to call. `since` is when
 * it came there: the look has its turn by that, unless older news of the player wait. DB_NOT_FOUND:
 * the player has no webhooks. */
struct db_announcement {
    db_id player, game;
    int32_t version;
    int64_t at, since;
};
void db_announce(struct db *db, const struct db_announcement *announcement, db_done_callback *done,
                 void *context);

/* What webhooks of a player have to send. None is DB_OK. */
void db_get_hook_news(struct db *db, db_id player, db_news_callback *done, void *context);

/* Notes an attempt, and what follows of it for the webhook. DB_NOT_FOUND: there is none, or its URL
 * is another one by now, about which the attempt says nothing. */
struct db_delivered {
    db_id player, hook;
    const char *url;
    int32_t sent; /* the version of the game that it has come to; -1: it stays */
    bool waits;   /* it is the player's move then, as far as the caller wants it counted */
    const struct db_delivery *delivery; /* `number` is not read */
    bool counts;                        /* else there was no attempt: the rest is not read */
    int32_t failures;
    int16_t disabled;  /* 0: it stays as it is */
    bool tests_again;  /* it was a test, and another one is asked for */
    int64_t digest_at; /* when its next digest is told; 0: it stays. It is read in any case */
};
void db_note_delivered(struct db *db, const struct db_delivered *delivered, db_done_callback *done,
                       void *context);

void db_get_deliveries(struct db *db, db_id player, db_id hook, db_deliveries_callback *done,
                       void *context);

/* The private key by which plyd signs for Web Push. If there is none yet, `made` is it from now on.
 */
void db_get_push_key(struct db *db, const struct db_push_key *made, db_push_key_callback *done,
                     void *context);

#endif
