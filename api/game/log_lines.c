#include "api/game/log_lines.h"

#include <string.h>

#include "api/game/words.h"

/* A move of the log. 0 is the start, and as a number of another node: none. */
struct node {
    size_t event, child, sibling;
};

struct tree {
    const struct db_event *events;
    struct node *nodes;
    size_t nnodes;
    size_t *path;           /* the nodes of the present line, by ply */
    struct log_line *lines; /* the list; lines[i] begins with the node begin[i] */
    size_t *begin;
    size_t nlines;
    const bool *stops; /* by the numbers of events: a line ends behind this move; or NULL */
    size_t *places;    /* of the game after each event, or NULL */
};

static size_t find_child(const struct tree *tree, size_t parent, const char *move)
{
    size_t at = tree->nodes[parent].child;

    while (at != 0 && strcmp(tree->events[tree->nodes[at].event].move, move) != 0)
        at = tree->nodes[at].sibling;
    return at;
}

static size_t add_child(struct tree *tree, size_t parent, size_t event)
{
    size_t *to = &tree->nodes[parent].child, node = tree->nnodes++;

    while (*to != 0)
        to = &tree->nodes[*to].sibling;
    *to = node;
    tree->nodes[node].event = event;
    return node;
}

/* Each line shares with the one before it all plies up to where it begins, so the path is always
 * the line that the log is on. */
static void grow_log_tree(struct tree *tree, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct db_event *event = &tree->events[i];

        if (event->kind == EVENT_MOVE) {
            size_t parent = tree->path[event->ply - 1];
            size_t node = find_child(tree, parent, event->move);

            tree->path[event->ply] = node != 0 ? node : add_child(tree, parent, i);
        }
        if (tree->places != NULL)
            tree->places[i] = tree->nodes[tree->path[event->ply]].event;
    }
}

/* The children of a node but for one of them begin lines of their own. */
static void add_lines(struct tree *tree, size_t node, size_t but, size_t parent, int32_t ply)
{
    for (size_t at = tree->nodes[node].child; at != 0; at = tree->nodes[at].sibling)
        if (at != but) {
            tree->begin[tree->nlines] = at;
            tree->lines[tree->nlines++] = (struct log_line){.parent = parent, .ply = ply};
        }
}

/* The move that comes next in the line of this one; 0: none. */
static size_t next_in_line(const struct tree *tree, size_t node)
{
    bool stops = tree->stops != NULL && tree->stops[tree->nodes[node].event];

    return stops ? 0 : tree->nodes[node].child;
}

static size_t length_from(const struct tree *tree, size_t node)
{
    size_t n = 0;

    for (; node != 0; node = next_in_line(tree, node))
        n++;
    return n;
}

static void follow_log_tree(struct arena *arena, struct tree *tree, size_t i)
{
    struct log_line line = tree->lines[i];
    size_t node = tree->begin[i];

    line.moves = arena_alloc(arena, length_from(tree, node) * sizeof(*line.moves));
    for (; node != 0; node = next_in_line(tree, node)) {
        line.moves[line.nmoves++] = tree->nodes[node].event;
        add_lines(tree, node, next_in_line(tree, node), i, line.ply + (int32_t)line.nmoves);
    }
    tree->lines[i] = line;
}

static void follow_present(struct arena *arena, struct tree *tree, int32_t end)
{
    struct log_line line = {.moves = arena_alloc(arena, ((size_t)end + 1) * sizeof(*line.moves))};

    tree->nlines = 1;
    for (int32_t ply = 0; ply <= end; ply++) {
        size_t node = tree->path[ply];

        if (ply > 0)
            line.moves[line.nmoves++] = tree->nodes[node].event;
        add_lines(tree, node, ply < end ? tree->path[ply + 1] : 0, 0, ply);
    }
    tree->lines[0] = line;
}

static struct tree plant(struct arena *arena, const struct db_event *events, size_t count)
{
    return (struct tree){.events = events,
                         .nnodes = 1,
                         .nodes = arena_zero(arena, (count + 1) * sizeof(struct node)),
                         .path = arena_zero(arena, (count + 1) * sizeof(size_t))};
}

size_t *log_places(struct arena *arena, const struct db_event *events, size_t count)
{
    struct tree tree = plant(arena, events, count);

    tree.places = arena_alloc(arena, (count + 1) * sizeof(*tree.places));
    grow_log_tree(&tree, count);
    return tree.places;
}

size_t log_lines(struct arena *arena, const struct db_event *events, size_t count, int32_t end,
                 size_t most, const bool *stops, struct log_line **lines)
{
    struct tree tree = plant(arena, events, count);
    size_t moves = 0;

    tree.stops = stops;
    grow_log_tree(&tree, count);
    tree.lines = arena_alloc(arena, tree.nnodes * sizeof(*tree.lines));
    tree.begin = arena_alloc(arena, tree.nnodes * sizeof(*tree.begin));
    follow_present(arena, &tree, end);
    for (size_t i = 1; i < tree.nlines; i++) {
        moves += length_from(&tree, tree.begin[i]);
        if (moves > most)
            tree.nlines = i;
        else
            follow_log_tree(arena, &tree, i);
    }
    *lines = tree.lines;
    return tree.nlines;
}
