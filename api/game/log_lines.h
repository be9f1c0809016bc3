/*
 * log_lines.h - the tree of lines of a game, from its log.
 *
 * The numbers of lines tell when they were begun. The tree tells where: the same moves from the
 * start on are one branch of it, however often they were played.
 */
#ifndef PLYD_API_GAME_LOG_LINES_H
#define PLYD_API_GAME_LOG_LINES_H

#include "api/text/arena.h"
#include "db/db.h"

/* A line from where it leaves another one to its end. */
struct log_line {
    size_t parent; /* the line that it leaves, by its place in the list; a smaller one */
    int32_t ply;   /* the last one that it shares with that */
    size_t *moves; /* the moves behind that ply, as indices of the log */
    size_t nmoves;
};

/* The lines of a log of all events of a game. The first one is the present line up to the ply
 * `end`, which it has; the moves beyond it are a line that leaves it there. Lines that leave one
 * line come in the order of plies, and at one ply in the order in which they were played. Lines are
 * left out behind the first one with which there would be more than `most` moves beside those of
 * the present line. A line other than the present one ends behind the move `i` of the log if
 * stops[i], so that what goes on from there is another line (NULL: nothing stops). Returns how many
 * there are. */
size_t log_lines(struct arena *arena, const struct db_event *events, size_t count, int32_t end,
                 size_t most, const bool *stops, struct log_line **lines);

/* Where the game stands on that tree after each event: the event of the move that it has come by,
 * by its index in the log, as log_lines() lists it; 0 at the start. */
size_t *log_places(struct arena *arena, const struct db_event *events, size_t count);

#endif
