/*
 * course.h - a game being carried on in memory, before it is written: moves of people and the
 * answers of the computer opponent, each with its event and its outcome by every rule.
 */
#ifndef PLYD_API_GAME_COURSE_H
#define PLYD_API_GAME_COURSE_H

#include "api/text/json.h"
#include "db/db.h"
#include "rules/rules.h"

struct job;
struct table;

enum { COURSE_MOVES_MAX = 510 }; /* of one request: they are judged in one go */

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
};

enum course_result {
    COURSE_PLAYED,
    COURSE_REFUSED,   /* *why says it; nothing changed */
    COURSE_NEEDS_KEYS /* the keys back to ply *from, to judge a repetition; nothing changed */
};

/* A game that is about to be created: row and state are filled by the caller. */
void course_new(struct course *course, struct arena *arena, const struct rules_game *game,
                int64_t now);

/* A game in memory. */
void course_of(struct course *course, struct arena *arena, const struct table *table, int64_t now);

/* Plays the text for the side to move and writes the move as an object into `json` (or not, if
 * NULL). `state` must not be over. */
enum course_result course_play(struct course *course, const char *text, struct json *json,
                               struct rules_refusal *why, int32_t *from);

/* Whether a move may follow: the game is not over. */
bool course_goes_on(const struct course *course);

/* Lets the computer opponent move while it is its turn; its moves are elements of `json`. */
enum course_result course_answer(struct course *course, struct json *json, int32_t *from);

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

/* Fills job->write with all of it. */
void course_write(const struct course *course, struct job *job);

#endif
