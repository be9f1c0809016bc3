#include "api/live/live_game.h"

#include <stdlib.h>
#include <string.h>

#include "api/game/row.h"
#include "api/text/arena.h"
#include "api/text/must.h"

static void set_text(char **text, const char *value)
{
    char *copy = value == NULL ? NULL : must_copy(value);

    free(*text);
    *text = copy;
}

/* Copies a text to *at, which moves on, and returns the copy. */
static const char *keep(char **at, const char *text)
{
    size_t size = text == NULL ? 0 : strlen(text) + 1;
    char *copy = *at;

    if (text == NULL)
        return NULL;
    memcpy(copy, text, size);
    *at += size;
    return copy;
}

static size_t text_size(const char *text)
{
    return text == NULL ? 0 : strlen(text) + 1;
}

/* Keeps copies of the texts that moves do not change, in one piece of memory: there are many
 * tables, and many short pieces would cost each of them more than the texts themselves. */
static void keep_texts(struct table *table, const struct db_game *row)
{
    size_t size = text_size(row->variant) + text_size(row->options) + text_size(row->start) +
                  text_size(row->reason) + text_size(row->clock) + 1;
    char *at;
    char *old = table->texts; /* freed last: `row` may point into it */

    for (int i = 0; i < DB_SEATS; i++)
        size += text_size(row->seat[i].name) + text_size(row->seat[i].engine);
    table->texts = at = must_alloc(size);
    table->row.variant = keep(&at, row->variant);
    table->row.options = keep(&at, row->options);
    table->row.start = keep(&at, row->start);
    table->row.reason = keep(&at, row->reason);
    table->row.clock = keep(&at, row->clock);
    for (int i = 0; i < DB_SEATS; i++) {
        table->row.seat[i].name = keep(&at, row->seat[i].name);
        table->row.seat[i].engine = keep(&at, row->seat[i].engine);
    }
    free(old);
}

static void forget_shown(struct table *table)
{
    free(table->shown);
    table->shown = NULL;
}

/* Has the table keep the texts of its row that moves change. */
static void set_changing_texts(struct table *table)
{
    struct db_game *row = &table->row;

    set_text(&table->position, row->position);
    set_text(&table->last_move, row->last_move);
    set_text(&table->timing, row->timing);
    set_text(&table->offers_text, row->offers);
    row->position = table->position;
    row->last_move = table->last_move;
    row->timing = table->timing;
    row->offers = table->offers_text;
}

static void set_row(struct table *table, const struct db_game *row)
{
    table->row = *row;
    /* First these: after an undo to the start, row->position is the text of the start, which
     * keep_texts() frees. */
    set_changing_texts(table);
    keep_texts(table, row);
}

/* Keeps only the bytes in use: most states are a small part of the largest one. */
static void set_state(struct table *table, const struct rules_state *state)
{
    size_t size = offsetof(struct rules_state, w) + state->bytes;

    free(table->state);
    table->state = must_alloc(size);
    memcpy(table->state, state, size);
}

void table_push_key(struct table *table, uint64_t key)
{
    if (table->nkeys == table->keys_size) {
        table->keys_size = table->keys_size == 0 ? 16 : 2 * table->keys_size;
        table->keys = must_realloc(table->keys, table->keys_size * sizeof(*table->keys));
    }
    table->keys[table->nkeys++] = key;
}

/* Reads the clock and the offers of the row, so that nobody need do it at each look. */
static bool read_rest(struct table *table)
{
    const struct db_game *row = &table->row;
    struct arena arena = {NULL, NULL, NULL};
    bool ok = true;

    free(table->clock);
    free(table->offers);
    table->clock = row->clock == NULL ? NULL : must_alloc(sizeof(*table->clock));
    table->offers = row->offers == NULL ? NULL : must_alloc(sizeof(*table->offers));
    if (table->clock != NULL)
        ok = clock_load(&arena, row, table->clock);
    if (table->offers != NULL)
        ok = offers_load(&arena, row, table->offers) && ok;
    arena_free(&arena);
    return ok;
}

