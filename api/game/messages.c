#include "api/game/messages.h"

#include <string.h>

#include "api/game/event_data.h"
#include "api/game/words.h"

bool messages_are_read(const struct db_game *row, unsigned seats)
{
    return row->visibility == VISIBILITY_PUBLIC || seats != 0;
}

static size_t first_of_messages(const struct db_event *events, size_t count)
{
    size_t i = 0;

    while (i < count && events[i].kind != EVENT_MESSAGE)
        i++;
    return i;
}

const struct db_event *messages_withhold(struct arena *arena, const struct db_event *events,
                                         size_t count)
{
    static const char *const shown[] = {"ply", NULL};
    struct db_event *copy;
    size_t i = first_of_messages(events, count);

    if (i == count)
        return events;
    copy = arena_alloc(arena, count * sizeof(*copy));
    memcpy(copy, events, count * sizeof(*copy));
    for (; i < count; i++)
        if (copy[i].kind == EVENT_MESSAGE && copy[i].data != NULL)
            copy[i].data = event_data_only(arena, copy[i].data, shown);
    return copy;
}
