#include "api/endpoints/games/origin.h"

#include <string.h>

#include "api/game/ids.h"
#include "api/game/words.h"
#include "api/http/request.h"
#include "api/loop/loop.h"
#include "api/text/json_fields.h"
#include "api/text/json_read.h"

enum { FIRST_EVENTS = 2 }; /* that it was made, and that somebody was challenged to it */

struct wanted {
    struct op *op;
    struct origin *origin;
};

static bool read_origin(struct arena *arena, const char *data, db_id *game)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_value *object = data == NULL ? NULL : json_read(arena, data, strlen(data), &error);
    struct json_fields fields;
    const char *text;
    bool is_rematch;

    if (object == NULL)
        return false;
    json_fields(&fields, arena, object, &error);
    is_rematch = json_take_string(&fields, "rematch_of", IDS_TEXT, &text) && ids_read(text, game);
    json_free(object);
    return is_rematch;
}

static void know_first_events(void *context, const struct db_events *events)
{
    const struct wanted *wanted = context;
    struct origin *origin = wanted->origin;

    origin->is_known = true;
    for (size_t i = 0; i < events->count; i++) {
        const struct db_event *event = &events->items[i];

        if (event->kind == EVENT_CREATED)
            origin->is_rematch =
                read_origin(&wanted->op->request->arena, event->data, &origin->game);
        else if (event->kind == EVENT_CHALLENGED)
            origin->challenger = event->seat;
    }
}

enum step origin_know(struct op *op, struct origin *origin, db_id game)
{
    struct wanted *wanted;

    if (origin->is_known)
        return STEP_GO;
    wanted = arena_alloc(&op->request->arena, sizeof(*wanted));
    *wanted = (struct wanted){op, origin};
    db_get_log(db_of(op->request), game, 0, FIRST_EVENTS,
               ASK_STEP(events, op, know_first_events, wanted));
    return STEP_LATER;
}

static void know_game_before(void *context, const struct db_game *game)
{
    struct origin *origin = context;

    origin->knows_seats = true;
    for (int i = 0; i < DB_SEATS; i++) {
        origin->seat[i] = game->seat[i];
        origin->seat[i].name = origin->seat[i].engine = NULL;
    }
}

enum step origin_know_seats(struct op *op, struct origin *origin, db_id game)
{
    enum step step = origin_know(op, origin, game);

    if (step != STEP_GO || !origin->is_rematch || origin->knows_seats)
        return step;
    db_get_game(db_of(op->request), origin->game, ASK_STEP(game, op, know_game_before, origin));
    return STEP_LATER;
}
