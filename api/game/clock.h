/*
 * clock.h - the time that a game gives its players, as data.
 *
 * Nothing ticks. A clock is its terms, which never change, and a state: what each side has left as
 * of a moment, and since when the side to move is thinking. Everything else follows from these and
 * the present time, which the caller passes in: the database's. Two programs that look at the same
 * state at any time find the same deadline.
 *
 * A clock stands still while the game waits for its players, during a pause that both agreed to,
 * while the player to move is on vacation, and in an outage: a time in which no daemon was up. The
 * first three are part of the state. Outages are not: whoever reads a clock passes those that are
 * known, and whoever writes credits them first (clock_credit()). A moment for which two of these
 * hold is given once.
 *
 * No bank runs before both sides have moved. Until then the side to move has `first_move` for its
 * move, and if it makes none the game is called off.
 *
 * A move stores the clock as it was after it, in the data of its event (clock_data()). So an undo
 * gives each side the time that it had when that position arose, and what was added to its time
 * since stays; the side to move begins to think anew. What it thought in between is forgotten.
 *
 * Pure. Times are microseconds since 1970, spans are microseconds.
 */
#ifndef PLYD_API_GAME_CLOCK_H
#define PLYD_API_GAME_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/text/arena.h"
#include "api/text/json.h"
#include "api/text/json_read.h"
#include "db/db.h"

enum clock_kind {
    CLOCK_DAYS = 1, /* so long for each move */
    CLOCK_FISCHER,  /* a bank; each move adds to it, up to a cap */
    CLOCK_BYOYOMI   /* a bank; behind it so many periods, of which a move that ends in time costs
                     * none */
};

struct clock_terms {
    enum clock_kind kind;
    int64_t initial_us;   /* the bank at the start; of CLOCK_DAYS: for each move */
    int64_t increment_us; /* of CLOCK_FISCHER, as the next one */
    int64_t max_us;       /* an increment never brings the bank above it */
    int64_t period_us;    /* of CLOCK_BYOYOMI, as the next one */
    int32_t periods;
    int64_t first_move_us;
    bool vacation; /* it stands still while the player to move is on vacation */
};

/* Of a seat: index seat - 1. */
struct clock_state {
    int64_t left_us[DB_SEATS];  /* in the bank, before this turn's thinking is taken off */
    int32_t periods[DB_SEATS];  /* that are left */
    int64_t added_us[DB_SEATS]; /* that was ever added to its bank, by agreement */
    unsigned moved;             /* the seats that have moved since the game began (seat_bit()) */
    int64_t since;              /* when the side to move began to think, or was charged last */
    int64_t used_us;            /* what it thought in this turn before `since`; below 0: credited */
    int64_t paused_until;       /* 0: there was no pause */
    int64_t away_until[DB_SEATS]; /* of a vacation; 0: there was none */
    int64_t credited_to;          /* the end of the last outage that was credited */
    int64_t due_at;               /* the look that was promised last (struct db_due); 0: none */
};

struct clock {
    struct clock_terms terms;
    struct clock_state state;
};

/* Outages, in order and apart from each other. */
struct clock_gaps {
    const struct db_span *gap;
    size_t count;
};

/* ---- as texts ---- */

/* Takes the member "clock" of a creation, whatever its kind. False: it is absent, or it was refused
 * (json_refuse). Spans are seconds as a number, or texts: "90s", "10m", "36h", "3d". */
bool clock_take(struct json_fields *fields, struct clock_terms *terms);

/* Takes a span as a member: from `least` to `most` microseconds. */
bool clock_take_span(struct json_fields *fields, const char *key, int64_t least, int64_t most,
                     int64_t *span);

/* The terms and the state as they are stored. */
const char *clock_terms_text(struct arena *arena, const struct clock_terms *terms);
const char *clock_state_text(struct arena *arena, const struct clock_state *state);

/* Reads the clock of a row. False: it has none, or it cannot be read. */
bool clock_load(struct arena *arena, const struct db_game *row, struct clock *clock);

/* Sets timing and deadline_at of a row. */
void clock_store(struct arena *arena, const struct clock *clock, struct db_game *row);

/* ---- its course: each of these is told the row as it is at the time ---- */

/* The clock of a game that nobody has begun. */
void clock_init(struct clock *clock, const struct clock_terms *terms);

/* The side to move begins to think: the game became active, or goes on after an end was undone. */
void clock_start(struct clock *clock, int64_t now);

/* A seat moves, and the other one begins to think. Returns what it thought about the move. The
 * caller knows that it was in time. */
int64_t clock_move(struct clock *clock, int seat, int64_t now);

/* The side to move stops thinking: the game is over. What it thought is taken off its bank. */
void clock_stop(struct clock *clock, int to_move, int64_t now);

/* Puts the clock back on (or forward to) a position: `data` is that of the move that led there,
 * NULL at the start. */
void clock_go_to(struct clock *clock, struct arena *arena, const char *data, int64_t now);

/* Writes the members "spent_us" and "clock" of a move's data: the clock as it is after the move. */
void clock_data(struct json *json, const struct clock *clock, int64_t spent_us);

/* Begins or ends a pause, a vacation: the clock of the game, or of that seat, stands still from
 * `from` (which may be past) to `until`. To end it early, `until` is now. */
void clock_pause(struct clock *clock, int to_move, int64_t until, int64_t now);
void clock_leave(struct clock *clock, int to_move, int seat, int64_t from, int64_t until,
                 int64_t now);

/* Adds to the bank of a seat. */
void clock_add(struct clock *clock, int seat, int64_t span);

/* The outages that the side to move has not been credited, as of now. Returns their length without
 * what the clock stood still in any case, and (unless that is 0) where the first began and the last
 * ended. clock_credit() then credits that. */
int64_t clock_owed(const struct clock *clock, const struct db_game *row,
                   const struct clock_gaps *gaps, int64_t now, struct db_span *owed);
void clock_credit(struct clock *clock, int64_t credit, const struct db_span *owed);

/* ---- what it shows ---- */

/* Whether the banks run: both sides have moved. Before, the time for the first move does. */
bool clock_runs(const struct clock *clock);

/* Until when the side to move has time. DB_NEVER: the game does not go on. */
int64_t clock_deadline(const struct clock *clock, const struct db_game *row,
                       const struct clock_gaps *gaps);

/* What a seat has left at a time, its periods aside. *periods are those that it has left then. */
int64_t clock_left(const struct clock *clock, const struct db_game *row, int seat,
                   const struct clock_gaps *gaps, int64_t now, int32_t *periods);

/* Writes the members of a move that its data tells of the clock: "spent_s" (a record may have told
 * it, too), "left_s" (what its seat had left then) and, with byoyomi, "periods_left". */
void clock_view_move(struct json *json, const char *data, int seat);

/* Writes the member "clock" of a game, as an object. */
void clock_view(struct json *json, const struct clock *clock, const struct db_game *row,
                const struct clock_gaps *gaps, int64_t now);

#endif
