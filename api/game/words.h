/*
 * words.h - the numbers that are stored of a game, and the words that clients see for them.
 *
 * The database keeps states, kinds and settings as small numbers, most of which db/ does not
 * understand. They are never renumbered, and never shown: what clients see are the words.
 */
#ifndef PLYD_API_GAME_WORDS_H
#define PLYD_API_GAME_WORDS_H

#include <stdbool.h>

#include "api/text/arena.h"

#include "db/db.h"
#include "db/tasks.h"

enum {
    STATUS_OPEN = DB_STATUS_OPEN, /* a seat is open, or kept for a player */
    STATUS_ACTIVE = DB_STATUS_ACTIVE,
    STATUS_FINISHED = DB_STATUS_FINISHED,
    STATUS_ABORTED
};

enum {
    SEAT_OPEN = 1,
    SEAT_TAKEN,
    SEAT_ENGINE,
    SEAT_CHALLENGED = DB_SEAT_CHALLENGED /* it is kept for a player (row.h) */
};
enum { UNDO_FREE = 1, UNDO_CONSENT, UNDO_NEVER };
enum {
    VISIBILITY_PUBLIC = DB_VISIBILITY_PUBLIC,
    VISIBILITY_UNLISTED = DB_VISIBILITY_UNLISTED,
    VISIBILITY_PRIVATE = DB_VISIBILITY_PRIVATE
};

enum event_kind {
#define EVENT(number, kind, word, seat, form) EVENT_##kind = number,
#include "api/record/events.def"
#undef EVENT
};
enum {
    EVENT_KINDS = 1
#define EVENT(number, kind, word, seat, form) +1
#include "api/record/events.def"
#undef EVENT
};
_Static_assert((int)EVENT_MOVE == (int)DB_EVENT_MOVE &&
                   (int)EVENT_TIMEOUT == (int)DB_EVENT_TIMEOUT &&
                   (int)EVENT_MESSAGE == (int)DB_EVENT_MESSAGE &&
                   (int)EVENT_DEADLINE == (int)DB_EVENT_DEADLINE,
               "db finds moves, and counts what is news");

/* What a webhook may want, as bits (db_hook.events): each kind of event, and those events that end
 * a game, whatever their kind. */
enum { HOOK_WANTS_ENDS = 0 };

/* Kinds of work that is due (struct db_due). */
enum due_kind {
#define DUE(number, kind, word, keep, takes_long) DUE_##kind = number,
#include "api/game/dues.def"
#undef DUE
};
_Static_assert((int)DUE_NEWS == (int)DB_DUE_NEWS && (int)DUE_HOOKS == (int)DB_DUE_HOOKS &&
                   (int)DUE_POSITIONS == (int)DB_DUE_POSITIONS,
               "db promises and settles these itself");

/* Kinds of tasks (db_task.kind), and their states. */
enum task_number { TASK_IMPORT = 1, TASK_ANALYSIS };
enum { TASK_KINDS = TASK_ANALYSIS + 1 };
enum {
    TASK_INCOMING = DB_TASK_INCOMING,
    TASK_WAITING,
    TASK_RUNNING,
    TASK_DONE = DB_TASK_OVER,
    TASK_FAILED,
    TASK_CANCELLED,
    TASK_STATES
};

/* Kinds of receivers (db_hook.kind). */
enum { HOOK_WEB, HOOK_PUSH, HOOK_MAIL };

/* Why a webhook is at rest (db_hook.disabled). */
enum { HOOK_ENABLED, HOOK_STOPPED, HOOK_GONE, HOOK_FAILING };

/* Why an attempt to deliver has failed (db_delivery.failure). */
enum hook_failure {
    HOOK_DELIVERED,
    HOOK_STATUS,     /* the answer's status is no 2xx */
    HOOK_NAME,       /* the name has no address */
    HOOK_ADDRESS,    /* the address is none of the public internet */
    HOOK_CONNECTION, /* nobody is there */
    HOOK_TLS,
    HOOK_TIMEOUT,
    HOOK_ANSWER, /* the answer is broken */
    HOOK_FAILURES
};

/* The seats that somebody plays, as bits: seat 1 is bit 1, seat 2 is bit 2. 0: none. */
enum { SEATS_BOTH = 6 };
static inline unsigned seat_bit(int seat)
{
    return 1U << seat;
}

/* Whether a game is not over: it is played, or waits for somebody to join. */
static inline bool status_goes_on(int status)
{
    return status == STATUS_OPEN || status == STATUS_ACTIVE;
}

/* The word of a number: "active", "taken", "consent", "public", "move". "unknown" if it is none of
 * the above, since a newer program has written it. The text is static. */
const char *words_status(int status);
const char *words_seat(int state);
const char *words_undo(int undo);
const char *words_visibility(int visibility);
/* Also what a webhook wants: "ended". */
const char *words_event(int kind);
const char *words_hook(int disabled);
const char *words_task_kind(int kind);
const char *words_task_state(int state);
const char *words_hook_failure(int failure);
const char *words_due(int kind);

/* The number of an event's word. 0: no kind of event has that word. */
int words_event_kind(const char *word);

/* The number of what a webhook may want, by its word. -1: nothing has that word. */
int words_hook_wish(const char *word);

/* A sentence that helps somebody who wrote a word that is no event's (suggest.h), or that is
 * nothing that a webhook may want. */
const char *words_nearest_event(struct arena *arena, const char *word);
const char *words_nearest_wish(struct arena *arena, const char *word);

#endif
