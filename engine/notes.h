/*
 * notes.h - what the table of positions says to a search, and what a search tells it.
 */
#ifndef PLYD_ENGINE_NOTES_H
#define PLYD_ENGINE_NOTES_H

#include "engine/search.h"

/* The note about the position in frame[ply], and its score as seen from the root. */
struct table_note notes_read(const struct engine *engine, unsigned ply, int32_t *score);

/* Whether a note with that score saves a search to a depth within a window. */
bool notes_decide(struct table_note note, int32_t score, int depth, int32_t alpha, int32_t beta);

/* Notes what a search of the position in frame[ply] found: `best` is its best move, if it is better
 * than `alpha`. */
void notes_keep(struct engine *engine, unsigned ply, int depth, int32_t score, int32_t alpha,
                int32_t beta, rules_move best);

#endif
