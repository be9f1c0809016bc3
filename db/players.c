/* players.c - making players and reading them. */
#include <libpq-fe.h>
#include <string.h>

#include "internal.h"
#include "operations.h"

/* ---- requests ---- */

void db_create_player(struct db *db, const struct db_create_player *create, db_callback done,
                      void *context)
{
    struct db_request *request =
        queue_new_request(db, KIND_CREATE_PLAYER, &create->player->id, done, context);

    request->player = *create;
    if (create->answer != NULL)
        request->bytes += create->answer->sealed_len;
    queue_submit(db, request);
}

void db_get_player(struct db *db, db_id id, db_callback done, void *context)
{
    queue_submit(db, queue_new_request(db, KIND_PLAYER, &id, done, context));
}

/* ---- parameters: where the parts of DB_TYPES_PLAYER begin ---- */

enum { ANSWER_AT = 0, PLAYER_AT = 6 };

void players_bind(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct db_create_player *create = &batch->members[i]->player;
        const struct db_player *player = create->player;

        if (create->answer != NULL)
            answers_put(params, ANSWER_AT, &player->id, create->answer);
        wire_row(params, PLAYER_AT);
        wire_put_uuid(params, &player->id);
        wire_put_text(params, player->name);
        wire_put_bytes(params, player->token, sizeof(player->token));
        wire_put_time(params, player->created_at);
    }
}

/* ---- results ---- */

/* Rows: id, name, token, when it was made. */
void players_decode(struct db *db, const struct pg_result *result, struct batch *batch)
{
    for (int row = 0; row < PQntuples(result); row++) {
        struct db_player player = {.name = PQgetvalue(result, row, 1),
                                   .created_at = wire_get_time(PQgetvalue(result, row, 3))};

        memcpy(&player.id, PQgetvalue(result, row, 0), sizeof(player.id));
        if (PQgetlength(result, row, 2) == sizeof(player.token))
            memcpy(player.token, PQgetvalue(result, row, 2), sizeof(player.token));
        batch_reply_all(db, batch, &player.id,
                        &(struct db_reply){.outcome = DB_OK, .player = &player});
    }
}
