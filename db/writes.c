/* writes.c - appending to a game, joining one, making one. */
#include <libpq-fe.h>
#include <string.h>

#include "internal.h"
#include "operations.h"

/* ---- requests ---- */

enum { GAME_BYTES = 512, EVENT_BYTES = 96 }; /* but for their texts, with all lengths */
enum { PIECE_BYTES = 64 << 10 };             /* of a write in pieces */

static size_t text_bytes(const char *text)
{
    return text != NULL ? strlen(text) : 0;
}

static size_t event_bytes(const struct db_event *event)
{
    return EVENT_BYTES + text_bytes(event->move) + text_bytes(event->position) +
           text_bytes(event->data);
}

/* The names of seats and variants are short, and are not looked at. */
static size_t write_bytes(const struct write *write)
{
    const struct db_game *game = write->game;
    size_t bytes = GAME_BYTES + text_bytes(game->position) + text_bytes(game->start) +
                   text_bytes(game->options) + text_bytes(game->timing) + text_bytes(game->offers) +
                   text_bytes(game->clock) + text_bytes(game->metadata);

    for (size_t i = 0; i < write->count; i++)
        bytes += event_bytes(&write->events[i]);
    return bytes + (write->answer != NULL ? write->answer->sealed_len : 0);
}

static void submit_event_write(struct db *db, enum db_kind kind, const struct write *write,
                               db_done_callback *done, void *context)
{
    struct db_request *request = queue_new(db, kind, &write->game->id, TAKES(done, done), context);

    request->write = *write;
    request->rows = write->count;
    request->bytes = write_bytes(write);
    queue_submit(db, request);
}

