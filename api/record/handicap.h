/*
 * handicap.h - the starts of shogi that have a name: the even start, and the handicaps, in which
 * one player begins without some pieces.
 */
#ifndef PLYD_API_RECORD_HANDICAP_H
#define PLYD_API_RECORD_HANDICAP_H

#include "api/record/reader.h"
#include "api/record/record.h"

struct record_handicap {
    const char *option;    /* its value of shogi's option "start", or NULL */
    const char *kif, *jkf; /* its names in these formats */
    const char *camp;      /* the first two ranks in SFEN */
    bool rare;             /* most programs do not know the name */
};

/* The named start that a record begins with, or NULL if its start has no name. */
const struct record_handicap *record_handicap(const struct record *record);

/* The same, but NULL if the name is rare. Writers then draw the board, which every program reads.
 */
const struct record_handicap *record_common_handicap(const struct record *record);

/* Whether the record is a handicap game, in which Gote moves first. */
bool record_is_handicap(const struct record *record);

const struct record_handicap *record_handicap_of_kif(const char *name);
const struct record_handicap *record_handicap_of_jkf(const char *name);

/* Begins the game from a named start, or from a position. A position that is a named start begins
 * the game by that name. */
bool record_start_handicap(struct record_reading *reading, const struct record_handicap *handicap);
bool record_start_sfen(struct record_reading *reading, const char *sfen);

struct record_writing;

/* The start as the header 手合割 names it: as the record did, or by its usual name. NULL: it has
 * none that other programs know. */
const char *record_handicap_name(const struct record_writing *writing);

#endif
