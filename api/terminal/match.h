/*
 * match.h - a game in memory, with undo and redo.
 *
 * A match is what a game is everywhere in plyd: a log of events, which only grows (draft.h). One
 * that was read has all that its record had: variations are lines of the log, which times,
 * comments, headers and the end are kept in (from_record.h), and writing it gives them back
 * (to_record.h).
 *
 * A match knows neither who plays nor where it is saved. Plies are counted from 0, the start, to
 * `len`, the present position; those up to `known` can be played again. All texts and positions
 * live in the match's arena.
 */
#ifndef PLYD_API_TERMINAL_MATCH_H
#define PLYD_API_TERMINAL_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/game/draft.h"
#include "api/record/record.h"
#include "api/text/arena.h"
#include "rules/rules.h"

/* A position, and the move that led to it; the start has none. */
struct match_ply {
    const struct rules_state *state;
    rules_move move;
    const char *text; /* canonical */
    size_t event;     /* the number of the move in the log */
};

struct match {
    struct arena arena;
    const struct rules_game *game;
    struct rules_options options; /* resolved */
    const char *start;            /* the position's text */
    struct match_ply *ply;
    size_t len, known, capacity;
    struct record_outcome outcome; /* of the present position; RECORD_OPEN while it goes on */
    const char *name[RULES_SEATS], *engine[RULES_SEATS]; /* as records have them, or NULL */
    int32_t level[RULES_SEATS];                          /* of that engine; 0: not known */
    int64_t seed;                                        /* of the engine */

    /* What it was read from; NULL, 0: it was not. */
    const struct record_format *format;
    const char *charset;
    size_t other_games; /* that the file has, too, and the match has not */

    /* The following members are private to match.c. */
    struct draft draft;            /* the log */
    const char *undo, *visibility; /* as the record has them, or NULL */
};

/* Starts a match. `position` is a start position or NULL. False: *why says why not, and there is
 * nothing to close. */
bool match_start(struct match *match, const struct rules_game *game,
                 const struct rules_options *options, const char *position,
                 struct rules_refusal *why);
void match_close(struct match *match);

/* Whether two matches are of one game and begin at one position, under the same options. */
bool match_begins_like(const struct match *match, const struct match *other);

bool match_goes_on(const struct match *match);
unsigned match_to_move(const struct match *match);

/* The position before the next move; the positions before it, as rules_game.outcome() wants them.
 */
const struct rules_state *match_state(const struct match *match);
struct rules_history match_history(const struct match *match);

/* Reads a move as people write it and plays it. False: *why says why not. The game goes on. */
bool match_play(struct match *match, const char *text, struct rules_refusal *why);

/* Plays a legal move. */
void match_add(struct match *match, rules_move move);

/* The side to move declares that it has won. False: *why says why not. */
bool match_declare(struct match *match, struct rules_refusal *why);

/* The side to move resigns; or offers a draw, which the other side accepts. */
void match_resign(struct match *match);
void match_agree(struct match *match);

/* Undo takes back an end that is not a move (a resignation, a draw), or else the last move. What
 * was called off stays so. Redo plays the last undone move again, unless the game is over. False:
 * there is nothing to undo or redo. */
bool match_can_undo(const struct match *match);
bool match_undo(struct match *match);
bool match_redo(struct match *match);

/* Writes the match as a record in a format and a charset (record_write()) behind what is in `out`.
 * False: *error says why not. */
bool match_write(const struct match *match, const struct record_format *format, const char *charset,
                 struct out *out, struct record_error *error);

/* What of the match a format has no place for, as the bits of api/record/holds.h. */
unsigned match_left_out(const struct match *match, const struct record_format *format,
                        struct arena *arena);

/* Makes a match from the text of a record in any format. False: *error says why not. Its texts live
 * in the match's arena, so call match_close() after using them.
 *
 * match_read_course() takes no more of a log than the moves that it leads to: so a log of a newer
 * program is no obstacle, and can not be written again. */
bool match_read(struct match *match, const char *bytes, size_t len, struct record_error *error);
bool match_read_course(struct match *match, const char *bytes, size_t len,
                       struct record_error *error);

#endif
