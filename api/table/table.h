/*
 * table.h - a game in memory, ready to be played on. It is a copy: the row in PostgreSQL decides.
 *
 * Only jobs.c, which knows when, calls what changes a table.
 */
#ifndef PLYD_API_TABLE_TABLE_H
#define PLYD_API_TABLE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/db.h"
#include "rules/rules.h"

struct job;
struct tables;
struct wait;

struct table {
    struct db_game row; /* its texts belong to the table */
    const struct rules_game *game;
    struct rules_options options;
    struct rules_state *state; /* only as large as it has to be */
    rules_move last;           /* the last move; none at the start, or where it is not known */
    char *shown;               /* the game as clients see it, in JSON; NULL until somebody asked */

    /* The keys of the positions of the present line, ply keys_from to row.ply. */
    uint64_t *keys;
    int32_t keys_from;
    size_t nkeys, keys_size;

    /* Private to tables.c, jobs.c and waits.c. */
    struct tables *tables;
    struct job *head, *tail;
    struct wait *waiting; /* those who wait for news (waits.h) */
    bool loaded, busy;
    int64_t confirmed; /* asked the database then, and it was at row.version */
    int64_t asked;
    char *texts, *position, *last_move;
    struct table *chain, *newer, *older;
};

/* What is written to a table: made by a job's step, valid until it is written or a new step. */
struct table_write {
    struct db_game after;
    struct rules_state *state; /* the position after it, or NULL: unchanged */
    rules_move last;           /* the move that led to it */
    const struct db_event *events;
    size_t count;
    const struct db_answer *answer;
    bool joins; /* stores the seats too */
    /* The keys of the line: those up to this ply stay, and the new ones follow. */
    int32_t keys_kept_to_ply;
    const uint64_t *new_keys;
    size_t nnew_keys;
};

/* Takes over a row that was read. False: this program cannot play it on. */
bool table_take(struct table *table, const struct db_game *row);

/* Takes over what was written. */
void table_apply(struct table *table, const struct table_write *write);

void table_push_key(struct table *table, uint64_t key);

void table_free(struct table *table);

#endif
