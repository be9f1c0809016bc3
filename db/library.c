/* library.c - players' collections of games, and which games reached a position. */
#include <libpq-fe.h>
#include <string.h>

#include "db/library.h"
#include "internal.h"
#include "operations.h"
#include "rows.h"

/* ---- requests ---- */

void db_set_collection(struct db *db, db_id player, const struct db_collection *collection,
                       db_done_callback *done, void *context)
{
    struct db_request *request =
        queue_new(db, KIND_SET_COLLECTION, &player, TAKES(done, done), context);

    request->shelf = (struct shelf){.what = collection};
    queue_submit(db, request);
}

void db_delete_collection(struct db *db, db_id player, db_id collection, db_done_callback *done,
                          void *context)
{
    struct db_request *request =
        queue_new(db, KIND_DELETE_COLLECTION, &player, TAKES(done, done), context);

    request->shelf = (struct shelf){.collection = collection};
    queue_submit(db, request);
}

void db_get_collections(struct db *db, db_id player, db_collections_callback *done, void *context)
{
    struct db_request *request =
        queue_new(db, KIND_COLLECTIONS, &player, TAKES(collections, done), context);

    request->rows = DB_COLLECTIONS_MAX;
    queue_submit(db, request);
}

void db_collect(struct db *db, const struct db_collected *collected, db_done_callback *done,
                void *context)
{
    struct db_request *request =
        queue_new(db, KIND_COLLECT, &collected->player, TAKES(done, done), context);

    request->collected = *collected;
    request->rows = collected->count;
    queue_submit(db, request);
}

void db_uncollect(struct db *db, db_id player, db_id collection, db_id game, db_done_callback *done,
                  void *context)
{
    struct db_request *request = queue_new(db, KIND_UNCOLLECT, &player, TAKES(done, done), context);

    request->shelf = (struct shelf){.collection = collection, .game = game};
    queue_submit(db, request);
}

void db_search(struct db *db, const struct db_search *search, db_games_callback *done,
               void *context)
{
    struct db_request *request =
        queue_new(db, KIND_SEARCH, &search->player, TAKES(games, done), context);

    request->search = search;
    request->share = 1;
    queue_submit(db, request);
}

void db_get_collectors(struct db *db, db_id game, db_collectors_callback *done, void *context)
{
    struct db_request *request =
        queue_new(db, KIND_COLLECTORS, &game, TAKES(collectors, done), context);

    request->rows = DB_COLLECTORS_MAX;
    queue_submit(db, request);
}

void db_note_reached(struct db *db, db_id scope, const struct db_reached *reached, size_t count,
                     db_done_callback *done, void *context)
{
    struct db_request *request =
        queue_new(db, KIND_NOTE_REACHED, &scope, TAKES(done, done), context);

    request->shelf = (struct shelf){.reached = reached, .count = count};
    request->rows = count;
    queue_submit(db, request);
}

void db_renew_positions(struct db *db, db_renewed_callback *done, void *context)
{
    struct db_request *request =
        queue_new(db, KIND_RENEW_POSITIONS, &(db_id){{0}}, TAKES(renewed, done), context);

    request->before = db_now(db);
    request->share = 1;
    queue_submit(db, request);
}

void db_count_reached(struct db *db, db_id scope, int64_t key, bool of_player,
                      db_reached_moves_callback *done, void *context)
{
    struct db_request *request =
        queue_new(db, KIND_COUNT_REACHED, &scope, TAKES(reached_moves, done), context);

    request->shelf = (struct shelf){.key = key, .of_player = of_player};
    request->share = 1;
    queue_submit(db, request);
}

void db_get_reached(struct db *db, db_id scope, int64_t key, bool of_player, int32_t limit,
                    db_reached_games_callback *done, void *context)
{
    struct db_request *request =
        queue_new(db, KIND_REACHED, &scope, TAKES(reached_games, done), context);

    request->shelf = (struct shelf){.key = key, .of_player = of_player, .limit = limit};
    request->rows = (size_t)limit;
    queue_submit(db, request);
}

/* ---- parameters ---- */

