/*
 * picture.h - a position as an SVG picture, the same way for all games.
 *
 * One drawer for all: what a game's men and squares look like is data (art.h), everything else
 * comes from the game's table. Nothing outside of the picture is needed, fonts included.
 *
 * What a page may rely on: every square is an element with id="sq-NAME" and data-square="NAME";
 * what a hand holds has id="hand-SEAT-LETTER", data-hand="SEAT", data-piece="LETTER" and
 * data-count; whose turn it is stands in data-seat of id="turn", which is absent when the game is
 * over; the picture has a title and a description in words.
 */
#ifndef PLYD_RULES_DRAW_PICTURE_H
#define PLYD_RULES_DRAW_PICTURE_H

#include "rules/draw/art.h"
#include "rules/draw/textboard.h"

enum { RULES_PICTURE_SQUARE = 48 }; /* pixels of a square where no width was asked for */

/* How it is shown, beside rules_look. All zero is light, without coordinates. */
struct rules_frame {
    unsigned width; /* of the picture in pixels; 0: as many as the squares need */
    enum rules_theme theme;
    bool coords; /* the names of files and ranks */
    bool stacks; /* below the board, what stands in every stack; look->selected: in that one */
};

/* Writes the picture and its NUL as far as `cap` reaches and returns its length without the NUL,
 * as snprintf does. Of the look, the style does not matter. */
size_t rules_board_picture(const struct rules_game *game, const struct rules_state *state,
                           const struct rules_look *look, const struct rules_frame *frame,
                           char *out, size_t cap);

/* The positions of a game, the first one at 0. load() is called for the last one, then for each in
 * turn; where it fails there is no picture. */
struct rules_film {
    void *context;
    unsigned count; /* at least 1 */
    bool (*load)(void *context, unsigned i, struct rules_state *state);
    unsigned first; /* the number that is shown with the first one */
    unsigned pace;  /* seconds that each of them lasts */
};

/* The same for a whole game, animated (SMIL): each position is shown in turn, with its number and
 * with the squares that changed marked, and the last one three times as long; then it begins
 * again. Who does not animate shows the last position. Squares have no ids, for what stands on them
 * is drawn above them; stacks are not listed. 0: a position could not be loaded. */
size_t rules_replay_picture(const struct rules_game *game, const struct rules_film *film,
                            const struct rules_look *look, const struct rules_frame *frame,
                            char *out, size_t cap);

#endif
