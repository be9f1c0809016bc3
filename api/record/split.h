/*
 * split.h - splits a file of many games into single records.
 *
 * KIF and KI2 one after the other, CSA with a "/" between games, PDN, lists of USI and SFEN, our
 * own texts, SHOUGI; objects of JSON one after the other (NDJSON) or in a list. The bytes are not
 * decoded first: the signs that separate games are ASCII, or a few words that split.c knows in each
 * encoding. A file in UTF-16 is converted first (record_from_utf16()); else it is one part. The
 * records themselves are not checked.
 *
 *     struct record_split split;
 *     struct record_part part;
 *
 *     record_split_init(&split, bytes, len);
 *     while (record_split_next(&split, &part))
 *         ... part.bytes, part.len
 *
 * In KIF and KI2 a new game begins where the moves are numbered from 1 again outside of variations,
 * with a handicap, a heading of moves or a line #KIF, with a player or a start time that the game
 * before has already, and in KI2 with a move behind the end. The headers above that line belong to
 * the new game. Other notes and lines with a colon behind moves belong to the game before them.
 *
 * A text without a sign of further games is one part. Pure: nothing is copied or kept.
 */
#ifndef PLYD_API_RECORD_SPLIT_H
#define PLYD_API_RECORD_SPLIT_H

#include <stdbool.h>
#include <stddef.h>

struct record_split {
    const char *bytes;
    size_t len;
    size_t at;   /* where the search for the next part begins. An earlier value may be set again */
    size_t line; /* the number of the line there, from 0 on */
    const void *kind; /* private */
};

struct record_part {
    const char *bytes;
    size_t len;
    size_t line; /* lines of the file before it */
};

void record_split_init(struct record_split *split, const char *bytes, size_t len);

/* The next record; false: there is none. */
bool record_split_next(struct record_split *split, struct record_part *part);

/* How many there are. */
size_t record_split_count(const char *bytes, size_t len);

#endif
