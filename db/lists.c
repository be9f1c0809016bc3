/* lists.c - pages of lists of games. */
#include <libpq-fe.h>
#include <string.h>

#include "internal.h"

/* ---- requests ---- */

void db_list_games(struct db *db, const struct db_list *list, db_callback done, void *context)
{
    static const db_id nobodys = {{0}};
    struct request *request = request_new(db, KIND_PUBLIC_GAMES, &nobodys, done, context);

    request->list = list;
    request_submit(db, request);
}

void db_player_games(struct db *db, const struct db_player_list *list, db_callback done,
                     void *context)
{
    struct request *request = request_new(db, KIND_PLAYER_GAMES, &list->player, done, context);

    request->player_list = list;
    request->share = 1;
    request_submit(db, request);
}

/* ---- parameters: one game more than is asked for tells whether the list goes on ---- */

/* Before every rank, and at an hour that no clock will show. */
static const struct db_cursor beginning = {DB_RANK_TURN - 1, INT64_MAX, {{0}}};

/* A row for each variant and status, in one index each. */
static void put_stretches(struct params *params, int32_t member, const struct db_list *list)
{
    const struct db_cursor *after = list->after ? list->after : &beginning;

    for (size_t i = 0; i < list->nvariants * list->nstatuses; i++) {
        params_row(params, 0);
        put_int4(params, member);
        put_int4(params, list->limit + 1);
        put_time(params, after->at);
        put_uuid(params, &after->id);
        put_text(params, list->variants[i / list->nstatuses]);
        put_int2(params, list->statuses[i % list->nstatuses]);
    }
}

void bind_public_games(struct params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++)
        put_stretches(params, (int32_t)i + 1, batch->members[i]->list);
}

enum { VARIANTS_AT = 8, STATUSES_AT };

void bind_player_games(struct params *params, const struct batch *batch)
{
    const struct db_player_list *wanted = batch->members[0]->player_list;
    const struct db_list *list = &wanted->list;
    const struct db_cursor *after = list->after ? list->after : &beginning;

    params_row(params, 0);
    put_uuid(params, &wanted->player);
    put_int2(params, wanted->by_turn);
    put_int2(params, wanted->public_only);
    put_int2(params, wanted->turn_only);
    put_int4(params, after->rank);
    put_time(params, after->at);
    put_uuid(params, &after->id);
    put_int4(params, list->limit + 1);
    for (size_t i = 0; i < list->nvariants; i++) {
        params_row(params, VARIANTS_AT);
        put_text(params, list->variants[i]);
    }
    for (size_t i = 0; i < list->nstatuses; i++) {
        params_row(params, STATUSES_AT);
        put_int2(params, list->statuses[i]);
    }
}

/* ---- results ---- */

static size_t limit_of(const struct request *request)
{
    return (size_t)(request->kind == KIND_PUBLIC_GAMES ? request->list->limit
                                                       : request->player_list->list.limit);
}

static void reply_page(struct db *db, struct batch *batch, const struct pg_result *result, int row,
                       int end)
{
    size_t member = member_of(result, row), limit = limit_of(batch->members[member]);
    size_t count = (size_t)(end - row) < limit ? (size_t)(end - row) : limit;
    struct db_reply reply = {.outcome = DB_OK, .count = count};
    struct db_game *games = scratch(db, count * sizeof(*games));
    struct db_cursor next;

    if (!games) {
        batch_end(db, batch, member, DB_UNAVAILABLE, &(struct db_error){"", "memory is out"});
        return;
    }
    for (size_t i = 0; i < count; i++)
        read_game(result, row + (int)i, 1, &games[i]);
    reply.games = games;
    if ((size_t)(end - row) > count) {
        int rank = get_int4(PQgetvalue(result, row + (int)count - 1, PQnfields(result) - 1));
        next = (struct db_cursor){(int16_t)rank, games[count - 1].updated_at, games[count - 1].id};
        reply.next = &next;
    }
    batch_reply(db, batch, member, &reply);
}

/* Rows: the member, a game, its rank. */
void decode_list(struct db *db, const struct pg_result *result, struct batch *batch)
{
    for (int row = 0, end; row < PQntuples(result); row = end) {
        end = rows_end(result, row);
        if (batch->members[member_of(result, row)])
            reply_page(db, batch, result, row, end);
    }
}
