/*
 * channels.h - who follows which game, and how far each was told: the memory of news.c.
 *
 * A game that somebody follows is a channel. Its followers that were told up to the same event and
 * are ready for more are a cohort, and are told together. All of this belongs to one loop and its
 * thread.
 */
#ifndef PLYD_API_TABLE_CHANNELS_H
#define PLYD_API_TABLE_CHANNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/loop/admission.h"
#include "api/table/auth.h"
#include "api/table/news_page.h"
#include "db/db.h"

struct news;
struct stream;

/* RESTING: there is nothing more to tell. TO_READ: its page is to be read. READING: the database
 * was asked. TELLING: it has a page. */
enum cohort_state { RESTING, TO_READ, READING, TELLING };

/* The followers of a game that were told up to the same event and are ready for more. */
struct cohort {
    struct channel *channel;
    struct cohort *next;   /* of the channel */
    struct cohort *behind; /* in the line of those that are to read, or to be told */
    int32_t told;
    enum cohort_state state;
    struct news_page *page;
    struct follower *oldest, *newest;
};

struct follower {
    struct stream *stream;
    struct channel *channel;
    struct cohort *cohort;           /* NULL: its stream is not ready */
    struct follower *older, *newer;  /* of the cohort */
    struct follower *before, *after; /* of the channel */
    int32_t told;
    bool live; /* it was up to date before */
    struct admission_toll toll;
    enum news_form form;
    struct auth_asker asker;
};

/* A game that somebody follows. */
struct channel {
    struct channels *channels;
    db_id id;
    int32_t version; /* the last that is known */
    int32_t checked; /* of a private game: at this version its followers held their seats */
    bool hidden;
    bool looking; /* the database was asked for its version */
    size_t count;
    struct follower *followers;
    struct cohort *cohorts;
    struct channel *chain;
    struct channel *next, *last; /* in the ring */
};

/* Cohorts that wait for their turn. */
struct cohort_line {
    struct cohort *first, *last;
};

struct channels {
    struct news *news; /* whose they are */
    struct channel **bucket;
    size_t nbuckets;      /* a power of two */
    struct channel *ring; /* all of them; the next to be looked up */
    size_t count;
    struct cohort_line to_read, to_tell;
};

/* False if memory is out. */
bool channels_open(struct channels *channels, struct news *news, size_t limit);

/* Frees what there is, after all streams have ended. */
void channels_close(struct channels *channels);

/* ---- channels ---- */

/* NULL: nobody follows the game. */
struct channel *channels_find(const struct channels *channels, db_id id);

/* Makes it if nobody does. Its place in the ring is the last. */
struct channel *channels_of(struct channels *channels, const struct db_game *row);

/* Frees a channel that nothing points to any more. */
void channels_forget_if_unused(struct channel *channel);

/* The game is at this version, at least: cohorts that lack events line up to read them. */
void channels_know(struct channel *channel, int32_t version);

/* ---- cohorts ---- */

void channels_line_up(struct cohort_line *line, struct cohort *cohort);
void channels_line_up_first(struct cohort_line *line, struct cohort *cohort);

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
