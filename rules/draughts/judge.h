/*
 * judge.h - the rules of Turkish draughts by their numbers, and reading a move: which of the rules
 * it breaks.
 */
#ifndef PLYD_RULES_DRAUGHTS_JUDGE_H
#define PLYD_RULES_DRAUGHTS_JUDGE_H

#include "rules/draughts/moves.h"

enum draughts_law {
#define DRAUGHTS_LAW(id, number, name, text) DRAUGHTS_LAW_##id,
#include "rules/draughts/laws.def"
#undef DRAUGHTS_LAW
    DRAUGHTS_LAWS
};

extern const struct rules_law draughts_laws[DRAUGHTS_LAWS];

/* The pieces by their index in the game's table. */
enum { DRAUGHTS_MAN, DRAUGHTS_KING };

extern const struct rules_board draughts_board;

/* The piece on a square; seat 0 if there is none. */
struct rules_man draughts_man(const struct draughts *d, unsigned square);

/* As rules_refuse(), with a law of this game. */
bool draughts_refuse(struct rules_refusal *why, enum rules_code code, enum draughts_law law);

/* As rules_game's read_move(). */
bool draughts_read_move(const struct draughts *d, const char *text, rules_move *move,
                        struct rules_refusal *why);

/* The game's table, and its pictures: draughts.c, art.c. */
extern const struct rules_game rules_turkish_draughts;
extern const struct rules_art rules_turkish_draughts_art;

#endif
