#include "api/game/log_ends.h"

#include <string.h>

#include "api/game/event_data.h"
#include "api/game/log_lines.h"
#include "api/game/offers.h"
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

bool log_ends_as_told(struct arena *arena, const struct db_event *events, size_t count)
{
    const struct db_event *told = log_ends_told(events, count),
                          *last = log_ends_last(events, count);

    return told == NULL ? !log_ends_by(arena, last) : told == last;
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
