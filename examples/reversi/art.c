/* art.c - the pictures of Reversi (rules/draw/art.h): discs, white's with a ring. */
#include "reversi.h"

#define DISC "M50 10a40 40 0 0 1 0 80a40 40 0 0 1 0-80z"

static const struct rules_shape black[] = {{DISC, RULES_PAINT_BODY, RULES_PAINT_EDGE, 3}, {0}};
static const struct rules_shape white[] = {
    {DISC, RULES_PAINT_BODY, RULES_PAINT_EDGE, 3},
    {"M50 22a28 28 0 0 1 0 56a28 28 0 0 1 0-56z", RULES_PAINT_NONE, RULES_PAINT_INK, 2},
    {0}};

static const struct rules_shape *const figures[RULES_SEATS][1] = {{black}, {white}};

#define PAINTS(board, line, first, second, edge)                                               \
    {                                                                                          \
        [RULES_PAINT_BOARD] = board, [RULES_PAINT_LINE] = line, [RULES_PAINT_BODY] = first,    \
        [RULES_PAINT_BODY_2] = second, [RULES_PAINT_EDGE] = edge, [RULES_PAINT_EDGE_2] = edge, \
        [RULES_PAINT_INK_2] = edge,                                                            \
    }

const struct rules_art reversi_art = {
    .figure = {figures[0], figures[1]},
    .tiled = true,
    .frame = "translate(-50-50)",
    .paint = {[RULES_THEME_LIGHT] = PAINTS("#b9d8b2", "#8db886", "#222", "#fff", "#222"),
              [RULES_THEME_DARK] = PAINTS("#24432f", "#3a6648", "#000", "#ddd", "#777"),
              [RULES_THEME_PRINT] = PAINTS("#fff", "#000", "#000", "#fff", "#000")},
};
