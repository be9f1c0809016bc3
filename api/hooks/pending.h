/*
 * pending.h - what a receiver lacks of a game, as the messages that tell it.
 *
 * For a webhook each event is one, a page of them at a time. For a push service, or as a mail, all
 * that came to pass is one notice, or none.
 */
#ifndef PLYD_API_HOOKS_PENDING_H
#define PLYD_API_HOOKS_PENDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/hooks/notice.h"
#include "db/hooks.h"

struct request;

enum { PENDING_MAX = 16 };

struct pending_message {
    int32_t version;
    int16_t kind;
    int64_t at;
    const char *body;     /* to a webhook */
    struct notice notice; /* to others */
};

struct pending {
    struct pending_message message[PENDING_MAX];
    size_t count;
    int32_t upto; /* once these are told, the receiver has come so far */
    bool waits;   /* it is the player's move then; never for a webhook, which is not told that */
};

/* Who lacks what. */
struct pending_of {
    db_id player;
    const struct db_hook *hook;
    struct db_hook_news news;
};

/* Calls done() with what is read; `pending` NULL: the database failed. What it needs and tells is
 * in the request's arena. `of` must stay until then. */
void pending_read(struct request *request, const struct pending_of *of,
                  void (*done)(void *context, const struct pending *pending), void *context);

#endif
