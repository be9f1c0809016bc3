/*
 * board_data.h - boards as JSON, for a client that draws them itself and knows no game.
 */
#ifndef PLYD_API_VIEW_BOARD_DATA_H
#define PLYD_API_VIEW_BOARD_DATA_H

#include "api/text/json.h"
#include "api/view/view.h"

/* Writes the board as an object: its squares row by row as the first seat sees them, each with its
 * men from the bottom to the top and its zones; what is in hand, with the click that drops it; and
 * which squares are marked. */
void view_board(struct json *json, const struct game_view *view);

/* Writes the members `files` and `ranks`: their labels from the left and from the top. */
void view_labels(struct json *json, struct rules_board board);

/* Writes the squares of the last move, those that boards mark, as elements of an open array. */
void view_last_squares(struct json *json, const struct game_view *view);

#endif
