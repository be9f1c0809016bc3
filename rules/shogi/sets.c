/*
 * sets.c - two more sets of men for those who read no kanji (draw/art.h): Latin letters, and
 * smaller ones with marks that show how a man moves: a dot is one square, an arrow as far as it
 * likes. Promoted men are red, and have a cross.
 */
#include "rules/draw/art.h"

#define STROKE(path, ink, width)           \
    {                                      \
        path, RULES_PAINT_NONE, ink, width \
    }
#define MARKS(path, ink)               \
    {                                  \
        path, ink, RULES_PAINT_NONE, 0 \
    }
#define BLACK RULES_PAINT_INK
#define RED   RULES_PAINT_ACCENT

#define LETTER_PAWN   "M50 192V12H110Q172 12 172 62T110 114H50"
#define MIDDLE_PAWN   "M45 193V46H94Q145 46 145 87T94 129H45"
#define SMALL_PAWN    "M74 152V58H105Q137 58 137 84T105 111H74"
#define LETTER_LANCE  "M52 10V186H164"
#define MIDDLE_LANCE  "M47 44V189H138"
#define SMALL_LANCE   "M75 57V149H133"
#define LETTER_KNIGHT "M36 192V12L164 188V8"
#define MIDDLE_KNIGHT "M34 193V46L138 190V43"
#define SMALL_KNIGHT  "M67 152V58L133 150V56"
#define LETTER_SILVER                                                                \
    "M160 44Q140 10 100 10Q42 10 42 56Q42 90 100 100Q162 110 162 146Q162 190 100 19" \
    "0Q52 190 36 152"
#define MIDDLE_SILVER                                                                \
    "M135 72Q119 44 86 44Q38 44 38 82Q38 110 86 118Q137 126 137 156Q137 192 86 192Q" \
    "47 192 34 161"
#define SMALL_SILVER                                                                 \
    "M131 75Q121 57 100 57Q70 57 70 81Q70 99 100 104Q132 109 132 128Q132 151 100 15" \
    "1Q75 151 67 131"
#define LETTER_BISHOP "M48 100H108Q160 100 160 56T108 12H48V188H114Q172 188 172 144T108 100"
#define MIDDLE_BISHOP "M43 118H93Q135 118 135 82T93 46H43V190H97Q145 190 145 154T93 118"
#define SMALL_BISHOP  "M73 104H104Q131 104 131 81T104 58H73V150H107Q137 150 137 127T104 104"
#define LETTER_ROOK   "M48 192V12H110Q168 12 168 60T110 108H48M108 108L176 192"
#define MIDDLE_ROOK   "M43 193V46H94Q142 46 142 85T94 125H43M93 125L148 193"
#define SMALL_ROOK    "M73 152V58H105Q135 58 135 83T105 108H73M104 108L140 152"
#define LETTER_GOLD   "M164 48Q142 10 100 10Q30 10 30 100Q30 190 104 190Q168 190 168 112H108"
#define SMALL_GOLD    "M133 77Q122 57 100 57Q64 57 64 104Q64 151 102 151Q135 151 135 110H104"
#define LETTER_KING   "M48 8V192M168 8L52 116M88 84L176 192"
#define SMALL_KING    "M73 56V152M135 56L75 112M94 96L140 152"
#define CROSS         "M180 -8V40M156 16H204"
#define GOLD_MARKS                                \
    "M84 -4a16 16 0 1 0 32 0a16 16 0 1 0-32 0Z"   \
    "M154 12a16 16 0 1 0 32 0a16 16 0 1 0-32 0Z"  \
    "M14 12a16 16 0 1 0 32 0a16 16 0 1 0-32 0Z"   \
    "M178 104a16 16 0 1 0 32 0a16 16 0 1 0-32 0Z" \
    "M-10 104a16 16 0 1 0 32 0a16 16 0 1 0-32 0Z" \
    "M84 194a16 16 0 1 0 32 0a16 16 0 1 0-32 0Z"

