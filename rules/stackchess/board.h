/*
 * board.h - how a position of Stackchess is kept, and what the files of this folder do for each
 * other.
 *
 * A state is four tables, one behind the other. They are no longer than the board and its men need,
 * so that a move on 6x6 copies less than 500 bytes:
 *
 *   head   options, counters, who is to move
 *   lines  who stands on each rank, file and diagonal, as bits
 *   tops   for each square the number of its topmost man, or 0
 *   men    each man with the number of the man below it, or 0; number 0 is nobody
 *
 * So a stack is a list from the top down, and moving a group of any height relinks one man. Men are
 * captured but never born, so a man keeps its number for the whole game. `lines` says the same as
 * `tops` and must agree with it: moves are found on the lines, without a look at the squares.
 *
 * Rows count from the top, as squares do: row 0 is White's last rank. White is side 0 and moves
 * towards row 0, Black is side 1.
 *
 * 1 to 12 are the rules in stackchess.md.
 */
#ifndef PLYD_RULES_STACKCHESS_BOARD_H
#define PLYD_RULES_STACKCHESS_BOARD_H

#include "rules/rules.h"

enum { BOARD_MIN = 4, BOARD_MAX = 26 };

/* The kinds of men and the options, in the order of the catalogue. */
enum kind { KING, QUEEN, BISHOP, ROOK, KNIGHT, PAWN, KINDS };
enum option { SIZE, KNIGHTS, PROMOTION, STALEMATE, REPETITION, NO_PROGRESS, OPTIONS };

/* The rules that a refusal may name. */
enum law {
#define STACKCHESS_LAW(name, number, id, text) LAW_##name,
#include "rules/stackchess/laws.def"
#undef STACKCHESS_LAW
    LAWS
};

extern const struct rules_law stackchess_laws[LAWS];

/* ---- the four tables ------------------------------------------------------------------------ */

struct head {
    uint32_t repetition, no_progress; /* the options; 0 is off */
    uint32_t quiet, fullmove;         /* 9.6: plies without progress; the number of the move */
    uint32_t born;                    /* the highest number of a man, captured or not */
    uint16_t men[2];                  /* men left, by side */
    uint8_t size;
    uint8_t mover;
    uint8_t promotion;       /* whether pawns become queens */
    uint8_t stalemate_loses; /* whether it is a loss, or a draw */
} __attribute__((may_alias));

/* Who stands on a line, by side. Square i of a line is bit i + 1; files count rows, all other lines
 * count columns. A bit that is set for both sides is off the board. No square can belong to both,
 * so the two are told apart, and every ray along a line meets something at its end. */
struct line {
    uint32_t of[2];
} __attribute__((may_alias));

/* A man: its kind, whether it is a pawn that never moved, and the number of the man below it. */
typedef uint16_t man __attribute__((may_alias));
typedef uint16_t man_number __attribute__((may_alias));

enum { MAN_KIND = 7, MAN_UNMOVED = 8, MAN_BELOW = 16 };

static inline enum kind man_kind(man m)
{
    return (enum kind)(m & MAN_KIND);
}

static inline man_number man_below(man m)
{
    return m / MAN_BELOW;
}

/* A man as rules.h knows it. */
static inline struct rules_man man_of(unsigned side, man m)
{
    return (struct rules_man){(uint8_t)(side + 1), m & MAN_KIND};
}

/* Where the lines are in their table. First come the ranks, with two more on either side that are
 * off the board, so that a knight's leap needs no question about edges. Then come the files, the
 * diagonals that fall to the right, and those that rise. */
static inline unsigned line_of_rank(unsigned row)
{
    return row + 2;
}

static inline unsigned line_of_file(unsigned n, unsigned column)
{
    return n + 4 + column;
}

static inline unsigned line_of_fall(unsigned n, unsigned row, unsigned column)
{
    return 2 * n + 4 + row + (n - 1 - column);
}

static inline unsigned line_of_rise(unsigned n, unsigned row, unsigned column)
{
    return 4 * n + 3 + row + column;
}

static inline unsigned line_count(unsigned n)
{
    return 6 * n + 2;
}

/* The tables of a state: a view to look at, a draft to change. Both need head->size to be set. */
struct view {
    unsigned n; /* the size of the board */
    const struct head *head;
    const struct line *lines;
    const man_number *tops;
    const man *men;
};

