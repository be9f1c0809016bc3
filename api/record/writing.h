/*
 * writing.h - what the writers of all formats share: where the text goes, and the record's game
 * played move by move.
 */
#ifndef PLYD_API_RECORD_WRITING_H
#define PLYD_API_RECORD_WRITING_H

#include "api/record/record.h"
#include "api/text/json.h"

struct record_writing {
    struct arena *arena;
    const struct record_format *format;
    const struct record *record;
    struct out *out;   /* the text */
    struct json *json; /* the same text, for formats that are JSON */
    struct record_error *error;
};

/* How a format that has only names calls the player of a seat. NULL: nothing is known. */
const char *record_player(const struct record *record, unsigned seat);

/* Says why this record cannot be written. Returns false. */
bool record_unwritable(struct record_writing *writing, const char *detail);

/* The record's game, move by move. Formats need the position before a move to write it. */
struct record_walk {
    const struct record *record;
    struct rules_state *state; /* before `move`; at the end the last position */
    struct rules_state *next;
    rules_move last, move;
    size_t played; /* moves[played - 1] is the one that record_walk_next() gave */
};

/* False, with an error: the start is not valid. */
bool record_walk_begin(struct record_walk *walk, struct record_writing *writing);

/* The next move. False at the end; or, with an error, if the move is not legal. */
bool record_walk_next(struct record_walk *walk, struct record_writing *writing,
                      const struct record_move **move);

#endif
