#include "api/record/tree.h"

#include <stdlib.h>

struct begun {
    size_t parent, ply, line;
};

static int by_place(const void *a, const void *b)
{
    const struct begun *x = a, *y = b;

    if (x->parent != y->parent)
        return x->parent < y->parent ? -1 : 1;
    if (x->ply != y->ply)
        return x->ply < y->ply ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

struct record_tree record_tree(struct arena *arena, const struct record *record)
{
    size_t n = record->nlines, at = 0;
    struct begun *begun = arena_alloc(arena, (n + 1) * sizeof(*begun));
    struct record_tree tree = {.line = arena_alloc(arena, (n + 1) * sizeof(*tree.line)),
                               .first = arena_alloc(arena, (n + 2) * sizeof(*tree.first))};

    for (size_t i = 0; i < n; i++)
        begun[i] = (struct begun){record->lines[i].parent, record->lines[i].ply, i + 1};
    if (n > 0)
        qsort(begun, n, sizeof(*begun), by_place);
    for (size_t parent = 0; parent <= n; parent++) {
        tree.first[parent] = at;
        for (; at < n && begun[at].parent == parent; at++)
            tree.line[at] = begun[at].line;
    }
    tree.first[n + 1] = n;
    return tree;
}
