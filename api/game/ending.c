#include "api/game/ending.h"

#include <string.h>

#include "api/game/log_ends.h"
#include "api/game/row.h"
#include "api/game/words.h"

/* The ends that no position shows: they need its past. Nobody claims one, they come by themselves.
 */
static bool fetch_past(const char *reason)
{
    return strcmp(reason, rules_reason_text(RULES_REASON_REPETITION)) == 0 ||
           strcmp(reason, rules_reason_text(RULES_REASON_PERPETUAL_CHECK)) == 0;
}

/* A declaration ends a game in a position that goes on by itself. */
static bool is_over_by_position(const struct db_game *row)
{
    struct rules_options options;
    struct rules_state state;
    const struct rules_game *game;

    if (row->status != STATUS_FINISHED || fetch_past(row->reason))
        return row->status == STATUS_FINISHED;
    game = row_position(row, &options, &state);
    return game != NULL && rules_outcome_now(game, &state).status != RULES_ONGOING;
}

struct ending ending_of(const struct db_game *row)
{
    return (struct ending){row->version, row->line, row->ply, is_over_by_position(row)};
}

bool ending_is(struct arena *arena, const struct ending *ending, const struct db_event *event)
{
    if (event->kind == EVENT_MOVE || event->kind == EVENT_REDO)
        return ending->by_position && event->line == ending->line && event->ply == ending->ply;
    return log_ends_by(arena, event);
}
