/*
 * live_game.h - a game in memory, ready to be played on.
 *
 * A live game is a copy; the row in PostgreSQL decides. It is filled from a row, carried on by what
 * was written, and dropped when room is needed (cache.h). Everybody in the loop may read it. Only
 * op.c, which knows when, and cache.c call the functions below. A live game belongs to one loop and
 * its thread.
 */
#ifndef PLYD_API_LIVE_LIVE_GAME_H
#define PLYD_API_LIVE_LIVE_GAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "api/game/clock.h"
#include "api/game/offers.h"
#include "api/text/map.h"
#include "db/db.h"
#include "rules/rules.h"

struct op;
struct cache;

struct live_game {
    struct db_game row; /* its texts belong to the live game */
    const struct rules_game *game;
    struct rules_options options;
    struct rules_state *state; /* only as many bytes of it as are in use */
    rules_move last;           /* the last move; none at the start, or if it is not known */
    struct clock *clock;       /* as the row tells it; NULL: it has none */
    struct offers *offers;     /* those that are open; NULL: none (live_offers()) */
    char *shown; /* the game as clients see it, in JSON; NULL until it was asked for */

    /* The keys of the positions of the present line, from ply keys_from to row.ply. */
    uint64_t *keys;
    int32_t keys_from;
    size_t nkeys, keys_size;

    /* Private to op.c. */
    struct op *head, *tail; /* the ops in their order; the first one runs */
    uint32_t timeline;      /* the newest that was known when the row was asked for */
    bool loaded;            /* the row was read and is not known to be stale */
    bool unreadable;        /* the row that was read last could not be read, which was logged */
    bool busy;              /* something was asked of the database, and no op runs */
    int64_t asked;          /* when, on loop->now */
    int64_t confirmed;      /* `asked` of the last answer that agreed with row.version */
    int64_t read;           /* of the last one that agreed with all of the row */

    /* Private to cache.c. */
    struct cache *cache;
    struct map_link link;
    TAILQ_ENTRY(live_game) use;

    /* Private to live_game.c: where the texts of `row` lie. */
    char *texts, *position, *last_move, *timing, *offers_text;
};

/* What an op writes to a live game. It lies in the arena of the op's request and holds until it was
 * written or the step is called again. */
struct live_write {
    struct db_game after;      /* the row as it will be */
    struct rules_state *state; /* the position as it will be; NULL: unchanged */
    rules_move last;           /* the move that leads to it */
    const struct db_event *events;
    size_t count;
    const struct db_answer *answer; /* or NULL */
    bool joins;                     /* the seats change too */
    const struct db_due *dues;      /* are promised with it */
    size_t ndues;

    /* How the keys of the line change: those up to this ply stay, and the new ones follow. */
    int32_t keys_kept_to_ply;
    const uint64_t *new_keys;
    size_t nnew_keys;
};

/* Fills the live game from a row that was read, of which it keeps a copy. False: this program
 * cannot make sense of the row. */
bool live_take(struct live_game *live, const struct db_game *row);

static inline const struct offers *live_offers(const struct live_game *live)
{
    return live->offers == NULL ? &offers_none : live->offers;
}

/* Carries the live game on by what was written. */
void live_apply(struct live_game *live, const struct live_write *write);

/* Appends a key to live->keys. */
void live_push_key(struct live_game *live, uint64_t key);

/* A copy of the game, without its past and its ops, for readers on other threads. */
struct arena;
struct live_game *live_snapshot(const struct live_game *live, struct arena *arena);

/* Copies a row with its texts. */
void live_copy_row(struct arena *arena, const struct db_game *from, struct db_game *to);

void live_free(struct live_game *live);

#endif
