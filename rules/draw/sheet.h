/*
 * sheet.h - the paper that a picture is drawn on: where everything is, and how it is written. It is
 * known to sheet.c and picture*.c alone.
 *
 * A sheet is filled in three steps. sheet_look() finds out what stands where, sheet_measure()
 * decides where it will be drawn, and then the parts are drawn in the order of the last section.
 */
#ifndef PLYD_RULES_DRAW_SHEET_H
#define PLYD_RULES_DRAW_SHEET_H

#include "rules/draw/page.h"
#include "rules/draw/picture.h"
#include "rules/draw/shape.h"

enum {
    SHEET_SQUARE = 100, /* units of a square */
    SHEET_ROW = 87,     /* from one row of hexagons to the next */
    SHEET_TIP = 58,     /* from the middle of a hexagon to its upper and its lower corner */
    SHEET_FRAME = 12,   /* what surrounds the board, and shows whose turn it is */
    SHEET_LETTERS = 26  /* height of the coordinates */
};

/* What a square holds. */
struct cell {
    struct rules_man top; /* seat 0: it is empty */
    uint16_t men;
};

struct sheet {
    struct page page;
    const struct rules_game *game;
    const struct rules_state *state;
    const struct rules_look *look;
    const struct rules_picture_options *frame;
    const struct rules_art *art;
    struct rules_board board;
    struct shape shape;
    struct rules_words words;
    struct cell cell[RULES_SQUARES_MAX];
    unsigned squares;
    int left, top;     /* the board's upper left corner */
    int right, bottom; /* its lower right one; below it if a hand needs more room */
    int list;          /* the height at which the list of stacks begins */
    int width, height; /* of the whole paper */
};

/* A place of the picture. */
struct place {
    int x, y;
};

enum anchor { ANCHOR_LEFT, ANCHOR_MIDDLE };

/* Writes a template. Each '%' becomes the next number, each '~' the hundredth part of the next
 * number, and each '$' the colour that the next number, an enum rules_paint, stands for. '@'
 * begins an id that pages may rely on, and '&' one that is known to the picture alone. Each
 * apostrophe becomes a quotation mark. */
void sheet_fill(struct sheet *sheet, const char *template, const int *numbers);
#define SHEET_PUT(sheet, ...)            SHEET_PUT_(sheet, __VA_ARGS__, 0)
#define SHEET_PUT_(sheet, template, ...) sheet_fill(sheet, template, (const int[]){__VA_ARGS__})

/* A colour of this game in this theme */
const char *sheet_colour(const struct sheet *sheet, int paint);

/* Draws a text of letters, digits and shogi's numbers as strokes. y is its upper edge. */
void sheet_letters(struct sheet *sheet, const char *letters, int x, int y, int height,
                   enum anchor anchor);
int sheet_letters_width(const char *letters, int height);

/* Draws shapes in the colours of a seat. */
void sheet_shapes(struct sheet *sheet, const struct rules_shape *shapes, unsigned seat);

/* The square in a row and column of the picture, counted from the viewer's top left. */
unsigned sheet_square(const struct sheet *sheet, unsigned row, unsigned column);

/* The middle of a place of the board (shape.h), and of a square, measured from the board's upper
 * left corner. */
struct place sheet_place(const struct sheet *sheet, int row, int column);
struct place sheet_middle(const struct sheet *sheet, unsigned square);

/* ---- parts of the picture, in the order in which they are drawn ---- */

/* picture.c: before anything is drawn, what stands where and where everything will be. Then the
 * picture's element; the squares with what stands on them; the
 * lines that have won, on the board; the coordinates; the
 * players; and, if the game goes
 * on, an arrow beside the side whose turn it is. `open` is how the arrow's element begins. */
void sheet_look(struct sheet *sheet);
void sheet_measure(struct sheet *sheet);
void sheet_open(struct sheet *sheet);
void sheet_board(struct sheet *sheet);
void sheet_won_lines(struct sheet *sheet);
void sheet_labels(struct sheet *sheet);
void sheet_names(struct sheet *sheet);
bool sheet_is_open(const struct sheet *sheet);
void sheet_turn(struct sheet *sheet, const char *open);

/* picture_words.c: the title and what the picture shows in words; the title of a stack. */
void sheet_words(struct sheet *sheet);
void sheet_stack_title(struct sheet *sheet, unsigned square);

/* picture_men.c: the paper and everything that is used more than once (with `all` also men that are
 * not there now); the shapes of one man; a square's men; the hands; and one place of a hand, as the
 * rest of an element that was begun. */
void sheet_definitions(struct sheet *sheet, bool all);
void sheet_man(struct sheet *sheet, struct rules_man man);
void sheet_men(struct sheet *sheet, unsigned square);
void sheet_hands(struct sheet *sheet, bool filled);
void sheet_held(struct sheet *sheet, unsigned seat, size_t place);
unsigned sheet_held_before(const struct sheet *sheet, unsigned seat, size_t place);
const char *sheet_ground_path(const struct rules_game *game);
int sheet_hands_width(const struct sheet *sheet);
int sheet_hand_height(const struct sheet *sheet);

/* picture_men.c: the list of stacks. It begins at the height y and ends at the one that is
 * returned. Without `draw` it is only measured. */
int sheet_stacks(struct sheet *sheet, int y, bool draw);

#endif
