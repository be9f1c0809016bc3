/*
 * handicap.h - the starts of shogi that have a name: the even one, and those in which one player
 * does without some pieces.
 */
#ifndef PLYD_API_RECORD_HANDICAP_H
#define PLYD_API_RECORD_HANDICAP_H

#include "api/record/reader.h"
#include "api/record/record.h"

struct record_handicap {
    const char *option;    /* of shogi's option "start"; NULL: it has no name there */
    const char *kif, *jkf; /* its names in these formats */
    const char *camp;      /* the first two ranks in SFEN */
    bool rare;             /* most programs do not know the name */
};

/* The start of a record, or NULL if it has no name. */
const struct record_handicap *record_handicap(const struct record *record);

/* The same, or NULL if its name is rare: then a board says it, which every program reads. */
const struct record_handicap *record_common_handicap(const struct record *record);

/* Whether a handicap is given, so that Gote moves first. */
bool record_is_handicap(const struct record *record);

const struct record_handicap *record_handicap_of_kif(const char *name);
const struct record_handicap *record_handicap_of_jkf(const char *name);

/* Begins the game from a handicap, or from a position, which is a handicap if it looks like one. */
bool record_start_handicap(struct record_reading *reading, const struct record_handicap *handicap);
bool record_start_sfen(struct record_reading *reading, const char *sfen);

#endif
