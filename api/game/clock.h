/*
 * clock.h - the time that a game gives its players, as data.
 *
 * Nothing ticks. A clock is its terms, which never change, and a state: what each side has left as
 * of a moment, and since when the side to move is thinking. Everything else follows from these and
 * the present time, which the caller passes in: the database's. Two programs that look at the same
 * state at any time find the same deadline.
 *
 * What counts. The side to move is charged for every moment of its turn at which the clock does not
 * stand still. It stands still while the game waits for its players, during a pause that both
 * agreed to, while the player to move is on vacation (if the terms say so), and in an outage: a
 * time in which no daemon was up. It also does while a computer opponent that thinks is to move,
 * since its search may have to wait for others, or for a processor: such a turn is charged for what
 * the search took of a processor, when that is over (clock_think()). So such an opponent can only
 * run out of time by its own thinking, and has no deadline. Pauses and vacations are part of the
 * state. Outages are not at first: whoever reads a clock passes those that are known, and whoever
 * writes credits them first (clock_credit()). A moment for which two of these hold is given once,
 * in whatever order they become known.
 *
 * What is left. The side to move is out of time at the first moment at which it was charged for all
 * of its bank and its periods. A move at that very moment is too late.
 *
 *     days      A side that has moved has the whole of `initial` for its next move.
 *     fischer   A side that has moved gets the increment, but no more than brings its bank up to
 *               `max`. A bank that is above it anyway is not cut.
 *     byoyomi   The bank is used up first, then one period after the other. A period counts as used
 *               up at its last moment; a move before that costs none.
 *
 * First moves. No bank runs before both sides have moved. Until then the side to move has
 * `first_move` for its move. Its bank is not charged and gets no increment. If it makes none, the
 * game is called off.
 *
 * Undo. A move stores the clock as it was after it, in the data of its event (clock_data()). So an
 * undo or redo gives each side the time that it had when that position arose, and what was added to
 * its time since stays. The side to move begins to think anew; what it thought in between is
 * forgotten. Pauses and vacations stay.
 *
 * Warnings. The side to move is warned once in a turn when its time is nearly over: when a quarter
 * of all the time that it has for the turn is left, or a day if that is less. A turn for which it
 * has less than CLOCK_WARNED_FROM has no warning: nobody leaves such a game for long. Nobody is
 * warned while the clock stands still, and what moves the deadline moves the warning, too. The
 * state keeps only whether it was given.
 *
 * A time may lie a little before one that was given earlier, since the clocks of machines differ.
 * Nothing is charged then.
 *
 * Pure. Times are microseconds since 1970, and before 2255. Spans are microseconds.
 */
#ifndef PLYD_API_GAME_CLOCK_H
#define PLYD_API_GAME_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/text/arena.h"
#include "api/text/json.h"
#include "api/text/json_fields.h"
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
    int64_t max_us; /* an increment never brings the bank above it; CLOCK_SPAN_MAX: no such cap */
    int64_t period_us; /* of CLOCK_BYOYOMI, as the next one */
    int32_t periods;
    int64_t first_move_us;
    bool vacation; /* it stands still while the player to move is on vacation */
};

enum { CLOCK_STILLS = 8, CLOCK_PERIODS_MAX = 100, CLOCK_DAYS_MAX = 365 };

#define CLOCK_SECOND   INT64_C(1000000)
#define CLOCK_HOUR     (3600 * CLOCK_SECOND)
#define CLOCK_DAY      (24 * CLOCK_HOUR)
#define CLOCK_SPAN_MAX (3650 * CLOCK_DAY) /* of any span of the terms */

#define CLOCK_WARNED_FROM (4 * CLOCK_HOUR)

/* Of a seat: index seat - 1. */
struct clock_state {
    int64_t left_us[DB_SEATS];  /* in the bank, before this turn's thinking is taken off */
    int32_t periods[DB_SEATS];  /* that are left */
    int64_t added_us[DB_SEATS]; /* that was ever added to its bank, by agreement */
    unsigned moved;             /* the seats that have moved since the game began (seat_bit()) */
    int64_t since;   /* when the side to move began to think. What lies before it is settled */
    int64_t used_us; /* what it was charged in this turn before `since` */
    bool warned;     /* in this turn, that its time is nearly over */
    int64_t paused_from, paused_until; /* the last pause; 0: there was none */
    int64_t remote_from[DB_SEATS];     /* the last vacation; 0: there was none */
    int64_t remote_until[DB_SEATS];

    /* When else the clock stood still since `since`: outages that were credited, and pauses and
     * vacations before the last one, in any order. If there are too many, the first part of the
     * turn is settled. */
    struct db_span still[CLOCK_STILLS];
    size_t stills;

    int64_t due_at; /* the look that was promised last (struct db_due); 0: none */
};

struct clock {
    struct clock_terms terms;
    struct clock_state state;
    unsigned thinkers; /* the seats of computer opponents that think (seat_bit()) */
};

/* Outages, in order and apart from each other. */
struct clock_gaps {
    const struct db_span *gap;
    size_t count;
};

/* ---- as texts ---- */

/* "days", "fischer", "byoyomi", and back; 0: no kind has that word. */
const char *clock_word(enum clock_kind kind);
enum clock_kind clock_kind(const char *word);

/* Takes the member "clock" of a creation:
 *
 *     kind         further members
 *     "days"       days (1 to 365)
 *     "fischer"    initial (1 s or more), increment (0 or more),
 *                  max (`initial` or more; left out: the larger of the two with an increment of an
 *                  hour or more, else there is no cap)
 *     "byoyomi"    initial (0 or more), period (1 s or more), periods (1 to 100; left out: 1)
 *     each         first_move (left out: 3 days, but a minute if bank and increment or period are
 *                  less than an hour together), vacation (left out: true if the clock gives a day
 *                  or more with each move)
 *
 * False: it is absent, or it was refused (json_refuse). */
