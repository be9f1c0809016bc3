/* lists.c - pages of lists of games. */
#include <libpq-fe.h>

#include "internal.h"
#include "operations.h"
#include "rows.h"

/* ---- requests ---- */

/* Each variant and status of a public list is one stretch of the index, and so it is with the
 * variants that it does not name, taken together. */
static size_t stretches(const struct db_list *list)
{
    return (list->nvariants + list->also_others) * list->nstatuses;
}

/* The lists of a batch are about no game or player, so all have the same id. */
void db_list_games(struct db *db, const struct db_list *list, db_games_callback *done,
                   void *context)
{
    static const db_id nobodys = {{0}};
    struct db_request *request =
        queue_new(db, KIND_PUBLIC_GAMES, &nobodys, TAKES(games, done), context);

    request->list = list;
    request->rows = stretches(list) * (size_t)list->limit;
    queue_submit(db, request);
}

void db_player_games(struct db *db, const struct db_player_list *list, db_games_callback *done,
                     void *context)
{
    struct db_request *request =
        queue_new(db, KIND_PLAYER_GAMES, &list->player, TAKES(games, done), context);

    request->player_list = list;
    request->share = 1;
    queue_submit(db, request);
}

/* ---- parameters: one game more than is asked for tells whether the list goes on ---- */

/* Before every rank, and later than any clock will show. */
static const struct db_cursor beginning = {DB_RANK_DEADLINE - 1, INT64_MAX, {{0}}};

/* A row for each stretch. Without a variant it stands for those that are not named. */
static void put_stretches(struct wire_params *params, int32_t member, const struct db_list *list)
{
    const struct db_cursor *after = list->after != NULL ? list->after : &beginning;

    for (size_t i = 0; i < stretches(list); i++) {
        size_t variant = i / list->nstatuses;

        wire_row(params, 0);
        wire_put_int4(params, member);
        wire_put_int4(params, list->limit + 1);
        wire_put_time(params, after->at);
        wire_put_uuid(params, &after->id);
        wire_put_text(params, variant < list->nvariants ? list->variants[variant] : NULL);
        wire_put_int2(params, list->statuses[i % list->nstatuses]);
    }
}

void lists_bind_public(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++)
        put_stretches(params, (int32_t)i + 1, batch->members[i]->list);
}

enum { VARIANTS_AT = 8, STATUSES_AT, PIECE_AT, CHALLENGES_AT, ENDED_AT };

/* A batch of one: variants and statuses are arrays of their own, and belong to its one request. */
void lists_bind_player(struct wire_params *params, const struct batch *batch)
{
    const struct db_player_list *wanted = batch->members[0]->player_list;
    const struct db_list *list = &wanted->list;
    const struct db_cursor *after = list->after != NULL ? list->after : &beginning;

    wire_row(params, 0);
    wire_put_uuid(params, &wanted->player);
    wire_put_int2(params, wanted->by_turn);
    wire_put_int2(params, wanted->public_only);
    wire_put_int2(params, wanted->turn_only);
    wire_put_int4(params, after->rank);
    wire_put_time(params, after->at);
    wire_put_uuid(params, &after->id);
    wire_put_int4(params, list->limit + 1);
    for (size_t i = 0; i < list->nvariants; i++) {
        wire_row(params, VARIANTS_AT);
        wire_put_text(params, list->variants[i]);
    }
    for (size_t i = 0; i < list->nstatuses; i++) {
        wire_row(params, STATUSES_AT);
        wire_put_int2(params, list->statuses[i]);
    }
    wire_row(params, PIECE_AT);
    wire_put_text(params, wanted->metadata);
    wire_row(params, CHALLENGES_AT);
    wire_put_int2(params, wanted->challenges_only);
    wire_row(params, ENDED_AT);
    wire_put_moment(params, wanted->ended_after == 0 ? DB_NEVER : wanted->ended_after);
}

/* ---- results ---- */

static bool is_players(enum db_kind kind)
{
    return kind == KIND_PLAYER_GAMES || kind == KIND_PLAYER_GAMES_THERE;
}

static size_t limit_of(const struct db_request *request)
{
    return (size_t)(is_players(request->kind) ? request->player_list->list.limit
                                              : request->list->limit);
}

/* What stands between a game of a player's list and its rank: how far the seats have read, and when
 * it ended. */
static void read_listed(const struct pg_result *result, int row, struct db_game *game)
{
    int column = PQnfields(result) - 4;

    for (int i = 0; i < DB_SEATS; i++)
        game->read[i] = PQgetisnull(result, row, column + i)
                            ? 0
                            : wire_get_int4(PQgetvalue(result, row, column + i));
    game->ended_at = rows_moment(result, row, column + 2);
    if (game->ended_at == DB_NEVER && game->status > DB_STATUS_ACTIVE) /* by an older program */
        game->ended_at = game->updated_at;
}

/* Where a list goes on behind a game. */
static struct db_cursor point_of(const struct db_game *game, int16_t rank)
{
    int64_t at = rank == DB_RANK_DEADLINE ? game->deadline_at : game->updated_at;

    return (struct db_cursor){rank, at, game->id};
}

static void reply_page(struct db *db, struct batch *batch, const struct pg_result *result,
                       const struct rows *rows)
{
    size_t found = (size_t)(rows->end - rows->first);
    size_t limit = limit_of(batch_member(batch, rows->member));
    size_t count = found < limit ? found : limit;
    struct db_game *games = batch_scratch(db, batch, rows->member, count * sizeof(*games));
    struct db_games page = {.items = games, .count = count};
    struct db_cursor next;

    if (games == NULL)
        return;
    for (size_t i = 0; i < count; i++) {
        rows_game(result, rows->first + (int)i, 1, &games[i]);
        if (is_players(batch->kind))
            read_listed(result, rows->first + (int)i, &games[i]);
    }
    if (found > count) {
        int last = rows->first + (int)count - 1;
        int rank = wire_get_int4(PQgetvalue(result, last, PQnfields(result) - 1));
        next = point_of(&games[count - 1], (int16_t)rank);
        page.next = &next;
    }
    batch_reply(db, batch, rows->member, TELLS(games, &page));
}

/* Rows: the member's number, a game, its rank. */
void lists_decode(struct db *db, const struct pg_result *result, struct batch *batch)
{
    for (struct rows rows = {.end = 0}; rows_next(result, &rows);)
        if (batch_member(batch, rows.member) != NULL)
            reply_page(db, batch, result, &rows);
}
