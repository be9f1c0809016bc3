/* draughts_board.h - positions of Turkish draughts for the tests, and what is asked of them. */
#ifndef PLYD_TESTS_RULES_DRAUGHTS_BOARD_H
#define PLYD_TESTS_RULES_DRAUGHTS_BOARD_H

#include "rules/rules.h"

extern const struct rules_game rules_turkish_draughts;

enum { DRAUGHTS_TEXT = 8192 };

/* A position, with the default options or with those of "promotion=stop removal=end". */
struct rules_state draughts_at(const char *position);
struct rules_state draughts_with(const char *options, const char *position);

/* The position after the moves, which are parted by blanks and must all be legal. */
struct rules_state draughts_after(struct rules_state state, const char *moves);

/* Asserts the legal moves: their texts in byte order, parted by blanks. count() must agree. */
void draughts_expect_moves(struct rules_state state, const char *moves);

/* Asserts that a move leads to that position. */
void draughts_expect_after(struct rules_state state, const char *move, const char *position);

/* Asserts the outcome as a text: "ongoing", "1 no_pieces" for a win, "= one_v_one" for a draw. */
void draughts_expect_outcome(struct rules_state state, const char *outcome);

/* Asserts that a text is refused with a code and a rule, and returns the refusal. */
struct rules_refusal draughts_refused(struct rules_state state, const char *move, const char *code,
                                      const char *law);

/* Asserts that a text is read as that move. */
void draughts_expect_read(struct rules_state state, const char *text, const char *move);

/* Asserts the squares that prove a refusal: "from d4w blocker d6B", role, square and piece. */
void draughts_expect_witnesses(const struct rules_refusal *why, const char *witnesses);

/* Asserts the moves that a refusal names, in byte order. */
void draughts_expect_examples(struct rules_state state, const struct rules_refusal *why,
                              const char *moves);

#endif
