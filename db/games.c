/* games.c - reading the present state of games. */
#include <libpq-fe.h>
#include <string.h>

#include "internal.h"

void db_get_game(struct db *db, db_id id, db_callback done, void *context)
{
    queue_submit(db, queue_new_request(db, KIND_GAME, &id, done, context));
}

void db_get_version(struct db *db, db_id id, db_callback done, void *context)
{
    queue_submit(db, queue_new_request(db, KIND_VERSION, &id, done, context));
}

/* Of several members of one game only the first sends its id. */
void batch_bind_ids(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        if (i > 0 && memcmp(&batch->ids[i], &batch->ids[i - 1], sizeof(db_id)) == 0)
            continue;
        wire_row(params, 0);
        wire_put_uuid(params, &batch->ids[i]);
    }
}

/* The values of a row, one after the other. */
struct row {
    const struct pg_result *result;
    int number, column;
};

static const char *next_value(struct row *row)
{
    return PQgetvalue(row->result, row->number, row->column++);
}

static const char *next_text(struct row *row)
{
    bool null = PQgetisnull(row->result, row->number, row->column);
    const char *value = next_value(row);
    return null ? NULL : value;
}

static bool next_bytes(struct row *row, void *bytes, size_t length)
{
    bool fits = (size_t)PQgetlength(row->result, row->number, row->column) == length;
    const char *value = next_value(row);
    if (fits)
        memcpy(bytes, value, length);
    return fits;
}

static void read_seat(struct row *row, struct db_seat *seat)
{
    seat->state = wire_get_int2(next_value(row));
    seat->name = next_text(row);
    seat->engine = next_text(row);
    seat->has_token = next_bytes(row, seat->token, sizeof(seat->token));
    seat->has_player = next_bytes(row, &seat->player, sizeof(seat->player));
}

void rows_game(const struct pg_result *result, int number, int column, struct db_game *game)
{
    struct row *row = &(struct row){result, number, column};

    next_bytes(row, &game->id, sizeof(game->id));
    game->version = wire_get_int4(next_value(row));
    game->ply = wire_get_int4(next_value(row));
    game->line = wire_get_int4(next_value(row));
    game->lines = wire_get_int4(next_value(row));
    game->tip = wire_get_int4(next_value(row));
    game->status = wire_get_int2(next_value(row));
    game->to_move = wire_get_int2(next_value(row));
    game->winner = wire_get_int2(next_value(row));
    game->last_seat = wire_get_int2(next_value(row));
    game->last_at = wire_get_time(next_value(row));
    game->updated_at = wire_get_time(next_value(row));
    game->reason = next_text(row);
    game->position = next_text(row);
    game->last_move = next_text(row);
    for (int i = 0; i < DB_SEATS; i++)
        read_seat(row, &game->seat[i]);
    game->variant = next_text(row);
    game->rules_version = wire_get_int4(next_value(row));
    game->options = next_text(row);
    game->start = next_text(row);
    game->undo = wire_get_int2(next_value(row));
    game->visibility = wire_get_int2(next_value(row));
    game->seed = wire_get_int8(next_value(row));
    game->created_at = wire_get_time(next_value(row));
}

void batch_reply_all(struct db *db, struct batch *batch, const void *id,
                     const struct db_reply *reply)
{
    for (size_t i = batch_find(batch, id);
         i < batch->count && memcmp(&batch->ids[i], id, sizeof(db_id)) == 0; i++) {
        struct db_reply copy = *reply;
        batch_reply(db, batch, i, &copy);
    }
}

void games_decode(struct db *db, const struct pg_result *result, struct batch *batch)
{
    for (int number = 0; number < PQntuples(result); number++) {
        struct db_game game = {.version = 0};
        rows_game(result, number, 0, &game);
        batch_reply_all(
            db, batch, &game.id,
            &(struct db_reply){.outcome = DB_OK, .game = &game, .version = game.version});
    }
}

void games_decode_versions(struct db *db, const struct pg_result *result, struct batch *batch)
{
    for (int row = 0; row < PQntuples(result); row++)
        batch_reply_all(db, batch, PQgetvalue(result, row, 0),
                        &(struct db_reply){.outcome = DB_OK,
                                           .version = wire_get_int4(PQgetvalue(result, row, 1))});
}