struct draft {
    unsigned n;
    struct head *head;
    struct line *lines;
    man_number *tops;
    man *men;
};

static inline struct view view_of(const struct rules_state *state)
{
    const struct head *head = (const void *)state->w;
    const struct line *lines = (const void *)(head + 1);
    const man_number *tops = (const void *)(lines + line_count(head->size));

    return (struct view){head->size, head, lines, tops, tops + head->size * head->size};
}

static inline struct draft draft_of(struct rules_state *state)
{
    struct head *head = (void *)state->w;
    struct line *lines = (void *)(head + 1);
    man_number *tops = (void *)(lines + line_count(head->size));

    return (struct draft){head->size, head, lines, tops, tops + head->size * head->size};
}

/* ---- squares and stacks --------------------------------------------------------------------- */

/* Whose stack stands on a square; NOBODY if it is empty. */
enum { NOBODY = 2 };

static inline unsigned side_at(const struct view *view, unsigned square)
{
    const struct line *rank = &view->lines[line_of_rank(square / view->n)];
    unsigned bit = square % view->n + 1;

    return (rank->of[0] >> bit & 1) ? 0 : (rank->of[1] >> bit & 1) ? 1 : NOBODY;
}

static inline unsigned height_at(const struct view *view, unsigned square)
{
    unsigned height = 0;

    for (man_number i = view->tops[square]; i != 0; i = man_below(view->men[i]))
        height++;
    return height;
}

/* A side's first rank is 0 ranks forward, its last n - 1. */
static inline unsigned row_forward(unsigned n, unsigned side, unsigned ranks)
{
    return side == 0 ? n - 1 - ranks : ranks;
}

/* The topmost man of a stack; seat 0 on an empty square. */
struct rules_man stackchess_top(const struct view *view, unsigned square);

/* The bottom man of a stack. */
man stackchess_bottom(const struct view *view, unsigned square);

/* Which men a side has, as bits 1 << kind; pawns that never moved are 1 << (PAWN | MAN_UNMOVED). */
unsigned stackchess_kinds(const struct view *view, unsigned side);

/* rules_game.at() */
size_t stackchess_at(const struct rules_state *state, unsigned square, struct rules_man *men,
                     size_t cap);

/* Makes an empty board with White to move. */
void stackchess_clear(struct rules_state *state, unsigned n, const struct rules_options *options);

/* Makes a position without men that has everything else of another one. */
void stackchess_empty(const struct rules_state *state, struct rules_state *next);

/* Puts a man on top of a square, whose stack must be of its side. False: there are too many men
 * already. A pawn counts as moved, until stackchess_set_unmoved() says that the bottom man of a
 * square never moved. */
bool stackchess_put(struct rules_state *state, unsigned square, unsigned side, enum kind kind);
void stackchess_set_unmoved(struct rules_state *state, unsigned square);

/* ---- moves ---------------------------------------------------------------------------------- */

struct transfer {
    unsigned from, to;
    unsigned count;
};

static inline rules_move move_of(unsigned from, unsigned to, unsigned count)
{
    return (rules_move){{(uint64_t)count << 32 | (uint64_t)to << 16 | from, 0}};
}

static inline struct transfer transfer_of(rules_move move)
{
    return (struct transfer){move.w[0] & 0xffff, move.w[0] >> 16 & 0xffff,
                             (unsigned)(move.w[0] >> 32)};
}

/* How the position itself ends the game, whoever is to move (9.1, 9.2); else NONE. */
enum rules_reason stackchess_end(const struct view *view);

/* As in struct rules_game: moves.c, board.c, judge.c and text.c. */
size_t stackchess_legal(const struct rules_state *state, rules_move *moves, size_t cap);
size_t stackchess_count(const struct rules_state *state);
void stackchess_play(const struct rules_state *state, rules_move move, struct rules_state *next);
bool stackchess_read_move(const struct rules_state *state, const char *text, rules_move *move,
                          struct rules_refusal *why);
bool stackchess_read_position(struct rules_options *options, struct rules_state *state,
                              struct rules_refusal *why);
void stackchess_position_text(const struct rules_state *state, char *text);

/* The game's table, and its pictures: stackchess.c, art.c. */
extern const struct rules_game rules_stackchess;
extern const struct rules_art rules_stackchess_art;

#endif
