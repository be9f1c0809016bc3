#include "api/record/writer.h"

#include <stddef.h>
#include <string.h>

#include "api/record/headers.h"
#include "api/record/times.h"
#include "rules/rules.h"

bool record_unwritable(struct record_writing *writing, const char *detail)
{
    *writing->error = (struct record_error){.code = PROBLEM_CANNOT_EXPORT, .detail = detail};
    return false;
}

const char *record_player(const struct record *record, unsigned seat)
{
    const char *name = record->name[seat - 1];

    return name != NULL ? name : record->title[seat - 1];
}

/* ---- headers ---- */

static bool has_spot(const struct record *record, enum record_slot slot)
{
    for (size_t i = 0; i < record->nspots; i++)
        if (record->spots[i].slot == slot)
            return true;
    return false;
}

const char *record_as_read(const struct record_writing *writing, enum record_slot slot)
{
    return record_is_own(writing) ? record_spot_text(writing->record, slot) : NULL;
}

/* A time as it was read, if it still is that time; a text may be no time that we can read. */
static void write_walk_time(struct record_writing *writing, const struct record_order *order,
                            enum record_slot slot, int64_t time)
{
    const char *text = record_as_read(writing, slot);
    int64_t read;

    if (text != NULL && !record_read_time(text, &read))
        read = RECORD_NO_TIME;
    if (text != NULL && read == time)
        order->time(writing, slot, text);
    else if (time != RECORD_NO_TIME)
        order->time(writing, slot, record_time_text(writing->arena, time, order->date));
}

static void write_slot(struct record_writing *writing, const struct record_order *order,
                       enum record_slot slot)
{
    if (slot == RECORD_SLOT_FIRST)
        order->player(writing, 1);
    else if (slot == RECORD_SLOT_SECOND)
        order->player(writing, 2);
    else if (slot == RECORD_SLOT_STARTED)
        write_walk_time(writing, order, slot, writing->record->started_at);
    else if (slot == RECORD_SLOT_ENDED)
        write_walk_time(writing, order, slot, writing->record->ended_at);
    else if (order->other != NULL)
        order->other(writing, slot);
}

static void write_usual(struct record_writing *writing, const struct record_order *order,
                        const enum record_slot *slots)
{
    for (; *slots != RECORD_SLOTS; slots++)
        if (!has_spot(writing->record, *slots))
            write_slot(writing, order, *slots);
}

void record_write_headers(struct record_writing *writing, const struct record_order *order)
{
    const struct record *record = writing->record;
    size_t spot = 0;

    write_usual(writing, order, order->before);
    for (size_t i = 0; i <= record->nheaders; i++) {
        bool last = i == record->nheaders;

        for (; spot < record->nspots && (last || record->spots[spot].before <= i); spot++)
            write_slot(writing, order, record->spots[spot].slot);
        if (!last)
            order->header(writing, i);
    }
    write_usual(writing, order, order->after);
}

/* ---- the moves ---- */

bool record_walk_begin(struct record_walk *walk, struct record_writing *writing)
{
    struct rules_refusal why;

    *walk = (struct record_walk){.writing = writing, .record = writing->record};
    walk->state = arena_alloc(writing->arena, sizeof(*walk->state));
    walk->next = arena_alloc(writing->arena, sizeof(*walk->next));
    walk->tree = record_tree(writing->arena, writing->record);
    walk->places =
        arena_alloc(writing->arena, (writing->record->nlines + 1) * sizeof(*walk->places));
    return rules_load(writing->record->game, &writing->record->options, writing->record->start,
                      walk->state, &why) ||
           record_unwritable(writing, "The start position is not valid.");
}

const struct record_ending *record_walk_ending(const struct record_walk *walk)
{
    return walk->at.line == 0 ? &walk->record->ending
                              : &walk->record->lines[walk->at.line - 1].ending;
}

static const struct record_line *line_of(const struct record_walk *walk)
{
    return walk->at.line == 0 ? NULL : &walk->record->lines[walk->at.line - 1];
}

size_t record_walk_ply(const struct record_walk *walk)
{
    return walk->at.played + (walk->at.line == 0 ? 0 : line_of(walk)->ply);
}

static int64_t seconds_of(const struct record_move *move)
{
    return move->spent_us > 0 ? move->spent_us / RECORD_SECOND_US : 0;
}

static const struct record_move *moves_of(const struct record_walk *walk, size_t *n)
{
    *n = walk->at.line == 0 ? walk->record->nmoves : line_of(walk)->nmoves;
    return walk->at.line == 0 ? walk->record->moves : line_of(walk)->moves;
}

