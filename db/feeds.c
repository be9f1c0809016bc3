/* feeds.c - the events of all games of a player, and what must be known to read them. */
#include <libpq-fe.h>
#include <string.h>

#include "internal.h"
#include "operations.h"
#include "rows.h"

/* ---- requests ---- */

void db_get_player_events(struct db *db, db_id player, const struct db_feed_point *after,
                          int32_t limit, db_feed_callback *done, void *context)
{
    struct db_request *request =
        queue_new(db, KIND_PLAYER_EVENTS, &player, TAKES(feed, done), context);

    request->feed = (struct feed){*after, limit};
    request->rows = (size_t)limit;
    queue_submit(db, request);
}

void db_get_player_state(struct db *db, db_id player, db_player_state_callback *done, void *context)
{
    queue_submit(db, queue_new(db, KIND_PLAYER_STATE, &player, TAKES(player_state, done), context));
}

void db_get_horizon(struct db *db, db_horizon_callback *done, void *context)
{
    queue_submit(db, queue_new(db, KIND_HORIZON, &(db_id){{0}}, TAKES(horizon, done), context));
}

/* ---- parameters ---- */

void feeds_bind(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct feed *feed = &batch->members[i]->feed;

        wire_row(params, 0);
        wire_put_uuid(params, &batch->ids[i]);
        wire_put_time(params, feed->after.since);
        wire_put_uuid(params, &feed->after.game);
        wire_put_int4(params, feed->after.version);
        wire_put_int4(params, feed->limit);
    }
}

void feeds_bind_horizon(struct wire_params *params, const struct batch *batch)
{
    (void)batch;
    wire_row(params, 0);
    wire_put_int4(params, 1);
}

/* ---- results ---- */

static bool may_go_on(const struct db_request *request, const struct db_feed *events, size_t count)
{
    size_t games = 1;

    for (size_t i = 1; i < count; i++)
        games += memcmp(&events[i].game, &events[i - 1].game, sizeof(db_id)) != 0;
    return games >= DB_FEED_GAMES || (request != NULL && count == (size_t)request->feed.limit);
}

/* Rows: the member's number, an event, its game, when it was written. */
void feeds_decode(struct db *db, const struct pg_result *result, struct batch *batch)
{
    int game = PQnfields(result) - 2, written = game + 1;

    for (struct rows rows = {.end = 0}; rows_next(result, &rows);) {
        size_t count = (size_t)(rows.end - rows.first);
        struct db_feed *events = batch_scratch(db, batch, rows.member, count * sizeof(*events));
        struct db_feed_page page;

        if (events == NULL)
            continue;
        for (size_t i = 0; i < count; i++) {
            int row = rows.first + (int)i;

            rows_event(result, row, &events[i].event);
            memcpy(&events[i].game, PQgetvalue(result, row, game), sizeof(events[i].game));
            events[i].written_at =
                PQgetisnull(result, row, written) ? 0 : rows_moment(result, row, written);
        }
        page = (struct db_feed_page){events, count,
                                     may_go_on(batch_member(batch, rows.member), events, count),
                                     batch->kind == KIND_PLAYER_EVENTS_THERE};
        batch_reply(db, batch, rows.member, TELLS(feed, &page));
    }
}

/* No rows are no news of those that are there. */
void feeds_decode_there(struct db *db, const struct pg_result *result, struct batch *batch)
{
    feeds_decode(db, result, batch);
    batch_reply(db, batch, 0, TELLS(feed, &(struct db_feed_page){.partial = true}));
}

/* Rows: the player's id, how many games, the sum of their versions, in how many it is their turn,
 * and the sum of how far they have read. */
void feeds_decode_states(struct db *db, const struct pg_result *result, struct batch *batch)
{
    for (int row = 0; row < PQntuples(result); row++) {
        struct db_player_state state = {.games = (size_t)wire_get_int4(PQgetvalue(result, row, 1)),
                                        .versions = wire_get_int8(PQgetvalue(result, row, 2)),
                                        .waiting =
                                            (size_t)wire_get_int4(PQgetvalue(result, row, 3)),
                                        .read = wire_get_int8(PQgetvalue(result, row, 4))};

        batch_reply_all(db, batch, PQgetvalue(result, row, 0), TELLS(player_state, &state));
    }
}

/* One row: a time. */
void feeds_decode_horizon(struct db *db, const struct pg_result *result, struct batch *batch)
{
    struct db_horizon horizon = {wire_get_time(PQgetvalue(result, 0, 0))};

    for (size_t i = 0; i < batch->count; i++)
        batch_reply(db, batch, i, TELLS(horizon, &horizon));
}