static const struct rules_shape letter_pawn[] = {STROKE(LETTER_PAWN, BLACK, 26), {0}};
static const struct rules_shape letter_lance[] = {STROKE(LETTER_LANCE, BLACK, 26), {0}};
static const struct rules_shape letter_knight[] = {STROKE(LETTER_KNIGHT, BLACK, 26), {0}};
static const struct rules_shape letter_silver[] = {STROKE(LETTER_SILVER, BLACK, 26), {0}};
static const struct rules_shape letter_bishop[] = {STROKE(LETTER_BISHOP, BLACK, 26), {0}};
static const struct rules_shape letter_rook[] = {STROKE(LETTER_ROOK, BLACK, 26), {0}};
static const struct rules_shape letter_gold[] = {STROKE(LETTER_GOLD, BLACK, 26), {0}};
static const struct rules_shape letter_king[] = {STROKE(LETTER_KING, BLACK, 26), {0}};
static const struct rules_shape letter_promoted_pawn[] = {
    STROKE(MIDDLE_PAWN, RED, 24), STROKE(CROSS, RED, 12), {0}};
static const struct rules_shape letter_promoted_lance[] = {
    STROKE(MIDDLE_LANCE, RED, 24), STROKE(CROSS, RED, 12), {0}};
static const struct rules_shape letter_promoted_knight[] = {
    STROKE(MIDDLE_KNIGHT, RED, 24), STROKE(CROSS, RED, 12), {0}};
static const struct rules_shape letter_promoted_silver[] = {
    STROKE(MIDDLE_SILVER, RED, 24), STROKE(CROSS, RED, 12), {0}};
static const struct rules_shape letter_promoted_bishop[] = {
    STROKE(MIDDLE_BISHOP, RED, 24), STROKE(CROSS, RED, 12), {0}};
static const struct rules_shape letter_promoted_rook[] = {
    STROKE(MIDDLE_ROOK, RED, 24), STROKE(CROSS, RED, 12), {0}};
static const struct rules_shape moves_pawn[] = {
    STROKE(SMALL_PAWN, BLACK, 18), MARKS("M84 -4a16 16 0 1 0 32 0a16 16 0 1 0-32 0Z", BLACK), {0}};
static const struct rules_shape moves_lance[] = {
    STROKE(SMALL_LANCE, BLACK, 18), MARKS("M100 -20L122 12L78 12Z", BLACK), {0}};
static const struct rules_shape moves_knight[] = {
    STROKE(SMALL_KNIGHT, BLACK, 18),
    MARKS("M40 -8a16 16 0 1 0 32 0a16 16 0 1 0-32 0Z"
          "M128 -8a16 16 0 1 0 32 0a16 16 0 1 0-32 0Z",
          BLACK),
    {0}};
static const struct rules_shape moves_silver[] = {
    STROKE(SMALL_SILVER, BLACK, 18),
    MARKS("M84 -4a16 16 0 1 0 32 0a16 16 0 1 0-32 0Z"
          "M154 12a16 16 0 1 0 32 0a16 16 0 1 0-32 0Z"
          "M14 12a16 16 0 1 0 32 0a16 16 0 1 0-32 0Z"
          "M178 186a16 16 0 1 0 32 0a16 16 0 1 0-32 0Z"
          "M-10 186a16 16 0 1 0 32 0a16 16 0 1 0-32 0Z",
          BLACK),
    {0}};
static const struct rules_shape moves_bishop[] = {
    STROKE(SMALL_BISHOP, BLACK, 18),
    MARKS("M181 1L174 39L143 8ZM19 1L57 8L26 39ZM205 197L167 190L198 159Z"
          "M-5 197L2 159L33 190Z",
          BLACK),
    {0}};
static const struct rules_shape moves_rook[] = {
    STROKE(SMALL_ROOK, BLACK, 18),
    MARKS("M100 -20L122 12L78 12ZM100 210L78 178L122 178ZM210 104L178 126L178 82Z"
          "M-10 104L22 82L22 126Z",
          BLACK),
    {0}};
static const struct rules_shape moves_gold[] = {
    STROKE(SMALL_GOLD, BLACK, 18), MARKS(GOLD_MARKS, BLACK), {0}};
