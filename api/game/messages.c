#include "api/game/messages.h"

#include <string.h>

#include "api/game/event_data.h"
#include "api/game/row.h"
#include "api/game/words.h"

bool messages_are_read(const struct db_game *row, unsigned seats)
{
    return row_is_public(row) || seats != 0;
}

static const char *shown_data(struct arena *arena, const struct db_event *event, bool reads)
{
    static const char *const all[] = {"ply", "reason", "text", NULL};
    static const char *const withheld[] = {"ply", "reason", NULL};

    return event_data_only(arena, event->data, reads ? all : withheld);
}

/* Whether a player may have written something there. */
static bool has_words(const struct db_event *event)
{
    return (event->kind == EVENT_MESSAGE || event->kind == EVENT_ABORTED) && event->data != NULL;
}

/* Whether its data says who does not read it, which nobody is shown. */
static bool says_who(const struct db_event *event)
{
    return has_words(event) && strstr(event->data, "\"unheard_by\"") != NULL;
}

/* The player who does not read what was written. False: everybody may who reads messages. */
static bool find_unheard(struct arena *arena, const struct db_event *event, db_id *player)
{
    struct event_data_write data;

    if (!says_who(event) || !event_data_read(arena, event, &data) || !data.is_unheard)
        return false;
    *player = data.unheard_by;
    return true;
}

bool messages_are_unheard_by(struct arena *arena, const struct db_event *event, const db_id *player)
{
    db_id unheard;

    return find_unheard(arena, event, &unheard) &&
           (player == NULL || memcmp(&unheard, player, sizeof(unheard)) == 0);
}

/* The data of an event as somebody reads it who plays these seats. Whoever has declined a challenge
 * plays none, and nobody else who plays none sees the game. */
static const char *data_for(struct arena *arena, const struct db_event *event, bool public,
                            unsigned seats)
{
    bool reads = public || seats != 0 || event->kind == EVENT_ABORTED;
    db_id player;

    if (!has_words(event) || (reads && !says_who(event)))
        return event->data;
    if (find_unheard(arena, event, &player) && seats != 0)
        reads = public || (seats & seat_bit(event->seat)) != 0;
    return shown_data(arena, event, reads);
}

const struct db_event *messages_shown(struct arena *arena, bool public, unsigned seats,
                                      const struct db_event *events, size_t count)
{
    struct db_event *copy = NULL;

    for (size_t i = 0; i < count; i++) {
        const char *data = data_for(arena, &events[i], public, seats);

        if (data == events[i].data)
            continue;
        if (copy == NULL) {
            copy = arena_alloc(arena, count * sizeof(*copy));
            memcpy(copy, events, count * sizeof(*copy));
        }
        copy[i].data = data;
    }
    return copy == NULL ? events : copy;
}

struct db_event messages_shown_to(struct arena *arena, const struct db_event *event,
                                  const db_id *player)
{
    struct db_event shown = *event;

    if (says_who(event))
        shown.data = shown_data(arena, event, !messages_are_unheard_by(arena, event, player));
    return shown;
}
