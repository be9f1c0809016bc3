/* tree.c - the variations of a record, by the line and ply that they leave. */
#include "api/record/record.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "api/record/ends.h"

struct begun {
    size_t parent, ply, line;
    bool moves;  /* it has moves */
    size_t rank; /* among those with moves that begin at its place, from 1 on; or `after` */
};

static int by_place(const void *a, const void *b)
{
    const struct begun *x = a, *y = b;

    if (x->parent != y->parent)
        return x->parent < y->parent ? -1 : 1;
    if (x->ply != y->ply)
        return x->ply < y->ply ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->moves != y->moves)
        return x->moves ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

/* Sorts twice: the ranks are known when the lines of a place are together. */
static void sort(struct begun *begun, size_t n)
{
    size_t rank = 0;

    qsort(begun, n, sizeof(*begun), by_place);
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && (begun[i].parent != begun[i - 1].parent || begun[i].ply != begun[i - 1].ply))
            rank = 0;
        if (begun[i].moves)
            begun[i].rank = ++rank;
    }
    qsort(begun, n, sizeof(*begun), by_place);
}

struct record_tree record_tree(struct arena *arena, const struct record *record)
{
    size_t n = record->nlines, at = 0;
    struct begun *begun = arena_alloc(arena, (n + 1) * sizeof(*begun));
    struct record_tree tree = {.line = arena_alloc(arena, (n + 1) * sizeof(*tree.line)),
                               .first = arena_alloc(arena, (n + 2) * sizeof(*tree.first))};

    for (size_t i = 0; i < n; i++)
        begun[i] = (struct begun){record->lines[i].parent, record->lines[i].ply, i + 1,
                                  record->lines[i].nmoves > 0, record->lines[i].after};
    if (n > 0)
        sort(begun, n);
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
    size_t *room;  /* for moves, of each joined line */
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
            joining->lines[i].nmoves > 0 && strcmp(joining->lines[i].moves[0].text, text) == 0)
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

static bool same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* Whether an end says nothing that `other` does not say. The same word at the same place means the
 * same. */
static bool says_no_more(const struct record_ending *ending, const struct record_ending *other)
{
    return same_text(ending->word, other->word) &&
           (ending->word != NULL || record_same_end(&ending->outcome, &other->outcome)) &&
           (ending->spent_us < 0 || ending->spent_us == other->spent_us) &&
           (ending->comment == NULL || same_text(ending->comment, other->comment));
}

/* Whether a joined line ends at a ply. */
static bool ends_at(const struct joining *joining, size_t line, size_t ply)
{
    return move_at(joining, line, ply) == NULL;
}

/* Whether a joined line that ends at a ply, or a variation without moves there, says of that end
 * what is said here. */
static bool is_known_line(const struct joining *joining, size_t line, size_t ply,
                          const struct record_ending *ending)
{
    const struct record_ending *own =
        line == 0 ? &joining->record->ending : &joining->lines[line - 1].ending;

    if (ends_at(joining, line, ply) && says_no_more(ending, own))
        return true;
    for (size_t i = 0; i < joining->nlines; i++)
        if (joining->lines[i].nmoves == 0 && joining->lines[i].parent == line &&
            joining->lines[i].ply == ply && says_no_more(ending, &joining->lines[i].ending))
            return true;
    return false;
}

/* How many variations with moves begin at a place. */
static size_t begun_at(const struct joining *joining, size_t parent, size_t ply)
{
    size_t n = 0;

    for (size_t i = 0; i < joining->nlines; i++)
        n += joining->lines[i].nmoves > 0 && joining->lines[i].parent == parent &&
             joining->lines[i].ply == ply;
    return n;
}

static void add_joined_line(struct joining *joining, const struct record_line *line)
{
    joining->room[joining->nlines] = line->nmoves;
    joining->lines[joining->nlines++] = *line;
}

/* Keeps what is said of an end at a ply of a joined line: as the end of that line, if it ends there
 * and says nothing, or else as a variation without moves. */
static void join_end(struct joining *joining, size_t line, size_t ply,
                     const struct record_ending *ending)
{
    struct record_line bare = {.parent = line, .ply = ply, .ending = *ending};

    bare.after = begun_at(joining, line, ply);
    if (!record_is_said(ending) || is_known_line(joining, line, ply, ending))
        return;
    if (line != 0 && ends_at(joining, line, ply) &&
        !record_is_said(&joining->lines[line - 1].ending))
        joining->lines[line - 1].ending = *ending;
    else
        add_joined_line(joining, &bare);
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

/* What is left of a line behind its first k moves. */
static struct record_line behind(const struct record_line *line, size_t k)
{
    struct record_line rest = *line;

    rest.ply += k;
    rest.moves += k;
    rest.points += k;
    rest.nmoves -= k;
    return rest;
}

static void make_tree_room(struct arena *arena, struct record_line *line, size_t room)
{
    struct record_move *moves = arena_alloc(arena, room * sizeof(*moves));
    const struct record_point **points =
        arena_alloc(arena, room * sizeof(const struct record_point *));

    memcpy(moves, line->moves, line->nmoves * sizeof(*moves));
    memcpy(points, line->points, line->nmoves * sizeof(const struct record_point *));
    line->moves = moves;
    line->points = points;
}

/* Adds the moves of a line to the joined line that they go on from, of whose end nothing is said.
 */
static void go_on_joining(struct joining *joining, size_t to, const struct record_line *line)
{
    struct record_line *joined = &joining->lines[to - 1];
    size_t n = joined->nmoves, all = n + line->nmoves;

    if (all > joining->room[to - 1]) {
        joining->room[to - 1] = 2 * all;
        make_tree_room(joining->arena, joined, 2 * all);
    }
    memcpy(joined->moves + n, line->moves, line->nmoves * sizeof(*line->moves));
    memcpy(joined->points + n, line->points, line->nmoves * sizeof(const struct record_point *));
    joined->nmoves = all;
    joined->ending = line->ending;
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
        join_end(joining, at, line.ply + k, &line.ending);
        return;
    }
    line = behind(&line, k);
    line.parent = at;
    if (at != 0 && ends_at(joining, at, line.ply) &&
        !record_is_said(&joining->lines[at - 1].ending)) {
        go_on_joining(joining, at, &line);
    } else {
        add_joined_line(joining, &line);
        at = joining->nlines;
    }
    for (size_t j = 0; j < line.nmoves; j++)
        home[k + j] = at;
}

void record_tree_join(struct arena *arena, struct record *record)
{
    struct joining joining = {
        .arena = arena,
        .record = record,
        .lines = arena_alloc(arena, (record->nlines + 1) * sizeof(*joining.lines)),
        .room = arena_alloc(arena, (record->nlines + 1) * sizeof(*joining.room)),
        .home = arena_alloc(arena, (record->nlines + 1) * sizeof(*joining.home))};

    for (size_t i = 0; i < record->nlines; i++)
        join_line(&joining, i);
    record->lines = joining.lines;
    record->nlines = joining.nlines;
}