static const struct rules_shape moves_king[] = {STROKE(SMALL_KING, BLACK, 18),
                                                MARKS("M84 -4a16 16 0 1 0 32 0a16 16 0 1 0-32 0Z"
                                                      "M154 12a16 16 0 1 0 32 0a16 16 0 1 0-32 0Z"
                                                      "M14 12a16 16 0 1 0 32 0a16 16 0 1 0-32 0Z"
                                                      "M178 104a16 16 0 1 0 32 0a16 16 0 1 0-32 0Z"
                                                      "M-10 104a16 16 0 1 0 32 0a16 16 0 1 0-32 0Z"
                                                      "M84 194a16 16 0 1 0 32 0a16 16 0 1 0-32 0Z"
                                                      "M178 186a16 16 0 1 0 32 0a16 16 0 1 0-32 0Z"
                                                      "M-10 186a16 16 0 1 0 32 0a16 16 0 1 0-32 0Z",
                                                      BLACK),
                                                {0}};
static const struct rules_shape moves_promoted_pawn[] = {
    STROKE(SMALL_PAWN, RED, 18), MARKS(GOLD_MARKS, RED), {0}};
static const struct rules_shape moves_promoted_lance[] = {
    STROKE(SMALL_LANCE, RED, 18), MARKS(GOLD_MARKS, RED), {0}};
static const struct rules_shape moves_promoted_knight[] = {
    STROKE(SMALL_KNIGHT, RED, 18), MARKS(GOLD_MARKS, RED), {0}};
static const struct rules_shape moves_promoted_silver[] = {
    STROKE(SMALL_SILVER, RED, 18), MARKS(GOLD_MARKS, RED), {0}};
static const struct rules_shape moves_promoted_bishop[] = {
    STROKE(SMALL_BISHOP, RED, 18),
    MARKS("M84 -4a16 16 0 1 0 32 0a16 16 0 1 0-32 0Z"
          "M84 194a16 16 0 1 0 32 0a16 16 0 1 0-32 0Z"
          "M178 104a16 16 0 1 0 32 0a16 16 0 1 0-32 0Z"
          "M-10 104a16 16 0 1 0 32 0a16 16 0 1 0-32 0ZM181 1L174 39L143 8Z"
          "M19 1L57 8L26 39ZM205 197L167 190L198 159ZM-5 197L2 159L33 190Z",
          RED),
    {0}};
static const struct rules_shape moves_promoted_rook[] = {
    STROKE(SMALL_ROOK, RED, 18),
    MARKS("M154 12a16 16 0 1 0 32 0a16 16 0 1 0-32 0Z"
          "M14 12a16 16 0 1 0 32 0a16 16 0 1 0-32 0Z"
          "M178 186a16 16 0 1 0 32 0a16 16 0 1 0-32 0Z"
          "M-10 186a16 16 0 1 0 32 0a16 16 0 1 0-32 0ZM100 -20L122 12L78 12Z"
          "M100 210L78 178L122 178ZM210 104L178 126L178 82ZM-10 104L22 82L22 126Z",
          RED),
    {0}};

/* In the order of pieces.def. */
static const struct rules_shape *const letters[] = {letter_pawn,
                                                    letter_lance,
                                                    letter_knight,
                                                    letter_silver,
                                                    letter_bishop,
                                                    letter_rook,
                                                    letter_gold,
                                                    letter_king,
                                                    letter_promoted_pawn,
                                                    letter_promoted_lance,
                                                    letter_promoted_knight,
                                                    letter_promoted_silver,
                                                    letter_promoted_bishop,
                                                    letter_promoted_rook};
static const struct rules_shape *const moves[] = {moves_pawn,
                                                  moves_lance,
                                                  moves_knight,
                                                  moves_silver,
                                                  moves_bishop,
                                                  moves_rook,
                                                  moves_gold,
                                                  moves_king,
                                                  moves_promoted_pawn,
                                                  moves_promoted_lance,
                                                  moves_promoted_knight,
                                                  moves_promoted_silver,
                                                  moves_promoted_bishop,
                                                  moves_promoted_rook};

const struct rules_set rules_shogi_sets[] = {
    {"letters", {letters, letters}}, {"moves", {moves, moves}}, {0}};