/* Sets everything that follows from the row. Of the past only the row's own position is known; the
 * last move and earlier keys are read when somebody needs them. */
static bool set_position(struct table *table)
{
    struct rules_state state;

    table->game = row_position(&table->row, &table->options, &state);
    if (table->game == NULL || !read_rest(table))
        return false;
    set_state(table, &state);
    table->last = (rules_move){{0, 0}};
    table->keys_from = table->row.ply;
    table->nkeys = 0;
    table_push_key(table, table->game->key(&state));
    return true;
}

bool table_take(struct table *table, const struct db_game *row)
{
    forget_shown(table);
    set_row(table, row);
    return set_position(table);
}

/* ---- what was written ---- */

/* A move adds a key. An undo drops those behind the ply to which it goes back, and may go back
 * beyond all keys that are known: then the only one is that of the present position. */
static void keep_keys(struct table *table, const struct table_write *write)
{
    int32_t kept = write->keys_kept_to_ply - table->keys_from + 1;

    if (kept < 0) {
        kept = 0;
        table->keys_from = write->keys_kept_to_ply + 1;
    }
    if ((size_t)kept < table->nkeys)
        table->nkeys = (size_t)kept;
    for (size_t i = 0; i < write->nnew_keys; i++)
        table_push_key(table, write->new_keys[i]);
    if (table->nkeys == 0) {
        table->keys_from = table->row.ply;
        table_push_key(table, table->game->key(table->state));
    }
}

void table_apply(struct table *table, const struct table_write *write)
{
    const char *reason = table->row.reason;

    forget_shown(table);
    /* The pointer tells whether the reason is a new one: a course starts from the table's own row.
     * A move changes few of the texts, so it copies no more than those. */
    if (write->joins || write->after.reason != reason) {
        set_row(table, &write->after);
    } else {
        table->row = write->after;
        set_changing_texts(table);
    }
    (void)read_rest(table); /* this program wrote it */
    if (write->state != NULL) {
        set_state(table, write->state);
        table->last = write->last;
    }
    keep_keys(table, write);
}

void table_free(struct table *table)
{
    free(table->state);
    free(table->keys);
    free(table->texts);
    free(table->position);
    free(table->last_move);
    free(table->timing);
    free(table->offers_text);
    free(table->clock);
    free(table->offers);
    free(table->shown);
    free(table);
}

/* ---- a copy ---- */

static const char *copy_text(struct arena *arena, const char *text)
{
    return text == NULL ? NULL : arena_copy(arena, text, strlen(text));
}

void table_copy_row(struct arena *arena, const struct db_game *from, struct db_game *to)
{
    *to = *from;
    to->variant = copy_text(arena, from->variant);
    to->options = copy_text(arena, from->options);
    to->start = copy_text(arena, from->start);
    to->position = copy_text(arena, from->position);
    to->last_move = copy_text(arena, from->last_move);
    to->reason = copy_text(arena, from->reason);
    to->clock = copy_text(arena, from->clock);
    to->timing = copy_text(arena, from->timing);
    to->offers = copy_text(arena, from->offers);
    for (int i = 0; i < DB_SEATS; i++) {
        to->seat[i].name = copy_text(arena, from->seat[i].name);
        to->seat[i].engine = copy_text(arena, from->seat[i].engine);
    }
}

struct table *table_snapshot(const struct table *table, struct arena *arena)
{
    struct table *copy = arena_zero(arena, sizeof(*copy));

    table_copy_row(arena, &table->row, &copy->row);
    copy->game = table->game;
    copy->options = table->options;
    copy->state = arena_alloc(arena, offsetof(struct rules_state, w) + table->state->bytes);
    rules_copy(table->state, copy->state);
    copy->last = table->last;
    if (table->clock != NULL) {
        copy->clock = arena_alloc(arena, sizeof(*copy->clock));
        *copy->clock = *table->clock;
    }
    if (table->offers != NULL) {
        copy->offers = arena_alloc(arena, sizeof(*copy->offers));
        *copy->offers = *table->offers;
    }
    return copy;
}