static void swap_states(struct record_walk *walk)
{
    struct rules_state *state = walk->state;

    walk->state = walk->next;
    walk->next = state;
}

bool record_walk_next(struct record_walk *walk, const struct record_move **move)
{
    const struct rules_game *game = walk->record->game;
    struct rules_refusal why;
    const struct record_move *moves;
    size_t n;

    moves = moves_of(walk, &n);
    if (walk->at.fresh) {
        swap_states(walk);
        walk->last = walk->move;
        walk->at.before = moves[walk->at.played - 1].text;
        walk->at.fresh = false;
    }
    if (walk->at.played >= n)
        return false;
    *move = &moves[walk->at.played];
    if (!game->read_move(walk->state, (*move)->text, &walk->move, &why))
        return record_unwritable(walk->writing,
                                 arena_format(walk->writing->arena, "Move %zu is not legal.",
                                              record_walk_ply(walk) + 1));
    game->play(walk->state, walk->move, walk->next);
    walk->at.fresh = true;
    walk->at.played++;
    walk->at.seconds[record_walk_ply(walk) % RULES_SEATS] += seconds_of(*move);
    return true;
}

/* ---- from line to line ---- */

/* A copy of the state before the present move, which stays when the walk goes on. It has only the
 * bytes in use, because a record may have thousands of variations. */
static const struct rules_state *keep_state(const struct record_walk *walk)
{
    const struct rules_state *state = walk->state;

    return (const struct rules_state *)arena_copy(walk->writing->arena, (const char *)state,
                                                  offsetof(struct rules_state, w) + state->bytes);
}

/* The number of the next variation that begins at this place; 0: none. */
static size_t variation_here(const struct record_walk *walk)
{
    size_t at = walk->tree.first[walk->at.line] + walk->at.child, ply = record_walk_ply(walk);

    if (at == walk->tree.first[walk->at.line + 1] ||
        walk->record->lines[walk->tree.line[at] - 1].ply != ply - (walk->at.fresh ? 1 : 0))
        return 0;
    return walk->tree.line[at];
}

/* The place at which variation `line` begins. It replaces the last move, whose time is therefore
 * subtracted, or continues behind the end of the line. */
static struct record_place beginning_of_walk(const struct record_walk *walk, size_t line,
                                             const struct rules_state *state)
{
    struct record_place place = {
        .line = line, .before = walk->at.before, .last = walk->last, .state = state};
    size_t n;

    memcpy(place.seconds, walk->at.seconds, sizeof(place.seconds));
    if (walk->at.fresh)
        place.seconds[record_walk_ply(walk) % RULES_SEATS] -=
            seconds_of(&moves_of(walk, &n)[walk->at.played - 1]);
    return place;
}

static void go_to_record_place(struct record_walk *walk, const struct record_place *place)
{
    walk->at = *place;
    walk->last = place->last;
    walk->move = place->move;
    rules_copy(place->state, walk->state);
    if (place->fresh)
        walk->record->game->play(walk->state, walk->move, walk->next);
}

bool record_walk_enter(struct record_walk *walk)
{
    size_t line = variation_here(walk);
    struct record_place inner, *outer;

    if (line == 0)
        return false;
    walk->at.child++;
    outer = &walk->places[walk->nplaces++];
    *outer = walk->at;
    outer->last = walk->last;
    outer->move = walk->move;
    outer->state = keep_state(walk);
    inner = beginning_of_walk(walk, line, outer->state);
    go_to_record_place(walk, &inner);
    return true;
}

void record_walk_leave(struct record_walk *walk)
{
    go_to_record_place(walk, &walk->places[--walk->nplaces]);
}

void record_walk_put_off(struct record_walk *walk)
{
    const struct rules_state *state = NULL;
    size_t begin = walk->nplaces, line;

    while ((line = variation_here(walk)) != 0) {
        if (state == NULL)
            state = keep_state(walk);
        walk->places[walk->nplaces++] = beginning_of_walk(walk, line, state);
        walk->at.child++;
    }
    for (size_t i = begin, j = walk->nplaces; i + 1 < j; i++) { /* the first one is resumed first */
        struct record_place place = walk->places[i];

        walk->places[i] = walk->places[--j];
        walk->places[j] = place;
    }
}

bool record_walk_resume(struct record_walk *walk)
{
    if (walk->nplaces == 0)
        return false;
    go_to_record_place(walk, &walk->places[--walk->nplaces]);
    return true;
}
