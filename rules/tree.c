/*
 * tree.c - the legal moves as a tree of clicks.
 *
 * The clicks of every move are made once, as numbers whose order is that of their bytes. The moves
 * are sorted by them, and then every path is walked from where it parts from the one before it.
 */
#include "rules/rules.h"

#include <string.h>

/* ---- clicks as numbers ---- */

static uint32_t pack(const char *click)
{
    uint32_t packed = 0;

    for (int i = 0; i < RULES_SQUARE_TEXT; i++) {
        packed = packed << 8 | (unsigned char)*click;
        click += *click != '\0';
    }
    return packed;
}

static void unpack(uint32_t packed, char click[RULES_SQUARE_TEXT])
{
    for (int i = 0; i < RULES_SQUARE_TEXT; i++)
        click[i] = (char)(packed >> (24 - 8 * i));
}

/* Makes the paths. Where one ends, a 0 follows, which comes before every click. */
static void make_paths(const struct rules_game *game, const struct rules_state *state,
                       const rules_move *moves, size_t n, struct rules_path *paths)
{
    char click[RULES_PATH_MAX][RULES_SQUARE_TEXT];

    for (size_t i = 0; i < n; i++) {
        paths[i].len = (uint32_t)game->path(state, moves[i], click);
        for (size_t j = 0; j < paths[i].len; j++)
            paths[i].click[j] = pack(click[j]);
        paths[i].click[paths[i].len] = 0;
        paths[i].order = (uint32_t)i;
    }
}

/* ---- sorting ----
 *
 * By the first click into less, equal and greater, and on within these three: the equal ones by
 * their next click. Each click of a path is looked at about as often as it takes to find one of the
 * clicks that are possible there, and paths that begin alike are never compared from their
 * beginning. `order` is what is sorted; element i says which path comes i-th. */

static uint32_t click_of(const struct rules_path *paths, size_t i, size_t depth)
{
    return paths[paths[i].order].click[depth];
}

static void swap(struct rules_path *paths, size_t a, size_t b)
{
    uint32_t order = paths[a].order;

    paths[a].order = paths[b].order;
    paths[b].order = order;
}

/* Sorts the elements from `begin` to before `end`, whose paths agree in their first `depth` clicks.
 */
static void sort(struct rules_path *paths, size_t begin, size_t end, size_t depth)
{
    size_t less = begin, greater = end;
    uint32_t pivot;

    if (end - begin < 2)
        return;
    pivot = click_of(paths, begin + (end - begin) / 2, depth);
    for (size_t i = begin; i < greater;) {
        uint32_t click = click_of(paths, i, depth);

        if (click < pivot)
            swap(paths, less++, i++);
        else if (click > pivot)
            swap(paths, i, --greater);
        else
            i++;
    }
    sort(paths, begin, less, depth);
    if (pivot != 0)
        sort(paths, less, greater, depth + 1);
    sort(paths, greater, end, depth);
}

/* ---- walking ---- */

/* How many clicks two paths begin with together. */
static size_t shared_clicks(const struct rules_path *a, const struct rules_path *b)
{
    size_t n = 0;

    while (n < a->len && n < b->len && a->click[n] == b->click[n])
        n++;
    return n;
}

static void leave_to(const struct rules_tree_visitor *visitor, size_t *open, size_t depth)
{
    for (; *open > depth; (*open)--)
        visitor->leave(visitor->context);
}

static void enter_to(const struct rules_tree_visitor *visitor, const struct rules_path *path,
                     size_t *open, size_t depth)
{
    char click[RULES_SQUARE_TEXT];

    for (; *open < depth; (*open)++) {
        unpack(path->click[*open], click);
        visitor->enter(visitor->context, click);
    }
}

void rules_tree(const struct rules_game *game, const struct rules_state *state,
                const rules_move *moves, size_t n, struct rules_path *scratch,
                const struct rules_tree_visitor *visitor)
{
    size_t open = 0; /* how many clicks have been entered; they begin the present path */
    char click[RULES_SQUARE_TEXT], text[RULES_MOVE_TEXT];

    make_paths(game, state, moves, n, scratch);
    sort(scratch, 0, n, 0);
    for (size_t i = 0; i < n; i++) {
        const struct rules_path *path = &scratch[scratch[i].order];
        size_t shared = i + 1 < n ? shared_clicks(path, &scratch[scratch[i + 1].order]) : 0;
        bool leads_on = shared == path->len;

        enter_to(visitor, path, &open, leads_on ? path->len : path->len - 1);
        unpack(leads_on ? 0 : path->click[path->len - 1], click);
        game->move_text(state, moves[scratch[i].order], text);
        visitor->leaf(visitor->context, click, text);
        leave_to(visitor, &open, shared);
    }
}
