/*
 * board_words.h - what text boards and pictures call the parts of a board.
 */
#ifndef PLYD_RULES_DRAW_BOARD_WORDS_H
#define PLYD_RULES_DRAW_BOARD_WORDS_H

#include "rules/draw/page.h"
#include "rules/draw/textboard.h"
#include "rules/rules.h"

/* The label of the file or the rank of a square: the game's own label, or the letters or digits of
 * the square's name, which are written to `part`. With `plain` it is always the latter. */
const char *rules_file_label(const struct rules_game *game, struct rules_board board,
                             unsigned square, bool plain, char part[RULES_SQUARE_TEXT]);
const char *rules_rank_label(const struct rules_game *game, struct rules_board board,
                             unsigned square, bool plain, char part[RULES_SQUARE_TEXT]);

/* The kind at place i of a hand; -1 after the last place. */
int rules_hand_kind(const struct rules_game *game, size_t i);

/* Writes whose turn it is, or how the game ended. look->ending says so; if it is NULL, the position
 * itself does. */
void rules_put_status(struct page *page, const struct rules_game *game,
                      const struct rules_state *state, const struct rules_look *look);

#endif
