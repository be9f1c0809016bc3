/*
 * holds.h - what the formats have places for, and what of a record a format must leave out.
 *
 * The table of formats in record.c tells by these bits what each can hold. Everything that is
 * missing there is left out when a record that has it is written; record_left_out() names it.
 */
#ifndef PLYD_API_RECORD_HOLDS_H
#define PLYD_API_RECORD_HOLDS_H

#include "api/record/record.h"

/* Things that a record may have. Bits. */
enum {
    RECORD_HOLDS_MOVES = 1 << 0,
    RECORD_HOLDS_VARIATIONS = 1 << 1,
    RECORD_HOLDS_COMMENTS = 1 << 2,  /* at the start, of moves, and behind the end */
    RECORD_HOLDS_TIMES = 1 << 3,     /* of moves and of the end, in whole seconds */
    RECORD_HOLDS_FRACTIONS = 1 << 4, /* of those seconds */
    RECORD_HOLDS_ENDS = 1 << 5,  /* all of them, if need be by a fact for ourselves; other programs
                                  * are  told what record_format.ends has words for, and what the
                                  * rules  find at the last move */
    RECORD_HOLDS_NAMES = 1 << 6, /* of the players */
    RECORD_HOLDS_DATES = 1 << 7, /* when the game started and ended */
    RECORD_HOLDS_HEADERS = 1 << 8, /* those that record_format.holds_header allows, if it is set */
    RECORD_HOLDS_OPTIONS = 1 << 9, /* of the game, that are not the usual ones */
    RECORD_HOLDS_MARKS = 1 << 10,  /* what somebody thinks of a move, as $1 */
    RECORD_HOLDS_LOG = 1 << 11,    /* what happened beside lines and ends: offers, messages */
    RECORD_HOLDS_ALL = (1 << 12) - 1
};

/* The word of a thing, of which there are RECORD_THINGS: "variations". */
enum { RECORD_THINGS = 12 };
const char *record_thing_text(size_t i);

/* The things that this record has, as bits. */
unsigned record_things(struct arena *arena, const struct record *record);

/* The things that this record has and that are not in its text in this format, as bits. A thing is
 * named even if only a part of it is missing; what stands in variations is a part of those. */
unsigned record_left_out(struct arena *arena, const struct record_format *format,
                         const struct record *record);

/* Bits as words: "variations, comments". NULL: there are none. */
const char *record_things_text(struct arena *arena, unsigned things);

#endif
