/*
 * art.c - the pictures of shogi (draw/art.h): wedges with one kanji each, written stroke by stroke.
 * Promoted men are red, and the men of the side opposite stand on their heads.
 */
#include "rules/draw/art.h"

/* A kanji as a skeleton. The more strokes it has, the thinner they are. */
#define KANJI(name, ink, skeleton) \
    static const struct rules_shape name[] = {{skeleton, ink, RULES_PAINT_NONE, 0}, {0}}

#define BLACK RULES_PAINT_INK
#define RED   RULES_PAINT_ACCENT

KANJI(ou, BLACK, "w13 h17 16 83 16 h22 49 78 49 h8 87 92 87 i50 16 50 86"); /* 王 */
KANJI(gyoku, BLACK, "w13 h17 16 83 16 h22 48 78 48 h8 87 92 87 i50 16 50 86 d63 57 78 73"); /* 玉 */
KANJI(hi, BLACK, /* 飛 */
      "w9 b13 11 55 11 57 40 74 45 80 33 l87 5 80 16 65 22 d66 23 84 36"
      "l41 20 28 32 9 36 l25 34 25 80 6 98 v45 23 45 98"
      "b4 57 64 57 66 86 84 95 92 79 l92 50 85 60 69 65 d70 67 89 79");
KANJI(kaku, BLACK, /* 角 */
      "w11 l41 2 34 20 8 37 z36 16 67 16 62 27 51 35"
      "l22 34 22 80 6 98 k22 34 80 34 80 88 63 88 i24 53 80 53 i23 71 80 71 i51 34 51 71");
KANJI(kin, BLACK, /* 金 */
      "w11 l51 3 37 29 4 47 r49 5 65 28 94 44 h28 45 72 45 h16 63 84 63 h6 92 94 92 i50 45 50 91"
      "d27 70 36 84 l75 68 70 78 61 85");
KANJI(gin, BLACK, /* 銀 */
      "w9 l26 3 19 22 1 37 d28 10 49 31 h13 38 41 38 h6 56 47 56 i27 38 27 88 d10 64 16 79"
      "l44 62 41 72 35 79 l2 93 26 89 49 81 g58 10 58 91 78 82 c58 10 87 10 87 46 i58 28 87 28"
      "i58 46 87 46 l95 53 87 64 73 68 r64 47 72 78 96 93");
KANJI(kei, BLACK, /* 桂 */
      "w10 h4 29 43 29 v24 3 24 98 l24 31 19 53 2 70 d26 38 41 55"
      "h49 20 92 20 v70 4 70 43 h45 44 97 44 h49 67 92 67 v70 52 70 91 h42 92 99 92");
KANJI(kyou, BLACK, /* 香 */
      "w10 l79 5 55 13 20 15 h7 31 93 31 v50 12 50 59 l48 32 34 51 5 61 r52 32 67 51 93 58"
      "v28 65 28 99 c28 66 72 66 72 98 i28 80 72 80 i28 93 72 93");
KANJI(fu, BLACK, /* 歩 */
      "w10 v52 3 52 43 h52 21 84 21 v27 17 27 43 h7 43 93 43 g52 50 52 76 38 73"
      "l31 55 25 69 11 79 d66 51 80 63 l89 66 68 92 11 98");
KANJI(to, RED, "w13 s35 7 36 30 44 48 s80 27 42 42 25 62 15 79 29 88 43 94 83 90"); /* と */
KANJI(anzu, RED,                                                                    /* 杏 */
      "w11 h8 24 92 24 v50 3 50 60 l48 26 34 48 5 60 r52 26 67 47 94 57"
      "v27 67 27 99 c27 68 73 68 73 98 i27 92 73 92");
KANJI(narikei, RED,
      "w12 h22 21 78 21 v50 4 50 44 h10 45 90 45 h22 68 78 68 v50 52 50 91 h7 92 93 92"); /* 圭 */
KANJI(zen, RED,                                                                           /* 全 */
      "w12 l51 3 36 32 3 50 r49 5 65 32 95 47 h26 49 74 49 h28 70 72 70 h9 93 91 93 i50 49 50 92");
KANJI(uma, RED, /* 馬 */
      "w10 v22 8 22 61 h22 10 83 10 i52 10 52 60 h22 26 78 26 h22 43 78 43 k22 60 86 60 82 92 64 90"
      "l15 69 14 84 4 96 d30 71 37 88 d47 70 54 85 d63 68 71 81");
