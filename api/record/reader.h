/*
 * reader.h - what the readers of all formats share: the text line by line, the game played under
 * the rules as its moves are read, and what else the record tells.
 *
 * A reader calls record_set_game() if its format serves several games, record_start() once the
 * start is known, and record_play() for each move. Between these calls it reports headers,
 * comments, times and variations by the other functions below. record.c calls record_finish() when
 * the reader is done.
 *
 * Functions that can fail return false, and *reading->error says why.
 */
#ifndef PLYD_API_RECORD_READER_H
#define PLYD_API_RECORD_READER_H

#include "api/record/ends.h"
#include "api/record/record.h"
#include "api/text/arena.h"
#include "api/text/json_read.h"

/* A variation that is being read, and the part of the path that it replaces. The path is the
 * sequence of moves from the start to the present position. */
struct record_branch {
    size_t ply;                /* the last ply that it shares with the path that it leaves */
    size_t line;               /* its number; 0: neither a move of it nor its end was read yet */
    size_t left;               /* length of that path, with the moves behind the present position */
    size_t back;               /* the ply at which it was left */
    struct record_move *moves; /* saved copies of that path behind `ply`; NULL before its first
                                * move */
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
    size_t capacity;                  /* for moves, their points and keys */
    bool refused;                     /* a move of the main line: was it the foul that ended it? */
    struct record_error refusal;      /* why; variations may come behind it */
    const char *refused_move;         /* as it was given to the rules */
    bool says_foul;
    struct out comment; /* the one that is being gathered */

    struct record_ending ending;  /* of the line that is being read, as far as it was read */
    bool told_end, told_winner;   /* facts say how the main line ends, or who wins it */
    unsigned winner;              /* by these facts */
    struct record_branch *branch; /* the variations that are open, each in the one before it */
    size_t nbranches, branch_capacity;
    size_t begun;  /* variations in all */
    size_t nmoves; /* in all */
    size_t line_capacity, header_capacity;
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

/* Whether a variation has no moves yet. Those of the path that it leaves are then still there. */
static inline bool record_is_bare(const struct record_branch *branch)
{
    return branch->moves == NULL;
}

/* Whether a move of this line was refused: those behind it cannot be judged. */
static inline bool record_is_cut(const struct record_reading *reading)
{
    const struct record_branch *branch = record_innermost(reading);

    return branch != NULL ? branch->cut : reading->refused;
}

/* ---- lines and mistakes ---- */

/* The next line without its line end; control characters have become blanks. NULL after the last
 * line. */
char *record_next_line(struct record_reading *reading);

/* Sets the error "bad-record". `at` is the place in the present line, or NULL for the whole line.
 * Returns false. */
bool record_bad(struct record_reading *reading, const char *at, const char *detail);

/* Sets the error "bad-record" for a mistake in JSON. Returns false. */
bool record_bad_json(struct record_reading *reading, const struct json_error *error);

/* Sets the error to a refusal by the rules. `shown` is the refused text as the record has it, or
 * NULL, and `at` its place in the present line. Returns false. */
bool record_refused(struct record_reading *reading, const struct rules_refusal *why,
                    const char *shown, const char *at);

/* ---- the game ---- */

/* Sets the game of the record. False: no game has that name, or the hint names another game. */
bool record_set_game(struct record_reading *reading, const char *name);

/* Begins the game from a position (NULL: the options' own). */
bool record_start(struct record_reading *reading, const char *position);

/* Plays a move. `shown` is how it stands in the record, at `at`. */
bool record_play(struct record_reading *reading, const char *text, const char *shown,
                 const char *at);

/* As record_play(), but a refusal only sets reading->refused: record_finish() then asks whether it
 * was the foul that ended the game. `text` is kept. */
bool record_play_or_foul(struct record_reading *reading, const char *text, const char *shown,
                         const char *at);

/* Goes back or forward to a ply of record->points. The points beyond it stay valid until other
 * moves are played over them. */
bool record_return(struct record_reading *reading, size_t ply);

/* ---- variations ---- */

/* Begins a variation behind a ply of the path: the moves that are played from here on are a line of
 * their own. record_rejoin() ends the variation and goes back to where the path was; a variation
 * may also stay open to the end of the record. A move that cannot be read or is not legal cuts the
 * variation: that move and the rest become a comment. */
bool record_branch(struct record_reading *reading, size_t ply);
bool record_rejoin(struct record_reading *reading);

/* Handles a mistake in a variation: clears reading->error, cuts the variation and keeps `text` as a
 * comment. False: the mistake is in the main line, and reading->error stays. */
bool record_cut(struct record_reading *reading, const char *text);

/* ---- what goes with it ---- */

/* A header; its key and value are trimmed. Empty values are dropped. */
bool record_add_header(struct record_reading *reading, const char *key, const char *value);
bool record_set_name(struct record_reading *reading, unsigned seat, const char *name);

/* When the game started or ended, as the record writes it. */
void record_set_started(struct record_reading *reading, int64_t us, const char *text);
void record_set_ended(struct record_reading *reading, int64_t us, const char *text);

/* Notes that the item of a slot stood behind the headers that were read so far, and its text, or
 * NULL if it has none of its own. */
void record_note(struct record_reading *reading, enum record_slot slot, const char *text);

/* Sets the end of the line that is being read by a word of the format. `shown` is the word as the
 * record has it. */
bool record_set_word(struct record_reading *reading, const struct record_word *word,
                     const char *shown);

/* To be called after the last line. Closes open variations and determines the outcome. */
bool record_finish(struct record_reading *reading);

/* ---- rule_hints.c ---------------------------------------------------------------------------- */

/* Suggests the option that would allow a refused start or move, because many records do not say by
 * which rules they were played. */

struct record_reading;

/* Finds a value of one option that allows the start at `position` or, if `text` is not NULL, the
 * move `text` in that position; all other options stay as they are. Returns it as the query of an
 * import has it: options.NAME=VALUE, with the variant if several games have that option. NULL: no
 * single option helps. */
const char *record_other_rules(const struct record_reading *reading, const char *position,
                               const char *text);

/* ---- detect.c -------------------------------------------------------------------------------- */

/* Which format a text looks like. */

/* The name of a format, or NULL. Only the reader of the format finds out whether the text is in it.
 */
const char *record_detect(struct arena *arena, const char *text);

/* The text of USEN in a line: the decoded value of the parameter "usen" if the line is an address
 * that has one, else the line itself. */
const char *record_usen_text(struct arena *arena, const char *line);

/* ---- annotations.c --------------------------------------------------------------------------- */

/* What a record says of the last move that was read: comments, its time, marks, and a program's
 * judgement of the position after it. */

/* A comment of the last move, of the start or, once its word was read, of the end of this line. */
void record_add_comment(struct record_reading *reading, const char *comment);

/* The thinking time of the last move or, once its word was read, of the end of this line. */
void record_set_spent(struct record_reading *reading, int64_t us);

/* A mark of the last move, and a program's judgement of the position after it. */
void record_add_mark(struct record_reading *reading, const char *mark);
void record_set_value(struct record_reading *reading, int32_t value);

#endif
