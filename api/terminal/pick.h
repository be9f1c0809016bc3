/*
 * pick.h - makes a move from clicks on the board, as rules_game.path() spells it.
 *
 * A click is a square, a piece in hand, or a choice such as "+" (rules.h). Pure functions, except
 * that a pick has memory of its own.
 */
#ifndef PLYD_API_TERMINAL_PICK_H
#define PLYD_API_TERMINAL_PICK_H

#include "api/text/arena.h"
#include "rules/rules.h"

enum { PICK_CHOICES_MAX = 32 };

struct pick_path {
    rules_move move;
    size_t len;
    char click[RULES_PATH_MAX][RULES_SQUARE_TEXT];
};

/* All zero is a pick that has not begun. `click` may be read, the rest is private to pick.c. */
struct pick {
    char click[RULES_PATH_MAX][RULES_SQUARE_TEXT];
    size_t clicks;
    struct arena arena;
    const struct rules_game *game;
    const struct rules_state *state;
    struct pick_path *path;
    size_t n;
};

/* Begins a pick at a position, which must outlive it; may be called again. `none`: no move is
 * allowed. */
void pick_begin(struct pick *pick, const struct rules_game *game, const struct rules_state *state,
                bool none);
void pick_close(struct pick *pick);

/* Whether a legal move has this click next. */
bool pick_may(const struct pick *pick, const char *click);

/* The possible next clicks that are not squares, in the order of the game's list of choices: pieces
 * in hand, promotions, numbers, or "" to end a move here that could also go on. Returns how many.
 */
size_t pick_choices(const struct pick *pick, const char *choices[PICK_CHOICES_MAX]);

enum pick_result {
    PICK_GOES_ON,
    PICK_MOVE,   /* `text` is the move */
    PICK_WRONG,  /* `text` is what the clicks make, for the rules to say what is wrong; all clicks
                  * are  taken back */
    PICK_NOTHING /* no move begins there */
};

/* Adds a click. A click that continues no move begins another move, if one begins with it. */
enum pick_result pick_click(struct pick *pick, const char *click, char text[RULES_CLICKS_TEXT]);

#endif
