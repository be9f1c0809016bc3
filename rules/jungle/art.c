/*
 * art.c - the pictures of Jungle (draw/art.h): eight faces with their strength beside them, and
 * waves, traps and dens. Red's pieces are round and Blue's have eight sides, for eyes and printers
 * that see no colours.
 */
#include "rules/draw/art.h"

#define OUTLINE(path)                              \
    {                                              \
        path, RULES_PAINT_BODY, RULES_PAINT_INK, 4 \
    }
#define FILLED(path)                              \
    {                                             \
        path, RULES_PAINT_INK, RULES_PAINT_INK, 2 \
    }
#define STROKE(path)                               \
    {                                              \
        path, RULES_PAINT_NONE, RULES_PAINT_INK, 4 \
    }
#define DOT(path)                                  \
    {                                              \
        path, RULES_PAINT_NONE, RULES_PAINT_INK, 8 \
    }
/* The strength on a small disc, at the lower right. */
#define STRENGTH(digit)                                                                     \
    {"M94 76A22 22 0 1 1 94 120A22 22 0 1 1 94 76Z", RULES_PAINT_INK, RULES_PAINT_BODY, 4}, \
    {                                                                                       \
        digit, RULES_PAINT_NONE, RULES_PAINT_BODY, 5                                        \
    }

static const struct rules_shape rat[] = {
    OUTLINE("M27 14A17 17 0 1 1 27 48A17 17 0 1 1 27 14Z"),
    OUTLINE("M73 14A17 17 0 1 1 73 48A17 17 0 1 1 73 14Z"),
    OUTLINE("M50 28C66 28 74 40 70 52C66 66 58 82 50 84C42 82 34 66 30 52C26 40 34 28 50 28Z"),
    DOT("M42 48h0M58 48h0"),
    FILLED("M45 76H55L50 84Z"),
    STROKE("M42 70L18 64M42 74L20 78M58 70L82 64M58 74L80 78"),
    STRENGTH("M89 91L95 86V110"),
    {0}};
static const struct rules_shape cat[] = {
    OUTLINE("M22 12L42 28Q50 26 58 28L78 12L79 50Q78 80 50 82Q22 80 21 50Z"),
    STROKE("M38 44V52M62 44V52"),
    FILLED("M45 60H55L50 66Z"),
    STROKE("M50 66Q47 73 40 71M50 66Q53 73 60 71M34 62L8 56M34 66L8 70M66 62L92 56M66 66L92 70"),
    STRENGTH("M88 92C88 84 100 84 100 92C100 99 89 104 88 110H100"),
    {0}};
static const struct rules_shape dog[] = {
    OUTLINE("M50 16C70 16 76 28 74 48C73 72 62 84 50 84C38 84 27 72 26 48C24 28 30 16 50 16Z"),
    FILLED("M30 20C18 20 8 36 12 58C22 62 30 52 31 36Z"),
    FILLED("M70 20C82 20 92 36 88 58C78 62 70 52 69 36Z"),
    DOT("M41 42h0M59 42h0"),
    FILLED("M42 54Q50 50 58 54Q56 62 50 63Q44 62 42 54Z"),
    STROKE("M50 63V69M38 67Q46 76 50 69Q54 76 62 67"),
    STRENGTH(
        "M88 89C91 84 100 85 99 92C99 96 96 97 93 97C97 97 100 100 100 104C100 112 90 112 88 106"),
    {0}};
static const struct rules_shape wolf[] = {
    OUTLINE("M20 4L40 26H60L80 4L82 40L92 58L74 62L58 86H42L26 62L8 58L18 40Z"),
    STROKE("M32 38L44 46M68 38L56 46"),
    FILLED("M42 74H58L54 84H46Z"),
    STROKE("M50 46V62M34 62L42 74M66 62L58 74"),
    STRENGTH("M97 110V86L87 103H101"),
    {0}};
