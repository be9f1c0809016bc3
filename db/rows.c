/* rows.c - reading the rows of results, and of a batch those of each member. */
#include "rows.h"

#include <libpq-fe.h>
#include <string.h>

#include "wire.h"

/* The values of a row, one after the other: in the order of the statement, so no column has a
 * number that would have to be kept in step with it. */
struct cursor {
    const struct pg_result *result;
    int row, column;
};

static const char *next_value(struct cursor *at)
{
    return PQgetvalue(at->result, at->row, at->column++);
}

static const char *next_text(struct cursor *at)
{
    bool null = PQgetisnull(at->result, at->row, at->column);
    const char *value = next_value(at);
    return null ? NULL : value;
}

/* False if the value is null. */
static bool next_bytes(struct cursor *at, void *bytes, size_t length)
{
    bool fits = (size_t)PQgetlength(at->result, at->row, at->column) == length;
    const char *value = next_value(at);
    if (fits)
        memcpy(bytes, value, length);
    return fits;
}

int64_t rows_moment(const struct pg_result *result, int row, int column)
{
    if (PQgetisnull(result, row, column))
        return DB_NEVER;
    return wire_get_time(PQgetvalue(result, row, column));
}

static int64_t next_moment(struct cursor *at)
{
    return rows_moment(at->result, at->row, at->column++);
}

static void read_seat(struct cursor *at, struct db_seat *seat)
{
    seat->state = wire_get_int2(next_value(at));
    seat->name = next_text(at);
    seat->engine = next_text(at);
    seat->has_token = next_bytes(at, seat->token, sizeof(seat->token));
    seat->has_player = next_bytes(at, &seat->player, sizeof(seat->player));
    seat->has_invitation = next_bytes(at, seat->invitation, sizeof(seat->invitation));
    seat->invited_until = next_moment(at);
}

void rows_game(const struct pg_result *result, int row, int column, struct db_game *game)
{
    struct cursor *at = &(struct cursor){result, row, column};

    next_bytes(at, &game->id, sizeof(game->id));
    game->version = wire_get_int4(next_value(at));
    game->ply = wire_get_int4(next_value(at));
    game->line = wire_get_int4(next_value(at));
    game->lines = wire_get_int4(next_value(at));
    game->tip = wire_get_int4(next_value(at));
    game->status = wire_get_int2(next_value(at));
    game->to_move = wire_get_int2(next_value(at));
    game->winner = wire_get_int2(next_value(at));
    game->last_seat = wire_get_int2(next_value(at));
    game->last_at = wire_get_time(next_value(at));
    game->updated_at = wire_get_time(next_value(at));
    game->reason = next_text(at);
    game->position = next_text(at);
    game->last_move = next_text(at);
    game->deadline_at = next_moment(at);
    game->timing = next_text(at);
    game->offers = next_text(at);
    game->plans = wire_get_int4(next_value(at));
    game->has_next = next_bytes(at, &game->next, sizeof(game->next));
    for (int i = 0; i < DB_SEATS; i++)
        read_seat(at, &game->seat[i]);
    game->hooks = wire_get_int2(next_value(at));
    game->variant = next_text(at);
    game->rules_version = wire_get_int4(next_value(at));
    game->options = next_text(at);
    game->start = next_text(at);
    game->undo = wire_get_int2(next_value(at));
    game->visibility = wire_get_int2(next_value(at));
    game->seed = wire_get_int8(next_value(at));
    game->created_at = wire_get_time(next_value(at));
    game->clock = next_text(at);
    game->metadata = next_text(at);
}

void rows_event(const struct pg_result *result, int row, struct db_event *event)
{
    struct cursor *at = &(struct cursor){result, row, 1};

    event->version = wire_get_int4(next_value(at));
    event->kind = wire_get_int2(next_value(at));
    event->seat = wire_get_int2(next_value(at));
    event->line = wire_get_int4(next_value(at));
    event->ply = wire_get_int4(next_value(at));
    event->key = wire_get_int8(next_value(at));
    event->at = wire_get_time(next_value(at));
    event->move = next_text(at);
    event->position = next_text(at);
    event->data = next_text(at);
}

static size_t member_of(const struct pg_result *result, int row)
{
    return (size_t)wire_get_int4(PQgetvalue(result, row, 0)) - 1;
}

bool rows_next(const struct pg_result *result, struct rows *rows)
{
    rows->first = rows->end;
    if (rows->first == PQntuples(result))
        return false;
    rows->member = member_of(result, rows->first);
    do
        rows->end++;
    while (rows->end < PQntuples(result) && member_of(result, rows->end) == rows->member);
    return true;
}

size_t rows_filled(const struct pg_result *result, const struct rows *rows)
{
    return PQgetisnull(result, rows->first, 1) ? 0 : (size_t)(rows->end - rows->first);
}
