/*
 * board_data.h - boards as JSON, for a client that draws them itself.
 */
#ifndef PLYD_API_VIEW_BOARD_DATA_H
#define PLYD_API_VIEW_BOARD_DATA_H

#include "api/text/json.h"
#include "api/view/view.h"

/* The board: its squares row by row as the first seat sees them, each with its men from the bottom
 * to the top, what is in hand, and which squares are marked. */
void view_board(struct json *json, const struct game_view *view);

/* The labels of the files from the left and of the ranks from the top, as two members. */
void view_labels(struct json *json, struct rules_board board);

/* The squares of the last move, as elements of an array: those that are marked on boards. */
void view_last_squares(struct json *json, const struct game_view *view);

#endif
