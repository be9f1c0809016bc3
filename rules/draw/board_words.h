/*
 * board_words.h - what text boards and pictures call the parts of a board.
 */
#ifndef PLYD_RULES_DRAW_BOARD_WORDS_H
#define PLYD_RULES_DRAW_BOARD_WORDS_H

#include "rules/draw/page.h"
#include "rules/rules.h"

/* What stands beside the file or the rank of a square: the game's own label, or the letters or
 * digits of the square's name, which are written to `part`. `plain`: never the game's own. */
const char *rules_file_label(const struct rules_game *game, struct rules_board board,
                             unsigned square, bool plain, char part[RULES_SQUARE_TEXT]);
const char *rules_rank_label(const struct rules_game *game, struct rules_board board,
                             unsigned square, bool plain, char part[RULES_SQUARE_TEXT]);

/* The kind that stands at place i of a hand; -1 behind the last. */
int rules_hand_kind(const struct rules_game *game, size_t i);

/* Whose turn it is, or how the game ended: `ending`, or, if it is NULL, what the position itself
 * says about that. */
void rules_put_status(struct page *page, const struct rules_game *game,
                      const struct rules_state *state, const char *ending);

#endif
