/* games.c - reading the present state of games. */
#include <libpq-fe.h>

#include "internal.h"
#include "operations.h"
#include "rows.h"

void db_get_game(struct db *db, db_id id, db_callback done, void *context)
{
    queue_submit(db, queue_new_request(db, KIND_GAME, &id, done, context));
}

void db_get_version(struct db *db, db_id id, db_callback done, void *context)
{
    queue_submit(db, queue_new_request(db, KIND_VERSION, &id, done, context));
}

/* Rows: a game. */
void games_decode(struct db *db, const struct pg_result *result, struct batch *batch)
{
    for (int row = 0; row < PQntuples(result); row++) {
        struct db_game game = {.version = 0};

        rows_game(result, row, 0, &game);
        batch_reply_all(
            db, batch, &game.id,
            &(struct db_reply){.outcome = DB_OK, .game = &game, .version = game.version});
    }
}

/* Rows: an id and a version. */
void games_decode_versions(struct db *db, const struct pg_result *result, struct batch *batch)
{
    for (int row = 0; row < PQntuples(result); row++) {
        int32_t version = wire_get_int4(PQgetvalue(result, row, 1));
        batch_reply_all(db, batch, PQgetvalue(result, row, 0),
                        &(struct db_reply){.outcome = DB_OK, .version = version});
    }
}
