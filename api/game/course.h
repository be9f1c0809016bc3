/*
 * course.h - a game being carried on in memory, before it is written: moves of people and the
 * answers of the computer opponent, each with its event and its outcome by every rule.
 */
#ifndef PLYD_API_GAME_COURSE_H
#define PLYD_API_GAME_COURSE_H

#include "api/text/arena.h"
#include "db/db.h"
#include "rules/rules.h"

enum { COURSE_MOVES_MAX = 510 }; /* of one request: they are judged in one go */

/* A move that was played. `before` is the position it was played in, `last` the move before it. */
struct course_move {
    const struct rules_game *game;
    const struct rules_state *before;
    rules_move last, move;
    int32_t ply, line;
    int seat;
    int64_t at;
};

struct course {
    struct arena *arena;
    const struct rules_game *game;
    struct db_game row;       /* as it is after the moves so far */
    struct rules_state state; /* the same */
    rules_move last;          /* the move before the next one; none if it is not known */
    int64_t now;
    uint64_t *keys; /* of the line's positions from keys_from on; the last is the present one */
    size_t nkeys, keys_size;
    int32_t keys_from;
    struct db_event *events;
    size_t nevents;
    size_t old_keys;  /* how many of the keys were there at the beginning */
    int32_t kept_ply; /* the positions up to this ply stay as they are in memory */
    unsigned seats;   /* those of who asks, as bits from 1 on */
    bool joins;       /* the seats change too */
    bool dry_run;     /* to be shown only, and never written */

    /* Told each move once it was played; NULL: nobody is. */
    void (*played)(void *context, const struct course_move *move);
    void *context;
};

/* A move that is known to be legal, and what it leads to. */
struct course_step {
    const char *text;             /* canonical */
    const char *position;         /* after it */
    uint64_t key;                 /* of that position */
    struct rules_outcome outcome; /* of it, by every rule */
    int seat, to_move;            /* whose move it is, and whose turn it is then */
};

enum course_result {
    COURSE_PLAYED,
    COURSE_REFUSED,   /* *why says it; nothing changed */
    COURSE_NEEDS_KEYS /* the keys back to ply *from, to judge a repetition; nothing changed */
};

/* A game that is about to be created: row and state are filled by the caller. */
void course_new(struct course *course, struct arena *arena, const struct rules_game *game,
                int64_t now);

/* Plays the text for the side to move. The game must go on. */
enum course_result course_play(struct course *course, const char *text, struct rules_refusal *why,
                               int32_t *from);

/* Adds a move that was played elsewhere, with its key and event, which is returned. The state and
 * the last move are the caller's. */
struct db_event *course_add(struct course *course, const struct course_step *step);

/* Whether a move may follow: the game is not over. */
bool course_goes_on(const struct course *course);

/* Lets the computer opponent move while it is its turn. */
enum course_result course_answer(struct course *course, int32_t *from);

/* Puts the course on a position of its line that was played before; `move` led to it, NULL for the
 * start. The keys and how that position ends the game are the caller's. False: it cannot be read.
 */
bool course_go_to(struct course *course, const struct rules_options *options, int32_t ply,
                  const struct db_event *move);

void course_push_key(struct course *course, uint64_t key);

/* Another event. Counts the version up; the rest of the row is the caller's. */
struct db_event *course_event(struct course *course, int kind, int seat);

/* Sets status, winner and reason to how the present position ends the game, if it does. */
void course_judge(struct course *course, const struct rules_history *history);

/* The same with an outcome that is known. */
void course_end(struct course *course, const struct rules_outcome *outcome);

/* The same for a position that was gone back (or on) to, whose key is the last of the keys. */
void course_rejudge(struct course *course);

#endif
