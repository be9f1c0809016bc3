/* art.c - the pictures of Nine Men's Morris (rules/draw/art.h): men, and the lines between the
 * squares, which also cross what is not there. */
#include "mill.h"

#define MAN "M50 14a36 36 0 0 1 0 72a36 36 0 0 1 0-72z"

static const struct rules_shape white[] = {{MAN, RULES_PAINT_BODY, RULES_PAINT_EDGE, 4}, {0}};
static const struct rules_shape black[] = {
    {MAN, RULES_PAINT_BODY, RULES_PAINT_EDGE, 4},
    {"M50 30a20 20 0 0 1 0 40a20 20 0 0 1 0-40z", RULES_PAINT_NONE, RULES_PAINT_INK, 4},
    {0}};

static const struct rules_shape *const figures[RULES_SEATS][1] = {{white}, {black}};

static const struct rules_shape lines[] = {
    {"M50 50h600v600h-600zM150 150h400v400h-400zM250 250h200v200h-200z"
     "M350 50v200M350 450v200M50 350h200M450 350h200",
     RULES_PAINT_NONE, RULES_PAINT_ACCENT, 6},
    {0}};

#define PAINTS(board, line, first, second, edge)                                              \
    {                                                                                         \
        [RULES_PAINT_BOARD] = board, [RULES_PAINT_LINE] = board, [RULES_PAINT_ACCENT] = line, \
        [RULES_PAINT_BODY] = first, [RULES_PAINT_BODY_2] = second, [RULES_PAINT_EDGE] = edge, \
        [RULES_PAINT_EDGE_2] = edge, [RULES_PAINT_INK_2] = edge,                              \
    }

const struct rules_art mill_art = {
    .figure = {figures[0], figures[1]},
    .upon = lines,
    .tiled = true,
    .paint = {[RULES_THEME_LIGHT] = PAINTS("#eadcc2", "#8a6b3d", "#fffdf6", "#3a332a", "#6b5a43"),
              [RULES_THEME_DARK] = PAINTS("#332b20", "#a98b58", "#efe6d2", "#15120d", "#8d7a5c"),
              [RULES_THEME_PRINT] = PAINTS("#fff", "#000", "#fff", "#333", "#000")},
};
