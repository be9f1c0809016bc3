/*
 * draughts_board.h - what the tests of Turkish draughts ask of a scene, beside scene.h. Scenes are
 * passed by value: a question changes nothing.
 */
#ifndef PLYD_TESTS_RULES_DRAUGHTS_BOARD_H
#define PLYD_TESTS_RULES_DRAUGHTS_BOARD_H

#include "scene.h"

extern const struct rules_game rules_turkish_draughts;

/* Begins at a position, with the default options or others; and plays some more moves. */
struct scene draughts_at(const char *position);
struct scene draughts_with(const char *options, const char *position);
struct scene draughts_after(struct scene scene, const char *moves);

/* Asserts the legal moves by their texts in byte order, parted by blanks, and that count() agrees.
 */
void draughts_expect_moves(struct scene scene, const char *moves);

/* Asserts that a move leads to that position. */
void draughts_expect_after(struct scene scene, const char *move, const char *position);

/* Asserts the outcome, as scene_outcome() writes it. */
void draughts_expect_outcome(struct scene scene, const char *outcome);

/* Asserts that a text is read as that move. */
void draughts_expect_read(struct scene scene, const char *text, const char *move);

/* Asserts that a text is refused with a code and a rule (by its number), and returns the refusal.
 */
struct rules_refusal draughts_refused(struct scene scene, const char *move, enum rules_code code,
                                      const char *law);

/* Asserts the squares that prove a refusal, as role, square and piece: "from d4w", "blocker d6B".
 */
void draughts_expect_witnesses(const struct rules_refusal *why, const char *witnesses);

/* Asserts the moves that a refusal names, in byte order. */
void draughts_expect_examples(struct scene scene, const struct rules_refusal *why,
                              const char *moves);

#endif
