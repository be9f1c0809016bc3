#include "api/game/row.h"

#include "api/game/words.h"
#include "api/text/arena.h"
#include "api/text/json_read.h"
#include "api/text/options.h"
#include "api/text/problem.h"

const struct rules_game *row_position(const struct db_game *row, struct rules_options *options,
                                      struct rules_state *state)
{
    const struct rules_game *game = rules_find(row->variant);
    struct rules_refusal why;
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct arena arena = {NULL, NULL, NULL};
    bool ok;

    /* The memory of this call alone: options are numbers once they are read. */
    if (game == NULL)
        return NULL;
    ok = options_from_json(game, &arena, row->options, options, &error) &&
         rules_load(game, options, row->position, state, &why);
    options->position = NULL; /* it pointed into the arena */
    arena_free(&arena);
    return ok ? game : NULL;
}

bool row_has_open_seat(const struct db_game *row)
{
    for (int i = 0; i < DB_SEATS; i++)
        if (row->seat[i].state == SEAT_OPEN)
            return true;
    return false;
}

bool row_is_reserved(const struct db_seat *seat, int64_t now)
{
    return seat->has_invitation && now < seat->invited_until;
}

void row_set_move(struct db_game *row, int32_t ply, const struct db_event *move)
{
    row->ply = ply;
    row->position = move == NULL ? row->start : move->position;
    row->last_move = move == NULL ? NULL : move->move;
    row->last_seat = move == NULL ? 0 : move->seat;
    row->last_at = move == NULL ? row->created_at : move->at;
}
