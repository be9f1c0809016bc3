/*
 * picture.h - boards as pictures.
 */
#ifndef PLYD_API_VIEW_PICTURE_H
#define PLYD_API_VIEW_PICTURE_H

#include "api/text/arena.h"
#include "api/view/view.h"

struct rules_frame;
struct rules_look;

/* The board as an SVG, drawn and marked as `look` and `frame` say. In the arena. */
const char *view_board_picture(struct arena *arena, const struct game_view *view,
                               struct rules_look *look, const struct rules_frame *frame);

/* Has the players named, and the last move written if it was looked up. The texts are in the arena.
 */
void view_name_players(struct arena *arena, const struct game_view *view,
                       struct rules_frame *frame);

/* All men of a game as symbols of one SVG (rules_men_picture()). In the arena. */
const char *view_men_picture(struct arena *arena, const struct rules_game *game,
                             const struct rules_frame *frame);

#endif
