/*
 * oracle_setups.c - random positions that play seldom reaches, for tic-tac-toe, draughts, Jungle
 * and Stackchess. Those of shogi are in oracle_setups_shogi.c.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "oracle.h"

#define CHOOSE(seed, array) ((array)[rules_choose(seed, sizeof(array) / sizeof((array)[0]))])

static int pick(uint64_t *seed, int n)
{
    return (int)rules_choose(seed, (size_t)n);
}

static bool chance(uint64_t *seed, int percent)
{
    return pick(seed, 100) < percent;
}

/* Writes one rank of squares of a byte each; '.' is an empty one. */
static void write_rank(const char *rank, int width, char *text)
{
    int empty = 0;

    for (int i = 0; i <= width; i++) {
        if (i < width && rank[i] == '.') {
            empty++;
            continue;
        }
        if (empty > 0)
            reference_print(text, "%d", empty);
        if (i < width)
            reference_print(text, "%c", rank[i]);
        empty = 0;
    }
}

/* ---- tic-tac-toe ---- */

static void fill(uint64_t *seed, char *cell, int cells, int stones)
{
    memset(cell, '.', (size_t)cells);
    for (int i = 0; i < stones; i++) {
        int at = pick(seed, cells);

        while (cell[at] != '.')
            at = (at + 1) % cells;
        cell[at] = i % 2 == 0 ? 'x' : 'o';
    }
}

/* Makes a game under way on a board of any size. By rule 9 a position is refused in which the side
 * to move has a line. */
void oracle_setup_tictactoe(uint64_t *seed, const char *options, char *position)
{
    static const int sides[] = {1, 2, 3, 3, 4, 5, 6, 7, 8, 9, 15, 26};
    const char *only = position;
    int rows = CHOOSE(seed, sides), cols = CHOOSE(seed, sides);
    int k = 1 + pick(seed, rows > cols ? rows : cols);
    int stones = pick(seed, rows * cols + 1);
    char cell[26 * 26];

    (void)options;
    do {
        fill(seed, cell, rows * cols, stones);
        position[0] = '\0';
        for (int row = 0; row < rows; row++) {
            write_rank(cell + row * cols, cols, position);
            reference_print(position, row + 1 < rows ? "/" : " ");
        }
        reference_print(position, "%c %d", stones % 2 == 0 ? 'x' : 'o', k);
        stones--;
    } while (stones >= 0 &&
             reference_tictactoe.outcome(NULL, &(struct reference_line){&only, 1}).reason != NULL);
}

/* ---- Turkish draughts ---- */

struct draughts_theme {
    int own_percent, enemy_percent; /* of the squares */
    int king_percent;
    bool checkered; /* enemies stand on every other square only: the longest captures */
};

static const struct draughts_theme draughts_themes[] = {
    {4, 4, 60, false},   /* few pieces, mostly kings */
    {1, 1, 60, false},   /* about one against one */
    {40, 40, 8, false},  /* nearly no room */
    {15, 20, 25, false}, /* a middle-game */
    {3, 35, 40, true},   /* few against many */
    {15, 30, 30, true},
};

static char draughts_man(uint64_t *seed, const struct draughts_theme *theme, char white, int file,
                         int rank)
{
    bool is_white;
    char man;

    if (chance(seed, theme->own_percent))
        is_white = white;
    else if (chance(seed, theme->enemy_percent) && (!theme->checkered || (file + rank) % 2 == 1))
        is_white = !white;
    else
        return '-';
    man = is_white ? 'w' : 'b';
    if (chance(seed, theme->king_percent) || rank == (is_white ? 7 : 0)) /* T4 */
        man = (char)toupper(man);
    return man;
}

static void write_draughts_side(const char man[64], char side, char *position)
{
    int n = 0;

    reference_print(position, ":%c", side);
    for (int i = 0; i < 64 && n < 16; i++)
        if (toupper(man[i]) == side)
            reference_print(position, "%s%s%c%d", n++ > 0 ? "," : "", man[i] == side ? "K" : "",
                            'a' + i % 8, i / 8 + 1);
}

