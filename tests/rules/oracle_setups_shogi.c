/*
 * oracle_setups_shogi.c - random positions of shogi: nets about a king, kings in the enemy camp,
 * full boards, hands full of pieces; and for the casual rules positions that the standard rules
 * refuse.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"

struct theme {
    int there_percent; /* of the set of pieces are in the game at all */
    int board_percent; /* of these stand on the board */
    int close_percent; /* of these near the king that is hunted */
    int camp_percent;  /* of the others in the enemy camp */
    bool edge;         /* kings on the edge, or in the enemy camp */
};

static const struct theme themes[] = {
    {100, 70, 0, 0, false},  /* a middle-game */
    {100, 100, 10, 0, true}, /* a full board */
    {60, 25, 60, 0, true},   /* a tsume problem, with pieces to drop */
    {25, 90, 80, 0, true},   /* a net of a few pieces */
    {100, 15, 20, 0, false}, /* hands full */
    {100, 75, 0, 75, true},  /* both kings enter (4.8) */
    {12, 100, 30, 0, true},  /* a few pieces: checks and repetitions */
};

struct setup {
    uint64_t *seed;
    const struct theme *theme;
    bool casual;
    char cell[9][9][3]; /* [row from the top][column from file 9]: "P", "+p" or "" */
    int hand[2][7];     /* [Gote, Sente] in the order R B G S N L P */
    int king[2][2];     /* [Gote, Sente]: row, column */
    int hunted;         /* whose king the others crowd about */
};

static int pick(struct setup *setup, int n)
{
    return (int)rules_choose(setup->seed, (size_t)n);
}

static bool chance(struct setup *setup, int percent)
{
    return pick(setup, 100) < percent;
}

/* The row as the owner counts: 0 is the farthest. */
static int far_row(bool sente, int row)
{
    return sente ? row : 8 - row;
}

static void place_king(struct setup *setup, bool sente)
{
    int row = pick(setup, 9), col = pick(setup, 9);

    if (setup->theme->edge && setup->theme->camp_percent > 0)
        row = far_row(sente, pick(setup, 3));
    else if (setup->theme->edge)
        row = pick(setup, 2) * 8;
    while (setup->cell[row][col][0] != '\0')
        col = (col + 1) % 9;
    strcpy(setup->cell[row][col], sente ? "K" : "k");
    setup->king[sente][0] = row;
    setup->king[sente][1] = col;
}

/* A number from 0 to 8 near another one. */
static int near(struct setup *setup, int n)
{
    int at = n + pick(setup, 5) - 2;

    return at < 0 ? 0 : at > 8 ? 8 : at;
}

static void choose_square(struct setup *setup, bool sente, int *row, int *col)
{
    *row = pick(setup, 9);
    *col = pick(setup, 9);
    if (chance(setup, setup->theme->close_percent)) {
        *row = near(setup, setup->king[setup->hunted][0]);
        *col = near(setup, setup->king[setup->hunted][1]);
    } else if (chance(setup, setup->theme->camp_percent)) {
        *row = far_row(sente, pick(setup, 3));
    }
}

static bool is_nifu(const struct setup *setup, bool sente, int col)
{
    for (int row = 0; row < 9; row++)
        if (strcmp(setup->cell[row][col], sente ? "P" : "p") == 0)
            return true;
    return false;
}

/* 2.5: what the standard rules refuse of an unpromoted piece. */
static bool is_misplaced(const struct setup *setup, char letter, bool sente, int row, int col)
{
    int rank = far_row(sente, row);

    if (setup->casual)
        return false;
    if (letter == 'P' && is_nifu(setup, sente, col))
        return true;
    return ((letter == 'P' || letter == 'L') && rank == 0) || (letter == 'N' && rank <= 1);
}

static void place_on_board(struct setup *setup, char letter, bool sente, int hand)
{
    bool promoted = letter != 'G' && chance(setup, 25);
    int row, col;

    choose_square(setup, sente, &row, &col);
    if (setup->cell[row][col][0] != '\0' ||
        (!promoted && is_misplaced(setup, letter, sente, row, col)))
        setup->hand[sente][hand]++;
    else
        snprintf(setup->cell[row][col], 3, "%s%c", promoted ? "+" : "",
                 sente ? letter : tolower(letter));
}

static void place_set(struct setup *setup)
{
    static const char letters[] = "RBGSNLP";
    static const int counts[] = {2, 2, 4, 4, 4, 4, 18};

    for (int hand = 0; hand < 7; hand++)
        for (int i = 0; i < counts[hand]; i++) {
            bool sente = chance(setup, 50);

            if (!chance(setup, setup->theme->there_percent))
                continue;
            if (chance(setup, setup->theme->board_percent))
                place_on_board(setup, letters[hand], sente, hand);
            else
                setup->hand[sente][hand]++;
        }
}

static void write_row(const struct setup *setup, int row, char *position)
{
    int empty = 0;

    for (int col = 0; col < 9; col++) {
        if (setup->cell[row][col][0] == '\0') {
            empty++;
            continue;
        }
        if (empty > 0)
            reference_print(position, "%d", empty);
        reference_print(position, "%s", setup->cell[row][col]);
        empty = 0;
    }
    if (empty > 0)
        reference_print(position, "%d", empty);
}

static void write_hands(const struct setup *setup, char *position)
{
    size_t before = strlen(position);

    for (int sente = 1; sente >= 0; sente--)
        for (int i = 0; i < 7; i++) {
            int n = setup->hand[sente][i];

            if (n > 1)
                reference_print(position, "%d", n);
            if (n > 0)
                reference_print(position, "%c", (sente ? "RBGSNLP" : "rbgsnlp")[i]);
        }
    if (strlen(position) == before)
        reference_print(position, "-");
}

static void write_position(const struct setup *setup, char side, int number, char *position)
{
    position[0] = '\0';
    for (int row = 0; row < 9; row++) {
        write_row(setup, row, position);
        reference_print(position, row < 8 ? "/" : " ");
    }
    reference_print(position, "%c ", side);
    write_hands(setup, position);
    reference_print(position, " %d", number);
}

static void arrange(struct setup *setup)
{
    bool tsume = !setup->casual && chance(setup, 10);

    memset(setup->cell, 0, sizeof(setup->cell));
    memset(setup->hand, 0, sizeof(setup->hand));
    setup->hunted = pick(setup, 2);
    place_king(setup, true);
    place_king(setup, false);
    place_set(setup);
    if (tsume) /* 2.5: Sente's king may be missing */
        setup->cell[setup->king[1][0]][setup->king[1][1]][0] = '\0';
}

/* Makes a position of shogi. By 2.5 the standard rules refuse one in which the side that has just
 * moved is in check. */
void oracle_setup_shogi(uint64_t *seed, const char *options, char *position)
{
    struct setup setup = {
        .seed = seed,
        .theme = &themes[rules_choose(seed, sizeof(themes) / sizeof(themes[0]))],
        .casual = strstr(options, "rules=casual") != NULL,
    };
    char flipped[REFERENCE_TEXT];
    bool sente = chance(&setup, 50);
    int number = 1 + pick(&setup, 40);

    do {
        arrange(&setup);
        write_position(&setup, sente ? 'b' : 'w', number, position);
        write_position(&setup, sente ? 'w' : 'b', number, flipped);
    } while (!setup.casual && reference_shogi.check(NULL, flipped));
}