KANJI(ryuu, RED, /* 龍 */
      "w8 v26 2 26 15 h6 16 47 16 d14 21 20 33 l40 20 37 28 32 34 h2 37 50 37"
      "l12 47 12 86 3 99 k12 47 42 47 42 91 30 92 i13 60 42 60 i13 74 42 74"
      "v60 3 60 31 h60 17 93 17 c58 32 88 32 88 46 i58 47 88 47 u58 47 58 92 94 92 96 79"
      "h66 59 90 59 h66 70 90 70 h66 81 90 81");

/* The wood, and its edges: the lower one in the shade, the left one in the light. */
static const struct rules_shape wedge[] = {
    {"M0-43L32-34L43 48H-43L-32-34Z", RULES_PAINT_SHADE, RULES_PAINT_NONE, 0},
    {"M0-47L31-37L42 44H-42L-31-37Z", RULES_PAINT_BODY, RULES_PAINT_EDGE, 1},
    {"M-39.5 42L-29.5-35.5L0-45", RULES_PAINT_NONE, RULES_PAINT_SHINE, 2},
    {0}};

/* In the order of pieces.def. The kings differ: Gote's is the 王, as in pieces.def. */
static const struct rules_shape *const figures[RULES_SEATS][14] = {
    {fu, kyou, kei, gin, kaku, hi, kin, gyoku, to, anzu, narikei, zen, uma, ryuu},
    {fu, kyou, kei, gin, kaku, hi, kin, ou, to, anzu, narikei, zen, uma, ryuu},
};

/* The king is the largest, and the pawn the smallest. */
static const uint8_t sizes[] = {88, 90, 92, 95, 98, 98, 95, 100, 88, 90, 92, 95, 98, 98};

static const struct rules_ground plain[2];

/* The four dots at the corners between the promotion zones and the middle. */
static const struct rules_shape stars[] = {
    {"M300 300h0M600 300h0M300 600h0M600 600h0", RULES_PAINT_NONE, RULES_PAINT_LINE, 14}, {0}};

/* Both sides' men are of the same wood. */
#define WOOD(shade, shine, body, edge)                                                             \
    [RULES_PAINT_SHADE] = (shade), [RULES_PAINT_SHADE_2] = (shade), [RULES_PAINT_SHINE] = (shine), \
    [RULES_PAINT_SHINE_2] = (shine), [RULES_PAINT_BODY] = (body), [RULES_PAINT_BODY_2] = (body),   \
    [RULES_PAINT_EDGE] = (edge), [RULES_PAINT_EDGE_2] = (edge)

extern const struct rules_set rules_shogi_sets[]; /* sets.c */

const struct rules_art rules_shogi_art = {
    .body = {wedge, wedge},
    .figure = {figures[0], figures[1]},
    .size = sizes,
    .frame = "translate(-31-27.5)scale(.31 .34)",
    .turned = true,
    .ground = plain,
    .upon = stars,
    .sets = rules_shogi_sets,
    .paint = {[RULES_THEME_LIGHT] = {[RULES_PAINT_BOARD] = "#f0cf8e",
                                     [RULES_PAINT_OTHER] = "#e2bd78",
                                     [RULES_PAINT_FRAME] = "#b5874a",
                                     [RULES_PAINT_LINE] = "#5b4322",
                                     [RULES_PAINT_ACCENT] = "#c0151b",
                                     WOOD("#b98844", "#fffaea", "#fce8bd", "#a57a3c"),
                                     [RULES_PAINT_INK] = "#14100a",
                                     [RULES_PAINT_INK_2] = "#14100a"},
              [RULES_THEME_DARK] = {[RULES_PAINT_BOARD] = "#cba469",
                                    [RULES_PAINT_OTHER] = "#a37e4a",
                                    [RULES_PAINT_FRAME] = "#7a5a30",
                                    [RULES_PAINT_LINE] = "#3a2a15",
                                    [RULES_PAINT_ACCENT] = "#b3131a",
                                    WOOD("#7d5a2c", "#fff2d2", "#f1d9a6", "#6d4d24"),
                                    [RULES_PAINT_INK] = "#14100a",
                                    [RULES_PAINT_INK_2] = "#14100a"},
              [RULES_THEME_PRINT] = {[RULES_PAINT_BOARD] = "#fff",
                                     [RULES_PAINT_OTHER] = "#fff",
                                     [RULES_PAINT_LINE] = "#000",
                                     [RULES_PAINT_ACCENT] = "#000",
                                     WOOD("#fff", "#fff", "#fff", "#000"),
                                     [RULES_PAINT_INK] = "#000",
                                     [RULES_PAINT_INK_2] = "#000"}},
};