bool clock_take(struct json_fields *fields, struct clock_terms *terms);

/* Takes a span as a member: from `least` to `most` microseconds, CLOCK_SPAN_MAX or less. It is a
 * number of seconds, or a text: "90", "1.5", "90s", "10m", "36h", "3d". */
bool clock_take_span(struct json_fields *fields, const char *key, int64_t least, int64_t most,
                     int64_t *span);

/* The terms and the state as they are stored. */
const char *clock_terms_text(struct arena *arena, const struct clock_terms *terms);
const char *clock_state_text(struct arena *arena, const struct clock_state *state);

/* Reads the clock of a row. False: it has none, or it cannot be read. */
bool clock_load(struct arena *arena, const struct db_game *row, struct clock *clock);

/* Sets timing and deadline_at of a row, whose status and to_move must be set. */
void clock_store(struct arena *arena, const struct clock *clock, struct db_game *row);

/* ---- its draft. to_move is the side to move at the time ---- */

/* The clock of a game that nobody has begun, between people. */
void clock_init(struct clock *clock, const struct clock_terms *terms);

/* Looks which seats are computer opponents. clock_load() has done that. */
void clock_know(struct clock *clock, const struct db_game *row);

/* The side to move begins to think: the game became active. */
void clock_start(struct clock *clock, int64_t now);

/* All that the side to move may think in its turn, as of its beginning. */
int64_t clock_budget(const struct clock *clock, int to_move);

/* A computer opponent that is to move has thought for so long. False: it had less time than that,
 * so its time is over. */
bool clock_think(struct clock *clock, int to_move, int64_t us, int64_t now);

/* A seat moves, and the other one begins to think. Returns what it thought about the move. The
 * caller knows that it was in time. */
int64_t clock_move(struct clock *clock, int seat, int64_t now);

/* The side to move stops thinking: the game is over. What it thought is taken off its bank, and
 * returned. */
int64_t clock_stop(struct clock *clock, int to_move, int64_t now);

/* Puts the clock back on (or forward to) a position, also if only the end of the game is undone:
 * `data` is that of the move that led there. The clock is as at the start if that is NULL or has no
 * clock, as a move that was imported. */
void clock_go_to(struct clock *clock, struct arena *arena, const char *data, int64_t now);

/* Reads the clock of a move's data: what was left, who had moved, what had been added. False, and
 * *then as it was: there is none, or it cannot be read. */
bool clock_data_read(struct arena *arena, const char *data, struct clock_state *then);

/* Writes the members "spent_us" and "clock" of a move's data: the clock as it is after the move. */
void clock_data(struct json *json, const struct clock *clock, int64_t spent_us);

/* Begins a pause now, or gives the one that lasts another end. To end it early, `until` is now. */
void clock_pause(struct clock *clock, int to_move, int64_t until, int64_t now);

/* Sets a vacation of the player of a seat. `from` is not later than now. If it is past, what the
 * seat was charged in its present turn since then is taken back, unless that part of the turn is
 * settled. A vacation that begins while the last one lasts goes on with that one and replaces its
 * end. So `until` is now, or the time at which it ended, to end it early. Nothing happens if the
 * terms know no vacations. */
void clock_leave(struct clock *clock, int to_move, int seat, int64_t from, int64_t until,
                 int64_t now);

/* Adds to the bank of a seat, with the kind "days" to its next move (or the present one) alone.
 * Returns what was added: a seat gets no more than CLOCK_SPAN_MAX in a game. */
int64_t clock_add(struct clock *clock, int seat, int64_t span);

/* The outages that the side to move has not been credited, as of now. Returns their length without
 * what the clock stood still in any case, and (unless that is 0) where the first began and the last
 * ended, as far as they lie in this turn. */
int64_t clock_owed(const struct clock *clock, const struct db_game *row,
                   const struct clock_gaps *gaps, int64_t now, struct db_span *owed);

/* Credits them. Nothing is owed then. */
void clock_credit(struct clock *clock, int to_move, const struct clock_gaps *gaps, int64_t now);

/* ---- what it shows ---- */

/* Whether the banks run: both sides have moved. Before, the time for the first move does. */
bool clock_runs(const struct clock *clock);

/* The seat whose bank becomes less at this very moment. 0: none, as the game is not active, the
 * clock stands still, or the banks do not run. */
int clock_running(const struct clock *clock, const struct db_game *row, int64_t now);

/* Until when the side to move has time: the first moment that is too late. DB_NEVER: the game does
 * not go on. */
int64_t clock_deadline(const struct clock *clock, const struct db_game *row,
                       const struct clock_gaps *gaps);

/* When the side to move is to be warned that its time is nearly over, `now` or later. DB_NEVER: it
 * was warned in this turn, its time is too short for that, it is a computer, or the game does not
 * go on. */
int64_t clock_warning(const struct clock *clock, const struct db_game *row,
                      const struct clock_gaps *gaps, int64_t now);

/* What a seat has left at a time, its periods aside. *periods are those that it has left then, the
 * one that it is using up included. */
int64_t clock_left(const struct clock *clock, const struct db_game *row, int seat,
                   const struct clock_gaps *gaps, int64_t now, int32_t *periods);

/* Writes the members of a move that its data tells of the clock: "spent_s" (a record may have told
 * it, too), "left_s" (what its seat had left then) and, with byoyomi, "periods_left". */
void clock_view_move(struct json *json, const char *data, int seat);

/* Writes a clock as an object: the member "clock" of a game. */
void clock_view(struct json *json, const struct clock *clock, const struct db_game *row,
                const struct clock_gaps *gaps, int64_t now);

#endif
