/*
 * shogi.h - what the formats of shogi share: moves taken apart and positions put together.
 */
#ifndef PLYD_API_RECORD_SHOGI_H
#define PLYD_API_RECORD_SHOGI_H

#include "api/text/arena.h"
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

/* Where a move in USI goes. */
struct record_square record_usi_target(const char *usi);

/* The move in USI. */
const char *record_shogi_usi(struct arena *arena, const struct record_shogi_move *move);

/* Whether a text is a move in USI, legal or not. */
bool record_is_usi(const char *text);

/* Whether a move that may break the rules can be written in the formats that name the piece that
 * moves: it stands on the square of origin, and may be such that it promotes. */
bool record_is_foul(const struct rules_state *state, const char *usi);

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

/* ---- shogi_play.c ---------------------------------------------------------------------------- */

struct record_reading;

/* Plays a move that may be a foul, as record_play_or_foul() does. What cannot be written in other
 * formats is not kept as a move. */
bool record_shogi_play(struct record_reading *reading, const struct record_shogi_move *move,
                       const char *shown, const char *at);

#endif
