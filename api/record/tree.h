/*
 * tree.h - the variations of a record, by the line and ply that they leave.
 */
#ifndef PLYD_API_RECORD_TREE_H
#define PLYD_API_RECORD_TREE_H

#include "api/record/record.h"
#include "api/text/arena.h"

/* The numbers of all variations. Those that leave line i are line[first[i]] up to, and without,
 * line[first[i + 1]], in the order of the plies at which they leave it. */
struct record_tree {
    size_t *line, *first;
};

struct record_tree record_tree(struct arena *arena, const struct record *record);

/* Joins variations that begin alike: one of them goes as far as they agree, and leaves the other
 * there. Comments of the moves that become one are all kept. A variation that only repeats the
 * beginning of another one is left out. */
void record_tree_join(struct arena *arena, struct record *record);

#endif