static const struct rules_shape leopard[] = {
    OUTLINE("M26 12A11 11 0 1 1 26 34A11 11 0 1 1 26 12Z"),
    OUTLINE("M74 12A11 11 0 1 1 74 34A11 11 0 1 1 74 12Z"),
    OUTLINE("M50 16C76 16 82 36 80 52C77 74 64 84 50 84C36 84 23 74 20 52C18 36 24 16 50 16Z"),
    DOT("M50 24h0M39 27h0M61 27h0M45 34h0M56 34h0M30 37h0M71 37h0M26 48h0M74 48h0M29 59h0M71 "
        "59h0M36 69h0M64 69h0"),
    DOT("M41 46h0M59 46h0"),
    STROKE("M50 64V70M40 74Q48 76 50 70Q52 76 60 74"),
    FILLED("M43 57H57L50 65Z"),
    STRENGTH("M99 86H90L89 97C92 93 100 94 100 102C100 111 90 113 88 106"),
    {0}};
static const struct rules_shape tiger[] = {
    OUTLINE("M26 12A11 11 0 1 1 26 34A11 11 0 1 1 26 12Z"),
    OUTLINE("M74 12A11 11 0 1 1 74 34A11 11 0 1 1 74 12Z"),
    OUTLINE("M50 16C76 16 84 36 82 52C79 74 64 84 50 84C36 84 21 74 18 52C16 36 24 16 50 16Z"),
    {"M50 18V36M40 20L42 34M60 20L58 34M19 46L33 50M19 58L32 60M25 71L36 68M81 46L67 50M81 58L68 60"
     "M75 71L64 68",
     RULES_PAINT_NONE, RULES_PAINT_INK, 6},
    DOT("M41 47h0M59 47h0"),
    FILLED("M43 57H57L50 65Z"),
    STROKE("M50 64V70M40 74Q48 76 50 70Q52 76 60 74"),
    STRENGTH("M99 88C95 84 88 88 88 101C88 113 100 113 100 103C100 94 89 94 88 102"),
    {0}};
static const struct rules_shape lion[] = {
    FILLED(
        "M50 3L60 11L72 8L77 19L89 23L88 36L97 45L90 56L94 68L83 74L80 86L68 86L60 96L50 89L40 96"
        "L32 86L20 86L17 74L6 68L10 56L3 45L12 36L11 23L23 19L28 8L40 11Z"),
    OUTLINE("M50 22C68 22 75 34 74 48C72 66 62 78 50 78C38 78 28 66 26 48C25 34 32 22 50 22Z"),
    DOT("M41 42h0M59 42h0"),
    FILLED("M43 53H57L50 62Z"),
    STROKE("M50 61V67M40 70Q48 74 50 67Q52 74 60 70"),
    STRENGTH("M88 86H100Q93 96 92 110"),
    {0}};
static const struct rules_shape elephant[] = {
    OUTLINE("M34 26C22 6 0 16 4 42C6 60 20 72 34 60Z"),
    OUTLINE("M66 26C78 6 100 16 96 42C94 60 80 72 66 60Z"),
    OUTLINE("M32 34C32 10 68 10 68 34C68 50 60 56 59 68C58 80 66 82 68 76C70 70 80 72 78 80"
            "C76 96 44 98 41 72C40 58 32 50 32 34Z"),
    DOT("M42 38h0M58 38h0"),
    STROKE("M37 58L30 74M43 62H56M43 71H56"),
    STRENGTH(
        "M94 97C88 96 88 86 94 86C100 86 100 96 94 97C86 98 86 110 94 110C102 110 102 98 94 97Z"),
    {0}};

static const struct rules_shape *const figures[] = {rat,     cat,   dog,  wolf,
                                                    leopard, tiger, lion, elephant};

static const struct rules_shape round_piece[] = {
    {"M0-46a46 46 0 0 1 0 92a46 46 0 0 1 0-92z", RULES_PAINT_BODY, RULES_PAINT_EDGE, 4}, {0}};
static const struct rules_shape cut_piece[] = {
    {"M-19-46H19L46-19V19L19 46H-19L-46 19V-19Z", RULES_PAINT_BODY, RULES_PAINT_EDGE, 4},
    {"M-17-40H17L40-17V17L17 40H-17L-40 17V-17Z", RULES_PAINT_NONE, RULES_PAINT_EDGE, 2},
    {0}};

