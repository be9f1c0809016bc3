/*
 * table.h - the table of positions that a search has visited, of a fixed size.
 *
 * A position has a place in one bucket, chosen by its key. Of the places of a full bucket the one
 * with the least depth is overwritten.
 */
#ifndef PLYD_ENGINE_TABLE_H
#define PLYD_ENGINE_TABLE_H

#include <stddef.h>
#include <stdint.h>

enum { TABLE_PLACES = 4 };

/* What a score says about the true one: it is no less, no more, or the same. */
enum table_bound { TABLE_LOWER = 1, TABLE_UPPER = 2, TABLE_EXACT = 3 };

/* What is known of a position. bound 0: nothing. */
struct table_note {
    uint64_t key;
    int16_t score;
    uint16_t move; /* a hash of the best move; 0: none is known */
    uint8_t depth;
    uint8_t bound;
    uint16_t age; /* table.age when it was written; notes of another age are forgotten */
};

struct table {
    struct table_note *notes;
    size_t mask; /* the number of buckets less one */
    uint16_t age;
};

/* Makes an empty table of the largest power of two of buckets in `bytes`, at least one. */
void table_open(struct table *table, void *memory, size_t bytes);

/* Forgets everything, without a look at the memory as a rule. */
void table_forget(struct table *table);

/* The note about a key; bound 0 if there is none. */
struct table_note table_read(const struct table *table, uint64_t key);

/* Keeps a note; its age is set here. */
void table_write(struct table *table, struct table_note note);

#endif
