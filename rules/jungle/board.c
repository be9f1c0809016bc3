/* board.c - the laws of Jungle, its board and its pieces (board.h). */
#include "rules/jungle/board.h"

const struct rules_law jungle_laws[LAWS] = {
#define JUNGLE_LAW(name, number, id, text) {number, "jungle." id, text},
#include "rules/jungle/laws.def"
#undef JUNGLE_LAW
};

const struct rules_board jungle_board = {WIDTH, HEIGHT, RULES_LETTER_DIGIT};

struct rules_man jungle_man_on(const struct position *p, unsigned square)
{
    for (uint8_t kind = RAT; kind < KINDS; kind++)
        if (p->kind[kind] >> square & 1)
            return (struct rules_man){p->side[0] >> square & 1 ? 1 : 2, kind};
    return (struct rules_man){0, 0};
}

#define PIECE(name, capital, small, sign, doc)                              \
    {                                                                       \
        name, {capital, small}, {sign, sign}, {capital, small}, doc, -1, -1 \
    }

const struct rules_piece jungle_pieces[KINDS] = {
    [RAT] =
        PIECE("rat", "R", "r", "鼠",
              "Strength 1. Steps one square, also in the water; takes the elephant too, but not "
              "from the water."),
    [CAT] = PIECE("cat", "C", "c", "貓", "Strength 2. Steps one square on land."),
    [DOG] = PIECE("dog", "D", "d", "狗", "Strength 3. Steps one square on land."),
    [WOLF] = PIECE("wolf", "W", "w", "狼", "Strength 4. Steps one square on land."),
    [LEOPARD] = PIECE("leopard", "P", "p", "豹", "Strength 5. Steps one square on land."),
    [TIGER] = PIECE("tiger", "T", "t", "虎",
                    "Strength 6. Steps one square on land, or jumps straight over the water."),
    [LION] = PIECE("lion", "L", "l", "獅",
                   "Strength 7. Steps one square on land, or jumps straight over the water."),
    [ELEPHANT] = PIECE("elephant", "E", "e", "象",
                       "Strength 8. Steps one square on land; does not take the rat."),
};
