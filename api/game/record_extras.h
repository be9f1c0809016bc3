/*
 * record_extras.h - what the events of an imported game keep of its record: headers, comments,
 * times, marks, and how the record tells the ends of its lines.
 *
 * The data of the first event have a member "record": "format", "started_us", "ended_us",
 * "comment", "headers" and "spots"; "end", what is told of the end of the main line, which is at
 * its member "ply", behind the event of its member "version"; and "ends", as a move at ply 0 would
 * have it. Older logs have no such version.
 *
 * The data of a move have "spent_us", "comment", "marks" and "value"; and "ends", what is told of
 * variations that end there: of the one whose last move it is, if anything is told of that, and of
 * those without moves, with their "after". The first one has "stops" if it is that of a line from
 * whose end others go on, and which therefore stays one of its own. Older logs have "end" in its
 * place, for one end, with reason and winner only.
 *
 * An end has "reason" and "winner", if they are known, "word", "spent_us", "comment" and
 * "sentence"; that of the main line also "foul", "foul_move", "result_only" and "silent", but its
 * outcome is that of the game.
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

/* The lines whose ends are told of one place, in the order in which they are read back. `stops`:
 * the first one has moves, and others go on from its end. */
struct told_ends {
    const struct record_line **list;
    size_t n;
    bool stops;
};

/* The data of the first event: what the record says of the game as a whole, whose main line ends
 * behind the event of this version; and of a move. */
const char *record_extras_head(struct kept *kept, const struct record *record, size_t version,
                               const struct told_ends *ends);
const char *record_extras_move(struct kept *kept, const struct record_move *move,
                               const struct told_ends *ends);

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
