/* dama_games.c - the two sample games of dama.h, replayed through its functions. */
#include <stdio.h>
#include <string.h>

#include "examples/dama.h"

/* Between two strong but hasty computer players; White loses a king and catches another one. */
static const char *const whole_game[] = {"h3-h4",    "d6-d5", "e3-e4",
                                         "c6-c5",    "a3-a4", "f6-f5",
                                         "f3-e3",    "g6-g5", "e3-f3",
                                         "b6-b5",    "h2-h3", "h6-g6",
                                         "g2-h2",    "b7-b6", "b3-b4",
                                         "b5xb3xb1", "a2-b2", "b1xb4xg4xg1",
                                         "h3-g3",    "g1xg4", "h4xf4xf6xh6xh8",
                                         "c7-c6",    "h2-h3", "c6-d6",
                                         "h8-a8",    "b6-b5", "d3-d4",
                                         "d5xd3xb3", "c2-b2", "b3xb1",
                                         "a4-a5",    "a6xa4", "a8xa6xa1xg1xg6xg8",
                                         "b5-a5",    "g8-a8", "a5-b5",
                                         "h3-h4",    "d6-c6", "f3-e3",
                                         "c5-c4",    "a8-a4", "b5-b4",
                                         "e3-d3",    "e6-f6", "d2-c2",
                                         "d7-d6",    "c2-c3", "c4xc2",
                                         "a4xc4xc1", "c6-b6", "f2-f3",
                                         "b6-b5",    "d3-d4", "f6-g6",
                                         "f3-g3",    "f7-f6", "c1-c7",
                                         "e7-e6",    "d4-d5", "d6xd4",
                                         "c7-f7",    "b5-b4", "f7xf4xc4xa4",
                                         "e6-e5",    "a4-a5", "e5-e4",
                                         "a5-a4",    "e4-e3", "e2xe4",
                                         "g6-f6",    "e4-e5", "f6-g6",
                                         "g3-g4",    "g6-h6", "h4-h5",
                                         "h6xh4xf4", "a4xh4", NULL};

static const char *const solution[] = {
    "h6-h7", "f6xh6", "g2-g3", "h3xf3xf1", "h7-h8", "h5xh3", "h8xh5xh1xd1xd6xf6xf3xd3xa3xa7xg7",
    NULL};

static const char *name_of(player p)
{
    return p == white ? "White" : "Black";
}

/* Plays one move by its first and its last square. */
static int play(piece board[][8], player p, const char *text)
{
    const char *to = text + strlen(text) - 2;

    return move(board, text[0] - 'a', text[1] - '1', to[0] - 'a', to[1] - '1', p);
}

/* Plays the moves in turn, White first, and says who has won. */
static void replay(piece board[][8], const char *const *moves)
{
    player p = white;

    display_board(board);
    for (; *moves != NULL; moves++) {
        int captured = play(board, p, *moves);

        printf("\n%s: %s", name_of(p), *moves);
        if (captured > 0)
            printf(" (captures %d)", captured);
        printf("\n");
        display_board(board);
        p = p == white ? black : white;
    }
    if (check_end_of_game(board) != -1)
        printf("\n%s wins.\n", name_of((player)check_end_of_game(board)));
}

void sample_game_1(void)
{
    piece board[8][8];

    init_board(board);
    replay(board, whole_game);
}

static void put(piece board[][8], piece what, const char *squares)
{
    for (; *squares != '\0'; squares += 2)
        board[squares[1] - '1'][squares[0] - 'a'] = what;
}

void sample_game_2(void)
{
    piece board[8][8];

    init_board(board);
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++)
            board[y][x] = empty;
    put(board, white_man, "f2g2h4b5g6h6");
    put(board, black_man, "c3d3e3h3a4f5h5e6f6f7");
    printf("A problem composed for this program: White moves, gives four men away and wins.\n\n");
    replay(board, solution);
}
