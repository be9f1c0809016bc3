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
static const char *keep_live_game(char **at, const char *text)
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
 * live games, and many short pieces would cost each of them more than the texts themselves. */
static void keep_texts(struct live_game *live, const struct db_game *row)
{
    size_t size = text_size(row->variant) + text_size(row->options) + text_size(row->start) +
                  text_size(row->reason) + text_size(row->clock) + text_size(row->metadata) + 1;
    char *at;
    char *old = live->texts; /* freed last: `row` may point into it */

    for (int i = 0; i < DB_SEATS; i++)
        size += text_size(row->seat[i].name) + text_size(row->seat[i].engine);
    live->texts = at = must_alloc(size);
    live->row.variant = keep_live_game(&at, row->variant);
    live->row.options = keep_live_game(&at, row->options);
    live->row.start = keep_live_game(&at, row->start);
    live->row.reason = keep_live_game(&at, row->reason);
    live->row.clock = keep_live_game(&at, row->clock);
    live->row.metadata = keep_live_game(&at, row->metadata);
    for (int i = 0; i < DB_SEATS; i++) {
        live->row.seat[i].name = keep_live_game(&at, row->seat[i].name);
        live->row.seat[i].engine = keep_live_game(&at, row->seat[i].engine);
    }
    free(old);
}

static void forget_shown(struct live_game *live)
{
    free(live->shown);
    live->shown = NULL;
}

/* Has the live game keep the texts of its row that moves change. */
static void set_changing_texts(struct live_game *live)
{
    struct db_game *row = &live->row;

    set_text(&live->position, row->position);
    set_text(&live->last_move, row->last_move);
    set_text(&live->timing, row->timing);
    set_text(&live->offers_text, row->offers);
    row->position = live->position;
    row->last_move = live->last_move;
    row->timing = live->timing;
    row->offers = live->offers_text;
}

static void set_row(struct live_game *live, const struct db_game *row)
{
    live->row = *row;
    /* First these: after an undo to the start, row->position is the text of the start, which
     * keep_texts() frees. */
    set_changing_texts(live);
    keep_texts(live, row);
}

/* Keeps only the bytes in use: most states are a small part of the largest one. */
static void set_state(struct live_game *live, const struct rules_state *state)
{
    size_t size = offsetof(struct rules_state, w) + state->bytes;

    free(live->state);
    live->state = must_alloc(size);
    memcpy(live->state, state, size);
}

void live_push_key(struct live_game *live, uint64_t key)
{
    if (live->nkeys == live->keys_size) {
        live->keys_size = live->keys_size == 0 ? 16 : 2 * live->keys_size;
        live->keys = must_realloc(live->keys, live->keys_size * sizeof(*live->keys));
    }
    live->keys[live->nkeys++] = key;
}

/* Reads the clock and the offers of the row, so that nobody need do it at each look. */
static bool read_rest(struct live_game *live)
{
    const struct db_game *row = &live->row;
    struct arena arena = {NULL, NULL, NULL};
    bool ok = true;

    free(live->clock);
    free(live->offers);
    live->clock = row->clock == NULL ? NULL : must_alloc(sizeof(*live->clock));
    live->offers = row->offers == NULL ? NULL : must_alloc(sizeof(*live->offers));
    if (live->clock != NULL)
        ok = clock_load(&arena, row, live->clock);
    if (live->offers != NULL)
        ok = offers_load(&arena, row, live->offers) && ok;
    arena_free(&arena);
    return ok;
}

/* Sets everything that follows from the row. Of the past only the row's own position is known; the
 * last move and earlier keys are read when somebody needs them. */
static bool set_position(struct live_game *live)
{
    struct rules_state state;

    live->game = row_position(&live->row, &live->options, &state);
    if (live->game == NULL || !read_rest(live))
        return false;
    set_state(live, &state);
    live->last = (rules_move){{0, 0}};
    live->keys_from = live->row.ply;
    live->nkeys = 0;
    live_push_key(live, live->game->key(&state));
    return true;
}

bool live_take(struct live_game *live, const struct db_game *row)
{
    forget_shown(live);
    set_row(live, row);
    return set_position(live);
}

/* ---- what was written ---- */

/* A move adds a key. An undo drops those behind the ply to which it goes back, and may go back
 * beyond all keys that are known: then the only one is that of the present position. */
static void keep_keys(struct live_game *live, const struct live_write *write)
{
    int32_t kept = write->keys_kept_to_ply - live->keys_from + 1;

    if (kept < 0) {
        kept = 0;
        live->keys_from = write->keys_kept_to_ply + 1;
    }
    if ((size_t)kept < live->nkeys)
        live->nkeys = (size_t)kept;
    for (size_t i = 0; i < write->nnew_keys; i++)
        live_push_key(live, write->new_keys[i]);
    if (live->nkeys == 0) {
        live->keys_from = live->row.ply;
        live_push_key(live, live->game->key(live->state));
    }
}

void live_apply(struct live_game *live, const struct live_write *write)
{
    const char *reason = live->row.reason;

    forget_shown(live);
    /* The pointer tells whether the reason is a new one: a draft starts from the live game's own
     * row. A move changes few of the texts, so it copies no more than those. */
    if (write->joins || write->after.reason != reason) {
        set_row(live, &write->after);
    } else {
        live->row = write->after;
        set_changing_texts(live);
    }
    (void)read_rest(live); /* this program wrote it */
    if (write->state != NULL) {
        set_state(live, write->state);
        live->last = write->last;
    }
    keep_keys(live, write);
}

void live_free(struct live_game *live)
{
    free(live->state);
    free(live->keys);
    free(live->texts);
    free(live->position);
    free(live->last_move);
    free(live->timing);
    free(live->offers_text);
    free(live->clock);
    free(live->offers);
    free(live->shown);
    free(live);
}

/* ---- a copy ---- */

static const char *copy_text(struct arena *arena, const char *text)
{
    return text == NULL ? NULL : arena_copy(arena, text, strlen(text));
}

void live_copy_row(struct arena *arena, const struct db_game *from, struct db_game *to)
{
    *to = *from;
    to->variant = copy_text(arena, from->variant);
    to->options = copy_text(arena, from->options);
    to->start = copy_text(arena, from->start);
    to->position = copy_text(arena, from->position);
    to->last_move = copy_text(arena, from->last_move);
    to->reason = copy_text(arena, from->reason);
    to->clock = copy_text(arena, from->clock);
    to->metadata = copy_text(arena, from->metadata);
    to->timing = copy_text(arena, from->timing);
    to->offers = copy_text(arena, from->offers);
    for (int i = 0; i < DB_SEATS; i++) {
        to->seat[i].name = copy_text(arena, from->seat[i].name);
        to->seat[i].engine = copy_text(arena, from->seat[i].engine);
    }
}

struct live_game *live_snapshot(const struct live_game *live, struct arena *arena)
{
    struct live_game *copy = arena_zero(arena, sizeof(*copy));

    live_copy_row(arena, &live->row, &copy->row);
    copy->game = live->game;
    copy->options = live->options;
    copy->state = arena_alloc(arena, offsetof(struct rules_state, w) + live->state->bytes);
    rules_copy(live->state, copy->state);
    copy->last = live->last;
    if (live->clock != NULL) {
        copy->clock = arena_alloc(arena, sizeof(*copy->clock));
        *copy->clock = *live->clock;
    }
    if (live->offers != NULL) {
        copy->offers = arena_alloc(arena, sizeof(*copy->offers));
        *copy->offers = *live->offers;
    }
    return copy;
}