static struct write write_of(const struct db_append *append)
{
    return (struct write){.game = append->after,
                          .expected = append->expected,
                          .expected_plans = append->expected_plans,
                          .events = append->events,
                          .count = append->count,
                          .answer = append->answer,
                          .dues = append->dues,
                          .ndues = append->ndues};
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* Whether the game's row says what the event says of it. */
static bool says_the_same(const struct db_game *game, const struct db_event *event)
{
    return game->version == event->version && game->line == event->line &&
           game->ply == event->ply && game->tip == event->ply && game->last_seat == event->seat &&
           game->last_at == event->at && game->updated_at == event->at &&
           same_text(game->last_move, event->move) && same_text(game->position, event->position);
}

/* Most writes are: a move, and nothing that sql/shown_move.sql does not do. */
static bool is_plain_move(const struct write *write)
{
    const struct db_game *game = write->game;

    return write->count == 1 && write->events->kind == DB_EVENT_MOVE &&
           write->expected == game->version - 1 && says_the_same(game, write->events) &&
           write->ndues == 0 && (write->answer == NULL || write->answer->sealed == NULL) &&
           !game->has_next;
}

/* Whether others than those who look at the game itself are to hear of it: sql/move.sql tells
 * nobody. */
static bool is_shown(const struct db_game *game)
{
    return game->visibility == DB_VISIBILITY_PUBLIC || game->hooks != 0 ||
           game->status == DB_STATUS_FINISHED;
}

static enum db_kind kind_of_append(const struct write *write)
{
    if (!is_plain_move(write))
        return KIND_APPEND;
    return is_shown(write->game) ? KIND_SHOWN_MOVE : KIND_MOVE;
}

void db_append(struct db *db, const struct db_append *append, db_done_callback *done, void *context)
{
    struct write write = write_of(append);
    submit_event_write(db, kind_of_append(&write), &write, done, context);
}

void db_join(struct db *db, const struct db_append *append, db_done_callback *done, void *context)
{
    struct write write = write_of(append);
    submit_event_write(db, KIND_JOIN, &write, done, context);
}

void db_create(struct db *db, const struct db_create *create, db_done_callback *done, void *context)
{
    struct write write = {.game = create->game,
                          .events = create->events,
                          .count = create->count,
                          .answer = create->answer,
                          .dues = create->dues,
                          .ndues = create->ndues};
    submit_event_write(db, KIND_CREATE, &write, done, context);
}

/* ---- parameters: the parts of a write, and where they begin ---- */

enum { EVENTS_AT = 0, ANSWERS_AT = 13, STATE_AT = 19, PROMISES_AT = 41, SEATS_AT = 44 };

static void put_event(struct wire_params *params, const db_id *game, const struct db_event *event,
                      const struct db_answer *answer)
{
    wire_row(params, EVENTS_AT);
    wire_put_uuid(params, game);
    wire_put_int4(params, event->version);
    wire_put_int2(params, event->kind);
    wire_put_int2(params, event->seat);
    wire_put_int4(params, event->line);
    wire_put_int4(params, event->ply);
    wire_put_int8(params, event->key);
    wire_put_time(params, event->at);
    wire_put_text(params, event->move);
    wire_put_text(params, event->position);
    wire_put_text(params, event->data);
    answers_put_mark(params, answer);
}

/* What is not there is null, and not zeros: an index on players leaves nulls out, and a row has no
 * room for them. */
static void put_id(struct wire_params *params, bool there, const db_id *id)
{
    if (there)
        wire_put_uuid(params, id);
    else
        wire_put_null(params);
}

static void put_hash(struct wire_params *params, bool there, const uint8_t hash[DB_HASH_BYTES])
{
    if (there)
        wire_put_bytes(params, hash, DB_HASH_BYTES);
    else
        wire_put_null(params);
}

static void put_state(struct wire_params *params, const struct write *write)
{
    const struct db_game *game = write->game;

    wire_row(params, STATE_AT);
    wire_put_uuid(params, &game->id);
    wire_put_int4(params, write->expected);
    wire_put_int4(params, game->version);
    wire_put_int4(params, game->ply);
    wire_put_int4(params, game->line);
    wire_put_int4(params, game->lines);
    wire_put_int4(params, game->tip);
    wire_put_int2(params, game->status);
    wire_put_int2(params, game->to_move);
    wire_put_int2(params, game->winner);
    wire_put_int2(params, game->last_seat);
    wire_put_time(params, game->last_at);
    wire_put_time(params, game->updated_at);
    wire_put_text(params, game->reason);
    wire_put_text(params, game->position);
    wire_put_text(params, game->last_move);
    wire_put_int4(params, write->expected_plans);
    wire_put_moment(params, game->deadline_at);
    wire_put_text(params, game->timing);
    wire_put_text(params, game->offers);
    wire_put_int4(params, game->plans);
    put_id(params, game->has_next, &game->next);
}

static void put_seat(struct wire_params *params, const struct db_seat *seat)
{
    wire_put_int2(params, seat->state);
    wire_put_text(params, seat->name);
    wire_put_text(params, seat->engine);
    put_hash(params, seat->has_token, seat->token);
    put_id(params, seat->has_player, &seat->player);
    put_hash(params, seat->has_invitation, seat->invitation);
    wire_put_moment(params, seat->has_invitation ? seat->invited_until : DB_NEVER);
}

static void put_fixed(struct wire_params *params, const struct db_game *game)
{
    wire_put_text(params, game->variant);
    wire_put_int4(params, game->rules_version);
    wire_put_text(params, game->options);
    wire_put_text(params, game->start);
    wire_put_int2(params, game->undo);
    wire_put_int2(params, game->visibility);
    wire_put_int8(params, game->seed);
    wire_put_time(params, game->created_at);
    wire_put_text(params, game->clock);
    wire_put_text(params, game->metadata);
}

static void put_seats(struct wire_params *params, const struct db_game *game)
{
    wire_row(params, SEATS_AT);
    for (int i = 0; i < DB_SEATS; i++)
        put_seat(params, &game->seat[i]);
    wire_put_int2(params, game->hooks);
}

static void put_move(struct wire_params *params, const struct write *write)
{
    const struct db_game *game = write->game;
    const struct db_event *move = write->events;

    wire_row(params, 0);
    wire_put_uuid(params, &game->id);
    wire_put_int4(params, move->version);
    wire_put_int2(params, move->seat);
    wire_put_int4(params, move->line);
    wire_put_int4(params, game->lines);
    wire_put_int4(params, move->ply);
    wire_put_int8(params, move->key);
    wire_put_time(params, move->at);
    wire_put_text(params, move->move);
    wire_put_text(params, move->position);
    wire_put_text(params, move->data);
    answers_put_mark(params, write->answer);
    wire_put_int2(params, game->status);
    wire_put_int2(params, game->to_move);
    wire_put_int2(params, game->winner);
    wire_put_text(params, game->reason);
    wire_put_int4(params, write->expected_plans);
    wire_put_moment(params, game->deadline_at);
    wire_put_text(params, game->timing);
    wire_put_text(params, game->offers);
    wire_put_int4(params, game->plans);
}

void writes_bind_move(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++)
        put_move(params, &batch->members[i]->write);
}

