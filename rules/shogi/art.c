/*
 * art.c - the pictures of shogi (draw/art.h): wedges with one kanji each, written stroke by stroke.
 * Promoted men are red, and the men of the side opposite stand on their heads.
 */
#include "rules/draw/art.h"

/* A kanji is one path. The more strokes it has, the thinner they are. */
#define KANJI(name, width, ink, path) \
    static const struct rules_shape name[] = {{path, RULES_PAINT_NONE, ink, width}, {0}}

#define BLACK RULES_PAINT_INK
#define RED   RULES_PAINT_ACCENT

KANJI(ou, 10, BLACK, "M17 15H83M23 48H77M10 86H90M50 15V86");                /* 王 */
KANJI(gyoku, 10, BLACK, "M17 15H83M23 47H77M10 86H90M50 15V86M65 59L76 72"); /* 玉 */
KANJI(hi, 7, BLACK,                                                          /* 飛 */
      "M14 12H56Q58 36 70 44Q78 49 80 38M88 10Q80 18 66 22M67 23L84 34"
      "M40 22Q28 32 11 36M25 33V60Q25 82 7 96M45 24V97"
      "M5 57H64Q64 82 77 91Q88 97 92 80M92 52Q85 61 70 65M71 66L88 76");
KANJI(kaku, 8, BLACK, /* 角 */
      "M41 3Q33 20 10 35M38 15H67Q63 25 54 32"
      "M23 33V60Q23 82 8 96M23 33H81V83Q81 95 65 91M24 52H80M24 71H80M52 33V71");
KANJI(kin, 9, BLACK, /* 金 */
      "M50 5Q37 28 6 44M50 5Q64 28 94 44M29 44H71M18 62H82M8 91H92M50 44V91"
      "M29 70L36 83M71 70L63 83");
KANJI(gin, 7, BLACK, /* 銀 */
      "M26 4Q19 21 3 35M26 4Q33 19 48 31M14 37H40M8 55H45M27 37V86M12 65L17 78M42 64L36 77"
      "M4 92Q26 88 49 81M57 10V92M57 10H87V47H57M57 28H87M57 92Q66 90 76 82"
      "M93 55Q86 63 74 67M64 48Q72 78 97 94");
KANJI(kei, 8, BLACK, /* 桂 */
      "M5 29H41M24 5V96M24 31Q19 52 4 68M25 39L39 54"
      "M50 20H91M70 5V44M44 44H97M50 67H91M70 53V91M43 91H98");
KANJI(kyou, 8, BLACK, /* 香 */
      "M77 6Q54 14 22 15M8 31H92M50 13V58M47 33Q33 50 7 59M53 33Q67 50 93 59"
      "M28 65V97M28 65H72V97M28 79H72M28 93H72");
KANJI(fu, 8, BLACK, /* 歩 */
      "M52 4V43M52 20H82M27 18V43M9 43H91M50 51V74Q50 82 39 77M31 56Q26 67 13 76M68 53Q77 58 83 66"
      "M87 74Q64 95 14 97");
KANJI(to, 10, RED, "M35 7Q37 30 43 46M79 27Q42 42 25 62Q15 78 28 87Q42 94 83 90"); /* と */
KANJI(anzu, 9, RED,                                                                /* 杏 */
      "M9 25H91M50 5V60M47 27Q34 47 7 59M53 27Q66 47 93 59M28 68V96M28 68H72V96M28 92H72");
KANJI(narikei, 9, RED, "M23 21H77M50 5V45M12 45H88M23 67H77M50 54V91M8 91H92"); /* 圭 */
KANJI(zen, 9, RED,                                                              /* 全 */
      "M50 5Q37 30 6 48M50 5Q64 30 94 48M27 48H73M29 69H71M12 92H88M50 48V92");
KANJI(uma, 8, RED, /* 馬 */
      "M23 9V60M23 9H80M52 9V60M23 26H76M23 43H76M23 60H87Q87 82 80 92Q75 98 65 92"
      "M15 70Q14 83 6 94M31 72L36 87M48 71L53 84M64 69L69 80");
KANJI(ryuu, 6, RED, /* 龍 */
      "M26 3V14M8 15H45M16 21L20 33M37 21L33 33M3 36H49"
      "M12 46V70Q12 87 5 97M12 46H41V87Q41 97 31 94M13 59H41M13 73H41"
      "M59 4V32M59 17H92M54 32H87V47H57M57 47V83Q57 94 67 94H87Q96 94 96 83M67 59H88M67 70H88M67 "
      "81H88");

static const struct rules_shape wedge[] = {
    {"M0-46L29-37L41 45H-41L-29-37Z", RULES_PAINT_BODY, RULES_PAINT_EDGE, 2}, {0}};

/* In the order of pieces.def. The kings differ: Gote's is the 王, as in pieces.def. */
static const struct rules_shape *const figures[RULES_SEATS][14] = {
    {fu, kyou, kei, gin, kaku, hi, kin, gyoku, to, anzu, narikei, zen, uma, ryuu},
    {fu, kyou, kei, gin, kaku, hi, kin, ou, to, anzu, narikei, zen, uma, ryuu},
};

static const struct rules_ground plain[2];

/* The four dots at the corners between the promotion zones and the middle. */
static const struct rules_shape stars[] = {
    {"M300 300h0M600 300h0M300 600h0M600 600h0", RULES_PAINT_NONE, RULES_PAINT_LINE, 14}, {0}};

const struct rules_art rules_shogi_art = {
    .body = {wedge, wedge},
    .figure = {figures[0], figures[1]},
    .frame = "translate(-28-24)scale(.56 .6)",
    .turned = true,
    .ground = plain,
    .upon = stars,
    .paint = {[RULES_THEME_LIGHT] = {[RULES_PAINT_BOARD] = "#f2d28f",
                                     [RULES_PAINT_LINE] = "#5b4322",
                                     [RULES_PAINT_ACCENT] = "#c4161c",
                                     [RULES_PAINT_BODY] = "#fdf0cd",
                                     [RULES_PAINT_BODY_2] = "#fdf0cd",
                                     [RULES_PAINT_EDGE] = "#8a6a33",
                                     [RULES_PAINT_EDGE_2] = "#8a6a33",
                                     [RULES_PAINT_INK] = "#17120a",
                                     [RULES_PAINT_INK_2] = "#17120a"},
              [RULES_THEME_DARK] = {[RULES_PAINT_BOARD] = "#6d5632",
                                    [RULES_PAINT_LINE] = "#2b2113",
                                    [RULES_PAINT_ACCENT] = "#b3131a",
                                    [RULES_PAINT_BODY] = "#e6cf9c",
                                    [RULES_PAINT_BODY_2] = "#e6cf9c",
                                    [RULES_PAINT_EDGE] = "#2b2113",
                                    [RULES_PAINT_EDGE_2] = "#2b2113",
                                    [RULES_PAINT_INK] = "#17120a",
                                    [RULES_PAINT_INK_2] = "#17120a"},
              [RULES_THEME_PRINT] = {[RULES_PAINT_BOARD] = "#fff",
                                     [RULES_PAINT_LINE] = "#000",
                                     [RULES_PAINT_ACCENT] = "#000",
                                     [RULES_PAINT_BODY] = "#fff",
                                     [RULES_PAINT_BODY_2] = "#fff",
                                     [RULES_PAINT_EDGE] = "#000",
                                     [RULES_PAINT_EDGE_2] = "#000",
                                     [RULES_PAINT_INK] = "#000",
                                     [RULES_PAINT_INK_2] = "#000"}},
};
