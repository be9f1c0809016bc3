/* board.c - the laws and the stacks of Stackchess: putting men down, and moving them (board.h). */
#include "rules/stackchess/board.h"

#include <string.h>

_Static_assert(sizeof(struct head) + (6 * BOARD_MAX + 2) * sizeof(struct line) +
                       BOARD_MAX * BOARD_MAX * sizeof(man_number) +
                       (RULES_STACK_MAX + 1) * sizeof(man) <=
                   sizeof((struct rules_state *)NULL)->w,
               "the largest board with all men fits into a state");
_Static_assert(RULES_STACK_MAX < 65536 / MAN_BELOW, "a man's number fits beside its kind");

const struct rules_law stackchess_laws[LAWS] = {
#define STACKCHESS_LAW(name, number, id, text) [LAW_##name] = {number, id, text},
#include "rules/stackchess/laws.def"
#undef STACKCHESS_LAW
};

/* ---- looking ---- */

struct rules_man stackchess_top(const struct view *view, unsigned square)
{
    unsigned side = side_at(view, square);

    if (side == NOBODY)
        return (struct rules_man){0, 0};
    return man_of(side, view->men[view->tops[square]]);
}

static man_number bottom_of(const man *men, man_number number)
{
    while (man_below(men[number]) != 0)
        number = man_below(men[number]);
    return number;
}

man stackchess_bottom(const struct view *view, unsigned square)
{
    return view->men[bottom_of(view->men, view->tops[square])];
}

size_t stackchess_at(const struct rules_state *state, unsigned square, struct rules_man *men,
                     size_t cap)
{
    struct view view = view_of(state);
    unsigned side = side_at(&view, square);
    size_t height = height_at(&view, square), level = height;

    for (man_number i = view.tops[square]; i != 0; i = man_below(view.men[i]))
        if (--level < cap)
            men[level] = man_of(side, view.men[i]);
    return height;
}

unsigned stackchess_kinds(const struct view *view, unsigned side)
{
    unsigned kinds = 0;

    for (unsigned square = 0; square < view->n * view->n; square++)
        if (side_at(view, square) == side)
            for (man_number i = view->tops[square]; i != 0; i = man_below(view->men[i]))
                kinds |= 1U << view->men[i] % MAN_BELOW;
    return kinds;
}

/* ---- putting ---- */

/* Makes an empty line of the squares `first` to `last`. All other bits are set for both sides: they
 * are off the board. */
static void clear_line(struct line *line, unsigned first, unsigned last)
{
    uint32_t squares = (2U << last) - (1U << first), off = ~(squares << 1);

    *line = (struct line){{off, off}};
}

static void clear_lines(struct line *lines, unsigned n)
{
    memset(lines, 0xff, line_count(n) * sizeof(*lines));
    for (unsigned i = 0; i < n; i++) {
        clear_line(&lines[line_of_rank(i)], 0, n - 1);
        clear_line(&lines[line_of_file(n, i)], 0, n - 1);
        clear_line(&lines[line_of_fall(n, i, 0)], 0, n - 1 - i);
        clear_line(&lines[line_of_fall(n, 0, i)], i, n - 1);
        clear_line(&lines[line_of_rise(n, i, 0)], 0, i);
        clear_line(&lines[line_of_rise(n, n - 1, i)], i, n - 1);
    }
}

static uint32_t bytes_used(const struct rules_state *state)
{
    struct view view = view_of(state);

    return (uint32_t)((const char *)(view.men + view.head->born + 1) - (const char *)state->w);
}

void stackchess_clear(struct rules_state *state, unsigned n, const struct rules_options *options)
{
    memset(state, 0, sizeof(*state));
    *draft_of(state).head = (struct head){
        .repetition = (uint32_t)options->value[REPETITION],
        .no_progress = (uint32_t)options->value[NO_PROGRESS],
        .fullmove = 1,
        .size = (uint8_t)n,
        .promotion = options->value[PROMOTION] != 0,
        .stalemate_loses = options->value[STALEMATE] != 0,
    };
    clear_lines(draft_of(state).lines, n);
    state->bytes = bytes_used(state);
}

void stackchess_empty(const struct rules_state *state, struct rules_state *next)
{
    struct head *head = draft_of(next).head;

    memset(next, 0, sizeof(*next));
    *head = *view_of(state).head;
    head->born = head->men[0] = head->men[1] = 0;
    clear_lines(draft_of(next).lines, head->size);
    next->bytes = bytes_used(next);
}

