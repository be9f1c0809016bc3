/* tree.c - the variations of a record, by the line and ply that they leave. */
#include "api/record/record.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- variations that begin alike ---- */

#define NOWHERE SIZE_MAX

struct joining {
    struct arena *arena;
    const struct record *record; /* as it was read */
    struct record_line *lines;   /* joined so far; line i of these is lines[i - 1] */
    size_t nlines;
    size_t **home; /* home[i][k]: the joined line that has move k of record->lines[i] */
};

/* The move that a joined line has behind a ply, or NULL. */
static struct record_move *move_at(const struct joining *joining, size_t line, size_t ply)
{
    const struct record *record = joining->record;
    const struct record_line *joined;

    if (line == 0)
        return ply < record->nmoves ? &record->moves[ply] : NULL;
    joined = &joining->lines[line - 1];
    return ply < joined->ply + joined->nmoves ? &joined->moves[ply - joined->ply] : NULL;
}

/* The joined line that has this move after a ply of line `from`: `from` itself or a variation of
 * it. NOWHERE if there is none. */
static size_t line_with(const struct joining *joining, size_t from, size_t ply, const char *text)
{
    const struct record_move *move = move_at(joining, from, ply);

    if (move != NULL && strcmp(move->text, text) == 0)
        return from;
    for (size_t i = 0; i < joining->nlines; i++)
        if (joining->lines[i].parent == from && joining->lines[i].ply == ply &&
            strcmp(joining->lines[i].moves[0].text, text) == 0)
            return i + 1;
    return NOWHERE;
}

static void join_move(struct arena *arena, struct record_move *move, const struct record_move *twin)
{
    if (move->comment == NULL)
        move->comment = twin->comment;
    else if (twin->comment != NULL && strcmp(move->comment, twin->comment) != 0)
        move->comment = arena_format(arena, "%s\n%s", move->comment, twin->comment);
    if (move->spent_us < 0)
        move->spent_us = twin->spent_us;
    if (move->marks == NULL)
        move->marks = twin->marks;
    if (!move->has_value) {
        move->has_value = twin->has_value;
        move->value = twin->value;
    }
}

/* Called when joined line `line` has all moves of another line. Takes over the outcome of that
 * line, if `line` ends at the same ply and has no outcome of its own. */
static void join_end(const struct joining *joining, size_t line, size_t ply,
                     const struct record_outcome *outcome)
{
    if (line != 0 && move_at(joining, line, ply) == NULL &&
        joining->lines[line - 1].outcome.end == RECORD_OPEN)
        joining->lines[line - 1].outcome = *outcome;
}

/* The joined line that a line of the record leaves now. */
static size_t line_left(const struct joining *joining, const struct record_line *line)
{
    const struct record_line *parent;

    if (line->parent == 0)
        return 0;
    parent = &joining->record->lines[line->parent - 1];
    return joining->home[line->parent - 1][line->ply - parent->ply - 1];
}

static void join_line(struct joining *joining, size_t i)
{
    struct record_line line = joining->record->lines[i];
    size_t *home = arena_alloc(joining->arena, (line.nmoves + 1) * sizeof(*home));
    size_t at = line_left(joining, &line), next, k = 0;

    joining->home[i] = home;
    for (; k < line.nmoves; k++) {
        next = line_with(joining, at, line.ply + k, line.moves[k].text);
        if (next == NOWHERE)
            break;
        join_move(joining->arena, move_at(joining, next, line.ply + k), &line.moves[k]);
        home[k] = at = next;
    }
    if (k == line.nmoves) {
        join_end(joining, at, line.ply + k, &line.outcome);
        return;
    }
    joining->lines[joining->nlines++] = (struct record_line){.parent = at,
                                                             .ply = line.ply + k,
                                                             .moves = line.moves + k,
                                                             .nmoves = line.nmoves - k,
                                                             .outcome = line.outcome,
                                                             .points = line.points + k};
    for (; k < line.nmoves; k++)
        home[k] = joining->nlines;
}

void record_tree_join(struct arena *arena, struct record *record)
{
    struct joining joining = {
        .arena = arena,
        .record = record,
        .lines = arena_alloc(arena, (record->nlines + 1) * sizeof(*joining.lines)),
        .home = arena_alloc(arena, (record->nlines + 1) * sizeof(*joining.home))};

    for (size_t i = 0; i < record->nlines; i++)
        join_line(&joining, i);
    record->lines = joining.lines;
    record->nlines = joining.nlines;
}
