/*
 * record_shogi.h - what the formats of shogi share: moves taken apart, boards put together, the
 * names of men, and the handicaps. For api/record_*.c alone.
 */
#ifndef PLYD_API_RECORD_SHOGI_H
#define PLYD_API_RECORD_SHOGI_H

#include "api/record/parts.h"
#include "rules/shogi/board.h"

/* A square as the formats number it: file and rank from 1 on. File 0: none. */
struct record_square {
    unsigned file, rank;
};

/* A move taken apart. `kind` is what moves, before it promotes. */
struct record_shogi_move {
    struct record_square from, to; /* from.file 0: a drop */
    unsigned kind;
    bool promotes;
    struct rules_man captured; /* seat 0: none */
};

/* From the canonical text of a legal move. */
struct record_shogi_move record_shogi_move(const struct rules_state *state, const char *usi);

/* The move in USI. */
const char *record_shogi_usi(struct arena *arena, const struct record_shogi_move *move);

struct rules_man record_man_on(const struct rules_state *state, struct record_square square);

/* A position being put together or taken apart. */
struct record_board {
    struct rules_man man[SHOGI_RANKS + 1][SHOGI_FILES + 1]; /* by rank and file, from 1 on */
    unsigned hand[RULES_SEATS][SHOGI_BASE_KINDS];
    unsigned side; /* seat */
    unsigned number;
};
void record_board_of(const struct rules_state *state, struct record_board *board);
const char *record_board_sfen(struct arena *arena, const struct record_board *board);

/* Whether a position is the even start, or that of a handicap: its entry, or NULL. */
struct record_handicap {
    const char *option; /* of shogi's option "start"; NULL: it has no name there */
    const char *kif, *jkf;
    const char *camp; /* the first two ranks in SFEN */
};
const struct record_handicap *record_handicap(const struct record *record);
const struct record_handicap *record_handicap_of_kif(const char *name);
const struct record_handicap *record_handicap_of_jkf(const char *name);

/* Begins the game: from a handicap, or from a position, which may be one by its men. */
bool record_start_handicap(struct record_reading *reading, const struct record_handicap *handicap);
bool record_start_sfen(struct record_reading *reading, const char *sfen);

/* Whether the first move is Gote's because he gives a handicap. */
bool record_is_handicap(const struct record *record);

/* The CSA code of a kind, and back: SHOGI_KINDS if there is none. */
const char *record_csa_code(unsigned kind);
unsigned record_csa_kind(const char *code);

/* The words of CSA, which JKF has too. */
extern const struct record_word record_csa_words[];

#endif
