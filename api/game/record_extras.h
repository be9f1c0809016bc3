/*
 * record_extras.h - what the events of an imported game keep of its record: headers, comments,
 * times.
 *
 * headers, comments, times, marks, and how the record tells its end.
 */
#ifndef PLYD_API_GAME_RECORD_EXTRAS_H
#define PLYD_API_GAME_RECORD_EXTRAS_H

#include "api/game/draft.h"
#include "api/record/record.h"
#include "api/text/json.h"

/* Where the data are written down. */
struct kept {
    struct arena *arena;
    struct json json; /* each event's data is written here first */
};

void record_extras_init(struct kept *kept, struct arena *arena);

/* The data of the first event: what the record says of the game as a whole. */
const char *record_extras_head(struct kept *kept, const struct record *record);

/* The data of a move; the last one of a variation has what is said of that one's end, others NULL.
 */
const char *record_extras_move(struct kept *kept, const struct record_move *move,
                               const struct record_outcome *outcome);

/* The data of the event that ends the game. */
const char *record_extras_end(struct kept *kept, const struct record *record);

/* ---- copies ---- */

/* Of a move's data only what is said of the move itself: its comment, the end of its line, and its
 * time, if that is wanted. */
const char *record_extras_notes(struct arena *arena, const char *data, bool time);

/* Takes out of the draft's moves what they tell of the clock that they were played with, but for
 * the time that was spent. So a clock of the copy's own gives nobody the time of the old one when a
 * move is undone. */
void record_extras_forget_clock(struct draft *draft);

#endif
