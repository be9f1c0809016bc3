/*
 * picture.h - a position as an SVG picture, the same way for all games.
 *
 * One drawer serves all games. What a game's men and squares look like is data (art.h), and
 * everything else comes from the game's table. A picture needs nothing from outside, not even
 * fonts, unless the players are named.
 *
 * A page may rely on the following. Every square is an element with id="sq-NAME" and
 * data-square="NAME". The men of a kind in a hand are an element with id="hand-SEAT-LETTER",
 * data-hand="SEAT", data-piece="LETTER" and data-count. The element with id="turn" has whose turn
 * it is in data-seat; it is absent when the game is over. The picture has a title and a description
 * in words.
 *
 * Several pictures may be parts of one page. What a picture uses more than once has an id that
 * begins with letters of its game and theme, so pictures that share such an id mean the same by it.
 * `ids` of rules_picture_options sets every id apart.
 */
#ifndef PLYD_RULES_DRAW_PICTURE_H
#define PLYD_RULES_DRAW_PICTURE_H

#include "rules/draw/art.h"
#include "rules/draw/textboard.h"

enum { RULES_PICTURE_SQUARE = 48 }; /* pixels of a square if no width is asked for */

/* How a picture is shown, in addition to rules_look. All zero is light, without coordinates. */
struct rules_picture_options {
    unsigned width; /* of the picture in pixels; 0: what the squares need */
    enum rules_theme theme;
    bool coords;                   /* the names of files and ranks */
    const struct rules_set *set;   /* of men (art.h); NULL: the usual one */
    const char *ids;               /* the beginning of every id; NULL: nothing */
    const char *name[RULES_SEATS]; /* the players, above and below the board; NULL: not named */
    const char *move;              /* with names: the last move, as people write it; or NULL */
};

/* Writes the picture and its NUL as far as `cap` reaches, and returns the length of the whole
 * picture without the NUL, as snprintf does. look->style does not matter; a selected stack and
 * `stacks` are listed below the board. */
size_t rules_board_picture(const struct rules_game *game, const struct rules_state *state,
                           const struct rules_look *look, const struct rules_picture_options *frame,
                           char *out, size_t cap);

/* All men of a game as symbols, for clients that draw the board themselves: man-SEAT-NAME for each
 * kind of man, upright, with its name in the catalogue; layer-SEAT, what is seen of a man below
 * another; square, square-other (every other square of a chequered board) and zone-NAME, the
 * grounds of a square. Kinds of ground that look like any other square have none. Each is 100 by
 * 100 units and needs nothing from outside of itself. view-ID is the view that shows the symbol ID
 * alone. Of the frame only theme, set and ids matter. */
size_t rules_men_picture(const struct rules_game *game, const struct rules_picture_options *frame,
                         char *out, size_t cap);

/* The positions of a game, from number 0. load() is called for the last one, then for each in turn.
 * If it fails, there is no picture. */
struct rules_film {
    void *context;
    unsigned count; /* at least 1 */
    bool (*load)(void *context, unsigned i, struct rules_state *state);
    unsigned first; /* the number that is shown with the first position */
    unsigned pace;  /* seconds that each position lasts */
};

/* The same for a whole game, animated (SMIL). Each position is shown in turn, with its number and
 * with the squares that changed marked, and the last one three times as long; then the game begins
 * again. A viewer that does not animate shows the last position. Men lie above the squares and not
 * within them, and stacks are not listed. Returns 0 if a position could not be loaded. */
size_t rules_replay_picture(const struct rules_game *game, const struct rules_film *film,
                            const struct rules_look *look,
                            const struct rules_picture_options *frame, char *out, size_t cap);

#endif
