/* art.c - the pictures of Hex (rules/draw/art.h): a stone for each side, blue's with a ring. */
#include "hex.h"

static const struct rules_shape red[] = {
    {"M50 12a38 38 0 0 1 0 76a38 38 0 0 1 0-76z", RULES_PAINT_BODY, RULES_PAINT_EDGE, 3}, {0}};
static const struct rules_shape blue[] = {
    {"M50 12a38 38 0 0 1 0 76a38 38 0 0 1 0-76z", RULES_PAINT_BODY, RULES_PAINT_EDGE, 3},
    {"M50 30a20 20 0 0 1 0 40a20 20 0 0 1 0-40z", RULES_PAINT_NONE, RULES_PAINT_INK, 5},
    {0}};

static const struct rules_shape *const figures[RULES_SEATS][1] = {{red}, {blue}};

/* The colours of each theme; what is not here is the theme's own. */
#define PAINTS(board, line, first, second, edge)                                               \
    {                                                                                          \
        [RULES_PAINT_BOARD] = board, [RULES_PAINT_LINE] = line, [RULES_PAINT_BODY] = first,    \
        [RULES_PAINT_BODY_2] = second, [RULES_PAINT_EDGE] = edge, [RULES_PAINT_EDGE_2] = edge, \
        [RULES_PAINT_INK] = edge, [RULES_PAINT_INK_2] = edge,                                  \
    }

const struct rules_art hex_art = {
    .figure = {figures[0], figures[1]},
    .frame = "translate(-50-50)",
    .paint = {[RULES_THEME_LIGHT] = PAINTS("#ece5d8", "#c9bda6", "#d9402f", "#1f66d0", "#332c22"),
              [RULES_THEME_DARK] = PAINTS("#2b2821", "#4a4438", "#e0604f", "#4d8de8", "#0d0c0a"),
              [RULES_THEME_PRINT] = PAINTS("#fff", "#000", "#000", "#fff", "#000")},
};
