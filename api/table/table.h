/*
 * table.h - what a table holds: the row with its texts, the position, the keys. Only tables.c,
 * which knows when, calls what changes one.
 */
#ifndef PLYD_API_TABLE_TABLE_H
#define PLYD_API_TABLE_TABLE_H

#include "api/table/tables.h"

/* The game of a row, its options and its position. NULL: this program cannot read them. */
const struct rules_game *row_position(const struct db_game *row, struct rules_options *options,
                                      struct rules_state *state);

/* Takes over a row that was read. False: it cannot be played on, which is logged elsewhere. */
bool table_take(struct table *table, const struct db_game *row);

/* Takes over what was written. */
void table_apply(struct table *table, const struct job_write *write);

void table_push_key(struct table *table, uint64_t key);

void table_free(struct table *table);

#endif
