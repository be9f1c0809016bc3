/* games.c - reading the present state of games. */
#include <libpq-fe.h>

#include "internal.h"
#include "operations.h"
#include "rows.h"

void db_get_game(struct db *db, db_id id, db_game_callback *done, void *context)
{
    queue_submit(db, queue_new(db, KIND_GAME, &id, TAKES(game, done), context));
}

void db_get_version(struct db *db, db_id id, db_version_callback *done, void *context)
{
    queue_submit(db, queue_new(db, KIND_VERSION, &id, TAKES(version, done), context));
}

/* Rows: a game. */
void games_decode(struct db *db, const struct pg_result *result, struct batch *batch)
{
    for (int row = 0; row < PQntuples(result); row++) {
        struct db_game game = {.version = 0};

        rows_game(result, row, 0, &game);
        batch_reply_all(db, batch, &game.id, TELLS(game, &game));
    }
}

/* Rows: an id and a version. */
void games_decode_versions(struct db *db, const struct pg_result *result, struct batch *batch)
{
    for (int row = 0; row < PQntuples(result); row++) {
        struct db_version version = {wire_get_int4(PQgetvalue(result, row, 1))};

        batch_reply_all(db, batch, PQgetvalue(result, row, 0), TELLS(version, &version));
    }
}
