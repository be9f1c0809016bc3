/*
 * channels.h - games of which somebody wants to hear: their followers and those who wait.
 *
 * Who follows which, how far each was told, and which requests wait for news of it.
 *
 * Such a game is a channel. Its followers that were told up to the same event and are ready for
 * more are a cohort, and are told together (game_stream.c). A write of this loop wakes all at once.
 * For what other loops and daemons write, the versions of all channels are looked up in the
 * database, 256 in a statement (watch.h), but none of them twice for its followers and for those
 * who wait:
 *   - Each game that is followed is looked up twenty times a second if these are few, else four
 *     times; with thousands of games less often, since there are at most forty such statements a
 *     second.
 *   - Each that is only waited for is looked up four times a second.
 * LISTEN and NOTIFY would be faster and cost more. PostgreSQL lets commits that notify happen only
 * one after the other, in the whole database. And since notifications are lost with the connection
 * that listens, the versions would have to be looked up all the same. A look-up costs the writers
 * nothing.
 *
 * A struct channels belongs to one loop and its thread.
 */
#ifndef PLYD_API_STREAM_CHANNELS_H
#define PLYD_API_STREAM_CHANNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "api/live/auth.h"
#include "api/live/op.h"
#include "api/loop/admission.h"
#include "api/stream/event_page.h"
#include "api/stream/long_poll.h"
#include "api/stream/presence.h"
#include "api/stream/token_holders.h"
#include "api/stream/watch.h"
#include "api/text/map.h"
#include "db/db.h"

struct loop;
struct stream;

/* RESTING: there is nothing more to tell. TO_READ: its page is to be read. READING: the database
 * was asked. TELLING: it has a page. */
enum cohort_state { RESTING, TO_READ, READING, TELLING };

/* The followers of a game that were told up to the same event and are ready for more. */
struct cohort {
    struct channel *channel;
    LIST_ENTRY(cohort) beside;   /* of the channel */
    STAILQ_ENTRY(cohort) behind; /* in the line of those that are to read, or to be told */
    int32_t told;
    enum cohort_state state;
    struct event_page *page;
    TAILQ_HEAD(, follower) ready; /* from the one on that is so for longest */
};

struct follower {
    struct stream *stream;
    struct channel *channel;
    struct cohort *cohort; /* NULL: its stream is not ready */
    TAILQ_ENTRY(follower) ready;
    LIST_ENTRY(follower) beside; /* of the channel */
    int32_t told;
    bool live; /* it was up to date before */
    struct admission_toll toll;
    enum game_stream_form form;
    unsigned seats; /* that it holds, as bits, of a game that is not public */
    struct auth_asker asker;
    struct token_holder holder; /* of such a game */
    struct presence presence;
};

struct channel {
    struct channels *channels;
    db_id id;
    int32_t version; /* the last that is known */
    int32_t checked; /* unless it is public: at this version it was known which followers play */
    bool public;     /* it tells everybody everything */
    bool looking;    /* the database was asked for its version */
    size_t count;
    LIST_HEAD(, follower) followers;
    LIST_HEAD(, cohort) cohorts;
    struct wait_list waiting;
    struct watched followed, waited; /* while there are followers, or requests that wait */
    struct map_link link;
};

/* Cohorts that wait for their turn. */
STAILQ_HEAD(cohort_line, cohort);

struct channels {
    struct loop *loop;
    struct map by_id;
    struct watch followed, waited;
    struct cohort_line to_read, to_tell;
};

/* ---- channels ---- */

/* NULL: nobody wants to hear of the game. */
struct channel *channels_find(const struct channels *channels, db_id id);

/* Makes it if nobody does. */
struct channel *channels_need(struct channels *channels, const struct db_game *row);

/* The game is at this version, at least. If that is news, cohorts that lack events line up to read
 * them, and those who wait are woken; the channel may be gone then. */
void channels_know(struct channel *channel, int32_t version);

/* ---- waiting ---- */

/* Part of a step that found nothing new. STEP_OVER: the op was put aside, for op->wait_s seconds
 * at most, and is submitted again then. STEP_GO: it is not to wait (long_poll_begin(),
 * long_poll_hold()); so the step answers. */
enum step channels_wait(struct op *op);
enum step channels_hold(struct op *op);

/* ---- cohorts ---- */

/* NULL: nobody is in the line. */
struct cohort *channels_take_first(struct cohort_line *line);

/* The cohort that was told up to this event, or NULL. */
struct cohort *channels_cohort(struct channel *channel, int32_t told);

/* Frees a cohort without followers that is at rest, and is in no line any more. */
void channels_drop_if_empty(struct cohort *cohort);

/* ---- followers ---- */

/* The follower is ready: it stands with those that were told as far as it was. */
void channels_join(struct follower *follower);

/* It is told, or has gone. */
void channels_leave(struct cohort *cohort, struct follower *follower);

/* It begins to follow the game, or has ended. */
void channels_add(struct channel *channel, struct follower *follower);
void channels_remove(struct follower *follower);

#endif
