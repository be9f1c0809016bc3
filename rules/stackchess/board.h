/*
 * board.h - how a position of Stackchess is kept. For rules/stackchess*.c alone.
 *
 * A state is four tables, one behind the other, no longer than its board and its men need, so
 * that a game on 6x6 copies less than 500 bytes:
 *
 *   head   options, counters, who is to move
 *   lines  who stands on each rank, file and diagonal, as bits
 *   tops   for each square the number of its topmost man, or 0
 *   men    each man and the number of the man below him, or 0; man 0 is nobody
 *
 * A stack is thus a list from the top down, and to move a group of any height relinks one man. Men
 * are captured but never born, so that a man keeps his number for the whole game.
 *
 * Rows count from the top, as squares do: row 0 is White's last rank. Sides are seats less one: 0
 * is White, who moves towards row 0, 1 is Black.
 */
#ifndef PLYD_RULES_STACKCHESS_BOARD_H
#define PLYD_RULES_STACKCHESS_BOARD_H

#include "rules/rules.h"

enum { BOARD_MIN = 4, BOARD_MAX = 26 };

/* The kinds of men and the options, in the order of the catalogue. */
enum kind { KING, QUEEN, BISHOP, ROOK, KNIGHT, PAWN, KINDS };
enum option { SIZE, KNIGHTS, PROMOTION, STALEMATE, REPETITION, NO_PROGRESS, OPTIONS };

/* The rules that a refusal can name. */
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
    uint32_t quiet, fullmove;
    uint32_t born;   /* the highest number of a man */
    uint16_t men[2]; /* men left, by side */
    uint8_t size;
    uint8_t mover;
    uint8_t promotion;       /* whether pawns become queens */
    uint8_t stalemate_loses; /* whether it is a loss, or a draw */
} __attribute__((may_alias));

/* Who stands on a line, by side. The i-th square of a line is bit i + 1. A bit that is set for
 * both sides is off the board: every ray ends somewhere, and no square belongs to both. Files
 * count rows, all other lines count columns. */
struct line {
    uint32_t of[2];
} __attribute__((may_alias));

/* A man: his kind, whether he is a pawn that never moved, and the number of the man below. */
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

/* A man as the world knows him. */
static inline struct rules_man man_of(unsigned side, man m)
{
    return (struct rules_man){(uint8_t)(side + 1), m & MAN_KIND};
}

/* Where the lines are in their table: ranks, with two more on either side that are off the board,
 * so that a knight asks no question about edges; files; the diagonals that fall and those that
 * rise to the right. */
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

/* The tables of a state, to look at and to change. A draft needs head->size to be set. */
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

/* Which men a side has: bit 1 << kind, and for pawns that never moved 1 << (PAWN | MAN_UNMOVED). */
unsigned stackchess_kinds(const struct view *view, unsigned side);

/* rules_game.at() */
size_t stackchess_at(const struct rules_state *state, unsigned square, struct rules_man *men,
                     size_t cap);

/* Makes an empty board with White to move, and puts a man on top of a square, whose stack must be
 * his side's; false if there are too many men already. A pawn put there has moved before, until
 * set_unmoved() says of a square that its bottom man did not. */
void stackchess_clear(struct rules_state *state, unsigned n, const struct rules_options *options);
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

/* How the position itself ends the game, whoever is to move (9.1, 9.2), or NONE. */
enum rules_reason stackchess_end(const struct view *view);

/* The functions of the table that have files of their own. */
size_t stackchess_legal(const struct rules_state *state, rules_move *moves, size_t cap);
size_t stackchess_count(const struct rules_state *state);
void stackchess_play(const struct rules_state *state, rules_move move, struct rules_state *next);
bool stackchess_read_move(const struct rules_state *state, const char *text, rules_move *move,
                          struct rules_refusal *why);
bool stackchess_read_position(struct rules_options *options, struct rules_state *state,
                              struct rules_refusal *why);
void stackchess_position_text(const struct rules_state *state, char *text);

#endif