/* The first events up to so many bytes, at least one; but the last event is never among them, since
 * it has the mark of the answer. */
size_t writes_piece(const struct batch *batch)
{
    const struct write *write = &batch->members[0]->write;
    size_t bytes = 0, count = 0;

    for (size_t i = batch->told; i < write->count; i++) {
        bytes += event_bytes(&write->events[i]);
        if (bytes > PIECE_BYTES && count > 0)
            return count;
        count++;
    }
    return 0;
}

void writes_bind_piece(struct wire_params *params, const struct batch *batch)
{
    const struct write *write = &batch->members[0]->write;
    size_t end = batch->told + writes_piece(batch);

    for (size_t i = batch->told; i < end; i++)
        put_event(params, &write->game->id, &write->events[i], NULL);
}

static void put_write(struct wire_params *params, const struct write *write, size_t told)
{
    for (size_t i = told; i < write->count; i++)
        put_event(params, &write->game->id, &write->events[i],
                  i + 1 == write->count ? write->answer : NULL);
    if (write->answer != NULL && write->answer->sealed != NULL)
        answers_put(params, ANSWERS_AT, &write->game->id, write->answer);
    put_state(params, write);
    for (size_t i = 0; i < write->ndues; i++)
        due_put(params, PROMISES_AT, &write->dues[i]);
}

void writes_bind_append(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++)
        put_write(params, &batch->members[i]->write, batch->told);
}

void writes_bind_join(struct wire_params *params, const struct batch *batch)
{
    writes_bind_append(params, batch);
    for (size_t i = 0; i < batch->count; i++)
        put_seats(params, batch->members[i]->write.game);
}

void writes_bind_create(struct wire_params *params, const struct batch *batch)
{
    writes_bind_append(params, batch);
    for (size_t i = 0; i < batch->count; i++) {
        put_seats(params, batch->members[i]->write.game);
        put_fixed(params, batch->members[i]->write.game);
    }
}

/* ---- results ---- */

/* Rows: the id of a game that exists, and whether it was written. */
void writes_decode(struct db *db, const struct pg_result *result, struct batch *batch)
{
    for (int row = 0; row < PQntuples(result); row++) {
        bool written = *PQgetvalue(result, row, 1) != 0;
        size_t i = batch_find(batch, PQgetvalue(result, row, 0));
        batch_end(db, batch, i, written ? DB_OK : DB_CONFLICT, NULL);
    }
}

/* Rows: the ids of the games that were written. Whether the others are there at all, db_append()'s
 * own statement finds out. */
void writes_decode_moves(struct db *db, const struct pg_result *result, struct batch *batch)
{
    batch_decode_ids(db, result, batch);
    for (size_t i = 0; i < batch->count; i++)
        batch_again_as(db, batch, i, KIND_APPEND);
}