void oracle_setup_draughts(uint64_t *seed, const char *options, char *position)
{
    const struct draughts_theme *theme = &CHOOSE(seed, draughts_themes);
    bool white = chance(seed, 50);
    char man[64];

    (void)options;
    for (int i = 0; i < 64; i++)
        man[i] = draughts_man(seed, theme, white, i % 8, i / 8);
    position[0] = '\0';
    reference_print(position, "%c", white == chance(seed, 80) ? 'W' : 'B');
    write_draughts_side(man, 'W', position);
    write_draughts_side(man, 'B', position);
    if (chance(seed, 50))
        reference_print(position, ":H%d:F%d", 1 + pick(seed, 40), 1 + pick(seed, 90));
}

/* ---- Jungle ---- */

static bool jungle_is_water(int square)
{
    int file = square % 7, row = square / 7;

    return row >= 3 && row <= 5 && file % 3 != 0;
}

/* A square where the rules are special: about the dens, or at the banks. */
static int jungle_square(uint64_t *seed)
{
    static const int special[] = {
        1,  2,  3,  4,  5,  9,  10, 11, 17, /* Blue's den and traps, row by row from the top */
        15, 16, 18, 19, 21, 24, 27, 28, 31, 34, 35, 38, 41, 43, 44, 46, 47, /* the banks */
        22, 23, 25, 26, 29, 30, 32, 33, 36, 37, 39, 40,                     /* the water */
        45, 51, 52, 53, 57, 58, 59, 60, 61,                                 /* Red's */
    };

    return chance(seed, 70) ? CHOOSE(seed, special) : pick(seed, 63);
}

/* J7: whether this beast may stand there. */
static bool jungle_allows(const char beast[63], char piece, int square)
{
    enum { BLUE_DEN = 3, RED_DEN = 59 };
    bool red = isupper((unsigned char)piece) != 0;

    if (beast[square] != '.')
        return false;
    if (jungle_is_water(square))
        return toupper(piece) == 'R';
    if (square == (red ? RED_DEN : BLUE_DEN))
        return false;
    return square != (red ? BLUE_DEN : RED_DEN) || beast[red ? RED_DEN : BLUE_DEN] == '.';
}

/* Places beasts, and returns how many. */
static int place_beasts(uint64_t *seed, int density, char beast[63])
{
    static const char pieces[] = "ELTPWDCReltpwdcr";
    int n = 0;

    memset(beast, '.', 63);
    for (const char *piece = pieces; *piece != '\0'; piece++) {
        int square = jungle_square(seed);
        bool in_den = square == 3 || square == 59;

        if (chance(seed, density) && jungle_allows(beast, *piece, square) &&
            (!in_den || chance(seed, 10))) {
            beast[square] = *piece;
            n++;
        }
    }
    return n;
}

/* Makes a position of Jungle. The board is never empty: J27 does not say who has lost there. */
void oracle_setup_jungle(uint64_t *seed, const char *options, char *position)
{
    static const int densities[] = {10, 30, 60, 100};
    int density = CHOOSE(seed, densities);
    char beast[63];

    (void)options;
    while (place_beasts(seed, density, beast) == 0)
        ;
    position[0] = '\0';
    for (int row = 0; row < 9; row++) {
        write_rank(beast + row * 7, 7, position);
        reference_print(position, row < 8 ? "/" : " ");
    }
    reference_print(position, "%c %d %d", chance(seed, 50) ? 'r' : 'b', pick(seed, 12),
                    1 + pick(seed, 90));
}

/* ---- Stackchess ---- */

struct stackchess_theme {
    int square_percent; /* of the squares have a stack */
    int height_max;
    const char *pieces;
};

