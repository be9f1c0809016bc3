/*
 * dama.h - Turkish draughts as a few C functions, for a program that keeps its own board.
 *
 * The names are those of a well-known exercise. They are not part of librules, whose names all
 * begin with rules_, since a library should not claim a word like `move`. The rules behind them are
 * the same.
 *
 * board[y][x] is a square: x counts the files a to h from 0, y the ranks 1 to 8 from 0, both from
 * White's side. The functions remember whose turn it is, so only one game can be played at a time.
 */
#ifndef PLYD_EXAMPLES_DAMA_H
#define PLYD_EXAMPLES_DAMA_H

typedef enum { white_man, black_man, white_king, black_king, empty } piece;
typedef enum { white = 10, black = 20 } player;

/* Puts the men on the second and third rank of each side. White is to move. */
void init_board(piece board[][8]);

/*
 * Moves player p's piece, if the rules allow it, and returns how many pieces it captured. A capture
 * of several pieces is one move, from where the piece starts to where it ends. Where several
 * captures lead from the one square to the other, the first that the rules list is played.
 *
 * -1: there is no piece of p on the square. -2: the move is not allowed.
 */
int move(piece board[][8], int from_x, int from_y, int to_x, int to_y, player p);

/* Returns who has won, white or black; -1: the game goes on. A player without pieces has lost, and
 * so has a player who is to move and cannot. */
int check_end_of_game(piece board[][8]);

/* Prints the board as White sees it: - empty, w b men, W B kings. */
void display_board(piece board[][8]);

/* Plays a whole game from the start to its end, and prints every move and board. */
void sample_game_1(void);

/* Plays a problem composed for this program: White gives four men away and wins by a capture of
 * ten. */
void sample_game_2(void);

#endif
