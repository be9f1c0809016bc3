/*
 * board.h - boards as JSON, for a client that draws them itself and knows no game.
 */
#ifndef PLYD_API_VIEW_BOARD_H
#define PLYD_API_VIEW_BOARD_H

#include "api/text/arena.h"
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

/* ---- board_text.c ---------------------------------------------------------------------------- */

/* Boards as texts for a terminal. All texts are in the arena. */

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

/* ---- picture.c ------------------------------------------------------------------------------- */

/* Boards as pictures. */

struct rules_picture_options;
struct rules_look;

/* The board as an SVG, drawn and marked as `look` and `frame` say. In the arena. */
const char *view_board_picture(struct arena *arena, const struct game_view *view,
                               struct rules_look *look, const struct rules_picture_options *frame);

/* Such a picture as a PNG of *len bytes, in the arena. That takes some 10 ms, and up to 15 MB
 * meanwhile. Texts are left out. */
const char *view_picture_pixels(struct arena *arena, const char *svg, size_t *len);

/* Has the players named, and the last move written if it was looked up. The texts are in the arena.
 */
void view_name_players(struct arena *arena, const struct game_view *view,
                       struct rules_picture_options *frame);

/* All men of a game as symbols of one SVG (rules_men_picture()). In the arena. */
const char *view_men_picture(struct arena *arena, const struct rules_game *game,
                             const struct rules_picture_options *frame);

/* ---- marks.c --------------------------------------------------------------------------------- */

/* The squares that are marked on a board: in texts, in pictures, and in its JSON. */

struct rules_look;

/* Marks what a list such as "last,check,legal" or "legal:7g" asks for. False: a word of the list is
 * not known, or there are more than 64. */
bool view_mark_squares(struct arena *arena, struct rules_look *look, const struct game_view *view,
                       const char *marks);

/* Marks what is marked where nothing else is asked for: all of the following. As such a list, it is
 * in view_usual_marks. */
void view_mark_usual(struct rules_look *look, const struct game_view *view);
extern const char view_usual_marks[];

/* Finds the next square that a move's text names from *at on, and moves *at behind it. False: there
 * is none left. */
bool view_next_square(struct rules_board board, const char **at, unsigned *square);

#endif
