/*
 * art.c - the pictures of Turkish draughts (draw/art.h): discs on a board of one colour; a king
 * wears a crown. The discs differ in their rings, too, for eyes and printers that see no colours:
 * White's have one, Black's two.
 */
#include "rules/draw/art.h"

#define CIRCLE(y, r, d) "M0 " #y "a" #r " " #r " 0 0 1 0 " #d "a" #r " " #r " 0 0 1 0-" #d "z"

/* The edge in the shade, the face, and what is turned into it. */
static const struct rules_shape white[] = {
    {CIRCLE(-32, 37, 74), RULES_PAINT_SHADE, RULES_PAINT_EDGE, 3},
    {CIRCLE(-39, 37, 74), RULES_PAINT_BODY, RULES_PAINT_EDGE, 3},
    {CIRCLE(-30, 28, 56), RULES_PAINT_SHINE, RULES_PAINT_INK, 3},
    {0}};
static const struct rules_shape black[] = {
    {CIRCLE(-32, 37, 74), RULES_PAINT_SHADE, RULES_PAINT_EDGE, 3},
    {CIRCLE(-39, 37, 74), RULES_PAINT_BODY, RULES_PAINT_EDGE, 3},
    {CIRCLE(-33, 31, 62), RULES_PAINT_NONE, RULES_PAINT_INK, 2},
    {CIRCLE(-28, 26, 52), RULES_PAINT_SHINE, RULES_PAINT_INK, 2},
    {0}};

static const struct rules_shape man[] = {{0}};
static const struct rules_shape king[] = {
    {"M29 69L23 33L39 48L50 25L61 48L77 33L71 69Z", RULES_PAINT_ACCENT, RULES_PAINT_EDGE, 3},
    {"M31 61H69", RULES_PAINT_NONE, RULES_PAINT_EDGE, 3},
    {0}};

static const struct rules_shape *const figures[] = {man, king};

static const struct rules_ground plain[2];

const struct rules_art rules_turkish_draughts_art = {
    .body = {white, black},
    .figure = {figures, figures},
    .frame = "translate(-50-51)",
    .ground = plain,
    .paint = {[RULES_THEME_LIGHT] = {[RULES_PAINT_BOARD] = "#eecb8f",
                                     [RULES_PAINT_FRAME] = "#8b5e30",
                                     [RULES_PAINT_LINE] = "#7d5a2c",
                                     [RULES_PAINT_ACCENT] = "#f0b323",
                                     [RULES_PAINT_SHADE] = "#cbb68d",
                                     [RULES_PAINT_SHADE_2] = "#15110f",
                                     [RULES_PAINT_SHINE] = "#fffdf8",
                                     [RULES_PAINT_SHINE_2] = "#453d38",
                                     [RULES_PAINT_BODY] = "#fdf3e0",
                                     [RULES_PAINT_BODY_2] = "#37302c",
                                     [RULES_PAINT_EDGE] = "#5b4526",
                                     [RULES_PAINT_EDGE_2] = "#0c0a09",
                                     [RULES_PAINT_INK] = "#c5ad82",
                                     [RULES_PAINT_INK_2] = "#75685e"},
              [RULES_THEME_DARK] = {[RULES_PAINT_BOARD] = "#cca268",
                                    [RULES_PAINT_FRAME] = "#5e4122",
                                    [RULES_PAINT_LINE] = "#5a4020",
                                    [RULES_PAINT_ACCENT] = "#e5a61a",
                                    [RULES_PAINT_SHADE] = "#b9a379",
                                    [RULES_PAINT_SHADE_2] = "#0d0b0a",
                                    [RULES_PAINT_SHINE] = "#f6ecd8",
                                    [RULES_PAINT_SHINE_2] = "#39322e",
                                    [RULES_PAINT_BODY] = "#efe2c8",
                                    [RULES_PAINT_BODY_2] = "#2b2523",
                                    [RULES_PAINT_EDGE] = "#46341b",
                                    [RULES_PAINT_EDGE_2] = "#000",
                                    [RULES_PAINT_INK] = "#b59d72",
                                    [RULES_PAINT_INK_2] = "#6b5f56"},
              [RULES_THEME_PRINT] = {[RULES_PAINT_BOARD] = "#fff",
                                     [RULES_PAINT_LINE] = "#000",
                                     [RULES_PAINT_ACCENT] = "#fff",
                                     [RULES_PAINT_SHADE] = "#fff",
                                     [RULES_PAINT_SHADE_2] = "#000",
                                     [RULES_PAINT_SHINE] = "#fff",
                                     [RULES_PAINT_SHINE_2] = "#222",
                                     [RULES_PAINT_BODY] = "#fff",
                                     [RULES_PAINT_BODY_2] = "#222",
                                     [RULES_PAINT_EDGE] = "#000",
                                     [RULES_PAINT_EDGE_2] = "#000",
                                     [RULES_PAINT_INK] = "#000",
                                     [RULES_PAINT_INK_2] = "#fff"}},
};
