/*
 * textboard.h - a position as a text that people read, the same way for all games.
 *
 * Everything that is drawn comes from the game's table: the board and the men on it, the pieces'
 * symbols, the zones' marks, the hands and struct rules_drawing. All squares are equally wide in a
 * terminal, where a kanji takes two cells. Hexagons have no lines between them, and the labels of
 * files stand behind them; where a square is missing, there are blanks. Under the board stands
 * whose turn it is, or how the game ended.
 */
#ifndef PLYD_RULES_DRAW_TEXTBOARD_H
#define PLYD_RULES_DRAW_TEXTBOARD_H

#include "rules/rules.h"

enum rules_style {
    RULES_STYLE_UNICODE, /* UTF-8; men as their game usually writes them */
    RULES_STYLE_ASCII,   /* nothing but ASCII */
    RULES_STYLE_ANSI,    /* the same with the colours of a terminal */
    RULES_STYLE_FIGURES  /* UTF-8; men as figures: chessmen, draughtsmen */
};

/* Why a square is marked. A square may have several marks, and the first of this list is shown, but
 * the last two go before all others: in colours as a background, otherwise as a sign behind the
 * square. */
enum rules_mark {
    RULES_MARK_CHECK = 1,   /* '!': the king in check */
    RULES_MARK_LAST = 2,    /* '*': the last move */
    RULES_MARK_LEGAL = 4,   /* '.': a move may end here */
    RULES_MARK_WIN = 8,     /* '=': part of a line that has won */
    RULES_MARK_TAKEN = 16,  /* 'x': the last move took a man here and went on */
    RULES_MARK_PICKED = 32, /* '+': a click of the move that is being made */
    RULES_MARK_CURSOR = 64  /* '<': where the next click goes */
};

enum { RULES_NO_SQUARE = UINT16_MAX };

/* The words of a board in a language. Begin with rules_words_init(): English. In a template, {side}
 * and {reason} are filled. */
struct rules_words {
    const char *side[RULES_SEATS];
    const char *hand[RULES_SEATS];      /* before a hand; NULL: the game's own or English words */
    const char *empty;                  /* a selected square without men */
    const char *to_move, *in_check;     /* templates of the line below the board: {side} moves; */
    const char *won, *drawn;            /* {side} has won by {reason}; a draw by {reason} */
    const char *reason[RULES_ENDS_MAX]; /* in the order of the game's reasons */

    /* of a picture in words */
    const char *title;                   /* of the game */
    const char *piece[RULES_PIECES_MAX]; /* by kind */
    const char *nothing, *in_hand;       /* on the board; before the men in a hand */
    const char *stack;                   /* a template: {n} men with {piece} on top */
    const char *from_below;              /* before the men of a stack */
};

/* Begin with rules_look_init(): seat 1 below, Unicode, nothing marked or selected. */
struct rules_look {
    unsigned view; /* the seat that sits below the board */
    enum rules_style style;
    unsigned selected;               /* the square whose men are listed beside the board */
    bool stacks;                     /* all stacks are listed below it */
    uint8_t mark[RULES_SQUARES_MAX]; /* bits of enum rules_mark, by square */
    uint16_t path[RULES_PATH_MAX];   /* the squares of the last move, in order; for pictures */
    unsigned npath;
    const char *ending;              /* how the game ended; NULL: what the position itself says */
    const struct rules_words *words; /* NULL: English */
};

void rules_words_init(struct rules_words *words, const struct rules_game *game);

void rules_look_init(struct rules_look *look);

/* Writes the text and its NUL as far as `cap` reaches, and returns the length of the whole text
 * without the NUL, as snprintf does. Every line ends with a newline, none with a blank. */
size_t rules_board_text(const struct rules_game *game, const struct rules_state *state,
                        const struct rules_look *look, char *out, size_t cap);

/* The colour of a seat's men as CSS names it, for boards that clients draw. */
const char *rules_seat_color(const struct rules_game *game, unsigned seat);

#endif
