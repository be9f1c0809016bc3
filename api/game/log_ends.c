#include "api/game/log_ends.h"

#include <string.h>

#include "api/game/event_data.h"
#include "api/game/log_lines.h"
#include "api/game/offers.h"
#include "api/game/row.h"
#include "api/game/words.h"

bool log_ends_kind(int kind)
{
    return kind == EVENT_RESIGNED || kind == EVENT_ABORTED || kind == EVENT_DECLARED ||
           kind == EVENT_RECORDED || kind == EVENT_TIMEOUT;
}

const struct db_event *log_ends_last(const struct db_event *events, size_t count)
{
    for (; count > 1; count--) {
        int kind = events[count - 1].kind;

        if (log_ends_kind(kind) || kind == EVENT_MOVE || kind == EVENT_UNDO || kind == EVENT_REDO ||
            kind == EVENT_ACCEPTED)
            break;
    }
    return &events[count - 1];
}

bool log_ends_by(struct arena *arena, const struct db_event *event)
{
    struct event_data_write data;

    if (event->kind != EVENT_ACCEPTED)
        return log_ends_kind(event->kind);
    return event_data_read(arena, event, &data) &&
           (data.offer_kind == OFFER_DRAW || data.offer_kind == OFFER_ABORT);
}

/* That event alone has its reason in words. */
const struct db_event *log_ends_told(const struct db_event *events, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (log_ends_kind(events[i].kind) && events[i].kind != EVENT_TIMEOUT &&
            events[i].data != NULL && strstr(events[i].data, "\"reason\":") != NULL)
            return &events[i];
    return NULL;
}

/* Whether no other moves have led to the ply where the record ended. */
static bool stands_at(struct arena *arena, const struct db_event *events, size_t count,
                      const struct log_stop *stop)
{
    size_t last = count - 1;
    const size_t *places;

    if (events[last].ply != stop->ply || stop->version > (int64_t)count)
        return false;
    while (last > 0 && events[last].kind != EVENT_MOVE && events[last].kind != EVENT_UNDO &&
           events[last].kind != EVENT_REDO)
        last--;
    if (stop->version == 0 || last < (size_t)stop->version)
        return true;
    places = log_places(arena, events, count);
    return places[stop->version - 1] == places[count - 1];
}

bool log_ends_as_told(struct arena *arena, const struct db_event *events, size_t count,
                      const struct log_stop *stop)
{
    const struct db_event *told = log_ends_told(events, count),
                          *last = log_ends_last(events, count);

    return (told == NULL ? !log_ends_by(arena, last) : told == last) &&
           stands_at(arena, events, count, stop);
}

bool log_ends_stop_left(struct arena *arena, const struct db_event *events, size_t count,
                        const struct log_stop *stop, size_t *place, bool *passed)
{
    const size_t *places;

    if (stop->version == 0 || stop->version > (int64_t)count ||
        log_ends_told(events, count) != NULL || log_ends_as_told(arena, events, count, stop))
        return false;
    places = log_places(arena, events, count);
    *place = places[stop->version - 1];
    *passed = *place == places[count - 1];
    for (size_t i = 1; i < count; i++)
        *passed |= events[i].kind == EVENT_MOVE && places[i - 1] == *place;
    return true;
}

size_t log_ends_left(struct arena *arena, const struct db_event *events, size_t count,
                     struct log_end **ends)
{
    const struct db_event *last = log_ends_last(events, count);
    const size_t *places = NULL;
    size_t n = 0, room = 0;

    *ends = NULL;
    for (size_t i = 1; &events[i] < last; i++) {
        if (!log_ends_by(arena, &events[i]))
            continue;
        if (places == NULL)
            places = log_places(arena, events, count);
        *ends = arena_grow(arena, *ends, n, &room, sizeof(**ends));
        (*ends)[n++] = (struct log_end){
            .event = &events[i], .place = places[i], .here = places[i] == places[count - 1]};
    }
    return n;
}

/* ---- one event of a game ---- */

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

struct ending log_ending_of(const struct db_game *row)
{
    return (struct ending){row->version, row->line, row->ply, is_over_by_position(row)};
}

bool log_ending_is(struct arena *arena, const struct ending *ending, const struct db_event *event)
{
    if (event->kind == EVENT_MOVE || event->kind == EVENT_REDO)
        return ending->by_position && event->line == ending->line && event->ply == ending->ply;
    return log_ends_by(arena, event);
}
