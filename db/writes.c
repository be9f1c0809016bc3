/* writes.c - appending to a game, joining one, making one. */
#include <libpq-fe.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* ---- requests ---- */

static void submit_append(struct db *db, enum db_kind kind, const struct db_append *append,
                          db_callback done, void *context)
{
    struct db_request *request = queue_new_request(db, kind, &append->after->id, done, context);

    request->write = (struct write){.game = append->after,
                                    .expected = append->expected,
                                    .events = append->events,
                                    .count = append->count,
                                    .answer = append->answer};
    queue_submit(db, request);
}

void db_append(struct db *db, const struct db_append *append, db_callback done, void *context)
{
    submit_append(db, KIND_APPEND, append, done, context);
}

void db_join(struct db *db, const struct db_append *append, db_callback done, void *context)
{
    submit_append(db, KIND_JOIN, append, done, context);
}

void db_create(struct db *db, const struct db_create *create, db_callback done, void *context)
{
    struct db_request *request =
        queue_new_request(db, KIND_CREATE, &create->game->id, done, context);

    request->write = (struct write){.game = create->game,
                                    .events = create->events,
                                    .count = create->count,
                                    .answer = create->answer};
    queue_submit(db, request);
}

/* ---- parameters, in the order of sql.def ---- */

enum { EVENTS_AT = 0, ANSWERS_AT = 11, STATE_AT = 17 };

static void put_event(struct wire_params *params, const db_id *game, const struct db_event *event)
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
}

void answers_put(struct wire_params *params, int first, const db_id *id,
                 const struct db_answer *answer)
{
    wire_row(params, first);
    wire_put_uuid(params, id);
    wire_put_bytes(params, answer->key, sizeof(answer->key));
    wire_put_bytes(params, answer->fingerprint, sizeof(answer->fingerprint));
    wire_put_int2(params, answer->status);
    wire_put_bytes(params, answer->sealed, answer->sealed_len);
    wire_put_time(params, answer->at);
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
}

static void put_seat(struct wire_params *params, const struct db_seat *seat)
{
    wire_put_int2(params, seat->state);
    wire_put_text(params, seat->name);
    wire_put_text(params, seat->engine);
    if (seat->has_token)
        wire_put_bytes(params, seat->token, sizeof(seat->token));
    else
        wire_put_null(params);
    if (seat->has_player)
        wire_put_uuid(params, &seat->player);
    else
        wire_put_null(params);
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
}

static void put_write(struct wire_params *params, const struct write *write)
{
    for (size_t i = 0; i < write->count; i++)
        put_event(params, &write->game->id, &write->events[i]);
    if (write->answer)
        answers_put(params, ANSWERS_AT, &write->game->id, write->answer);
    put_state(params, write);
}

void writes_bind_append(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++)
        put_write(params, &batch->members[i]->write);
}

void writes_bind_join(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct write *write = &batch->members[i]->write;
        put_write(params, write);
        for (int seat = 0; seat < DB_SEATS; seat++)
            put_seat(params, &write->game->seat[seat]);
    }
}

void writes_bind_create(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct write *write = &batch->members[i]->write;
        put_write(params, write);
        for (int seat = 0; seat < DB_SEATS; seat++)
            put_seat(params, &write->game->seat[seat]);
        put_fixed(params, write->game);
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

/* Rows: the id of a game or a player that was made. */
void batch_decode_ids(struct db *db, const struct pg_result *result, struct batch *batch)
{
    for (int row = 0; row < PQntuples(result); row++)
        batch_end(db, batch, batch_find(batch, PQgetvalue(result, row, 0)), DB_OK, NULL);
}
