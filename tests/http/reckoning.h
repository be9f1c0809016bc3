/*
 * reckoning.h - what the clock of a game must show, reckoned from the game's story.
 *
 * It is written from the words of api/game/clock.h, by another method than that, and shares no code
 * with api/. It keeps no state: the story is told from its first event each time. It cuts the time
 * at every moment at which something begins or ends, so that the clock either runs or stands still
 * in a whole piece, and it has all of the past before its eyes. The story itself is judged on the
 * way: a timeout must stand at the moment at which time was up, nothing may be done after that,
 * each credit must give what was owed, and a warning must be due and be the only one of its turn.
 *
 * Times are microseconds.
 */
#ifndef PLYD_TESTS_HTTP_RECKONING_H
#define PLYD_TESTS_HTTP_RECKONING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RECKON_SEATS = 3 /* 0 is not used */, RECKON_PLIES = 90 };

enum reckon_kind { RECKON_DAYS, RECKON_FISCHER, RECKON_BYOYOMI };

struct reckon_terms {
    enum reckon_kind kind;
    int64_t initial, increment, max, period, first_move; /* max 0: there is no cap */
    int periods;
    bool vacation;
};

enum reckon_deed_kind {
    RECKON_OTHER, /* changes nothing */
    RECKON_START, /* the game is active from then on */
    RECKON_MOVE,
    RECKON_GO_TO, /* undo and redo */
    RECKON_END,   /* by agreement, by giving up */
    RECKON_TIMEOUT,
    RECKON_CREDIT,
    RECKON_PAUSE,
    RECKON_RESUME,
    RECKON_ADD,
    RECKON_VACATION,
    RECKON_WARNING
};

/* An event. `seat` 0 of RECKON_ADD: both. */
struct reckon_deed {
    enum reckon_deed_kind kind;
    int seat, ply; /* the ply after it */
    int64_t at;
    int64_t from, until; /* of pauses, vacations and credits; until: the deadline of a warning */
    int64_t span;        /* of what is added or credited */
};

struct reckon_gap {
    int64_t from, to;
};

struct reckoned {
    bool goes_on, both_moved;
    int to_move, ply;
    int64_t left[RECKON_SEATS];
    int periods[RECKON_SEATS];
    int running;          /* the seat whose bank runs; 0: none */
    int64_t deadline;     /* 0: the game does not go on */
    int64_t paused_until; /* 0: it is not paused; as the next one */
    int64_t remote_until[RECKON_SEATS];

    /* Of each ply of the present line: what its seat thought, and had left after it. */
    int64_t spent[RECKON_PLIES], left_then[RECKON_PLIES];
    int periods_then[RECKON_PLIES];

    char wrong[256]; /* what cannot be in the story; "": nothing */
};

/* Reckons how a game stands at a time. Its moves alternate, and seat 1 begins. */
void reckon(struct reckoned *result, const struct reckon_terms *terms,
            const struct reckon_deed *deeds, size_t ndeeds, const struct reckon_gap *gaps,
            size_t ngaps, int64_t now);

#endif