static const struct stackchess_theme stackchess_themes[] = {
    {40, 2, "RDFTCPPP"}, /* a middle-game */
    {60, 4, "RDFTCPPP"}, /* crowded */
    {12, 3, "RDFTCP"},   /* an endgame */
    {5, 2, "FT"},        /* about dead */
    {8, 2, "PPPR"},      /* about stalemate */
    {15, 12, "PCCFTDR"}, /* towers that knights carry */
    {30, 3, "CP"},       /* pawns carried everywhere */
    {50, 3, "PPPPC"},    /* unmoved pawns under stacks */
};

/* Writes a stack from bottom to top. By rule 11 no pawn stands on its last rank while promotion is
 * on. */
static int write_stack(uint64_t *seed, const struct stackchess_theme *theme, bool white, bool pawns,
                       char *text)
{
    int height = 1 + pick(seed, theme->height_max);
    char bottom = '\0';

    reference_print(text, "%s", height > 1 ? "(" : "");
    for (int i = 0; i < height; i++) {
        char piece = theme->pieces[pick(seed, (int)strlen(theme->pieces))];

        if (piece == 'P' && !pawns)
            piece = 'R';
        if (i == 0)
            bottom = piece;
        reference_print(text, "%c", white ? piece : tolower(piece));
    }
    reference_print(text, "%s", height > 1 ? ")" : "");
    return bottom;
}

/* Writes one rank, and notes the files where an own pawn is at the bottom. */
static void write_stacks(uint64_t *seed, const struct stackchess_theme *theme, int size, int rank,
                         bool promotion, bool pawn_below[2][26], char *text)
{
    int empty = 0;

    for (int file = 0; file < size; file++) {
        bool white = chance(seed, 50);
        bool last_rank = rank == (white ? size - 1 : 0);

        if (!chance(seed, theme->square_percent)) {
            empty++;
            continue;
        }
        if (empty > 0)
            reference_print(text, "%d", empty);
        empty = 0;
        pawn_below[white][file] =
            write_stack(seed, theme, white, !promotion || !last_rank, text) == 'P' &&
            rank == (white ? 1 : size - 2);
    }
    if (empty > 0)
        reference_print(text, "%d", empty);
}

static void write_flags(uint64_t *seed, bool unmoved[2][26], int size, char *text)
{
    size_t before = strlen(text);

    for (int white = 1; white >= 0; white--)
        for (int file = 0; file < size; file++)
            if (unmoved[white][file] && chance(seed, 70))
                reference_print(text, "%c", (white ? 'A' : 'a') + file);
    if (strlen(text) == before)
        reference_print(text, "-");
}

void oracle_setup_stackchess(uint64_t *seed, const char *options, char *position)
{
    static const int sizes[] = {4, 4, 5, 6, 6, 7, 8, 9, 12, 16};
    const struct stackchess_theme *theme = &CHOOSE(seed, stackchess_themes);
    bool promotion = strstr(options, "promotion=false") == NULL;
    bool unmoved[2][26];
    int size = CHOOSE(seed, sizes);

    do {
        memset(unmoved, 0, sizeof(unmoved));
        position[0] = '\0';
        for (int rank = size - 1; rank >= 0; rank--) {
            bool pawn_below[2][26] = {{false}};

            write_stacks(seed, theme, size, rank, promotion, pawn_below, position);
            if (rank == 1)
                memcpy(unmoved[1], pawn_below[1], sizeof(unmoved[1]));
            if (rank == size - 2)
                memcpy(unmoved[0], pawn_below[0], sizeof(unmoved[0]));
            reference_print(position, rank > 0 ? "/" : " ");
        }
    } while (strpbrk(position, "RDFTCPrdftcp") == NULL);
    reference_print(position, "%c ", chance(seed, 50) ? 'w' : 'b');
    write_flags(seed, unmoved, size, position);
    reference_print(position, " %d %d", pick(seed, 12), 1 + pick(seed, 90));
}