void library_bind_set(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct db_collection *collection = batch->members[i]->shelf.what;

        wire_row(params, 0);
        wire_put_uuid(params, &batch->ids[i]);
        wire_put_uuid(params, &collection->id);
        wire_put_text(params, collection->name);
        wire_put_time(params, collection->created_at);
    }
}

static const struct shelf *put_shelf(struct wire_params *params, const struct batch *batch,
                                     size_t i)
{
    wire_row(params, 0);
    wire_put_uuid(params, &batch->ids[i]);
    wire_put_uuid(params, &batch->members[i]->shelf.collection);
    return &batch->members[i]->shelf;
}

void library_bind_delete(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++)
        put_shelf(params, batch, i);
}

void library_bind_uncollect(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++)
        wire_put_uuid(params, &put_shelf(params, batch, i)->game);
}

enum { GAMES_AT = 3, NOTED_AT = 1 };

void library_bind_collect(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct db_collected *collected = &batch->members[i]->collected;

        wire_row(params, 0);
        wire_put_uuid(params, &collected->player);
        wire_put_uuid(params, &collected->collection);
        wire_put_time(params, collected->at);
        for (size_t game = 0; game < collected->count; game++) {
            wire_row(params, GAMES_AT);
            wire_put_uuid(params, &collected->player);
            wire_put_uuid(params, &collected->collection);
            wire_put_uuid(params, &collected->games[game]);
        }
    }
}

/* A batch of one. */
/* Where the names of variants stand, as many as there are. */
enum { VARIANTS_AT = 3 };

void library_bind_search(struct wire_params *params, const struct batch *batch)
{
    const struct db_search *search = batch->members[0]->search;

    wire_row(params, 0);
    wire_put_uuid(params, &search->player);
    wire_put_uuid(params, &search->collection);
    wire_put_text(params, search->name);
    for (size_t i = 0; i < search->nvariants; i++) {
        wire_row(params, VARIANTS_AT);
        wire_put_text(params, search->variants[i]);
    }
    wire_row(params, VARIANTS_AT + 1);
    if (search->winner < 0)
        wire_put_null(params);
    else
        wire_put_int2(params, search->winner);
    wire_put_moment(params, search->from);
    wire_put_moment(params, search->to);
    if (search->key == 0)
        wire_put_null(params);
    else
        wire_put_int8(params, search->key);
    wire_put_moment(params, search->after == NULL ? DB_NEVER : search->after->at);
    wire_put_uuid(params, search->after == NULL ? &search->player : &search->after->id);
    wire_put_int4(params, search->limit + 1);
    wire_put_int2(params, search->apart);
}

void library_bind_note(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct shelf *shelf = &batch->members[i]->shelf;

        wire_row(params, 0);
        wire_put_uuid(params, &batch->ids[i]);
        for (size_t at = 0; at < shelf->count; at++) {
            const struct db_reached *reached = &shelf->reached[at];

            wire_row(params, NOTED_AT);
            wire_put_uuid(params, &batch->ids[i]);
            wire_put_int8(params, reached->key);
            wire_put_uuid(params, &reached->game);
            wire_put_int4(params, reached->ply);
            wire_put_text(params, reached->next);
            wire_put_int2(params, reached->winner);
            wire_put_time(params, reached->at);
        }
    }
}

void library_bind_renew(struct wire_params *params, const struct batch *batch)
{
    wire_row(params, 0);
    wire_put_time(params, batch->members[0]->before);
}

static const struct shelf *put_position(struct wire_params *params, const struct batch *batch,
                                        size_t i)
{
    const struct shelf *shelf = &batch->members[i]->shelf;

    wire_row(params, 0);
    wire_put_uuid(params, &batch->ids[i]);
    wire_put_int8(params, shelf->key);
    wire_put_int2(params, shelf->of_player);
    return shelf;
}

void library_bind_position(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++)
        put_position(params, batch, i);
}

void library_bind_reached(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++)
        wire_put_int4(params, put_position(params, batch, i)->limit);
}

/* ---- results ---- */

static void read_collection(const struct pg_result *result, int row,
                            struct db_collection *collection)
{
    memcpy(&collection->id, PQgetvalue(result, row, 1), sizeof(collection->id));
    collection->name = PQgetvalue(result, row, 2);
    collection->created_at = wire_get_time(PQgetvalue(result, row, 3));
    collection->games = wire_get_int4(PQgetvalue(result, row, 4));
}

