/*
 * tree.c - the legal moves as a tree of clicks.
 *
 * The moves are sorted by their paths in place, and then every path is walked from where it parts
 * from the one before it. Nothing is stored besides the moves: a path is made anew whenever it is
 * looked at, n log n times in all.
 */
#include "rules/rules.h"

#include <string.h>

struct path {
    size_t len;
    char click[RULES_PATH_MAX][RULES_SQUARE_TEXT];
};

struct moves {
    const struct rules_game *game;
    const struct rules_state *state;
    rules_move *move;
    size_t n;
};

static struct path path_of(const struct moves *moves, rules_move move)
{
    struct path path;

    path.len = moves->game->path(moves->state, move, path.click);
    return path;
}

/* ---- sorting: a heap, which needs no memory and never more than n log n steps ---- */

static bool comes_before(const struct moves *moves, rules_move a, rules_move b)
{
    struct path first = path_of(moves, a), second = path_of(moves, b);

    for (size_t i = 0; i < first.len && i < second.len; i++) {
        int order = strcmp(first.click[i], second.click[i]);

        if (order != 0)
            return order < 0;
    }
    return first.len < second.len;
}

static size_t later_child(const struct moves *moves, size_t parent, size_t end)
{
    size_t left = 2 * parent + 1, right = left + 1;

    if (right < end && comes_before(moves, moves->move[left], moves->move[right]))
        return right;
    return left;
}

static void sift_down(const struct moves *moves, size_t at, size_t end)
{
    rules_move sinking = moves->move[at];

    while (2 * at + 1 < end) {
        size_t child = later_child(moves, at, end);

        if (!comes_before(moves, sinking, moves->move[child]))
            break;
        moves->move[at] = moves->move[child];
        at = child;
    }
    moves->move[at] = sinking;
}

static void sort_by_path(const struct moves *moves)
{
    for (size_t i = moves->n / 2; i > 0; i--)
        sift_down(moves, i - 1, moves->n);
    for (size_t end = moves->n; end > 1; end--) {
        rules_move last = moves->move[0];

        moves->move[0] = moves->move[end - 1];
        moves->move[end - 1] = last;
        sift_down(moves, 0, end - 1);
    }
}

/* ---- walking ---- */

/* How many clicks two paths begin with together. */
static size_t shared_clicks(const struct path *a, const struct path *b)
{
    size_t n = 0;

    while (n < a->len && n < b->len && strcmp(a->click[n], b->click[n]) == 0)
        n++;
    return n;
}

static void leave_to(const struct rules_tree_visitor *visitor, size_t *open, size_t depth)
{
    for (; *open > depth; (*open)--)
        visitor->leave(visitor->context);
}

static void enter_to(const struct rules_tree_visitor *visitor, const struct path *path,
                     size_t *open, size_t depth)
{
    for (; *open < depth; (*open)++)
        visitor->enter(visitor->context, path->click[*open]);
}

/* Visits the sorted moves. `open` is how many clicks have been entered; they begin the present
 * path. A path that begins the next one is sorted right before it, so that looking one move ahead
 * tells whether a path leads on. */
static void walk(const struct moves *moves, const struct rules_tree_visitor *visitor)
{
    struct path path = {0}, next = {0};
    size_t open = 0;
    char text[RULES_MOVE_TEXT];

    if (moves->n > 0)
        next = path_of(moves, moves->move[0]);
    for (size_t i = 0; i < moves->n; i++) {
        bool leads_on;

        leave_to(visitor, &open, shared_clicks(&path, &next));
        path = next;
        if (i + 1 < moves->n)
            next = path_of(moves, moves->move[i + 1]);
        leads_on = i + 1 < moves->n && shared_clicks(&path, &next) == path.len;
        enter_to(visitor, &path, &open, leads_on ? path.len : path.len - 1);
        moves->game->move_text(moves->state, moves->move[i], text);
        visitor->leaf(visitor->context, leads_on ? "" : path.click[path.len - 1], text);
    }
    leave_to(visitor, &open, 0);
}

bool rules_tree(const struct rules_game *game, const struct rules_state *state, rules_move *scratch,
                size_t cap, const struct rules_tree_visitor *visitor)
{
    struct moves moves = {game, state, scratch, game->legal(state, scratch, cap)};

    if (moves.n > cap)
        return false;
    sort_by_path(&moves);
    walk(&moves, visitor);
    return true;
}
