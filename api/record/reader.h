/*
 * reader.h - what the readers of all formats share: the text line by line, the game played under
 * the rules as its moves are read, and what else the record tells.
 *
 * A reader calls record_set_game() if its format serves several games, record_start() once the
 * start is known, record_play() for each move, and what it finds beside them in between (what is
 * said of a move stands in reader.h). record.c calls record_finish() when the reader is done.
 *
 * Functions that can fail return false, and *reading->error says why.
 */
#ifndef PLYD_API_RECORD_READER_H
#define PLYD_API_RECORD_READER_H

#include "api/record/ends.h"
#include "api/record/record.h"
#include "api/text/arena.h"
#include "api/text/json_read.h"

/* What is known of how a line ended. */
struct record_ending {
    const char *word; /* as it stands in the record, or NULL */
    int64_t spent_us;
    bool has_end, has_winner;
    struct record_outcome end; /* as the record says */
    unsigned winner;
};

/* A variation that is being read, and what it took the place of. */
struct record_branch {
    size_t ply;                /* the last one that it shares with the path that it left */
    size_t line;               /* its number; 0: none of its moves were read yet */
    size_t left;               /* plies of that path, and of what lies behind it */
    size_t back;               /* the ply at which it was left */
    struct record_move *moves; /* of that path behind `ply`, once `line` is set; so the others */
    const struct record_point **points;
    uint64_t *keys;
    struct record_ending ending; /* of that path */
    bool cut;                    /* a move was refused, so the rest is kept as a comment */
};

struct record_reading {
    struct arena *arena;
    const struct record_hint *hint;
    const struct record_format *format;
    char *text; /* UTF-8; record_next_line() ends its lines with NUL */
    size_t len;
    struct record *record;
    struct record_error *error;

    char *at; /* behind the present line */
    const char *line_text;
    size_t line; /* its number */

    const struct rules_game *game;
    struct rules_options options;     /* given by the record */
    struct rules_state *state, *next; /* of the present position, and room for one more */
    const struct record_point *here;  /* the present position; NULL before the start */
    uint64_t *keys;                   /* of all positions up to this one, as the rules want them */
    size_t room;                      /* for moves, their points and keys */
    bool refused;                     /* a move of the main line: was it the foul that ended it? */
    struct record_error refusal;      /* why; variations may come behind it */
    bool says_foul;
    struct out comment; /* the one that is being gathered */

    struct record_ending ending;  /* of the line that is being read */
    struct record_branch *branch; /* the variations that are open, each in the one before it */
    size_t nbranches, branch_room;
    size_t begun;  /* variations in all */
    size_t nmoves; /* in all */
    size_t line_room, header_room;
    uint32_t number; /* of the first move, from the facts; 0: not said */
};

/* Whether the start is known. */
static inline bool record_started(const struct record_reading *reading)
{
    return reading->here != NULL;
}

/* The variation that is being read. NULL: the main line. */
static inline struct record_branch *record_innermost(const struct record_reading *reading)
{
    return reading->nbranches == 0 ? NULL : &reading->branch[reading->nbranches - 1];
}

/* Whether a move of this line was refused: those behind it cannot be judged. */
static inline bool record_is_cut(const struct record_reading *reading)
{
    const struct record_branch *branch = record_innermost(reading);

    return branch != NULL ? branch->cut : reading->refused;
}

/* ---- lines and mistakes ---- */

/* The next line without its end and with blanks for control characters, or NULL. */
char *record_next_line(struct record_reading *reading);

/* "bad-record", at a place of the present line or of the line as a whole (NULL). Returns false. */
bool record_bad(struct record_reading *reading, const char *at, const char *detail);

/* "bad-record", of what is wrong in JSON. Returns false. */
bool record_bad_json(struct record_reading *reading, const struct json_error *error);

/* A refusal by the rules, of what stands in the record as `shown` (or NULL) at a place of the
 * present line. Returns false. */
bool record_refused(struct record_reading *reading, const struct rules_refusal *why,
                    const char *shown, const char *at);

/* ---- the game ---- */

/* The game of the record. False: it is not known, or the hint says another. */
bool record_set_game(struct record_reading *reading, const char *name);

/* Begins the game from a position (NULL: the options' own). */
bool record_start(struct record_reading *reading, const char *position);

/* Plays a move. `shown` is how it stands in the record, at `at`. */
bool record_play(struct record_reading *reading, const char *text, const char *shown,
                 const char *at);

/* As record_play(), but a refusal only sets reading->refused: record_finish() then asks whether it
 * was the foul that ended the game. */
bool record_play_or_foul(struct record_reading *reading, const char *text, const char *shown,
                         const char *at);

/* Goes back, or forth again, to a ply of record->points. Those beyond it stay there until other
 * moves are played over them. */
bool record_return(struct record_reading *reading, size_t ply);

/* ---- variations ---- */

/* Begins a variation behind a ply of the path that was read so far: what is played from here on is
 * a line of its own. It ends with record_rejoin(), which goes back to where the path was, or stays
 * open to the end of the record. A move of it that cannot be read or is not legal cuts it: that
 * move and what follows in it become a comment. */
bool record_branch(struct record_reading *reading, size_t ply);
bool record_rejoin(struct record_reading *reading);

/* Takes back the mistake that reading->error tells, if it is in a variation, and keeps `text` as a
 * comment. False: it is in the main line. */
bool record_cut(struct record_reading *reading, const char *text);

/* ---- what goes with it ---- */

/* A header; its key and value are trimmed. Empty values are dropped. */
bool record_add_header(struct record_reading *reading, const char *key, const char *value);
bool record_set_name(struct record_reading *reading, unsigned seat, const char *name);
void record_set_started(struct record *record, int64_t us);
void record_set_ended(struct record *record, int64_t us);

/* How the record says that the game ended; the word stands there as `shown`. */
bool record_set_word(struct record_reading *reading, const struct record_word *word,
                     const char *shown);

/* After the last line: what became of the game. */
bool record_finish(struct record_reading *reading);

/* ---- rule_hints.c ---------------------------------------------------------------------------- */

/* The option under which a start or a move is allowed that was refused. Many
 * records do not say by which rules they were played. */

struct record_reading;

/* The option with its other value, as the query of an import gives it: options.NAME=VALUE, with the
 * variant where other games have that option, too. It is one that allows the start at `position`
 * or, where `text` is not NULL, this move there, with all other options as they are. NULL: there is
 * none. */
const char *record_other_rules(const struct record_reading *reading, const char *position,
                               const char *text);

/* ---- detect.c -------------------------------------------------------------------------------- */

/* Which format a text looks like. */

/* The name of a format, or NULL. Only the reader of the format finds out whether the text is in it.
 */
const char *record_recognise(struct arena *arena, const char *text);

/* A line itself; or, of an address with "usen=", the value of that without its escapes. */
const char *record_usen_text(struct arena *arena, const char *line);

/* ---- annotations.c --------------------------------------------------------------------------- */

/* What a record says of the last move that was read: comments, the time that it
 * took, marks, and how a program judged the position behind it. */

/* A comment of the last move, or of the start. */
void record_add_comment(struct record_reading *reading, const char *comment);

/* The time that was thought for the last move, or before the end. */
void record_set_spent(struct record_reading *reading, int64_t us);

/* A mark of the last move, and how a program judged the position behind it. */
void record_add_mark(struct record_reading *reading, const char *mark);
void record_set_value(struct record_reading *reading, int32_t value);

#endif
