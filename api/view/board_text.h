/*
 * board_text.h - boards as texts for a terminal. All texts are in the arena.
 */
#ifndef PLYD_API_VIEW_BOARD_TEXT_H
#define PLYD_API_VIEW_BOARD_TEXT_H

#include "api/text/arena.h"
#include "api/view/view.h"

struct rules_look;

/* What a seat is called in the view's language: "sente", 先手, and 下手 in a game at odds. */
const char *view_side(struct arena *arena, const struct game_view *view, unsigned seat);

/* Gives a board or a picture the words of the view's language. */
void view_say_words(struct arena *arena, const struct game_view *view, struct rules_look *look);

/* The board, drawn and marked as `look` says, in the view's language. */
const char *view_board_text(struct arena *arena, const struct game_view *view,
                            struct rules_look *look);

/* The board in the usual look, with its last move and check marked, and how the game ended. */
const char *view_position_text(struct arena *arena, const struct game_view *view);

/* How the game ended: "sente wins (checkmate)". NULL: it is not over. */
const char *view_ending(struct arena *arena, const struct game_view *view);

#endif
