/* writes.c - appending to a game, joining one, making one. */
#include <libpq-fe.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* ---- requests ---- */

static void submit_append(struct db *db, enum kind kind, const struct db_append *append,
                          db_callback done, void *context)
{
    struct request *request = request_new(db, kind, &append->after->id, done, context);

    request->write = (struct write){.game = append->after,
                                    .expected = append->expected,
                                    .events = append->events,
                                    .count = append->count,
                                    .answer = append->answer};
    request_submit(db, request);
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
    struct request *request = request_new(db, KIND_CREATE, &create->game->id, done, context);

    request->write = (struct write){.game = create->game,
                                    .events = create->events,
                                    .count = create->count,
                                    .answer = create->answer};
    request_submit(db, request);
}

/* ---- parameters, in the order of sql.def ---- */

enum { EVENTS_AT = 0, ANSWERS_AT = 11, STATE_AT = 17 };

static void put_event(struct params *params, const db_id *game, const struct db_event *event)
{
    params_row(params, EVENTS_AT);
    put_uuid(params, game);
    put_int4(params, event->version);
    put_int2(params, event->kind);
    put_int2(params, event->seat);
    put_int4(params, event->line);
    put_int4(params, event->ply);
    put_int8(params, event->key);
    put_time(params, event->at);
    put_text(params, event->move);
    put_text(params, event->position);
    put_text(params, event->data);
}

void put_answer(struct params *params, int first, const db_id *id, const struct db_answer *answer)
{
    params_row(params, first);
    put_uuid(params, id);
    put_bytes(params, answer->key, sizeof(answer->key));
    put_bytes(params, answer->fingerprint, sizeof(answer->fingerprint));
    put_int2(params, answer->status);
    put_bytes(params, answer->sealed, answer->sealed_len);
    put_time(params, answer->at);
}

static void put_state(struct params *params, const struct write *write)
{
    const struct db_game *game = write->game;

    params_row(params, STATE_AT);
    put_uuid(params, &game->id);
    put_int4(params, write->expected);
    put_int4(params, game->version);
    put_int4(params, game->ply);
    put_int4(params, game->line);
    put_int4(params, game->lines);
    put_int4(params, game->tip);
    put_int2(params, game->status);
    put_int2(params, game->to_move);
    put_int2(params, game->winner);
    put_int2(params, game->last_seat);
    put_time(params, game->last_at);
    put_time(params, game->updated_at);
    put_text(params, game->reason);
    put_text(params, game->position);
    put_text(params, game->last_move);
}

static void put_seat(struct params *params, const struct db_seat *seat)
{
    put_int2(params, seat->state);
    put_text(params, seat->name);
    put_text(params, seat->engine);
    if (seat->has_token)
        put_bytes(params, seat->token, sizeof(seat->token));
    else
        put_null(params);
    if (seat->has_player)
        put_uuid(params, &seat->player);
    else
        put_null(params);
}

static void put_fixed(struct params *params, const struct db_game *game)
{
    put_text(params, game->variant);
    put_int4(params, game->rules_version);
    put_text(params, game->options);
    put_text(params, game->start);
    put_int2(params, game->undo);
    put_int2(params, game->visibility);
    put_int8(params, game->seed);
    put_time(params, game->created_at);
}

static void put_write(struct params *params, const struct write *write)
{
    for (size_t i = 0; i < write->count; i++)
        put_event(params, &write->game->id, &write->events[i]);
    if (write->answer)
        put_answer(params, ANSWERS_AT, &write->game->id, write->answer);
    put_state(params, write);
}

void bind_append(struct params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++)
        put_write(params, &batch->members[i]->write);
}

void bind_join(struct params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct write *write = &batch->members[i]->write;
        put_write(params, write);
        for (int seat = 0; seat < DB_SEATS; seat++)
            put_seat(params, &write->game->seat[seat]);
    }
}

void bind_create(struct params *params, const struct batch *batch)
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
void decode_append(struct db *db, const struct pg_result *result, struct batch *batch)
{
    for (int row = 0; row < PQntuples(result); row++) {
        bool written = *PQgetvalue(result, row, 1) != 0;
        size_t i = batch_find(batch, PQgetvalue(result, row, 0));
        batch_end(db, batch, i, written ? DB_OK : DB_CONFLICT, NULL);
    }
}

/* Rows: the id of a game or a player that was made. */
void decode_create(struct db *db, const struct pg_result *result, struct batch *batch)
{
    for (int row = 0; row < PQntuples(result); row++)
        batch_end(db, batch, batch_find(batch, PQgetvalue(result, row, 0)), DB_OK, NULL);
}
