/*
 * art.c - the pictures of Turkish draughts (draw/art.h): discs on a board of one colour; a king
 * wears a crown. The discs differ in their rings, too, for eyes and printers that see no colours:
 * White's have one, Black's two.
 */
#include "rules/draw/art.h"

#define CIRCLE(r, d) "M0-" #r "a" #r " " #r " 0 0 1 0 " #d "a" #r " " #r " 0 0 1 0-" #d "z"

static const struct rules_shape white[] = {{CIRCLE(38, 76), RULES_PAINT_BODY, RULES_PAINT_EDGE, 4},
                                           {CIRCLE(29, 58), RULES_PAINT_NONE, RULES_PAINT_INK, 2},
                                           {0}};
static const struct rules_shape black[] = {{CIRCLE(38, 76), RULES_PAINT_BODY, RULES_PAINT_EDGE, 4},
                                           {CIRCLE(32, 64), RULES_PAINT_NONE, RULES_PAINT_INK, 2},
                                           {CIRCLE(26, 52), RULES_PAINT_NONE, RULES_PAINT_INK, 2},
                                           {0}};

static const struct rules_shape man[] = {{0}};
static const struct rules_shape king[] = {
    {"M30 66L25 36L40 50L50 29L60 50L75 36L70 66Z", RULES_PAINT_ACCENT, RULES_PAINT_INK, 4},
    {"M32 74H68", RULES_PAINT_NONE, RULES_PAINT_INK, 5},
    {0}};

static const struct rules_shape *const figures[] = {man, king};

static const struct rules_ground plain[2];

const struct rules_art rules_turkish_draughts_art = {
    .body = {white, black},
    .figure = {figures, figures},
    .frame = "translate(-50-52)",
    .ground = plain,
    .paint = {[RULES_THEME_LIGHT] = {[RULES_PAINT_BOARD] = "#eecb8f",
                                     [RULES_PAINT_LINE] = "#6b4a22",
                                     [RULES_PAINT_ACCENT] = "#e7a91c",
                                     [RULES_PAINT_BODY] = "#fffaf0",
                                     [RULES_PAINT_BODY_2] = "#2a2522",
                                     [RULES_PAINT_EDGE] = "#3b2c18",
                                     [RULES_PAINT_EDGE_2] = "#0c0a09",
                                     [RULES_PAINT_INK] = "#7a6544",
                                     [RULES_PAINT_INK_2] = "#b9aa97"},
              [RULES_THEME_DARK] = {[RULES_PAINT_BOARD] = "#7a5f3a",
                                    [RULES_PAINT_LINE] = "#2c2113",
                                    [RULES_PAINT_ACCENT] = "#d99a15",
                                    [RULES_PAINT_BODY] = "#efe6d4",
                                    [RULES_PAINT_BODY_2] = "#1b1816",
                                    [RULES_PAINT_EDGE] = "#2c2113",
                                    [RULES_PAINT_EDGE_2] = "#000",
                                    [RULES_PAINT_INK] = "#5f4d31",
                                    [RULES_PAINT_INK_2] = "#b9aa97"},
              [RULES_THEME_PRINT] = {[RULES_PAINT_BOARD] = "#fff",
                                     [RULES_PAINT_LINE] = "#000",
                                     [RULES_PAINT_ACCENT] = "#fff",
                                     [RULES_PAINT_BODY] = "#fff",
                                     [RULES_PAINT_BODY_2] = "#222",
                                     [RULES_PAINT_EDGE] = "#000",
                                     [RULES_PAINT_EDGE_2] = "#000",
                                     [RULES_PAINT_INK] = "#000",
                                     [RULES_PAINT_INK_2] = "#fff"}},
};
