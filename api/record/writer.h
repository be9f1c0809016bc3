/*
 * writer.h - what the writers of all formats share: where the text goes, and the record's game
 * played move by move.
 */
#ifndef PLYD_API_RECORD_WRITER_H
#define PLYD_API_RECORD_WRITER_H

#include "api/record/record.h"
#include "api/text/json.h"

struct record_writing {
    struct arena *arena;
    const struct record_format *format;
    const struct record *record;
    const char *charset; /* or NULL: UTF-8 */
    struct out *out;     /* the text */
    struct json *json;   /* the same text, for formats that are JSON */
    struct record_error *error;
};

/* The name of the player of a seat, or the engine's title, for formats that have only names. NULL:
 * neither is known. */
const char *record_player(const struct record *record, unsigned seat);

/* The text of an item as it stood in the record, if that was in this format; else NULL. */
const char *record_as_read(const struct record_writing *writing, enum record_slot slot);

/* Says why this record cannot be written. Returns false. */
bool record_unwritable(struct record_writing *writing, const char *detail);

/* How a format writes the part above the moves. `before` and `after` list the slots, ended by
 * RECORD_SLOTS, that are written before and behind the headers if the record has no spot for them.
 */
struct record_order {
    enum record_slot before[RECORD_SLOTS], after[RECORD_SLOTS];
    void (*player)(struct record_writing *writing, unsigned seat);
    char date; /* between the parts of a date */
    /* When the game started or ended, if anything is known of that. */
    void (*time)(struct record_writing *writing, enum record_slot slot, const char *text);
    void (*other)(struct record_writing *writing, enum record_slot slot); /* NULL: it has no more */
    void (*header)(struct record_writing *writing, size_t i);
};
void record_write_headers(struct record_writing *writing, const struct record_order *order);

/* A place in a line of the record, from which a walk can go on. */
struct record_place {
    size_t line;   /* 0 is the main line, else record->lines[line - 1] */
    size_t played; /* moves of it */
    size_t child;  /* index of the next variation that leaves this line */
    bool fresh;    /* the last of these moves is `move`, and the position is the one before it */
    const char *before; /* the text of `last`; NULL: it is none */
    rules_move last, move;
    int64_t seconds[RULES_SEATS]; /* thinking time so far in whole seconds, of even and odd plies */
    const struct rules_state *state; /* only its bytes in use */
};

/* The record's game, move by move, with its variations. Formats need the position before a move to
 * write it.
 *
 * The walk begins in the main line. Variations may begin after each move, which they replace, and
 * at the end of a line, which they continue. There are two ways to walk them. A format that writes
 * variations where they begin calls record_walk_enter() for each, walks it, and calls
 * record_walk_leave(). A format that writes one line after the other calls record_walk_put_off()
 * where variations begin, and record_walk_resume() at the end of a line; the variations that were
 * put off last are resumed first. */
struct record_walk {
    struct record_writing *writing;
    const struct record *record;
    struct rules_state *state; /* before `move`; at the end of a line its last position */
    struct rules_state *next;
    rules_move last, move;
    struct record_place at;
    struct record_tree tree;
    struct record_place *places; /* a stack of places that were put off or left */
    size_t nplaces;
};

/* False, with an error: the start is not valid. */
bool record_walk_begin(struct record_walk *walk, struct record_writing *writing);

/* The next move of the line. False at its end; or, with an error, if the move is not legal. */
bool record_walk_next(struct record_walk *walk, const struct record_move **move);

/* The ply of the last move that record_walk_next() returned. Before the first move: the ply at
 * which the line begins. */
size_t record_walk_ply(const struct record_walk *walk);

/* Goes into the next variation that begins here. False: there is none, or no other one. */
bool record_walk_enter(struct record_walk *walk);
void record_walk_leave(struct record_walk *walk);

/* Keeps all variations that begin here for record_walk_resume(). */
void record_walk_put_off(struct record_walk *walk);
bool record_walk_resume(struct record_walk *walk);

/* ---- write_end.c ----------------------------------------------------------------------------- */

/* The end of a line, which all writers write in the same way for the main line and for variations.
 */

struct record_word;

/* The end of the line that the walk is on. */
const struct record_ending *record_walk_ending(const struct record_walk *walk);

/* Whether the record was read from this format, in any of its versions. */
bool record_is_own(const struct record_writing *writing);

/* Whether anything is written of an end: not if the line goes on, and not if the record in this
 * format said nothing, since a reader finds what the rules decide by playing the moves. */
bool record_is_told(const struct record_writing *writing, const struct record_ending *ending);

/* Whether the line ends with a foul that this format can write: because its text was read from this
 * format, or because the move itself is known. The time of the end is that of the foul. */
bool record_has_foul(const struct record_writing *writing, const struct record_ending *ending);

/* The word that an end was read with, as a format with these words has it, or NULL: it has none. A
 * word that is in no table is kept where it came from. */
const char *record_word_kept(const struct record_format *format, const struct record *record,
                             const struct record_ending *ending, const struct record_word *words);

/* Chooses the word for an end; NULL: nothing is told. The word that it was read with is kept, if
 * this format has it or the record was read from this format, and if it means the outcome or a
 * reader finds the outcome by playing the moves. Otherwise as record_choose_word(). `to_move` is
 * the side to move. *said is the outcome that a reader gets from the word. */
const char *record_end_word(const struct record_writing *writing,
                            const struct record_ending *ending, const struct record_word *words,
                            unsigned to_move, struct record_outcome *said);

#endif