/* Lets a side's stack appear on a square or vanish from it, on all four lines through it. */
static void toggle(const struct draft *draft, unsigned square, unsigned side)
{
    unsigned n = draft->n, row = square / n, column = square % n;

    draft->lines[line_of_rank(row)].of[side] ^= 2U << column;
    draft->lines[line_of_file(n, column)].of[side] ^= 2U << row;
    draft->lines[line_of_fall(n, row, column)].of[side] ^= 2U << column;
    draft->lines[line_of_rise(n, row, column)].of[side] ^= 2U << column;
}

bool stackchess_put(struct rules_state *state, unsigned square, unsigned side, enum kind kind)
{
    struct draft draft = draft_of(state);
    man_number number = (man_number)(draft.head->born + 1);

    if (draft.head->born == RULES_STACK_MAX)
        return false;
    if (draft.tops[square] == 0)
        toggle(&draft, square, side);
    draft.men[number] = (man)(draft.tops[square] * MAN_BELOW + kind);
    draft.tops[square] = number;
    draft.head->born++;
    draft.head->men[side]++;
    state->bytes = bytes_used(state);
    return true;
}

void stackchess_set_unmoved(struct rules_state *state, unsigned square)
{
    struct draft draft = draft_of(state);

    draft.men[bottom_of(draft.men, draft.tops[square])] |= MAN_UNMOVED;
}

/* ---- moving ---- */

/* What a man of a group is after the move: its double step is gone (7.4), and a pawn on its last
 * rank is a queen (8.4). */
static man arrived(man m, bool promotes)
{
    m &= (man)~MAN_UNMOVED;
    return promotes && man_kind(m) == PAWN ? (man)(m - PAWN + QUEEN) : m;
}

/* Lifts the top `count` men off `from`, which keeps the rest. The men stay linked to each other.
 * Returns the lowest of them, and whether there was a pawn among them (9.6). */
static man_number lift(const struct draft *draft, struct transfer transfer, bool promotes,
                       bool *pawn)
{
    man_number number = draft->tops[transfer.from], lowest = number;

    *pawn = false;
    for (unsigned i = 0; i < transfer.count; i++) {
        man m = draft->men[number];

        *pawn |= man_kind(m) == PAWN;
        draft->men[number] = arrived(m, promotes);
        lowest = number;
        number = man_below(m);
    }
    draft->tops[transfer.from] = number;
    return lowest;
}

/* The lowest man of the group is linked to the stack that it lands on, or to nobody after a
 * capture. Captured men stay in the table, where nothing leads to them any more. */
void stackchess_play(const struct rules_state *state, rules_move move, struct rules_state *next)
{
    struct view before = view_of(state);
    struct transfer transfer = transfer_of(move);
    unsigned us = before.head->mover, there = side_at(&before, transfer.to);
    bool captures = there == 1 - us, pawn;
    bool promotes =
        before.head->promotion && transfer.to / before.n == row_forward(before.n, us, before.n - 1);
    struct draft draft;
    man_number lowest, under = captures ? 0 : before.tops[transfer.to];

    next->bytes = state->bytes;
    memcpy(next->w, state->w, state->bytes);
    draft = draft_of(next);
    lowest = lift(&draft, transfer, promotes, &pawn);
    draft.men[lowest] = (man)(draft.men[lowest] % MAN_BELOW + under * MAN_BELOW);
    draft.tops[transfer.to] = before.tops[transfer.from];
    if (draft.tops[transfer.from] == 0)
        toggle(&draft, transfer.from, us);
    if (there != us)
        toggle(&draft, transfer.to, us);
    if (captures) {
        toggle(&draft, transfer.to, there);
        draft.head->men[there] -= (uint16_t)height_at(&before, transfer.to);
    }
    draft.head->quiet = captures || pawn ? 0 : draft.head->quiet + 1;
    draft.head->fullmove += us;
    draft.head->mover = (uint8_t)(1 - us);
}

/* ---- ends ---- */

/* Whether no two men of the side can ever move together (9.2). Of all pairs only bishop and rook
 * have no move in common. */
static bool is_dead(const struct view *view, unsigned side)
{
    return view->head->men[side] == 1 ||
           (view->head->men[side] == 2 &&
            stackchess_kinds(view, side) == (1U << BISHOP | 1U << ROOK));
}

enum rules_reason stackchess_end(const struct view *view)
{
    if (view->head->men[0] == 0 || view->head->men[1] == 0)
        return RULES_REASON_ALL_CAPTURED;
    if (view->head->men[0] <= 2 && view->head->men[1] <= 2 && is_dead(view, 0) && is_dead(view, 1))
        return RULES_REASON_DEAD;
    return RULES_REASON_NONE;
}
