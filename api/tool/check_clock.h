/*
 * check_clock.h - the clock of a stored game, gone through event by event (commands.h).
 *
 * It keeps what clock.h says in another way, so as not to repeat its mistakes: for the present turn
 * a list of all spans in which the clock stood still, and for each ply of the line what both sides
 * had left there. What a turn was charged is the time since it began, without these spans.
 *
 * A game that was imported may have a log with another clock's events in it. Its own clock begins
 * with the last "resumed" event that says so ("begins"). Any other clock begins with the game.
 * Moves that the game was made with took nobody's time.
 */
#ifndef PLYD_API_TOOL_CHECK_CLOCK_H
#define PLYD_API_TOOL_CHECK_CLOCK_H

#include "api/game/event_data.h"
#include "api/text/arena.h"
#include "api/tool/mismatch.h"
#include "db/db.h"
#include "db/scan.h"

struct check_clock;

/* The clock of a game as it is before the first event. *clock is NULL if the game has none. False:
 * its terms or its state cannot be read. */
bool check_clock_begin(struct arena *arena, struct mismatch *mismatch,
                       const struct db_scan_game *stored, struct check_clock **clock);

/* Goes through an event. Before it, `to_move` was to move, and the game was over or not. After it,
 * it is over or not. */
struct check_clock_turn {
    int to_move;
    bool went_on, goes_on;
};
bool check_clock_event(struct check_clock *clock, const struct db_event *event,
                       const struct event_data_write *data, struct check_clock_turn turn);

/* Compares the clock after the last event with the row. */
bool check_clock_row(struct check_clock *clock);

#endif
