/*
 * art.c - the pictures of Stackchess (draw/art.h): chessmen, and what is seen of men below another.
 * Black's men are filled, White's are outlined.
 */
#include "rules/draw/art.h"

#define FOOT "M24 92V84Q24 78 32 77H68Q76 78 76 84V92Z"
#define OF(path)                                    \
    {                                               \
        path, RULES_PAINT_BODY, RULES_PAINT_EDGE, 4 \
    }
#define LINE(path)                                 \
    {                                              \
        path, RULES_PAINT_NONE, RULES_PAINT_INK, 3 \
    }

static const struct rules_shape pawn[] = {OF("M42 46C36 58 36 68 32 77H68C64 68 64 58 58 46Z"),
                                          OF("M35 46H65"),
                                          OF("M50 14A15 15 0 1 1 50 44A15 15 0 1 1 50 14Z"),
                                          OF(FOOT),
                                          {0}};
static const struct rules_shape rook[] = {
    OF("M36 36L33 77H67L64 36Z"),
    OF("M28 12H39V20H45V12H55V20H61V12H72V30L64 36H36L28 30Z"),
    LINE("M36 36H64M34 70H66"),
    OF(FOOT),
    {0}};
static const struct rules_shape knight[] = {
    OF("M34 77C34 60 48 54 47 44C40 48 34 47 30 54L22 52L19 44C24 36 28 30 34 24L33 9L44 17"
       "C62 16 72 34 71 77Z"),
    LINE("M39 29L43 28M50 22C60 30 64 46 63 66"),
    OF(FOOT),
    {0}};
static const struct rules_shape bishop[] = {OF("M38 54C36 64 36 70 32 77H68C64 70 64 64 62 54Z"),
                                            OF("M50 17C66 30 70 46 61 54H39C30 46 34 30 50 17Z"),
                                            OF("M50 6A5 5 0 1 1 50 17A5 5 0 1 1 50 6Z"),
                                            LINE("M50 30V46M43 37H57"),
                                            OF(FOOT),
                                            {0}};
static const struct rules_shape queen[] = {
    OF("M32 77L18 30L34 50L37 22L50 46L63 22L66 50L82 30L68 77Z"),
    OF("M18 22A5 5 0 1 1 18 32A5 5 0 1 1 18 22Z"),
    OF("M37 14A5 5 0 1 1 37 24A5 5 0 1 1 37 14Z"),
    OF("M63 14A5 5 0 1 1 63 24A5 5 0 1 1 63 14Z"),
    OF("M82 22A5 5 0 1 1 82 32A5 5 0 1 1 82 22Z"),
    LINE("M32 66Q50 60 68 66"),
    OF(FOOT),
    {0}};
static const struct rules_shape king[] = {
    {"M50 4V26M41 12H59", RULES_PAINT_NONE, RULES_PAINT_EDGE, 6},
    OF("M50 44C44 20 12 28 20 52C23 62 31 66 32 77H68C69 66 77 62 80 52C88 28 56 20 50 44Z"),
    OF("M50 48C40 34 42 26 50 22C58 26 60 34 50 48Z"),
    LINE("M32 68Q50 61 68 68"),
    OF(FOOT),
    {0}};

/* In the order of the kinds in board.h. */
static const struct rules_shape *const figures[] = {king, queen, bishop, rook, knight, pawn};

static const struct rules_shape layer[] = {
    {"M-28-8H28Q33-8 33-4T28 0H-28Q-33 0-33-4T-28-8Z", RULES_PAINT_BODY, RULES_PAINT_EDGE, 2}, {0}};

static const struct rules_ground plain[2];

const struct rules_art rules_stackchess_art = {
    .figure = {figures, figures},
    .layer = layer,
    .frame = "translate(-45-42)scale(.9)",
    .chequered = true,
    .ground = plain,
    .paint = {[RULES_THEME_LIGHT] = {[RULES_PAINT_BOARD] = "#f0dcb8",
                                     [RULES_PAINT_FRAME] = "#7a5329",
                                     [RULES_PAINT_OTHER] = "#c39a68",
                                     [RULES_PAINT_LINE] = "#9a7443",
                                     [RULES_PAINT_BODY] = "#fffdf6",
                                     [RULES_PAINT_BODY_2] = "#3a322d",
                                     [RULES_PAINT_EDGE] = "#1d1712",
                                     [RULES_PAINT_EDGE_2] = "#0d0a08",
                                     [RULES_PAINT_INK] = "#1d1712",
                                     [RULES_PAINT_INK_2] = "#efe3cf"},
              [RULES_THEME_DARK] = {[RULES_PAINT_BOARD] = "#cbb48c",
                                    [RULES_PAINT_FRAME] = "#4b3a24",
                                    [RULES_PAINT_OTHER] = "#8d6f4a",
                                    [RULES_PAINT_LINE] = "#6b5434",
                                    [RULES_PAINT_BODY] = "#faf4e6",
                                    [RULES_PAINT_BODY_2] = "#262120",
                                    [RULES_PAINT_EDGE] = "#191411",
                                    [RULES_PAINT_EDGE_2] = "#000",
                                    [RULES_PAINT_INK] = "#191411",
                                    [RULES_PAINT_INK_2] = "#e8dcc6"},
              [RULES_THEME_PRINT] = {[RULES_PAINT_BOARD] = "#fff",
                                     [RULES_PAINT_OTHER] = "#d9d9d9",
                                     [RULES_PAINT_LINE] = "#000",
                                     [RULES_PAINT_BODY] = "#fff",
                                     [RULES_PAINT_BODY_2] = "#111",
                                     [RULES_PAINT_EDGE] = "#000",
                                     [RULES_PAINT_EDGE_2] = "#000",
                                     [RULES_PAINT_INK] = "#000",
                                     [RULES_PAINT_INK_2] = "#fff"}},
};