/* Rows: the member's number, and a collection. */
void library_decode(struct db *db, const struct pg_result *result, struct batch *batch)
{
    batch_reply_list_of_collections(db, result, batch, read_collection);
}

/* Where the next page begins: behind the last game of this one, if others follow; else behind the
 * last that was looked at, if there may be others. False: this is the last page. */
static bool next_page(const struct pg_result *result, bool others, size_t count,
                      struct db_cursor *next)
{
    int row = others ? (int)count - 1 : 0;
    int at = PQnfields(result) - (others ? 3 : 2);
    int id = others ? 1 : PQnfields(result) - 1;

    if (PQgetisnull(result, row, at))
        return false;
    *next =
        (struct db_cursor){.rank = DB_RANK_OTHER, .at = wire_get_time(PQgetvalue(result, row, at))};
    memcpy(&next->id, PQgetvalue(result, row, id), sizeof(next->id));
    return true;
}

/* Rows of the one member: its number, a game, when it was added, and the last that was looked at. A
 * null game: none fits. */
void library_decode_search(struct db *db, const struct pg_result *result, struct batch *batch)
{
    bool none = PQntuples(result) == 1 && PQgetisnull(result, 0, 1);
    size_t found = none ? 0 : (size_t)PQntuples(result);
    size_t limit = (size_t)batch_member(batch, 0)->search->limit;
    size_t count = found < limit ? found : limit;
    struct db_game *games = batch_scratch(db, batch, 0, count * sizeof(*games));
    struct db_games page = {.items = games, .count = count};
    struct db_cursor next;

    if (games == NULL || PQntuples(result) == 0)
        return;
    for (size_t i = 0; i < count; i++)
        rows_game(result, (int)i, 1, &games[i]);
    if (next_page(result, found > count, count, &next))
        page.next = &next;
    batch_reply(db, batch, 0, TELLS(games, &page));
}

static void read_library_player(const struct pg_result *result, int row, db_id *player)
{
    memcpy(player, PQgetvalue(result, row, 1), sizeof(*player));
}

/* Rows: the member's number, and a player. */
void library_decode_collectors(struct db *db, const struct pg_result *result, struct batch *batch)
{
    batch_reply_list_of_collectors(db, result, batch, read_library_player);
}

/* One row: how many games there were. */
void library_decode_renew(struct db *db, const struct pg_result *result, struct batch *batch)
{
    struct db_renewed renewed = {(size_t)wire_get_int4(PQgetvalue(result, 0, 0))};

    batch_reply(db, batch, 0, TELLS(renewed, &renewed));
}

static void read_counts(const struct pg_result *result, int row, struct db_reached_by *reached)
{
    *reached = (struct db_reached_by){
        PQgetvalue(result, row, 1),
        {wire_get_int8(PQgetvalue(result, row, 2)), wire_get_int8(PQgetvalue(result, row, 3))},
        wire_get_int8(PQgetvalue(result, row, 4))};
}

/* Rows: the member's number, and a move with its counts. */
void library_decode_counts(struct db *db, const struct pg_result *result, struct batch *batch)
{
    batch_reply_list_of_reached_moves(db, result, batch, read_counts);
}

static void read_reached(const struct pg_result *result, int row, struct db_reached *reached)
{
    *reached = (struct db_reached){.key = wire_get_int8(PQgetvalue(result, row, 1)),
                                   .ply = wire_get_int4(PQgetvalue(result, row, 3)),
                                   .next = PQgetvalue(result, row, 4),
                                   .winner = wire_get_int2(PQgetvalue(result, row, 5)),
                                   .at = wire_get_time(PQgetvalue(result, row, 6))};
    memcpy(&reached->game, PQgetvalue(result, row, 2), sizeof(reached->game));
}

/* Rows: the member's number, and a game that reached the position. */
void library_decode_reached(struct db *db, const struct pg_result *result, struct batch *batch)
{
    batch_reply_list_of_reached_games(db, result, batch, read_reached);
}
