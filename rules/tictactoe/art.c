/* art.c - the pictures of tic-tac-toe (draw/art.h): a cross and a ring. */
#include "rules/draw/art.h"

static const struct rules_shape cross[] = {
    {"M18 18L82 82M82 18L18 82", RULES_PAINT_NONE, RULES_PAINT_INK, 13}, {0}};
static const struct rules_shape ring[] = {
    {"M50 15a35 35 0 0 1 0 70a35 35 0 0 1 0-70z", RULES_PAINT_NONE, RULES_PAINT_INK, 13}, {0}};

static const struct rules_shape *const figures[RULES_SEATS][1] = {{cross}, {ring}};

const struct rules_art rules_tictactoe_art = {
    .figure = {figures[0], figures[1]},
    .tiled = true,
    .frame = "translate(-50-50)",
    .paint = {[RULES_THEME_LIGHT] = {[RULES_PAINT_BOARD] = "#e8edf4",
                                     [RULES_PAINT_LINE] = "#d3dbe6",
                                     [RULES_PAINT_INK] = "#1f66d0",
                                     [RULES_PAINT_INK_2] = "#d9402f"},
              [RULES_THEME_DARK] = {[RULES_PAINT_BOARD] = "#252b34",
                                    [RULES_PAINT_LINE] = "#353d49",
                                    [RULES_PAINT_INK] = "#6db1ff",
                                    [RULES_PAINT_INK_2] = "#ff8a75"},
              [RULES_THEME_PRINT] = {[RULES_PAINT_BOARD] = "#fff",
                                     [RULES_PAINT_LINE] = "#000",
                                     [RULES_PAINT_INK] = "#000",
                                     [RULES_PAINT_INK_2] = "#000"}},
};