static const struct rules_shape waves[] = {{"M-38-20q9-12 19 0t19 0t19 0t19 0M-38 4q9-12 19 0t19 "
                                            "0t19 0t19 0M-38 28q9-12 19 0t19 0t19 0t19 0",
                                            RULES_PAINT_NONE, RULES_PAINT_ACCENT, 2},
                                           {0}};
static const struct rules_shape trap[] = {
    {"M-34-34L34 34M34-34L-34 34M-34 0H34M0-34V34", RULES_PAINT_NONE, RULES_PAINT_LINE, 3},
    {"M-18-18H18V18H-18Z M-34-34H34V34H-34Z", RULES_PAINT_NONE, RULES_PAINT_LINE, 2},
    {0}};
static const struct rules_shape den[] = {
    {"M-40 38V-4C-40-50 40-50 40-4V38Z", RULES_PAINT_NONE, RULES_PAINT_LINE, 4},
    {"M-22 38V6C-22-22 22-22 22 6V38Z", RULES_PAINT_LINE, RULES_PAINT_LINE, 2},
    {0}};

/* By zone, in the order of the table in jungle.c. */
static const struct rules_ground grounds[] = {{RULES_PAINT_WATER, waves},
                                              {RULES_PAINT_OTHER, den},
                                              {RULES_PAINT_OTHER, den},
                                              {RULES_PAINT_NONE, trap},
                                              {RULES_PAINT_NONE, trap}};

const struct rules_art rules_jungle_art = {
    .body = {round_piece, cut_piece},
    .figure = {figures, figures},
    .frame = "translate(-36-38)scale(.72)",
    .ground = grounds,
    .paint = {[RULES_THEME_LIGHT] = {[RULES_PAINT_BOARD] = "#dfe8b8",
                                     [RULES_PAINT_FRAME] = "#6d7d3f",
                                     [RULES_PAINT_OTHER] = "#e6c98f",
                                     [RULES_PAINT_LINE] = "#71803f",
                                     [RULES_PAINT_WATER] = "#9fd0ee",
                                     [RULES_PAINT_ACCENT] = "#3f86bd",
                                     [RULES_PAINT_BODY] = "#fff4ec",
                                     [RULES_PAINT_BODY_2] = "#edf4ff",
                                     [RULES_PAINT_EDGE] = "#c22b1d",
                                     [RULES_PAINT_EDGE_2] = "#1b4f9c",
                                     [RULES_PAINT_INK] = "#a01f13",
                                     [RULES_PAINT_INK_2] = "#123f80"},
              [RULES_THEME_DARK] = {[RULES_PAINT_BOARD] = "#8fa86b",
                                    [RULES_PAINT_FRAME] = "#4a5b30",
                                    [RULES_PAINT_OTHER] = "#c39a5c",
                                    [RULES_PAINT_LINE] = "#4d5e33",
                                    [RULES_PAINT_WATER] = "#4e93bd",
                                    [RULES_PAINT_ACCENT] = "#a5d3ef",
                                    [RULES_PAINT_BODY] = "#fbe9df",
                                    [RULES_PAINT_BODY_2] = "#e3edfb",
                                    [RULES_PAINT_EDGE] = "#b0271a",
                                    [RULES_PAINT_EDGE_2] = "#1b4f9c",
                                    [RULES_PAINT_INK] = "#98190e",
                                    [RULES_PAINT_INK_2] = "#0f3a78"},
              [RULES_THEME_PRINT] = {[RULES_PAINT_BOARD] = "#fff",
                                     [RULES_PAINT_OTHER] = "#fff",
                                     [RULES_PAINT_LINE] = "#666",
                                     [RULES_PAINT_WATER] = "#e6e6e6",
                                     [RULES_PAINT_ACCENT] = "#000",
                                     [RULES_PAINT_BODY] = "#fff",
                                     [RULES_PAINT_BODY_2] = "#fff",
                                     [RULES_PAINT_EDGE] = "#000",
                                     [RULES_PAINT_EDGE_2] = "#000",
                                     [RULES_PAINT_INK] = "#000",
                                     [RULES_PAINT_INK_2] = "#000"}},
};
